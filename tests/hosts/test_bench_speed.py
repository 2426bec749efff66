"""The measurement of speed runs, and measures what it says. No time is asserted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cmemory import Memory
from cmemory.bench import speed, speed_peers
from cmemory.bench.speed_peers import PEERS, compare
from cmemory.bench.speed_talk import asked, fact, told

OPERATIONS = [
    "prepare",
    "search records",
    "search utterances",
    "prepare after an admission",
    "admit, 1 candidate",
    f"admit, {speed.BATCH} candidates",
    "forget",
    "prepare after forgetting",
]


def test_every_operation_is_measured_and_peers_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    """In fresh processes; whoever cannot be measured is named with the reason and without a figure."""
    assert speed.main(["--records", "60", "--seconds", "0.01", "--vs", "fts5,mem0", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [(60, name) for name in OPERATIONS] == [
        (row["records"], row["operation"]) for row in report["rows"]
    ]
    assert all(0 < row["best_ms"] <= row["p50_ms"] <= row["p95_ms"] for row in report["rows"])
    assert [60] == [size["records"] for size in report["sizes"]]
    assert ["cmemory, search", "cmemory, prepare", "fts5", "mem0"] == [one["name"] for one in report["peers"]]
    *measured, mem0 = report["peers"]
    assert all(one["writes_per_second"] > 0 and one["search_p50_ms"] > 0 for one in measured)
    assert (None, PEERS["mem0"].note) == (mem0["writes_per_second"], mem0["note"])


def test_the_database_holds_as_many_records_as_it_is_called_after(tmp_path: Path) -> None:
    """Facts and stories, all of them active; the same words on every run, and none twice."""
    speed.fill(tmp_path / "b.db", 50)
    with Memory.open(tmp_path / "b.db") as memory:
        assert {"claim": 40, "episode": 10} == speed.scope_of(memory).stats().records
    assert 2_000 == len({fact(number) for number in range(2_000)})
    assert (told([3, 4]), asked(5)) == (told([3, 4]), asked(5))


def test_a_peer_that_fails_or_takes_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And so is one that cannot be installed."""
    broken = {
        "failing": speed_peers.Peer(package="", script="raise SystemExit(3)"),
        "slow": speed_peers.Peer(package="", script="time.sleep(60)"),
        "missing": speed_peers.Peer(package=str(tmp_path / "nowhere")),
    }
    monkeypatch.setattr(speed_peers, "PEERS", broken)
    monkeypatch.setattr(speed_peers, "_SECONDS", 10)
    found = {one.name: one for one in compare(tuple(broken), (5,), tmp_path)}
    assert found["failing"].note == "failed (CalledProcessError)"
    assert found["slow"].note == "was not done after 10 s"
    assert found["missing"].note == f"pip could not install {tmp_path / 'nowhere'}"
    assert found["slow"].cells() == ("slow", "5", "-", "-", "-", "-", "was not done after 10 s")


@pytest.mark.parametrize("wrong", [["--records", "1"], ["--records", "many"], ["--vs", "nobody"]])
def test_what_cannot_be_measured_is_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With a sentence that says what can."""
    with pytest.raises(SystemExit):
        speed.main(wrong)
    assert "must be" in capsys.readouterr().err
