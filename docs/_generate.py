"""Writes the parts of the reference pages that the source already says.

A page marks such a part by ``<!-- generated: name -->`` and ``<!-- end -->``; everything else in it is
written by hand.
Run it after changing a predicate, a threshold, an error, a reason or a public method::

    python docs/_generate.py           # rewrite the pages
    python docs/_generate.py --check   # only say which pages are stale
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import attrs

from cmemory.adapters.hosts.wechat import contract as wechat
from cmemory.app.actions import ACTIONS, Action
from cmemory.app.catalogue import Presence
from cmemory.bench.eval.fixture import Effect
from cmemory.bench.eval.validation import Rule
from cmemory.domain.audit.finding import RULES, Code
from cmemory.domain.model.life import TRANSITIONS
from cmemory.domain.predicates.registry import DOMAINS, PREDICATES, Predicate

DOCS = Path(__file__).parent
REFERENCE = DOCS / "reference"
SOURCE = DOCS.parent / "src" / "cmemory"
_WECHAT = "adapters/hosts/wechat/contract.py"

_REGION = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n)(?P<body>.*?)(<!-- end -->)", re.DOTALL)
_SECTION = re.compile(r"(Args|Returns|Raises):")
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z`])")
# Characters; a longer signature gets one argument per line.
_LONGEST_SIGNATURE = 100
_DOCTEST = re.compile(r"\n\s*>>>.*", re.DOTALL)


#: What the source leaves to the name, by class and value or field; a comment there wins.
NOTES = {
    "Why": {
        "constraint_policy": "A boundary; always in force.",
        "forced_oracle_injection": "An evaluation insisted on it, and no cue points at it.",
        "current_turn_cue": "The message names it.",
        "topic_implied": "The message shares its topic.",
        "mention_gate": "An episode or inference that the gate denies.",
        "one_session_greeting_followup": "The open thread this greeting may pick up.",
    },
    "Denial": {
        "do_not_surface": "The person asked for silence.",
        "never_surface": "Nothing under its key is ever spoken.",
        "time_trigger_not_authorised": "A timer fired for it, and the person had not allowed that.",
        "uses_unlicensed_shared_term": "It uses a private word that the person did not use in this turn.",
        "awaiting_user_cue": "It needs a cue, and the message gives none.",
        "inference_not_active": "A conclusion that was not promoted.",
    },
    "Signal": {
        "user_valued": "The person was glad it was remembered; importance rises.",
        "user_corrected": "The person corrected it, so it matters to them; importance rises.",
        "user_raised_again": "The person came back to it; importance rises.",
        "response_worked": "The answer that used it worked; importance rises.",
        "user_asked_to_stop": "The person does not want it mentioned; it is muted.",
    },
    "Outcome": {"rejected": "Refused; the reason says why."},
    "Reason": {
        "admitted": "It was taken in, or taken back.",
        "merged": "The same fact is already stored.",
        "pending_review": "It waits for review.",
        "invalid_value": "The value is not of the kind the key takes.",
    },
    "Plan": {
        "revision": "The scope's watermark at this moment.",
        "constraints": "Boundaries.",
        "identity": "Whom the model is talking to.",
        "response_style": "How to talk to them.",
        "continuity": "At most one follow-up.",
        "topic_activated": "What the person brought up, heaviest first.",
        "deep_recall": "What may shape the answer, heaviest first.",
        "channel": "The items of one channel.",
    },
    "Item": {
        "record_id": "The record; takes the same calls as an id from `search` or `list`.",
        "text": "The line shown to the model.",
        "surface": "How openly it may be used at most.",
        "reason": "Why it stands here.",
    },
    "WireError": {"problem": "What is wrong there."},
    "StoreError": {"problem": "What went wrong."},
    "ModelError": {"problem": "What went wrong.", "retryable": "Whether the same call may succeed later."},
    "MissingExtraError": {"extra": "The extra to install."},
}


# -- reading the source -----------------------------------------------------------------------------


@attrs.frozen
class Field:
    """One field or enum member of a class, as its source line says it."""

    name: str
    kind: str
    value: str
    comment: str


@attrs.frozen
class Class:
    """One class of a module."""

    name: str
    bases: tuple[str, ...]
    doc: str
    fields: tuple[Field, ...]
    methods: tuple[ast.FunctionDef, ...]


def classes(module: str) -> dict[str, Class]:
    """Return the classes of a module of the package, in source order."""
    text = (SOURCE / module).read_text(encoding="utf-8")
    lines = text.splitlines()
    found = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    return {node.name: _class(node, lines) for node in found}


def _class(node: ast.ClassDef, lines: list[str]) -> Class:
    return Class(
        name=node.name,
        bases=tuple(ast.unparse(base) for base in node.bases),
        doc=ast.get_docstring(node) or "",
        fields=tuple(_noted(node.name, one) for one in _fields(node, lines)),
        methods=tuple(one for one in node.body if isinstance(one, ast.FunctionDef)),
    )


def _fields(node: ast.ClassDef, lines: list[str]) -> Iterator[Field]:
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            value = "" if one.value is None else ast.unparse(one.value)
            yield Field(one.target.id, ast.unparse(one.annotation), value, _comment(lines, one.lineno))
        elif isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            yield Field(one.targets[0].id, "", ast.unparse(one.value), _comment(lines, one.lineno))


def _noted(owner: str, field: Field) -> Field:
    """Return the field with a note where the source has no comment."""
    notes = NOTES.get(owner, {})
    return attrs.evolve(
        field, comment=field.comment or notes.get(field.value.strip("'"), notes.get(field.name, ""))
    )


def _comment(lines: list[str], lineno: int) -> str:
    """Return the ``#:`` lines right above a line of source, as one text."""
    at = lineno - 2
    above: list[str] = []
    while at >= 0 and lines[at].strip().startswith("#:"):
        above.insert(0, lines[at].strip().removeprefix("#:").strip())
        at -= 1
    return " ".join(above)


