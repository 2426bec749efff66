"""What a day or a week brought: which record is told under which heading, and what is only counted."""

from __future__ import annotations

from datetime import date, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from builders import NOW, claim, days, episode, guard, inference, message, record
from cmemory.domain.lexicon.digest import Language
from cmemory.domain.model.bodies import Note, NoteKind
from cmemory.domain.model.changes import OpenThread, ThreadStatus
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Speaker
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.plan.digest import Digest, digest
from cmemory.domain.plan.render.digest import render_digest
from cmemory.domain.plan.telling import Telling
from cmemory.domain.time.calendar import CivilSpan, SpanKind, civil_day

#: The day of `NOW`, a Sunday.
TODAY = date(2026, 3, 1)
PARTS = ("learned", "changed", "happened", "ahead", "felt")


def look(*records: AnyRecord, day: date = TODAY, span: SpanKind = SpanKind.DAY, **rest: Any) -> Digest:
    telling = Telling.of(records, guard=rest.pop("guard", guard()), now=rest.pop("now", NOW))
    threads, messages = rest.pop("threads", ()), rest.pop("messages", ())
    zone = rest.pop("zone", timezone.utc)
    return digest(telling, threads, messages, span=CivilSpan.around(day, span), zone=zone)


def headings(made: Digest) -> list[str]:
    return [part for part in PARTS for _ in getattr(made, part)]


def note(kind: str, *, due: str | None = None, **fields: Any) -> AnyRecord:
    body = Note(note_kind=NoteKind(kind), text=f"a {kind}", due_on=due)
    made: AnyRecord = record(body, **{"id": "note-1", **fields})
    return made


def thread(summary: str = "how the exam went", **fields: Any) -> OpenThread:
    given = {"id": "t-1", "record_id": RecordId("claim-1"), "opened_at": NOW, "updated_at": NOW, **fields}
    return OpenThread(summary=summary, **given)


FOCUS = claim("goal.current_focus", "the exam")
BEFORE = claim(
    "identity.location",
    "Berlin",
    entity="Berlin",
    id="claim-1",
    at=days(-9),
    status=Status.SUPERSEDED,
    valid_until=NOW,
)
AFTER = claim("identity.location", "Hamburg", entity="Hamburg", id="claim-2", supersedes="claim-1")


@pytest.mark.parametrize(
    ("one", "heading"),
    [
        (FOCUS, ["learned"]),
        (claim("goal.current_focus", "x", at=days(-1)), []),
        (claim("open_loop.deadline", "2026-03-01", entity="report", at=days(-5)), ["ahead"]),
        (claim("open_loop.deadline", "2026-03-02", entity="report", at=days(-5)), ["ahead"]),
        (claim("open_loop.deadline", "2026-03-03", entity="report", at=days(-5)), []),
        (claim("open_loop.deadline", "2026-08-03", entity="report"), ["ahead"]),
        (claim("open_loop.deadline", "2026-08", entity="report"), ["learned"]),
        (episode("The dog ran away"), ["happened"]),
        (episode("The dog ran away", at=days(-1)), []),
        (note("fact"), ["learned"]),
        (note("preference"), ["learned"]),
        (note("lesson"), ["learned"]),
        (note("feeling"), ["felt"]),
        (note("promise"), ["ahead"]),
        (note("promise", at=days(-1)), []),
        (note("promise", at=days(-9), due="2026-03-02"), ["ahead"]),
        (note("promise", at=days(-9), due="2026-03-03"), []),
        (note("event"), ["happened"]),
        (note("event", at=days(-9), due="2026-03-01"), ["happened"]),
        (note("event", at=days(-9), due="2026-03-02"), ["ahead"]),
        (note("event", due="2026-08-01"), ["ahead"]),
        (note("event", due="2026-02-20"), ["happened"]),
        (inference(), []),
    ],
)
def test_every_record_has_its_heading(one: AnyRecord, heading: list[str]) -> None:
    """Under the day on which it was said, or on or before which it is due."""
    assert heading == headings(look(one))


@pytest.mark.parametrize("status", [Status.DELETED, Status.FADED, Status.EXPIRED])
def test_what_is_not_believed_is_not_learned(status: Status) -> None:
    """Nor counted: it is not there to tell."""
    made = look(claim("goal.current_focus", "x", status=status))
    assert ([], {}) == (headings(made), made.withheld)


