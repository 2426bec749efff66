"""What holds for every search over what was said."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from cmemory import Memory, ScopedMemory

_WORDS = st.sampled_from(
    ["cello", "violins", "went", "go", "体检", "结果", "Berlin", "tea", "the", "?", "？"]
)
_TEXTS = st.lists(_WORDS, min_size=1, max_size=5).map(" ".join)
_TURNS = st.lists(
    st.tuples(_TEXTS, st.sampled_from(["user", "assistant"]), st.sampled_from(["s1", "s2"])), max_size=9
)

_NOW = "2026-03-09T09:00:00Z"
_UNLIMITED = 1000


def told(turns: list[tuple[str, str, str]], *, reverse: bool = False) -> ScopedMemory:
    """Return a relationship in which this was said, a minute apart."""
    luna = Memory.open().scope(service="a", owner="b", profile="luna")
    said = [
        luna.message(
            text, speaker=speaker, session=session, at=f"2026-03-01T09:{at:02d}:00Z", message_id=f"m-{at}"
        )
        for at, (text, speaker, session) in enumerate(turns)
    ]
    luna.observe_many(reversed(said) if reverse else said)
    return luna


def found(luna: ScopedMemory, terms: str, limit: int = _UNLIMITED) -> list[str]:
    return [hit.id for hit in luna.search(terms, kind="utterance", limit=limit, now=_NOW)]


@given(turns=_TURNS, terms=_TEXTS, limit=st.integers(0, 9))
@settings(deadline=None)
def test_a_limit_is_an_upper_bound(turns: list[tuple[str, str, str]], terms: str, limit: int) -> None:
    """And cuts the end of what is found without it."""
    luna = told(turns)
    assert found(luna, terms, limit) == found(luna, terms)[:limit]


@given(turns=_TURNS, terms=_TEXTS)
@settings(deadline=None)
def test_the_order_of_writing_changes_nothing(turns: list[tuple[str, str, str]], terms: str) -> None:
    """Scores included."""
    one, other = (told(turns, reverse=reverse) for reverse in (False, True))
    assert one.search(terms, kind="utterance", now=_NOW) == other.search(terms, kind="utterance", now=_NOW)


@given(turns=_TURNS, terms=_TEXTS)
@settings(deadline=None)
def test_an_unrelated_message_removes_no_hit(turns: list[tuple[str, str, str]], terms: str) -> None:
    """It may change the order, never what is found."""
    luna = told(turns)
    before = found(luna, terms)
    luna.observe("walnuts", session="s3", at="2026-03-02T09:00:00Z")
    assert set(found(luna, terms)) == set(before)


@given(turns=_TURNS, terms=_TEXTS)
@settings(deadline=None)
def test_scores_fall(turns: list[tuple[str, str, str]], terms: str) -> None:
    """The best comes first; of equals the newer."""
    hits = list(told(turns).search(terms, kind="utterance", limit=_UNLIMITED, now=_NOW))
    order = [(-hit.score, -hit.at.microseconds, hit.id) for hit in hits]
    assert order == sorted(order)