# -- writing Markdown -------------------------------------------------------------------------------


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join('---' for _ in head)}|"]
    return "\n".join(lines + [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows])


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|").replace("\n", " ") or "–"


def _plain(text: str) -> str:
    """Return a text of ours with Markdown's code marks instead of those of docstrings."""
    return text.replace("``", "`")


def _paragraph(text: str) -> str:
    """Return a paragraph with one sentence per line."""
    return "\n".join(_SENTENCE_END.split(_plain(" ".join(text.split()))))


def _enum(module: str, name: str, heading: str) -> str:
    members = classes(module)[name].fields
    rows = [(f"`{ast.literal_eval(one.value)}`", one.comment) for one in members]
    return _table((heading, "meaning"), rows)


def _docstring(text: str) -> str:
    """Return a docstring as Markdown: paragraphs, and its sections as lists."""
    blocks: list[str] = []
    for block in _DOCTEST.sub("", text).split("\n\n"):
        lines = block.splitlines()
        section = _SECTION.fullmatch(lines[0].strip()) if lines else None
        if section is None:
            blocks.append(_paragraph(block))
        else:
            blocks.append(f"*{section[1]}*\n\n" + "\n".join(_entries(lines[1:])))
    return "\n\n".join(block for block in blocks if block.strip())


def _entries(lines: list[str]) -> Iterator[str]:
    """Yield the entries of an Args, Returns or Raises section as list items."""
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    entry: list[str] = []
    for line in lines:
        deeper = len(line) - len(line.lstrip()) > indent
        if entry and not deeper:
            yield _entry(entry)
            entry = []
        entry.append(line.strip())
    if entry:
        yield _entry(entry)


def _entry(lines: list[str]) -> str:
    text = _plain(" ".join(lines))
    named = re.match(r"(?P<names>[A-Za-z_][\w, ]*): (?P<rest>.*)", text)
    if named is not None:
        text = f"{', '.join(f'`{name}`' for name in named['names'].split(', '))}: {named['rest']}"
    return "* " + "\n  ".join(_SENTENCE_END.split(text))


# -- the generated parts ----------------------------------------------------------------------------


_PREDICATE_COLUMNS = (
    "key",
    "values",
    "how many",
    "visibility",
    "sensitivity",
    "lifetime",
    "may support inferences",
    "meaning",
)


def predicates() -> str:
    parts = []
    for domain in DOMAINS:
        rows = [_predicate(row) for row in PREDICATES.values() if row.domain == domain]
        parts.append(f"### {domain}\n\n{_table(_PREDICATE_COLUMNS, rows)}")
    return "\n\n".join(parts)


