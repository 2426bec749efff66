"""Puts a set of files into a folder, again and again, and never over a file of another hand.

A receipt in the folder tells which bytes were put there. A file that the receipt does not know, or that was changed since,
belongs to somebody else.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

import attrs

from cmemory.adapters.files.durable import replace, translated
from cmemory.domain.errors import UsageError

#: Where the receipt keeps the digests of what it vouches for, and who wrote it.
_FILES, _WRITER = "files", "writtenBy"


@attrs.frozen(kw_only=True)
class Installed:
    """What putting the files there did."""

    folder: str
    #: Names of the files that were written, the receipt among them; and of those that were there already.
    written: tuple[str, ...]
    unchanged: tuple[str, ...]


def install(
    folder: Path, files: Mapping[str, bytes], *, receipt: str, writer: str, settings: Mapping[str, object]
) -> Installed:
    """Write the files and the receipt, each whole or not at all, and only what differs.

    Args:
        folder: made when it is not there; its other files are left alone.
        files: content by name.
        receipt: name of the receipt, which holds the settings too; only its owner may read it.
        writer: who vouches for the files, so that no other program's receipt is taken for ours.
        settings: what the receipt says beside that. Keys that somebody added by hand stay.

    Raises:
        UsageError: a file of the same name is not ours, or was changed; nothing was written.
        StoreError: the system refused.
    """
    known = _read(folder / receipt, writer)
    told = known.get(_FILES)
    digests = told if isinstance(told, dict) else {}
    wanted = dict(files)
    foreign = [name for name in files if not _ours(folder / name, files[name], digests.get(name))]
    if foreign:
        raise UsageError(
            field="folder", problem=f"holds files of another hand ({', '.join(foreign)}); nothing was written"
        )
    vouched = {name: _digest(content) for name, content in files.items()}
    document = {**known, _WRITER: writer, **settings, _FILES: vouched}
    wanted[receipt] = (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
    with translated("install"):
        folder.mkdir(parents=True, exist_ok=True)
        differing = [name for name, content in wanted.items() if _content(folder / name) != content]
        for name in differing:
            replace(folder / name, folder / f".{name}.draft-{os.getpid()}", (wanted[name],))
    return Installed(
        folder=str(folder),
        written=tuple(differing),
        unchanged=tuple(name for name in wanted if name not in differing),
    )


def _read(path: Path, writer: str) -> dict[str, object]:
    """Return what a receipt says; nothing when there is none."""
    if not os.path.lexists(path):
        return {}
    content = _content(path)
    try:
        document = json.loads(content) if content is not None else None
    except ValueError:
        document = None
    if not isinstance(document, dict) or document.get(_WRITER) != writer:
        raise UsageError(field="folder", problem=f"holds a {path.name} of another hand; nothing was written")
    return document


def _ours(path: Path, content: bytes, digest: object) -> bool:
    if not os.path.lexists(path):
        return True
    held = _content(path)
    return held is not None and (held == content or _digest(held) == digest)


def _content(path: Path) -> bytes | None:
    """Return the bytes of a regular file, None for anything else. Links are not followed."""
    if path.is_symlink() or not path.is_file():
        return None
    with translated("install"):
        return path.read_bytes()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
