"""Measures the search over what was said: how much of the evidence it finds, and how fast it is.

``python -m cmemory.bench.utterances --locomo FILE [--ablate]``

Each conversation is a relationship of its own; everything goes through the public interface.
R@k is the share of a question's evidence turns among the first k hits, averaged over questions of categories 1 to 4. The
last weights were chosen on the first two conversations and the others are reported apart, but the first weights come
from a study that had seen conversations 26, 30, 41, 42 and 43 of the set: figures on those are not for unseen data.

``python -m cmemory.bench.utterances --messages 100000 [--zh]``

Fills a database in a file with made-up messages and times searches with words of every frequency.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import attrs

from cmemory.domain.model.message import Message
from cmemory.domain.policy import COMPANION, Policy, RecallPolicy
from cmemory.memory import Memory, ScopedMemory

#: Conversations the last weights were chosen on; the rest is reported apart.
TUNED_ON = 2

_DEPTH = 10
_PACE = timedelta(seconds=30)
_PARTS = ("window", "coverage", "reply", "speaker", "date", "answer", "question")


@attrs.frozen(kw_only=True)
class Question:
    """One question and the ids of the turns that answer it."""

    text: str
    category: int
    evidence: frozenset[str]


@attrs.frozen(kw_only=True)
class Outcome:
    """Where the evidence of one question stood."""

    category: int
    at_5: float
    at_10: float
    reciprocal: float


@attrs.frozen(kw_only=True)
class Talk:
    """One conversation in a database, and what is asked about it."""

    luna: ScopedMemory
    questions: tuple[Question, ...]

    def ask(self, question: Question) -> Outcome:
        """Search for the terms of a question as they stand."""
        hits = [hit.id for hit in self.luna.search(question.text, kind="utterance", limit=_DEPTH, now=_LATER)]
        places = [place for place, hit in enumerate(hits, start=1) if hit in question.evidence]
        return Outcome(
            category=question.category,
            at_5=sum(place <= 5 for place in places) / len(question.evidence),
            at_10=len(places) / len(question.evidence),
            reciprocal=1 / places[0] if places else 0.0,
        )


_LATER = "2030-01-01T00:00:00Z"


def load(conversation: dict[str, object], policy: Policy, path: Path) -> Talk:
    """Observe a LoCoMo conversation and return it with its questions."""
    talk = conversation["conversation"]
    assert isinstance(talk, dict)  # noqa: S101 - a data set of another form is no use
    person, companion = talk["speaker_a"], talk["speaker_b"]
    luna = Memory.open(path, policy=policy).scope(service="bench", owner="person", profile=companion)
    luna.remember(
        f"My name is {person}.",
        predicate="identity.name",
        value=person,
        session="introduction",
        at="2020-01-01T00:00:00Z",
    )
    messages = []
    for number in sorted(int(key[8:]) for key in talk if re.fullmatch(r"session_[0-9]+", key)):
        moment = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
        moment = moment.replace(tzinfo=timezone.utc)
        for turn in talk[f"session_{number}"]:
            caption = f"[{turn['blip_caption']}] " if turn.get("blip_caption") else ""
            messages.append(
                luna.message(
                    caption + turn["text"],
                    session=f"session {number}",
                    speaker="user" if turn["speaker"] == person else "assistant",
                    at=moment,
                    message_id=turn["dia_id"],
                )
            )
            moment += _PACE
    luna.observe_many(messages)
    known = {str(one.id) for one in messages}
    questions = conversation["qa"]
    assert isinstance(questions, list)  # noqa: S101 - as above
    return Talk(luna=luna, questions=tuple(_questions(questions, known)))


def _questions(given: Iterable[dict[str, object]], known: set[str]) -> Iterator[Question]:
    for one in given:
        evidence = frozenset(re.findall(r"D[0-9]+:[0-9]+", " ".join(map(str, one.get("evidence") or ()))))  # type: ignore[call-overload]
        category = one["category"]
        if isinstance(category, int) and category <= 4 and evidence & known:
            yield Question(text=str(one["question"]), category=category, evidence=evidence & known)


def recall(conversations: Sequence[dict[str, object]], policy: Policy) -> list[list[Outcome]]:
    """Return the outcomes of every question, by conversation."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for number, one in enumerate(conversations):
            talk = load(one, policy, Path(folder) / f"{number}.db")
            found.append([talk.ask(question) for question in talk.questions])
    return found


def line(name: str, outcomes: Sequence[Outcome]) -> str:
    """Return the averages as a line."""
    means = (
        statistics.fmean(getattr(one, field) for one in outcomes) for field in ("at_5", "at_10", "reciprocal")
    )
    return f"{name:<28}" + "".join(f"{100 * mean:8.1f}" for mean in means) + f"{len(outcomes):8d}"


