"""Chooses what of a conversation is carried on when it leaves the context window: whole stretches, in their order.

It picks greedily what adds most for its tokens. A word is worth the more the fewer messages use it, and little once the
checkpoint has it; decisions, promises, open questions and the like add to that (`ReasonWeights`). Nothing here knows a
clock, a store or how the text is rendered: what lines cost comes in as a `Frame`, what must stay out as bars.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import attrs

from cmemory.domain.archive import positional
from cmemory.domain.archive.entry import GAP, Drop, Entry, Frame, Keep, Line, Selection, StretchScore, total
from cmemory.domain.archive.stretches import Stretch, cut, evades, shown
from cmemory.domain.archive.superseded import Corrections, corrections
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.policy import CompactionPolicy, Ranking
from cmemory.domain.text.tokens import is_cjk, jaccard

#: Messages after a question in which an answer may come.
_ANSWER_WITHIN = 2
#: Gains below this are nothing.
_NOTHING = 1e-9
#: What a Chinese pair counts beside a Latin word: it overlaps its neighbours.
_PAIR = 0.5
#: Reasons that say what is in a stretch, not what it does; of these a checkpoint soon has enough.
_FACETS = frozenset({Keep.DATE, Keep.NUMBER, Keep.NAME, Keep.NEGATION})
_BY_WEIGHT = (
    Keep.CORRECTION,
    Keep.BOUNDARY,
    Keep.DECISION,
    Keep.COMMITMENT,
    Keep.OPEN_QUESTION,
    Keep.PREFERENCE,
    Keep.DATE,
    Keep.NUMBER,
    Keep.NAME,
    Keep.NEGATION,
)


def select(
    entries: Sequence[Entry], *, frame: Frame, token_budget: int, now: Instant, policy: CompactionPolicy
) -> Selection:
    """Return what is carried of the entries, in their order.

    Args:
        entries: what leaves the window, oldest first.
        frame: what heading, days and lines cost.
        token_budget: tokens at most, everything included; too few for one line carry nothing.
        now: recency is counted to this moment, where the ranking counts it.
        policy: weights and limits.
    """
    if policy.ranking is Ranking.POSITION:
        return positional.select(entries, frame=frame, token_budget=token_budget, now=now, policy=policy)
    stretches = _judged(cut(entries, policy), policy)
    fixed = corrections(stretches)
    stretches = [
        attrs.evolve(one, drop=Drop.SUPERSEDED) if one.drop is None and one.at in fixed.superseded else one
        for one in stretches
    ]
    picker = _Picker(entries, stretches, fixed, frame, token_budget, policy)
    picker.run()
    return picker.selection()


def _judged(stretches: Sequence[Stretch], policy: CompactionPolicy) -> list[Stretch]:
    """Return the stretches with repeats marked to be dropped, and questions marked as open or answered."""
    judged = list(stretches)
    for at in _repeated(stretches, policy.repeat_similarity):
        judged[at] = attrs.evolve(judged[at], drop=Drop.REPEAT)
    for at in _open_questions(stretches):
        judged[at] = attrs.evolve(judged[at], reasons=judged[at].reasons | {Keep.OPEN_QUESTION})
    return judged


def _repeated(stretches: Sequence[Stretch], similarity: float) -> list[int]:
    """Return the stretches that a later one says again. What an earlier checkpoint carried is no repeat of itself."""
    by_term: dict[str, list[Stretch]] = defaultdict(list)
    repeated = []
    for one in reversed(stretches):
        if one.drop is not None or not one.terms:
            continue
        rarest = min(one.terms, key=lambda term: (len(by_term[term]), term))
        later = (
            by_term[rarest]
            if len(one.terms) < 3
            else {x.at: x for t in one.terms for x in by_term[t]}.values()
        )
        if any(_same(one, other, similarity) for other in later):
            repeated.append(one.at)
            continue
        for term in one.terms:
            by_term[term].append(one)
    return repeated


def _same(one: Stretch, other: Stretch, similarity: float) -> bool:
    if one.carried and other.carried:
        return False
    # "On 3 May" and "on 9 May" are alike and not the same.
    return one.all_values == other.all_values and jaccard(one.terms, other.terms) >= similarity


def _open_questions(stretches: Sequence[Stretch]) -> list[int]:
    """Return the questions that nobody answered before the conversation went on, or ended."""
    said: dict[int, list[Stretch]] = defaultdict(list)
    for one in stretches:
        said[one.entry].append(one)
    return [one.at for one in stretches if one.asks and one.drop is None and _unanswered(one, said)]


def _unanswered(question: Stretch, said: Mapping[int, Sequence[Stretch]]) -> bool:
    """Tell whether no other side said anything soon after, or only that it does not know."""
    after = range(question.entry + 1, question.entry + 1 + _ANSWER_WITHIN)
    replies = [one for entry in after for one in said.get(entry, ()) if one.speaker is not question.speaker]
    if any(evades(one.text) for one in replies):
        return True
    return not any(not one.asks for one in replies)


class _Picker:
    """The greedy choice: what adds most for its tokens comes first, and the rest is weighed anew."""

    def __init__(
        self,
        entries: Sequence[Entry],
        stretches: Sequence[Stretch],
        fixed: Corrections,
        frame: Frame,
        budget: int,
        policy: CompactionPolicy,
    ) -> None:
        self._entries = entries
        self._stretches = stretches
        self._fixed = fixed
        self._frame = frame
        self._budget = budget
        self._policy = policy
        self._weights = _term_weights(stretches, policy.topic_cap)
        self._seen: Counter[str] = Counter()
        self._carried: Counter[Keep] = Counter()
        self._chosen: dict[int, StretchScore] = {}
        self._lines: dict[int, list[int]] = {}
        self._costs: dict[tuple[int, ...], int] = {}
        self._needed = frozenset(fixed.needs.values())

    def run(self) -> None:
        """Choose until nothing that fits is left."""
        heap = [(-self._card(one).score, -one.at) for one in self._stretches if self._free(one)]
        heapq.heapify(heap)
        while heap:
            claimed, negative = heapq.heappop(heap)
            one = self._stretches[-negative]
            if one.at in self._chosen:
                continue
            card = self._card(one)
            if card.score < -claimed - _NOTHING and heap:
                heapq.heappush(heap, (-card.score, -one.at))
                continue
            if card.score > _NOTHING and self._fits(self._bundle(one)):
                self._take(one, card)
                for sibling in self._siblings(one):
                    # Its line is paid for now, so it costs less than before.
                    heapq.heappush(heap, (-self._card(sibling).score, -sibling.at))

    def selection(self) -> Selection:
        """Return what was chosen."""
        dropped = Counter(_why_left(one) for one in self._stretches if one.at not in self._chosen)
        filled = [entry for entry in self._entries if entry.text.strip()]
        lines = tuple(self._line(number) for number in sorted(self._lines))
        return Selection(
            lines=lines,
            tokens=self._spent(self._lines) if lines else 0,
            input_entries=len(filled),
            input_tokens=sum(self._frame.line(entry.speaker, entry.text) for entry in filled),
            dropped=dict(dropped),
        )

    def _free(self, one: Stretch) -> bool:
        """Tell whether a stretch may be chosen for its own sake."""
        return one.drop is None and one.at not in self._chosen and one.at not in self._needed

    def _bundle(self, one: Stretch) -> tuple[int, ...]:
        needed = self._fixed.needs.get(one.at)
        return (one.at,) if needed is None or needed in self._chosen else (needed, one.at)

    def _siblings(self, one: Stretch) -> list[Stretch]:
        found = []
        for step in (-1, 1):
            at = one.at + step
            while 0 <= at < len(self._stretches) and self._stretches[at].entry == one.entry:
                if self._free(self._stretches[at]):
                    found.append(self._stretches[at])
                at += step
        return found

    def _take(self, one: Stretch, card: StretchScore) -> None:
        for at in self._bundle(one):
            self._chosen[at] = card
            self._lines[self._stretches[at].entry] = sorted(
                (*self._lines.get(self._stretches[at].entry, ()), at)
            )
            self._seen.update(self._stretches[at].terms)
            self._carried.update(self._reasons(self._stretches[at]))

    def _fits(self, bundle: Sequence[int]) -> bool:
        wanted = dict(self._lines)
        for at in bundle:
            entry = self._stretches[at].entry
            wanted[entry] = sorted((*wanted.get(entry, ()), at))
        return self._spent(wanted) <= self._budget

    def _spent(self, lines: Mapping[int, Sequence[int]]) -> int:
        return total(
            self._frame,
            [(self._entries[number].day, self._cost(number, lines[number])) for number in sorted(lines)],
        )

    def _cost(self, number: int, chosen: Sequence[int]) -> int:
        key = tuple(chosen)
        if key not in self._costs:
            self._costs[key] = self._frame.line(self._entries[number].speaker, self._joined(chosen))
        return self._costs[key]

    def _card(self, one: Stretch) -> StretchScore:
        """Return what a stretch is worth now: its parts, and the score they make for its tokens."""
        policy = self._policy
        bundle = [self._stretches[at] for at in self._bundle(one)]
        news = sum(self._news(term) for term in frozenset().union(*(part.terms for part in bundle)))
        reasons = sum(self._worth(reason) for reason in self._reasons(one) if reason in _BY_WEIGHT)
        share = self._entries_share(one)
        factor = _speaker_factor(one.speaker, policy) * (1 + policy.recency_share * share)
        if one.asks and Keep.OPEN_QUESTION not in one.reasons:
            factor *= policy.answered_factor
        tokens = self._added(bundle)
        score = (news + reasons) * factor / tokens**policy.cost_exponent
        if one.carried:
            score = max(score, _NOTHING * 2)
        return StretchScore(
            parts=(("news", news), ("reasons", reasons), ("factor", factor), ("tokens", float(tokens))),
            score=score,
        )

    def _worth(self, reason: Keep) -> float:
        """Return what a reason adds; a date or a name the less the more stretches are carried for one already."""
        weight: float = getattr(self._policy.reasons, reason.value)
        if reason not in _FACETS:
            return weight
        return weight / (1 + self._carried[reason] / self._policy.facet_half_count)

    def _news(self, term: str) -> float:
        return self._weights[term] * self._policy.repeat_share ** self._seen[term]

    def _entries_share(self, one: Stretch) -> float:
        return one.entry / (len(self._entries) - 1) if len(self._entries) > 1 else 1.0

    def _added(self, bundle: Sequence[Stretch]) -> int:
        """Return the tokens the bundle adds to the lines; days count for nothing here."""
        added = 0
        for one in bundle:
            held = self._lines.get(one.entry, ())
            before = self._cost(one.entry, held) if held else 0
            added += self._cost(one.entry, sorted((*held, one.at))) - before
        return max(1, added)

    def _joined(self, chosen: Sequence[int]) -> str:
        """Return the stretches of one entry as one text, with a mark where something is missing between them."""
        text = ""
        end = 0
        for at in chosen:
            one = self._stretches[at]
            if not text:
                text = one.text
            elif end == one.start:
                text += _space(text, one.text) + one.text
            else:
                text += f" {GAP} {one.text}"
            end = one.end
        return text

    def _reasons(self, one: Stretch) -> tuple[Keep, ...]:
        """Return why a stretch is carried, the weightiest first."""
        found = set(one.reasons)
        if one.at in self._fixed.correcting:
            found.add(Keep.CORRECTION)
        if one.at in self._needed:
            found.add(Keep.CONTEXT)
        ordered = tuple(reason for reason in Keep if reason in found)
        return ordered or (Keep.NEWS,)

    def _line(self, number: int) -> Line:
        chosen = self._lines[number]
        entry = self._entries[number]
        text = self._joined(chosen)
        found = {reason for at in chosen for reason in self._reasons(self._stretches[at])}
        best = max((self._chosen[at] for at in chosen), key=lambda card: card.score)
        return Line(
            message_id=entry.message_id,
            speaker=entry.speaker,
            text=text,
            day=entry.day,
            at=number,
            whole="".join(text.split()) == "".join(shown(entry.text).split()),
            reasons=tuple(reason for reason in Keep if reason in found),
            card=best,
        )


def _term_weights(stretches: Sequence[Stretch], topic_cap: int) -> Mapping[str, float]:
    """Return for each word how telling it is, 0 to 1: a topic comes up in several messages, yet not in most."""
    messages: dict[str, set[int]] = defaultdict(set)
    for one in stretches:
        for term in one.terms:
            messages[term].add(one.entry)
    count = len({one.entry for one in stretches})
    most = math.log1p(count) * topic_cap
    return {
        term: math.log1p(count / len(found))
        * min(len(found), topic_cap)
        / most
        * (_PAIR if is_cjk(term[0]) else 1.0)
        for term, found in messages.items()
    }


def _why_left(one: Stretch) -> Drop:
    # A stretch without a word that names anything is never chosen, however much room there is.
    return one.drop or (Drop.BUDGET if one.terms or one.reasons else Drop.NOISE)


def _speaker_factor(speaker: Speaker, policy: CompactionPolicy) -> float:
    factors = {
        Speaker.USER: 1.0,
        Speaker.ASSISTANT: policy.assistant_factor,
        Speaker.TOOL: policy.tool_factor,
    }
    return factors[speaker]


def _space(before: str, after: str) -> str:
    """Return what stands between two stretches that follow each other: Chinese needs no space."""
    return "" if is_cjk(after[0]) or before[-1] in "。！？；…" else " "
