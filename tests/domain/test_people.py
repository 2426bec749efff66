"""Who and what the records speak of: only what they say structurally, and nothing that may not be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from builders import NOW, claim, days, episode, guard, message, record, said
from cmemory.domain.model.bodies import Note, NoteKind, Participant
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.plan.people import Entity, EntityKind, Relation, entities
from cmemory.domain.plan.telling import Telling, Untold


def note(text: str, *tags: str, **fields: Any) -> AnyRecord:
    body = Note(note_kind=NoteKind.FACT, text=text, tags=tags)
    made: AnyRecord = record(body, **{"id": "note-1", **fields})
    return made


def seen(
    *records: AnyRecord,
    forgotten: tuple[str, ...] = (),
    said_at: Mapping[str, Instant] | None = None,
    **rest: Any,
) -> tuple[Entity, ...]:
    telling = Telling.of(records, guard=guard(entities=forgotten), now=NOW)
    return entities(telling, said_at or {}, **rest)


def sister(word: str = "sister", entity: str = "Mara", **fields: Any) -> AnyRecord:
    return claim("person.relation_label", "sibling", raw=word, entity=entity, **fields)


@pytest.mark.parametrize(
    ("one", "name", "kind"),
    [
        (sister(), "Mara", EntityKind.PERSON),
        (claim("relationship.closeness", "close", entity="周岑"), "周岑", EntityKind.PERSON),
        (claim("identity.location", "Leeds", entity="Leeds", context="home"), "Leeds", EntityKind.PLACE),
        (claim("open_loop.deadline", "2026-03-09", entity="报告"), "报告", EntityKind.EVENT),
        (claim("ritual.frequency", "every Sunday", entity="choir"), "choir", EntityKind.EVENT),
        (claim("identity.occupation", "welder", entity="Acme"), "Acme", EntityKind.OTHER),
        (
            episode("We saw a film", participants=[Participant(role="user", entity_ref="Tom")]),
            "Tom",
            EntityKind.PERSON,
        ),
    ],
)
def test_what_a_record_is_about_is_known_by_its_key(one: AnyRecord, name: str, kind: EntityKind) -> None:
    """And by nothing else: no text is guessed at."""
    assert [(name, kind)] == [(entity.name, entity.kind) for entity in seen(one)]


def test_a_narrative_and_a_tag_make_nobody() -> None:
    """Names inside a text are not read, and a label is no person."""
    assert () == seen(
        episode("Mara called"), claim("identity.occupation", "nurse with Mara"), note("Likes tea", "mara")
    )


@pytest.mark.parametrize(
    "about", [sister(), claim("identity.occupation", "welder", entity="Mara")], ids=["person", "other"]
)
def test_a_tag_finds_whoever_bears_the_name(about: AnyRecord) -> None:
    """It adds to what is said, and its small letters are no spelling of the name."""
    (mara,) = seen(note("Owes Mara a call", "mara", at=days(1)), about)
    assert (mara.name, mara.also) == ("Mara", ())
    assert ["Owes Mara a call", "note-1"] == [mara.said[0].text, mara.said[0].record_id]
    assert ["note", "claim"] == [one.kind for one in mara.said]


def test_a_tag_finds_a_name_that_was_told() -> None:
    """Somebody kept as "sister" is found by the name she is said to have, and shown under it."""
    (mara,) = seen(
        claim("person.name", "Mara", entity="sister", id="claim-2"),
        sister(entity="sister"),
        note("x", "mara"),
    )
    assert (mara.name, mara.also, len(mara.said)) == ("Mara", ("sister",), 3)


def test_what_a_claim_leaves_open_joins_who_is_known() -> None:
    """A task about Mara is one more thing said of her, whichever record comes first."""
    task = claim("open_loop.pending_action", "write", entity="mara", id="claim-2")
    for records in ([task, sister()], [sister(), task]):
        (mara,) = seen(*records)
        assert (mara.kind, len(mara.said)) == (EntityKind.PERSON, 2)


def test_a_person_and_a_place_of_one_name_are_two() -> None:
    """What is left open is told of both; a wrong merge could not be seen."""
    found = seen(
        sister(entity="Paris"),
        claim("identity.location", "Paris", entity="Paris", id="claim-2"),
        note("Paris is far away", "paris"),
    )
    assert [("Paris", "person", 2), ("Paris", "place", 2)] == [
        (one.name, one.kind.value, len(one.said)) for one in found
    ]


def test_spellings_are_one_name_and_the_last_one_counts() -> None:
    """Case, width and accents part nobody; two different words stay two."""
    found = seen(
        sister(entity="ＭＡＲＡ"),
        claim("person.occupation", "nurse", entity="Mára", id="claim-2", at=days(-1)),
        claim("person.occupation", "baker", entity="Mara", id="claim-3", at=days(1)),
        sister(entity="妹妹", id="claim-4"),
    )
    assert [("Mara", ("Mára", "ＭＡＲＡ")), ("妹妹", ())] == [(one.name, one.also) for one in found]


def test_a_place_is_named_by_its_value_too() -> None:
    """A host may say what the place is to the person where others repeat its name."""
    found = seen(claim("identity.location", "Leeds", entity="home", context="home"))
    assert ["home", "Leeds"] == [one.name for one in found]


def test_an_edge_carries_its_word_and_its_proofs() -> None:
    """The person's own word, each once; a place has what it is to them."""
    (mara, leeds) = seen(
        sister(),
        sister("Sister", id="claim-2", at=days(-1)),
        claim("relationship.type", "family", entity="Mara", id="claim-3"),
        claim("relationship.closeness", "close", entity="Mara", id="claim-4"),
        claim("identity.location", "Leeds", entity="Leeds", context="home", id="claim-5"),
    )
    assert mara.relations == (
        Relation(source="user", word="family", target="Mara", record_ids=("claim-3",)),  # type: ignore[arg-type]
        Relation(source="user", word="sister", target="Mara", record_ids=("claim-1", "claim-2")),  # type: ignore[arg-type]
    )
    assert [("home", "Leeds")] == [(one.word, one.target) for one in leeds.relations]


