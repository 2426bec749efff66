"""How the façade's answers look: as JSON, in the spelling of `cmemory.adapters.wire`, and as rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from cmemory.adapters.cli.output import Block, Table
from cmemory.adapters.wire import to_json
from cmemory.app.query import Hit
from cmemory.app.utterances import Utterances
from cmemory.domain.forget.erase import ForgetReport
from cmemory.domain.model.candidate import Admission
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.plan.lines import line_of
from cmemory.domain.plan.plan import Item, Plan
from cmemory.memory import ScopedMemory


def record(one: AnyRecord) -> dict[str, Any]:
    """Return a record with the line by which it is shown."""
    spelt: dict[str, Any] = to_json(one, AnyRecord)
    return {"text": line_of(one), **spelt}


def record_table(records: Iterable[AnyRecord]) -> Table:
    """Return records as rows."""
    return Table(("ID", "STATUS", "TEXT"), tuple((one.id, standing(one), line_of(one)) for one in records))


def standing(one: AnyRecord) -> str:
    """Return a record's status in a word or two."""
    return f"{one.status.value}, muted" if one.salience.muted else one.status.value


def hit_table(hits: Iterable[Hit]) -> Table:
    """Return what a search found as rows."""
    return Table(("ID", "SCORE", "TEXT"), tuple((one.id, f"{one.score:.2f}", one.text) for one in hits))


def utterance_blocks(found: Utterances) -> list[Block]:
    """Return what was found in the conversation as rows, and how much of it is not told."""
    rows = ((one.id, str(one.at), one.speaker.value, f"{one.score:.2f}", one.text) for one in found)
    blocks: list[Block] = [Table(("ID", "AT", "SPEAKER", "SCORE", "TEXT"), tuple(rows))]
    if found.withheld:
        blocks.append(f"Withheld: {', '.join(f'{count} {why}' for why, count in found.withheld.items())}.")
    return blocks


def admission(one: Admission, luna: ScopedMemory) -> dict[str, Any]:
    """Return the answer to a candidate with the lines of the records it touched."""
    spelt: dict[str, Any] = to_json(one)
    return {
        "text": _line(one.record_id, luna),
        **spelt,
        "ended_texts": [_line(ended, luna) for ended in one.ended],
    }


#: How an answer looks in the reference.
ADMISSION_EXAMPLE: Mapping[str, object] = MappingProxyType(
    {
        "text": "identity.name: Nora",
        "candidate_id": "c-1f0…",
        "outcome": "accepted",
        "reason": "admitted",
        "detail": "stored",
        "record_id": "claim-c-1f0…",
        "ended": [],
        "ended_texts": [],
    }
)


def admission_table(admissions: Iterable[dict[str, Any]]) -> Table:
    """Return spelt admissions as rows."""
    return Table(("OUTCOME", "REASON", "TEXT", "ENDED"), tuple(_admission_row(one) for one in admissions))


def plan(one: Plan) -> dict[str, Any]:
    """Return a plan: what the model sees by channel, how much is withheld and why, and the rendered text."""
    channels: dict[str, list[dict[str, Any]]] = {}
    for channel, item in one.shown:
        channels.setdefault(channel.value, []).append(_item(item))
    return {
        "revision": one.revision,
        "channels": channels,
        "withheld": {
            why.value: count for why, count in sorted(one.withheld.items(), key=lambda pair: pair[0].value)
        },
        "text": one.text,
    }


def forget_report(one: ForgetReport) -> dict[str, Any]:
    """Return what forgetting did."""
    spelt: dict[str, Any] = to_json(one)
    return {"forgotten": one.forgotten, **spelt}


def forget_blocks(one: ForgetReport) -> list[Block]:
    """Return what forgetting did, for a person."""
    blocks: list[Block] = [
        f"Erased {len(one.record_ids)} record(s); {len(one.message_ids)} message(s) deleted or masked."
    ]
    if one.recomputed:
        blocks.append(f"Recomputed {len(one.recomputed)} conclusion(s) that rested on them.")
    if one.residue:
        blocks.append("These still resemble what was forgotten; decide about them yourself:")
        blocks.append(Table(("ID", "KIND"), tuple((left.record_id, left.kind.value) for left in one.residue)))
    return blocks


def _item(one: Item) -> dict[str, Any]:
    return {
        "record_id": one.record_id,
        "text": one.text,
        "surface": one.surface.token,
        "reason": one.reason.value,
        "score": one.score,
    }


def _admission_row(one: dict[str, Any]) -> tuple[str, ...]:
    return (
        one["outcome"],
        one["reason"],
        one["text"] or "",
        "; ".join(text or "" for text in one["ended_texts"]),
    )


def _line(record_id: str | None, luna: ScopedMemory) -> str | None:
    return None if record_id is None else line_of(luna.show(record_id))
