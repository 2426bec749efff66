"""How well messages are read, what is stored of that, and the promotion that it opens."""

from __future__ import annotations

import errno
import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest
from typing_extensions import override

from cmemory import Memory, Policy, ScopedMemory
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.main import main
from cmemory.adapters.files import quality as quality_file
from cmemory.adapters.files.quality import read_quality, reader_digest, write_quality
from cmemory.adapters.system import zone_of
from cmemory.app.infer import Promotion
from cmemory.bench.eval.extraction import Label, Labelled, labels_digest, measure, read_labels
from cmemory.bench.eval.watched import reader
from cmemory.domain.errors import ModelError, StoreError, UsageError, WireError
from cmemory.domain.evidence.graph import Holding, Violation
from cmemory.domain.model.bodies import Axis, Inference, InferenceState
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import Provenance
from cmemory.domain.plan.plan import Channel, Why
from cmemory.domain.policy import InferencePolicy
from cmemory.domain.reflect.inference import Obstacle
from cmemory.domain.reflect.quality import Figures, Quality, Shortage
from cmemory.domain.scoring.salience import Blocker
from cmemory.ports.extractor import Extraction, Extractor
from cmemory.testing.fakes import ScriptedModel

ZONE = zone_of("UTC")

SAID = (
    Labelled(
        id="1",
        language="en",
        text="My name is Priya. I live in Cork.",
        facts=(
            Label(predicate="identity.name", values=("priya",)),
            Label(predicate="identity.location", values=("Cork",)),
        ),
    ),
    Labelled(id="2", language="en", text="Good morning!"),
    Labelled(
        id="3", language="zh", text="我叫江雪。", facts=(Label(predicate="identity.name", values=("江雪",)),)
    ),
)


def claim(predicate: str, value: str, quote: str) -> dict[str, object]:
    return {"kind": "claim", "predicate": predicate, "value": value, "quote": quote, "confidence": 0.9}


# -- measuring ----------------------------------------------------------------------------------------------------


def test_the_shipped_labels_are_many_and_both_languages() -> None:
    """At least 120 messages, a good part of which state nothing, in Chinese, English and both mixed."""
    labels = read_labels()
    counts = Counter(one.language for one in labels)
    assert len(labels) >= 120
    assert {"en", "mixed", "zh"} == set(counts) and min(counts.values()) >= 20
    assert sum(not one.facts for one in labels) >= len(labels) // 3
    assert len({fact.predicate for one in labels for fact in one.facts}) >= 25


def test_right_wrong_and_missed_are_counted_by_language_and_predicate() -> None:
    """A model that reads one name wrong, misses a place, and hears something in a greeting."""
    model = ScriptedModel(
        json.dumps([claim("identity.name", "Priya", "My name is Priya")]),
        json.dumps([claim("misc.unclassified", "morning", "Good morning")]),
        json.dumps([claim("identity.name", "江", "我叫江雪")]),
    )
    quality, read = measure(SAID, reader(model, zone=ZONE))
    assert (3, 0) == (quality.messages, quality.failed)
    assert Figures(name="all", expected=3, proposed=3, right=1) == quality.overall
    assert (
        Figures(name="en", expected=2, proposed=2, right=1),
        Figures(name="zh", expected=1, proposed=1, right=0),
    ) == quality.languages
    assert (
        Figures(name="identity.location", expected=1, proposed=0, right=0),
        Figures(name="identity.name", expected=2, proposed=2, right=1),
        Figures(name="misc.unclassified", expected=0, proposed=1, right=0),
    ) == quality.predicates
    assert [("identity.location: Cork",), (), ("identity.name: 江雪",)] == [one.missed for one in read]
    assert ("model", "scripted", labels_digest(SAID)) == (quality.proposer, quality.model, quality.labels)


def test_the_same_reader_gives_the_same_figures() -> None:
    """Over the shipped labels, by the offline rules."""
    once, again = (measure(read_labels(), reader(None, zone=ZONE))[0] for _ in range(2))
    assert once == again
    assert (150, 0, "rules") == (once.messages, once.failed, once.proposer)
    assert once.overall.right > 70


