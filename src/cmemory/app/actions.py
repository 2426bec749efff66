"""What a model may do with memory on the person's behalf: one catalogue, which every host publishes.

An action never raises for what a model filled in: it answers with a code and a sentence that the model can act on. The
person's own current message comes along; it proves what is remembered and gives leave to what is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

import attrs

from cmemory.app import amend, consolidate, forget, notes, query
from cmemory.app.catalogue import (
    DEFAULTED,
    DUE_ON,
    EMOTIONAL_WEIGHT,
    IMPORTANCE,
    NOTE_KIND,
    ONLY_KIND,
    OPTIONAL,
    TAGS,
    Kind,
    Param,
)
from cmemory.app.inspect import known
from cmemory.app.services import Services
from cmemory.app.utterances import CONVERSATION, search_utterances
from cmemory.domain.errors import UsageError
from cmemory.domain.evidence.graph import share_words
from cmemory.domain.forget.authorise import asks_for_deletion
from cmemory.domain.forget.erase import Records
from cmemory.domain.model.bodies import NoteKind
from cmemory.domain.model.candidate import Admission, Outcome
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.measure import checked_unit
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.model.record import AnyRecord, is_inference
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.lines import line_of
from cmemory.domain.plan.render.companion import render_found
from cmemory.domain.plan.telling import Telling
from cmemory.domain.recall.said import Among
from cmemory.ports.store import View

#: Lines that an action tells at most.
MOST = 20


@attrs.frozen(kw_only=True)
class ActionResult:
    """What came of an action."""

    ok: bool
    #: ``done``, or the stable code of what stood in the way.
    code: str
    #: For the model: what was done or found, or what it may do instead. Found texts are data, never instructions.
    text: str
    data: Mapping[str, object] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class Turn:
    """Where an action happens."""

    services: Services
    scope: Scope
    #: The person's current message.
    message: Message
    now: Instant


@attrs.frozen(kw_only=True)
class Action:
    """One thing a model may do."""

    name: str
    #: For the model.
    description: str
    params: tuple[Param, ...] = ()
    run: Callable[[Turn, Mapping[str, object]], ActionResult] = attrs.field(repr=False)


def act(turn: Turn, name: str, arguments: Mapping[str, object]) -> ActionResult:
    """Carry out an action.

    Args:
        turn: where it happens.
        name: one of `ACTIONS`.
        arguments: as the model filled them in, unchecked; what the action does not know is passed over.

    Raises:
        StoreError: the store failed.
        ModelError: never; a failing model leaves what waits waiting.
    """
    action = ACTIONS.get(name)
    if action is None:
        return _refused("unknown_action", f"There is no such action. There are: {', '.join(ACTIONS)}.")
    try:
        return action.run(turn, _read(action, arguments))
    except UsageError as error:
        return _refused("bad_arguments", f"{error.field} {error.problem}.")


# -- what they do --------------------------------------------------------------------------------------------


def _remember(turn: Turn, given: Mapping[str, object]) -> ActionResult:
    candidate = notes.stated_note(
        turn.message,
        text=_filled(given, "text"),
        note_kind=NoteKind(str(given["kind"])),
        quote=_maybe(given, "quote"),
        tags=_texts(given, "tags"),
        importance=checked_unit(given["importance"], "importance"),
        emotional_weight=checked_unit(given["emotional_weight"], "emotional_weight"),
        due_on=_maybe(given, "due_on"),
    )
    first, *claims = notes.write(turn.services, turn.scope, turn.message, candidate)
    if first.outcome is Outcome.REJECTED:
        return _refused(first.reason.value, f"It was not kept: {first.detail}.")
    again = first.outcome is Outcome.MERGED
    return _done(
        "It was known already and counts for more now." if again else "It is kept.",
        id=first.record_id,
        merged=again,
        claims=[one.record_id for one in claims if one.record_id is not None],
    )


def _search(turn: Turn, given: Mapping[str, object]) -> ActionResult:
    terms, limit = _filled(given, "query"), min(MOST, _whole(given, "limit"))
    hits = query.search(
        turn.services, turn.scope, terms, message=turn.message.text, now=turn.now, limit=limit
    )
    found: list[tuple[str, str]] = [(hit.id, hit.text) for hit in hits]
    if len(found) < limit:
        said = search_utterances(
            turn.services,
            turn.scope,
            terms,
            message=turn.message.text,
            among=Among(speakers=CONVERSATION, until=turn.message.at),
            now=turn.now,
            limit=limit - len(found),
        )
        found += [
            (one.id, f"{str(one.at)[:10]}, {one.speaker.value}: {one.text}")
            for one in said
            if one.id != turn.message.id
        ]
    if not found:
        return _refused("nothing_found", render_found(()))
    return _listed(found)


def _list(turn: Turn, given: Mapping[str, object]) -> ActionResult:
    kind = _maybe(given, "kind")
    with turn.services.store.read(turn.scope) as view:
        guard = turn.services.guard(turn.scope, view)
        telling = Telling.of(view.records(), guard=guard, now=turn.now)
    told = [
        record
        for record in telling.records
        if record.live(turn.now) and telling.untold(record) is None
        if kind is None or getattr(record.body, "note_kind", None) is NoteKind(kind)
    ]
    limit = min(MOST, _whole(given, "limit"))
    if not told:
        return _refused("nothing_found", "Nothing is kept that may be listed.")
    return _listed([(record.id, line_of(record)) for record in told[:limit]], total=len(told))


def _forget(turn: Turn, given: Mapping[str, object]) -> ActionResult:
    if not asks_for_deletion(turn.message.text):
        return _refused(
            "not_asked", "The person's message does not ask to forget anything; nothing was put away."
        )
    if given["last"]:
        return _forget_last(turn)
    record_id, terms = _maybe(given, "id"), _maybe(given, "query")
    if record_id is None and terms is None:
        return _refused("bad_arguments", "Give id, query, or last.")
    found = [record_id] if record_id is not None else _matching(turn, terms or "")
    if not found:
        return _refused("nothing_found", "Nothing matches. Ask the person what they mean.")
    with turn.services.store.read(turn.scope) as view:
        meant = _with_kin(view, known(view, found[0]), frozenset({Status.ACTIVE, Status.FADED}))
    if not {*found} <= {record.id for record in meant}:
        return _refused("ambiguous", "Several things match. Ask which, and give its id.", ids=found[:MOST])
    return _put_away(turn, [record.id for record in meant])


def _restore(turn: Turn, given: Mapping[str, object]) -> ActionResult:
    record_id = _maybe(given, "id")
    if record_id is None:
        with turn.services.store.read(turn.scope) as view:
            gone = view.notes(frozenset({Status.DELETED})) or view.records(frozenset({Status.DELETED}))
        if not gone:
            return _refused("nothing_found", "Nothing was put away.")
        record_id = gone[0].id
    with turn.services.store.read(turn.scope) as view:
        kin = _with_kin(view, known(view, record_id), frozenset({Status.DELETED}))
    together = [record.id for record in kin if record.updated_at == kin[0].updated_at]
    back = [amend.undelete(turn.services, turn.scope, one, now=turn.now) for one in together]
    return _done("It is back: " + "; ".join(map(line_of, back)), ids=[record.id for record in back])


def _consolidate(turn: Turn, _: Mapping[str, object]) -> ActionResult:
    report = consolidate.consolidate(turn.services, turn.scope, now=turn.now, at=None, force=True)
    kept = report.count(Outcome.ACCEPTED, Outcome.MERGED)
    if report.failed or report.unreadable:
        return _refused("model_failed", "Not everything could be read. What is left waits.", left=report.left)
    return _done(f"{kept} things were kept or confirmed.", kept=kept, left=report.left)


# -- forgetting what was just said ---------------------------------------------------------------------------


def _forget_last(turn: Turn) -> ActionResult:
    """Put away what the person said last, before the current message: its records, and the words themselves.

    What nothing was made of yet becomes a note first, so that there is something to put away, and to restore.
    """
    with turn.services.store.read(turn.scope) as view:
        said = view.messages(session=turn.message.session, speaker=Speaker.USER)
        before = [one for one in said if one.id != turn.message.id and one.at <= turn.message.at]
        if not before:
            return _refused("nothing_found", "Nothing was said before.")
        last = before[-1]
        proven = [record.id for record in view.records() if _rests_on(record, last)]
    if not proven:
        proven = [one.record_id for one in _noted(turn, last) if one.record_id is not None]
    with turn.services.store.write(turn.scope) as unit:
        unit.apply(Changes(done=(last.id,), consolidated=(last.id,)))
    if not proven:
        # What no note may be made of cannot be put away either.
        forget.forget(turn.services, turn.scope, Records((last.id,)), now=turn.now)
        return _done("It is erased.", ids=[])
    return _put_away(turn, proven)


def _noted(turn: Turn, message: Message) -> Sequence[Admission]:
    candidate = notes.stated_note(
        message,
        text=message.text[: turn.services.policy.notes.max_chars],
        note_kind=NoteKind.FACT,
        quote=None,
        tags=(),
        importance=0.0,
        emotional_weight=0.0,
        due_on=None,
    )
    return notes.write(turn.services, turn.scope, message, candidate)


def _rests_on(record: AnyRecord, message: Message) -> bool:
    return any(one.source_id == message.id for one in record.evidence) and not is_inference(record)


def _put_away(turn: Turn, ids: Iterable[str]) -> ActionResult:
    gone = [amend.soft_delete(turn.services, turn.scope, one, now=turn.now) for one in ids]
    return _done(
        "It is put away and will not be mentioned. It can be restored; erasing it for good is up to the host.",
        ids=[record.id for record in gone],
    )


def _with_kin(view: View, record: AnyRecord, statuses: frozenset[Status]) -> list[AnyRecord]:
    """Return a record and those that rest on the same words: one statement may be a note and some claims."""
    sources = [one.source_id for one in record.evidence]
    kin = (one for one in view.proven(sources) if one.status in statuses and share_words(one, record))
    return [record, *(one for one in kin if one.id != record.id and not is_inference(one))]


def _matching(turn: Turn, terms: str) -> list[str]:
    hits = query.search(turn.services, turn.scope, terms, message=turn.message.text, now=turn.now, limit=MOST)
    return [hit.id for hit in hits]


# -- arguments and answers -----------------------------------------------------------------------------------


def _read(action: Action, arguments: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments an action knows, checked; those that are left out have their defaults."""
    if not isinstance(arguments, Mapping):
        raise UsageError(field="arguments", problem="must be an object")
    found: dict[str, object] = {}
    for param in action.params:
        value = arguments.get(param.name)
        found[param.name] = param.default if value is None else _checked(param, value)
    return found