def _predicate(row: Predicate) -> tuple[str, ...]:
    needs = ", needs an entity" if row.requires_entity else ""
    return (
        f"`{row.key}`",
        row.kind.value + needs,
        row.cardinality.value,
        row.visibility.token,
        row.sensitivity.value,
        row.lifetime.value,
        "yes" if row.may_infer else "no",
        row.meaning,
    )


def enum_values() -> str:
    rows = [
        (f"`{row.key}`", " ".join(f"`{token}`" for token in row.enum_values))
        for row in PREDICATES.values()
        if row.enum_values
    ]
    return _table(("key", "allowed tokens"), rows)


def contexts() -> str:
    rows = [
        (f"`{row.key}`", " ".join(f"`{token}`" for token in row.contexts))
        for row in PREDICATES.values()
        if row.contexts
    ]
    return _table(("key", "values of `context`"), rows)


def policy() -> str:
    found = classes("domain/policy.py")
    parts = []
    for field in found["Policy"].fields:
        one = found[field.kind]
        items = _with_shared_comments(one)
        rows = [(f"`{item.name}`", item.kind, f"`{item.value}`", item.comment) for item in items]
        table = _table(("name", "type", "default", "meaning"), rows)
        parts.append(f"### `Policy.{field.name}`\n\n{_paragraph(one.doc)}\n\n{table}")
    return "\n\n".join(parts)


def _with_shared_comments(one: Class) -> Iterator[Field]:
    """Yield the fields; one without a comment shares that of the field above it."""
    above = ""
    for field in one.fields:
        above = field.comment or above
        yield attrs.evolve(field, comment=above)


def errors() -> str:
    parts = []
    for one in classes("domain/errors.py").values():
        parts.append(f"### `{one.name}`\n\n{_paragraph(one.doc)}")
        if one.fields:
            rows = [(f"`{field.name}`", field.kind, field.comment) for field in one.fields]
            parts.append(_table(("field", "type", "meaning"), rows))
    return "\n\n".join(parts)


def outcomes() -> str:
    return _enum("domain/model/candidate.py", "Outcome", "outcome")


def reasons() -> str:
    words = _words()
    rows = [
        (f"`{ast.literal_eval(one.value)}`", one.comment or _as_sentence(words.get(one.name, "")))
        for one in classes("domain/model/candidate.py")["Reason"].fields
    ]
    return _table(("reason", "meaning"), rows)


