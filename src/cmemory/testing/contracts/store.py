"""What every store must do: one test for each promise of `cmemory.ports.store`.

Run it against a store of your own by overriding one fixture::

    from collections.abc import Iterator

    import pytest

    from cmemory.ports.store import Store
    from cmemory.testing.contracts import StoreContract


    class TestMyStore(StoreContract):
        @pytest.fixture
        def store(self) -> Iterator[Store]:
            store = MyStore(...)
            yield store
            store.close()
"""

# ruff: noqa: S101  # these are tests

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from cmemory.domain.audit.checks import check, check_medium
from cmemory.domain.audit.finding import Code
from cmemory.domain.errors import StoreError, UsageError
from cmemory.domain.evidence.outline import Outline, words_of
from cmemory.domain.model.bodies import ArcPoint, Axis, Claim, Episode, Inference, InferenceState, Participant
from cmemory.domain.model.changes import Changes, Job, SuppressionKind, ThreadStatus
from cmemory.domain.model.embedding import Embedded
from cmemory.domain.model.ids import MessageId, RecordId, Revision
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Evidence, SourceKind, Speaker
from cmemory.domain.model.record import AnyRecord, Provenance, Record, Salience, is_claim
from cmemory.domain.model.scope import Scope
from cmemory.domain.model.state import Mood, RuntimeState
from cmemory.domain.predicates.identity import slot_of
from cmemory.domain.predicates.values import normal_value
from cmemory.domain.recall.index import record_terms
from cmemory.domain.recall.said import Among, Said, Statistics, message_terms
from cmemory.ports.store import ANY_STATUS, Store
from cmemory.testing.builders import (
    SCOPE,
    at,
    claim,
    decision,
    edge,
    embedding,
    episode,
    exchange,
    fingerprint,
    inference,
    job,
    message,
    note,
    pending,
    quoted,
    suppression,
    thread,
)

OTHER = attrs.evolve(SCOPE, owner="somebody-else")

#: Texts in which an encoding, an escape or a length goes wrong first.
HARD_TEXTS = {
    "emoji of several code points": "👩‍👩‍👧‍👦 and 🏳️‍🌈",
    "right to left": "שלום עולם مرحبا \u202ethe other way",
    "chinese": "我叫周眠，最近在等体检结果。𠮷",
    "combining": "e\u0301 is not é",
    "nul": "before\x00after",
    "controls": "line\r\n\ttab\x1b\x7f",
    "quotes and escapes": "she said \"\\n\" and '%_*'; DROP TABLE records; --",
    "empty": "",
    "blank": "  \u3000 ",
    "long": "long " * 60_000,
    "byte order mark": "\ufeffmark \uffff",
}

#: Scopes that an ambiguous key, a pattern or a normalisation would take for each other.
LOOK_ALIKES = (
    Scope(service="a", owner="b", profile="c"),
    Scope(service='a","b', owner="c", profile="c"),
    Scope(service="a", owner='b","c', profile="c"),
    Scope(service="A", owner="b", profile="c"),
    Scope(service="a", owner="b ", profile="c"),
    Scope(service="a", owner="b_c", profile="c"),
    Scope(service="a", owner="bxc", profile="c"),
    Scope(service="a", owner="b%c", profile="c"),
    Scope(service="a", owner="b", profile="é"),
    Scope(service="a", owner="b", profile="e\u0301"),
    Scope(service="ａ", owner="b", profile="c"),
    Scope(service="a/b", owner="c", profile="c"),
    Scope(service="a", owner="b/c", profile="c"),
)


def put(store: Store, *records: AnyRecord, scope: Scope = SCOPE) -> None:
    """Write records in a unit of their own."""
    write(store, Changes(records=records), scope=scope)


def write(store: Store, changes: Changes, *, scope: Scope = SCOPE) -> None:
    """Write a change set in a unit of its own."""
    with store.write(scope) as unit:
        unit.apply(changes)


def ids(records: Sequence[AnyRecord]) -> list[str]:
    """Return the ids in order."""
    return [record.id for record in records]


def one_of_everything(name: str) -> Changes:
    """Return a change set that adds one of each kind of thing, with ids of its own."""
    return Changes(
        messages=(message(),),
        records=(claim(f"r-{name}1"), episode(f"r-{name}2"), inference(f"r-{name}3")),
        threads=(thread(f"t-{name}", record_id=f"r-{name}1"),),
        suppressions=(suppression("gone"),),
        fingerprints=(fingerprint("f" * 64, "gone"),),
        decisions=(decision(f"d-{name}"),),
        pending=(pending(f"p-{name}"),),
        jobs=(job(),),
        edges=(edge("m-1", f"m-{name}"),),
        embeddings=(embedding("m-1", 1.0), embedding(f"r-{name}1", 1.0, kind=Embedded.RECORD)),
        revision_step=7,
    )


def conversation(*texts: str) -> Changes:
    """Return a change set that adds these messages, a second apart."""
    said = (message(f"m-{no}", text, second=no) for no, text in enumerate(texts))
    return Changes(messages=tuple(said))


def erasing(*record_ids: str) -> Changes:
    """Return a change set that erases records."""
    return Changes(erase_records=tuple(RecordId(one) for one in record_ids))


def unsaying(*message_ids: str) -> Changes:
    """Return a change set that erases messages."""
    return Changes(erase_messages=tuple(MessageId(one) for one in message_ids))


