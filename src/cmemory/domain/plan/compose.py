"""Composes the plan of one turn: each record goes through gate and shield to exactly one channel.

How records stand while nothing points at them depends only on the state and the day, so it is worked out once
(`at_rest`) and a turn moves only what its message touches.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from cmemory.domain.gates.mention import NO_CUES, Cues, Denial, Verdict, decide_record
from cmemory.domain.gates.reading import Request
from cmemory.domain.gates.release import UNASKED, release_all
from cmemory.domain.lexicon.greetings import GREETINGS
from cmemory.domain.model.bodies import Claim, Episode, Note
from cmemory.domain.model.changes import Changes, OpenThread, ThreadStatus
from cmemory.domain.model.ids import Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.plan.budget import fit, over_budget
from cmemory.domain.plan.plan import Channel, Item, Plan, Why
from cmemory.domain.plan.roster import Entry, Roster
from cmemory.domain.policy import Policy
from cmemory.domain.predicates.registry import Visibility, visibility_of
from cmemory.domain.recall.query import Query
from cmemory.domain.scoring.salience import score

#: Domains that always shape how the companion speaks, cue or no cue. ``preference`` is reserved by the protocol.
_STYLE_DOMAINS = frozenset({"communication", "preference", "support", "advice"})

#: The day of a note has come; who made the promise, or asked for it, allowed that.
_DUE = Cues(time_trigger=True, time_trigger_authorised=True)

#: Closing marks after which a greeting may go on.
_GREETING_BREAKS = ("，", ",")


@attrs.frozen(kw_only=True)
class Placed:
    """Where one record stands."""

    channel: Channel
    item: Item


@attrs.frozen(kw_only=True)
class AtRest:
    """Where every record stands while no message points at it, sorted by what a turn needs of it.

    Positions are those of the roster's entries.
    """

    #: What stands in the channels that are always shown.
    standing: tuple[tuple[int, Placed], ...]
    #: The deep-recall pool, best first.
    deep: tuple[tuple[int, Item], ...]
    #: What the pool's overflow is accounted for as, in the same order.
    overflow: tuple[tuple[int, Item], ...]
    #: What stays back, in store order.
    withheld: tuple[tuple[int, Item], ...]


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


def at_rest(roster: Roster, *, now: Instant, policy: Policy) -> AtRest:
    """Return where every record of the roster stands without a cue, on the day of ``now``."""
    placed = [
        (at, _place(entry, NO_CUES, False, now=now, policy=policy)) for at, entry in enumerate(roster.entries)
    ]
    pool = [(at, one.item) for at, one in placed if one.channel is Channel.DEEP_RECALL]
    pool.sort(key=lambda ranked: _rank(ranked[1]))
    back = (Channel.DEEP_RECALL, Channel.DO_NOT_SURFACE)
    return AtRest(
        standing=tuple((at, one) for at, one in placed if one.channel not in back),
        deep=tuple(pool),
        overflow=tuple((at, over_budget(item)) for at, item in pool),
        withheld=tuple((at, one.item) for at, one in placed if one.channel is Channel.DO_NOT_SURFACE),
    )


def compose(
    roster: Roster, turn: Turn, *, resting: AtRest, now: Instant, policy: Policy
) -> tuple[Plan, Changes]:
    """Return the plan of a turn, and the change it causes when a greeting picks up an open thread.

    Args:
        roster: the scope's records.
        turn: message, session and forced ids.
        resting: `at_rest` of the same roster, day and policy.
        now: freshness and expiry are counted to this moment.
        policy: caps, thresholds and the token budget.
    """
    # What a claim says already stays back even where the claim does: the gate takes away and puts nothing in its place.
    moved = _without_repeats(roster, _moved(roster, turn, now=now, policy=policy), resting)
    if policy.release.enabled:
        moved = {**moved, **_unreleased(roster, turn, moved, resting, policy)}
    caps = policy.plan
    shown = _by_channel(resting, moved)
    topic = sorted(shown[Channel.TOPIC_ACTIVATED], key=_rank)
    due = sorted(shown[Channel.CONTINUITY], key=_rank)
    # A cued record never rests in deep recall, so what was not moved is in order already.
    deep = [(at, item) for at, item in resting.deep[: caps.deep_recall_cap + len(moved)] if at not in moved]
    deep = deep[: caps.deep_recall_cap]
    seen = {at for at, _ in deep} | moved.keys()
    back = [(at, item) for at, item in resting.withheld if at not in moved]
    back += [(at, one.item) for at, one in moved.items() if one.channel is Channel.DO_NOT_SURFACE]
    back.sort(key=lambda placed: placed[0])
    thread = _follow_up(roster, turn, now)
    plan = Plan(
        revision=Revision(roster.revision + (thread is not None)),
        constraints=tuple(shown[Channel.CONSTRAINTS]),
        identity=tuple(shown[Channel.IDENTITY]),
        response_style=tuple(shown[Channel.RESPONSE_STYLE]),
        continuity=(*((_follow_up_item(roster, thread),) if thread else ()), *due[: caps.due_cap]),
        topic_activated=tuple(topic[: caps.topic_cap]),
        deep_recall=tuple(item for _, item in deep),
        do_not_surface=(
            *(item for _, item in back),
            *(over_budget(item) for item in (*due[caps.due_cap :], *topic[caps.topic_cap :])),
            *(item for at, item in resting.overflow if at not in seen),
        ),
    )
    fitted = fit(plan, caps.max_tokens)
    if thread is None:
        return fitted, Changes()
    if not any(item.reason is Why.ONE_SESSION_GREETING_FOLLOWUP for item in fitted.continuity):
        # There was no room to offer the thread, so it stays unused.
        return attrs.evolve(fitted, revision=roster.revision), Changes()
    return fitted, Changes(threads=(attrs.evolve(thread, followup_session=turn.session),), revision_step=1)


def _by_channel(resting: AtRest, moved: Mapping[int, Placed]) -> dict[Channel, list[Item]]:
    """Return what stands in the always-shown channels and the cued pool, in store order."""
    placed = [(at, one) for at, one in resting.standing if at not in moved]
    placed += moved.items()
    placed.sort(key=lambda pair: pair[0])
    channels: dict[Channel, list[Item]] = {channel: [] for channel in Channel}
    for _, one in placed:
        channels[one.channel].append(one.item)
    return channels


def is_greeting(text: str) -> bool:
    """Tell whether a message is nothing but a greeting, or opens with one before a comma."""
    said = text.strip().lower()
    return any(
        said == hello or said.startswith(tuple(hello + mark for mark in _GREETING_BREAKS))
        for hello in GREETINGS
    )


def _moved(roster: Roster, turn: Turn, *, now: Instant, policy: Policy) -> Mapping[int, Placed]:
    """Return where the message, or force, puts records that would otherwise rest elsewhere."""
    cues = dict.fromkeys(roster.due.get(turn.today, ()), _DUE) | roster.cued(turn.query)
    forced = (
        {at for at, entry in enumerate(roster.entries) if entry.record.id in turn.forced}
        if turn.forced
        else set()
    )
    return {
        at: _place(roster.entries[at], cues.get(at, NO_CUES), at in forced, now=now, policy=policy)
        for at in sorted(cues.keys() | forced)
    }


def _unreleased(
    roster: Roster, turn: Turn, moved: Mapping[int, Placed], resting: AtRest, policy: Policy
) -> Mapping[int, Placed]:
    """Return the claims and notes that would be shown and that the release gate keeps back.

    Of each ranked channel the heaviest are asked, in order; what weighs less than those stays back unasked.
    """
    caps, looks = policy.plan, policy.release.looks
    topic = [(at, one.item) for at, one in moved.items() if one.channel is Channel.TOPIC_ACTIVATED]
    topic = [(at, item) for at, item in topic if item.record_id not in turn.forced]
    topic.sort(key=lambda ranked: _rank(ranked[1]))
    most = looks * caps.deep_recall_cap
    deep = [(at, item) for at, item in resting.deep[: most + len(moved)] if at not in moved][:most]
    most = looks * caps.topic_cap
    read = [(at, item, roster.statement(at)) for at, item in (*topic[:most], *deep)]
    asked = [(at, item, one) for at, item, one in read if one is not None]
    request = Request.of(turn.query.text)
    answers = release_all([one for _, _, one in asked], request, policy.release)
    # Who asks for nothing may still be met with what is free to be mentioned.
    free = frozenset() if request.advice else frozenset(at for at, _ in deep)
    back = Channel.DO_NOT_SURFACE
    silent = {
        at: _put(roster.entries[at], back, item.surface, Why(answer.reason.value), item.score)
        for (at, item, _), answer in zip(asked, answers, strict=True)
        if answer.silent and not (at in free and answer.reason in UNASKED)
    }
    return {**silent, **{at: Placed(channel=back, item=over_budget(item)) for at, item in topic[most:]}}


def _without_repeats(roster: Roster, moved: Mapping[int, Placed], resting: AtRest) -> Mapping[int, Placed]:
    """Return where records were put, notes withheld that say no more than the claims shown beside them."""
    notes = [at for at in moved if roster.entries[at].said_by]
    if not notes:
        return moved
    back = Channel.DO_NOT_SURFACE
    shown = {at for at, _ in resting.standing if at not in moved}
    shown |= {at for at, one in moved.items() if one.channel is not back}
    said = (at for at in notes if all(not shown.isdisjoint(by) for by in roster.entries[at].said_by))
    silent = {at: _put(roster.entries[at], back, moved[at].item.surface, Why.SAID_ALREADY) for at in said}
    return {**moved, **silent}


def _rank(item: Item) -> tuple[float, str]:
    return -(item.score or 0.0), item.record_id


def _place(entry: Entry, cues: Cues, forced: bool, *, now: Instant, policy: Policy) -> Placed:
    """Route one record. Force overrides activation, never authorisation."""
    verdict = decide_record(entry.record, Cues(referenced=True) if forced and not cues.any else cues)
    body = entry.record.body
    domain = body.predicate.partition(".")[0] if isinstance(body, Claim) else ""
    if domain == "boundary":
        # The level of the key, not of the record: an obligation stands even when its record is muted.
        return _put(entry, Channel.CONSTRAINTS, Visibility.BACKGROUND_ONLY, Why.CONSTRAINT_POLICY)
    if domain in _STYLE_DOMAINS and verdict.level > Visibility.NEVER_SURFACE:
        return _put(entry, Channel.RESPONSE_STYLE, verdict.level, _standing_reason(verdict, cues, forced))
    if entry.shaded and not (
        isinstance(body, (Episode, Note)) and verdict.denial is Denial.AWAITING_USER_CUE
    ):
        return _put(entry, Channel.DO_NOT_SURFACE, Visibility.NEVER_SURFACE, Why.BOUNDARY_POLICY)
    if domain == "identity" and verdict.level > Visibility.NEVER_SURFACE:
        if verdict.allowed or not policy.plan.identity_needs_cue:
            return _put(entry, Channel.IDENTITY, verdict.level, _standing_reason(verdict, cues, forced))
        return _put(entry, Channel.DO_NOT_SURFACE, verdict.level, Why.MENTION_GATE_DENIED)
    if not verdict.allowed:
        return _put(entry, Channel.DO_NOT_SURFACE, verdict.level, _denial_reason(entry, verdict))
    return _compete(entry, verdict, cues, forced, now=now, policy=policy)


def _compete(
    entry: Entry, verdict: Verdict, cues: Cues, forced: bool, *, now: Instant, policy: Policy
) -> Placed:
    """Place a record that is allowed and has to earn its place by weight."""
    salience = policy.salience
    named = cues.referenced or forced or not cues.implied
    relevance = salience.relevance_named if named else salience.relevance_implied
    weight = score(entry.record, relevance=relevance, now=now, policy=policy, triggered=forced)
    if cues.time_trigger and not (cues.any or forced):
        return _put(entry, Channel.CONTINUITY, verdict.level, Why.DUE_TODAY, weight)
    if cues.any or forced:
        return _put(
            entry, Channel.TOPIC_ACTIVATED, verdict.level, _standing_reason(verdict, cues, forced), weight
        )
    if verdict.level is not Visibility.FREELY_MENTIONABLE:
        return _put(entry, Channel.DO_NOT_SURFACE, verdict.level, Why.BACKGROUND_AT_REST)
    if weight is not None and weight >= policy.plan.deep_recall_threshold:
        return _put(entry, Channel.DEEP_RECALL, verdict.level, Why.POLICY_MEMORY, weight)
    return _put(entry, Channel.DO_NOT_SURFACE, verdict.level, Why.BELOW_RECALL_THRESHOLD, weight)


def _put(
    entry: Entry, channel: Channel, surface: Visibility, reason: Why, weight: float | None = None
) -> Placed:
    item = Item(record_id=entry.record.id, text=entry.text, surface=surface, reason=reason, score=weight)
    return Placed(channel=channel, item=item)


def _standing_reason(verdict: Verdict, cues: Cues, forced: bool) -> Why:
    if not verdict.allowed:
        return Why.MENTION_GATE_DENIED
    if verdict.background_only:
        return Why.BACKGROUND_POLICY
    if cues.referenced:
        return Why.CURRENT_TURN_CUE
    if cues.implied:
        return Why.TOPIC_IMPLIED
    return Why.FORCED_ORACLE_INJECTION if forced else Why.POLICY_MEMORY


def _denial_reason(entry: Entry, verdict: Verdict) -> Why:
    if verdict.denial is Denial.DO_NOT_SURFACE:
        return Why.MUTED
    if isinstance(entry.record.body, Claim):
        return Why.MENTION_GATE_DENIED
    if verdict.denial is not Denial.AWAITING_USER_CUE:
        return Why.MENTION_GATE
    return Why.NOTE_AT_REST if isinstance(entry.record.body, Note) else Why.EPISODE_AT_REST


def _follow_up(roster: Roster, turn: Turn, now: Instant) -> OpenThread | None:
    """Return the thread a new session's greeting may pick up, the most recently touched first."""
    if not (turn.new_session and turn.session and is_greeting(turn.query.text)):
        return None
    speakable = {
        entry.record.id for entry in roster.entries if not entry.shaded and not entry.record.salience.muted
    }
    for thread in sorted(roster.threads, key=lambda one: (-one.updated_at.microseconds, one.id)):
        open_now = thread.status is ThreadStatus.OPEN and (
            thread.expires_at is None or thread.expires_at > now
        )
        fresh = thread.followup_session != turn.session and thread.record_id in speakable
        if open_now and fresh and not roster.shield.covers(thread.summary):
            return thread
    return None


def _follow_up_item(roster: Roster, thread: OpenThread) -> Item:
    keys = (entry.record.body for entry in roster.entries if entry.record.id == thread.record_id)
    level = next(
        (visibility_of(body.predicate) for body in keys if isinstance(body, Claim)),
        Visibility.MENTION_IF_USER_CUES,
    )
    return Item(
        record_id=thread.record_id,
        text=thread.summary,
        surface=level,
        reason=Why.ONE_SESSION_GREETING_FOLLOWUP,
    )
