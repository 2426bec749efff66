"""Who and what the records speak of: people, places and events, what is said of each, and how the person stands to them.

Derived anew each time and never stored, so whatever is forgotten, muted or replaced is gone from here at once. Only
what a record says structurally counts, as it does when somebody is forgotten by name: a narrative is never guessed at.
Two names are one entity when they are the same in other type; that "my sister" and Mara are one nobody can tell.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import attrs

from cmemory.domain.evidence.suppression import entities_of
from cmemory.domain.model.bodies import Body, Claim, Note, kind_name
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.record import AnyRecord, is_claim, is_note
from cmemory.domain.plan.lines import line_of
from cmemory.domain.plan.telling import Telling, Untold
from cmemory.domain.predicates.registry import ValueKind, find
from cmemory.domain.text.normal import canonical, fold


class EntityKind(enum.Enum):
    """What something is that the records speak of."""

    #: Somebody in the person's life; animals are kept under the same keys.
    PERSON = "person"
    PLACE = "place"
    #: Something that takes place, once or again and again.
    EVENT = "event"
    #: Whatever else a claim is about, such as an employer.
    OTHER = "other"


@attrs.frozen(kw_only=True)
class Saying:
    """One record that speaks of an entity."""

    record_id: RecordId
    #: ``claim``, ``episode`` or ``note``.
    kind: str
    text: str
    #: When it was last said.
    at: Instant
    #: Why nobody but its owner may see it; None when it may be told.
    untold: Untold | None = None


@attrs.frozen(kw_only=True)
class Relation:
    """One edge of the graph: ``source`` has ``target`` as what the word says, as in user, sister, Mara."""

    source: str
    #: The person's own word, or the token where they are not quoted; for a place, what it is to them.
    word: str
    target: str
    #: The records that prove it, newest first.
    record_ids: tuple[RecordId, ...]


@attrs.frozen(kw_only=True)
class Entity:
    """A person, a place, an event or a thing that the records speak of."""

    #: As last said; of somebody whose name was told by itself, that name.
    name: str
    kind: EntityKind
    #: Other spellings and names, sorted.
    also: tuple[str, ...]
    #: What is said of it, newest first.
    said: tuple[Saying, ...]
    first_seen: Instant
    last_seen: Instant
    #: How the person stands to it, by the word.
    relations: tuple[Relation, ...]


#: The source of every relation: nothing in the vocabulary says how two others stand to one another.
THE_PERSON = "user"

_NAME = "person.name"
_PLACE = "identity.location"
_RELATIONS = frozenset({"person.relation_label", "relationship.type"})
_DOMAINS = {"person": EntityKind.PERSON, "relationship": EntityKind.PERSON, "ritual": EntityKind.EVENT}
_KEYS = {_PLACE: EntityKind.PLACE, "open_loop.deadline": EntityKind.EVENT}

_Key = tuple[str, EntityKind]


@attrs.frozen(kw_only=True)
class _Mention:
    """One record that speaks of something under one name."""

    record: AnyRecord
    name: str
    #: When the person said it, the first and the last time.
    first: Instant
    last: Instant
    untold: Untold | None


def entities(
    telling: Telling,
    said_at: Mapping[str, Instant],
    *,
    kind: EntityKind | None = None,
    everything: bool = False,
) -> tuple[Entity, ...]:
    """Return who and what the live records speak of: the most spoken of first, then by name and kind.

    Args:
        telling: the records, and what keeps them untold.
        said_at: when the messages were said that prove them, by their ids; a record without any has its own times.
        kind: only entities of this kind.
        everything: also what is untold, marked with the reason: for the eyes of its owner only.
    """
    mentions = [one for one in _mentions(telling, said_at) if one.untold is None or everything]
    found: dict[_Key, list[_Mention]] = defaultdict(list)
    # What a record says its subject is comes before what others leave open, so that the order of records is nothing.
    for one in mentions:
        if (own := _kind_of(one.record)) is not None:
            found[_form(one.name), own].append(one)
    _join(
        found, (one for one in mentions if _kind_of(one.record) is None and is_claim(one.record)), make=True
    )
    _join(found, (one for one in mentions if is_note(one.record)), make=False)
    made = [_entity(spoken, *key) for key, spoken in found.items() if kind in (None, key[1])]
    return tuple(sorted(made, key=_rank))


def _join(found: dict[_Key, list[_Mention]], mentions: Iterable[_Mention], *, make: bool) -> None:
    """Add mentions to all that bear their name; where nothing does, make something of them or leave them out."""
    known: dict[str, set[_Key]] = defaultdict(set)
    for key, spoken in found.items():
        known[key[0]].add(key)
        for one in spoken:
            if (told := _told_name(one.record)) is not None:
                known[_form(told)].add(key)
    for one in mentions:
        form = _form(one.name)
        for key in known.get(form, {(form, EntityKind.OTHER)} if make else ()):
            found[key].append(one)


def _mentions(telling: Telling, said_at: Mapping[str, Instant]) -> Iterator[_Mention]:
    for record in telling.records:
        names, told = tuple(dict.fromkeys(_names(record))), _told_name(record)
        # Whoever was forgotten by name may still be what a value names.
        called = names if told is None else (*names, told)
        if not record.live(telling.now) or any(map(telling.guard.hides_name, called)):
            continue
        heard = [said_at[one.source_id] for one in record.evidence if one.source_id in said_at]
        for name in names:
            if name.strip():
                yield _Mention(
                    record=record,
                    name=name,
                    first=min(heard, default=record.valid_from),
                    last=max(heard, default=record.updated_at),
                    untold=telling.untold(record, name),
                )


def _names(record: AnyRecord) -> Iterator[str]:
    """Yield the names of what a record speaks of: a place is named by the value as well."""
    body = record.body
    yield from entities_of(body)
    if isinstance(body, Claim):
        row = find(body.predicate)
        if row is not None and row.kind is ValueKind.ENTITY_REF:
            yield str(body.value)


def _told_name(record: AnyRecord) -> str | None:
    body = record.body
    return str(body.value) if isinstance(body, Claim) and body.predicate == _NAME else None


def _kind_of(record: AnyRecord) -> EntityKind | None:
    """Return what a record says that its subject is; None where it leaves that open."""
    body = record.body
    if isinstance(body, Claim):
        return _KEYS.get(body.predicate) or _DOMAINS.get(body.predicate.partition(".")[0])
    return None if isinstance(body, Note) else EntityKind.PERSON


def _form(name: str) -> str:
    """Return the form in which two names are the same."""
    return canonical(name) or fold(name)


def _entity(mentions: list[_Mention], form: str, kind: EntityKind) -> Entity:
    newest = sorted(mentions, key=lambda one: (-one.last.microseconds, one.record.id, one.name))
    told = (name for one in newest if (name := _told_name(one.record)) is not None)
    # Tags are labels in a form of ours, and no spelling of anybody's name.
    spelt = (one.name for one in newest if not is_note(one.record))
    names = [*(name for name in told if _form(name) != form), *spelt]
    once = {one.record.id: one for one in reversed(newest)}
    return Entity(
        name=names[0],
        kind=kind,
        also=tuple(sorted(set(names) - {names[0]})),
        said=tuple(map(_saying, reversed(once.values()))),
        first_seen=min(one.first for one in newest),
        last_seen=newest[0].last,
        relations=_relations(newest, names[0]),
    )


def _rank(one: Entity) -> tuple[int, str, str, str, str]:
    return -len(one.said), fold(one.name), one.name, one.kind.value, one.said[0].record_id


def _saying(mention: _Mention) -> Saying:
    record = mention.record
    return Saying(
        record_id=record.id,
        kind=kind_name(record.body),
        text=line_of(record),
        at=mention.last,
        untold=mention.untold,
    )


def _relations(newest: Iterable[_Mention], target: str) -> tuple[Relation, ...]:
    proofs: dict[str, dict[RecordId, str]] = defaultdict(dict)
    for one in newest:
        for word in _relation_words(one.record.body):
            proofs[_form(word)].setdefault(one.record.id, word)
    edges = (
        Relation(source=THE_PERSON, word=next(iter(ids.values())), target=target, record_ids=tuple(ids))
        for ids in proofs.values()
    )
    return tuple(sorted(edges, key=lambda one: one.word))


def _relation_words(body: Body) -> tuple[str, ...]:
    if not isinstance(body, Claim):
        return ()
    if body.predicate in _RELATIONS:
        return (body.shown,)
    return tuple(value for _, value in body.qualifiers) if body.predicate == _PLACE else ()
