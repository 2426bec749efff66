"""`cmemory window`: earlier words of one conversation that bear on what is said now."""

from __future__ import annotations

import argparse
from typing import Any

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.sink import retrieval
from cmemory.adapters.wire import to_json
from cmemory.app import views
from cmemory.app.tools import OPERATIONS
from cmemory.domain.plan.window import Window


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("message", metavar="MESSAGE", help="what the person says now")
    parser.add_argument("--session", metavar="NAME", default="", help="the conversation")
    parser.add_argument(
        "--budget", metavar="TOKENS", type=int, help="tokens of the whole window at most; 1400 unless given"
    )
    parser.add_argument(
        "--history",
        action="store_true",
        default=None,
        help="show what was replaced, too; told from the message unless given",
    )
    parser.add_argument("--turn", metavar="NAME", help="associate what is shown together, once for this turn")


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope() as luna:
        window = luna.window(
            args.message, session=args.session, token_budget=args.budget, history=args.history, turn=args.turn
        )
    call.out.emit(_document(window), [window.text] if window.text else [])
    if not window.text:
        call.out.say("Nothing said earlier in this conversation bears on it.")
        return Exit.NOTHING
    return Exit.OK


def _document(window: Window) -> dict[str, Any]:
    spelt: dict[str, Any] = to_json(views.filled(window))
    return {**spelt, "trace": retrieval(window.trace)}


COMMAND = Command(
    help=OPERATIONS["window"].summary,
    description=(
        "Print a block of earlier words of the conversation for the model's prompt. "
        "With --json, print the trace behind it as well: ids, scores and labels."
    ),
    configure=_configure,
    run=_run,
    examples=(
        'window "Which port does the gateway use?" --session s1',
        'window "上次说的封面用什么颜色？" --session s1 --budget 200 --json',
    ),
    json={
        "text": "<earlier_in_this_conversation>…",
        "tokens": 74,
        "items": [
            {
                "message_id": "m-1f0…",
                "speaker": "user",
                "at": "2026-03-01T09:00:00.000000Z",
                "text": "The gateway port is 4410.",
                "score": 0.59,
                "tokens": 21,
            }
        ],
        "withheld": {"current_query": 1},
        "trace_id": "rt-5d1…",
        "trace": {
            "scoring_version": "window_hygiene",
            "graph_version": "bounded_coactivation",
            "trace_id": "rt-5d1…",
            "session": "s1",
            "query_fingerprint": "9c41…",
            "query_chars": 33,
            "started_at": "2026-03-01T10:00:00.000000Z",
            "duration_ms": 3.2,
            "token_budget": 1400,
            "estimated_tokens": 74,
            "candidate_count": 2,
            "selected_count": 1,
            "association_seed_count": 1,
            "association_edges_read": 0,
            "association_edges_applied": 0,
            "association_boosted_candidates": 0,
            "reinforcement_eligible": 1,
            "reinforcement_pairs_proposed": 0,
            "reinforced_edges": 0,
            "association_edges_pruned": 0,
            "association_edges_stored": 0,
            "query_affect": {"valence": 0.0, "arousal": 0.15, "dominance": 0.5},
            "query_affect_source": "heuristic",
            "query_affect_failure": None,
            "weights": {
                "similarity": 0.55,
                "recency": 0.15,
                "importance": 0.1,
                "association": 0.15,
                "affect": 0.05,
            },
            "candidates": [
                {
                    "message_id": "m-1f0…",
                    "embedding_score": 0.75,
                    "lexical_score": 0.45,
                    "similarity_score": 0.64,
                    "recency_score": 0.99,
                    "importance_score": 0.65,
                    "association_score": 0.0,
                    "affect_score": 1.0,
                    "final_score": 0.61,
                    "estimated_tokens": 21,
                    "decision": "selected",
                    "content_kind": "statement",
                    "utility_factor": 1.0,
                    "query_coverage": 0.62,
                    "focus_overlap": 1.0,
                    "standing": "active",
                }
            ],
        },
    },
)
