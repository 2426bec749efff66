"""Our own form of a dialogue: one JSON object per line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import tzinfo
from typing import Any

from cmemory.adapters.files.foreign import as_object, optional_text, parsed, text_at
from cmemory.adapters.files.lines import Line, Source
from cmemory.adapters.files.stamps import moment
from cmemory.app.transfer import DialogueLine, Skipped, Utterance
from cmemory.domain.errors import UsageError, WireError
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker

_KEYS = frozenset({"text", "speaker", "session", "at", "id"})
_SPEAKERS = {speaker.value: speaker for speaker in Speaker}

#: Not a speaker but an instruction to a model; it is left out.
_SYSTEM = "system"


def read(source: Source, *, zone: tzinfo) -> Iterator[DialogueLine]:
    """Yield the lines of a file, blank ones left out; within a session they must be in the order of time."""
    latest: dict[str, Instant] = {}
    for line in source.lines():
        if isinstance(line, WireError):
            yield line
        elif line.text.strip():
            yield _checked(line, zone, latest)


def _checked(line: Line, zone: tzinfo, latest: dict[str, Instant]) -> DialogueLine:
    try:
        found = _utterance(as_object(parsed(line), line.place), f"{line.place}: $", zone)
    except WireError as error:
        return error
    if not isinstance(found, Utterance) or found.at is None:
        return found
    before, latest[found.session] = latest.get(found.session, found.at), found.at
    if found.at < before:
        return WireError(path=f"{line.place}: $.at", problem="lies before the message above it")
    return found


def _utterance(data: Mapping[str, Any], place: str, zone: tzinfo) -> Utterance | Skipped:
    if not data.keys() <= _KEYS:
        raise WireError(path=place, problem=f"has an unknown key; known are {', '.join(sorted(_KEYS))}")
    speaker = text_at(data, "speaker", place)
    if speaker == _SYSTEM:
        return Skipped(place=place)
    if speaker not in _SPEAKERS:
        raise WireError(path=f"{place}.speaker", problem=f"must be one of {', '.join(_SPEAKERS)}")
    at = _at(optional_text(data, "at", place), place, zone)
    message_id = optional_text(data, "id", place)
    if message_id is not None and not message_id.strip():
        raise WireError(path=f"{place}.id", problem="must not be blank")
    return Utterance(
        place=place,
        speaker=_SPEAKERS[speaker],
        text=text_at(data, "text", place),
        session=optional_text(data, "session", place) or "",
        at=at,
        message_id=message_id,
        identity=() if at is None else (str(at),),
    )


def _at(stamp: str | None, place: str, zone: tzinfo) -> Instant | None:
    if stamp is None:
        return None
    try:
        return moment(stamp, zone=zone, field="at")
    except UsageError as error:
        raise WireError(path=f"{place}.at", problem=error.problem) from error
