"""The measurements run, and measure what they say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cmemory import Memory
from cmemory.bench import compaction, window, window_sets
from cmemory.bench.figures import mean_and_interval, quantile
from cmemory.bench.window_sets import Question
from cmemory.bench.worker import BATCH, Requests, fact, fill, main

OPERATIONS = [
    "health",
    "warm",
    "query",
    "session_closed",
    "forget",
    "warm after an admit",
    "admit, 1 candidate",
    f"admit, {BATCH} candidates",
]


def test_the_database_holds_as_many_records_as_it_is_called_after(tmp_path: Path) -> None:
    """All of them active, half of them Chinese."""
    fill(tmp_path / "b.db", 120)
    with Memory.open(tmp_path / "b.db") as memory:
        luna = memory.scope(service="bench", owner="u-1", profile="luna")
        assert {"claim": 120} == luna.stats().records
        assert () == memory.selfcheck(now="2026-03-02T09:00:00Z").findings


def test_no_two_facts_are_equal_and_every_run_has_the_same() -> None:
    """So that nothing merges and figures can be compared."""
    assert 500 == len({fact(number) for number in range(500)})
    assert Requests(10).admit(3) == Requests(10).admit(3)


def test_every_operation_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """Over a real pipe, at every size."""
    assert 0 == main(["--records", "20,60", "--seconds", "0.01", "--json"])
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(size, name) for size in (20, 60) for name in OPERATIONS] == [
        (row["records"], row["operation"]) for row in rows
    ]
    assert all(0 < row["p50_ms"] <= row["p95_ms"] and row["requests"] > 0 for row in rows)


def test_the_command_passes_its_options_on() -> None:
    """And its own refusals back."""
    command = [sys.executable, "-m", "cmemory", "bench", "worker"]
    done = subprocess.run(
        [*command, "--records", "20", "--seconds", "0.01"], capture_output=True, text=True, check=False
    )
    assert (0, 2 + len(OPERATIONS)) == (done.returncode, len(done.stdout.splitlines()))
    done = subprocess.run([*command, "--records", "many"], capture_output=True, text=True, check=False)
    assert 2 == done.returncode


# -- compaction ----------------------------------------------------------------------------------------------------


def _locomo(folder: Path) -> Path:
    """Write a set of two tiny conversations in the form of LoCoMo, one of them with a misspelt reference."""
    turns = [
        {"speaker": "Ida", "dia_id": "D1:1", "text": "Hi Tom!"},
        {"speaker": "Tom", "dia_id": "D1:2", "text": "Hello Ida, how are you?"},
        {"speaker": "Ida", "dia_id": "D1:3", "text": "I adopted a beagle called Biscuit."},
    ]
    asked = [
        {"question": "Which pet?", "answer": "a beagle", "evidence": ["D:1:03"], "category": 4},
        {"question": "Which car?", "answer": "zeppelin", "evidence": [], "category": 1},
        {"question": "Never said?", "adversarial_answer": "x", "evidence": ["D1:1"], "category": 5},
    ]
    talk = {
        "speaker_a": "Ida",
        "speaker_b": "Tom",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": turns,
    }
    file = folder / "locomo.json"
    sets = [{"sample_id": name, "conversation": talk, "qa": asked} for name in ("conv-26", "conv-99")]
    file.write_text(json.dumps(sets), encoding="utf-8")
    return file


def test_compaction_counts_the_facts_that_survive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same set gives the same figures, apart for the conversations that were tuned on."""
    arguments = ["--locomo", str(_locomo(tmp_path)), "--json"]
    printed = []
    for _ in range(2):
        assert compaction.main(arguments) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    found = json.loads(printed[0])
    assert found["reported"]["conversations"] == ["conv-99"]
    assert found["tuned_on"]["conversations"] == ["conv-26"]
    assert {row["survived"] for row in found["rows"]} == {0.5}
    assert found["reported"]["lead_over"] == {"window protocol": [0.0] * 3, "head and tail": [0.0] * 3}
    assert compaction.main(arguments[:2]) == 0
    assert "| conv-99 | 3 | 2 | checkpoint | 50.0% |" in capsys.readouterr().out


