"""What is prepared is kept for a while, and never longer than what it was made from."""

from __future__ import annotations

from cmemory.app.shelf import Shelf
from cmemory.domain.model.scope import Scope

LUNA, SOL = (Scope(service="lamplight", owner="u-42", profile=profile) for profile in ("luna", "sol"))


def test_what_was_not_used_for_longest_gives_way() -> None:
    """Looking is using, and so is putting again."""
    shelf = Shelf[int](2)
    mark = shelf.mark()
    shelf.put(1, LUNA, "a", mark=mark)
    shelf.put(2, LUNA, "b", mark=mark)
    assert shelf.get(LUNA, "a") == 1
    shelf.put(3, SOL, "b", mark=mark)
    assert [shelf.get(LUNA, "a"), shelf.get(LUNA, "b"), shelf.get(SOL, "b")] == [1, None, 3]
    shelf.put(4, LUNA, "a", mark=mark)
    shelf.put(5, LUNA, "c", mark=mark)
    assert [shelf.get(LUNA, "a"), shelf.get(SOL, "b"), shelf.get(LUNA, "c")] == [4, None, 5]


def test_dropping_takes_one_relationship() -> None:
    """All of it, and nothing of another."""
    shelf = Shelf[int](9)
    for no, (scope, name) in enumerate([(LUNA, ""), (LUNA, "s1"), (SOL, "s1")]):
        shelf.put(no, scope, name, mark=shelf.mark())
    shelf.drop(LUNA)
    assert [shelf.get(LUNA), shelf.get(LUNA, "s1"), shelf.get(SOL, "s1")] == [None, None, 2]


def test_what_was_read_before_something_was_dropped_is_not_kept() -> None:
    """It may hold what was forgotten meanwhile; what is read afterwards does not."""
    shelf = Shelf[int](9)
    early = shelf.mark()
    shelf.drop(LUNA)
    shelf.put(1, LUNA, mark=early)
    assert shelf.get(LUNA) is None
    shelf.put(2, LUNA, mark=shelf.mark())
    assert shelf.get(LUNA) == 2
