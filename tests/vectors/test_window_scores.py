"""The published scores of the adaptive window, case by case; a shim in any language can read the same file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.plan.window import Heard, fill, trace_of, weigh
from cmemory.domain.policy import WINDOW, Scoring
from cmemory.domain.recall.window import WindowQuery
from cmemory.domain.trace import CandidateTrace

CASES = json.loads((Path(__file__).parent / "window" / "golden.json").read_text("utf-8"))["cases"]

#: The names of the vectors, and what a trace calls the same.
FIELDS = {
    "decision": "decision",
    "kind": "content_kind",
    "coverage": "query_coverage",
    "overlap": "focus_overlap",
    "cosine": "embedding_score",
    "lexical": "lexical_score",
    "final": "final_score",
}


def heard(utterances: list[Any]) -> list[Heard]:
    """Return the utterances of a case."""
    spoken = [{"user": one} if isinstance(one, str) else one for one in utterances]
    return [
        Heard(
            message=Message(
                id=MessageId(f"m-{no:02}"),
                session="s",
                speaker=Speaker(speaker),
                text=text,
                at=Instant(no * 1_000),
            )
        )
        for no, one in enumerate(spoken, start=1)
        for speaker, text in one.items()
    ]


def seen(candidate: CandidateTrace, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return what a trace says of a candidate, in the fields a case speaks of."""
    told = {name: getattr(candidate, FIELDS[name]) for name in wanted if name != "utterance"}
    rounded = {name: round(value, 4) if isinstance(value, float) else value for name, value in told.items()}
    return {"utterance": int(candidate.message_id[2:]), **rounded}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_scores_and_decisions(case: dict[str, Any]) -> None:
    """Every candidate in its order, with its label and its numbers to four places."""
    policy = attrs.evolve(
        WINDOW.window,
        scoring=Scoring(case.get("scoring", "window_hygiene")),
        min_score=case.get("min_score", 0.0),
        limit=case.get("limit", 8),
    )
    query = WindowQuery.of(case["query"], policy=policy)
    ranking = weigh(query, heard(case["utterances"]), now=Instant(10_000), policy=policy)
    trace = trace_of(
        fill(ranking, token_budget=case.get("budget")), trace_id="t", session="s", fingerprint="f"
    )
    decisions = case["decisions"]
    assert decisions == [seen(one, row) for one, row in zip(trace.candidates, decisions, strict=True)]
    assert case.get("tokens", trace.estimated_tokens) == trace.estimated_tokens <= trace.token_budget
    assert case.get("pairs", trace.reinforcement_pairs_proposed) == trace.reinforcement_pairs_proposed
    assert case.get("seeds", trace.association_seed_count) == trace.association_seed_count
