"""A search for records: what stands in front, and that what is kept at hand between searches never outlives the store."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cmemory import Memory, ScopedMemory
from cmemory.domain.model.candidate import EpisodeCandidate
from cmemory.domain.model.message import Quote
from cmemory.domain.recall.match import Known
from conftest import SECRET

NOW = "2026-03-09T09:00:00Z"
SCOPE = {"service": "lamplight", "owner": "u-42", "profile": "luna"}
ROOF, STALL = "Keeps bees on the roof of the library", "Sells honey at the station"


def tell(luna: ScopedMemory, text: str, *, at: str = "2026-03-01T09:00:00Z") -> str:
    """Let a story be told, and return the id of what was kept."""
    quote = Quote(start=0, end=len(text.encode()), text=text)
    candidate = EpisodeCandidate(id=text, narrative=text, quote=quote)
    [answer] = luna.admit(text, (candidate,), at=at, message_id=f"m-{len(luna.list(everything=True))}")
    assert answer.record_id is not None
    return answer.record_id


def found(luna: ScopedMemory, terms: str, **how: str) -> list[str]:
    return [hit.id for hit in luna.search(terms, now=NOW, **how)]


def words_at_hand() -> set[str]:
    """Return the words that any search of this process still holds."""
    return {word for one in gc.get_objects() if isinstance(one, Known) for word in one.counts}


# -- what stands in front


@pytest.mark.parametrize(
    ("first", "last", "texts"),
    [
        ("I climbed on the roof.", "The station was full.", (ROOF, STALL)),
        ("我爬上了屋顶。", "车站人很多。", ("在图书馆屋顶养蜂", "在车站门口卖蜜")),
    ],
)
def test_what_was_said_last_counts_more(
    luna: ScopedMemory, first: str, last: str, texts: tuple[str, str]
) -> None:
    """In both languages, whichever of the two comes last."""
    ids = [tell(luna, text) for text in texts]
    assert found(luna, f"{first}\n{last}") == ids[::-1]
    assert found(luna, f"{last}\n{first}") == ids


@pytest.mark.parametrize(
    ("terms", "message", "texts"),
    [
        ("roof station", "On the roof, at a station somewhere?", (ROOF, STALL)),
        ("屋顶 车站", "屋顶和车站？", ("在图书馆屋顶养蜂", "在车站门口卖蜜")),
    ],
)
def test_what_the_person_said_counts_more_than_what_others_chose(
    luna: ScopedMemory, terms: str, message: str, texts: tuple[str, str]
) -> None:
    """Terms that a model put in are worth half."""
    ids = [tell(luna, text) for text in texts]
    # Both are given leave, and what is added to the terms points at the second alone.
    more = f"{terms} honey 门口卖蜜 sells"
    assert found(luna, more, message=message) == ids[::-1]
    assert found(luna, f"{terms} library 图书馆", message=message + " honey 卖蜜")[0] == ids[0]


# -- what is kept at hand


@pytest.fixture
def kept(luna: ScopedMemory) -> Iterator[ScopedMemory]:
    """A relationship whose records were found once, so that they are kept at hand."""
    tell(luna, ROOF)
    tell(luna, STALL)
    assert len(found(luna, "bees honey")) == 2
    yield luna


def test_a_search_sees_what_was_written_since(kept: ScopedMemory) -> None:
    """Each kind of change, one after the other."""
    bees, honey = found(kept, "bees"), found(kept, "honey")
    kept.mute(bees[0], now=NOW)
    assert (found(kept, "bees"), found(kept, "honey")) == ([], honey)
    kept.unmute(bees[0], now=NOW)
    kept.delete(honey[0], now=NOW)
    assert (found(kept, "bees"), found(kept, "honey")) == (bees, [])
    kept.restore(honey[0], now=NOW)
    third = tell(kept, "Sells honey by the lake", at="2026-03-02T09:00:00Z")
    assert set(found(kept, "honey")) == {*honey, third}
    kept.remember("Never mention bees", predicate="boundary.topic_avoid", value="bees", at=NOW)
    assert found(kept, "bees") == []


def test_use_that_is_reported_brings_a_record_forward(luna: ScopedMemory) -> None:
    """A used record counts as fresh; the one that was found stays kept and is read anew."""
    old = tell(luna, "Sells honey by the lake", at="2025-03-01T09:00:00Z")
    new = tell(luna, "Sells honey by the river", at="2026-02-01T09:00:00Z")
    assert found(luna, "honey") == [new, old]
    luna.note_recall(old, now="2026-03-08T09:00:00Z")
    assert found(luna, "honey") == [old, new]


@pytest.mark.parametrize(
    "letting_go", [lambda luna, name: luna.forget(name, now=NOW), lambda luna, _: luna.delete_all(now=NOW)]
)
def test_no_forgotten_word_is_kept_at_hand(
    kept: ScopedMemory, letting_go: Callable[[ScopedMemory, str], object]
) -> None:
    """Neither found, nor held by the process."""
    [name] = found(kept, "bees")
    assert "librari" in words_at_hand()
    letting_go(kept, name)
    assert "librari" not in words_at_hand()
    assert found(kept, "bees library") == []
    assert "librari" not in words_at_hand()


def test_what_another_process_forgot_is_not_found(tmp_path: Path) -> None:
    """Nor what it muted, nor what it added meanwhile missed."""
    with Memory.open(tmp_path / "luna.db", secret=SECRET) as one, Memory.open(tmp_path / "luna.db") as other:
        mine, theirs = one.scope(**SCOPE), other.scope(**SCOPE)
        bees, honey = tell(mine, ROOF), tell(mine, STALL)
        assert set(found(mine, "bees honey")) == {bees, honey}
        theirs.mute(honey, now=NOW)
        assert found(mine, "bees honey") == [bees]
        theirs.forget(bees, now=NOW)
        theirs.unmute(honey, now=NOW)
        assert found(mine, "bees honey library") == [honey]
        assert "librari" not in words_at_hand()


def test_many_writes_between_searches_are_seen(kept: ScopedMemory) -> None:
    """More than are worth reading one by one."""
    [bees] = found(kept, "bees")
    for _ in range(260):
        kept.mute(bees, now=NOW)
        kept.unmute(bees, now=NOW)
    kept.mute(bees, now=NOW)
    assert found(kept, "bees honey") == found(kept, "honey") != []
