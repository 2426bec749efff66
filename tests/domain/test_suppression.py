"""What may not come back, kept without its words."""

from __future__ import annotations

import pytest

from builders import NOW, SCOPE, SECRET, claim, episode, guard, inference, message, said
from cmemory.domain.evidence.suppression import Ban, Guard, entities_of, fingerprints_of
from cmemory.domain.model.bodies import Participant
from cmemory.domain.model.changes import Fingerprint
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.model.scope import Scope


def forgotten(*records: AnyRecord, scope: Scope = SCOPE) -> Guard:
    """Return the guard of a scope in which these records were erased."""
    plain = guard(scope=scope)
    kept = [one for record in records for one in fingerprints_of(record, plain, now=NOW)]
    return guard(fingerprints=kept, scope=scope)


def ban_of(one: Guard, record: AnyRecord, *quotes: str) -> Ban | None:
    return one.ban(record.body, record_id="claim-new", quotes=quotes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value",
    ["养蚕", "养 蚕", "「养蚕」", "养\u200b蚕", "养\ufe00蚕。"],
)
def test_forgotten_words_are_known_in_any_disguise(value: str) -> None:
    """Spaces, brackets and invisible characters do not bring a forgotten value back, under any text key."""
    one = forgotten(claim("goal.current_focus", "养蚕"))
    assert Ban.CONTENT is ban_of(one, claim("goal.current_focus", value))
    assert Ban.CONTENT is ban_of(one, claim("ritual.recurring_activity", value))


def test_other_words_stay_sayable() -> None:
    """Forgetting one thing bans nothing else, and an empty guard bans nothing."""
    one = forgotten(claim("goal.current_focus", "养蚕"))
    assert ban_of(one, claim("goal.current_focus", "养蜂")) is None
    assert ban_of(guard(), claim("goal.current_focus", "养蚕")) is None


def test_tokens_are_banned_under_their_own_key_only() -> None:
    """Forgetting one "direct" says nothing about another key's "direct", nor about the word behind it."""
    one = forgotten(claim("advice.directness", "direct", raw="直接一点"))
    assert Ban.CONTENT is ban_of(one, claim("advice.directness", "direct"))
    assert ban_of(one, claim("communication.tone", "direct")) is None
    assert ban_of(one, claim("communication.tone", "direct", raw="直接一点")) is None
    assert Ban.CONTENT is ban_of(one, claim("advice.directness", "gentle", raw="直接 一点"))


def test_numbers_are_banned_under_their_own_key_only() -> None:
    """A forgotten age does not ban every 28, but it bans the age however it is written."""
    one = forgotten(claim("identity.age", 28))
    assert Ban.CONTENT is ban_of(one, claim("identity.age", "28"))
    assert Ban.CONTENT is ban_of(one, claim("identity.age", "２８"))
    assert ban_of(one, claim("person.age", 28, entity="妈妈")) is None
    assert ban_of(one, claim("identity.age", -28)) is None


def test_single_characters_are_banned_under_their_own_key_only() -> None:
    """One character is too common to be banned everywhere."""
    one = forgotten(claim("goal.current_focus", "琴"))
    assert Ban.CONTENT is ban_of(one, claim("goal.current_focus", "琴"))
    assert ban_of(one, claim("ritual.recurring_activity", "琴")) is None


def test_the_persons_wording_is_banned_as_well() -> None:
    """A claim is recognised by its value and by how it was said."""
    one = forgotten(claim("goal.current_focus", "通过司法考试", raw="过法考"))
    assert Ban.CONTENT is ban_of(one, claim("goal.current_focus", "过法考"))
    assert Ban.CONTENT is ban_of(one, claim("goal.aspiration", "别的", raw="通过司法考试"))


def test_punctuation_alone_can_be_forgotten() -> None:
    """A value without letters is compared as it is."""
    one = forgotten(claim("misc.unclassified", "!!!"))
    assert Ban.CONTENT is ban_of(one, claim("misc.unclassified", "!!!"))
    assert ban_of(one, claim("misc.unclassified", "???")) is None


def test_unknown_keys_are_compared_exactly() -> None:
    """A claim under a retired key is guarded under that key."""
    one = forgotten(claim("hobby.chess", "daily"))
    assert Ban.CONTENT is ban_of(one, claim("hobby.chess", "Daily"))
    assert ban_of(one, claim("hobby.go", "daily")) is None


def test_forgotten_episodes_do_not_return() -> None:
    """An episode is recognised by its narrative, without any suppression of its record id."""
    one = forgotten(episode("用户半夜带猫去了医院。"))
    assert Ban.CONTENT is ban_of(one, episode("用户半夜带猫去了医院"))
    assert ban_of(one, episode("用户白天带猫去了医院。")) is None


