"""The measurements run, and measure what they say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cmemory import Memory
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
