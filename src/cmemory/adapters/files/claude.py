"""The ``conversations.json`` of a Claude data export: a list of conversations, each a list of messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import tzinfo
from typing import Any

from cmemory.adapters.files.foreign import as_object, list_at, optional_text, parsed, text_at
from cmemory.adapters.files.lines import Source
from cmemory.adapters.files.stamps import moment
from cmemory.app.transfer import DialogueLine, Skipped, Utterance
from cmemory.domain.errors import UsageError, WireError
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker

_SENDERS = {"human": Speaker.USER, "assistant": Speaker.ASSISTANT}
_SYSTEM = "system"


def read(source: Source, *, zone: tzinfo) -> Iterator[DialogueLine]:
    """Yield the messages of all conversations, in the order of the file."""
    for line in source.elements():
        if isinstance(line, WireError):
            yield line
            continue
        try:
            conversation = as_object(parsed(line), line.place)
            yield from _conversation(conversation, line.place, zone)
        except WireError as error:
            yield error


def _conversation(data: Mapping[str, Any], place: str, zone: tzinfo) -> Iterator[DialogueLine]:
    messages = list_at(data, "chat_messages", place)
    session = f"claude-{_name_of(data, place)}"
    last = _time(data, place, zone)
    for nth, message in enumerate(messages):
        at = f"{place}.chat_messages[{nth}]"
        try:
            found = list(_message(as_object(message, at), at, session=session, last=last, zone=zone))
        except WireError as error:
            yield error
            continue
        for one in found:
            last = one.at if isinstance(one, Utterance) else last
        yield from found


def _name_of(data: Mapping[str, Any], place: str) -> str:
    title = optional_text(data, "name", place) or ""
    return optional_text(data, "uuid", place) or derive_id("s", title, str(data.get("created_at")))


def _message(
    data: Mapping[str, Any], place: str, *, session: str, last: Instant | None, zone: tzinfo
) -> Iterator[Utterance | Skipped]:
    """Yield the words of a message, and beside them what tools gave back while it was written."""
    sender = text_at(data, "sender", place)
    if sender == _SYSTEM:
        yield Skipped(place=place)
        return
    if sender not in _SENDERS:
        raise WireError(path=f"{place}.sender", problem=f"must be one of {', '.join(_SENDERS)}")
    own = _time(data, place, zone)
    at = own if own is not None or last is None else last.plus(seconds=1)
    name = optional_text(data, "uuid", place) or str(own or "")
    said, tools = _words(data, place)
    for nth, output in enumerate(tools):
        yield Utterance(
            place=place, speaker=Speaker.TOOL, text=output, session=session, at=at, identity=(name, str(nth))
        )
    if said.strip():
        yield Utterance(
            place=place, speaker=_SENDERS[sender], text=said, session=session, at=at, identity=(name,)
        )
    elif not tools:
        yield Skipped(place=place)


def _words(data: Mapping[str, Any], place: str) -> tuple[str, list[str]]:
    """Return what was said and what tools gave back.

    The blocks are preferred: where tools were used, the plain text holds notes about them that nobody wrote.
    """
    if data.get("content") is None:
        return optional_text(data, "text", place) or "", []
    said: list[str] = []
    tools: list[str] = []
    for nth, block in enumerate(list_at(data, "content", place)):
        at = f"{place}.content[{nth}]"
        one = as_object(block, at)
        kind = optional_text(one, "type", at)
        if kind == "text":
            said.append(text_at(one, "text", at))
        elif kind == "tool_result":
            tools.append(_output(one, at))
    plain = "\n".join(said) if said else optional_text(data, "text", place) or ""
    return plain, [output for output in tools if output.strip()]


def _output(block: Mapping[str, Any], place: str) -> str:
    content = block.get("content")
    if content is None or isinstance(content, str):
        return optional_text(block, "content", place) or ""
    parts = [
        as_object(part, f"{place}.content[{nth}]")
        for nth, part in enumerate(list_at(block, "content", place))
    ]
    texts = (optional_text(part, "text", f"{place}.content[{nth}]") for nth, part in enumerate(parts))
    return "\n".join(text for text in texts if text)


def _time(data: Mapping[str, Any], place: str, zone: tzinfo) -> Instant | None:
    stamp = optional_text(data, "created_at", place)
    if stamp is None:
        return None
    try:
        return moment(stamp, zone=zone, field="created_at")
    except UsageError as error:
        raise WireError(path=f"{place}.created_at", problem=error.problem) from error
