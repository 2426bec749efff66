"""How well records match what is looked for."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import pytest

from builders import NOW, claim, days, episode
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.policy import COMPANION, RecallPolicy
from cmemory.domain.recall.match import Found, Known, match, wanted
from cmemory.domain.recall.said import message_terms
from cmemory.domain.scoring.salience import found_score

POLICY = RecallPolicy()
BEES = "Keeps bees on the roof and sells the honey."
#: Another thing learned in the same minute, and one a week later.
CHESS, LATER = "Plays chess.", "Plays chess by the lake."


def matched(
    terms: str, records: Sequence[AnyRecord], policy: RecallPolicy = POLICY, *, named: str = ""
) -> dict[str, float]:
    known = [Known.of(one) for one in records]
    found = [Found(known=one, named=one.record.id == named) for one in known]
    return {str(name): one for name, one in match(message_terms(terms), found, known, policy).items()}


@pytest.mark.parametrize(
    ("terms", "best", "other"),
    [
        ("Does the honey from the bees sell?", BEES, "Sells shoes at a stall."),
        ("屋顶上的蜜蜂酿了多少蜂蜜", "在屋顶养蜜蜂，卖蜂蜜。", "在摊位上卖鞋。"),
    ],
)
def test_what_shares_more_and_rarer_words_matches_better(terms: str, best: str, other: str) -> None:
    """In both languages; the best is 1 in its own words."""
    records = [
        episode(best, id="a"),
        episode(other, id="b", at=days(9)),
        episode("钓鱼 fishing", id="c", at=days(20)),
    ]
    found = matched(terms, records)
    assert 1 >= found["a"] > found["b"] >= found["c"] >= 0


def test_a_repeated_word_counts_less_each_time_and_a_long_text_less() -> None:
    """Saturation and length, as BM25 has them."""
    alone = attrs.evolve(POLICY, record_sitting=0.0)
    texts = {"once": "Bees.", "thrice": "Bees, bees, bees.", "long": f"Bees. {'Chess lake roof stall. ' * 9}"}
    found = matched("bees", [episode(text, id=name) for name, text in texts.items()], alone)
    assert 1.0 == found["thrice"] > found["once"] > found["long"]
    assert found["once"] > 1 / 3


def test_what_was_learned_along_with_a_match_is_lifted() -> None:
    """Until a pause begins another sitting."""
    records = [
        episode(BEES, id="bees"),
        episode(CHESS, id="chess", at=days(0.1)),
        episode(LATER, id="later", at=days(7)),
    ]
    found = matched("chess bees", records)
    assert found["chess"] > found["later"]
    patient = attrs.evolve(POLICY, sitting_hours=24.0 * 30)
    apart = attrs.evolve(POLICY, sitting_hours=0.0)
    assert matched("bees", records, patient)["later"] > 0 == matched("bees", records)["later"]
    assert 0 == matched("bees", records, apart)["chess"]


def test_what_is_named_outright_matches_in_full() -> None:
    """However little of what is looked for it is, as a name may be a word that carries no topic."""
    records: list[AnyRecord] = [claim("person.name", "Will", id="will"), episode(BEES, id="bees")]
    own = attrs.evolve(POLICY, record_sitting=0.0)
    assert {"will": 1.0, "bees": 1.0} == matched("Will and the bees", records, own, named="will")


def test_nothing_to_compare_by_leaves_all_alike() -> None:
    """Neither terms without a topic, nor parts that are all left out."""
    records = [episode(BEES, id="a"), episode(CHESS, id="b", at=days(9))]
    bare = attrs.evolve(POLICY, record_own=0.0, record_sitting=0.0)
    assert {"a": 1.0, "b": 1.0} == matched("the", records) == matched("bees", records, bare)
    assert {} == matched("bees", [])


def test_what_may_not_be_told_lends_nothing() -> None:
    """It only tells how rare a term is."""
    told, silent = episode(CHESS, id="chess"), episode(BEES, id="bees")
    known = [Known.of(told), Known.of(silent)]
    found = match(message_terms("bees chess"), [Found(known=known[0])], known, POLICY)
    assert {"chess": pytest.approx(2 / 3)} == {name: pytest.approx(one) for name, one in found.items()}


def test_the_last_line_and_the_persons_own_words_count_more() -> None:
    """Each term as often as it stands there, in both languages."""
    assert {"cello": 1.0, "roof": 3.0} == wanted("cello\nroof roof", "roof cello", POLICY)
    assert {"cello": 0.5, "roof": 1.5} == wanted("cello\nroof\n\n", "the roof", POLICY)
    assert {"猫": 1.5, "狗": 0.75} == wanted("猫 狗", "猫", POLICY)
    level = attrs.evolve(POLICY, record_last=1.0, record_unsaid=1.0)
    assert {"cello": 1.0, "roof": 1.0} == wanted("cello\nroof", "", level)
    assert {} == wanted("", "roof", POLICY)


def test_meaning_is_a_part_of_its_own() -> None:
    """It lifts what words do not find, by its weight at most, and is nothing where nobody makes vectors."""
    known = [Known.of(episode(BEES, id="bees")), Known.of(episode("钓鱼", id="fish", at=days(9)))]
    found = [Found(known=known[0]), Found(known=known[1], near=0.5)]
    terms = message_terms("bees")
    words = match(terms, found, known, POLICY)
    assert (1.0, 0.0) == (words[RecordId("bees")], words[RecordId("fish")])
    both = match(terms, found, known, POLICY, meaning=2.0)
    assert {"bees": pytest.approx(3 / 5), "fish": pytest.approx(1 / 5)} == both
    alone = match(message_terms("lake"), found, known, POLICY, meaning=2.0)
    assert {"bees": 0.0, "fish": pytest.approx(1 / 5)} == alone


def test_what_is_like_the_best_match_is_lifted() -> None:
    """In Chinese, where few characters of a question stand in what it is about."""
    records = [
        episode("在屋顶养蜜蜂", id="bees"),
        episode("蜜蜂飞到邻居的阳台", id="near", at=days(9)),
        episode("在湖边下象棋", id="chess", at=days(18)),
        episode("邻居的阳台摆满花", id="far", at=days(27)),
    ]
    plain = attrs.evolve(POLICY, record_kin_chinese=0.0)
    assert 0 == matched("屋顶", records, plain)["near"] == matched("屋顶", records)["chess"]
    found = matched("屋顶", records)
    assert 1 >= found["bees"] > found["near"] > found["far"] >= found["chess"]
    english = [episode("Bees on a roof", id="a"), episode("Bees by a lake", id="b", at=days(9))]
    assert matched("roof", english) == matched("roof", english, plain)


def test_records_that_hold_nothing_tell_how_rare_the_rest_is() -> None:
    """They need not be read for it."""
    records = [episode("Bees by the lake", id="a"), episode("Bees and chess", id="b", at=days(9))]
    known = [Known.of(one) for one in records]
    others = [Known.of(episode("钓鱼", id=f"other-{at}")) for at in range(40)]
    found, terms = [Found(known=one) for one in known], message_terms("bees lake")
    flat = attrs.evolve(POLICY, b_chinese=0.0, record_b=0.0)
    read = match(terms, found, [*known, *others], flat)
    assert {name: pytest.approx(one) for name, one in read.items()} == match(
        terms, found, known, flat, unlike=40
    )
    assert read != match(terms, found, known, flat)


def test_a_search_does_not_forget_what_is_old() -> None:
    """Recency adds up to a record's own weight once more, and fades; without it age does not count."""
    one = episode(BEES, id="a")

    def weight(later: float, policy: RecallPolicy = POLICY) -> float:
        companion = attrs.evolve(COMPANION, recall=policy)
        return found_score(one, relevance=1.0, match=0.5, now=days(later), policy=companion)

    assert weight(0) == pytest.approx(0.5 * one.salience.importance)
    assert weight(20) == pytest.approx(weight(0) * 3 / 4)
    assert weight(10_000) == pytest.approx(weight(0) / 2)
    flat = attrs.evolve(POLICY, record_recent=0.0)
    assert weight(0, flat) == weight(10_000, flat) == weight(0)


def test_an_unsure_claim_weighs_less() -> None:
    """As everywhere; an episode is not doubted."""
    sure, unsure = (
        claim("goal.current_focus", "cello", id=name, confidence=confidence, importance=0.5)
        for name, confidence in (("a", 1.0), ("b", 0.5))
    )
    weights = [
        found_score(one, relevance=1.0, match=1.0, now=NOW, policy=COMPANION) for one in (sure, unsure)
    ]
    assert weights[1] == pytest.approx(weights[0] / 2)
