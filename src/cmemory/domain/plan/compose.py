"""Composes the plan of one turn: each record goes through gate and shield to exactly one channel.

How records stand while nothing points at them depends only on the state and the day, so the roster knows it already
and a turn moves only what its message touches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from heapq import nsmallest
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
from cmemory.domain.plan.place import Placed, Rank, put, rank, weighed
from cmemory.domain.plan.plan import Channel, Item, Plan, Why, Withheld
from cmemory.domain.plan.roster import Roster
from cmemory.domain.predicates.registry import Visibility, visibility_of
from cmemory.domain.recall.query import Query

#: Where a turn puts records, by id.
Moved = Mapping[RecordId, Placed]

#: How what a message points at is ordered.
First = Callable[[Item], tuple[bool, Rank]]

#: A limit bears on the message.
_BEARS = Cues(bears=True)

#: The day of a note has come; who made the promise, or asked for it, allowed that.
_DUE = Cues(time_trigger=True, time_trigger_authorised=True)

#: Channels whose items are ranked or merely counted.
_UNORDERED = (Channel.TOPIC_ACTIVATED, Channel.CONTINUITY, Channel.DO_NOT_SURFACE)

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

    def first(item: Item) -> tuple[bool, Rank]:
        # What the answer has to respect stands before what may colour it.
        return item.record_id not in bearing, rank(item)

    # What a claim says already stays back even where the claim does: the gate takes away and puts nothing in its place.
    moved = _without_repeats(roster, _moved(roster, turn, bearing, now=now))
    if request is not None:
        moved = {**moved, **_unreleased(roster, turn, moved, request, first)}
    caps = roster.policy.plan
    shown = _by_channel(roster, moved)
    topic = nsmallest(caps.topic_cap, shown[Channel.TOPIC_ACTIVATED], key=first)
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
        topic_activated=tuple(topic),
        deep_recall=deep,
        do_not_surface=_kept_back(roster, moved, shown, first, due=due[caps.due_cap :], deep=deep),
    )
    fitted = fit(plan, caps.max_tokens)
    if thread is None:
        return fitted, Changes()
    if not any(item.reason is Why.ONE_SESSION_GREETING_FOLLOWUP for item in fitted.continuity):
        # There was no room to offer the thread, so it stays unused.
        return attrs.evolve(fitted, revision=roster.revision), Changes()
    return fitted, Changes(threads=(attrs.evolve(thread, followup_session=turn.session),), revision_step=1)


def _by_channel(roster: Roster, moved: Moved) -> dict[Channel, list[Item]]:
    """Return what stands in the always-shown channels and the cued pool, the former in store order."""
    channels: dict[Channel, list[Item]] = {channel: [] for channel in Channel}
    placed = [one for one in roster.standing if one[1] not in moved]
    for name, one in moved.items():
        # Most that a message points at compete or stay back, and those are not asked for in order.
        if one.channel in _UNORDERED:
            channels[one.channel].append(one.item)
        elif (entry := roster.entry(name)) is not None:
            placed.append((entry.order, name, one))
    placed.sort(key=lambda one: one[0])
    for _, _, one in placed:
        channels[one.channel].append(one.item)
    return channels


def _kept_back(
    roster: Roster,
    moved: Moved,
    shown: Mapping[Channel, Sequence[Item]],
    first: First,
    *,
    due: Sequence[Item],
    deep: Sequence[Item],
) -> Withheld:
    """Return what a turn withholds: what rests or was put there, in store order, and then what there was no room for.

    Args:
        roster: the scope's records.
        moved: where the message put records.
        shown: what stands in each channel by itself.
        first: the order of what the message points at.
        due: notes that are due and were too many.
        deep: what is shown of the deep-recall pool.
    """
    topic, cap = shown[Channel.TOPIC_ACTIVATED], roster.policy.plan.topic_cap
    rested = [one for one in map(roster.rest, moved) if one is not None]
    pooled = roster.pooled - sum(one.channel is Channel.DEEP_RECALL for one in rested) - len(deep)
    counts = Counter(roster.withheld)
    counts.subtract(one.reason for one in rested if one.channel is Channel.DO_NOT_SURFACE)
    counts.update(item.reason for item in shown[Channel.DO_NOT_SURFACE])
    counts[Why.PROMPT_BUDGET] += len(due) + max(0, len(topic) - cap) + pooled

    def items() -> Iterator[Item]:
        back = roster.resting(moved.keys())
        put = ((name, one.item) for name, one in moved.items() if one.channel is Channel.DO_NOT_SURFACE)
        back += [(entry.order, item) for name, item in put if (entry := roster.entry(name)) is not None]
        back.sort(key=lambda placed: placed[0])
        yield from (item for _, item in back)
        seen = moved.keys() | {item.record_id for item in deep}
        over = (due, sorted(topic, key=first)[cap:], roster.pool(seen))
        yield from map(over_budget, chain.from_iterable(over))

    return Withheld(counts, items)


def is_greeting(text: str) -> bool:
    """Tell whether a message is nothing but a greeting, or opens with one before a comma."""
    said = text.strip().lower()
    return any(
        said == hello or said.startswith(tuple(hello + mark for mark in _GREETING_BREAKS))
        for hello in GREETINGS
    )


def _moved(roster: Roster, turn: Turn, bearing: Set[RecordId], *, now: Instant) -> Moved:
    """Return where the message, or force, puts records that would otherwise rest elsewhere."""
    pointed = roster.pointed(turn.query)
    cues = {**dict.fromkeys(bearing, _BEARS), **dict.fromkeys(roster.due(turn.today), _DUE), **pointed.cues}
    forced = {entry.record.id for entry in map(roster.entry, map(RecordId, turn.forced)) if entry is not None}
    cues |= dict.fromkeys(forced - cues.keys(), NO_CUES)
    moved = {name: roster.placed(name, one, name in forced, now=now) for name, one in cues.items()}
    return _by_match(moved, pointed.match) if roster.policy.plan.by_match else moved


def _by_match(moved: Moved, match: Mapping[RecordId, float]) -> Moved:
    """Return where records were put, with the weight of those that compete for the turn's topic taken times their match."""
    topic = Channel.TOPIC_ACTIVATED
    return {
        name: weighed(one, match[name]) if one.channel is topic and name in match else one
        for name, one in moved.items()
    }