def test_a_fact_is_right_only_once() -> None:
    """Saying it twice does not make up for another that was missed."""
    twice = Labelled(
        id="1",
        language="en",
        text="I speak Portuguese and Dutch.",
        facts=(Label(predicate="identity.language", values=("Portuguese",)),) * 2,
    )
    model = ScriptedModel(json.dumps([claim("identity.language", "Portuguese", "Portuguese")]))
    (one,) = measure((twice,), reader(model, zone=ZONE))[1]
    assert (("identity.language: Portuguese",),) * 2 == (one.right, one.missed)


def test_a_model_that_is_out_measures_nothing() -> None:
    """And one that refuses a message has missed what it states."""
    out = ScriptedModel(ModelError(problem="out", retryable=True))
    with pytest.raises(ModelError, match="no answer to 1"):
        measure(SAID, reader(out, zone=ZONE))
    refusing = ScriptedModel(ModelError(problem="refused", retryable=False), "[]", "[]")
    quality, _ = measure(SAID, reader(refusing, zone=ZONE))
    assert (1, 0, 3) == (quality.failed, quality.overall.proposed, quality.overall.expected)


class _Changing(Extractor):
    """Says each time that somebody else read."""

    def __init__(self) -> None:
        self._version = 0

    @property
    @override
    def immediate(self) -> bool:
        return True

    @override
    def __call__(self, message: Message) -> Extraction:
        self._version += 1
        return Extraction(provenance=Provenance(proposer="host", version=str(self._version)))


def test_one_measurement_is_of_one_reader() -> None:
    """Figures over two would speak for neither."""
    with pytest.raises(UsageError, match="must be one reader, not 3"):
        measure(SAID, _Changing())


def test_progress_is_told() -> None:
    """Message by message."""
    told: list[tuple[int, int]] = []
    measure(SAID, reader(None, zone=ZONE), on_progress=lambda done, total: told.append((done, total)))
    assert [(1, 3), (2, 3), (3, 3)] == told


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "must hold a message"),
        (b"{}\n", "line 1"),
        (b'\n{"id": "1", "language": "en", "text": "x", "fact": []}\n', "line 2"),
        (
            b'{"id":"1","language":"en","text":"x","facts":[{"predicate":"a.b","values":["x"]}]}\n',
            r"facts\[0\]\.predicate",
        ),
        (b'{"id":"1","language":"en","text":"x"}\n' * 2, "name each message once: 1"),
        (b"\xff", "UTF-8"),
    ],
)
def test_labels_that_cannot_be_used_are_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    """With the line at fault."""
    (tmp_path / "labels.jsonl").write_bytes(content)
    with pytest.raises((UsageError, WireError), match=problem):
        read_labels(tmp_path / "labels.jsonl")
    with pytest.raises(UsageError, match="cannot be read"):
        read_labels(tmp_path / "nothing.jsonl")


# -- storing ------------------------------------------------------------------------------------------------------


def measured(**fields: object) -> Quality:
    """Return a measurement of the offline rules that meets every threshold."""
    good = Figures(name="all", expected=100, proposed=80, right=80)
    rules, _ = measure(SAID, reader(None, zone=ZONE))
    return attrs.evolve(rules, messages=150, overall=good, languages=(good,), **fields)


def test_a_stored_measurement_is_read_back(tmp_path: Path) -> None:
    """Whole, and replacing the one before."""
    path = tmp_path / "quality.json"
    write_quality(path, measured(version="1"))
    write_quality(path, measured())
    assert measured() == read_quality(path)
    assert [path] == list(tmp_path.iterdir())
    with pytest.raises(StoreError):
        write_quality(tmp_path / "nowhere" / "quality.json", measured())


@pytest.mark.parametrize(
    "content", [b"{}", b"[]", b"{", b"\xff", b'{"format": "cmemory-quality", "version": 1}']
)
def test_what_is_no_measurement_is_refused(tmp_path: Path, content: bytes) -> None:
    """Opening a memory with it fails, where ignoring it would look like a closed gate."""
    path = tmp_path / "quality.json"
    path.write_bytes(content)
    with pytest.raises(WireError):
        Memory.open(quality=path)
    with pytest.raises(UsageError, match="cannot be read"):
        Memory.open(quality=tmp_path / "nothing.json")


