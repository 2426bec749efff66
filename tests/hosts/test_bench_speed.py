"""The measurement of speed runs, and measures what it says. No time is asserted."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cmemory import Memory
from cmemory.bench import speed, speed_harness, speed_peers
from cmemory.bench.speed_peers import compare, table
from cmemory.bench.speed_talk import PLANTED, asked, fact, told

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
    """In fresh processes; what is planted is found by name, in Chinese too where that is looked for, and erased."""
    assert speed.main(["--records", "120", "--seconds", "0.01", "--vs", "fts5", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [(120, name) for name in OPERATIONS] == [
        (row["records"], row["operation"]) for row in report["rows"]
    ]
    assert all(0 < row["best_ms"] <= row["p50_ms"] <= row["p95_ms"] for row in report["rows"])
    assert [120] == [size["records"] for size in report["sizes"]]
    search, prepare, fts5 = report["peers"]
    assert ["cmemory, search", "cmemory, prepare", "fts5"] == [one["name"] for one in report["peers"]]
    for one in report["peers"]:
        figures = (
            "writes_per_second",
            "batched_per_second",
            "search_p50_ms",
            "search_cpu_ms",
            "rss_mb",
            "files_mb",
        )
        assert all(one[figure] > 0 for figure in figures)
        assert (one["held_before"], one["found_erased"]) == (len(PLANTED), 0)
    assert search["found_zh"] == search["found_en"] == fts5["found_en"] == search["planted"]
    assert (fts5["found_zh"], search["held_after"], prepare["held_after"]) == (0, 0, 0)
    assert fts5["held_after"] > 0


def test_the_database_holds_as_many_records_as_it_is_called_after(tmp_path: Path) -> None:
    """Facts and stories, all of them active; the same words on every run, and none twice."""
    speed.fill(tmp_path / "b.db", 50)
    with Memory.open(tmp_path / "b.db") as memory:
        assert {"claim": 40, "episode": 10} == speed.scope_of(memory).stats().records
    assert 2_000 == len({fact(number) for number in range(2_000)})
    assert (told([3, 4]), asked(5)) == (told([3, 4]), asked(5))


#: A memory that keeps nothing on disk and offers no batches.
_LIST = """
version = "1"
kept = {}
def write(text):
    kept[text] = text
    return text
def search(text):
    return list(kept)
erase = kept.pop
"""


def test_a_peer_that_fails_or_takes_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And so is one that cannot be installed, or reaches for the network, which it does not get."""
    calls = "import socket\ndef search(text):\n    try: socket.create_connection(('192.0.2.1', 80))\n"
    broken = {
        "failing": speed_peers.Peer(script="raise SystemExit('no such file: ' + folder + '/x')"),
        "slow": speed_peers.Peer(script="import time\ntime.sleep(60)"),
        "missing": speed_peers.Peer(packages=(str(tmp_path / "nowhere"),), script=""),
        "calling": speed_peers.Peer(
            script=_LIST + calls + "    except OSError: return list(kept)", note="a list"
        ),
    }
    monkeypatch.setattr(speed_peers, "PEERS", broken)
    monkeypatch.setattr(speed_peers, "SECONDS", 10)
    found = {one.name: one for one in compare(tuple(broken), (5,), tmp_path)}
    assert found["failing"].note == "failed: no such file: x"
    assert found["slow"].note == "was not done after 10 s"
    assert found["missing"].note == f"pip could not install {tmp_path / 'nowhere'}"
    calling = found["calling"]
    assert calling.note.startswith("a list; reached for the network 2")
    assert (calling.batched_per_second, calling.files_mb, calling.held_before) == (None, None, 0)
    shown = table(tuple(found.values()))
    assert (
        "| slow | - | 5 | - | - | - | - | - | - | - | - | - | - | - | - | was not done after 10 s |" in shown
    )
    assert f"| calling | 1 | 5 | {calling.writes_per_second:,.0f} | - |" in shown
    assert "| 4/4 | 4/4 | no file | 0 |" in shown
    assert "| cmemory, search | 5 | 1 | - | 1 | 1 | 1 | 1 | 1 | 1 |" in shown
    assert "| slow | 5 | - | - | - | - | - | - | - | - |" in shown


def test_all_get_the_same_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cores, memory, files, time, and a home of their own in which everything is counted."""
    told = """
import os, pathlib, resource
pathlib.Path.home().joinpath(".kept").write_text("camphor")
limits = [resource.getrlimit(getattr(resource, name))[0] for name in ("RLIMIT_DATA", "RLIMIT_NOFILE", "RLIMIT_CPU")]
version = f"{len(os.sched_getaffinity(0))} {limits}"
"""
    monkeypatch.setattr(speed_peers, "OURS", {})
    monkeypatch.setattr(speed_peers, "PEERS", {"list": speed_peers.Peer(script=_LIST + told)})
    (one,) = compare(("list",), (5,), tmp_path)
    cores = min(speed_harness.CORES, len(os.sched_getaffinity(0)))
    assert one.version == f"{cores} {[4 << 30, 1024, speed_harness.CORES * speed_peers.SECONDS]}"
    assert (one.held_before, one.held_after) == (1, 1)


def test_environments_are_kept_and_made_again_for_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the user says."""
    made: list[list[str]] = []
    monkeypatch.setattr(speed_peers.venv, "create", lambda home, **_: home.mkdir(parents=True, exist_ok=True))
    monkeypatch.setattr(speed_peers.subprocess, "run", lambda command, **_: made.append(command))
    for version in ("1", "1", "2"):
        one = speed_peers.Peer(packages=(f"a-b=={version}", "c"), script="")
        assert speed_peers.installed(one, tmp_path) == str(tmp_path / f"a-b-{version}" / "bin" / "python")
    assert [["a-b==1", "c"], ["a-b==2", "c"]] == [command[-2:] for command in made]


def test_vectors_tell_texts_apart() -> None:
    """They have the length one, and what shares letters is nearer."""
    one, near, far = map(speed_harness.vector, ("修好风筝", "修好提琴", "bake bread"))

    def alike(other: list[float]) -> float:
        return sum(a * b for a, b in zip(one, other, strict=True))

    assert 1 == pytest.approx(alike(one))
    assert alike(near) > alike(far)


@pytest.mark.parametrize("wrong", [["--records", "1"], ["--records", "many"], ["--vs", "nobody"]])
def test_what_cannot_be_measured_is_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With a sentence that says what can."""
    with pytest.raises(SystemExit):
        speed.main(wrong)
    assert "must be" in capsys.readouterr().err
