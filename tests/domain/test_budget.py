"""What gives way when there is little room."""

from __future__ import annotations

import attrs
import pytest

from cmemory.domain.model.ids import RecordId, Revision
from cmemory.domain.plan.budget import cost_of, estimate_tokens, fit, worded
from cmemory.domain.plan.plan import Channel, Item, Plan, Why
from cmemory.domain.plan.render.companion import render
from cmemory.domain.predicates.registry import Visibility


def item(name: str, text: str = "goal.current_focus: 学琴") -> Item:
    return Item(
        record_id=RecordId(name),
        text=text,
        surface=Visibility.FREELY_MENTIONABLE,
        reason=Why.POLICY_MEMORY,
        score=0.5,
    )


def items(prefix: str, count: int) -> tuple[Item, ...]:
    return tuple(item(f"{prefix}-{at}") for at in range(count))


FULL = Plan(
    revision=Revision(1),
    constraints=items("limit", 2),
    identity=items("self", 2),
    response_style=items("style", 2),
    continuity=items("thread", 1),
    topic_activated=items("topic", 2),
    deep_recall=items("deep", 2),
    do_not_surface=items("back", 1),
)
ORDER = ["deep-1", "deep-0", "topic-1", "topic-0", "thread-0", "self-1", "self-0", "style-1", "style-0"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("abc", 1), ("abcd", 2), ("学琴", 2), ("学琴 now", 4), ("🙂", 2), ("é", 2), ("，", 2)],
)
def test_tokens_are_counted_cautiously(text: str, expected: int) -> None:
    """A Chinese character counts one token, another character beyond ASCII two, ASCII a third, rounded up."""
    assert expected == estimate_tokens(text)


def test_escaped_characters_cost_their_full_length() -> None:
    """A text of markup characters costs what it takes once it is escaped."""
    assert cost_of(item("x", "&" * 30)) - cost_of(item("x", "")) == estimate_tokens("&amp;" * 30)


def test_no_limit_changes_nothing() -> None:
    """Without a limit, or with room for everything, the very same plan comes back."""
    assert FULL is fit(FULL, None)
    assert FULL is fit(FULL, 100_000)


def test_channels_yield_in_a_fixed_order() -> None:
    """As room shrinks, the lowest item of the first yielding channel goes next; obligations never go."""
    seen: list[str] = []
    for limit in range(1_500, 0, -1):
        made = fit(FULL, limit)
        assert FULL.constraints == made.constraints
        shown = {one.record_id for _, one in made.shown}
        gone = [one.record_id for _, one in FULL.shown if one.record_id not in shown]
        seen += [name for name in gone if name not in seen]
    assert ORDER == seen


def test_what_did_not_fit_is_accounted_for() -> None:
    """Dropped items join the withheld ones with their reason; a follow-up repeats one, so it just goes."""
    made = fit(FULL, 1)
    assert ["back-0", *(name for name in ORDER if name != "thread-0")] == [
        one.record_id for one in made.do_not_surface
    ]
    assert {(Why.PROMPT_BUDGET, Visibility.NEVER_SURFACE)} == {
        (one.reason, one.surface) for one in made.do_not_surface[1:]
    }
    assert ((), ()) == (made.continuity, made.identity)


def test_a_plan_of_obligations_is_left_alone() -> None:
    """When only constraints are left there is nothing to drop."""
    made = Plan(revision=Revision(1), constraints=items("limit", 50))
    assert made is fit(made, 10)


def test_a_follow_up_alone_can_give_way() -> None:
    """Dropping nothing but the follow-up is still a change."""
    made = Plan(revision=Revision(1), continuity=items("thread", 1))
    assert attrs.evolve(made, continuity=()) == fit(made, 10)


def test_the_estimate_covers_the_rendered_text() -> None:
    """The smallest budget that holds a whole plan is no less than what its text counts."""
    longest = Item(
        record_id=RecordId(""),
        text="",
        surface=Visibility.MENTION_IF_USER_CUES,
        reason=Why.ONE_SESSION_GREETING_FOLLOWUP,
    )
    for count in (1, 20):
        made = Plan(
            revision=Revision(123_456),
            constraints=(longest,) * count,
            identity=(longest,) * count,
            response_style=(longest,) * count,
            continuity=(longest,),
            topic_activated=(longest,) * count,
            deep_recall=(longest,) * count,
            do_not_surface=(longest,) * 1_000,
        )
        smallest = next(limit for limit in range(10_000) if fit(made, limit) is made)
        assert estimate_tokens(render(made)) <= smallest


def test_an_envelope_around_nothing_needs_room_too() -> None:
    """A plan without a record is worded only where its envelope fits; obligations are worded in any case."""
    silent = Plan(revision=Revision(1))
    needed = estimate_tokens(render(silent))
    assert ["", render(silent), render(silent)] == [
        worded(silent, room) for room in (needed - 1, needed, None)
    ]
    obliged = Plan(revision=Revision(1), constraints=items("limit", 1))
    assert render(obliged) == worded(obliged, 0)


def test_every_channel_has_a_place_in_the_order() -> None:
    """All shown channels but the constraints can give way."""
    yielding = {name.partition("-")[0] for name in ORDER}
    assert {"deep", "topic", "thread", "self", "style"} == yielding
    assert 6 == len({channel for channel, _ in FULL.shown} - {Channel.DO_NOT_SURFACE})