def test_the_digest_tells_readers_apart() -> None:
    """Rules by their source, the model's prompt by its text; of others nothing is known."""
    assert 3 == len({reader_digest(one) for one in ("rules", "model", "host")})
    assert "" == reader_digest("host")


def test_rules_without_their_source_cannot_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A digest of nothing would be the same for all versions."""
    monkeypatch.setattr(quality_file, "_RULES", ())
    with pytest.raises(UsageError, match="not installed"):
        reader_digest("rules")


def test_a_measurement_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing half written beside it."""
    path = tmp_path / "quality.json"
    write_quality(path, measured())

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StoreError, match="disk is full"):
        write_quality(path, measured(version="9"))
    assert measured() == read_quality(path)
    assert [path] == list(tmp_path.iterdir())


def test_the_command_measures_and_stores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it stores says of the gate what the command said."""
    monkeypatch.delenv("CMEMORY_MODEL", raising=False)
    path = tmp_path / "quality.json"
    assert Exit.OK == main(["eval", "extraction", "--record", str(path), "--json"])
    told = json.loads(capsys.readouterr().out)
    with Memory.open(quality=path) as memory:
        assert told["open"] is memory.promotion.open
        assert told["shortages"] == [one.value for one in memory.promotion.shortages]
    assert main(["eval", "extraction", "--accept"]) == (Exit.OK if told["open"] else Exit.NOTHING)
    assert "PRECISION" in capsys.readouterr().out


# -- promoting ----------------------------------------------------------------------------------------------------

DAYS = ("2026-03-02", "2026-03-10", "2026-03-20")
SAYINGS = ("I go swimming every Tuesday.", "I'm learning the cello.", "I still need to call the plumber.")
NOW = "2026-03-21T09:00:00Z"


def told(memory: Memory, *, by_host: bool = False) -> ScopedMemory:
    """Return a relationship in which three things were said on three days, read by the rules."""
    luna = memory.scope(service="s", owner="o", profile="p")
    for day, text in zip(DAYS, SAYINGS, strict=True):
        luna.observe(text, session=day, at=f"{day}T09:00:00Z")
    luna.learn(now=NOW)
    if by_host:
        luna.remember(
            "Brass bands calm me.",
            predicate="misc.unclassified",
            value="Brass bands calm me.",
            at=f"{DAYS[0]}T10:00:00Z",
        )
        luna.remember(
            "I repair clocks.",
            predicate="identity.occupation",
            value="repair clocks",
            at=f"{DAYS[0]}T10:00:00Z",
        )
    return luna


def concluded(luna: ScopedMemory, *predicates: str, axis: Axis = Axis.PATTERN) -> str:
    """Return the id of a conclusion from what was told."""
    wanted = predicates or ("ritual.recurring_activity", "goal.current_focus", "open_loop.pending_action")
    support = [record.id for key in wanted for record in luna.list(predicate=key, now=NOW)]
    assert len(wanted) == len(support)
    admission = luna.infer(
        "keeps busy with music and water",
        axis=axis,
        predicate="goal.current_focus",
        support=support,
        confidence=0.9,
        now=NOW,
    )
    assert admission.record_id is not None, admission.detail
    return admission.record_id


def promoted(
    luna: ScopedMemory, name: str, *, now: str = NOW, contexts: int = 2, checked: int = 1
) -> Promotion:
    return luna.promote(name, distinct_contexts=contexts, counter_examples_checked=checked, now=now)


def where(luna: ScopedMemory, name: str, message: str, *, now: str = NOW) -> Sequence[tuple[Channel, Why]]:
    """Return where a conclusion stands in a plan."""
    plan = luna.prepare(message, now=now)
    return [
        (channel, item.reason)
        for channel in Channel
        for item in plan.channel(channel)
        if item.record_id == name
    ]


def test_promotion_is_closed_unless_it_was_opened() -> None:
    """Without a measurement a conclusion stays where it is, and nothing of it reaches a plan."""
    with Memory.open() as memory:
        luna = told(memory)
        name = concluded(luna)
        answer = promoted(luna, name)
        assert not answer.promoted
        assert (Shortage.NOT_MEASURED,) == answer.shortages
        assert InferenceState.ACCUMULATING is answer.record.body.state
        assert [] == where(luna, name, "music")


def test_a_measurement_opens_it_and_the_conclusion_stays_in_the_background(tmp_path: Path) -> None:
    """It may shape an answer that touches its topic, is never recited, and rests otherwise."""
    write_quality(tmp_path / "q.json", measured())
    with Memory.open(quality=tmp_path / "q.json") as memory:
        assert memory.promotion.open
        luna = told(memory)
        name = concluded(luna)
        assert [] == where(luna, name, "Shall we talk about music?")
        answer = promoted(luna, name)
        assert answer.promoted
        assert InferenceState.ACTIVE is answer.record.body.state
        assert [(Channel.TOPIC_ACTIVATED, Why.BACKGROUND_POLICY)] == where(luna, name, "More music?")
        assert [(Channel.DO_NOT_SURFACE, Why.BACKGROUND_AT_REST)] == where(luna, name, "What's for dinner?")
        line = next(one for one in luna.prepare("More music?", now=NOW).text.splitlines() if name in one)
        assert 'surface="background_only"' in line
        assert Obstacle.ALREADY_IN_STATE is promoted(luna, name).obstacle
        assert name not in [hit.record.id for hit in luna.search("music", now=NOW)]


def test_closing_it_again_takes_conclusions_back(tmp_path: Path) -> None:
    """A database whose conclusions were promoted plans without them when it is opened without a measurement."""
    path = tmp_path / "luna.db"
    with Memory.open(path, quality=measured()) as memory:
        luna = told(memory)
        name = concluded(luna)
        assert promoted(luna, name).promoted
    with Memory.open(path) as memory:
        assert [] == where(memory.scope(service="s", owner="o", profile="p"), name, "music")
    changed = measured(reader="of another time")
    with Memory.open(path, quality=changed) as memory:
        assert (Shortage.READER_CHANGED,) == memory.promotion.shortages
        assert [] == where(memory.scope(service="s", owner="o", profile="p"), name, "music")


def test_a_pattern_lapses_without_review() -> None:
    """After its deadline it shapes nothing, whether or not anybody looked."""
    with Memory.open(quality=measured()) as memory:
        luna = told(memory)
        name = concluded(luna)
        promoted(luna, name)
        assert where(luna, name, "music", now="2026-06-19T09:00:00Z")
        assert [] == where(luna, name, "music", now="2026-06-19T09:00:01Z")


def test_a_conclusion_lapses_with_its_support() -> None:
    """When everything it rests on was replaced or forgotten, it shapes nothing."""
    with Memory.open(quality=measured()) as memory:
        luna = told(memory)
        name = concluded(luna)
        promoted(luna, name)
        for record in luna.list(kind="claim", now=NOW):
            luna.delete(record.id, now=NOW)
        assert [] == where(luna, name, "music")


def test_the_measurement_speaks_for_its_reader_alone() -> None:
    """What a host stated was read by nobody who was measured."""
    with Memory.open(quality=measured()) as memory:
        luna = told(memory, by_host=True)
        name = concluded(luna, "ritual.recurring_activity", "open_loop.pending_action", "identity.occupation")
        answer = promoted(luna, name)
        assert answer.unmeasured and not answer.promoted
        assert not answer.shortages


@pytest.mark.parametrize(
    ("contexts", "checked", "blockers"),
    [
        (1, 1, [Blocker.INSUFFICIENT_DIVERSITY]),
        (2, 0, [Blocker.COUNTER_EXAMPLES_NOT_CHECKED]),
        (0, 0, [Blocker.INSUFFICIENT_DIVERSITY, Blocker.COUNTER_EXAMPLES_NOT_CHECKED]),
    ],
)
def test_the_evidence_must_suffice_as_well(contexts: int, checked: int, blockers: list[Blocker]) -> None:
    """An open gate promotes nothing by itself."""
    with Memory.open(quality=measured()) as memory:
        luna = told(memory)
        assert blockers == list(promoted(luna, concluded(luna), contexts=contexts, checked=checked).blockers)


def test_sessions_and_days_are_counted_from_the_messages() -> None:
    """Two of the three days are too few sessions, and too close."""
    with Memory.open(quality=measured()) as memory:
        luna = told(memory)
        name = concluded(luna, "ritual.recurring_activity", "goal.current_focus")
        answer = promoted(luna, name)
        assert [Blocker.TOO_FEW_SESSIONS, Blocker.SPAN_TOO_SHORT] == list(answer.blockers)
        assert answer.obstacle is None


def test_support_that_is_gone_is_told() -> None:
    """Everything that stands in the way comes in one answer."""
    policy = Policy(inference=InferencePolicy(min_sessions=0, min_span_days=0, min_contexts=0))
    with Memory.open(quality=measured(), policy=policy) as memory:
        luna = told(memory)
        name = concluded(luna)
        for record in luna.list(kind="claim", now=NOW):
            luna.delete(record.id, now=NOW)
        assert (Violation.UNKNOWN_SOURCE, Holding.NO_LIVE_SUPPORT) == promoted(luna, name).objections


def test_messages_alone_need_no_reader() -> None:
    """What the person said stands as they said it."""
    with Memory.open(quality=measured()) as memory:
        luna = memory.scope(service="s", owner="o", profile="p")
        names = [
            luna.observe(text, session=day, at=f"{day}T09:00:00Z").message_id
            for day, text in zip(DAYS, SAYINGS, strict=True)
        ]
        admission = luna.infer(
            "keeps busy",
            axis="disposition",
            predicate="goal.current_focus",
            support=names,
            confidence=0.5,
            now=NOW,
        )
        assert admission.record_id is not None
        answer = promoted(luna, admission.record_id)
        assert answer.promoted
        assert answer.record.body.expires_at is None


def test_only_a_conclusion_that_stands_is_promoted() -> None:
    """A fact is what the person said, an unknown id is nothing, and what was put away stays away."""
    with Memory.open(quality=measured()) as memory:
        luna = told(memory)
        name = concluded(luna)
        luna.delete(name, now=NOW)
        with pytest.raises(UsageError, match="conclusion that stands"):
            promoted(luna, name)
        for name in (luna.list(kind="claim", now=NOW)[0].id, "nothing"):
            with pytest.raises(UsageError, match="record"):
                promoted(luna, name)


@pytest.mark.parametrize("file", [":memory:", "luna.db"])
def test_asking_twice_changes_nothing(tmp_path: Path, file: str) -> None:
    """The same question at the same moment has the same answer, on either store."""
    path = file if file == ":memory:" else tmp_path / file
    with Memory.open(path) as memory:
        luna = told(memory)
        name = concluded(luna)
        assert promoted(luna, name) == promoted(luna, name)


def test_the_decision_is_explained() -> None:
    """Both the refusal and the promotion stand in the audit, in codes."""
    with Memory.open(quality=measured()) as memory:
        luna = told(memory)
        name = concluded(luna)
        promoted(luna, name, checked=0)
        promoted(luna, name, now="2026-03-22T09:00:00Z")
        decisions = [
            (one.action, one.outcome, one.reason)
            for one in luna.explain(name).decisions
            if one.action == "promote_inference"
        ]
        assert [
            ("promote_inference", "rejected", "counter_examples_not_checked"),
            ("promote_inference", "accepted", "admitted"),
        ] == sorted(decisions, key=lambda one: one[1], reverse=True)


def test_a_file_promotes_nothing(tmp_path: Path) -> None:
    """A conclusion that was promoted elsewhere gathers evidence here until it is promoted here."""
    with Memory.open(quality=measured()) as memory:
        luna = told(memory)
        name = concluded(luna)
        assert promoted(luna, name).promoted
        luna.export(tmp_path / "luna.jsonl", now=NOW)
    with Memory.open(quality=measured()) as memory:
        luna = memory.scope(service="s", owner="o", profile="p")
        luna.import_records(tmp_path / "luna.jsonl", now=NOW)
        brought = luna.show(name).body
        assert isinstance(brought, Inference)
        assert (InferenceState.ACCUMULATING, None) == (brought.state, brought.expires_at)
        assert [] == where(luna, name, "More music?")
        assert promoted(luna, name).promoted
