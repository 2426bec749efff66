"""What nearness in meaning may do to the order that words give."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timezone

from hypothesis import given, settings
from hypothesis import strategies as st

from cmemory.domain.model.embedding import Embedded, Embedding, packed, unpacked
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.policy import EmbeddingPolicy, RecallPolicy
from cmemory.domain.recall.asked import Asked
from cmemory.domain.recall.nearness import NOTHING_NEAR, Compass, Nearness, vectors_of
from cmemory.domain.recall.rank import Ranked, rank
from cmemory.domain.recall.said import Among, Said, Statistics, Stretch

POLICY = RecallPolicy()
WORDS = st.sampled_from(["cello", "violin", "tea", "Berlin", "体检", "结果", "day", "?"])
TALKS = st.lists(st.lists(WORDS, min_size=1, max_size=5).map(" ".join), min_size=1, max_size=9)
PLACES = 6
VECTORS = st.lists(st.floats(-1, 1), min_size=PLACES, max_size=PLACES).filter(
    lambda one: max(map(abs, one)) > 0.01
)


def stretch(talk: list[str]) -> Stretch:
    """Return a conversation, a second between messages."""
    return tuple(
        Said.of(
            Message(
                id=MessageId(f"m-{at}"),
                session="s",
                speaker=Speaker.USER if at % 2 else Speaker.ASSISTANT,
                text=text,
                at=Instant.parse(f"2026-03-01T09:00:{at:02d}Z"),
            )
        )
        for at, text in enumerate(talk)
    )


def ranked(talk: list[str], terms: str, nearness: Nearness) -> list[Ranked]:
    said = stretch(talk)
    holding: dict[str, int] = {}
    for one in said:
        for term in one.terms:
            holding[term] = holding.get(term, 0) + 1
    statistics = Statistics(messages=len(said), places=sum(one.length for one in said), holding=holding)
    asked = Asked.of(terms, {})
    return rank(asked, [said], statistics, among=Among(), policy=POLICY, zone=timezone.utc, nearness=nearness)


def nearnesses(count: int = 9) -> st.SearchStrategy[Mapping[str, float]]:
    return st.dictionaries(st.sampled_from([f"m-{at}" for at in range(count)]), st.floats(0, 1))


@given(talk=TALKS, terms=WORDS, near=nearnesses(), weight=st.floats(0, 9))
def test_what_leads_by_more_than_the_weight_is_never_overtaken(
    talk: list[str], terms: str, near: Mapping[str, float], weight: float
) -> None:
    """Meaning, however wrong, moves a score by its weight at most, and takes no hit away."""
    plain = {one.said.message.id: one.score for one in ranked(talk, terms, NOTHING_NEAR)}
    fused = {
        one.said.message.id: one.score for one in ranked(talk, terms, Nearness(near=near, weight=weight))
    }
    assert plain.keys() <= fused.keys()
    assert all(-1e-9 <= fused[name] - score <= weight + 1e-9 for name, score in plain.items())
    assert all(near.get(name, 0.0) >= POLICY.embedding.floor for name in fused.keys() - plain.keys())


@given(talk=TALKS, terms=WORDS)
def test_nothing_near_changes_nothing(talk: list[str], terms: str) -> None:
    """Not a bit of a score."""
    assert repr(ranked(talk, terms, NOTHING_NEAR)) == repr(ranked(talk, terms, Nearness(near={}, weight=6.0)))


@given(asked=VECTORS, rows=st.lists(VECTORS, min_size=2, max_size=20))
@settings(deadline=None)
def test_nearness_is_between_0_and_1_and_the_same_each_time(
    asked: list[float], rows: list[list[float]]
) -> None:
    """Whatever the vectors are, and in whatever order they come."""
    known = [
        Embedding(kind=Embedded.MESSAGE, id=f"m-{at}", model="m", vector=packed(one))
        for at, one in enumerate(rows)
    ]
    policy = EmbeddingPolicy(min_vectors=2)
    sought = unpacked(packed(asked))
    compass = Compass.of(sought, vectors_of(known, places=PLACES), policy)
    if compass is not None:
        near = compass.near(vectors_of(known, places=PLACES))
        assert all(0 < value <= 1 for value in near.values())
        assert near == compass.near(vectors_of(known[::-1], places=PLACES))


@given(
    vector=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40).filter(lambda one: max(map(abs, one)) > 0)
)
def test_a_vector_comes_back_at_length_1(vector: list[float]) -> None:
    """Within the rounding of half precision."""
    square = sum(value * value for value in unpacked(packed(vector)))
    assert abs(square - 1) < 0.01
