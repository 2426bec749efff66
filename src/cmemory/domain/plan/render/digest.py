"""Renders a digest as plain text for the person it is about: a heading for each part that has something to tell."""

from __future__ import annotations

from collections.abc import Iterator

from cmemory.domain.lexicon.digest import LABELS, Labels, Language
from cmemory.domain.model.message import Speaker
from cmemory.domain.plan.digest import Change, Digest, Told
from cmemory.domain.text.normal import visible


def render_digest(digest: Digest, language: Language) -> str:
    """Return the text of a digest, without a line break at its end; empty when there is nothing to tell."""
    labels = LABELS[language]
    lines = [line for block in _blocks(digest, labels) for line in block]
    if not lines and not digest.messages:
        return ""
    one_day = digest.first == digest.last
    heading = digest.first if one_day else labels.days.format(digest.first, digest.last)
    sides = (digest.messages.get(side.value, 0) for side in (Speaker.USER, Speaker.ASSISTANT))
    return "\n".join((heading, labels.messages.format(*sides), *lines))


def _blocks(digest: Digest, labels: Labels) -> Iterator[list[str]]:
    for heading, part in (
        (labels.learned, digest.learned),
        (labels.changed, digest.changed),
        (labels.happened, digest.happened),
        (labels.ahead, digest.ahead),
        (labels.felt, digest.felt),
    ):
        if part:
            yield ["", heading, *(f"- {_line(one, labels)}" for one in part)]


def _line(one: Told | Change, labels: Labels) -> str:
    if isinstance(one, Change):
        before = _line(one.before, labels)
        if one.after is None:
            return labels.ended.format(before)
        return labels.became.format(before, _line(one.after, labels))
    text = visible(one.text)
    if one.about is not None:
        text = labels.about.format(text, visible(one.about))
    return text if one.due_on is None else labels.due.format(one.due_on, text)
