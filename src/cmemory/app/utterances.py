"""Finds what was said in a relationship: ranked by the domain, and withheld where the person asked for silence."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from cmemory.app.meaning import Degraded, Found, Sought, look, seek
from cmemory.app.services import Services
from cmemory.domain.gates.standing import Bench, Standing
from cmemory.domain.model.embedding import Embedded
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.model.scope import Scope
from cmemory.domain.policy import EmbeddingPolicy, RecallPolicy
from cmemory.domain.recall.asked import Asked
from cmemory.domain.recall.nearness import (
    NOTHING_NEAR,
    Nearness,
    Vector,
    as_said,
    near_in_talk,
    nearest,
    weight_of,
)
from cmemory.domain.recall.query import Query
from cmemory.domain.recall.rank import Ranked, ScoreCard, rank
from cmemory.domain.recall.said import Among, Said, Statistics, Stretch
from cmemory.domain.text.tokens import holds_pair, topic_words
from cmemory.ports.store import View

_NAME = ("identity.name",)

#: Whose words are looked through unless somebody is named: what tools and plug-ins put in is no conversation.
CONVERSATION = frozenset({Speaker.USER, Speaker.ASSISTANT})


class Silence(enum.Enum):
    """Why something that was said is not told."""

    #: It touches a topic the person fenced off, or is the boundary itself.
    BOUNDARY = "boundary_shielded"
    #: A muted record rests on it.
    MUTED = "do_not_surface"
    #: It proves something of a kind that is never spoken of, such as an age.
    NEVER_SURFACE = "never_surface"
    #: A record that was put away rests on it.
    DELETED = "deleted"
    #: It shares no topic with what the person just said.
    NO_CUE = "awaiting_user_cue"


_SILENCES = {
    Standing.MUTED: Silence.MUTED,
    Standing.NEVER_SURFACE: Silence.NEVER_SURFACE,
    Standing.BOUNDARY: Silence.BOUNDARY,
    Standing.DELETED: Silence.DELETED,
}


@attrs.frozen(kw_only=True)
class Utterance:
    """One message that was found and may be told. Forgotten stretches of it read ``***``."""

    id: MessageId
    session: str
    #: Who said it; only the user's own words are evidence of anything about them.
    speaker: Speaker
    at: Instant
    text: str
    #: The weighted sum of the parts; comparable within one search only.
    score: float
    parts: ScoreCard


@attrs.frozen(kw_only=True)
class Utterances:
    """What a search over the conversation found, the best first."""

    hits: tuple[Utterance, ...] = ()
    #: How many candidates stay untold, by reason; neither ids nor texts of them are told.
    withheld: Mapping[str, int] = attrs.field(factory=dict)
    #: Why words counted alone although there is an embedder; None when nothing was amiss.
    degraded: Degraded | None = None

    def __iter__(self) -> Iterator[Utterance]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


def search_utterances(
    services: Services,
    scope: Scope,
    terms: str,
    *,
    message: str | None,
    among: Among,
    now: Instant,
    limit: int,
) -> Utterances:
    """Return the messages that match the terms and may be told.

    Args:
        terms: what is looked for.
        message: what the person just said, which alone gives leave when a model chose the terms; with None the
            terms are the person's own, and whatever they find may be told unless the person asked for silence.
        among: which messages are looked through.
        now: boundaries count as they stand at this moment.
        limit: hits at most.

    Returns:
        The best first, ties by newest, then by id.
    """
    if not limit:
        return Utterances()
    policy = services.policy.recall
    sought = _sought(services, scope, terms, now)
    with services.store.read(scope) as view:
        asked = Asked.of(Query.of(terms).text, _names(view, scope, now), policy)
        statistics = view.statistics(sorted(asked.counted))
        weights = asked.weights(statistics, max_postings=policy.max_postings)
        found = _look(view, sought, among, policy.embedding)
        near = nearest(found.near, policy.embedding.nearest)
        if not (weights or near):
            found.told(services, now)
            return Utterances(degraded=found.degraded)
        most = max(policy.min_candidates, policy.candidates_per_hit * limit)
        matching = view.utterances(weights, among=among, limit=most) if weights else ()
        search = _Search(
            services, scope, view, found, among, None if message is None else Query.of(message), now
        )
        heard = search.hear(dict.fromkeys((*map(str, matching), *near)))
        ranked = search.echo(asked, statistics, heard, search.rank(asked, statistics, heard))
    found.told(services, now)
    return attrs.evolve(search.told(*ranked, limit=limit), degraded=found.degraded)


@attrs.frozen(kw_only=True)
class _Heard:
    """Candidates with what was said around them."""

    candidates: frozenset[str]
    stretches: tuple[Stretch, ...]
    vectors: Mapping[str, Vector]
    #: What of all this may not be told, and why.
    silenced: Mapping[str, Silence]

    def with_more(self, more: _Heard) -> _Heard:
        """Return all of both."""
        return _Heard(
            candidates=self.candidates | more.candidates,
            stretches=(*self.stretches, *more.stretches),
            vectors={**self.vectors, **more.vectors},
            silenced={**self.silenced, **more.silenced},
        )


@attrs.frozen
class _Search:
    """One search, within one view of the store."""

    services: Services
    scope: Scope
    view: View
    found: Found
    among: Among
    #: What gives leave; None when the person chose the terms.
    leave: Query | None
    now: Instant

    def hear(self, candidates: Iterable[str]) -> _Heard:
        """Return candidates with what was said around them; none where everything was forgotten."""
        ids = tuple(candidates)
        stretches = tuple(self.view.around(ids, reach=self.services.policy.recall.reach))
        named = sorted({one.message.id for stretch in stretches for one in stretch})
        bench = self.services.silences(self.scope, self.view, named, now=self.now)
        if bench.guard.everything:
            return _Heard(candidates=frozenset(), stretches=(), vectors={}, silenced={})
        return _Heard(
            candidates=frozenset(ids),
            stretches=stretches,
            vectors=self.found.vectors(self.view, Embedded.MESSAGE, named),
            silenced=_silenced(stretches, bench),
        )

    def rank(self, asked: Asked, statistics: Statistics, heard: _Heard) -> list[Ranked]:
        """Rank what is not silenced: a silenced message lends nothing to its neighbours either."""
        open_stretches = [part for stretch in heard.stretches for part in _without(stretch, heard.silenced)]
        policy = self.services.policy.recall
        return rank(
            asked,
            open_stretches,
            statistics,
            among=self.among,
            policy=policy,
            zone=self.services.zone,
            nearness=_nearness(asked, open_stretches, self.found, heard.vectors, policy),
        )

    def echo(
        self, asked: Asked, statistics: Statistics, heard: _Heard, ranked: Sequence[Ranked]
    ) -> tuple[Sequence[Ranked], _Heard]:
        """Rank again with what the best hit tells in Chinese and few messages hold, such as a name it introduces."""
        policy = self.services.policy.recall
        best = next(filter(self._may_tell, ranked), None) if policy.echo > 0 else None
        pairs = () if best is None else asked.echoes(best.said.terms)
        holding = self.view.statistics(pairs).holding if pairs else {}
        rare = sorted((count, pair) for pair, count in holding.items() if 1 < count <= policy.echo_holding)
        chosen = [pair for _, pair in rare[: policy.echo_terms]]
        if not chosen:
            return ranked, heard
        again = self.view.utterances(dict.fromkeys(chosen, 1), among=self.among, limit=policy.echo_candidates)
        if fresh := [name for name in again if name not in heard.candidates]:
            heard = heard.with_more(self.hear(fresh))
        statistics = attrs.evolve(statistics, holding={**statistics.holding, **holding})
        return self.rank(asked.echoing(chosen, policy.echo), statistics, heard), heard

    def told(self, ranked: Sequence[Ranked], heard: _Heard, *, limit: int) -> Utterances:
        """Return the hits that may be told, and count what stays untold."""
        told = list(filter(self._may_tell, ranked))
        withheld = Counter(why.value for name, why in heard.silenced.items() if name in heard.candidates)
        if len(told) < len(ranked):
            withheld[Silence.NO_CUE.value] = len(ranked) - len(told)
        return Utterances(hits=tuple(map(_hit, told[:limit])), withheld=dict(sorted(withheld.items())))

    def _may_tell(self, one: Ranked) -> bool:
        return self.leave is None or _shares_topic(self.leave, one.said.message)


def _sought(services: Services, scope: Scope, terms: str, now: Instant) -> Sought:
    """Return what is looked for as a vector, asked for before anything is read that must not change meanwhile."""
    if services.embedder is None:
        return Sought()
    with services.store.read(scope) as view:
        names = _names(view, scope, now)
    return seek(services, as_said(terms, (name for called in names.values() for name in called)))


def _look(view: View, sought: Sought, among: Among, policy: EmbeddingPolicy) -> Found:
    """Return what is near among the newest messages that are looked through."""
    if not sought.vector:
        return look(sought, (), policy)
    everything = Among(speakers=CONVERSATION)
    newest = view.message_vectors(sought.model, among=everything, limit=policy.scan)
    narrowed = (
        None if among == everything else view.message_vectors(sought.model, among=among, limit=policy.scan)
    )
    return look(sought, newest, policy, wanted=narrowed)


def _nearness(
    asked: Asked,
    stretches: Sequence[Stretch],
    found: Found,
    vectors: Mapping[str, Vector],
    policy: RecallPolicy,
) -> Nearness:
    """Return what nearness counts for the messages that may be told."""
    if found.compass is None:
        return NOTHING_NEAR
    near = near_in_talk(found.compass, vectors, stretches, policy)
    return Nearness(near=near, weight=weight_of(asked.terms, policy.embedding))


def _names(view: View, scope: Scope, now: Instant) -> Mapping[Speaker, frozenset[str]]:
    """Return what the two are called: the person as they said, the companion by its profile."""
    own = (str(one.body.value).strip().lower() for one in view.under(_NAME) if one.live(now))
    return {
        Speaker.USER: frozenset(name for name in own if name),
        Speaker.ASSISTANT: frozenset({scope.profile.strip().lower()}),
    }


def _silenced(stretches: Iterable[Stretch], bench: Bench) -> Mapping[str, Silence]:
    """Return which of the messages may not be told, and why."""
    messages = {one.message.id: one.message for part in stretches for one in part}
    standings = {name: bench.silence(message) for name, message in messages.items()}
    return {name: _SILENCES[one] for name, one in standings.items() if one in _SILENCES}


def _without(stretch: Stretch, silenced: Mapping[str, Silence]) -> Iterator[Stretch]:
    """Yield the parts of a stretch between silenced messages."""
    part: list[Said] = []
    for one in stretch:
        if one.message.id in silenced:
            yield tuple(part)
            part = []
        else:
            part.append(one)
    yield tuple(part)


def _shares_topic(said: Query, message: Message) -> bool:
    lowered = message.text.lower()
    if holds_pair(lowered, said.pairs):
        return True
    return bool(said.words) and not said.words.isdisjoint(topic_words(lowered))


def _hit(one: Ranked) -> Utterance:
    message = one.said.message
    return Utterance(
        id=message.id,
        session=message.session,
        speaker=message.speaker,
        at=message.at,
        text=message.text,
        score=one.score,
        parts=one.parts,
    )
