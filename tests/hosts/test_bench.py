"""The measurements run, and measure what they say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cmemory import Memory
from cmemory.bench import compaction
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