class StoreContract:
    """The promises of a store. Override `store`."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a fresh store; close it after the test."""
        raise NotImplementedError("override the fixture `store`")

    # Revisions

    def test_a_scope_begins_at_revision_0(self, store: Store) -> None:
        """Nothing written is revision 0, and looking creates nothing."""
        with store.read(SCOPE) as view:
            assert view.revision() == 0
        assert list(store.scopes()) == []

    def test_the_revision_moves_by_the_step_of_a_change_set(self, store: Store) -> None:
        """`apply` returns the new revision; a change that can alter no plan leaves it alone."""
        with store.write(SCOPE) as unit:
            assert unit.apply(Changes(revision_step=2)) == 2
            assert unit.apply(Changes(decisions=(decision(),))) == 2
            assert unit.apply(Changes(revision_step=1)) == 3
            assert unit.revision() == 3
        with store.read(SCOPE) as view:
            assert view.revision() == 3
        with store.read(OTHER) as view:
            assert view.revision() == 0

    def test_an_empty_change_set_changes_nothing(self, store: Store) -> None:
        """Not even the scope comes into being."""
        with store.write(SCOPE) as unit:
            assert unit.apply(Changes()) == 0
        assert list(store.scopes()) == []

    # Records

    @pytest.mark.parametrize("status", list(Status))
    def test_a_record_is_found_by_id_whatever_its_status(self, store: Store, status: Status) -> None:
        """History and soft-deleted records are still there."""
        record = claim(status=status)
        put(store, record)
        with store.read(SCOPE) as view:
            assert record == view.record("r-1")
            assert view.record("r-2") is None

    def test_a_claim_comes_back_as_it_was(self, store: Store) -> None:
        """Every field of claim and envelope survives, evidence in its order."""
        record = Record(
            id=RecordId("r-1"),
            body=Claim(
                predicate="identity.location",
                value="上海",
                raw_value="搬到了上海",
                entity_ref="Lin",
                qualifiers=(("context", "home"),),
                confidence=0.25,
            ),
            evidence=(
                quoted("搬到了上海", source_id="m-2"),
                Evidence(source=SourceKind.CLAIM, source_id="r-0", speaker=Speaker.ASSISTANT),
                quoted("上海", source_id="m-1"),
            ),
            created_at=at(0.000001),
            updated_at=at(2),
            status=Status.SUPERSEDED,
            salience=Salience(importance=0.9, recall_count=7, last_recalled_at=at(3), muted=True),
            provenance=Provenance(proposer="model", version="3", model="small"),
            valid_from=at(-1),
            valid_until=at(9),
            supersedes=RecordId("r-0"),
        )
        put(store, record)
        with store.read(SCOPE) as view:
            assert record == view.record("r-1")

    def test_an_episode_comes_back_as_it_was(self, store: Store) -> None:
        """Participants and feelings keep their order."""
        body = Episode(
            narrative="The dog ran away",
            occurred_from=at(0),
            occurred_to=at(60),
            participants=(Participant(role="pet", entity_ref="Pepper"), Participant(role="user")),
            emotional_arc=(
                ArcPoint(at_turn=0, labels=("afraid", "sad"), intensity=0.75),
                ArcPoint(at_turn=2, labels=(), source="observed"),
            ),
            user_reaction="relieved",
            response_ref="m-9",
        )
        record = attrs.evolve(episode(), body=body)
        put(store, record)
        with store.read(SCOPE) as view:
            assert record == view.record("r-1")

    def test_an_inference_comes_back_as_it_was(self, store: Store) -> None:
        """What supports it and what speaks against it stay apart."""
        body = Inference(
            axis=Axis.SELF_MODEL,
            predicate="self.patience",
            value="is patient with animals",
            state=InferenceState.ACTIVE,
            confidence=0.625,
            support=(Evidence(source=SourceKind.EPISODE, source_id="r-7", speaker=Speaker.USER),),
            counter=(quoted("not today"),),
            acknowledged_at=at(5),
            expires_at=at(6),
        )
        record = attrs.evolve(inference(), body=body, evidence=())
        put(store, record)
        with store.read(SCOPE) as view:
            assert record == view.record("r-1")

    @pytest.mark.parametrize("value", [3, 3.0, -0.5, 1e300, 2**70, "3", "true"])
    def test_a_value_keeps_its_type(self, store: Store, value: str | float) -> None:
        """A whole number, a fraction and a text that looks like one stay what they are."""
        put(store, claim(value=value))
        with store.read(SCOPE) as view:
            record = view.record("r-1")
        assert record is not None
        assert is_claim(record)
        assert (value, type(value)) == (record.body.value, type(record.body.value))

    def test_records_are_active_ones_unless_asked_otherwise(self, store: Store) -> None:
        """The statuses asked for, and no others."""
        every = {status: claim(f"r-{status.value}", status=status) for status in Status}
        put(store, *every.values())
        with store.read(SCOPE) as view:
            assert ids(view.records()) == ["r-active"]
            assert ids(view.records(frozenset({Status.EXPIRED, Status.DELETED}))) == [
                "r-deleted",
                "r-expired",
            ]
            assert set(every.values()) == set(view.records(ANY_STATUS))
            assert list(view.records(frozenset())) == []

    def test_records_come_newest_first_then_by_id(self, store: Store) -> None:
        """The moment of the last update decides, to the microsecond; ties break by id."""
        put(
            store,
            claim("r-b", second=5),
            claim("r-a", second=5),
            episode("r-c", second=5.000001),
            inference("r-d", second=-1e9),
            claim("r-B", second=5),
            claim("r-é", second=5),
        )
        expected = ["r-c", "r-B", "r-a", "r-b", "r-é", "r-d"]
        with store.read(SCOPE) as view:
            assert expected == ids(view.records())
            assert expected == ids(view.records(ANY_STATUS))

    def test_a_record_is_replaced_as_a_whole(self, store: Store) -> None:
        """The later version stands; nothing of the earlier evidence is left."""
        put(store, claim(value="tea", evidence=(quoted("one"), quoted("two"))))
        later = episode("r-1", "The kettle broke", second=4, evidence=(quoted("three"),))
        put(store, later)
        with store.read(SCOPE) as view:
            assert later == view.record("r-1")
            assert [later] == list(view.records(ANY_STATUS))
            assert list(view.under(["preference.likes"])) == []

    def test_replacing_by_an_equal_one_is_harmless(self, store: Store) -> None:
        """Writing the same twice is writing it once."""
        changes = Changes(
            messages=(message(),),
            records=(claim(),),
            threads=(thread(),),
            suppressions=(suppression("r-9"),),
            fingerprints=(fingerprint("f"),),
            pending=(pending(),),
            decisions=(decision(),),
            jobs=(job(),),
        )
        write(store, changes)
        write(store, changes)
        with store.read(SCOPE) as view:
            assert [claim()] == list(view.records())
            assert [message()] == list(view.messages())
            assert [thread()] == list(view.threads())
            assert [suppression("r-9")] == list(view.suppressions())
            assert [fingerprint("f")] == list(view.fingerprints())
            assert [pending()] == list(view.pending())
            assert [decision()] == list(view.decisions())
            assert [job()] == list(view.jobs())
            assert list(view.find(["tea"], limit=9)) == ["r-1"]

    def test_of_two_with_one_id_the_later_wins(self, store: Store) -> None:
        """Also within one change set."""
        write(
            store,
            Changes(
                records=(claim(value="coffee"), claim(value="water")),
                messages=(message(text="a"), message(text="b")),
            ),
        )
        with store.read(SCOPE) as view:
            assert [claim(value="water")] == list(view.records())
            assert [one.text for one in view.messages()] == ["b"]
            assert list(view.find(["coffe"], limit=9)) == []
            assert list(view.find(["water"], limit=9)) == ["r-1"]

    # Slots and predicates

    def test_what_was_written_since_a_revision(self, store: Store) -> None:
        """Records of any status, what was written without moving the revision too; another scope's never.

        A store may always answer None, and tell of more.
        """
        write(store, Changes(records=(claim("r-1"), claim("r-2")), revision_step=1))
        put(store, claim("r-1", "coffee"))
        write(store, Changes(records=(claim("r-3", status=Status.SUPERSEDED, second=9),), revision_step=1))
        write(store, Changes(records=(claim("r-4"),), revision_step=9), scope=OTHER)
        with store.read(SCOPE) as view:
            told = [view.changes_since(Revision(at)) for at in range(4)]
            held = {record.id: record for record in view.records(ANY_STATUS)}
        needed: tuple[set[str], ...] = ({"r-1", "r-2", "r-3"}, {"r-1", "r-3"}, set(), set())
        for needs, one in zip(needed, told, strict=True):
            if one is not None:
                assert needs <= set(ids(one.records)) <= held.keys()
                assert [held[record.id] for record in one.records] == list(one.records)
                assert ids(one.records) == [
                    name for name in ("r-3", "r-1", "r-2") if name in ids(one.records)
                ]
                assert one.suppressed == frozenset()

    @pytest.mark.parametrize("step", [0, 1])
    def test_what_is_suppressed_is_told_by_its_id(self, store: Store, step: int) -> None:
        """Whether it is erased or not; a store may always answer None."""
        write(store, one_of_everything("r"))
        write(store, one_of_everything("s"))
        write(store, Changes(suppressions=(suppression("r-s1"),), revision_step=step))
        write(store, attrs.evolve(erasing("r-r1"), suppressions=(suppression("r-r1"),), revision_step=1))
        write(store, Changes(suppressions=(suppression("r-s1"),), revision_step=1), scope=OTHER)
        with store.read(SCOPE) as view:
            end = view.revision()
            told = [view.changes_since(Revision(at)) for at in (end - 1 - step, end, end + 1)]
        needed: tuple[set[str], ...] = ({"r-s1", "r-r1"}, {"r-r1"}, set())
        for needs, one in zip(needed, told, strict=True):
            assert one is None or needs <= one.suppressed <= {"r-s1", "r-r1", "gone"}

    @pytest.mark.parametrize(
        "changes",
        [
            erasing("r-r1"),
            Changes(suppressions=(suppression("goal.current_focus", SuppressionKind.PREDICATE),)),
            Changes(lift_suppressions=(suppression("gone"),)),
        ],
        ids=["erased", "suppressed", "lifted"],
    )
    @pytest.mark.parametrize("step", [0, 1])
    def test_what_no_suppression_names_cannot_be_told(
        self, store: Store, changes: Changes, step: int
    ) -> None:
        """Whoever has read the records before has to read them again, whatever is written afterwards."""
        write(store, one_of_everything("r"))
        write(store, attrs.evolve(changes, revision_step=step))
        with store.read(SCOPE) as view:
            assert view.changes_since(Revision(7)) is None
        write(store, Changes(records=(claim("r-9"),), revision_step=1))
        with store.read(SCOPE) as view:
            assert [view.changes_since(Revision(at)) for at in (0, 7)] == [None, None]

    def test_a_slot_holds_its_active_claims(self, store: Store) -> None:
        """Predicate, entity and qualifiers must all be the same; history is left out."""
        key = "identity.location"
        home = (("context", "home"),)
        wanted = claim("r-1", predicate=key, entity_ref="Lin", qualifiers=home, second=1)
        newer = claim("r-2", predicate=key, entity_ref="Lin", qualifiers=home, second=2)
        put(
            store,
            wanted,
            newer,
            claim("r-3", predicate=key, entity_ref="Lin"),
            claim("r-4", predicate=key, qualifiers=home),
            claim("r-5", predicate=key, entity_ref="lin", qualifiers=home),
            claim("r-6", predicate=key, entity_ref="Lin", qualifiers=home, status=Status.SUPERSEDED),
            claim("r-7", predicate="identity.origin", entity_ref="Lin", qualifiers=home),
        )
        assert is_claim(wanted)
        with store.read(SCOPE) as view:
            assert [newer, wanted] == list(view.slot(slot_of(wanted.body)))
            assert list(view.slot("identity.location")) == []
            assert list(view.slot("")) == []

    def test_a_slot_can_be_narrowed_by_meaning_and_number(self, store: Store) -> None:
        """The normal form of the value counts, not its spelling; the newest come first."""
        likes = [
            claim("r-1", "Green  Tea", second=1),
            claim("r-2", "green tea", second=2),
            claim("r-3", "coffee", second=3),
            claim("r-4", 3, second=4),
            claim("r-5", "green tea", second=5, status=Status.RETRACTED),
        ]
        put(store, *likes)
        assert is_claim(likes[0])
        key = slot_of(likes[0].body)
        with store.read(SCOPE) as view:
            assert ids(view.slot(key, meaning=normal_value("GREEN TEA"))) == ["r-2", "r-1"]
            assert ids(view.slot(key, meaning=normal_value("green tea"), limit=1)) == ["r-2"]
            assert ids(view.slot(key, meaning=normal_value(3))) == ["r-4"]
            assert ids(view.slot(key, limit=2)) == ["r-4", "r-3"]
            assert list(view.slot(key, limit=0)) == []
            assert list(view.slot(key, meaning="%")) == []

    def test_stories_that_are_told_again_are_found(self, store: Store) -> None:
        """The normal form of the narrative counts, not its spelling; only active ones, the newest first."""
        put(
            store,
            episode("r-1", "The dog  ran away", second=1),
            episode("r-2", "the dog ran away", second=2),
            episode("r-3", "the dog ran", second=3),
            episode("r-4", "the dog ran away", second=4, status=Status.RETRACTED),
            episode("r-5", "狗跑丢了", second=5),
            claim("r-6", "the dog ran away", second=6),
        )
        put(store, episode("r-7", "the dog ran away"), scope=OTHER)
        with store.read(SCOPE) as view:
            assert ids(view.stories("THE DOG RAN AWAY")) == ["r-2", "r-1"]
            assert ids(view.stories("狗跑丢了")) == ["r-5"]
            assert list(view.stories("%")) == []
        put(store, episode("r-2", "the dog came back", second=2))
        assert store.reindex(SCOPE) == 5
        with store.read(SCOPE) as view:
            assert ids(view.stories("the dog ran away")) == ["r-1"]
            assert ids(view.stories("The dog came back")) == ["r-2"]

    def test_outlines_tell_of_every_record(self, store: Store) -> None:
        """In the order of `records`, with all that each says and rests on; the text may hold more."""
        held = [
            claim(
                "r-1",
                "green tea",
                entity_ref="Anna",
                evidence=(quoted("tea"), quoted("绿茶", source_id="m-2")),
            ),
            claim("r-2", 7, second=1, status=Status.SUPERSEDED, supersedes="r-1"),
            episode("r-3", 'a "dog"\nran\\away\x00', evidence=()),
            note("r-4", "喝茶", tags=("tea", "a\tb")),
            inference("r-5"),
        ]
        put(store, *held)
        put(store, claim("r-6"), scope=OTHER)
        with store.read(SCOPE) as view:
            records, outlines = view.records(ANY_STATUS), view.outlines()
        assert [attrs.evolve(Outline.of(one), words="") for one in records] == [
            attrs.evolve(one, words="") for one in outlines
        ]
        for record, outline in zip(records, outlines, strict=True):
            assert all(text in outline.words for text in words_of(record.body).split("\n"))

    def test_claims_are_found_under_any_of_several_predicates(self, store: Store) -> None:
        """Only active claims, in the order of `records`, each once."""
        put(
            store,
            claim("r-1", predicate="work.role", second=1),
            claim("r-2", predicate="family.sister", second=3),
            claim("r-3", predicate="work.role", second=3),
            claim("r-4", predicate="work", second=4),
            claim("r-5", predicate="work.role", status=Status.RETRACTED),
            inference("r-6", predicate="work.role"),
            episode("r-7"),
        )
        with store.read(SCOPE) as view:
            wanted = ["work.role", "family.sister", "work.role", "nothing"]
            assert ids(view.under(wanted)) == ["r-2", "r-3", "r-1"]
            assert ids(view.under(["work.role"])) == ["r-3", "r-1"]
            assert list(view.under([])) == []
            assert list(view.under(["%"])) == []

    def test_records_are_found_by_the_messages_that_prove_them(self, store: Store) -> None:
        """Of every status and kind, each once; a record that proves another is no message."""
        by = {name: attrs.evolve(quoted("tea"), source_id=name) for name in ("m-1", "m-2", "m-3")}
        other = attrs.evolve(by["m-1"], source=SourceKind.CLAIM)
        put(
            store,
            claim("r-1", second=1, evidence=(by["m-1"], by["m-2"])),
            episode("r-2", second=3, evidence=(by["m-2"],)),
            claim("r-3", status=Status.DELETED, second=2, evidence=(by["m-2"],)),
            claim("r-4", second=4, evidence=(by["m-3"],)),
            inference("r-5", second=5, evidence=(other,)),
        )
        write(store, Changes(records=(claim("r-6", evidence=(by["m-1"],)),)), scope=OTHER)
        with store.read(SCOPE) as view:
            assert ids(view.proven(["m-2", "m-1"])) == ["r-2", "r-3", "r-1"]
            assert ids(view.proven(["m-1"])) == ["r-1"]
            assert list(view.proven(["m-9", "r-1", "%"])) == []
            assert list(view.proven([])) == []

    def test_named_reads_many_at_once(self, store: Store) -> None:
        """Each once, whatever its status; what is unknown or of another scope is left out."""
        first, second = claim("r-1", "cello"), claim("r-2", "audition", second=1)
        put(store, first, attrs.evolve(second, status=Status.SUPERSEDED))
        put(store, claim("r-3", "sister"), scope=OTHER)
        with store.read(SCOPE) as view:
            found = view.named(["r-2", "r-9", "r-1", "r-2", "r-3", ""])
            assert sorted(one.id for one in found) == ["r-1", "r-2"]
            assert [view.record(one.id) for one in found] == list(found)
            assert list(view.named([])) == []

    def test_records_that_silence_nothing_are_left_out_on_request(self, store: Store) -> None:
        """All but what is muted or put away, and claims under other predicates than those named."""
        proof = (attrs.evolve(quoted("tea"), source_id="m-1"),)
        muted = Salience(muted=True)
        put(
            store,
            claim("r-1", second=1, predicate="work.role", evidence=proof),
            claim("r-2", second=2, predicate="family.sister", evidence=proof),
            claim("r-3", second=3, predicate="work.role", status=Status.DELETED, evidence=proof),
            attrs.evolve(claim("r-4", second=4, predicate="work.role", evidence=proof), salience=muted),
            episode("r-5", second=5, evidence=proof),
            attrs.evolve(episode("r-6", second=6, evidence=proof), salience=muted),
        )
        with store.read(SCOPE) as view:
            assert ids(view.proven(["m-1"], without=["work.role"])) == ["r-6", "r-4", "r-3", "r-2"]
            assert ids(view.proven(["m-1"], without=["work.role", "family.sister"])) == ["r-6", "r-4", "r-3"]
            assert ids(view.proven(["m-1"], without=[])) == ["r-6", "r-4", "r-3", "r-2", "r-1"]
            assert list(view.proven(["m-2"], without=[])) == []

    # The index

    def test_find_ranks_by_distinct_terms_then_newest_then_id(self, store: Store) -> None:
        """A term counts once, however often it stands in the record or in the question."""
        put(
            store,
            claim("r-1", "cello cello cello", second=9),
            claim("r-2", "cello audition", second=1),
            claim("r-4", "cello", second=3),
            claim("r-3", "cello", second=3),
            claim("r-5", "sister", second=10),
        )
        with store.read(SCOPE) as view:
            asked = ["cello", "audit", "cello", "nothing"]
            assert list(view.find(asked, limit=10)) == ["r-2", "r-1", "r-3", "r-4"]
            assert list(view.find(asked, limit=2)) == ["r-2", "r-1"]
            assert list(view.find(asked, limit=0)) == []
            assert list(view.find([], limit=10)) == []

    def test_find_knows_chinese_and_values_and_entities(self, store: Store) -> None:
        """Every text that `record_terms` indexes leads to the record."""
        put(store, claim("r-1", "体检结果"), claim("r-2", "Vancouver", entity_ref="Lin"))
        with store.read(SCOPE) as view:
            assert list(view.find(["体检"], limit=5)) == ["r-1"]
            assert list(view.find(["果"], limit=5)) == ["r-1"]
            assert list(view.find(["lin"], limit=5)) == ["r-2"]
            assert list(view.find(["vancouv"], limit=5)) == ["r-2"]

    def test_find_takes_terms_literally(self, store: Store) -> None:
        """No character of a term is an operator."""
        put(store, claim("r-1", "cello"))
        with store.read(SCOPE) as view:
            for term in ("*", "%", "cell%", "cell*", "cell_", '"', "'", "", "cello OR 1", "NOT", "\x00"):
                assert list(view.find([term], limit=5)) == []

    def test_find_takes_many_terms(self, store: Store) -> None:
        """There is no bound on how many are asked for at once."""
        put(store, claim("r-1", "cello"))
        with store.read(SCOPE) as view:
            assert list(view.find([*map(str, range(50_000)), "cello"], limit=5)) == ["r-1"]

    def test_the_index_follows_the_records(self, store: Store) -> None:
        """A new wording is found and the old one is not; only active records are found at all."""
        put(store, claim(value="cello"))
        put(store, claim(value="piano"))
        with store.read(SCOPE) as view:
            assert list(view.find(["cello"], limit=5)) == []
            assert list(view.find(["piano"], limit=5)) == ["r-1"]
        put(store, claim(value="piano", status=Status.DELETED))
        with store.read(SCOPE) as view:
            assert list(view.find(["piano"], limit=5)) == []
        put(store, claim(value="piano"))
        with store.read(SCOPE) as view:
            assert list(view.find(["piano"], limit=5)) == ["r-1"]

    def test_reindex_changes_no_answer(self, store: Store) -> None:
        """It returns how many active records there are, and touches no other scope."""
        put(store, claim("r-1", "cello"), episode("r-2", "cello lesson"), claim("r-3", status=Status.EXPIRED))
        put(store, claim("r-4", "cello"), scope=OTHER)
        write(store, conversation("cello", "a cello lesson"))
        with store.read(SCOPE) as view:
            said = view.statistics(["cello"]), view.utterances({"cello": 1}, among=Among(), limit=5)
        assert store.reindex(SCOPE) == 2
        with store.read(SCOPE) as view:
            assert said == (view.statistics(["cello"]), view.utterances({"cello": 1}, among=Among(), limit=5))
        assert store.reindex(attrs.evolve(SCOPE, owner="nobody")) == 0
        with store.read(SCOPE) as view:
            assert list(view.find(["cello"], limit=5)) == ["r-1", "r-2"]
        with store.read(OTHER) as view:
            assert list(view.find(["cello"], limit=5)) == ["r-4"]
        assert sorted(store.scopes(), key=lambda scope: scope.owner, reverse=True) == [OTHER, SCOPE]

    # Everything that was said

    def test_statistics_count_messages_and_terms(self, store: Store) -> None:
        """Repeats count as places, not as messages; terms that stand nowhere are absent."""
        write(store, conversation("green tea, green tea", "green cello", "体检结果"))
        with store.read(SCOPE) as view:
            found = view.statistics(["green", "cello", "体检", "piano"])
            assert dict(found.holding) == {"green": 2, "cello": 1, "体检": 1}
            assert (found.messages, found.places) == (3, 4 + 2 + 7)
        with store.read(OTHER) as view:
            nothing = view.statistics(["green"])
        assert (nothing.messages, nothing.places, dict(nothing.holding)) == (0, 0, {})

    def test_utterances_come_heaviest_first_then_newest_then_by_id(self, store: Store) -> None:
        """Each distinct term weighs once; the limit cuts at the end."""
        said = (
            message("m-b", "green tea", second=1),
            message("m-a", "green tea", second=1),
            message("m-c", "tea tea tea", second=9),
            message("m-d", "green", second=5),
            message("m-e", "cello", second=6),
        )
        write(store, Changes(messages=said))
        write(store, Changes(messages=(message("m-f", "green tea"),)), scope=OTHER)
        weights = {"green": 2, "tea": 1}
        expected = ["m-a", "m-b", "m-d", "m-c"]
        with store.read(SCOPE) as view:
            assert expected == list(view.utterances(weights, among=Among(), limit=9))
            for limit in range(5):
                assert expected[:limit] == list(view.utterances(weights, among=Among(), limit=limit))
            assert list(view.utterances({}, among=Among(), limit=9)) == []
            assert list(view.utterances({"piano": 1}, among=Among(), limit=9)) == []

    def test_utterances_are_narrowed(self, store: Store) -> None:
        """By session, speaker and time, from the first moment on and before the last; also far down the list."""
        said = [message(f"m-{no:03d}", "green tea", second=no) for no in range(300)]
        said.append(message("m-x", "tea", session="s-2", speaker=Speaker.ASSISTANT, second=-5))
        write(store, Changes(messages=tuple(said)))
        weights = {"green": 5, "tea": 1}

        def found(**narrowed: Any) -> list[str]:
            with store.read(SCOPE) as view:
                return list(view.utterances(weights, among=Among(**narrowed), limit=2))

        assert found() == ["m-299", "m-298"]
        assert found(session="s-2") == ["m-x"]
        assert found(speakers=frozenset({Speaker.ASSISTANT})) == ["m-x"]
        assert found(speakers=frozenset()) == []
        assert found(until=at(1)) == ["m-000", "m-x"]
        assert found(since=at(4), until=at(5)) == ["m-004"]
        assert found(since=at(300)) == []

    def test_around_gives_the_neighbours_in_the_session(self, store: Store) -> None:
        """Oldest first, in the order of the ids; unknown ones are left out."""
        said = [message(f"m-{no}", f"cello {no}", second=no) for no in range(5)]
        other = message("m-x", "tea", session="s-2", second=2)
        write(store, Changes(messages=(*said[::-1], other)))
        with store.read(SCOPE) as view:
            near = view.around(["m-x", "nobody", "m-0", "m-3"], reach=1)
            alone = view.around(["m-2"], reach=0)
        shown = [[one.message for one in stretch] for stretch in near]
        assert [[other], said[0:2], said[2:5]] == shown
        assert [(Said.of(said[2]),)] == list(alone)
        with store.read(OTHER) as view:
            assert list(view.around(["m-2"], reach=1)) == []

    def test_the_index_of_messages_follows_them(self, store: Store) -> None:
        """What is erased or masked is found no longer, and counted no longer."""
        write(store, Changes(messages=(message("m-1", "the violin of Petra"), message("m-2", "violin"))))
        write(store, Changes(messages=(message("m-1", "the violin of *****"),)))
        with store.read(SCOPE) as view:
            assert list(view.utterances({"petra": 1}, among=Among(), limit=9)) == []
            assert view.statistics(["petra", "violin"]) == Statistics(
                messages=2, places=2, holding={"violin": 2}
            )
        write(store, unsaying("m-1"))
        with store.read(SCOPE) as view:
            assert list(view.utterances({"violin": 1}, among=Among(), limit=9)) == ["m-2"]
            assert view.statistics(["violin"]) == Statistics(messages=1, places=1, holding={"violin": 1})
        store.reindex(SCOPE)
        write(store, unsaying("m-2"))
        with store.read(SCOPE) as view:
            assert view.statistics(["violin"]) == Statistics(messages=0, places=0, holding={})
        assert not store.contains("violin")

    def test_notes_are_found_by_their_status(self, store: Store) -> None:
        """Newest first, then by id; nothing else is among them."""
        notes = [
            note("r-1", second=1),
            note("r-2", second=3),
            note("r-3", second=2, status=Status.FADED),
            note("r-4", second=3, status=Status.DELETED),
        ]
        put(store, *notes, claim("r-5"), episode("r-6"))
        put(store, note("r-7"), scope=OTHER)
        with store.read(SCOPE) as view:
            assert [notes[no] for no in (1, 0)] == list(view.notes())
            assert [notes[2]] == list(view.notes(frozenset({Status.FADED})))
            assert [notes[no] for no in (1, 3, 2, 0)] == list(view.notes(ANY_STATUS))

    # What a relationship is in the middle of

    def test_exchanges_wait_in_the_order_they_came_in(self, store: Store) -> None:
        """First in first out, then by id; replaced by what was said, and taken away by it."""
        write(store, Changes(exchanges=(exchange("m-2"), exchange("m-1"), exchange("m-3", second=-1))))
        with store.read(SCOPE) as view:
            assert [exchange("m-3", second=-1), exchange("m-1"), exchange("m-2")] == list(view.exchanges())
            assert [exchange("m-3", second=-1)] == list(view.exchanges(limit=1))
        write(store, Changes(exchanges=(exchange("m-1", None, second=5),), consolidated=(MessageId("m-3"),)))
        with store.read(SCOPE) as view:
            assert [exchange("m-2"), exchange("m-1", None, second=5)] == list(view.exchanges())
        with store.read(OTHER) as view:
            assert list(view.exchanges()) == []

    def test_an_exchange_goes_with_what_was_said_and_loses_an_erased_answer(self, store: Store) -> None:
        """Nothing names an erased message."""
        write(store, Changes(exchanges=(exchange("m-1", "m-2"), exchange("m-3", "m-4"))))
        write(store, Changes(erase_messages=(MessageId("m-1"), MessageId("m-4"))))
        with store.read(SCOPE) as view:
            assert [exchange("m-3", None)] == list(view.exchanges())

    def test_the_state_is_kept_for_each_scope(self, store: Store) -> None:
        """Whole, the last one counts; the empty one is as good as none, and leaves no scope behind."""
        mood = Mood(pleasure=0.25, arousal=-0.5, dominance=0.0, at=at(7))
        state = RuntimeState(mood=mood, consolidated_on="2026-03-01")
        write(store, Changes(states=(RuntimeState(consolidated_on="2026-02-28"), state)))
        with store.read(SCOPE) as view:
            assert state == view.state()
        with store.read(OTHER) as view:
            assert RuntimeState() == view.state()
        write(store, Changes(states=(RuntimeState(),)))
        with store.read(SCOPE) as view:
            assert RuntimeState() == view.state()
        assert list(store.scopes()) == []

    # Messages

    def test_messages_come_oldest_first_then_by_id(self, store: Store) -> None:
        """Whatever order they were written in."""
        said = (message("m-b", second=1), message("m-a", second=1), message("m-c", second=0))
        write(store, Changes(messages=said))
        with store.read(SCOPE) as view:
            assert [one.id for one in view.messages()] == ["m-c", "m-a", "m-b"]

    def test_messages_of_one_session_or_speaker(self, store: Store) -> None:
        """The empty session is a session like any other."""
        said = (
            message("m-1", session="", second=1),
            message("m-2", session="s", second=2),
            message("m-3", session="s", speaker=Speaker.ASSISTANT, second=3),
            message("m-4", session="S", speaker=Speaker.TOOL, second=4),
        )
        write(store, Changes(messages=said))
        with store.read(SCOPE) as view:
            assert [one.id for one in view.messages(session="")] == ["m-1"]
            assert [one.id for one in view.messages(session="s")] == ["m-2", "m-3"]
            assert [one.id for one in view.messages(speaker=Speaker.USER)] == ["m-1", "m-2"]
            assert [one.id for one in view.messages(session="s", speaker=Speaker.ASSISTANT)] == ["m-3"]
            assert list(view.messages(session="nowhere")) == []
            assert [one.id for one in view.messages(last=2)] == ["m-3", "m-4"]
            assert [one.id for one in view.messages(session="s", last=1)] == ["m-3"]
            assert [one.id for one in view.messages(speaker=Speaker.USER, last=9)] == ["m-1", "m-2"]
            assert list(view.messages(last=0)) == []

    def test_a_message_is_found_by_id_and_can_be_masked(self, store: Store) -> None:
        """Replacing the text keeps id and place."""
        write(store, Changes(messages=(message(text="my code is 8093"),)))
        masked = message(text="my code is ████")
        write(store, Changes(messages=(masked,)))
        with store.read(SCOPE) as view:
            assert masked == view.message("m-1")
            assert [masked] == list(view.messages())
            assert view.message("m-2") is None
        assert not store.contains("8093")

    # Edges

    def test_edges_come_heaviest_first_then_newest_then_by_id(self, store: Store) -> None:
        """One for each pair; a later one replaces it, and other conversations have their own."""
        rows = (
            edge("m-1", "m-2", weight=0.2),
            edge("m-1", "m-3", weight=0.9),
            edge("m-2", "m-4", weight=0.2, second=5),
            edge("m-2", "m-3", weight=0.2),
            edge("m-8", "m-9", session="S"),
            attrs.evolve(edge("m-1", "m-2", weight=0.3, second=1, turn="turn-2"), count=2),
        )
        write(store, Changes(edges=rows))
        with store.read(SCOPE) as view:
            assert [rows[1], rows[5], rows[2], rows[3]] == list(view.edges("s"))
            assert [rows[1], rows[5]] == list(view.edges("s", limit=2))
            assert [rows[5], rows[2], rows[3]] == list(view.edges("s", ["m-2", "m-2", "nobody"]))
            assert [rows[1]] == list(view.edges("s", ["m-3", "m-1"], limit=1))
            assert list(view.edges("s", [])) == []
            assert [rows[4]] == list(view.edges("S"))
        with store.read(OTHER) as view:
            assert list(view.edges("s")) == []

    def test_edges_go_by_their_pair_and_with_either_message(self, store: Store) -> None:
        """What is not there is left alone; and pruning comes before putting."""
        rows = tuple(edge(*pair) for pair in (("m-1", "m-2"), ("m-2", "m-3"), ("m-3", "m-4"), ("m-4", "m-5")))
        write(store, Changes(messages=tuple(message(f"m-{no}", second=no) for no in range(1, 6)), edges=rows))
        write(store, Changes(prune_edges=(edge("m-1", "m-2", weight=0.9), edge("m-1", "m-9"))))
        write(store, Changes(prune_edges=(rows[3],), edges=(rows[3],)))
        write(store, unsaying("m-3"))
        with store.read(SCOPE) as view:
            assert [rows[3]] == list(view.edges("s"))
        write(store, unsaying("m-4"))
        with store.read(SCOPE) as view:
            assert list(view.edges("s")) == []

    # Vectors

    def test_vectors_of_messages_come_newest_first_and_may_be_narrowed(self, store: Store) -> None:
        """One model at a time; the empty vector of a text that has none is no vector."""
        spoken = tuple(message(f"m-{no}", second=no // 2, session=f"s{no % 2}") for no in range(5))
        rows = tuple(embedding(f"m-{no}", 1.0, no) for no in range(4))
        other = embedding("m-4", 1.0, model="model-2")
        write(store, Changes(messages=spoken, embeddings=(*rows, other)))
        write(store, Changes(embeddings=(embedding("m-3"),)))
        with store.read(SCOPE) as view:
            assert [rows[2], rows[0], rows[1]] == list(view.message_vectors("model-1", among=Among()))
            assert [rows[2]] == list(view.message_vectors("model-1", among=Among(), limit=1))
            assert [rows[1]] == list(view.message_vectors("model-1", among=Among(session="s1")))
            assert [other] == list(view.message_vectors("model-2", among=Among()))
            asked = ["m-4", "m-3", "m-2", "m-0", "m-0"]
            assert [rows[0], rows[2]] == list(view.vectors(Embedded.MESSAGE, asked, model="model-1"))
            assert list(view.vectors(Embedded.RECORD, ["m-0"], model="model-1")) == []

    def test_vectors_of_records_come_newest_first_while_the_record_is_active(self, store: Store) -> None:
        """Those of a record that was put away are kept, and come back with it."""
        records = (claim("r-1"), claim("r-2", second=1), claim("r-3", second=2, status=Status.DELETED))
        rows = tuple(embedding(f"r-{no}", 1.0, no, kind=Embedded.RECORD) for no in (1, 2, 3))
        write(store, Changes(records=records, embeddings=rows))
        with store.read(SCOPE) as view:
            assert [rows[1], rows[0]] == list(view.record_vectors("model-1"))
            assert [rows[1]] == list(view.record_vectors("model-1", limit=1))
        put(store, claim("r-3", second=2))
        with store.read(SCOPE) as view:
            assert [rows[2], rows[1], rows[0]] == list(view.record_vectors("model-1"))

    def test_what_a_model_has_not_looked_at_is_told_newest_first(self, store: Store) -> None:
        """Another model has looked at nothing yet, and its vector takes the place of the first one's."""
        write(store, Changes(messages=tuple(message(f"m-{no}", second=no) for no in range(3))))
        put(store, claim("r-1"), claim("r-2", second=1), claim("r-3", status=Status.DELETED))
        write(store, Changes(embeddings=(embedding("m-1"), embedding("r-2", 1.0, kind=Embedded.RECORD))))
        with store.read(SCOPE) as view:
            assert list(view.unembedded(Embedded.MESSAGE, model="model-1")) == ["m-2", "m-0"]
            assert list(view.unembedded(Embedded.MESSAGE, model="model-1", limit=1)) == ["m-2"]
            assert list(view.unembedded(Embedded.RECORD, model="model-1")) == ["r-1"]
            assert list(view.unembedded(Embedded.RECORD, model="model-2")) == ["r-2", "r-1"]
        write(store, Changes(embeddings=(embedding("m-1", 1.0, model="model-2"),)))
        with store.read(SCOPE) as view:
            assert list(view.unembedded(Embedded.MESSAGE, model="model-1")) == ["m-2", "m-1", "m-0"]

    def test_a_vector_goes_with_its_text(self, store: Store) -> None:
        """When it is erased, and when it becomes another text; writing the same again leaves it."""
        texts = Changes(
            messages=(message("m-1", "green tea"), message("m-2", "black tea"), message("m-3", "no tea")),
            records=(claim("r-1"), claim("r-2", "black tea"), claim("r-3", "no tea")),
        )
        ids = [(kind, f"{kind.value[0]}-{no}") for kind in Embedded for no in (1, 2, 3)]
        vectors = tuple(embedding(name, 1.0, kind=kind) for kind, name in ids)
        write(store, attrs.evolve(texts, embeddings=vectors))
        write(store, texts)
        write(store, Changes(messages=(message("m-1", "▇▇▇▇▇ tea"),), records=(claim("r-1", "▇▇▇▇▇ tea"),)))
        write(store, erasing("r-2"))
        write(store, unsaying("m-2"))
        with store.read(SCOPE) as view:
            left = [one.id for kind, name in ids for one in view.vectors(kind, [name], model="model-1")]
            assert left == ["m-3", "r-3"]
            assert list(view.unembedded(Embedded.MESSAGE, model="model-1")) == ["m-1"]

    def test_a_vector_of_what_is_not_there_is_passed_over(self, store: Store) -> None:
        """It was erased while the vector was being made, or belongs to somebody else."""
        write(store, Changes(messages=(message(),), records=(claim(),)), scope=OTHER)
        stray = (embedding("m-1", 1.0), embedding("r-1", 1.0, kind=Embedded.RECORD))
        write(store, Changes(embeddings=stray))
        assert list(store.scopes()) == [OTHER]
        write(store, Changes(messages=(message(),), records=(claim("r-9"),)))
        with store.read(SCOPE) as view:
            assert list(view.message_vectors("model-1", among=Among())) == []
            assert list(view.unembedded(Embedded.RECORD, model="model-1")) == ["r-9"]

    # Threads, guards, audit, pending

    def test_threads_come_newest_first_then_by_id(self, store: Store) -> None:
        """With all their fields."""
        full = attrs.evolve(
            thread("t-c", second=1),
            entity_ref="Lin",
            status=ThreadStatus.CLOSED,
            expires_at=at(7),
            followup_session="s-2",
            updated_at=at(5),
        )
        write(
            store,
            Changes(threads=(thread("t-b", second=1), thread("t-a", second=1), full), records=(claim(),)),
        )
        with store.read(SCOPE) as view:
            assert [full, thread("t-a", second=1), thread("t-b", second=1)] == list(view.threads())

    def test_a_thread_knows_the_scope_that_holds_it(self, store: Store) -> None:
        """This one, another one, or nobody."""
        write(store, Changes(threads=(thread("t-1"),)))
        write(store, Changes(threads=(thread("t-2"),)), scope=OTHER)
        with store.read(SCOPE) as view:
            assert view.thread_owner("t-1") == SCOPE
            assert view.thread_owner("t-2") == OTHER
            assert view.thread_owner("t-3") is None
            assert [one.id for one in view.threads()] == ["t-1"]

    def test_suppressions_come_by_kind_and_target(self, store: Store) -> None:
        """One for each kind and target; the later moment stands."""
        rows = (
            suppression("b"),
            suppression("a"),
            suppression("a", SuppressionKind.PREDICATE),
            suppression("*", SuppressionKind.ALL),
            suppression("b", second=3),
        )
        write(store, Changes(suppressions=rows))
        with store.read(SCOPE) as view:
            assert [rows[3], rows[2], rows[1], rows[4]] == list(view.suppressions())

    def test_fingerprints_come_by_digest_and_label(self, store: Store) -> None:
        """The same content forgotten twice is kept under both labels."""
        rows = (fingerprint("b", "r-1"), fingerprint("a", "r-2"), fingerprint("a", "r-1"))
        write(store, Changes(fingerprints=rows))
        with store.read(SCOPE) as view:
            assert [rows[2], rows[1], rows[0]] == list(view.fingerprints())

    def test_lifting_takes_suppressions_and_labels_away(self, store: Store) -> None:
        """Kind and target name a suppression, whenever it was made; what is not there is left alone."""
        write(
            store,
            Changes(
                suppressions=(suppression("r-1"), suppression("r-2")),
                fingerprints=(fingerprint("a", "r-1"), fingerprint("b", "r-1"), fingerprint("a", "r-2")),
            ),
        )
        write(
            store,
            Changes(
                lift_suppressions=(suppression("r-1", second=99), suppression("r-9")),
                lift_labels=(RecordId("r-1"), RecordId("r-9")),
            ),
        )
        with store.read(SCOPE) as view:
            assert [suppression("r-2")] == list(view.suppressions())
            assert [fingerprint("a", "r-2")] == list(view.fingerprints())

    def test_a_change_set_lifts_after_it_added(self, store: Store) -> None:
        """Tuples are applied in the order of the fields."""
        write(
            store,
            Changes(
                suppressions=(suppression("r-1"),),
                fingerprints=(fingerprint("a", "r-1"),),
                lift_suppressions=(suppression("r-1"),),
                lift_labels=(RecordId("r-1"),),
                jobs=(job("m-1"),),
                done=(MessageId("m-1"),),
                revision_step=1,
            ),
        )
        with store.read(SCOPE) as view:
            assert [*view.suppressions(), *view.fingerprints(), *view.jobs()] == []

    def test_decisions_come_oldest_first_then_by_id(self, store: Store) -> None:
        """All of them, or those about one record."""
        lines = (
            decision("d-2", record_id="r-1", second=1),
            decision("d-1", record_id="r-2", second=1),
            attrs.evolve(decision("d-3", message_id="m-1", second=0), candidate_id="c-1"),
        )
        write(store, Changes(decisions=lines))
        with store.read(SCOPE) as view:
            assert [lines[2], lines[1], lines[0]] == list(view.decisions())
            assert [lines[0]] == list(view.decisions(record_id="r-1"))
            assert list(view.decisions(record_id="r-9")) == []

    def test_pending_pointers_come_oldest_first_then_by_id(self, store: Store) -> None:
        """With all their fields."""
        rows = (pending("p-b", second=1), pending("p-a", second=1), pending("p-c", second=0))
        write(store, Changes(pending=rows))
        with store.read(SCOPE) as view:
            assert [rows[2], rows[1], rows[0]] == list(view.pending())

    # Jobs

    def test_jobs_are_first_in_first_out(self, store: Store) -> None:
        """By the time they were enqueued, then by message; what is due leaves dead ones out."""
        rows = (
            job("m-b", second=1),
            job("m-a", second=1),
            job("m-c", second=0, dead=True),
            job("m-d", due=5),
        )
        write(store, Changes(jobs=rows))
        with store.read(SCOPE) as view:
            assert [one.message_id for one in view.jobs()] == ["m-c", "m-d", "m-a", "m-b"]
            assert [one.message_id for one in view.jobs(limit=2)] == ["m-c", "m-d"]
            assert [one.message_id for one in view.jobs(due=at(4.999999))] == ["m-a", "m-b"]
            assert [one.message_id for one in view.jobs(due=at(5))] == ["m-d", "m-a", "m-b"]
            assert [one.message_id for one in view.jobs(due=at(5), limit=1)] == ["m-d"]
            assert list(view.jobs(limit=0)) == []

    def test_a_job_can_be_put_off_and_done(self, store: Store) -> None:
        """It is one job for each message."""
        write(store, Changes(jobs=(job("m-1"), job("m-2"))))
        later = Job(message_id=MessageId("m-1"), enqueued_at=at(0), attempts=3, due_at=at(60), dead=True)
        write(store, Changes(jobs=(later,), done=(MessageId("m-2"), MessageId("m-9"))))
        with store.read(SCOPE) as view:
            assert later == view.job("m-1")
            assert view.job("m-2") is None
            assert [later] == list(view.jobs())

    # Erasing

    def test_an_erased_record_takes_everything_along(self, store: Store) -> None:
        """Evidence, index entries, threads and decisions go; the message and the neighbours stay."""
        write(
            store,
            Changes(
                messages=(message(text="a secret about zanzibar"),),
                records=(claim("r-1", "zanzibar"), claim("r-2", "cello")),
                threads=(thread("t-1", "zanzibar trip", record_id="r-1"), thread("t-2", record_id="r-2")),
                decisions=(decision("d-1", record_id="r-1"), decision("d-2", record_id="r-2")),
                revision_step=1,
            ),
        )
        write(store, erasing("r-1"))
        with store.read(SCOPE) as view:
            assert ids(view.records(ANY_STATUS)) == ["r-2"]
            assert list(view.find(["zanzibar"], limit=5)) == []
            assert [one.id for one in view.threads()] == ["t-2"]
            assert [one.id for one in view.decisions()] == ["d-2"]
            assert view.message("m-1") is not None
        assert store.contains("about zanzibar")
        write(store, unsaying("m-1"))
        assert not store.contains("zanzibar")

    def test_an_erased_message_takes_what_points_at_it_along(self, store: Store) -> None:
        """Jobs, pending pointers and decisions go; records stay, since they are the domain's affair."""
        write(
            store,
            Changes(
                messages=(message("m-1"), message("m-2")),
                records=(claim(),),
                jobs=(job("m-1"), job("m-2")),
                pending=(pending("p-1", message_id="m-1"), pending("p-2", message_id="m-2")),
                decisions=(decision("d-1", message_id="m-1"), decision("d-2", message_id="m-2")),
            ),
        )
        write(store, unsaying("m-1"))
        with store.read(SCOPE) as view:
            assert [one.id for one in view.messages()] == ["m-2"]
            assert [one.message_id for one in view.jobs()] == ["m-2"]
            assert [one.id for one in view.pending()] == ["p-2"]
            assert [one.id for one in view.decisions()] == ["d-2"]
            assert ids(view.records()) == ["r-1"]

    def test_erasing_comes_before_writing(self, store: Store) -> None:
        """What a change set both erases and writes is there afterwards, and only in its new form."""
        write(store, Changes(records=(claim(value="cello"),), decisions=(decision(record_id="r-1"),)))
        write(store, attrs.evolve(erasing("r-1"), records=(claim(value="piano"),)))
        with store.read(SCOPE) as view:
            assert [claim(value="piano")] == list(view.records())
            assert list(view.decisions()) == []
            assert list(view.find(["cello"], limit=5)) == []

    def test_erasing_what_is_not_there_does_nothing(self, store: Store) -> None:
        """Neither an unknown id nor one of another scope."""
        write(store, Changes(records=(claim(),), messages=(message(),)), scope=OTHER)
        write(store, erasing("r-1", "r-9"))
        write(store, unsaying("m-1", "m-9"))
        assert list(store.scopes()) == [OTHER]
        with store.read(OTHER) as view:
            assert [claim()] == list(view.records())
            assert [message()] == list(view.messages())

    # Units and views

    def test_a_unit_sees_its_own_changes(self, store: Store) -> None:
        """In every read, before anything is committed."""
        with store.write(SCOPE) as unit:
            unit.apply(Changes(records=(claim(),), messages=(message(),), jobs=(job(),), revision_step=1))
            assert [claim()] == list(unit.records())
            assert list(unit.find(["tea"], limit=5)) == ["r-1"]
            assert message() == unit.message("m-1")
            assert job() == unit.job("m-1")
            assert [claim()] == list(unit.under(["preference.likes"]))
            unit.apply(erasing("r-1"))
            assert list(unit.records()) == []
            assert list(unit.find(["tea"], limit=5)) == []

    @pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
    def test_a_unit_that_raises_leaves_nothing(self, store: Store, error: type[BaseException]) -> None:
        """All of it is undone, erasures too, and the store goes on working."""
        put(store, claim("r-1"))
        with pytest.raises(error), store.write(SCOPE) as unit:
            unit.apply(Changes(records=(claim("r-2"),), messages=(message(),), revision_step=1))
            unit.apply(erasing("r-1"))
            raise error
        with store.read(SCOPE) as view:
            assert view.revision() == 0
            assert ids(view.records()) == ["r-1"]
            assert list(view.find(["tea"], limit=5)) == ["r-1"]
            assert list(view.messages()) == []
        put(store, claim("r-3"))
        with store.read(SCOPE) as view:
            assert ids(view.records()) == ["r-1", "r-3"]

    def test_a_view_does_not_see_what_is_written_during_its_life(self, store: Store) -> None:
        """Neither additions nor erasures, nor in a scope that did not exist before."""
        put(store, claim("r-1"))
        with store.read(SCOPE) as view, store.read(OTHER) as empty:
            write(store, Changes(records=(claim("r-2"),), revision_step=1))
            write(store, erasing("r-1"))
            put(store, claim("r-3"), scope=OTHER)
            assert view.revision() == 0
            assert ids(view.records()) == ["r-1"]
            assert claim("r-1") == view.record("r-1")
            assert list(view.find(["tea"], limit=5)) == ["r-1"]
            assert list(empty.records()) == []
            assert not view.foreign("r-3")
        with store.read(SCOPE) as view:
            assert ids(view.records()) == ["r-2"]

    def test_a_view_and_a_unit_end_with_their_block(self, store: Store) -> None:
        """Held on to, they refuse."""
        with store.read(SCOPE) as view:
            pass
        with pytest.raises(StoreError):
            view.records()
        with store.write(SCOPE) as unit:
            pass
        with pytest.raises(StoreError):
            unit.apply(Changes(revision_step=1))

    def test_units_of_threads_follow_one_another(self, store: Store) -> None:
        """What is read in a unit is still true when it writes."""

        def count() -> None:
            for _ in range(10):
                with store.write(SCOPE) as unit:
                    record = unit.record("r-1")
                    assert record is not None
                    assert is_claim(record)
                    assert isinstance(record.body.value, int)
                    unit.apply(Changes(records=(claim(value=record.body.value + 1),), revision_step=1))

        put(store, claim(value=0))
        threads = [threading.Thread(target=count) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        with store.read(SCOPE) as view:
            assert view.revision() == 40
            assert [claim(value=40)] == list(view.records())

    def test_readers_of_other_threads_see_whole_units(self, store: Store) -> None:
        """Two records that are always written together are always seen together."""
        torn = []
        done = threading.Event()

        def look() -> None:
            while not done.is_set():
                with store.read(SCOPE) as view:
                    values = {record.body.value for record in view.records() if is_claim(record)}
                    if len(values) > 1:
                        torn.append(values)

        reader = threading.Thread(target=look)
        reader.start()
        for value in range(30):
            put(store, claim("r-1", value), claim("r-2", value))
        done.set()
        reader.join()
        assert torn == []

    def test_a_unit_inside_a_unit_is_refused(self, store: Store) -> None:
        """There is no other writer until a unit ends, not even in the same thread."""
        with store.write(SCOPE) as unit:
            with pytest.raises(StoreError), store.write(OTHER):
                pass
            unit.apply(Changes(records=(claim(),)))
        with store.read(SCOPE) as view:
            assert ids(view.records()) == ["r-1"]

    # Ids of other scopes

    def test_bearers_are_told_of_many_ids_at_once(self, store: Store) -> None:
        """Of this scope in any status, None for those of another, and nothing of those that are free."""
        held = [claim("r-1", status=Status.DELETED), episode("r-2"), claim("a\x00b"), claim("a\x00c")]
        put(store, *held)
        put(store, claim("r-3"), claim("b\x00a"), scope=OTHER)
        with store.read(SCOPE) as view:
            borne = view.bearers(["r-3", "r-2", "r-1", "r-4", "a\x00b", "a", "b\x00a", "b"])
            assert borne == {"r-1": held[0], "r-2": held[1], "a\x00b": held[2], "r-3": None, "b\x00a": None}
            assert view.bearers([]) == {}
        put(store, attrs.evolve(held[2], status=Status.DELETED))
        with store.read(SCOPE) as view:
            assert view.bearers(["a\x00b"]) == {held[2].id: attrs.evolve(held[2], status=Status.DELETED)}

    def test_an_id_of_another_scope_is_foreign(self, store: Store) -> None:
        """Ids of this scope and unknown ids are not."""
        put(store, claim("r-1"), scope=OTHER)
        put(store, claim("r-2"))
        with store.read(SCOPE) as view:
            assert view.foreign("r-1")
            assert not view.foreign("r-2")
            assert not view.foreign("r-3")
        with store.read(attrs.evolve(SCOPE, owner="nobody")) as view:
            assert view.foreign("r-2")

    @pytest.mark.parametrize(
        "changes",
        [
            Changes(records=(claim("r-5"), claim("r-1"))),
            Changes(threads=(thread("t-5"), thread("t-1"))),
            Changes(pending=(pending("p-5"), pending("p-1"))),
        ],
        ids=["record", "thread", "pending"],
    )
    def test_an_id_of_another_scope_cannot_be_written(self, store: Store, changes: Changes) -> None:
        """Nothing of the unit survives, and trying again would not help; caught or not."""
        taken = Changes(records=(claim(),), threads=(thread(),), pending=(pending(),))
        write(store, taken, scope=OTHER)
        with pytest.raises(StoreError) as caught, store.write(SCOPE) as unit:
            unit.apply(Changes(messages=(message(),), revision_step=1))
            unit.apply(changes)
        assert not caught.value.retryable
        with pytest.raises(StoreError), store.write(SCOPE) as unit:
            unit.apply(Changes(messages=(message(),), revision_step=1))
            with pytest.raises(StoreError):
                unit.apply(changes)
        assert list(store.scopes()) == [OTHER]
        with store.read(OTHER) as view:
            assert [claim()] == list(view.records())
            assert [thread()] == list(view.threads())
            assert [pending()] == list(view.pending())

    def test_messages_jobs_and_decisions_may_share_ids_across_scopes(self, store: Store) -> None:
        """Their ids are names within one scope."""
        for number, scope in enumerate((SCOPE, OTHER)):
            write(
                store,
                Changes(
                    messages=(message(text=str(number)),),
                    jobs=(job(due=number),),
                    decisions=(decision(second=number),),
                    suppressions=(suppression("x", second=number),),
                    fingerprints=(fingerprint("x", second=number),),
                ),
                scope=scope,
            )
        write(store, unsaying("m-1"), scope=OTHER)
        with store.read(SCOPE) as view:
            assert [message(text="0")] == list(view.messages())
            assert [job()] == list(view.jobs())
            assert [decision()] == list(view.decisions())

    # Scopes

    def test_scopes_are_listed_by_key(self, store: Store) -> None:
        """Every scope that holds anything, were it only a revision."""
        write(store, Changes(revision_step=1))
        put(store, claim("r-1"), scope=OTHER)
        write(store, Changes(suppressions=(suppression("*"),)), scope=attrs.evolve(SCOPE, service="a"))
        assert [(scope.service, scope.owner) for scope in store.scopes()] == [
            ("a", "ada-4711"),
            ("tests", "ada-4711"),
            ("tests", "somebody-else"),
        ]

    def test_a_scope_that_holds_nothing_any_more_is_gone(self, store: Store) -> None:
        """With its name."""
        write(store, Changes(records=(claim(),), messages=(message(),), jobs=(job(),)))
        write(store, Changes(erase_records=(RecordId("r-1"),), erase_messages=(MessageId("m-1"),)))
        assert list(store.scopes()) == []
        assert not store.contains(SCOPE.owner)

    @pytest.mark.parametrize("scope", LOOK_ALIKES, ids=lambda scope: scope.key)
    def test_scopes_that_look_alike_are_apart(self, store: Store, scope: Scope) -> None:
        """No key is another's pattern, prefix, other case or other spelling."""
        for number, other in enumerate(LOOK_ALIKES):
            write(
                store,
                Changes(
                    messages=(message(text=other.key),),
                    records=(claim(f"r-{number}", "cello"),),
                    threads=(thread(f"t-{number}"),),
                    suppressions=(suppression(other.key),),
                    jobs=(job(),),
                    revision_step=number,
                ),
                scope=other,
            )
        number = LOOK_ALIKES.index(scope)
        with store.read(scope) as view:
            assert number == view.revision()
            assert [f"r-{number}"] == ids(view.records())
            assert [f"r-{number}"] == list(view.find(["cello"], limit=99))
            assert [scope.key] == [one.text for one in view.messages()]
            assert [f"t-{number}"] == [one.id for one in view.threads()]
            assert [scope.key] == [one.target for one in view.suppressions()]
            assert len(view.jobs()) == 1
        assert sorted(LOOK_ALIKES, key=lambda one: one.key) == list(store.scopes())

    # Texts

    @pytest.mark.parametrize("text", HARD_TEXTS.values(), ids=HARD_TEXTS.keys())
    def test_any_text_comes_back_as_it_was(self, store: Store, text: str) -> None:
        """In messages, bodies, quotes, summaries and ids."""
        record = claim(f"r-{text[:20]}", text, entity_ref=text, evidence=(quoted(text),))
        said = message(f"m-{text[:20]}", text, session=text)
        open_one = attrs.evolve(thread(summary=text), entity_ref=text)
        write(store, Changes(records=(record,), messages=(said,), threads=(open_one,)))
        assert is_claim(record)
        with store.read(SCOPE) as view:
            assert record == view.record(record.id)
            assert [record] == list(view.records())
            assert [record] == list(view.slot(slot_of(record.body)))
            assert said == view.message(said.id)
            assert [said] == list(view.messages(session=text))
            assert [open_one] == list(view.threads())

    def test_a_lone_surrogate_comes_back_or_is_refused(self, store: Store) -> None:
        """It is no text that could be written as UTF-8; refused, nothing of the unit is written."""
        broken = message(text="half \ud83d")
        try:
            write(store, Changes(messages=(broken,), revision_step=1))
        except StoreError:
            assert list(store.scopes()) == []
        else:
            with store.read(SCOPE) as view:
                assert [broken] == list(view.messages())

    @pytest.mark.parametrize("text", [one for one in HARD_TEXTS.values() if one.strip()])
    def test_contains_finds_what_is_stored_and_nothing_that_was_erased(self, store: Store, text: str) -> None:
        """Whichever of its homes the text has."""
        homes = {
            "value": Changes(records=(claim(value=text, evidence=()),)),
            "quote": Changes(records=(claim(evidence=(quoted(text),)),)),
            "message": Changes(messages=(message(text=text),)),
            "summary": Changes(records=(claim(),), threads=(thread(summary=text),)),
        }
        for home, changes in homes.items():
            assert not store.contains(text), home
            write(store, changes)
            assert store.contains(text), home
            write(store, Changes(erase_records=(RecordId("r-1"),), erase_messages=(MessageId("m-1"),)))
            assert not store.contains(text), home

    # The store as a whole

    def test_the_secret_is_long_and_stays(self, store: Store) -> None:
        """At least 32 bytes."""
        assert len(store.secret) >= 32
        assert store.secret == store.secret

    def test_the_footprint_names_files_that_exist(self, store: Store) -> None:
        """And adds up their bytes; a store in memory has none."""
        put(store, claim())
        footprint = store.footprint()
        assert footprint.bytes == sum(os.path.getsize(name) for name in footprint.files)

    # -- surveys and backups

    def test_a_survey_shows_every_row_that_is_stored(self, store: Store) -> None:
        """By another way than views, and so that a check finds nothing wrong with the form of any row."""
        for scope in (OTHER, SCOPE):
            mine = scope == SCOPE
            write(store, one_of_everything("a" if mine else "b"), scope=scope)
        with store.survey() as survey:
            assert check_medium(survey.medium()) == ()
            snapshots = list(survey.snapshots())
            found = [one for rows in snapshots for one in check(rows, secret=store.secret, now=at(9))]
        assert [rows.scope.key for rows in snapshots] == sorted(scope.key for scope in (SCOPE, OTHER))
        for rows in snapshots:
            counts = (rows.records, rows.evidence, rows.messages, rows.threads, rows.suppressions)
            assert [len(each) for each in counts] == [3, 3, 1, 1, 1]
            others = (rows.fingerprints, rows.decisions, rows.pending, rows.jobs)
            assert [len(each) for each in others] == [1, 1, 1, 1]
            assert [edge.source for edge in rows.edges] == ["m-1"]
            assert rows.scope.revision == 7
        # The builders' records were never admitted; what is made up in them is told, and nothing else.
        made_up = {
            Code.QUOTE_MISMATCH,
            Code.PREDICATE_RETIRED,
            Code.FINGERPRINT_LOOSE,
            Code.EDGE_DANGLING,
        }
        assert {one.code for one in found} <= made_up

    def test_the_index_of_a_survey_follows_the_records(self, store: Store) -> None:
        """Entries of the active ones, by the record's number."""
        put(store, claim("r-1", "green tea"), claim("r-2", "black tea", status=Status.DELETED))
        with store.survey() as survey:
            (rows,) = survey.snapshots()
        numbers = {row.id: row.no for row in rows.records}
        assert dict(rows.postings) == {numbers["r-1"]: dict(record_terms(claim("r-1", "green tea")))}

    def test_what_was_said_is_surveyed_with_its_index(self, store: Store) -> None:
        """Every message once, however often it is gone through while the survey lasts."""
        write(store, conversation("green tea", "so it is"))
        with store.survey() as survey:
            (rows,) = survey.snapshots()
            first, again = list(rows.said), list(rows.said)
        assert [row.id for row in first] == [row.id for row in again] == ["m-0", "m-1"]
        assert [dict(row.posted) for row in first] == [dict(message_terms(row.text)) for row in first]
        assert (rows.said_strays, rows.said_miscounted) == ((), 0)

    def test_a_survey_does_not_see_what_is_written_during_its_life(self, store: Store) -> None:
        """It looks at one state of the whole store."""
        put(store, claim("r-1"))
        with store.survey() as survey:
            survey.medium()
            thread = threading.Thread(target=put, args=(store, claim("r-2")))
            thread.start()
            thread.join(0.2)
            assert [[row.id for row in rows.records] for rows in survey.snapshots()] == [["r-1"]]
        thread.join()

    def test_a_backup_is_written_whole_or_refused(self, store: Store, tmp_path: Path) -> None:
        """A store without a medium has none; the others write one file, and replace it only when told."""
        put(store, claim())
        path = str(tmp_path / "copy")
        try:
            report = store.back_up(path)
        except UsageError:
            assert not os.path.exists(path)
            return
        assert report.bytes == os.path.getsize(path) > 0
        with pytest.raises(UsageError):
            store.back_up(path)
        assert store.back_up(path, overwrite=True).path == report.path

    def test_a_closed_store_refuses(self, store: Store) -> None:
        """Every call fails with a clear error; closing twice is harmless."""
        put(store, claim())
        store.close()
        store.close()
        with pytest.raises(StoreError), store.read(SCOPE):
            pass
        with pytest.raises(StoreError), store.write(SCOPE):
            pass
        with pytest.raises(StoreError):
            store.scopes()
        with pytest.raises(StoreError), store.survey():
            pass
