"""What still resembles a forgotten text."""

from __future__ import annotations

import pytest

from builders import claim, episode
from cmemory.domain.forget.residue import Residue, ResidueKind, scan
from cmemory.domain.policy import ForgettingPolicy

POLICY = ForgettingPolicy()


def suspected(name: str, similarity: float) -> Residue:
    return Residue(kind=ResidueKind.SUSPECTED, record_id=name, similarity=pytest.approx(similarity))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("survivor", "expected"),
    [
        ("I am anxious about work.", 0.8333),
        ("I feel anxious about work deadlines.", 0.7143),
        ("We discussed work deadlines.", None),
        ("I am anxious about", 4 / 6),
        ("anxious about work", 0.5),
        ("The cat sleeps.", None),
    ],
)
def test_shared_wording_is_suspected_from_one_half(survivor: str, expected: float | None) -> None:
    """A survivor that shares at least half of its words with the forgotten text is reported."""
    gone = episode("I am anxious about work deadlines", id="episode-gone")
    found = scan([gone], [episode(survivor, id="episode-left")], POLICY)
    if expected is None:
        assert () == found
    else:
        assert (ResidueKind.SUSPECTED, "episode-left") == (found[0].kind, found[0].record_id)
        assert expected == pytest.approx(found[0].similarity, abs=5e-5)


def test_contained_text_is_exact() -> None:
    """A survivor that holds the forgotten words is told with their record, and is not suspected as well."""
    gone = claim("goal.current_focus", "养蚕", id="claim-gone")
    found = scan([gone], [episode("用户开始养蚕了。", id="episode-left")], POLICY)
    assert (Residue(kind=ResidueKind.EXACT, record_id="episode-left", matched_id="claim-gone"),) == found


def test_claims_are_compared_by_value_against_the_shown_line() -> None:
    """The forgotten value is looked for in the line a survivor would be shown as, whatever the case."""
    gone = claim("goal.current_focus", "Silk  Worms", id="claim-gone")
    left = claim("ritual.recurring_activity", "x", raw="feeding silk worms", id="claim-left")
    assert [ResidueKind.EXACT] == [one.kind for one in scan([gone], [left], POLICY)]


def test_order_of_the_report() -> None:
    """Exact finds come first, by survivor and forgotten id; then suspected ones, loudest first."""
    gone = [
        claim("goal.current_focus", text, id=name)
        for name, text in (("claim-b", "养蚕"), ("claim-a", "丝绸"))
    ]
    gone.append(episode("we walked to the blue lake", id="episode-gone"))  # type: ignore[arg-type]
    left = [
        episode("we drove to the blue lake", id="episode-1"),
        episode("养蚕和丝绸", id="episode-2"),
        episode("we walked to the lake", id="episode-3"),
    ]
    expected = (
        Residue(kind=ResidueKind.EXACT, record_id="episode-2", matched_id="claim-a"),
        Residue(kind=ResidueKind.EXACT, record_id="episode-2", matched_id="claim-b"),
        suspected("episode-3", 5 / 6),
        suspected("episode-1", 5 / 7),
    )
    assert expected == scan(gone, left, POLICY)


def test_nothing_forgotten_leaves_nothing() -> None:
    """Without forgotten texts, or with empty ones, there is no residue."""
    assert () == scan([], [episode("用户去看海。")], POLICY)
    assert () == scan(
        [claim("misc.unclassified", " ")], [episode("用户去看海。")], ForgettingPolicy(residue_similarity=0.0)
    )
