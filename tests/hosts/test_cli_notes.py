"""The commands on notes and the night, end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.main import main


class Shell:
    """Runs commands on one database at a given moment."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._path, self._capsys = path, capsys

    def __call__(self, *argv: str, now: str = "2026-03-02T09:00:00+08:00") -> tuple[int, Any]:
        base = ("--database", str(self._path), "--zone", "Asia/Shanghai", "--now", now, "--json")
        self._capsys.readouterr()
        code = main([*base, *argv])
        out = self._capsys.readouterr().out
        return code, json.loads(out) if out else None


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    for name in ("CMEMORY_MODEL", "CMEMORY_BASE_URL", "CMEMORY_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return Shell(tmp_path / "luna.db", capsys)


def test_a_note_is_written_listed_told_and_put_away(shell: Shell) -> None:
    """The ids that one command prints are those that the others take."""
    said = ("--said", "记住我喜欢海边，讨厌吵闹", "--kind", "preference", "--tag", "海边", "--tag", "青岛")
    code, written = shell("note", "喜欢海边，讨厌吵闹", *said)
    note = written["admissions"][0]["record_id"]
    assert (code, written["admissions"][0]["outcome"]) == (Exit.OK, "accepted")
    code, listed = shell("list", "--kind", "note")
    assert [one["id"] for one in listed["records"]] == [note]
    assert listed["records"][0]["body"]["tags"] == ["海边", "青岛"]
    code, told = shell("brief", "去海边吗", "--max-chars", "400", "--mood")
    assert code == Exit.OK
    assert "喜欢海边，讨厌吵闹" in told["text"]
    assert "background" in told["text"]
    assert told["chars"] == len(told["text"]) <= 400
    assert shell("brief", "你好")[0] == Exit.NOTHING
    assert shell("delete", note)[0] == Exit.OK
    assert "讨厌吵闹" not in (shell("brief", "海边的吵闹")[1]["text"].split("recalled")[0])
    assert shell("restore", note)[0] == Exit.OK


def test_mistakes_about_notes_have_their_codes(shell: Shell) -> None:
    assert shell("note", "海边", "--importance", "4")[0] == Exit.USAGE
    assert shell("note", "海边", "--due", "tomorrow")[0] == Exit.NOTHING
    assert shell("note", "海边有77只猫", "--said", "我喜欢海边")[0] == Exit.NOTHING
    shell("exchange", "我喜欢海边")
    assert shell("consolidate", "--at", "9 pm")[0] == Exit.USAGE


def test_an_exchange_waits_for_the_night(shell: Shell) -> None:
    """Not before its hour has struck, unless somebody insists; and only once."""
    code, queued = shell("exchange", "我对花生过敏", "记下了", "--session", "s1")
    assert (code, queued) == (Exit.OK, {"said": "stored", "answered": "stored", "queued": True})
    code, early = shell("consolidate", now="2026-03-02T12:00:00+08:00")
    assert (code, early["day"], early["left"]) == (Exit.NOTHING, "2026-03-01", 1)
    code, night = shell("consolidate", now="2026-03-02T23:51:00+08:00")
    assert (code, night["day"], night["left"]) == (Exit.OK, "2026-03-02", 0)
    assert night["admissions"][0]["text"] == "我对花生过敏"
    assert shell("consolidate", now="2026-03-02T23:59:00+08:00")[1]["day"] is None
    shell("exchange", "我养了一只叫芝麻的猫，我喜欢它", now="2026-03-03T10:00:00+08:00")
    code, forced = shell("consolidate", "--force", now="2026-03-03T11:00:00+08:00")
    assert (code, forced["left"]) == (Exit.OK, 0)
