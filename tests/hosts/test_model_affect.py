"""A mood that a model reads: a hint to the window, asked for where the policy says so, and nothing more."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest

from cmemory import Memory, ModelError, Policy, ScopedMemory
from cmemory.domain.plan.window import Label, Window
from cmemory.domain.policy import WindowPolicy, WindowWeights
from cmemory.domain.trace import RetrievalTrace, Trace
from cmemory.testing.fakes import ScriptedModel

AT = "2026-03-01T09:00:00Z"
NOW = "2026-03-01T10:00:00Z"
KEY = "The boathouse key hangs behind the barometer."
ASKED = "What hangs in the boathouse?"
READ = Policy(window=WindowPolicy(model_affect=True))
GLOOMY = {"valence": -1, "arousal": 1, "dominance": 0, "labels": ["sad"], "confidence": 0.9}


def luna_of(model: ScriptedModel | None, policy: Policy = READ, **rest: Any) -> ScopedMemory:
    """Return a relationship in which one thing was said."""
    luna = Memory.open(model=model, policy=policy, **rest).scope(
        service="lamplight", owner="u-42", profile="luna"
    )
    luna.observe(KEY, session="s1", at=AT)
    return luna


def ask(luna: ScopedMemory, query: str = ASKED, **rest: Any) -> Window:
    return luna.window(query, session="s1", now=NOW, **rest)


def told(window: Window) -> tuple[str | None, str | None]:
    """Return where the mood came from and what went wrong."""
    return window.trace.query_affect_source, window.trace.query_affect_failure


@pytest.fixture
def counted() -> Window:
    """What is shown when the words are counted."""
    return ask(luna_of(None, Policy()))


def test_a_model_is_never_asked_by_default() -> None:
    """Having one for learning is no leave to send it every query."""
    model = ScriptedModel()
    window = ask(luna_of(model, Policy()))
    assert model.prompts == []
    assert told(window) == ("heuristic", None)


def test_a_mood_is_read_where_the_policy_says_so() -> None:
    """Once for each window, and never from anything kept; the query alone is sent."""
    model = ScriptedModel(json.dumps(GLOOMY), f"```json\n{json.dumps({'valence': 1})}\n```")
    luna = luna_of(model)
    first, second = ask(luna), ask(luna)
    assert [first.trace.query_affect, second.trace.query_affect] == [
        {"valence": -1, "arousal": 1, "dominance": 0},
        {"valence": 1, "arousal": 0, "dominance": 0.5},
    ]
    assert told(first) == told(second) == ("model", None)
    assert all(ASKED in prompt.user and "barometer" not in prompt.user for prompt in model.prompts)
    assert len(model.prompts) == 2


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        ("I would rather not say.", "unreadable_answer"),
        ("{}", "unreadable_answer"),
        ("", "unreadable_answer"),
        (ModelError(problem="the model server cannot be reached", retryable=True), "model_failed"),
        (ModelError(problem="refused", retryable=False), "model_failed"),
    ],
)
def test_a_turn_never_fails_for_want_of_a_mood(
    counted: Window, answer: str | ModelError, failure: str
) -> None:
    """The words are counted instead, and the trace tells why."""
    window = ask(luna_of(ScriptedModel(answer)))
    assert told(window) == ("heuristic", failure)
    assert window.items == counted.items


def test_without_a_model_the_words_are_counted(counted: Window) -> None:
    window = ask(luna_of(None))
    assert told(window) == ("heuristic", "no_model")
    assert window.items == counted.items


def test_nobody_is_asked_for_what_is_known_or_weighs_nothing() -> None:
    """A mood the host gives, a query without words, weights without a share for it."""
    weightless = Policy(window=WindowPolicy(model_affect=True, weights=WindowWeights(affect=0.0)))
    model = ScriptedModel()
    assert told(ask(luna_of(model), affect={"valence": 1})) == ("host", None)
    assert told(ask(luna_of(model), "  ")) == ("heuristic", None)
    assert told(ask(luna_of(model, weightless))) == ("heuristic", None)
    assert model.prompts == []


def test_a_mood_moves_a_score_a_little_and_opens_nothing(counted: Window) -> None:
    """At most its share; what is kept out stays out, and no record comes of it."""
    sad = luna_of(ScriptedModel(*[json.dumps(GLOOMY)] * 2))
    moved = ask(sad)
    assert moved.items[0].text == KEY
    assert 0 < abs(moved.items[0].score - counted.items[0].score) <= READ.window.weights.affect
    question = sad.observe("Is the boathouse key sad?", session="s1", at=AT).message_id
    labels = {one.message_id: one.label for one in ask(sad).decisions}
    assert labels[question] is Label.LOW_UTILITY
    assert list(sad.list(now=NOW)) == []
    assert sad.stats().messages == 2


def test_a_host_may_keep_the_mood_of_a_turn() -> None:
    """What the trace tells can be given again, so that a turn assembled twice is the same."""
    luna = luna_of(ScriptedModel(json.dumps(GLOOMY)))
    first = ask(luna)
    again = ask(luna, affect=first.trace.query_affect)
    assert (first.text, first.items, first.decisions) == (again.text, again.items, again.decisions)


def test_the_trace_tells_no_words_of_the_model() -> None:
    """Neither its labels nor its prose."""
    traces: list[Trace] = []

    def keep(call: str, at: object, trace: Trace) -> None:
        del call, at
        traces.append(trace)

    ask(luna_of(ScriptedModel("She is heartbroken: " + json.dumps(GLOOMY)), trace=keep))
    (trace,) = traces
    assert isinstance(trace, RetrievalTrace)
    shown = json.dumps(attrs.asdict(trace))
    assert not [word for word in ("sad", "heartbroken") if word in shown]


def test_a_lone_surrogate_never_reaches_the_model() -> None:
    model = ScriptedModel(json.dumps(GLOOMY))
    assert told(ask(luna_of(model), f"{ASKED}\ud800")) == ("model", None)
    assert ASKED in model.prompts[0].user
