"""The table of targets comes from the other benches, and the promises it counts are counted so that they can fail."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from cmemory.bench import promises, shared_file, targets, weight
from cmemory.bench.targets import AREAS


def only(statement: int = 0, *, spellings: int = 1) -> tuple[promises.Statement, ...]:
    """Return one of the statements, with few of its spellings."""
    one = promises.STATEMENTS[statement]
    return (attrs.evolve(one, otherwise=one.otherwise[:spellings], other_script=()),)


# -- forgetting ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("statement", [0, 1])
def test_what_was_forgotten_is_counted_in_every_way(statement: int) -> None:
    """It was there before; neither a record nor a byte of it is there again."""
    found = promises.forgetting(only(statement))
    assert [one.way for one in found] == [
        "said again",
        "said again, as the same message",
        "said again and learned",
        "written otherwise",
        "written otherwise and learned",
        "imported again",
        "restored",
        "restored from a backup",
    ]
    for one in found:
        assert one.seen_before == one.held_before == one.tries > 0
        assert 0 == one.as_record
    exact = [one for one in found if one.way != "written otherwise and learned"]
    assert {0} == {count for one in exact for count in (one.as_said, one.held_after)}


def test_a_library_that_does_not_forget_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were nothing forgotten, every way would show it and every file hold it."""
    monkeypatch.setattr(promises._Life, "forget", lambda self: None)
    for one in promises.forgetting(only()):
        assert one.as_record == one.as_said == one.held_after == one.tries


def test_what_is_only_put_away_is_in_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """A soft deletion is no forgetting: restoring brings it back, and its bytes stay."""
    monkeypatch.setattr(
        promises._Life, "forget", lambda self: self.luna.delete(self.record, now="2026-03-10T09:00:00Z")
    )
    restored = {one.way: one for one in promises.forgetting(only())}["restored"]
    assert (1, 1) == (restored.as_record, restored.held_after)


# -- whose memory it is --------------------------------------------------------------------------------------------


def test_nobody_sees_anothers_memory_and_a_leak_would_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner, counted as another, sees everything."""
    apart = promises.isolation()
    assert (0, 0, apart.wide) == (apart.leaked, apart.obeyed, apart.refused)
    assert apart.asked > 1_000
    assert (apart.own, apart.served) == (apart.secrets, apart.calls)
    monkeypatch.setattr(promises, "_OTHERS", (promises._OWN,))
    monkeypatch.setattr(promises, "_WIDE", ("u-42",))
    leaky = promises.isolation()
    assert leaky.leaked > 0
    assert leaky.obeyed > 0
    assert (0, 3) == (leaky.refused, leaky.wide)


def test_promises_are_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """As tables and as JSON."""
    monkeypatch.setattr(promises, "STATEMENTS", only())
    found, apart = promises.forgetting(only(spellings=0)), promises.isolation()
    told = promises.report(found, apart)
    assert "| restored from a backup | 1 | 1 | 1 | 0 | 0 | 0 |" in told
    assert "| secrets found by their owner | 3 | 3 |" in told
    monkeypatch.setattr(promises, "forgetting", lambda: found)
    monkeypatch.setattr(promises, "isolation", lambda: apart)
    assert 0 == promises.main(["--json"])
    plain = json.loads(capsys.readouterr().out)
    assert (["said again", 0], 0) == (
        [plain["forgetting"][0]["way"], plain["forgetting"][0]["as_record"]],
        plain["isolation"]["leaked"],
    )
    assert 0 == promises.main([])
    assert told == capsys.readouterr().out.rstrip("\n")


# -- several processes ---------------------------------------------------------------------------------------------


def test_what_was_acknowledged_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    """By two processes that end, and by two of which one is killed."""
    assert 0 == shared_file.main(["--writes", "6", "--kills", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (12, 12, 0, 0) == (found["acknowledged"], found["stored"], found["lost"], found["findings"])
    assert found["acknowledged_around_kills"] > 6


def test_a_lost_write_would_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that keeps nothing of what it acknowledged."""
    monkeypatch.setattr(shared_file, "_held", lambda file: (set(), 2))
    found = shared_file.measure(writes=3, kills=1)
    assert (6, 0, 4) == (found.acknowledged, found.stored, found.findings)
    assert found.lost == found.acknowledged_around_kills >= 4
    assert f"| acknowledged writes lost around 1 kills | {found.lost} | {found.lost} |" in shared_file.report(
        found
    )


# -- weight and context --------------------------------------------------------------------------------------------


def test_the_core_and_a_turn_are_weighed(capsys: pytest.CaptureFixture[str]) -> None:
    """What an installation brings, without extras; and the tokens of every turn of a conversation."""
    assert 0 == weight.main(["--json"])
    found = json.loads(capsys.readouterr().out)
    assert {"cmemory", "attrs", "cattrs", "snowballstemmer", "typing-extensions"} == set(found["core"])
    assert all(size > 10_000 for size in found["core"].values())
    talk, made_up = found["turns"]
    assert (28, 200) == (talk["turns"], made_up["turns"])
    for one in (talk, made_up):
        assert 0 < one["p50"] <= one["p95"] <= one["max"] <= 800


# -- the table -----------------------------------------------------------------------------------------------------


