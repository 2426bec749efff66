"""Hypothesis strategies for texts, moments and records, shared by the laws."""

from __future__ import annotations

import attrs
from hypothesis import strategies as st

from builders import NOW, claim, days, episode, inference
from cmemory.domain.model.instant import EARLIEST, LATEST, Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.predicates.registry import PREDICATES, Predicate, ValueKind

#: Any text that can be encoded.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)

#: Any text at all, half characters included.
WILD_TEXTS = st.text(
    st.one_of(st.characters(), st.sampled_from("\ud800\udfff\uffff\ufffe\x00<>&\"'\r\n\u2028")), max_size=40
)

#: Texts of a few characters that meet each other often, marks of both languages among them.
CROWDED_TEXTS = st.text(st.sampled_from("abA1 .,!?;:，。！？、…“”\"'()（）\n猫狗说今天mr"), max_size=40)

#: Words as people say them, in both languages.
WORDS = st.text(st.sampled_from("abcdefgXYZ019 学琴养蚕签证猫狗海边"), min_size=1, max_size=8).filter(
    lambda text: bool(text.strip())
)

INSTANTS = st.integers(EARLIEST.microseconds, LATEST.microseconds).map(Instant)

UNIT = st.floats(0, 1)

_PHRASES = ("学琴", "养蚕", "签证结果", "看海", "前任", "cello audition", "Mia", "red lake", "28")


def _value_of(row: Predicate) -> st.SearchStrategy[object]:
    if row.kind is ValueKind.ENUM:
        return st.sampled_from(row.enum_values)
    if row.kind is ValueKind.NUMBER:
        return st.integers(1, 99)
    if row.kind is ValueKind.DATE:
        return st.just("2026-06-10")
    return st.sampled_from(_PHRASES)


@st.composite
def records(draw: st.DrawFn, *, at: int = 0) -> AnyRecord:
    """Draw one record of any kind, at any point of its life; ``at`` tells its id from others."""
    fields = {
        "importance": draw(UNIT),
        "muted": draw(st.booleans()),
        "status": draw(st.sampled_from([Status.ACTIVE] * 4 + list(Status))),
        "at": days(-draw(st.integers(0, 400))),
        "valid_until": draw(st.sampled_from([None, None, NOW, days(1)])),
    }
    kind = draw(st.sampled_from(["claim"] * 6 + ["episode", "episode", "inference"]))
    if kind == "episode":
        return episode(f"用户说起{draw(st.sampled_from(_PHRASES))}。", id=f"episode-{at}", **fields)  # type: ignore[arg-type]
    if kind == "inference":
        return inference(id=f"inference-{at}", **fields)  # type: ignore[arg-type]
    row = draw(st.sampled_from(list(PREDICATES.values())))
    return claim(
        row.key,
        draw(_value_of(row)),  # type: ignore[arg-type]
        id=f"claim-{at}",
        raw=draw(st.sampled_from([None, *_PHRASES])),
        entity=draw(st.sampled_from(["Mia", "妈妈"])) if row.requires_entity else None,
        confidence=draw(UNIT),
        **fields,  # type: ignore[arg-type]
    )


@st.composite
def scopes_of_records(draw: st.DrawFn, *, max_size: int = 14) -> list[AnyRecord]:
    """Draw the records of one scope, ids all different, in any order."""
    count = draw(st.integers(0, max_size))
    made = [draw(records(at=at)) for at in range(count)]
    return draw(st.permutations(made))


#: What a person may say in a turn.
MESSAGES = st.sampled_from(
    [
        "",
        "你好",
        "hi, there",
        "今天还是在等签证",
        "学琴好难，养蚕也是",
        "Mia and the red lake",
        "前任又来了",
        "I auditioned on the cello",
        "28",
        "看海",
    ]
)


def active(record: AnyRecord) -> AnyRecord:
    """Return the record as it would be while it is believed."""
    return attrs.evolve(record, status=Status.ACTIVE, valid_until=None)