def test_times_are_those_of_the_words() -> None:
    """A claim that is said again keeps its own times; its proofs know better."""
    first, again = message("my sister Mara"), message("Mara, my sister", id="m-2")
    one = sister(evidence=(said(first), said(again)))
    (mara,) = seen(one, said_at={"m-1": days(-3), "m-2": days(-1)})
    assert (days(-3), days(-1), days(-1)) == (mara.first_seen, mara.last_seen, mara.said[0].at)
    (bare,) = seen(one)
    assert (NOW, NOW) == (bare.first_seen, bare.last_seen)


def test_the_most_spoken_of_comes_first() -> None:
    """Then the name, whatever its case."""
    found = seen(
        sister(entity="zoe"),
        sister(entity="Bea", id="claim-2"),
        claim("person.occupation", "nurse", entity="Zoe", id="claim-3"),
        sister(entity="ann", id="claim-4"),
    )
    assert ["zoe", "ann", "Bea"] == [one.name for one in found]


def test_one_kind_can_be_asked_for() -> None:
    """The others are left out."""
    leeds = claim("identity.location", "Leeds", entity="Leeds", id="claim-2")
    assert ["Leeds"] == [one.name for one in seen(sister(), leeds, kind=EntityKind.PLACE)]


@pytest.mark.parametrize(
    ("silent", "why"),
    [
        (sister(muted=True), Untold.MUTED),
        (claim("person.age", 31, entity="Mara"), Untold.NEVER_SURFACE),
        (claim("goal.constraint", "not before May", entity="Mara"), Untold.BACKGROUND_ONLY),
        (claim("person.occupation", "divorce lawyer", entity="Mara"), Untold.BOUNDARY),
        (episode("We met", participants=[Participant(role="user", entity_ref="divorce")]), Untold.BOUNDARY),
    ],
)
def test_what_is_silent_is_for_its_owner_only(silent: AnyRecord, why: Untold) -> None:
    """A host sees nothing of it, not even the name; the owner sees it marked."""
    fence = claim("boundary.topic_avoid", "divorce", id="claim-9")
    assert () == seen(silent, fence)
    (one,) = seen(silent, fence, everything=True)
    assert [why] == [saying.untold for saying in one.said]


def test_a_muted_record_leaves_the_others() -> None:
    """Its spelling, its word and its count go with it."""
    (mara,) = seen(sister(entity="MARA", muted=True), sister("sis", id="claim-2", at=days(-1)))
    assert (mara.name, mara.also, [one.word for one in mara.relations]) == ("Mara", (), ["sis"])


@pytest.mark.parametrize("gone", [Status.SUPERSEDED, Status.RETRACTED, Status.DELETED, Status.EXPIRED])
def test_only_what_is_believed_counts(gone: Status) -> None:
    """Not for its owner either: `list` shows the past."""
    assert () == seen(sister(status=gone), everything=True)


def test_whoever_was_forgotten_is_in_no_name() -> None:
    """Neither as subject, nor as a place, nor as the name that somebody is said to have, in whatever type."""
    assert () == seen(
        sister(),
        claim("person.name", "Mara", entity="sis", id="claim-2"),
        claim("identity.location", "Mara", entity="home", id="claim-3"),
        note("Owes Mara a call", "mara"),
        forgotten=("ｍａｒａ",),
        everything=True,
    )


def test_a_forgotten_name_without_letters_takes_nobody_along() -> None:
    """It has no form of its own, and neither has the name that nobody told."""
    assert ["Mara"] == [one.name for one in seen(sister(), forgotten=("!!",))]


def test_names_that_say_nothing_are_left_out() -> None:
    """A blank is nobody; a sign is what it is."""
    assert ["!!"] == [one.name for one in seen(sister(entity=" "), sister(entity="!!", id="claim-2"))]