def test_a_new_value_is_told_with_the_old_one() -> None:
    """As a change, and not as something learned; on another day it is neither."""
    made = look(BEFORE, AFTER)
    assert ["changed"] == headings(made)
    (change,) = made.changed
    assert change.after is not None
    assert ("claim-1", "claim-2") == (change.before.record_id, change.after.record_id)
    assert [] == headings(look(BEFORE, AFTER, day=date(2026, 3, 2)))


@pytest.mark.parametrize("status", [Status.RETRACTED, Status.SUPERSEDED])
def test_what_ended_without_a_successor_is_told_as_ended(status: Status) -> None:
    """Taken back, or gone when something else was said; also on the day it was learned."""
    made = look(claim("goal.current_focus", "x", status=status, valid_until=NOW))
    assert [("claim-1", None)] == [(one.before.record_id, one.after) for one in made.changed]
    assert ["changed"] == headings(made)


def test_a_chain_of_changes_is_told_step_by_step() -> None:
    """Whoever moved twice has one change in each of the two days."""
    middle = claim(
        "identity.location", "Kiel", entity="Kiel", id="claim-2", supersedes="claim-1", status=Status.SUPERSEDED,
        valid_until=days(1), at=NOW,
    )  # fmt: skip
    last = claim(
        "identity.location", "Hamburg", entity="Hamburg", id="claim-3", supersedes="claim-2", at=days(1)
    )
    made = look(last, middle, BEFORE, day=TODAY, span=SpanKind.WEEK, now=days(2))
    assert ["claim-1"] == [one.before.record_id for one in made.changed]
    made = look(last, middle, BEFORE, day=date(2026, 3, 2), now=days(2))
    assert ["claim-2"] == [one.before.record_id for one in made.changed]


@pytest.mark.parametrize(
    ("silence", "why"),
    [({"muted": True}, "do_not_surface"), ({"status": Status.DELETED}, "deleted")],
)
def test_whoever_silences_the_new_value_silences_the_old_one(silence: dict[str, Any], why: str) -> None:
    """Otherwise the change would tell what must not be told."""
    quiet = claim(
        "identity.location", "Hamburg", entity="Hamburg", id="claim-2", supersedes="claim-1", **silence
    )
    made = look(BEFORE, quiet)
    assert ([], {why: 1}) == (headings(made), made.withheld)


def test_a_silenced_old_value_leaves_the_new_one() -> None:
    """It is told by itself."""
    made = look(
        claim(
            "identity.location", "Berlin", entity="Berlin", status=Status.SUPERSEDED, valid_until=NOW, muted=True,
            at=days(-9),
        ),
        AFTER,
    )  # fmt: skip
    assert (["learned"], {"do_not_surface": 1}) == (headings(made), made.withheld)


@pytest.mark.parametrize(
    ("silent", "why"),
    [
        (claim("goal.current_focus", "x", muted=True), "do_not_surface"),
        (claim("identity.age", 31), "never_surface"),
        (claim("goal.constraint", "no weekends"), "background_only"),
        (claim("goal.current_focus", "the divorce papers"), "boundary_shielded"),
        (note("feeling", muted=True), "do_not_surface"),
    ],
)
def test_what_may_not_be_told_is_counted(silent: AnyRecord, why: str) -> None:
    """By its reason, with neither id nor words."""
    fence = claim("boundary.topic_avoid", "divorce", id="claim-9", at=days(-9))
    made = look(silent, fence)
    assert ([], {why: 1}) == (headings(made), made.withheld)
    assert "" == render_digest(made, Language.EN)


def test_a_boundary_is_counted_on_the_day_it_was_set() -> None:
    """To recite it would be to bring its topic up."""
    assert {"boundary_shielded": 1} == look(claim("boundary.topic_avoid", "divorce")).withheld


def test_what_was_forgotten_leaves_no_trace() -> None:
    """Not even a count."""
    made = look(
        claim("person.occupation", "nurse", entity="Mara"), guard=guard(entities=["Mara"]), threads=[thread()]
    )
    assert made == look()


@pytest.mark.parametrize(
    ("open_thread", "told"),
    [
        (thread(), True),
        (thread(opened_at=days(-3)), False),
        (thread(opened_at=days(-3), expires_at=days(1)), True),
        (thread(opened_at=days(-3), expires_at=days(9)), False),
        (thread(expires_at=NOW), False),
        (thread(status=ThreadStatus.CLOSED), False),
        (thread(record_id="claim-8"), False),
    ],
)
def test_follow_ups_are_told_while_they_are_open(open_thread: OpenThread, told: bool) -> None:
    """Of these days, or about to lapse; in the place of the claim they stand for."""
    made = look(claim("open_loop.waiting_on", "the exam", at=days(-3)), threads=[open_thread])
    assert (["how the exam went"] if told else []) == [one.text for one in made.ahead]
    assert (["ahead"] if told else []) == headings(made)