def test_compaction_reads_projects(tmp_path: Path) -> None:
    """What the last quarter of a project's sessions uses of the earlier ones is a fact."""
    for person in ("Ethan_Hunt", "Lin_Wanyu", "Sarah_Miller"):
        sessions = [
            {
                "session_identifier": f"Trip_1:S{at}",
                "session_uuid": f"u{at}",
                "current_time": f"2026-01-0{at + 1} (Monday)",
                "dialogue_turns": [
                    {"speaker": "User", "content": f"Day {at}.", "memory_used": []},
                    {"speaker": "Assistant", "content": "Noted.", "memory_used": [
                        {"session_uuid": "u0", "content": "【Trip】 Day zero."},
                        {"session_uuid": "u3", "content": "Too late."},
                    ]},
                ],
            }
            for at in range(4)
        ]  # fmt: skip
        (tmp_path / f"{person}_dialogues_256k.json").write_text(json.dumps({"dialogues": sessions}), "utf-8")
    cases = list(compaction.read_realmembench(tmp_path))
    assert [case.name for case in cases] == ["Ethan_Hunt 1", "Lin_Wanyu 1", "Sarah_Miller 1"]
    assert [len(case.entries) for case in cases] == [6, 6, 6]
    assert cases[0].facts == (compaction.Fact(answer=" Day zero."),)


