"""Writes what the host and the JavaScript entry read of the contract, so that it stands in one place only.

`python -m cmemory.adapters.hosts.wechat.publish`
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cmemory.adapters.hosts.wechat.contract import ENTRY, HOST, NODE, PLUGIN_ID, manifest, tables

FOLDER = Path(__file__).with_name("js")


def files() -> Mapping[str, str]:
    """Return each generated file as it should be, by its name."""
    declared = manifest(version("cmemory"))
    package = {
        "name": f"{PLUGIN_ID}-{HOST}",
        "version": declared["version"],
        "description": "Long-term memory for companions, kept on this machine.",
        "license": "Apache-2.0",
        "private": True,
        "type": "module",
        "main": ENTRY,
        "engines": {"node": NODE},
        HOST: declared,
    }
    return {
        "contract.json": _dump(tables()),
        f"{HOST}.plugin.json": _dump(declared),
        "package.json": _dump(package),
    }


def stale() -> list[str]:
    """Return the names of the files that no longer say what the contract says."""
    return [name for name, text in files().items() if _held(FOLDER / name) != text]


def _held(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _dump(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def main() -> int:
    """Write what is stale, and tell it."""
    wanted = files()
    for name in stale():
        (FOLDER / name).write_text(wanted[name], encoding="utf-8")
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
