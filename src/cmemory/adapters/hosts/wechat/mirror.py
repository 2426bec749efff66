"""Copies the notes of a chat into the host's document store: one document for each note, never over a stranger's change.

Our own database stays the truth. The mirror is written after it, may be behind, and is brought up to date as a whole, so
that a copy that failed is made good by the next one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from cmemory.adapters.hosts.wechat.calls import CallError, ask
from cmemory.adapters.hosts.wechat.contract import COLLECTION, DEADLINES_MS, PAGE, Code, DocumentService
from cmemory.domain.model.bodies import Note
from cmemory.domain.model.life import Status
from cmemory.domain.model.record import AnyRecord

#: How a status is spelt in a document.
_STATUS = {Status.ACTIVE: "active", Status.FADED: "archived"}


@attrs.frozen(kw_only=True)
class Mirrored:
    """What became of one copy: document ids by what was done."""

    written: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    #: Somebody else had changed these; each was tried once more.
    conflicts: tuple[str, ...] = ()
    #: Given up until the next copy.
    left: tuple[str, ...] = ()


def document_prefix(chat: str) -> str:
    """Return what the ids of a chat's documents begin with; the chat's own key is not told.

    >>> document_prefix("wechat:private:nora")
    'ebdb418dd3dfddcb/'
    """
    return hashlib.sha256(chat.encode("utf-8")).hexdigest()[:16] + "/"


def documents_of(chat: str, notes: Iterable[AnyRecord]) -> dict[str, dict[str, Any]]:
    """Return the documents of a chat by their ids; what was put away or muted has none."""
    return {
        document_prefix(chat) + note.id: _document(chat, note, note.body)
        for note in notes
        if isinstance(note.body, Note) and note.status in _STATUS and not note.salience.muted
    }


async def mirror(documents: DocumentService, chat: str, notes: Iterable[AnyRecord]) -> Mirrored:
    """Bring the documents of a chat up to date.

    Raises:
        CallError: the document store failed.
    """
    wanted = documents_of(chat, notes)
    held = await _held(documents, document_prefix(chat))
    done = Mirrored()
    for name, document in wanted.items():
        if name not in held or held[name].get("json") != document:
            done = await _put(documents, name, document, held.get(name), done)
    for name in [name for name in held if name not in wanted]:
        await _ask(documents.delete, COLLECTION, name)
        done = attrs.evolve(done, deleted=(*done.deleted, name))
    return done


async def _held(documents: DocumentService, prefix: str) -> dict[str, Mapping[str, Any]]:
    held: dict[str, Mapping[str, Any]] = {}
    cursor: object = None
    while True:
        options = {"prefix": prefix, "limit": PAGE, **({} if cursor is None else {"cursor": cursor})}
        answer = await _ask(documents.list, COLLECTION, options)
        page = answer["items"]
        held |= {item["id"]: item for item in page}
        before, cursor = cursor, answer.get("cursor")
        # A store that never ends its list is not asked for ever.
        if cursor is None or cursor == before or not page:
            return held


async def _put(
    documents: DocumentService, name: str, document: object, held: Mapping[str, Any] | None, done: Mirrored
) -> Mirrored:
    for attempt in range(2):
        revision = None if held is None else held.get("revision")
        try:
            await _ask(documents.put, COLLECTION, name, document, {"ifRevision": revision})
        except CallError as error:
            if error.code is not Code.CONFLICT:
                raise
            done = attrs.evolve(done, conflicts=(*done.conflicts, name))
            held = None if attempt else await _ask(documents.get, COLLECTION, name)
        else:
            return attrs.evolve(done, written=(*done.written, name))
    return attrs.evolve(done, left=(*done.left, name))


async def _ask(service: Any, *arguments: object) -> Any:
    return await ask(lambda: service(*arguments), milliseconds=DEADLINES_MS["host"])


def _document(chat: str, record: AnyRecord, note: Note) -> dict[str, Any]:
    return {
        "chat": chat,
        "id": record.id,
        "kind": note.note_kind.value,
        "text": note.text,
        "tags": list(note.tags),
        "importance": record.salience.importance,
        "emotionalWeight": note.emotional_weight,
        "status": _STATUS[record.status],
        "createdAt": str(record.created_at),
        "updatedAt": str(record.updated_at),
    }