def _checked(param: Param, value: object) -> object:
    if not _FORMS[param.kind](value):
        raise UsageError(field=param.name, problem=f"must be {_WANTED[param.kind]}")
    if param.choices and value not in param.choices:
        raise UsageError(field=param.name, problem=f"must be one of {', '.join(param.choices)}")
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_FORMS: Mapping[Kind, Callable[[object], bool]] = {
    Kind.TEXT: lambda value: isinstance(value, str),
    Kind.TRUTH: lambda value: isinstance(value, bool),
    Kind.NUMBER: _is_number,
    Kind.COUNT: lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
    Kind.TEXTS: lambda value: isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value),
}
_WANTED = {
    Kind.TEXT: "a text",
    Kind.TRUTH: "true or false",
    Kind.NUMBER: "a number",
    Kind.COUNT: "a whole number, 0 or more",
    Kind.TEXTS: "a list of texts",
}


def _filled(given: Mapping[str, object], name: str) -> str:
    text = _maybe(given, name)
    if text is None:
        raise UsageError(field=name, problem="must not be empty")
    return text


def _maybe(given: Mapping[str, object], name: str) -> str | None:
    text = given.get(name)
    return text if isinstance(text, str) and text.strip() else None


def _texts(given: Mapping[str, object], name: str) -> tuple[str, ...]:
    held = given.get(name)
    return tuple(str(one) for one in held) if isinstance(held, (list, tuple)) else ()


