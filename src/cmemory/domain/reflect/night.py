"""The night: when the day's exchanges are due to become notes, in which portions, and what rules find in them.

A day is due once its hour has struck where the person lives. Running late, or twice, changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta, tzinfo

import attrs

from cmemory.domain.errors import UsageError
from cmemory.domain.evidence.quote import quote_at
from cmemory.domain.lexicon import notable
from cmemory.domain.model.bodies import NoteKind
from cmemory.domain.model.candidate import NoteCandidate
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Quote
from cmemory.domain.model.record import Provenance
from cmemory.domain.model.state import Exchange
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.policy import NightPolicy
from cmemory.domain.text.intent import Intent, intent_of, is_joke
from cmemory.domain.text.mood import mood_of
from cmemory.domain.text.sentences import Piece, sentences
from cmemory.domain.text.tokens import is_cjk, topic_pairs, topic_words
from cmemory.domain.time.dates import NamedDay, named_days

_CLOCK = lazy_pattern(r"([01][0-9]|2[0-3]):([0-5][0-9])")

#: Proposed by the rules below; the version moves when their meaning does.
DISTILLED = Provenance(proposer="rules", version="night-1")

#: How much a note of each kind matters, and what an express wish to keep it adds.
_IMPORTANCE = {
    NoteKind.PROMISE: 0.7,
    NoteKind.EVENT: 0.6,
    NoteKind.PREFERENCE: 0.6,
    NoteKind.LESSON: 0.6,
    NoteKind.FEELING: 0.5,
    NoteKind.FACT: 0.5,
}
_ASKED_FOR = 0.2

#: Sentences that state nothing lasting.
_PASSING = frozenset({Intent.JOKE, Intent.HYPOTHETICAL, Intent.REPORTED, Intent.QUESTION, Intent.MOOD})

_TRIMMED = " \t\n　。．.！!~～，,；;：:"


@attrs.frozen(kw_only=True)
class Told:
    """One exchange with its words."""

    said: Message
    #: None when the companion stayed silent, or its answer was erased.
    answered: Message | None = None

    @property
    def chars(self) -> int:
        """Code points of both."""
        return len(self.said.text) + (0 if self.answered is None else len(self.answered.text))


def due_day(now: Instant, *, zone: tzinfo, at: str, done: str | None) -> str | None:
    """Return the civil day whose night is due, as in ``2026-03-01``; None when the last one is done.

    Args:
        now: the present.
        zone: the person's civil time.
        at: the hour at which a day ends, as in ``23:50``.
        done: the last day that is done.

    Raises:
        UsageError: the hour is no time of day.
    """
    found = _CLOCK.fullmatch(at)
    if found is None:
        raise UsageError(field="at", problem="must be a time of day such as 23:50")
    civil = now.civil(zone)
    struck = (civil.hour, civil.minute) >= (int(found[1]), int(found[2]))
    day = civil.date() if struck else _before(civil.date())
    return str(day) if done is None or str(day) > done else None


def of_day(waiting: Iterable[Exchange], day: str, *, zone: tzinfo) -> tuple[Exchange, ...]:
    """Return what waits from a civil day or from one before it."""
    return tuple(one for one in waiting if str(one.queued_at.civil(zone).date()) <= day)


def _before(day: date) -> date:
    return day if day == date.min else day - timedelta(days=1)


def portions(told: Iterable[Told], policy: NightPolicy) -> tuple[tuple[Told, ...], ...]:
    """Return the exchanges in portions that a model can read at once, in their order; a long one stands alone."""
    found: list[list[Told]] = []
    room = places = 0
    for one in told:
        size = min(one.chars, 2 * policy.shown_chars)
        if not found or size > room or not places:
            found.append([])
            room, places = policy.portion_chars, policy.portion_exchanges
        found[-1].append(one)
        room, places = room - size, places - 1
    return tuple(map(tuple, found))


def distil(message: Message, *, zone: tzinfo, facts: Sequence[Quote] = ()) -> tuple[NoteCandidate, ...]:
    """Return what of a message is worth a note, by rules: the person's own sentences, word for word.

    Greetings, questions, jokes, suppositions, passing states and what others said are left out.

    Args:
        message: words of the person.
        zone: their civil time, for "tomorrow"; a day is written behind the words that name it.
        facts: stretches of the message that state a fact; their sentences are notes of facts at least.
    """
    if is_joke(message.text):
        return ()
    today = message.at.civil(zone).date()
    found = (_noted(message, piece, today, facts) for piece in sentences(message.text))
    return tuple(one for one in found if one is not None)


def _noted(message: Message, piece: Piece, today: date, facts: Sequence[Quote]) -> NoteCandidate | None:
    start, end = _bounds(piece)
    words = message.text[start:end]
    kept = _kept(words)
    core = words[kept:]
    if not (topic_pairs(core) or topic_words(core)) or intent_of(piece.text) in _PASSING:
        return None
    quote = quote_at(message.text, start, end)
    if message.text.find(words, message.text.find(words) + 1) >= 0:
        return None
    named = named_days(core, today)
    states = any(quote.start <= fact.start and fact.end <= quote.end for fact in facts)
    kind = _kind_of(core, named, states=states, asked=kept > 0)
    if kind is None:
        return None
    mood = mood_of(core)
    return NoteCandidate(
        id=derive_id("n", message.id, kind.value, core, words),
        note_kind=kind,
        text=_dated(core, named),
        quote=quote,
        importance=min(1.0, _IMPORTANCE[kind] + (_ASKED_FOR if kept else 0.0)),
        emotional_weight=abs(mood.valence),
        due_on=_due(core, kind, named, today),
    )


def _bounds(piece: Piece) -> tuple[int, int]:
    left = len(piece.text) - len(piece.text.lstrip(_TRIMMED))
    return piece.start + left, piece.start + max(left, len(piece.text.rstrip(_TRIMMED)))


def _kept(words: str) -> int:
    """Return how many code points at the beginning only ask that the rest be kept."""
    found = notable.KEEP_ZH.match(words) or notable.KEEP_EN.match(words)
    return found.end() if found else 0


def _kind_of(core: str, named: Sequence[NamedDay], *, states: bool, asked: bool) -> NoteKind | None:
    chinese = any(map(is_cjk, core))
    table = notable.NOTABLE_ZH if chinese else notable.NOTABLE_EN
    lasting = notable.LASTING_ZH if chinese else notable.LASTING_EN
    own = (notable.SELF_ZH if chinese else notable.SELF_EN).search(core) is not None
    if not (own or asked or states or (named and notable.TO_COME_ZH.search(core))):
        return None
    for kind, pattern in table.items():
        if pattern.search(core) and (kind != "feeling" or lasting.search(core)):
            return NoteKind(kind)
    return NoteKind.FACT if states or asked else None


def _dated(core: str, named: Sequence[NamedDay]) -> str:
    """Return the words with each named day written behind its name, so that they can be read on another day."""
    pieces, at = [], 0
    for one in named:
        if str(one.day) not in core:
            mark = f"（{one.day}）" if is_cjk(core[one.end - 1]) else f" ({one.day})"
            pieces += [core[at : one.end], mark]
            at = one.end
    return "".join((*pieces, core[at:]))


def _due(core: str, kind: NoteKind, named: Sequence[NamedDay], today: date) -> str | None:
    """Return the first coming day that the words name, when it is the day of a promise or an event."""
    events = (notable.NOTABLE_ZH["event"], notable.NOTABLE_EN["event"])
    if kind is not NoteKind.PROMISE and not any(pattern.search(core) for pattern in events):
        return None
    return next((str(one.day) for one in named if one.day > today), None)