def test_compaction_needs_a_set(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a set there is nothing to measure."""
    with pytest.raises(SystemExit):
        compaction.main([])
    assert "name at least one set" in capsys.readouterr().err


# -- window --------------------------------------------------------------------------------------------------------


def _madial(folder: Path) -> Path:
    """Write a tiny set in the form of MADial-Bench: two people, and a dialogue that should remember."""
    memories = [
        {"7": {"time": "2024-01-03", "event": "Bo在海边捡到一只蓝色的贝壳。", "user-id": 1}},
        {"4": {"time": "2024-01-02", "event": "Bo把风筝挂在了梧桐树上。", "user-id": 1}},
        {"9": {"time": "2024-01-02", "event": "Ru学会了包饺子。", "user-id": 2}},
    ]
    said = [
        "<BOD>\n",
        ' <Bo>: "今天好热。"\n',
        '<Assistant>:"是呀。"\n',
        '<Bo>:"蓝色的贝壳不见了！"\n',
        '<Assistant>:"海边的那只吗？"\n',
        '<Bo>:"是的，海边的。"\n',
        "<EOD>\n",
    ]
    dialogues = [{"dialogue": said, "test-turn": [4], "relevant-id": [7, 99], "user-id": 1, "id": 0}]
    (folder / "ch").mkdir()
    for name, rows in (("memory", memories), ("dialogue", dialogues)):
        lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        (folder / "ch" / f"MADial-Bench-zh-{name}.json").write_text(lines, encoding="utf-8")
    return folder


def _memorybank(folder: Path) -> Path:
    """Write a tiny set in the form of MemoryBank: one person in each language."""
    for stem, said in (("cn", "我叫周眠，住在杭州。"), ("en", "I live in Oslo and keep bees.")):
        days = {
            "2023-05-01": [{"query": said, "response": "Ok."}],
            "2023-05-02": [{"query": said, "response": ""}],
        }
        (folder / stem).mkdir()
        (folder / stem / f"memory_bank_{stem}.json").write_text(
            json.dumps({"Person": {"history": days}}), encoding="utf-8"
        )
    return folder


def test_the_window_is_measured_on_our_own_set(capsys: pytest.CaptureFixture[str]) -> None:
    """Six policies, the same figures on every run, and what adds up does."""
    printed = []
    for _ in range(2):
        assert 0 == window.main(["--json"])
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    (own,) = json.loads(printed[0])["sets"]
    rows = {row["policy"]: row for row in own["rows"]}
    assert ["full", "no_window_hygiene", "no_hebbian", "similarity_only", "no_recency", "no_importance"] == [
        *rows
    ]
    for row in rows.values():
        assert 0 < row["recall"] <= row["hits"] <= 1
        assert pytest.approx(1, abs=0.001) == sum(row["evidence"].values())
        assert 0 < row["tokens_p50"] <= row["tokens_p95"] <= row["tokens_max"] <= 1400
        assert row["edges_learned"] - row["edges_pruned"] == row["edges_held"]
    assert [0.0, 0.0, 0.0] == rows["full"]["against_full"]
    assert min(rows["full"]["edges_strengthened"], rows["full"]["edges_applied"]) > 0
    assert 0 == rows["no_hebbian"]["edges_held"] == rows["no_hebbian"]["edges_applied"]
    assert rows["no_window_hygiene"]["shown"] > rows["full"]["shown"]


def test_the_window_reads_locomo_as_one_session(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Questions without an answer or evidence are left out; the speakers may be named."""
    file = _locomo(tmp_path)
    (case, _) = window_sets.locomo(file)
    assert ("conv-26", {window_sets.SESSION}) == (case.name, {line.session for line in case.lines})
    assert (Question(text="Which pet?", gold=(2,)),) == case.questions
    (named, _) = window_sets.locomo(file, named=True)
    assert "Ida: I adopted a beagle called Biscuit." == named.lines[2].text
    assert 0 == window.main(["--locomo", str(file), "--named", "--limit", "1"])
    assert "LoCoMo, speakers named: 1 conversations, 3 utterances, 1 questions" in capsys.readouterr().out


def test_the_window_lays_memories_out_as_a_conversation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One for each person, by day; the question is the last thing said before the turn that should remember."""
    folder = _madial(tmp_path)
    one, other = window_sets.madial(folder)
    assert ["Bo把风筝挂在了梧桐树上。", "Bo在海边捡到一只蓝色的贝壳。"] == [line.text for line in one.lines]
    assert (Question(text="蓝色的贝壳不见了！", gold=(1,)),) == one.questions
    assert () == other.questions
    assert 0 == window.main(["--madial", str(folder), "--json"])
    found = json.loads(capsys.readouterr().out)["sets"][1]
    assert (2, 3, 1) == (found["conversations"], found["utterances"], found["questions"])
    assert {1.0} == {row["recall"] for row in found["rows"]}
    assert [{"selected": 1.0}] * 6 == [row["evidence"] for row in found["rows"]]


def test_a_turn_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By plan, by window and by both; within what each may take, the first turn has no window."""
    folder = _memorybank(tmp_path)
    arguments = ["--cost", "--memorybank", str(folder), "--locomo", str(_locomo(tmp_path)), "--limit", "1"]
    assert 0 == window.main([*arguments, "--json"])
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [
        (name, part)
        for name in ("MemoryBank zh", "MemoryBank en", "LoCoMo en")
        for part in ("window", "plan", "both")
    ] == [(row["set"], row["part"]) for row in rows]
    assert {2} == {row["turns"] for row in rows}
    for row in rows:
        assert 0 <= row["p50"] <= row["p90"] <= row["p95"] <= row["max"] <= 800 + 1400
        assert 0 <= row["silent"] <= 1
    assert {0} == {row["p50"] for row in rows if row["part"] == "window"}
    assert 0 == window.main(arguments)
    assert "| MemoryBank zh, window | 2 |" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        window.main(["--cost"])
    assert "--memorybank or --locomo" in capsys.readouterr().err


def test_nothing_to_ask_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A set without a question that has evidence, and counts that leave nothing over."""
    sets = json.loads(_locomo(tmp_path).read_text("utf-8"))
    file = tmp_path / "unasked.json"
    file.write_text(json.dumps([{**one, "qa": []} for one in sets]), "utf-8")
    for arguments in (["--locomo", str(file)], ["--limit", "0"], ["--questions", "-1"], ["--limit", "two"]):
        with pytest.raises(SystemExit):
            window.main(arguments)
        assert "error: " in capsys.readouterr().err


def test_the_command_measures_the_window(tmp_path: Path) -> None:
    """Switches and values are passed on, JSON included."""
    command = [sys.executable, "-m", "cmemory", "bench", "window", "--json"]
    done = subprocess.run(
        [*command, "--cost", "--locomo", str(_locomo(tmp_path))], capture_output=True, text=True, check=False
    )
    assert (0, "") == (done.returncode, done.stderr)
    assert {4} == {row["turns"] for row in json.loads(done.stdout)["rows"]}


def test_figures() -> None:
    """The smallest value that covers a share; a mean within its interval, the same on every run."""
    assert [1, 2, 4] == [quantile([4, 1, 3, 2], share) for share in (0, 0.5, 0.95)]
    assert (0.5, 0.5, 0.5) == mean_and_interval([0.5, 0.5])
    mean, low, high = mean_and_interval([0.0, 1.0] * 20)
    assert 0.3 < low < mean == 0.5 < high < 0.7
    assert (mean, low, high) == mean_and_interval([0.0, 1.0] * 20)