def test_the_proving_words_do_not_return() -> None:
    """The same quote under the same key is refused even when another value is read out of it."""
    source = message("我在学养蚕。")
    one = forgotten(claim("goal.current_focus", "养蚕", evidence=(said(source, "我在学养蚕"),)))
    assert Ban.CONTENT is ban_of(one, claim("goal.current_focus", "丝绸"), "我在学养蚕")
    assert ban_of(one, claim("goal.aspiration", "丝绸"), "我在学养蚕") is None


def test_words_that_also_prove_a_survivor_stay_sayable() -> None:
    """When one sentence proved two facts, forgetting one does not ban the sentence."""
    source = message("我叫阿橙，在学养蚕。")
    gone = claim("goal.current_focus", "养蚕", evidence=(said(source),))
    spoken_for = frozenset({("goal.current_focus", source.text)})
    kept = fingerprints_of(gone, guard(), now=NOW, spoken_for=spoken_for)
    one = guard(fingerprints=kept)
    assert ban_of(one, claim("goal.current_focus", "别的"), source.text) is None
    assert Ban.CONTENT is ban_of(one, claim("goal.current_focus", "养蚕"), source.text)


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (guard(everything=True, records=["claim-new"]), Ban.ALL),
        (guard(records=["claim-new"], predicates=["person.name"]), Ban.RECORD),
        (guard(predicates=["person.name"], entities=["Mia"]), Ban.PREDICATE),
        (guard(entities=["mia"]), Ban.ENTITY),
        (guard(entities=["Ｍ i a"]), Ban.ENTITY),
        (guard(entities=["Tom"], predicates=["person.age"], records=["claim-old"]), None),
    ],
)
def test_bans_by_target(one: Guard, expected: Ban | None) -> None:
    """Everything comes before id, key and name; a name is known in any disguise."""
    wanted = claim("person.name", "Mia", entity="Mia")
    assert expected is one.ban(wanted.body, record_id="claim-new")


def test_an_episode_is_covered_by_its_participants() -> None:
    """A forgotten person hides the episodes they took part in, not those that merely name them."""
    one = guard(entities=["Mia"])
    with_mia = episode("我们去看海。", participants=[Participant(role="friend", entity_ref="Mia")])
    assert one.hides(with_mia)
    assert not one.hides(episode("Mia 打来电话。"))
    assert not guard(predicates=["identity.name"]).hides(with_mia)


def test_hiding_covers_stored_records() -> None:
    """What a suppression covers is hidden whatever its kind."""
    record = inference(predicate="goal.current_focus")
    assert guard(predicates=["goal.current_focus"]).hides(record)
    assert guard(records=[record.id]).hides(record)
    assert guard(everything=True).hides(record)
    assert not guard().hides(record)


def test_another_relationship_is_not_affected() -> None:
    """The same words have another hash in another scope, and under another secret."""
    other = Scope(service="tests", owner="u-2", profile="luna")
    record = claim("goal.current_focus", "养蚕")
    kept = fingerprints_of(record, guard(), now=NOW)
    assert guard(fingerprints=kept, scope=other).ban(record.body, record_id="x") is None
    sealed = Guard.of((), (), scope=SCOPE, secret=SECRET[::-1], policy=guard().policy)
    assert set(kept).isdisjoint(fingerprints_of(record, sealed, now=NOW))


def test_fingerprints_hold_no_words() -> None:
    """Only keyed hashes and the record's id are kept."""
    source = message("我在学养蚕。")
    kept = fingerprints_of(claim("goal.current_focus", "养蚕", evidence=(said(source),)), guard(), now=NOW)
    assert kept
    assert all(64 == len(one.digest) and "claim-1" == one.label for one in kept)
    assert "养" not in repr(kept)
    assert SECRET.decode() not in repr(guard())


def test_an_inference_leaves_nothing_behind() -> None:
    """Its words were the system's own, so nobody has to be kept from saying them."""
    assert () == fingerprints_of(inference(), guard(), now=NOW)


def test_the_smallest_label_stands_for_shared_content() -> None:
    """Where two forgotten records share words, the lexicographically smallest id answers."""
    rows = [Fingerprint(digest="d", label=RecordId(label), created_at=NOW) for label in ("b", "a", "c")]
    assert {"d": "a"} == dict(guard(fingerprints=rows).contents)


def test_entities_are_structural() -> None:
    """A claim is about its entity, an episode about its participants, a narrative is never guessed at."""
    assert ("妈妈",) == entities_of(claim("person.name", "周敏", entity="妈妈").body)
    assert () == entities_of(claim("identity.name", "阿橙").body)
    both = [Participant(role="friend", entity_ref="Mia"), Participant(role="stranger")]
    assert ("Mia",) == entities_of(episode("x", participants=both).body)
    assert () == entities_of(inference().body)
