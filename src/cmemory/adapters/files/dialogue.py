"""Tells by its content what kind of dialogue a file holds, and reads it."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from datetime import tzinfo

from cmemory.adapters.files import chat, chatgpt, claude, jsonl
from cmemory.adapters.files.foreign import parsed
from cmemory.adapters.files.lines import Line, Source
from cmemory.app.transfer import DialogueLine
from cmemory.domain.errors import UsageError, WireError


class DialogueFormat(enum.Enum):
    """How a dialogue is written down."""

    #: Told by the content.
    AUTO = "auto"
    #: One JSON object per line; ours.
    JSONL = "jsonl"
    #: ``conversations.json`` of a ChatGPT data export.
    CHATGPT = "chatgpt"
    #: ``conversations.json`` of a Claude data export.
    CLAUDE = "claude"
    #: Plain text.
    CHAT = "chat"


#: Bytes in which a format shows.
_HEAD_BYTES = 65_536
_ARCHIVE = b"PK\x03\x04"


def read(source: Source, *, form: DialogueFormat, zone: tzinfo, user: str | None) -> Iterator[DialogueLine]:
    """Return what a file holds, line by line.

    Raises:
        WireError: the file is empty, an archive, an export of this library, or of no known form.
        UsageError: ``user`` was named, and the form has fixed speakers or nobody of that name speaks.
    """
    found = detect(source) if form is DialogueFormat.AUTO else _not_empty(source, form)
    if user is not None and found is not DialogueFormat.CHAT:
        raise UsageError(
            field="user", problem="can only be named for a plain chat; other forms say who the person is"
        )
    source.rewind()
    if found is DialogueFormat.JSONL:
        return jsonl.read(source, zone=zone)
    if found is DialogueFormat.CHATGPT:
        return chatgpt.read(source)
    if found is DialogueFormat.CLAUDE:
        return claude.read(source, zone=zone)
    return chat.read(source, zone=zone, user=user)


def detect(source: Source) -> DialogueFormat:
    """Return the form of a file's content.

    Raises:
        WireError: the file is empty, an archive, an export of this library, or JSON of no known form.
    """
    head = source.head(_HEAD_BYTES).lstrip()
    _check_head(head)
    if head.startswith(b"{"):
        first = _first(source.lines())
        if first is not None and ("speaker" in first or "text" in first):
            return DialogueFormat.JSONL
        if first is not None and first.get("format") == "cmemory-export":
            raise WireError(path="line 1", problem="is an export of this library; import it as records")
    elif not (head.startswith(b"[") and head[1:].lstrip()[:1] in (b"{", b"]", b"")):
        return DialogueFormat.CHAT
    source.rewind()
    return _of_conversations(source, head)


def _of_conversations(source: Source, head: bytes) -> DialogueFormat:
    first = _first(source.elements())
    keys = frozenset(first) if first is not None else frozenset[str]()
    if "mapping" in keys or (first is None and b'"mapping"' in head):
        return DialogueFormat.CHATGPT
    if "chat_messages" in keys or (first is None and b'"chat_messages"' in head):
        return DialogueFormat.CLAUDE
    if head.startswith(b"{"):
        return DialogueFormat.JSONL
    problem = "is of no known form" if first is not None else "holds no conversation"
    raise WireError(path="$", problem=problem)


def _first(lines: Iterator[Line | WireError]) -> dict[str, object] | None:
    """Return the first line or element when it is an object."""
    line = next((one for one in lines if isinstance(one, WireError) or one.text.strip()), None)
    if line is None or isinstance(line, WireError):
        return None
    try:
        data = parsed(line)
    except WireError:
        return None
    return data if isinstance(data, dict) else None


def _not_empty(source: Source, form: DialogueFormat) -> DialogueFormat:
    _check_head(source.head(_HEAD_BYTES).lstrip())
    return form


def _check_head(head: bytes) -> None:
    if not head:
        raise WireError(path="line 1", problem="is missing; the file is empty")
    if head.startswith(_ARCHIVE):
        raise WireError(
            path="line 1", problem="is an archive; unpack it and import the conversations.json in it"
        )
