"""The ``conversations.json`` of a ChatGPT data export: a list of conversations, each a tree of message nodes.

Editing a question or asking for another answer makes a branch; the dialogue is the branch that ends in
``current_node``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cmemory.adapters.files.foreign import as_object, as_text, object_at, optional_text, parsed, text_at
from cmemory.adapters.files.lines import Source
from cmemory.adapters.files.stamps import from_epoch
from cmemory.app.transfer import DialogueLine, Skipped, Utterance
from cmemory.domain.errors import UsageError, WireError
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.pattern import lazy_pattern

_SPEAKERS = {"user": Speaker.USER, "assistant": Speaker.ASSISTANT, "tool": Speaker.TOOL}

#: Content that was said or shown; everything else is settings, thoughts and calls of tools.
_SPOKEN = frozenset(
    {"text", "multimodal_text", "execution_output", "tether_browsing_display", "tether_quote"}
)

#: Who a message is for when it is part of the dialogue.
_EVERYBODY = "all"

#: Identifiers that are safe to name in an error.
_PLAIN_ID = lazy_pattern(r"[0-9A-Za-z_-]{1,64}")


def read(source: Source) -> Iterator[DialogueLine]:
    """Yield the messages of all conversations, in the order of the file."""
    for line in source.elements():
        if isinstance(line, WireError):
            yield line
            continue
        try:
            conversation = as_object(parsed(line), line.place)
            yield from _conversation(conversation, line.place)
        except WireError as error:
            yield error


def _conversation(data: Mapping[str, Any], place: str) -> Iterator[DialogueLine]:
    mapping = object_at(data, "mapping", place)
    name = _name_of(data, place)
    session = f"chatgpt-{name}"
    last = _time(data.get("create_time"), f"{place}.create_time")
    for node in _branch(data, mapping, place):
        at = f"{place}.mapping.{node}" if _PLAIN_ID.fullmatch(node) else f"{place}.mapping"
        try:
            found = _message(as_object(mapping[node], at), at, node_id=node, session=session, last=last)
        except WireError as error:
            yield error
            continue
        if isinstance(found, Utterance):
            last = found.at
        if found is not None:
            yield found


def _name_of(data: Mapping[str, Any], place: str) -> str:
    """Return what tells one conversation from the others; exports of different years name it differently."""
    for key in ("conversation_id", "id"):
        name = optional_text(data, key, place)
        if name:
            return name
    return derive_id("s", optional_text(data, "title", place) or "", str(data.get("create_time")))


def _branch(data: Mapping[str, Any], mapping: Mapping[str, Any], place: str) -> list[str]:
    """Return the nodes from the root to the current one; without a current one, to the last leaf."""
    node = optional_text(data, "current_node", place) or _last_leaf(mapping, place)
    branch: list[str] = []
    seen: set[str] = set()
    while node is not None and node in mapping:
        if node in seen:
            raise WireError(path=f"{place}.mapping", problem="goes round in a circle")
        branch.append(node)
        seen.add(node)
        node = optional_text(as_object(mapping[node], f"{place}.mapping"), "parent", f"{place}.mapping")
    return branch[::-1]


def _last_leaf(mapping: Mapping[str, Any], place: str) -> str | None:
    """Return the last node of the file that no other one follows."""
    parents = (
        {node.get("parent") for node in mapping.values() if isinstance(node, dict)} if mapping else set()
    )
    leaves = [name for name in mapping if name not in parents]
    if mapping and not leaves:
        raise WireError(path=f"{place}.mapping", problem="goes round in a circle")
    return leaves[-1] if leaves else None


def _message(
    node: Mapping[str, Any], place: str, *, node_id: str, session: str, last: Instant | None
) -> Utterance | Skipped | None:
    """Return what a node says; None for the empty root, `Skipped` for what is no part of the dialogue."""
    if node.get("message") is None:
        return None
    place = f"{place}.message"
    message = object_at(node, "message", place.removesuffix(".message"))
    role = text_at(object_at(message, "author", place), "role", f"{place}.author")
    if role == "system":
        return Skipped(place=place)
    if role not in _SPEAKERS:
        raise WireError(path=f"{place}.author.role", problem=f"must be one of {', '.join(_SPEAKERS)}")
    text = _text(message, place)
    if not text.strip():
        return Skipped(place=place)
    at = _time(message.get("create_time"), f"{place}.create_time")
    return Utterance(
        place=place,
        speaker=_SPEAKERS[role],
        text=text,
        session=session,
        at=at if at is not None or last is None else last.plus(seconds=1),
        identity=(optional_text(message, "id", place) or node_id,),
    )


def _text(message: Mapping[str, Any], place: str) -> str:
    """Return the words of a message; empty when it has none or was not meant to be seen."""
    content = object_at(message, "content", place)
    hidden = isinstance(message.get("metadata"), dict) and message["metadata"].get(
        "is_visually_hidden_from_conversation"
    )
    if (
        hidden
        or content.get("content_type", "text") not in _SPOKEN
        or message.get("recipient", _EVERYBODY) != _EVERYBODY
    ):
        return ""
    where = f"{place}.content"
    parts = content.get("parts")
    if parts is None:
        return optional_text(content, "text", where) or ""
    if not isinstance(parts, list):
        raise WireError(path=f"{where}.parts", problem="must be a list")
    words = (_part(part, f"{where}.parts[{at}]") for at, part in enumerate(parts))
    return "\n".join(word for word in words if word)


def _part(part: object, place: str) -> str:
    """Return the words of one part: text, or what was understood of a voice message. Pictures have none."""
    if part is None:
        return ""
    if isinstance(part, dict):
        return optional_text(part, "text", place) or ""
    return as_text(part, place)


def _time(given: object, place: str) -> Instant | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise WireError(path=place, problem="must be a number of seconds since 1970")
    try:
        return from_epoch(given, field="create_time")
    except UsageError as error:
        raise WireError(path=place, problem=error.problem) from error