def _unreleased(roster: Roster, turn: Turn, moved: Moved, request: Request, first: First) -> Moved:
    """Return the claims and notes that would be shown and that the release gate keeps back.

    Of each ranked channel the heaviest are asked, in order; what weighs less than those stays back unasked.
    """
    caps, release = roster.policy.plan, roster.policy.release
    topic = [one.item for one in moved.values() if one.channel is Channel.TOPIC_ACTIVATED]
    topic = sorted((item for item in topic if item.record_id not in turn.forced), key=first)
    deep = list(islice(roster.pool(moved.keys()), release.looks * caps.deep_recall_cap))
    most = release.looks * caps.topic_cap
    read = ((item, roster.statement(item.record_id)) for item in (*topic[:most], *deep))
    asked = [(item, one) for item, one in read if one is not None]
    answers = release_all([one for _, one in asked], request, release)
    # Who asks for nothing may still be met with what is free to be mentioned.
    free = frozenset() if request.advice else frozenset(item.record_id for item in deep)
    back = Channel.DO_NOT_SURFACE
    silent = {
        item.record_id: Placed(channel=back, item=attrs.evolve(item, reason=Why(answer.reason.value)))
        for (item, _), answer in zip(asked, answers, strict=True)
        if answer.silent and not (item.record_id in free and answer.reason in UNASKED)
    }
    return silent | {item.record_id: Placed(channel=back, item=over_budget(item)) for item in topic[most:]}


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
            silent[name] = put(entry.record, back, moved[name].item.surface, Why.SAID_ALREADY)
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
