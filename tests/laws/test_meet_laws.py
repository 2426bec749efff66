"""Openness is a lattice: gates meet, and nothing ever raises a level."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cmemory.domain.gates.mention import Cues, decide, decide_record, level_of
from cmemory.domain.gates.visibility import meet
from cmemory.domain.model.bodies import Claim
from cmemory.domain.predicates.registry import Visibility, is_boundary, visibility_of
from cmemory.domain.recall.query import Profile, Query, cue
from strategies import MESSAGES, active, records

LEVELS = st.sampled_from(Visibility)
CUES = st.builds(
    Cues,
    referenced=st.booleans(),
    implied=st.booleans(),
    time_trigger=st.booleans(),
    time_trigger_authorised=st.booleans(),
    shared_term=st.booleans(),
)


@given(LEVELS, LEVELS, LEVELS)
def test_meet_is_a_lattice_meet(a: Visibility, b: Visibility, c: Visibility) -> None:
    """Meeting is idempotent, commutative, associative and has the top as its neutral element."""
    assert a is meet(a, a)
    assert meet(a, b) is meet(b, a)
    assert meet(a, meet(b, c)) is meet(meet(a, b), c) is meet(a, b, c)
    assert a is meet(a, meet())


@given(LEVELS, LEVELS, LEVELS)
def test_meet_is_monotone_and_lowest(a: Visibility, b: Visibility, c: Visibility) -> None:
    """A meet lies below both sides, is the greatest that does, and keeps the order of its arguments."""
    assert meet(a, b) <= min(a, b)
    assert (c <= meet(a, b)) is (c <= a and c <= b)
    if a <= b:
        assert meet(a, c) <= meet(b, c)


@given(LEVELS, CUES, st.booleans(), st.booleans())
def test_no_cue_raises_a_level(level: Visibility, cues: Cues, muted: bool, shared_world: bool) -> None:
    """A verdict carries the level it was given, whatever the turn offers."""
    assert level is decide(level, cues, muted=muted, shared_world=shared_world).level


@given(records(), MESSAGES)
def test_no_record_is_louder_than_its_key(record: object, said: str) -> None:
    """Whatever is said, a record is at most as open as its key."""
    live = active(record)  # type: ignore[arg-type]
    verdict = decide_record(live, cue(Query.of(said), Profile.of(live)))
    key = getattr(live.body, "predicate", None)
    ceiling = Visibility.MENTION_IF_USER_CUES if key is None else visibility_of(key)
    assert verdict.level is level_of(live)
    assert verdict.level <= ceiling


@given(LEVELS, LEVELS, CUES)
def test_a_quieter_record_never_says_more(a: Visibility, b: Visibility, cues: Cues) -> None:
    """Lowering a level never turns something silent into something spoken."""
    spoken = [
        level
        for level in sorted({a, b})
        if decide(level, cues).allowed and level >= Visibility.MENTION_IF_USER_CUES
    ]
    if decide(min(a, b), cues).allowed and min(a, b) in spoken:
        assert max(a, b) in spoken


@given(records())
def test_muting_is_the_bottom(record: object) -> None:
    """Every muted record is denied, obligations included; the plan alone treats those apart."""
    live = active(record)  # type: ignore[arg-type]
    if live.salience.muted:
        assert level_of(live) is Visibility.NEVER_SURFACE
        assert not decide_record(live, Cues(referenced=True)).allowed
    elif isinstance(live.body, Claim) and is_boundary(live.body.predicate):
        assert level_of(live) is Visibility.BACKGROUND_ONLY