def memdaily(file: Path) -> Path:
    """Write one trajectory in the form of the set."""
    asked = {"question": "我表弟叫什么？", "target_step_id": [0]}
    trajectory = {"tid": 3, "message_list": ["我表弟叫陈星。", "今天下雨了。"], "QA": asked}
    file.write_text(json.dumps({"simple": {"roles": [trajectory]}}, ensure_ascii=False), "utf-8")
    return file


def rpeval(file: Path) -> Path:
    """Write pairs in the form of the set, for one of which something should be said."""
    pairs = [
        ("周末去哪里玩好？", "受不了人多。", "dominate"),
        ("晚饭做什么菜好？", "用户喜欢极限运动，觉得很爽。", "ignore"),
    ]
    rows = [{"question": asked, "persona": text, "intent_type": kind} for asked, text, kind in pairs]
    file.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    return file


def test_a_set_that_is_named_is_measured_and_the_others_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each row with its target, what it was made on and its command; written in two forms."""
    arguments = ["--only", "recall-zh,silence,precision,isolation", "--date", "2026-03-01", "--json"]
    arguments += [
        "--memdaily",
        str(memdaily(tmp_path / "m.json")),
        "--rpeval",
        str(rpeval(tmp_path / "r.json")),
    ]
    assert 0 == targets.main([*arguments, "--limit", "3", "--out", str(tmp_path / "out")])
    printed = capsys.readouterr()
    assert "measuring recall-zh\nmeasuring silence" in printed.err
    table = json.loads(printed.out)
    assert printed.out == (tmp_path / "out" / "targets.json").read_text("utf-8")
    assert ("2026-03-01", 3) == (table["date"], table["limit"])
    assert table["commit"].split()[0] in ("commit", "version")
    rows = {row["measure"]: row for row in table["rows"]}
    daily = rows["MemDaily, messages, R@10, by words, report (1)"]
    assert ("1.000 (1.000–1.000)", True, "not seen") == (daily["ours"], daily["met"], daily["made_on"])
    assert "cmemory bench retrieval --memdaily FILE" == daily["command"]
    pairs = rows["RPEval, release of 2 pairs"]
    assert pairs["ours"].startswith("balanced 1.000 (")
    assert pairs["met"]
    for measure, option in (
        ("MADial zh, records, R@10", "--madial DIR"),
        ("PersistBench, entries with anything released", "--persistbench FILE"),
        ("PrecisionMemBench, cases", "--precision DIR"),
    ):
        assert (f"not measured: pass {option}", None) == (rows[measure]["ours"], rows[measure]["met"])
    text = (tmp_path / "out" / "targets.md").read_text("utf-8")
    assert "Of each set 3 conversations at most." in text
    assert "| area | measure | target | ours | met | made on | command |" in text
    assert str(tmp_path) not in text + printed.out


def test_a_target_that_is_missed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A leak, a lost write, a slow turn: each row says no."""
    monkeypatch.setattr(promises, "_OTHERS", (promises._OWN,))
    monkeypatch.setattr(promises, "_WIDE", ("u-42",))
    monkeypatch.setattr(shared_file, "WRITES", 2)
    monkeypatch.setattr(
        shared_file,
        "measure",
        lambda: shared_file.Shared(
            acknowledged=4, stored=3, kills=1, acknowledged_around_kills=5, lost=1, findings=0
        ),
    )
    options = targets._parser().parse_args(["--only", "isolation,concurrency", "--date", "2026-03-01"])
    rows = targets.fill(options).rows
    assert [False] * 4 == [row.met for row in rows]
    assert ["3/4", "1 of 5; 0"] == [row.ours for row in rows[2:]]


def test_forgetting_that_shows_nothing_beforehand_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a statement was not visible before, its absence is no success."""
    blank = promises.Way(
        way="said again", tries=1, seen_before=0, held_before=1, as_record=0, as_said=0, held_after=0
    )
    monkeypatch.setattr(promises, "forgetting", lambda: (blank,))
    first, _ = targets.fill(
        targets._parser().parse_args(["--only", "forgetting", "--date", "2026-03-01"])
    ).rows
    assert first.met is False


def test_speed_weight_and_context_are_rows() -> None:
    """At the size that was asked for; what is judged at another size has no verdict."""
    command = [sys.executable, "-m", "cmemory", "--json", "bench", "targets", "--only", "speed"]
    done = subprocess.run(
        [*command, "--records", "60", "--seconds", "0.01"], capture_output=True, text=True, check=False
    )
    assert (0, "measuring speed\n") == (done.returncode, done.stderr)
    table = json.loads(done.stdout)
    assert {"speed", "weight"} == {row["area"] for row in table["rows"]}
    verdicts = {row["measure"].split(" at 60")[0].split(":")[0]: row["met"] for row in table["rows"]}
    assert verdicts["prepare"] is verdicts["durable writes a second"] is verdicts["RSS"] is None
    assert verdicts["files of the core"] is True


@pytest.mark.parametrize("wrong", [["--only", "luck"], ["--date", "yesterday"], ["--records", "3"]])
def test_what_cannot_be_measured_is_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With a sentence that says what can."""
    with pytest.raises(SystemExit):
        targets.main(wrong)
    assert "must be" in capsys.readouterr().err


def test_the_command_names_every_area() -> None:
    """So that its help is right."""
    done = subprocess.run(
        [sys.executable, "-m", "cmemory", "bench", "--help"], capture_output=True, text=True, check=True
    )
    assert ", ".join(AREAS) in " ".join(done.stdout.split())