def ablations() -> Iterator[tuple[str, RecallPolicy]]:
    """Yield the policy as it is, with each part left out, and with nothing but the words of a turn."""
    whole = RecallPolicy()
    yield "all parts", whole
    for part in _PARTS:
        yield f"without {part}", _without(whole, part)
    yield "own words alone", _without(whole, *_PARTS)


def _without(policy: RecallPolicy, *parts: str) -> RecallPolicy:
    nothing: dict[str, Any] = dict.fromkeys(parts, 0.0)
    return attrs.evolve(policy, **nothing)


def report_recall(file: Path, *, ablate: bool) -> None:
    """Print recall on the conversations that were tuned on and on the others."""
    conversations = json.loads(file.read_text(encoding="utf-8"))
    print(f"{'':<28}{'R@5':>8}{'R@10':>8}{'MRR':>8}{'n':>8}")
    for name, policy in ablations():
        found = recall(conversations, attrs.evolve(COMPANION, recall=policy))
        for part, chosen in (("tuned", found[:TUNED_ON]), ("others", found[TUNED_ON:])):
            print(line(f"{name}, {part}", [one for outcomes in chosen for one in outcomes]))
        if not ablate:
            flat = [one for outcomes in found[TUNED_ON:] for one in outcomes]
            for category, label in enumerate(("multi-hop", "temporal", "open-domain", "single-hop"), start=1):
                print(line(f"- others, {label}", [one for one in flat if one.category == category]))
            return


def invent(count: int, rng: random.Random, *, chinese: bool) -> Iterator[str]:
    """Yield messages whose words are as unevenly spread as those of people."""
    size = 3000 if chinese else 20_000
    words = [chr(0x4E00 + 7 * at) for at in range(size)] if chinese else [f"w{at:x}q" for at in range(size)]
    weights = [1 / (at + 10) for at in range(size)]
    for _ in range(count):
        chosen = rng.choices(words, weights, k=rng.randrange(4, 25))
        yield ("" if chinese else " ").join(chosen) + rng.choice((".", "?", "。"))


def report_speed(count: int, *, chinese: bool) -> None:
    """Print how long filling and searching takes."""
    rng = random.Random(7)  # noqa: S311 - made-up data
    start = datetime(2026, 1, 1, tzinfo=timezone.utc)
    texts = list(invent(count, rng, chinese=chinese))
    with tempfile.TemporaryDirectory() as folder:
        memory = Memory.open(Path(folder) / "memory.db")
        luna = memory.scope(service="bench", owner="person", profile="luna")
        began = time.perf_counter()
        for first in range(0, count, 1000):
            luna.observe_many(_messages(luna, texts[first : first + 1000], first, start))
        took = time.perf_counter() - began
        print(f"{count} messages in {took:.1f} s, {memory.footprint().bytes / 2**20:.0f} MB")
        asked = [
            "".join(text[:8]) if chinese else " ".join(text.split()[:5]) for text in rng.sample(texts, 200)
        ]
        _time("five words" if not chinese else "eight characters", luna, asked)
        _time("the same, one speaker", luna, asked, speaker="user")
        memory.close()


def _messages(luna: ScopedMemory, texts: Sequence[str], first: int, start: datetime) -> list[Message]:
    return [
        luna.message(
            text,
            session=f"s{(first + at) // 40}",
            speaker="user" if (first + at) % 2 else "assistant",
            at=start + (first + at) * _PACE,
        )
        for at, text in enumerate(texts)
    ]


def _time(name: str, luna: ScopedMemory, asked: Sequence[str], *, speaker: str | None = None) -> None:
    best = [float("inf")] * len(asked)
    for _ in range(5):
        for at, terms in enumerate(asked):
            began = time.perf_counter()
            luna.search(terms, kind="utterance", speaker=speaker, now=_LATER)
            best[at] = min(best[at], time.perf_counter() - began)
    ordered = sorted(1000 * one for one in best)
    middle, most = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    print(f"{name}: median {middle:.1f} ms, p95 {most:.1f} ms, worst {ordered[-1]:.1f} ms")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="the LoCoMo set as JSON")
    parser.add_argument("--ablate", action="store_true", help="leave each part out in turn")
    parser.add_argument("--messages", type=int, metavar="N", help="time searches over so many messages")
    parser.add_argument("--zh", action="store_true", help="with Chinese characters instead of words")
    args = parser.parse_args(arguments)
    if args.locomo is not None:
        report_recall(args.locomo, ablate=args.ablate)
    if args.messages is not None:
        report_speed(args.messages, chinese=args.zh)


if __name__ == "__main__":
    main()
