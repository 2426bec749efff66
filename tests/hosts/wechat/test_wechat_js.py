"""The plug-in in JavaScript: its own suites under Node, against the real worker, and its contract against ours."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from cmemory.adapters.cli.main import main
from cmemory.adapters.hosts.wechat import contract, publish
from cmemory.adapters.worker.process import INHERITED
from cmemory.adapters.worker.transport import MAX_ANSWER_BYTES

HERE = Path(__file__).parent
NODE = shutil.which("node")

needs_node = pytest.mark.skipif(
    NODE is None, reason="node is not installed: the JavaScript plug-in is not tested"
)


@needs_node
@pytest.mark.parametrize("suite", ["plugin.test.mjs", "worker.test.mjs"])
def test_the_suites_of_the_plug_in(suite: str) -> None:
    """Every unpleasantness of the contract, with a real worker on a real file."""
    environment = {
        **os.environ,
        "CMEMORY_PLUGIN": str(publish.FOLDER),
        "CMEMORY_PYTHON": sys.executable,
        "CMEMORY_UGLY": str(HERE.parent / "ugly_worker.py"),
    }
    done = subprocess.run(
        [str(NODE), "--test", "--test-reporter=tap", str(HERE / suite)],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=1_200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) > 20


@needs_node
def test_the_entry_needs_nothing_but_node() -> None:
    """It imports node's own modules and its neighbours, and loading it starts nothing."""
    for source in publish.FOLDER.glob("*.mjs"):
        imported = re.findall(
            r'^(?:import|export)[^;]* from "([^"]+)";$', source.read_text("utf-8"), re.MULTILINE
        )
        assert [one for one in imported if not one.startswith(("node:", "./"))] == []
    entry = publish.FOLDER.joinpath("index.mjs").as_uri()
    code = f"console.log(Object.keys(await import({entry!r})));"
    done = subprocess.run(
        [str(NODE), "--input-type=module", "--eval", code],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert done.stdout == "[ 'activate' ]\n"


@needs_node
def test_an_installed_plug_in_remembers(tmp_path: Path) -> None:
    """As a host would: installed by the command, imported from its folder, with nothing but what stands there."""
    folder = tmp_path / "plugin"
    assert main(["wechat", "install", str(folder), "--database", str(tmp_path / "luna.db")]) == 0
    at, message = "2026-03-01T20:00:00+08:00", "Remember that I love the sea."
    turn = {
        "chat": {"key": "wechat:private:nora", "kind": "private"},
        "message": {"id": "1", "text": message, "senderId": "nora", "at": at},
    }
    host = {
        "apiVersion": 2,
        "capabilities": ["actions-v1"],
        "permissions": [],
        "owner": {"id": "me"},
        "settings": {"enableMood": False},
    }
    code = f"""
        const {{ activate }} = await import({(folder / "index.mjs").as_uri()!r});
        const plugin = await activate({json.dumps(host)});
        const turn = {json.dumps(turn)};
        await plugin.actions.remember({{ ...turn, arguments: {{ text: "Loves the sea." }} }});
        const later = {{ ...turn, message: {{ ...turn.message, id: "2", text: "A day by the sea?" }} }};
        const brief = await plugin.hooks["before-context"]({{ ...later, budgetChars: 900 }});
        await plugin.dispose();
        console.log(brief.text);
    """
    done = subprocess.run(
        [str(NODE), "--input-type=module", "--eval", code],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Loves the sea." in done.stdout


def test_what_is_published_says_what_the_contract_says() -> None:
    """When this fails: python -m cmemory.adapters.hosts.wechat.publish."""
    assert publish.stale() == []


def test_the_manifest_is_mirrored_and_complete() -> None:
    manifest = json.loads((publish.FOLDER / "wechatagent.plugin.json").read_text("utf-8"))
    package = json.loads((publish.FOLDER / "package.json").read_text("utf-8"))
    assert package["wechatagent"] == manifest
    assert (manifest["apiVersion"], manifest["host"]) == (2, "wechatagent")
    assert (publish.FOLDER / manifest["entry"]).exists()
    assert len(manifest["actions"]) == 6
    for action in manifest["actions"]:
        Draft202012Validator.check_schema(action["parameters"])
    for setting in manifest["settings"]:
        assert contract.Settings.of({setting["key"]: setting["default"]}) == contract.Settings.of({})
    assert {one["key"] for one in manifest["settings"]} >= {
        need.setting for need in contract.NEEDS.values() if need.setting is not None
    }


def test_both_clients_of_the_worker_agree() -> None:
    """What a worker inherits, and how long an answer may be, is the same in both languages."""
    source = (publish.FOLDER / "worker.mjs").read_text("utf-8")
    listed = source[source.index("INHERITED = [") : source.index("];", source.index("INHERITED = ["))]
    assert set(re.findall(r'"(\w+)"', listed)) == set(INHERITED)
    assert f"MAX_ANSWER_BYTES = {MAX_ANSWER_BYTES:_};" in source