def _as_sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def _words() -> dict[str, str]:
    """Return what each refusal says in words, by the name of its reason."""
    tree = ast.parse((SOURCE / "domain/admit/ground.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Dict):
            continue
        if ast.unparse(node.targets[0]) == "WORDS":
            pairs = zip(node.value.keys, node.value.values, strict=True)
            named = ((key, value) for key, value in pairs if isinstance(key, ast.Attribute))
            return {key.attr: ast.literal_eval(value) for key, value in named}
    return {}


def channels() -> str:
    return _enum("domain/plan/plan.py", "Channel", "channel")


def whys() -> str:
    return _enum("domain/plan/plan.py", "Why", "reason")


def denials() -> str:
    return _enum("domain/gates/mention.py", "Denial", "denial")


def visibility() -> str:
    members = classes("domain/predicates/registry.py")["Visibility"].fields
    rows = [(one.value, f"`{one.name.lower()}`", one.comment) for one in members]
    return _table(("level", "token", "meaning"), rows)


def plan_fields() -> str:
    found = classes("domain/plan/plan.py")
    parts = []
    for name in ("Plan", "Item"):
        one = found[name]
        rows = [(f"`{field.name}`", field.kind, field.comment) for field in one.fields]
        rows += [(f"`{method.name}`", "property", _first_line(method)) for method in _properties(one)]
        parts.append(f"### `{name}`\n\n{_paragraph(one.doc)}\n\n{_table(('name', 'type', 'meaning'), rows)}")
    return "\n\n".join(parts)


def signals() -> str:
    return _enum("domain/scoring/salience.py", "Signal", "signal")


def life() -> str:
    rows = [
        (f"`{before.value}`", event.value, f"`{after.value}`")
        for before, events in TRANSITIONS.items()
        for event, after in events.items()
    ]
    return _table(("a record that is", "after", "becomes"), rows)


def forget_targets() -> str:
    found = classes("domain/forget/erase.py")
    names = ("Records", "ByPredicate", "ByEntity", "Everything")
    return _table(("target", "meaning"), [(f"`{name}`", found[name].doc.split("\n\n")[0]) for name in names])


def forget_report() -> str:
    one = classes("domain/forget/erase.py")["ForgetReport"]
    rows = [(f"`{field.name}`", field.kind, field.comment) for field in one.fields]
    rows += [(f"`{method.name}`", "property", _first_line(method)) for method in _properties(one)]
    return _table(("name", "type", "meaning"), rows)


def methods() -> str:
    found = {**classes("memory.py"), **classes("notebook.py")}
    parts = []
    for name in ("Memory", "ScopedMemory", "Notebook"):
        one = found[name]
        parts.append(f"## `{name}`\n\n{_docstring(one.doc)}")
        aliases = {field.value: field.name for field in one.fields if not field.kind}
        for method in one.methods:
            if not method.name.startswith("_"):
                parts.append(_method(name, method, aliases.get(method.name)))
    return "\n\n".join(parts)


def _method(owner: str, method: ast.FunctionDef, alias: str | None) -> str:
    doc = ast.get_docstring(method) or ""
    also = f"\n\nAlso under the name `{alias}`." if alias else ""
    if "property" in _marks(method):
        kind = "None" if method.returns is None else ast.unparse(method.returns)
        return f"### `{owner}.{method.name}`\n\nA property of type `{kind}`.\n{_docstring(doc)}{also}"
    return f"### `{owner}.{method.name}`\n\n```text\n{_signature(method)}\n```\n\n{_docstring(doc)}{also}"


def _signature(method: ast.FunctionDef) -> str:
    arguments = method.args
    shown = ast.arguments(
        posonlyargs=arguments.posonlyargs,
        args=[one for one in arguments.args if one.arg not in ("self", "cls")],
        vararg=arguments.vararg,
        kwonlyargs=arguments.kwonlyargs,
        kw_defaults=arguments.kw_defaults,
        kwarg=arguments.kwarg,
        defaults=arguments.defaults,
    )
    returns = "" if method.returns is None else f" -> {ast.unparse(method.returns)}"
    parts = [_spaced(part) for part in _split_arguments(ast.unparse(shown)) if part]
    whole = f"{method.name}({', '.join(parts)}){returns}"
    if len(whole) <= _LONGEST_SIGNATURE:
        return whole
    inner = "".join(f"    {part},\n" for part in parts)
    return f"{method.name}(\n{inner}){returns}"


def _spaced(argument: str) -> str:
    """Return an argument with room around the sign before its default, as the source has it."""
    return re.sub(r"^(\w+: [^=]+)=", r"\1 = ", argument)


def _split_arguments(text: str) -> list[str]:
    """Return the arguments of a signature; commas inside brackets part nothing."""
    parts, depth = [""], 0
    for ch in text:
        depth += (ch in "([{") - (ch in ")]}")
        if ch == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += ch
    return [part.strip() for part in parts]


def _properties(one: Class) -> list[ast.FunctionDef]:
    return [method for method in one.methods if "property" in _marks(method)]


def _marks(method: ast.FunctionDef) -> set[str]:
    """Return the decorators of a method."""
    return {ast.unparse(one) for one in method.decorator_list}


def _first_line(method: ast.FunctionDef) -> str:
    return (ast.get_docstring(method) or "").splitlines()[0]


def findings() -> str:
    """Return what a selfcheck can find, in the order in which it is told."""
    comments = {
        ast.literal_eval(one.value.split("  #")[0]): one.comment
        for one in classes("domain/audit/finding.py")["Code"].fields
    }
    rows = [
        (f"`{code.value}`", RULES[code][0].name, comments[code.value], _as_sentence(RULES[code][1]))
        for code in Code
    ]
    return _table(("code", "severity", "what was found", "what helps"), rows)


def actions() -> str:
    """Return the actions of a model with their parameters."""
    return "\n\n".join(map(_action, ACTIONS.values()))


def _action(one: Action) -> str:
    rows = [
        (
            f"`{param.name}`",
            " ".join(f"`{choice}`" for choice in param.choices) or param.kind.value,
            "" if param.presence is not Presence.DEFAULTED else f"`{json.dumps(param.default)}`",
            param.meaning,
        )
        for param in one.params
    ]
    table = (
        _table(("argument", "takes", "unless given", "meaning"), rows) if rows else "It takes no arguments."
    )
    return f"### `{one.name}`\n\n{one.description}\n\n{table}"


def wechat_features() -> str:
    """Return what each feature of the plug-in needs."""
    told = {ast.literal_eval(one.value): one.comment for one in classes(_WECHAT)["Feature"].fields}
    rows = [
        (
            told[feature.value],
            *(f"`{need.value}`" if need else "" for need in (needs.capability, needs.permission)),
            f"`host.{needs.service}`" if needs.service else "",
            f"`{needs.setting}`" if needs.setting else "",
        )
        for feature, needs in wechat.NEEDS.items()
    ]
    return _table(("feature", "capability", "permission", "service", "setting"), rows)


def wechat_inputs() -> str:
    """Return what each call reads of its input."""
    rows = [
        (f"`{call}`", f"`{name}`", kind, "" if required else "may be missing")
        for call, fields in wechat.INPUTS.items()
        for name, kind, required in _wechat_fields(fields)
    ]
    return _table(("call", "field", "takes", "note"), rows)


def _wechat_fields(fields: tuple[wechat.Field, ...], prefix: str = "") -> Iterator[tuple[str, str, bool]]:
    for one in fields:
        takes = " or ".join(f"`{choice}`" for choice in one.choices) or one.kind.value
        if not one.fields:
            yield f"{prefix}{one.name}", takes, one.required
        yield from _wechat_fields(one.fields, f"{prefix}{one.name}.")


def wechat_settings() -> str:
    """Return the settings of the plug-in."""
    rows = [
        (
            f"`{one.key}`",
            one.kind.value,
            f"`{json.dumps(one.default)}`",
            "" if one.min is None else f"{one.min} to {one.max}",
            one.meaning,
        )
        for one in wechat.SETTINGS
    ]
    return _table(("setting", "type", "default", "bounds", "meaning"), rows)


def wechat_deadlines() -> str:
    """Return how long each thing may take."""
    rows = [(f"`{name}`", f"{ms / 1_000:g} s") for name, ms in wechat.DEADLINES_MS.items()]
    return _table(("deadline", "at most"), rows)


#: Words of JSON for the kinds and defaults of fields.
_JSON_KINDS = {
    "str": "text",
    "int": "whole number",
    "float": "number",
    "bool": "true or false",
    "Value": "text or number",
    "Instant": "instant such as `2026-03-02T12:10:00Z`",
}
_JSON_DEFAULTS = {
    "None": "absent",
    "()": "none",
    "False": "false",
    "attrs.field(factory=Extracted)": "nothing read",
}
_ENUM_MODULES = (
    "bench/eval/fixture.py",
    "bench/eval/cases.py",
    "bench/eval/arms.py",
    "domain/model/bodies.py",
    "domain/model/candidate.py",
    "domain/plan/plan.py",
)
#: Tokens that are listed in a cell; more have a table of their own elsewhere.
_FEW_TOKENS = 7


def eval_fields() -> str:
    """Return the classes of a fixture with their fields, the fixture first."""
    found = classes("bench/eval/fixture.py")
    names = ("Fixture", "Session", "Turn", "GoldClaim", "GoldEpisode", "GoldNote")
    names += ("RecallEvidence", "ProtectionEvidence", "Form", "Act")
    return "\n\n".join(_fields_of(found[name]) for name in names)


def eval_cases() -> str:
    found = classes("bench/eval/cases.py")
    names = ("Case", "Placed", "Call", "Written", "Acted", "Extracted")
    return "\n\n".join(_fields_of(found[name]) for name in names)


def _fields_of(one: Class) -> str:
    """Return the fields of a class as JSON has them; one without a comment shares that of the field above it."""
    rows = [
        (f"`{field.name}`", _json_kind(field.kind), _json_default(field.value), field.comment)
        for field in _with_shared_comments(one)
    ]
    return f"### `{one.name}`\n\n{_paragraph(one.doc)}\n\n{_table(('field', 'takes', 'unless given', 'meaning'), rows)}"


def _json_kind(kind: str) -> str:
    """Return what a field takes in JSON: a plain kind, the tokens of an enum, or a class of the page."""
    kind = kind.removesuffix(" | None")
    if listed := re.fullmatch(r"tuple\[(\w+), \.\.\.\]", kind):
        return f"list of {_json_kind(listed[1])}"
    if kind in _JSON_KINDS:
        return _JSON_KINDS[kind]
    for module in _ENUM_MODULES:
        found = classes(module).get(kind)
        if found is not None and "enum.Enum" in found.bases:
            if len(found.fields) > _FEW_TOKENS:
                return f"a token of `{kind}`"
            return " ".join(f"`{ast.literal_eval(one.value)}`" for one in found.fields)
    return f"`{kind}`"


def _json_default(value: str) -> str:
    if value in _JSON_DEFAULTS:
        return _JSON_DEFAULTS[value]
    owner, dot, member = value.partition(".")
    for module in _ENUM_MODULES if dot else ():
        found = classes(module).get(owner)
        if found is not None:
            return "".join(f"`{ast.literal_eval(one.value)}`" for one in found.fields if one.name == member)
    return f"`{value}`" if value else ""


def eval_effects() -> str:
    members = classes("bench/eval/fixture.py")["Effect"].fields
    rows = [
        (
            f"`{ast.literal_eval(one.value)}`",
            "silence" if Effect[one.name].protection else "form" if Effect[one.name].formal else "words",
            one.comment,
        )
        for one in members
    ]
    return _table(("effect", "shown by", "meaning"), rows)


def eval_rules() -> str:
    rows = [
        (
            f"`{ast.literal_eval(one.value)}`",
            "refused" if Rule[one.name].fatal else "turn not scored",
            one.comment,
        )
        for one in classes("bench/eval/validation.py")["Rule"].fields
    ]
    return _table(("rule", "broken", "what it asks for"), rows)


def eval_shortfalls() -> str:
    return _enum("bench/eval/report.py", "Shortfall", "code")


def eval_acceptance() -> str:
    return _fields_of(classes("bench/eval/report.py")["Acceptance"])


def eval_stages() -> str:
    return _enum("bench/eval/scoring.py", "Stage", "stage")


PARTS: dict[str, Callable[[], str]] = {
    "actions": actions,
    "channels": channels,
    "contexts": contexts,
    "denials": denials,
    "enum-values": enum_values,
    "errors": errors,
    "eval-acceptance": eval_acceptance,
    "eval-cases": eval_cases,
    "eval-effects": eval_effects,
    "eval-fields": eval_fields,
    "eval-rules": eval_rules,
    "eval-shortfalls": eval_shortfalls,
    "eval-stages": eval_stages,
    "findings": findings,
    "forget-report": forget_report,
    "forget-targets": forget_targets,
    "life": life,
    "methods": methods,
    "outcomes": outcomes,
    "plan-fields": plan_fields,
    "policy": policy,
    "predicates": predicates,
    "reasons": reasons,
    "signals": signals,
    "visibility": visibility,
    "wechat-capabilities": lambda: _enum(_WECHAT, "Capability", "capability"),
    "wechat-codes": lambda: _enum(_WECHAT, "Code", "code"),
    "wechat-deadlines": wechat_deadlines,
    "wechat-features": wechat_features,
    "wechat-inputs": wechat_inputs,
    "wechat-permissions": lambda: _enum(_WECHAT, "Permission", "permission"),
    "wechat-settings": wechat_settings,
    "whys": whys,
}


# -- the pages --------------------------------------------------------------------------------------


def refreshed(text: str) -> str:
    """Return a page with its generated parts written anew."""
    return _REGION.sub(lambda found: f"{found[1]}\n{PARTS[found['name']]()}\n\n{found[4]}", text)


def stale() -> list[Path]:
    """Return the pages whose generated parts no longer say what the source says."""
    return [page for page in _pages() if refreshed(_read(page)) != _read(page)]


def _pages() -> list[Path]:
    return sorted(page for page in REFERENCE.glob("*.md") if "<!-- generated: " in _read(page))


def _read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def main(argv: list[str]) -> int:
    pages = stale()
    for page in pages:
        print(page.relative_to(DOCS.parent))
        if "--check" not in argv:
            page.write_text(refreshed(_read(page)), encoding="utf-8")
    return 1 if pages and "--check" in argv else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
