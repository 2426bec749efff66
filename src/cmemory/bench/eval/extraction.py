"""Measures how well messages are read: precision and recall, by predicate and by language, on labelled messages.

Counted are the claims that admission lets in, since nothing else is ever believed. A claim is right when the labels of its
message state it: the same predicate, and one of the wordings the label allows, whatever the case of letters and the width
of characters. Whom a claim is about, episodes and notes are not compared.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from pathlib import Path

import attrs

from cmemory.adapters import wire
from cmemory.adapters.files.quality import reader_digest
from cmemory.bench.eval.watched import Watched
from cmemory.domain.errors import ModelError, UsageError, WireError
from cmemory.domain.model.bodies import Claim
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.record import is_claim
from cmemory.domain.predicates.registry import find
from cmemory.domain.reflect.quality import Figures, Quality
from cmemory.domain.text.normal import fold
from cmemory.memory import Memory
from cmemory.ports.extractor import Extractor

#: When every labelled message counts as said, a Monday, and when it is read.
SAID_AT = Instant.parse("2026-05-04T09:00:00Z")
READ_AT = SAID_AT.plus(seconds=30)

#: Name of the figures over everything.
ALL = "all"

#: Told how many messages are read, and how many there are.
OnProgress = Callable[[int, int], None]

_SHIPPED = files("cmemory.bench.eval") / "data" / "labelled.jsonl"


@attrs.frozen(kw_only=True)
class Label:
    """A fact that a message states."""

    predicate: str
    #: Wordings of its value that are right; one of them is enough.
    values: tuple[str, ...]

    def fits(self, claim: Claim) -> bool:
        """Tell whether a claim says this."""
        accepted = {fold(value) for value in self.values}
        said = {fold(str(claim.value)), fold(claim.shown)}
        return claim.predicate == self.predicate and not accepted.isdisjoint(said)


@attrs.frozen(kw_only=True)
class Labelled:
    """A message, and all the lasting facts that it states."""

    id: str
    #: ``zh``, ``en``, or ``mixed``; figures are told for each.
    language: str
    text: str
    facts: tuple[Label, ...] = ()


@attrs.frozen(kw_only=True)
class Read:
    """What became of one labelled message."""

    message: Labelled
    #: Claims that were admitted and stated, admitted and not stated, and what was stated and missed.
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    #: Whether the reader had no answer.
    failed: bool = False


def read_labels(path: str | os.PathLike[str] | None = None) -> tuple[Labelled, ...]:
    """Return labelled messages, one JSON object a line: those of a file, or the shipped ones.

    Raises:
        UsageError: the file cannot be read, is empty, or names two messages alike.
        WireError: a line spells no labelled message, or names a predicate that is not registered.
    """
    if path is None:
        text = _SHIPPED.read_text(encoding="utf-8")
    else:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            raise UsageError(field="labels", problem=f"cannot be read: {error.strerror}") from error
        except UnicodeDecodeError:
            raise WireError(path="$", problem="is not valid UTF-8") from None
    labels = tuple(_labelled(line, number) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    if not labels:
        raise UsageError(field="labels", problem="must hold a message")
    if twice := [name for name, count in Counter(one.id for one in labels).items() if count > 1]:
        raise UsageError(field="labels", problem=f"must name each message once: {twice[0]}")
    return labels


def _labelled(line: str, number: int) -> Labelled:
    at = f"line {number}: $"
    message = wire.from_json(wire.parse(line, path=at), Labelled, path=at)
    for index, fact in enumerate(message.facts):
        if find(fact.predicate) is None:
            raise WireError(path=f"{at}.facts[{index}].predicate", problem="is not a registered predicate")
    return message


def measure(
    labels: Sequence[Labelled], extractor: Extractor, *, on_progress: OnProgress | None = None
) -> tuple[Quality, tuple[Read, ...]]:
    """Read every labelled message, each in a relationship of its own, and return the figures and what they rest on.

    Raises:
        ModelError: the model has no answer now; nothing is measured then.
        UsageError: the extractor says of two messages that two different ones read them.
    """
    watched = Watched(extractor)
    read: list[Read] = []
    readers = set()
    with Memory.open(extractor=watched) as memory:
        for done, message in enumerate(labels, start=1):
            read.append(_read(memory, message))
            if watched.provenance is not None:
                readers.add(watched.provenance)
            if on_progress is not None:
                on_progress(done, len(labels))
    if len(readers) != 1:
        raise UsageError(field="extractor", problem=f"must be one reader, not {len(readers)}")
    (reader,) = readers
    languages = dict.fromkeys(message.language for message in labels)
    predicates = dict.fromkeys(
        line.partition(": ")[0] for one in read for line in (*one.right, *one.wrong, *one.missed)
    )
    quality = Quality(
        proposer=reader.proposer,
        version=reader.version,
        model=reader.model,
        reader=reader_digest(reader.proposer),
        labels=labels_digest(labels),
        messages=len(labels),
        failed=sum(one.failed for one in read),
        overall=_figures(ALL, read),
        languages=tuple(
            _figures(language, [one for one in read if one.message.language == language])
            for language in sorted(languages)
        ),
        predicates=tuple(_figures(key, read, predicate=key) for key in sorted(predicates)),
    )
    return quality, tuple(read)


def labels_digest(labels: Iterable[Labelled]) -> str:
    """Return what names labelled messages; figures on different ones are not comparable."""
    return hashlib.sha256(
        "\n".join(wire.dump(wire.to_json(one)) for one in labels).encode("utf-8")
    ).hexdigest()


def _read(memory: Memory, message: Labelled) -> Read:
    scope = memory.scope(service="extraction", owner=message.id, profile="quality")
    scope.observe(message.text, session="s", at=SAID_AT)
    report = scope.learn(now=READ_AT)
    if report.postponed:
        raise ModelError(problem=f"no answer to {message.id} of the labelled messages", retryable=True)
    claims = [record.body for record in scope.list(now=READ_AT) if is_claim(record)]
    left = list(message.facts)
    right: list[str] = []
    wrong: list[str] = []
    for claim in claims:
        fact = next((fact for fact in left if fact.fits(claim)), None)
        if fact is not None:
            left.remove(fact)
        (wrong if fact is None else right).append(f"{claim.predicate}: {claim.shown}")
    return Read(
        message=message,
        right=tuple(sorted(right)),
        wrong=tuple(sorted(wrong)),
        missed=tuple(f"{fact.predicate}: {fact.values[0]}" for fact in left),
        failed=bool(report.dead),
    )


def _figures(name: str, read: Iterable[Read], *, predicate: str | None = None) -> Figures:
    right = wrong = missed = 0
    for one in read:
        right += _count(one.right, predicate)
        wrong += _count(one.wrong, predicate)
        missed += _count(one.missed, predicate)
    return Figures(name=name, expected=right + missed, proposed=right + wrong, right=right)


def _count(lines: Iterable[str], predicate: str | None) -> int:
    return sum(predicate is None or line.partition(": ")[0] == predicate for line in lines)
