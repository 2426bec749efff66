"""Identifiers: derived from content and source, so that replaying anything is harmless."""

from __future__ import annotations

import hashlib
from typing import NewType

#: Names a record in every call and on every wire.
RecordId = NewType("RecordId", str)
#: Names a message of the log.
MessageId = NewType("MessageId", str)
#: Per-scope watermark, 0 before anything was written; it only ever grows.
Revision = NewType("Revision", int)

#: Hexadecimal digits of a derived id: 80 bits keep a billion ids apart, and a person can still copy them.
ID_DIGITS = 20


def derive_id(kind: str, *parts: str) -> str:
    """Return ``kind-`` and a digest of the parts; equal parts give the same id on every machine.

    Parts are length-prefixed, so ``("ab", "c")`` and ``("a", "bc")`` differ.
    """
    encoded = [part.encode("utf-8", "surrogatepass") for part in (kind, *parts)]
    digest = hashlib.sha256(b"".join([b"%d:%b" % (len(part), part) for part in encoded]))
    return f"{kind}-{digest.hexdigest()[:ID_DIGITS]}"
