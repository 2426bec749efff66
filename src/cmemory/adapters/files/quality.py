"""The stored measurement of a reader, and the digest that ties it to the rules or the prompt it was made with."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from importlib.resources import files
from pathlib import Path

from cmemory.adapters import wire
from cmemory.adapters.files.durable import settle_folder, translated
from cmemory.domain.errors import UsageError, WireError
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import EARLIEST
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.prompts.extract import PROMPT_VERSION, extraction_prompt
from cmemory.domain.reflect.quality import Quality

#: What a record says of itself.
FORMAT = "cmemory-quality"
VERSION = 1

#: What decides how the offline rules read a message.
_RULES = ("cmemory.domain.propose", "cmemory.domain.lexicon", "cmemory.domain.text", "cmemory.domain.time")

#: A message that says nothing, for the prompt as it stands around any message.
_NOTHING_SAID = Message(id=MessageId(""), session="", speaker=Speaker.USER, text="", at=EARLIEST)


def read_quality(path: str | os.PathLike[str]) -> Quality:
    """Return a stored measurement.

    Raises:
        UsageError: the file cannot be read.
        WireError: it holds no measurement.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(field="quality", problem=f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise WireError(path="$", problem="is not valid UTF-8") from None
    data = wire.parse(text)
    if not isinstance(data, dict) or (data.get("format"), data.get("version")) != (FORMAT, VERSION):
        raise WireError(path="$.format", problem=f"must be {FORMAT} in version {VERSION}")
    return wire.from_json(data.get("quality"), Quality, path="$.quality")


def write_quality(path: str | os.PathLike[str], quality: Quality) -> None:
    """Write a measurement; an older file is replaced whole or not at all.

    Raises:
        StoreError: it cannot be written.
    """
    target = Path(path)
    document = {"format": FORMAT, "version": VERSION, "quality": wire.to_json(quality)}
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    with translated("write the measurement"):
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        settle_folder(target.parent)


def reader_digest(proposer: str) -> str:
    """Return the digest of what decides how a reader reads: the source of the rules, or the prompt.

    Of anybody else's reader nothing is known; its version alone tells it apart.

    Raises:
        UsageError: the source of the rules is not installed.
    """
    if proposer == "rules":
        return _digest_of_rules()
    if proposer == "model":
        prompt = extraction_prompt(_NOTHING_SAID)
        return _named(PROMPT_VERSION, prompt.system, prompt.user, str(prompt.max_tokens))
    return ""


def _digest_of_rules() -> str:
    parts: list[str] = []
    for package in _RULES:
        for source in sorted(files(package).iterdir(), key=lambda one: one.name):
            if source.name.endswith(".py"):
                parts += [f"{package}/{source.name}", source.read_text(encoding="utf-8")]
    if not parts:
        raise UsageError(
            field="quality", problem="cannot be compared: the source of the rules is not installed"
        )
    return _named(*parts)


def _named(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8")
        digest.update(f"{len(encoded)}:".encode("ascii") + encoded)
    return digest.hexdigest()
