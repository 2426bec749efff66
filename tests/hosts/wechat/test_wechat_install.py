"""`cmemory wechat install`: what it writes, that it may be run again, and what it never touches."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.main import main
from cmemory.adapters.files.bundle import install
from cmemory.adapters.hosts.wechat.publish import FOLDER
from cmemory.domain.errors import StoreError, UsageError

SHIPPED = sorted(one.name for one in FOLDER.iterdir())
CONFIG = "cmemory.config.json"

Run = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a call of the command; answers its exit code, its data and its words."""
    for name in [name for name in os.environ if name.startswith("CMEMORY_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    def call(*argv: str) -> tuple[int, Any, str]:
        folder = str(tmp_path / "plugin")
        code = main(["wechat", "install", folder, "--database", str(tmp_path / "luna.db"), "--json", *argv])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else None, err

    return call


def contents(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir()}


def test_it_writes_the_plug_in_and_how_the_worker_is_started(run: Run, tmp_path: Path) -> None:
    code, data, err = run("--trace", str(tmp_path / "trace.jsonl"))
    folder = tmp_path / "plugin"
    assert (code, err) == (Exit.OK, "")
    assert sorted(contents(folder)) == sorted([*SHIPPED, CONFIG]) == sorted(data["written"])
    config = json.loads((folder / CONFIG).read_text("utf-8"))
    assert config["command"] == [sys.executable, "-m", "cmemory", "worker"] == data["command"]
    assert config["database"] == str(tmp_path / "luna.db") == data["database"]
    assert config["trace"] == str(tmp_path / "trace.jsonl")
    assert {stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()} == {0o600}
    assert not (tmp_path / "luna.db").exists()


def test_the_command_it_writes_starts_a_worker(run: Run, tmp_path: Path) -> None:
    run()
    config = json.loads((tmp_path / "plugin" / CONFIG).read_text("utf-8"))
    done = subprocess.run(
        [*config["command"], "--database", config["database"]],
        input=b'{"version":1,"id":"1","op":"health"}\n',
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout)["ok"] is True


def test_running_it_again_changes_nothing(run: Run, tmp_path: Path) -> None:
    run()
    before = contents(tmp_path / "plugin")
    code, data, _ = run()
    assert (code, data["written"]) == (Exit.OK, [])
    assert contents(tmp_path / "plugin") == before


def test_an_older_plug_in_is_brought_up_to_date(tmp_path: Path) -> None:
    """Settings change, files come and change, and what somebody added to the receipt stays."""
    folder = tmp_path / "plugin"
    named: dict[str, Any] = {"receipt": "r.json", "writer": "us"}
    install(folder, {"a": b"1"}, settings={"x": 1}, **named)
    receipt = folder / "r.json"
    receipt.write_text(json.dumps({**json.loads(receipt.read_text()), "environment": {"Y": "2"}}))
    done = install(folder, {"a": b"2", "b": b"1"}, settings={"x": 3}, **named)
    assert sorted(done.written) == ["a", "b", "r.json"]
    assert contents(folder)["a"] == b"2"
    held = json.loads(receipt.read_text())
    assert (held["x"], held["environment"]) == (3, {"Y": "2"})


def spoil_file(folder: Path) -> None:
    (folder / "index.mjs").write_text("// mine")


def spoil_config(folder: Path) -> None:
    (folder / CONFIG).write_text('{"command": ["mine"]}')


def spoil_config_form(folder: Path) -> None:
    (folder / CONFIG).write_bytes(b"\xff")


def spoil_with_folder(folder: Path) -> None:
    (folder / "worker.mjs").mkdir()


def spoil_with_link(folder: Path) -> None:
    (folder.parent / "elsewhere").write_text("mine")
    (folder / "worker.mjs").symlink_to(folder.parent / "elsewhere")


@pytest.mark.parametrize(
    "spoil", [spoil_file, spoil_config, spoil_config_form, spoil_with_folder, spoil_with_link]
)
def test_files_of_another_hand_stop_it_before_anything_is_written(
    run: Run, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    folder = tmp_path / "plugin"
    folder.mkdir()
    spoil(folder)
    names = sorted(os.listdir(folder))
    code, data, err = run()
    assert (code, data) == (Exit.USAGE, None)
    assert "nothing was written" in err
    assert sorted(os.listdir(folder)) == names


def test_a_file_that_was_changed_by_hand_is_not_replaced(run: Run, tmp_path: Path) -> None:
    run()
    entry = tmp_path / "plugin" / "index.mjs"
    entry.write_text(entry.read_text("utf-8") + "// mine\n", "utf-8")
    code, _, err = run("--python", "other")
    assert code == Exit.USAGE
    assert "index.mjs" in err
    assert entry.read_text("utf-8").endswith("// mine\n")


def test_other_files_of_the_folder_are_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "plugin").mkdir()
    (tmp_path / "plugin" / "notes.txt").write_text("mine")
    assert run()[0] == Exit.OK
    assert (tmp_path / "plugin" / "notes.txt").read_text() == "mine"


def test_a_memory_that_is_kept_nowhere_is_refused(run: Run) -> None:
    code, _, err = run("--database", ":memory:")
    assert code == Exit.USAGE
    assert "--database" in err


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        install(tmp_path / "file" / "plugin", {"a": b""}, receipt="r", writer="us", settings={})
    with pytest.raises(UsageError):
        (tmp_path / "r").write_text("[]")
        install(tmp_path, {"a": b""}, receipt="r", writer="us", settings={})
