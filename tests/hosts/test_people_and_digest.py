"""Who and what is spoken of, and what a day brought: through the façade on both stores, in both languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cmemory import ByEntity, ByPredicate, Everything, Memory, ScopedMemory, UsageError
from cmemory.domain.model.bodies import Participant
from cmemory.domain.model.candidate import EpisodeCandidate
from cmemory.domain.plan.digest import Digest
from cmemory.domain.plan.people import Entity
from cmemory.testing.builders import quoted

# The zone of these memories is Asia/Shanghai.
DAY = "2026-03-0{}T18:00:00+08:00".format
NOW = DAY(9)

ENGLISH = {
    "sister": "My sister Mara is a nurse.",
    "again": "I visited my sister Mara.",
    "home": "I live in Leeds.",
    "moved": "I moved to York.",
    "fence": "Please don't bring up the divorce.",
}
CHINESE = {
    "sister": "我妹妹叫周岑，她是护士。",
    "again": "我妹妹叫周岑。",
    "home": "我住在上海。",
    "moved": "我搬到杭州了。",
    "fence": "别再提离婚的事。",
}
NAMES = {"en": ("Mara", "sister", "Leeds", "York", "divorce"), "zh": ("周岑", "妹妹", "上海", "杭州", "离婚")}


@pytest.fixture(params=["en", "zh"])
def language(request: pytest.FixtureRequest) -> str:
    """Return the language that is spoken."""
    return str(request.param)


@pytest.fixture
def told(luna: ScopedMemory, language: str) -> ScopedMemory:
    """Return a relationship in which a week was told: Monday the 2nd to Sunday the 8th of March 2026."""
    said = ENGLISH if language == "en" else CHINESE
    name, _, _, _, fenced = NAMES[language]
    for day, key in ((2, "sister"), (2, "home"), (3, "again"), (4, "moved"), (4, "fence")):
        luna.observe(said[key], session="s1", at=DAY(day))
        luna.learn(now=DAY(day))
    luna.observe("…", session="s1", speaker="assistant", at=DAY(4))
    _tell_episode(luna, name)
    _write(luna, f"{name}: call her back", "promise", at=DAY(4), tags=[name], due_on="2026-03-05")
    _write(luna, f"The {fenced} papers came", "event", at=DAY(4))
    _write(luna, f"{name} makes me calm", "feeling", at=DAY(4), tags=[name])
    return luna


def _tell_episode(luna: ScopedMemory, name: str) -> None:
    text = "We climbed the tower together."
    proof = quoted(text).quote
    assert proof is not None
    who = (Participant(role="user"), Participant(role="companion", entity_ref=name))
    # Whoever took part must stand in the message.
    said = f"{text} {name}"
    candidate = EpisodeCandidate(id="e-1", narrative=text, quote=proof, participants=who)
    (answer,) = luna.admit(said, [candidate], at=DAY(4))
    assert answer.stored, answer


def _write(luna: ScopedMemory, text: str, kind: str, **rest: Any) -> None:
    answer, *_ = luna.notes.write(text, kind=kind, **rest)
    assert answer.stored, answer


def person(luna: ScopedMemory, name: str, **rest: Any) -> Entity:
    (found,) = [one for one in luna.people(now=NOW, **rest) if one.name == name]
    return found


def look(luna: ScopedMemory, day: str = "2026-03-04", **rest: Any) -> Digest:
    return luna.digest(day, **{"now": NOW, **rest})


def texts(made: Digest) -> dict[str, list[str]]:
    parts = {part: getattr(made, part) for part in ("learned", "happened", "ahead", "felt")}
    return {part: [one.text for one in found] for part, found in parts.items() if found}


def test_who_is_known_and_what_is_said(told: ScopedMemory, language: str) -> None:
    """Claims, an episode and notes meet in one person; the old home is gone, the new one is there."""
    name, word, old, new, fenced = NAMES[language]
    names = [one.name for one in told.people(now=NOW)]
    assert (name, True, False) == (names[0], new in names, old in names)
    mara = person(told, name)
    assert {"claim", "episode", "note"} == {one.kind for one in mara.said}
    assert [("user", word, name)] == [(one.source, one.word, one.target) for one in mara.relations]
    (relation,) = mara.relations
    assert "person.relation_label" == getattr(told.show(relation.record_ids[0]).body, "predicate", None)
    assert ("2026-03-02", "2026-03-04") == (str(mara.first_seen)[:10], str(mara.last_seen)[:10])
    assert [new] == [one.name for one in told.people(kind="place", now=NOW)]
    assert fenced not in str(told.people(now=NOW))


def test_a_day_in_sections(told: ScopedMemory, language: str) -> None:
    """What changed, happened, lies ahead and was felt on one day; the fenced papers and the fence are counted."""
    name, _, old, new, fenced = NAMES[language]
    made = look(told, language=language)
    assert {
        "happened": ["We climbed the tower together."],
        "ahead": [f"{name}: call her back"],
        "felt": [f"{name} makes me calm"],
    } == texts(made)
    (change,) = made.changed
    assert change.after is not None
    assert (f"identity.location: {old}", f"identity.location: {new}") == (
        change.before.text,
        change.after.text,
    )
    assert {"boundary_shielded": 2} == made.withheld
    assert fenced not in made.text
    assert {"user": 6, "assistant": 1} == made.messages
    assert ("Learned" if language == "en" else "新知道的") in look(told, "2026-03-02", language=language).text


def test_a_week_holds_its_days(told: ScopedMemory, language: str) -> None:
    """Seven days in one, from Monday on; the day before is not in it."""
    name, *_ = NAMES[language]
    week = look(told, "2026-03-08", span="week")
    assert ("2026-03-02", "2026-03-08") == (week.first, week.last)
    assert any(name in (one.about or "") for one in week.learned)
    before = look(told, "2026-03-01", span="week")
    assert ("2026-02-23", "2026-03-01", {}) == (before.first, before.last, before.messages)
    assert {"ahead": [f"{name}: call her back"]} == texts(before)


def test_a_day_is_that_of_the_zone(luna: ScopedMemory) -> None:
    """One in the morning in Shanghai is still yesterday in Greenwich."""
    luna.remember("My name is Nora.", at="2026-03-01T17:00:00Z")
    assert [] == list(texts(look(luna, "2026-03-01")))
    assert {"learned": ["identity.name: Nora"]} == texts(luna.digest(now="2026-03-01T17:30:00Z"))


def test_forgetting_somebody_leaves_them_in_no_view(told: ScopedMemory, language: str) -> None:
    """Nothing is stored, so nothing is left, and nothing is counted either."""
    name, *_ = NAMES[language]
    before = look(told, span="week")
    told.forget(ByEntity(name), now=NOW)
    assert name not in str(told.people(everything=True, now=NOW))
    week = look(told, span="week")
    assert name not in str(week)
    assert before.withheld == week.withheld
    told.forget(Everything.EVERYTHING, now=NOW)
    assert () == told.people(everything=True, now=NOW)
    assert Digest(first="2026-03-02", last="2026-03-08") == look(told, span="week")


def test_a_forgotten_key_is_no_relation(told: ScopedMemory, language: str) -> None:
    """What else is said of them stays."""
    told.forget(ByPredicate("person.relation_label"), now=NOW)
    assert () == person(told, NAMES[language][0]).relations


def test_muting_hides_from_the_host_and_marks_for_the_owner(told: ScopedMemory, language: str) -> None:
    """Until it is unmuted; a digest counts it."""
    name, *_ = NAMES[language]
    (relation,) = person(told, name).relations
    (muted,) = relation.record_ids
    told.mute(muted, now=NOW)
    assert muted not in [one.record_id for one in person(told, name).said]
    assert () == person(told, name).relations
    (marked,) = [one for one in person(told, name, everything=True).said if one.untold is not None]
    assert (muted, "do_not_surface") == (marked.record_id, marked.untold and marked.untold.value)
    assert {"do_not_surface": 1} == look(told, "2026-03-02").withheld
    told.unmute(muted, now=NOW)
    assert 1 == len(person(told, name).relations)


def test_putting_away_hides_from_everybody(told: ScopedMemory, language: str) -> None:
    """And `restore` brings it back."""
    name, *_ = NAMES[language]
    (relation,) = person(told, name).relations
    told.delete(relation.record_ids[0], now=NOW)
    assert () == person(told, name, everything=True).relations
    told.restore(relation.record_ids[0], now=NOW)
    assert 1 == len(person(told, name).relations)


def test_a_fence_around_somebody_takes_them_out(told: ScopedMemory, language: str) -> None:
    """Everything about them is withheld, the episode that names them only structurally too."""
    name, *_ = NAMES[language]
    told.remember(f"Don't talk about {name}.", predicate="boundary.topic_avoid", value=name, at=DAY(5))
    assert name not in [one.name for one in told.people(now=NOW)]
    assert {"boundary_shielded"} == {
        one.untold.value for one in person(told, name, everything=True).said if one.untold is not None
    }
    assert name not in look(told).text


def test_a_correction_is_a_change_and_renames(luna: ScopedMemory) -> None:
    """Everything known of Anna is known of Hanna; the digest says what became what."""
    luna.remember("My sister Anna is a baker.", at=DAY(2))
    luna.remember("It's Hanna, not Anna.", at=DAY(3))
    assert ["Hanna"] == [one.name for one in luna.people(now=NOW)]
    changes = look(luna, "2026-03-03").changed
    assert {("Anna", "Hanna")} == {
        (one.before.about or one.before.text[-4:], one.after and (one.after.about or one.after.text[-5:]))
        for one in changes
    }


@pytest.mark.parametrize(
    ("first", "second"),
    [("I have a sister.", "Actually, I don't have a sister."), ("我有个妹妹。", "其实我没有妹妹。")],
)
def test_a_retraction_is_told_as_such(luna: ScopedMemory, first: str, second: str) -> None:
    """Nothing took the place of what was taken back."""
    luna.remember(first, at=DAY(2))
    luna.remember(second, at=DAY(3))
    assert () == luna.people(everything=True, now=NOW)
    assert [None] == [one.after for one in look(luna, "2026-03-03").changed]
    assert [] == list(texts(look(luna, "2026-03-02")))


def test_the_order_of_telling_is_nothing_but_time(memory: Memory) -> None:
    """The same things said at the same moments give the same views, whichever was taken in first."""
    said = [
        ("My sister Mara is a nurse.", DAY(2)),
        ("I live in Leeds.", DAY(2)),
        ("My name is Nora.", DAY(2)),
    ]
    views = []
    for owner, order in (("a", said), ("b", said[::-1])):
        luna = memory.scope(service="lamplight", owner=owner, profile="luna")
        for text, at in order:
            luna.remember(text, at=at)
        views.append(
            ([_plain(one) for one in luna.people(now=NOW)], sorted(look(luna, "2026-03-02").text.split("\n")))
        )
    assert views[0] == views[1]


def _plain(one: Entity) -> tuple[object, ...]:
    # Ids differ by the owner, and order what was said at one moment.
    return one.name, one.kind, sorted(said.text for said in one.said), [edge.word for edge in one.relations]


def test_another_relationship_sees_nothing(told: ScopedMemory, memory: Memory) -> None:
    """Neither people nor days."""
    other = memory.scope(service="lamplight", owner="u-43", profile="luna")
    assert () == other.people(everything=True, now=NOW)
    assert "" == look(other, span="week").text
    assert told.people(now=NOW)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"day": "2026-02-30"}, "day"),
        ({"day": "yesterday"}, "day"),
        ({"day": 20260301}, "day"),
        ({"span": "month"}, "span"),
        ({"language": "fr"}, "language"),
        ({"now": "noon"}, "now"),
    ],
)
def test_a_wrong_argument_is_named(luna: ScopedMemory, arguments: dict[str, Any], field: str) -> None:
    """The complaint says which, and what would do."""
    with pytest.raises(UsageError) as raised:
        luna.digest(**{"now": NOW, **arguments})
    assert field == raised.value.field


def test_an_unknown_kind_is_named(luna: ScopedMemory) -> None:
    """It lists those there are."""
    with pytest.raises(UsageError, match="person, place, event, other"):
        luna.people(kind="pet", now=NOW)


def test_looking_writes_nothing(told: ScopedMemory, memory: Memory, tmp_path: Path) -> None:
    """The revision stands, and so does every byte of an export."""
    before = told.stats().revision
    told.export(tmp_path / "before.jsonl", now=NOW)
    told.people(everything=True, now=NOW)
    look(told, span="week")
    told.export(tmp_path / "after.jsonl", now=NOW)
    assert before == told.stats().revision
    assert (tmp_path / "before.jsonl").read_bytes() == (tmp_path / "after.jsonl").read_bytes()
    assert [] == list(memory.selfcheck(now=NOW).findings)
