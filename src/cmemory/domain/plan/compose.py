"""Composes the plan of one turn: each record goes through gate and shield to exactly one channel.

How records stand while nothing points at them depends only on the state and the day, so the roster knows it already
and a turn moves only what its message touches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain, islice

import attrs

from cmemory.domain.gates.mention import NO_CUES, Cues
from cmemory.domain.gates.reading import Request
from cmemory.domain.gates.release import UNASKED, release_all
from cmemory.domain.lexicon.greetings import GREETINGS
from cmemory.domain.model.bodies import Claim
from cmemory.domain.model.changes import Changes, OpenThread, ThreadStatus
from cmemory.domain.model.ids import RecordId, Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.plan.budget import fit, over_budget
from cmemory.domain.plan.place import Stand, rank
from cmemory.domain.plan.plan import Channel, Item, Plan, Why, Withheld
from cmemory.domain.plan.roster import Roster
from cmemory.domain.plan.topic import Moved, Over, Topic
from cmemory.domain.predicates.registry import Visibility, visibility_of
from cmemory.domain.recall.query import Query

#: A limit bears on the message.
_BEARS = Cues(bears=True)

#: The day of a note has come; who made the promise, or asked for it, allowed that.
_DUE = Cues(time_trigger=True, time_trigger_authorised=True)

#: Channels of which hardly anything is made.
_COUNTED = (Channel.TOPIC_ACTIVATED, Channel.DO_NOT_SURFACE)

#: Closing marks after which a greeting may go on.
_GREETING_BREAKS = ("，", ",")


@attrs.frozen(kw_only=True)
class Turn:
    """One request for a plan."""

    query: Query
    #: Records an evaluation insists on; they count as named, yet no gate opens wider for them.
    forced: frozenset[str] = frozenset()
    session: str = ""
    #: Whether the session begins with this message.
    new_session: bool = False
    #: The person's civil day, as in ``2026-03-01``; notes that are due on it come up.
    today: str = ""
    #: The scope's open threads; needed where the message is a greeting.
    threads: tuple[OpenThread, ...] = ()


def compose(roster: Roster, turn: Turn, *, now: Instant) -> tuple[Plan, Changes]:
    """Return the plan of a turn, and the change it causes when a greeting picks up an open thread.

    Args:
        roster: the scope's records, prepared for the day of ``now``.
        turn: message, session and forced ids.
        now: freshness and expiry are counted to this moment.
    """
    request = Request.of(turn.query.text) if roster.policy.release.enabled else None
    bearing = frozenset[RecordId]() if request is None else roster.bearing(request)
    pointed = roster.pointed(turn.query)
    # What a claim says already stays back even where the claim does: the gate takes away and puts nothing in its place.
    moved = _without_repeats(roster, _moved(roster, turn, pointed.cues, bearing, now=now))
    topic = Topic.of(
        moved,
        match=pointed.match if roster.policy.plan.by_match else {},
        bearing=bearing,
        record=roster.record,
    )
    caps = roster.policy.plan
    if request is None:
        topical = topic.first(caps.topic_cap)
    else:
        # Of what competes the heaviest are asked, in order; what weighs less than those stays back unasked.
        forced = [name for name in sorted(topic.placed) if name in turn.forced]
        heaviest = topic.first(roster.policy.release.looks * caps.topic_cap, without=turn.forced)
        silent = _unreleased(roster, heaviest, moved, request)
        spoken = [item for item in heaviest if item.record_id not in silent]
        topical = sorted([*spoken, *map(topic.item, forced)], key=topic.place)[: caps.topic_cap]
        moved = {**moved, **silent}
    shown = _by_channel(roster, moved)
    due = sorted(shown[Channel.CONTINUITY], key=rank)
    # A cued record never rests in deep recall.
    deep = tuple(islice(roster.pool(moved.keys()), caps.deep_recall_cap))
    thread = _follow_up(roster, turn, now)
    plan = Plan(
        revision=Revision(roster.revision + (thread is not None)),
        constraints=tuple(shown[Channel.CONSTRAINTS]),
        identity=tuple(shown[Channel.IDENTITY]),
        response_style=tuple(shown[Channel.RESPONSE_STYLE]),
        continuity=(*((_follow_up_item(roster, thread),) if thread else ()), *due[: caps.due_cap]),
        topic_activated=tuple(topical),
        deep_recall=deep,
        do_not_surface=_kept_back(
            roster, moved, topic.over(topical, moved), due=due[caps.due_cap :], deep=deep
        ),
    )
    fitted = fit(plan, caps.max_tokens)
    if thread is None:
        return fitted, Changes()
    if not any(item.reason is Why.ONE_SESSION_GREETING_FOLLOWUP for item in fitted.continuity):
        # There was no room to offer the thread, so it stays unused.
        return attrs.evolve(fitted, revision=roster.revision), Changes()
    return fitted, Changes(threads=(attrs.evolve(thread, followup_session=turn.session),), revision_step=1)


def _by_channel(roster: Roster, moved: Moved) -> dict[Channel, list[Item]]:
    """Return what is shown of itself, by channel, in store order."""
    channels: dict[Channel, list[Item]] = {channel: [] for channel in Channel}
    placed = [one for one in roster.standing if one[1] not in moved]
    for name, one in moved.items():
        # Most that a message points at compete or stay back.
        if one.channel not in _COUNTED and (entry := roster.entry(name)) is not None:
            placed.append((entry.order, name, one))
    placed.sort(key=lambda one: one[0])
    for _, name, one in placed:
        channels[one.channel].append(one.of(roster.record(name)))
    return channels


def _kept_back(
    roster: Roster,
    moved: Moved,
    over: Over,
    *,
    due: Sequence[Item],
    deep: Sequence[Item],
) -> Withheld:
    """Return what a turn withholds: what rests or was put there, in store order, and then what there was no room for.

    Args:
        roster: the scope's records.
        moved: where the message put records.
        over: what competes for the topic and is not shown.
        due: notes that are due and were too many.
        deep: what is shown of the deep-recall pool.
    """
    counts = Counter(roster.withheld)
    pooled = roster.pooled - len(deep)
    for stand, often in _counted(roster.rests(moved.keys())):
        if stand.channel is Channel.DO_NOT_SURFACE:
            counts[stand.reason] -= often
        elif stand.channel is Channel.DEEP_RECALL:
            pooled -= often
    back = Channel.DO_NOT_SURFACE
    for stand, often in _counted([one for one in moved.values() if one.channel is back]):
        counts[stand.reason] += often
    counts[Why.PROMPT_BUDGET] += len(due) + over.count + pooled

    def items() -> Iterator[Item]:
        held = roster.resting(moved.keys())
        put = ((roster.entry(name), one) for name, one in moved.items() if one.channel is back)
        held += [(entry.order, one.of(entry.record)) for entry, one in put if entry is not None]
        held.sort(key=lambda placed: placed[0])
        yield from (item for _, item in held)
        seen = moved.keys() | {item.record_id for item in deep}
        yield from map(over_budget, chain(due, over.items(), roster.pool(seen)))

    return Withheld(counts, items)


def _counted(stands: Sequence[Stand]) -> Iterator[tuple[Stand, int]]:
    """Yield each stand with how often it is there, one of many equal ones perhaps several times.

    Thousands of records share a few, so they are told apart by identity: to compare them would take most of a turn.
    """
    one_by_one = {id(one): one for one in stands}
    often = Counter(map(id, stands))
    return ((one, often[key]) for key, one in one_by_one.items())


def is_greeting(text: str) -> bool:
    """Tell whether a message is nothing but a greeting, or opens with one before a comma."""
    said = text.strip().lower()
    return any(
        said == hello or said.startswith(tuple(hello + mark for mark in _GREETING_BREAKS))
        for hello in GREETINGS
    )


def _moved(
    roster: Roster, turn: Turn, pointed: Mapping[RecordId, Cues], bearing: Set[RecordId], *, now: Instant
) -> Moved:
    """Return where the message, or force, puts records that would otherwise rest elsewhere; nothing is matched yet."""
    cues = {**dict.fromkeys(bearing, _BEARS), **dict.fromkeys(roster.due(turn.today), _DUE), **pointed}
    forced = {entry.record.id for entry in map(roster.entry, map(RecordId, turn.forced)) if entry is not None}
    cues |= dict.fromkeys(forced - cues.keys(), NO_CUES)
    return roster.placed(cues, forced, now=now)


def _unreleased(roster: Roster, heaviest: Sequence[Item], moved: Moved, request: Request) -> Moved:
    """Return what the release gate keeps back of what would be shown: of the topic, and of the deep-recall pool."""
    caps, release = roster.policy.plan, roster.policy.release
    deep = list(islice(roster.pool(moved.keys()), release.looks * caps.deep_recall_cap))
    read = ((item, roster.statement(item.record_id)) for item in (*heaviest, *deep))
    asked = [(item, one) for item, one in read if one is not None]
    answers = release_all([one for _, one in asked], request, release)
    # Who asks for nothing may still be met with what is free to be mentioned.
    free = frozenset() if request.advice else frozenset(item.record_id for item in deep)
    return {
        item.record_id: Stand.back(item.surface, Why(answer.reason.value), item.score)
        for (item, _), answer in zip(asked, answers, strict=True)
        if answer.silent and not (item.record_id in free and answer.reason in UNASKED)
    }


def _without_repeats(roster: Roster, moved: Moved) -> Moved:
    """Return where records were put, notes withheld that say no more than the claims shown beside them."""
    notes = roster.notes(moved.keys())
    if not notes:
        return moved
    back = Channel.DO_NOT_SURFACE
    shown = {name for _, name, _ in roster.standing if name not in moved}
    shown |= {name for name, one in moved.items() if one.channel is not back}
    silent = {}
    for entry in notes:
        name = entry.record.id
        said_by = list(roster.said_by(name))
        if said_by and all(not shown.isdisjoint(by) for by in said_by):
            silent[name] = Stand.back(moved[name].surface, Why.SAID_ALREADY)
    return {**moved, **silent}


def _follow_up(roster: Roster, turn: Turn, now: Instant) -> OpenThread | None:
    """Return the thread a new session's greeting may pick up, the most recently touched first."""
    if not (turn.new_session and turn.session and is_greeting(turn.query.text)):
        return None
    for thread in sorted(turn.threads, key=lambda one: (-one.updated_at.microseconds, one.id)):
        open_now = thread.status is ThreadStatus.OPEN and (
            thread.expires_at is None or thread.expires_at > now
        )
        entry = roster.entry(thread.record_id)
        speakable = entry is not None and not entry.shaded and not entry.record.salience.muted
        fresh = thread.followup_session != turn.session and speakable
        if open_now and fresh and not roster.shield.covers(thread.summary):
            return thread
    return None


def _follow_up_item(roster: Roster, thread: OpenThread) -> Item:
    entry = roster.entry(thread.record_id)
    body = None if entry is None else entry.record.body
    level = visibility_of(body.predicate) if isinstance(body, Claim) else Visibility.MENTION_IF_USER_CUES
    return Item(
        record_id=thread.record_id,
        text=thread.summary,
        surface=level,
        reason=Why.ONE_SESSION_GREETING_FOLLOWUP,
    )
