"""Reads the command line, runs one command, and turns whatever happens into an exit code and a clear line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType

from cmemory.adapters.cli.command import DEFAULT_DATABASE, Call, Command, file_path
from cmemory.adapters.cli.exits import Exit, exit_of
from cmemory.adapters.cli.output import Output, utf8
from cmemory.domain.errors import CMemoryError

#: The commands in the order in which help lists them, and the module of each, loaded on first use.
COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "demo": "demo",
        "chat": "chat",
        "observe": "observe",
        "exchange": "exchange",
        "remember": "remember",
        "note": "note",
        "import": "imports",
        "learn": "learn",
        "embed": "embed",
        "inbox": "inbox",
        "consolidate": "consolidate",
        "maintain": "maintain",
        "prepare": "prepare",
        "brief": "brief",
        "compact": "compact",
        "window": "window",
        "mood": "mood",
        "search": "search",
        "list": "listing",
        "show": "show",
        "explain": "explain",
        "history": "history",
        "mute": "mute",
        "delete": "delete",
        "restore": "restore",
        "forget": "forget",
        "lift": "lift",
        "verify-forgotten": "verify_forgotten",
        "trace": "tracing",
        "export": "export",
        "people": "people",
        "digest": "digest",
        "stats": "stats",
        "selfcheck": "selfcheck",
        "backup": "backup",
        "restore-backup": "restore_backup",
        "eval": "eval",
        "bench": "bench",
        "worker": "worker",
        "wechat": "wechat",
    }
)

_DESCRIPTION = "Long-term memory for AI companions: governed, provable, forgettable."


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Args:
        argv: the arguments after the program's name; those of the process unless given.
    """
    given = [_as_utf8(text) for text in sys.argv[1:]] if argv is None else list(argv)
    try:
        utf8(sys.stdin, sys.stdout, sys.stderr)
        code = _run(given)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough; without this Python complains once more while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    return code


def build_parser(wanted: Collection[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser with the wanted commands in full; the others only keep their names."""
    parser = argparse.ArgumentParser(prog="cmemory", description=_DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"cmemory {_version()}")
    add_common(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        if name not in wanted:
            commands.add_parser(name)
            continue
        command = load(name)
        own = commands.add_parser(
            name, help=command.help, description=command.description, allow_abbrev=False
        )
        command.configure(own)
        add_common(own)
    return parser


def load(name: str) -> Command:
    """Return a command by its name."""
    command: Command = import_module(f"cmemory.adapters.cli.commands.{COMMANDS[name]}").COMMAND
    return command


def add_common(parser: argparse.ArgumentParser) -> None:
    """Add the options every command takes; they may stand before or after its name."""
    group = parser.add_argument_group("common options")
    group.add_argument(
        "--database",
        metavar="PATH",
        type=file_path,
        help=f"the database file; $CMEMORY_DATABASE, else {DEFAULT_DATABASE} in the current folder",
        default=argparse.SUPPRESS,
    )
    for name, meaning in (
        ("service", "the product that hosts the companion; $CMEMORY_SERVICE, else cmemory"),
        ("owner", "the person who is remembered; $CMEMORY_OWNER, else me"),
        ("profile", "the companion they talk to; $CMEMORY_PROFILE, else companion"),
    ):
        group.add_argument(f"--{name}", metavar="NAME", help=meaning, default=argparse.SUPPRESS)
    group.add_argument(
        "--now",
        metavar="ISO",
        help="the moment of the call, such as 2026-03-01T09:00:00+08:00; the clock's unless given",
        default=argparse.SUPPRESS,
    )
    group.add_argument(
        "--zone",
        metavar="NAME",
        help="the person's time zone, such as Asia/Shanghai; $CMEMORY_ZONE, else the machine's",
        default=argparse.SUPPRESS,
    )
    group.add_argument(
        "--json", action="store_true", help="print the data as one JSON document", default=argparse.SUPPRESS
    )
    group.add_argument(
        "--trace",
        metavar="FILE",
        type=file_path,
        help="append what was decided to a file of JSON lines, in ids and codes, never in words",
        default=argparse.SUPPRESS,
    )
    group.add_argument(
        "--journal",
        metavar="FILE",
        type=file_path,
        help="the file in which messages wait that are not in the database yet; $CMEMORY_JOURNAL, else none",
        default=argparse.SUPPRESS,
    )


def defaults() -> argparse.Namespace:
    """Return the common options as they stand when the command line names none."""
    env = os.environ.get
    return argparse.Namespace(
        database=None,
        service=env("CMEMORY_SERVICE") or "cmemory",
        owner=env("CMEMORY_OWNER") or "me",
        profile=env("CMEMORY_PROFILE") or "companion",
        zone=env("CMEMORY_ZONE") or None,
        now=None,
        json=False,
        trace=None,
        journal=env("CMEMORY_JOURNAL") or None,
    )


def _run(argv: list[str]) -> Exit | int:
    named = [text for text in argv if text in COMMANDS]
    try:
        args = build_parser(named or COMMANDS).parse_args(argv, defaults())
    except SystemExit as done:
        # argparse has said what there is to say: 0 after help and version, 2 after a mistake.
        return done.code if isinstance(done.code, int) else Exit.USAGE
    out = Output(sys.stdout, sys.stderr, as_json=args.json)
    try:
        return load(args.command).run(Call(args=args, out=out))
    except CMemoryError as error:
        out.say(f"cmemory: {error}")
        return exit_of(error)
    except BrokenPipeError:
        raise
    except OSError as error:
        out.say(f"cmemory: {error.filename or 'file'}: {error.strerror or error}")
        return Exit.USAGE


def _as_utf8(text: str) -> str:
    """Return an argument as UTF-8, also where the locale made Python read it as something else."""
    return os.fsencode(text).decode("utf-8", "surrogateescape")


def _version() -> str:
    try:
        return version("cmemory")
    except PackageNotFoundError:
        return "unknown"
