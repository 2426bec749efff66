"""The demo shows what it promises, the same on every machine, and invents nothing."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from cmemory.adapters.cli.commands.demo import COMMAND
from cmemory.adapters.cli.demo import en, zh
from cmemory.adapters.cli.demo.script import Say, Script
from cmemory.adapters.cli.demo.show import WIDTH
from cmemory.adapters.cli.main import main
from cmemory.adapters.cli.output import width_of

_SCRIPTS = [en.SCRIPT, zh.SCRIPT]

Frames = list[dict[str, Any]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Play both conversations once, on a file that stays, and return the JSON."""
    path = tmp_path_factory.mktemp("demo") / "demo.db"
    document: dict[str, Any] = json.loads(_here("--json", "--database", str(path)))
    assert path.exists()
    return {"path": path, **{one["language"]: one["frames"] for one in document["conversations"]}}


def _here(*argv: str) -> str:
    """Return what the demo prints, run in this process."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["demo", *argv]) == 0
    return out.getvalue()


def _process(*argv: str, hash_seed: str) -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "cmemory", "demo", *argv],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _of(frames: Frames, kind: str) -> Frames:
    return [one for one in frames if one["frame"] == kind]


def _learned(frames: Frames, outcome: str) -> Frames:
    return [kept for turn in _of(frames, "turn") for kept in turn["learned"] if kept["outcome"] == outcome]


@pytest.mark.parametrize("script", _SCRIPTS, ids=lambda script: script.language)
def test_a_conversation_is_long_enough_to_be_believed(script: Script) -> None:
    """25 to 35 messages over at least four weeks, in order, each answered."""
    said = [act for act in script.acts if isinstance(act, Say)]
    assert 25 <= len(said) <= 35
    moments = [act.at for act in script.acts if hasattr(act, "at")]
    assert moments == sorted(moments)
    first, last = (date.fromisoformat(act.at[:10]) for act in (said[0], said[-1]))
    assert (last - first).days >= 28
    assert all(act.reply for act in said)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_everything_promised_is_shown(played: dict[str, Any], language: str) -> None:
    """Each thing the demo exists to show really happens in the pipeline."""
    frames: Frames = played[language]
    turns = _of(frames, "turn")
    assert len(_learned(frames, "accepted")) >= 10
    assert sum(not turn["learned"] for turn in turns) >= 10, "small talk teaches nothing"
    assert _learned(frames, "superseding")[0]["ended"], "a correction replaces"
    assert _learned(frames, "retracted"), "a retraction ends"
    refused = {kept["reason"] for kept in _learned(frames, "rejected")}
    assert "resurrection" in refused and refused & {"secret", "instruction"}
    assert any(item["channel"] == "topicActivated" for turn in turns for item in turn["shown"])
    assert any(item["channel"] == "continuity" for turn in turns for item in turn["shown"])
    assert Counter(why for turn in turns for why in turn["silent"]).keys() >= {
        "mention_gate_denied",
        "boundary_policy",
    }
    (asked,) = _of(frames, "ask")
    assert asked["found"]


@pytest.mark.parametrize(("language", "topic"), [("en", "biopsy"), ("zh", "手术")])
def test_a_boundary_holds_while_the_person_touches_it(
    played: dict[str, Any], language: str, topic: str
) -> None:
    """While fenced, the topic is withheld even in a turn that names it; before, the same record was told."""
    turns = _of(played[language], "turn")
    fenced = [turn for turn in turns if topic in turn["said"] and "boundary_policy" in turn["silent"]]
    assert fenced and not any(
        topic in item["text"] for item in fenced[0]["shown"] if item["channel"] != "constraints"
    )
    assert any(
        topic in item["text"]
        for turn in turns
        for item in turn["shown"]
        if item["channel"] == "topicActivated"
    )


@pytest.mark.parametrize(("language", "words"), [("en", "northern lights"), ("zh", "极光")])
def test_what_is_muted_is_not_mentioned(played: dict[str, Any], language: str, words: str) -> None:
    """After muting, naming the thing brings nothing up."""
    frames: Frames = played[language]
    at = next(index for index, frame in enumerate(frames) if frame["frame"] == "mute")
    assert words in frames[at]["text"] and words in frames[at + 1]["said"]
    assert not any(words in item["text"] for item in frames[at + 1]["shown"])


@pytest.mark.parametrize(("language", "name"), [("en", "Callum"), ("zh", "陈屿")])
def test_what_is_forgotten_is_gone_and_stays_gone(played: dict[str, Any], language: str, name: str) -> None:
    """The words stood in the files, are gone, are refused when said again, and are gone still."""
    frames: Frames = played[language]
    (forgotten,), (verified,) = _of(frames, "forget"), _of(frames, "verify")
    assert (
        forgotten["stood_before"] and forgotten["clean"] and forgotten["files"] and forgotten["records"] == 2
    )
    again = next(
        turn for turn in _of(frames, "turn") if turn["at"] > forgotten["at"] and name in turn["said"]
    )
    assert {kept["reason"] for kept in again["learned"]} == {"resurrection"}
    assert verified["clean"]
    for path in played["path"].parent.iterdir():
        assert name.encode() not in path.read_bytes()


def test_the_last_frame_adds_up(played: dict[str, Any]) -> None:
    """The closing numbers are the counts of what was shown."""
    for language in ("en", "zh"):
        frames: Frames = played[language]
        total = frames[-1]
        assert total["messages"] == len(_of(frames, "turn"))
        assert all(total["counts"][name] == len(_learned(frames, name)) for name in total["counts"])


def test_every_run_is_the_same_and_readable() -> None:
    """Two processes with other hash seeds print the same narrow lines, few enough for two minutes."""
    printed = _process(hash_seed="2").decode("utf-8")
    assert printed == _here()
    lines = printed.split("\n")
    assert max(map(width_of, lines)) <= WIDTH
    assert "\x1b" not in printed and len(lines) < 380


def test_the_documented_json_has_the_real_keys(
    played: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """The example on the reference page looks like the first frame, and --pause takes a number."""
    assert COMMAND.json == {"conversations": [{"language": "en", "frames": [played["en"][0]]}]}
    assert main(["demo", "--pause", "soon"]) == 2
    assert "--pause" in capsys.readouterr().err


def test_no_file_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --database the demo cleans up after itself."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    _here("--language", "zh", "--json")
    assert list(tmp_path.iterdir()) == []