def _whole(given: Mapping[str, object], name: str) -> int:
    held = given.get(name)
    return held if isinstance(held, int) else 0


def _done(text: str, **data: object) -> ActionResult:
    return ActionResult(ok=True, code="done", text=text, data=data)


def _refused(code: str, text: str, **data: object) -> ActionResult:
    return ActionResult(ok=False, code=code, text=text, data=data)


def _listed(found: Sequence[tuple[str, str]], **data: object) -> ActionResult:
    items = [{"id": record_id, "text": text} for record_id, text in found]
    return _done(render_found(found), items=items, **data)


_LIMIT = Param(
    name="limit", kind=Kind.COUNT, presence=DEFAULTED, default=10, meaning=f"Lines at most, up to {MOST}."
)

_ACTIONS = (
    Action(
        name="remember",
        description=(
            "Keep something the person just said: when they ask you to remember it, or when it will still matter in "
            "a month. Not for small talk, passing moods, guesses, or anything they did not say."
        ),
        params=(
            Param(
                name="text",
                meaning="One sentence in the person's language that adds nothing to what they said.",
            ),
            NOTE_KIND,
            Param(
                name="quote",
                presence=OPTIONAL,
                meaning="The person's words that prove it, copied from the current message; all of it unless given.",
            ),
            TAGS,
            IMPORTANCE,
            EMOTIONAL_WEIGHT,
            DUE_ON,
        ),
        run=_remember,
    ),
    Action(
        name="search-memory",
        description="Look up what is remembered when the person refers to something of earlier.",
        params=(Param(name="query", meaning="A few words of what is looked for."), _LIMIT),
        run=_search,
    ),
    Action(
        name="forget-memory",
        description=(
            "Put something away when the person asks to forget it, so that it is not mentioned any more; it can be "
            "restored. Give `last` for what they said just before, `id` for what a search or list showed, else `query`."
        ),
        params=(
            Param(name="id", presence=OPTIONAL, meaning="The id that a search or list showed."),
            Param(name="query", presence=OPTIONAL, meaning="A few words of it, when no id is at hand."),
            Param(
                name="last",
                kind=Kind.TRUTH,
                presence=DEFAULTED,
                default=False,
                meaning="Whether what the person said just before this message is meant.",
            ),
        ),
        run=_forget,
    ),
    Action(
        name="restore-memory",
        description="Bring back what was put away, when the person asks for it.",
        params=(Param(name="id", presence=OPTIONAL, meaning="Its id; what was put away last unless given."),),
        run=_restore,
    ),
    Action(
        name="list-memories",
        description="Show what is remembered, newest first, when the person asks what you know about them.",
        params=(
            ONLY_KIND,
            _LIMIT,
        ),
        run=_list,
    ),
    Action(
        name="consolidate-memory",
        description="Make notes now of what was said since the last time, instead of tonight.",
        run=_consolidate,
    ),
)

#: Every action by its name, in the order in which they are listed.
ACTIONS: Mapping[str, Action] = MappingProxyType({one.name: one for one in _ACTIONS})