def test_a_follow_up_is_as_silent_as_its_claim_and_its_words() -> None:
    """A muted claim has no follow-up, and neither has a fenced topic."""
    muted = look(claim("open_loop.waiting_on", "the exam", muted=True), threads=[thread()])
    assert ([], {"do_not_surface": 1}) == (headings(muted), muted.withheld)
    fence = claim("boundary.topic_avoid", "exam", id="claim-9", at=days(-9))
    fenced = look(claim("open_loop.waiting_on", "a letter"), fence, threads=[thread()])
    assert ([], {"boundary_shielded": 1}) == (headings(fenced), fenced.withheld)


def test_a_moment_falls_on_the_day_of_the_person() -> None:
    """Late on Saturday in Chicago is Sunday in Shanghai; clocks that jump change nothing."""
    late = claim("goal.current_focus", "x", at=Instant.parse("2026-03-08T07:30:00Z"))
    for zone, day in (
        ("America/Chicago", date(2026, 3, 8)),
        ("Asia/Shanghai", date(2026, 3, 8)),
        ("America/Los_Angeles", date(2026, 3, 7)),
    ):
        assert ["learned"] == headings(look(late, day=day, zone=ZoneInfo(zone), now=days(30)))
        assert [] == headings(look(late, day=day + timedelta(days=1), zone=ZoneInfo(zone), now=days(30)))


def test_weeks_begin_on_monday_and_end_with_the_calendar() -> None:
    """Also where the calendar does."""
    week = CivilSpan.around(TODAY, SpanKind.WEEK)
    assert (date(2026, 2, 23), TODAY) == (week.first, week.last)
    assert CivilSpan(date(2026, 3, 2), date(2026, 3, 8)) == week.following()
    assert (
        date.max
        == CivilSpan.around(date.max, SpanKind.WEEK).last
        == CivilSpan(date.max, date.max).following().last
    )
    assert date.min == CivilSpan.around(date.min, SpanKind.WEEK).first
    assert date(2026, 3, 2) == civil_day(Instant.parse("2026-03-01T16:00:00Z"), ZoneInfo("Asia/Shanghai"))


def test_messages_are_counted_by_speaker() -> None:
    """Those of these days only, in a fixed order."""
    made = look(
        messages=[
            message("a", speaker=Speaker.ASSISTANT),
            message("b", id="m-2"),
            message("c", id="m-3"),
            message("d", id="m-4", at=days(1)),
        ]
    )
    assert [("user", 2), ("assistant", 1)] == list(made.messages.items())
    assert "2026-03-01\nMessages: 2 from you, 1 from the companion" == render_digest(made, Language.EN)


def test_the_text_in_both_languages() -> None:
    """A heading for each part, in its order; whom a claim is about, and when something is due."""
    made = look(
        BEFORE,
        AFTER,
        claim("person.occupation", "护士", entity="周岑", id="claim-3"),
        claim("goal.current_focus", "x", id="claim-4", status=Status.RETRACTED, valid_until=NOW),
        episode("The dog\nran away"),
        note("promise", due="2026-03-02"),
        note("feeling", id="note-2"),
        messages=[message("a")],
        span=SpanKind.WEEK,
    )
    assert render_digest(made, Language.EN) == (
        "2026-02-23 to 2026-03-01\n"
        "Messages: 1 from you, 0 from the companion\n"
        "\nLearned\n- person.occupation: 护士 (周岑)\n"
        "\nChanged\n- identity.location: Berlin → identity.location: Hamburg\n- no longer: goal.current_focus: x\n"
        "\nHappened\n- The dog ran away\n"
        "\nAhead\n- 2026-03-02: a promise\n"
        "\nHow it felt\n- a feeling"
    )
    chinese = render_digest(made, Language.ZH)
    assert chinese.startswith(
        "2026-02-23 至 2026-03-01\n消息：你 1 条，伙伴 0 条\n\n新知道的\n- person.occupation: 护士（周岑）"
    )
    assert "- 不再是：goal.current_focus: x\n" in chinese
    assert "\n接下来\n- 2026-03-02：a promise\n\n当时的心情\n- a feeling" in chinese


def test_an_empty_day_is_empty() -> None:
    """Nothing said, nothing told, no text in any language."""
    made = look()
    assert Digest(first="2026-03-01", last="2026-03-01") == made
    assert [""] * 2 == [render_digest(made, language) for language in Language]
