"""`cmemory demo`: two conversations, played through the real pipeline."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from importlib import import_module
from typing import Any

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.demo.player import Player
from cmemory.adapters.cli.demo.script import Script
from cmemory.adapters.cli.demo.show import Display
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.wire import to_json
from cmemory.domain.errors import UsageError
from cmemory.memory import Memory

_LANGUAGES = ("en", "zh")

#: A fixed key makes the tokens of the demo the same on every machine; a real database makes a random one.
_SECRET = b"the demo keeps no secrets at all"


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--language", choices=(*_LANGUAGES, "both"), default="both", help="which conversation (default: both)"
    )
    parser.add_argument(
        "--pause", type=float, default=0.0, metavar="SECONDS", help="wait after each step (default: 0)"
    )


def _run(call: Call) -> Exit:
    wanted = _LANGUAGES if call.args.language == "both" else (call.args.language,)
    scripts = [_script(language) for language in wanted]
    named = call.args.database
    if named is not None and os.path.exists(named):
        raise UsageError(field="--database", problem="the demo wants a new file")
    if named is not None:
        _play(call, scripts, named)
    else:
        with tempfile.TemporaryDirectory(prefix="cmemory-demo-") as folder:
            _play(call, scripts, os.path.join(folder, "demo.db"))
    return Exit.OK


def _script(language: str) -> Script:
    script: Script = import_module(f"cmemory.adapters.cli.demo.{language}").SCRIPT
    return script


def _play(call: Call, scripts: list[Script], path: str) -> None:
    conversations: list[dict[str, Any]] = []
    for script in scripts:
        with Memory.open(path, zone=script.zone, secret=_SECRET, trace=call.args.trace) as memory:
            frames = []
            display = Display(script)
            call.out.draw(display.open())
            for frame in Player(memory, script).play():
                frames.append({"frame": type(frame).__name__.removesuffix("Frame").lower(), **to_json(frame)})
                call.out.draw(display.lines(frame))
                time.sleep(max(0.0, call.args.pause))
            conversations.append({"language": script.language, "frames": frames})
    call.out.emit({"conversations": conversations}, ())
    call.out.say("Your turn: cmemory chat. All commands: cmemory --help.")


COMMAND = Command(
    help="play two conversations and show what memory does; start here",
    description=(
        "Play two conversations of several weeks, one English and one Chinese, through the real pipeline "
        "on a database file: what was said, what was kept or refused and why, what was brought to mind, "
        "what stayed silent, and how forgetting is proved. Needs no network, no model and no arguments. "
        "The companion's answers are scripted; nothing else is."
    ),
    configure=_configure,
    run=_run,
    examples=("demo", "demo --language zh --pause 1"),
    json={
        "conversations": [
            {
                "language": "en",
                "frames": [
                    {
                        "frame": "scene",
                        "title": "Week 1 · Getting to know each other",
                        "hint": "What she states lastingly is kept, her words as proof. Small talk is not.",
                    }
                ],
            }
        ]
    },
)
