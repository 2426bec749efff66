"""The worker beyond its vectors: the process, files, authority, and where nobody's words may appear."""

from __future__ import annotations

import inspect
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from workers import OTTO, Talk, request, start, talk

from cmemory import ByEntity, Memory, ModelError, ScopedMemory
from cmemory.adapters.cli.main import COMMANDS, load
from cmemory.adapters.files.dialogue import DialogueFormat
from cmemory.adapters.schema import of_request, of_type
from cmemory.adapters.worker import operations
from cmemory.adapters.worker.arguments import READERS
from cmemory.adapters.worker.protocol import encode
from cmemory.adapters.worker.server import Exchange, serve
from cmemory.app.catalogue import Authority, Kind, Operation, Part, Presence
from cmemory.app.tools import OPERATIONS
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message
from cmemory.domain.trace import Trace
from cmemory.notebook import Notebook
from cmemory.ports.extractor import Extraction

DAY = "2026-04-0{}T09:00:00Z".format


@pytest.fixture(params=["memory", "sqlite"])
def mira(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Talk]:
    """A client of a fresh database; paths are relative to the test's own folder."""
    monkeypatch.chdir(tmp_path)
    with talk(":memory:" if request.param == "memory" else "mira.db") as client:
        yield client


def told(client: Talk) -> str:
    """State one fact and return the id of its record."""
    said = {"text": "My neighbour Ilse repairs clocks.", "predicate": "person.occupation"}
    (answer,) = client.result(
        "remember", **said, value="clock repairer", entity_ref="Ilse", session_id="s1", at=DAY(1)
    )["admissions"]
    record_id: str = answer["recordId"]
    return record_id


# -- the catalogue ---------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda one: one.name)
def test_the_catalogue_fits_the_facade(operation: Operation) -> None:
    """Every call names a method of the façade, and hands it nothing it does not take."""
    facade = ScopedMemory if operation.needs_scope else Memory
    params = {param.name: param for param in operation.params}
    for call in operation.calls:
        *_, method = call.method.split(".")
        owner = Notebook if call.method.startswith("notes.") else facade
        signature = inspect.signature(getattr(owner, method))
        taken = {params[name].argument for name in call.takes}
        assert taken <= set(signature.parameters)
        needed = {name for name, one in signature.parameters.items() if one.default is one.empty} - {"self"}
        sure = {
            params[name].argument for name in call.takes if params[name].presence is not Presence.OPTIONAL
        }
        assert needed <= sure
        assert call.when is None or call.when[0] in params


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda one: one.name)
def test_schemas_are_schemas(operation: Operation) -> None:
    """What is published of an operation is valid JSON Schema."""
    Draft202012Validator.check_schema(of_request(operation))
    Draft202012Validator.check_schema(of_type(operation.result))


def test_the_catalogue_is_complete() -> None:
    """It lists the original operations as the worker has them; every other one can be carried out."""
    originals = [one.name for one in OPERATIONS.values() if one.part is Part.ORIGINAL]
    assert originals == list(operations.OPERATIONS)
    extended = [one for one in OPERATIONS.values() if one.part is Part.EXTENDED]
    assert [one.name for one in extended if not one.calls] == ["capabilities"]
    assert {param.kind for one in extended for param in one.params} <= set(READERS)
    assert set(Kind) - set(READERS) == {Kind.FIELDS, Kind.LIST}


def test_choices_are_those_of_the_library() -> None:
    """A dialogue can be imported in every format the façade knows."""
    (form,) = (param for param in OPERATIONS["import"].params if param.name == "format")
    assert {one.value for one in DialogueFormat} | {"export"} == set(form.choices)


def test_the_command_line_says_the_same() -> None:
    """A command that bears an operation's name is described in its words."""
    same = [name for name in COMMANDS if name in OPERATIONS and name not in ("forget", "import", "stats")]
    assert [load(name).help for name in same] == [OPERATIONS[name].summary for name in same]


def test_nothing_a_model_may_ask_for_changes_anything() -> None:
    """What is open to anyone writes nothing; the deletion a model may pass on needs the person's words."""
    assert [one.name for one in OPERATIONS.values() if one.authority is Authority.ANYONE and one.writes] == []
    assert [one.name for one in OPERATIONS.values() if one.authority is Authority.PERSON] == ["forget"]


# -- what is spoken --------------------------------------------------------------------------------


def test_capabilities_lists_every_operation_with_its_schemas(mira: Talk) -> None:
    """A client can learn everything it needs from the worker itself."""
    known = mira.result("capabilities", None)["operations"]
    assert [one["name"] for one in known] == list(OPERATIONS)
    for one in known:
        assert one["params"] == of_request(OPERATIONS[one["name"]])
        assert one["result"] == of_type(OPERATIONS[one["name"]].result)


def test_each_connection_asks_for_itself() -> None:
    """What one client has switched on is not switched on for another of the same database."""
    with Memory.open() as memory:
        first, second = Talk(Exchange(memory, memory)), Talk(Exchange(memory, memory))
        first.result("capabilities", None)
        first.result("stats")
        assert second.refused("stats")[0] == "UNSUPPORTED_OPERATION"


def test_serving_answers_in_order_until_the_input_ends() -> None:
    """One answer per line; a last line without a line feed counts, and an overlong one is skipped whole."""
    lines = [
        b'{"version":1,"id":"a","op":"health"}',
        b"",
        b"x" * 1_048_577,
        b'{"version":1,"id":"b","op":"x"}',
    ]
    answers = BytesIO()
    with Memory.open() as memory:
        serve(memory, BytesIO(b"\n".join(lines)), answers)
    told = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert [(one["id"], one["ok"]) for one in told] == [("a", True), ("", False), ("", False), ("b", False)]


def test_prepare_keeps_to_the_budget_that_warm_does_not_have(mira: Talk) -> None:
    """The extended operations follow the default policy."""
    for number in range(300):
        value = f"language {number} of many"
        mira.result(
            "remember", text=f"I speak {value}.", predicate="identity.language", value=value, at=DAY(1)
        )
    turn = mira.result("prepare", current_message="hello", now=DAY(3))
    warm = mira.result("warm", current_message="hello", now=DAY(3))
    assert len(warm["plan"]["identity"]) == 300
    assert len(turn["channels"]["identity"]) < 100
    assert turn["withheld"] == {"prompt_budget": 300 - len(turn["channels"]["identity"])}


# -- files -----------------------------------------------------------------------------------------


def test_an_export_moves_to_another_relationship(mira: Talk) -> None:
    """Paths are relative to the worker's folder, the file is its owner's, importing twice is harmless."""
    told(mira)
    report = mira.result("export", path="mira.jsonl", now=DAY(2))
    assert (report["messages"], report["records"]) == (1, 1)
    assert stat.S_IMODE(Path("mira.jsonl").stat().st_mode) == 0o600
    assert report["bytes"] == Path("mira.jsonl").stat().st_size
    for accepted in (1, 0):
        taken = mira.result("import", OTTO, path="mira.jsonl", format="export", now=DAY(3))
        assert taken["accepted"] == accepted
    assert mira.result("export", path=str(Path("mira.jsonl").resolve()), now=DAY(4))["records"] == 1


def test_a_conversation_can_be_imported(mira: Talk) -> None:
    """Unreadable places are named; the rest waits to be learned."""
    Path("chat.jsonl").write_text(
        '{"speaker": "user", "text": "My name is Nora."}\n{broken\n', encoding="utf-8"
    )
    report = mira.result("import", path="chat.jsonl", format="jsonl", start=DAY(1), user=None)
    assert (report["stored"], len(report["errors"])) == (1, 1)
    assert mira.result("stats")["waiting"] == 1


@pytest.mark.parametrize("kind", ["text", "folder", "link", "dangling"])
def test_an_export_replaces_nothing_but_an_export(mira: Talk, kind: str) -> None:
    """Another file, a folder or a link of that name is left alone."""
    target = Path("taken")
    if kind == "folder":
        target.mkdir()
    elif kind == "link":
        mira.result("export", path="real.jsonl", now=DAY(1))
        target.symlink_to("real.jsonl")
    elif kind == "dangling":
        target.symlink_to("nowhere")
    else:
        target.write_text("my diary", encoding="utf-8")
    code, summary = mira.refused("export", path="taken", now=DAY(1))
    assert (code, "$.path" in summary) == ("INVALID_REQUEST", True)
    assert kind != "text" or target.read_text("utf-8") == "my diary"
    assert not Path("nowhere").exists()


def test_an_export_never_replaces_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the file nor what belongs to it."""
    monkeypatch.chdir(tmp_path)
    with talk("mira.db") as client:
        told(client)
        for name in (
            "mira.db",
            "./mira.db",
            str(tmp_path / "mira.db"),
            *map(str, tmp_path.glob("mira.db-*")),
        ):
            assert client.refused("export", path=name, now=DAY(2))[0] == "INVALID_REQUEST"
        assert client.result("stats")["messages"] == 1


def test_an_import_never_waits_for_a_pipe(mira: Talk) -> None:
    """What is no regular file is refused before it is opened."""
    os.mkfifo("pipe")
    assert mira.refused("import", path="pipe")[0] == "INVALID_REQUEST"
    assert mira.refused("import", path="/dev/zero")[0] == "INVALID_REQUEST"


def test_what_is_no_export_is_refused(mira: Talk) -> None:
    """The answer names the place in the file, not what stands there."""
    Path("letter.txt").write_text("Dear Ilse, the clock is ticking.", encoding="utf-8")
    code, summary = mira.refused("import", path="letter.txt", format="export")
    assert code == "INVALID_REQUEST"
    assert "Ilse" not in summary
    assert mira.refused("import", path="letter.txt", format="chat", user="Nobody")[0] == "INVALID_REQUEST"


# -- forgetting ------------------------------------------------------------------------------------


def test_a_preview_confirms_exactly_itself(mira: Talk) -> None:
    """Its token erases what it listed, once, and is void after any change."""
    record_id = told(mira)
    stale = mira.result("preview_forget", meaning="clock repairer")["token"]
    mira.result("mute", record_id=record_id, now=DAY(2))
    again = {"meaning": "clock repairer", "now": DAY(3)}
    assert mira.refused("confirm_forget", **again, token=stale) == (
        "INVALID_REQUEST",
        "does not confirm what matches now; ask for a new preview @ $.token",
    )
    token = mira.result("preview_forget", meaning="clock repairer")["token"]
    assert mira.refused("confirm_forget", OTTO, **again, token=token)[0] == "INVALID_REQUEST"
    report = mira.result("confirm_forget", **again, token=token)
    assert (report["forgotten"], report["recordIds"]) == (True, [record_id])
    assert mira.result("verify_forgotten", None, text="repairs clocks")["clean"]
    assert mira.refused("confirm_forget", **again, token=token)[0] == "INVALID_REQUEST"


def test_a_lift_by_name_ends_a_ban_by_name(tmp_path: Path) -> None:
    """Whom the person had forgotten by name can be lifted by the same name."""
    with talk(tmp_path / "mira.db") as client:
        told(client)
        luna = client.exchange.companion.scope(service="lamplight", owner="u-7", profile="mira")
        luna.forget(ByEntity("Ilse"), now=DAY(2))
        again = {
            "text": "Ilse bakes.",
            "predicate": "person.occupation",
            "value": "baker",
            "entity_ref": "Ilse",
        }
        (refused,) = client.result("remember", **again, at=DAY(3))["admissions"]
        assert refused["reason"] == "resurrection"
        assert client.result("lift", label={"entity": "Ilse"}, now=DAY(4)) == {"lifted": True}
        (taken,) = client.result("remember", **again, message_id="m-new", at=DAY(5))["admissions"]
        assert taken["outcome"] == "accepted"


# -- failures --------------------------------------------------------------------------------------


class Silent:
    """An extractor whose model never answers."""

    immediate = False

    def __init__(self, retryable: bool) -> None:
        self._retryable = retryable

    def __call__(self, message: Message) -> Extraction:
        del message
        raise ModelError(problem="the model is out", retryable=self._retryable)


@pytest.mark.parametrize("retryable", [True, False])
def test_a_silent_model_is_an_answer(retryable: bool) -> None:
    """Nothing is written, and the client hears whether to try again; learning puts the message off."""
    with talk(extractor=Silent(retryable)) as client:
        answer = client.ask("remember", text="I go rowing.", at=DAY(1))
        assert answer["error"] == {
            "code": "MODEL_ERROR",
            "retryable": retryable,
            "summary": "the model is out",
        }
        assert client.result("stats")["messages"] == 0
        client.result("observe", text="I go rowing.", at=DAY(1), message_id="m-1")
        report = client.result("learn", now=DAY(1))
        assert report["postponed" if retryable else "dead"] == ["m-1"]
        assert client.result("retry_dead", now=DAY(2)) == {"retried": int(not retryable)}


def test_a_broken_store_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """The client hears only that the store failed; the operator hears what, without anybody's words."""
    with talk() as client:
        client.result("observe", text="I go rowing.", at=DAY(1), message_id="m-1")
        conflict = {"id": "m-1", "session_id": "s1", "text": "I keep bees."}
        claim = {"id": "c", "predicate": "misc.unclassified", "value": "bees", "quote": "I keep bees"}
        code, summary = client.refused(
            "admit", now=DAY(2), source=conflict, candidates=[{**claim, "start_offset": 0, "end_offset": 11}]
        )
    assert (code, summary) == ("STORAGE_ERROR", "the store failed")
    noted = capsys.readouterr().err
    assert noted.startswith("cmemory worker: ")
    assert "bees" not in noted


# -- nobody's words --------------------------------------------------------------------------------

WORD = "Zanzibarvanille"


def test_words_stay_out_of_traces_errors_and_other_relationships(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever is asked, what one person said stands in no trace, no error and no answer about another."""
    traces: list[Trace] = []

    def sink(call: str, at: Instant, trace: Trace) -> None:
        del call, at
        traces.append(trace)

    said = f"I bake {WORD} biscuits, never mention my {WORD} divorce."
    with talk(trace=sink) as client:
        fact = {"text": said, "predicate": "ritual.recurring_activity", "value": f"baking {WORD} biscuits"}
        client.result("remember", **fact, session_id=WORD, at=DAY(1))
        client.result("observe", text=said, at=DAY(1), message_id="m-1")
        client.result("learn", now=DAY(1))
        client.result("prepare", current_message=f"More {WORD}!", now=DAY(2))
        (record,) = client.result("list", now=DAY(2), predicate="ritual.recurring_activity")["records"]
        wrong: list[dict[str, Any]] = [
            {**_wrong(operation, WORD), "op": name} for name, operation in OPERATIONS.items()
        ]
        for params in wrong:
            answer = client.ask(**params)
            assert answer["ok"] or WORD not in json.dumps(answer["error"])
        for name, operation in OPERATIONS.items():
            asked = {
                "record_id": record["record"]["id"],
                "label": record["record"]["id"],
                "meaning": "biscuits",
            }
            known = {param.name: asked[param.name] for param in operation.params if param.name in asked}
            message = {"current_message": "biscuits", "terms": "biscuits", "now": DAY(2), "action": "search"}
            answer = client.ask(name, OTTO, **{**message, **known, "text": "biscuits"})
            assert WORD not in json.dumps(answer)
    assert WORD not in repr(traces)
    assert WORD not in capsys.readouterr().err
    assert traces


def _wrong(operation: Operation, word: str) -> dict[str, Any]:
    """Return parameters that are all of the wrong type, or texts that name nothing, with a word in each."""
    kinds: dict[Kind, object] = {kind: {word: word} for kind in Kind}
    kinds.update(
        {Kind.TEXT: word, Kind.INSTANT: word, Kind.SOURCE_FILE: word, Kind.TARGET_FILE: f"{word}/{word}"}
    )
    return {param.name: kinds[param.kind] for param in operation.params if param.kind is not Kind.ANY}


# -- the process -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--database",),
        ("--database", " "),
        ("--database", ""),
        ("--database=a.db",),
        ("a.db",),
        ("--database", "a.db", "--json"),
        ("--help",),
        ("--database", "no/such/folder/a.db"),
    ],
    ids=" ".join,
)
def test_a_start_that_cannot_succeed_says_nothing_on_standard_output(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    """The exit status is 2, and a line on standard error says why."""
    process = start(*arguments, cwd=tmp_path)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (2, b"")
    assert errors.count(b"\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_options_before_its_name_are_refused_too(tmp_path: Path) -> None:
    """The arguments are exactly those that hosts have always given."""
    command = [sys.executable, "-m", "cmemory", "--database", "a.db", "worker"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("most", ["many", "-1", "4.5", "٣"])
def test_a_limit_of_notes_that_is_no_number_refuses_the_start(tmp_path: Path, most: str) -> None:
    """The line on standard error names the variable, and no database is made."""
    process = start("--database", "mira.db", cwd=tmp_path, CMEMORY_MAX_NOTES=most)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (2, b"")
    assert b"CMEMORY_MAX_NOTES" in errors
    assert list(tmp_path.iterdir()) == []


def test_a_worker_goes_on_where_another_ended(tmp_path: Path) -> None:
    """What was acknowledged is there for the next worker, and for a program beside it."""
    first = start("--database", "mira.db", cwd=tmp_path)
    said = request("observe", text="My name is Nora.", session_id="s1", at=DAY(1))
    output, errors = first.communicate(b'{"version":1,"id":"0","op":"capabilities"}\n' + said, timeout=60)
    assert (first.returncode, errors, output.count(b"\n")) == (0, b"", 2)
    second = start("--database", "mira.db", cwd=tmp_path)
    output, errors = second.communicate(request("learn") + request("warm", current_message="hi", now=DAY(2)))
    answers = [json.loads(line) for line in output.splitlines()]
    assert (answers[0]["error"]["code"], answers[1]["ok"], errors) == ("UNSUPPORTED_OPERATION", True, b"")
    with Memory.open(tmp_path / "mira.db") as memory:
        luna = memory.scope(service="lamplight", owner="u-7", profile="mira")
        assert luna.stats().waiting == 1
    assert stat.S_IMODE((tmp_path / "mira.db").stat().st_mode) == 0o600


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_after_the_current_request(number: signal.Signals, tmp_path: Path) -> None:
    """An answer that was due arrives whole; then the worker ends with status 0 and no complaint."""
    process = start("--database", "mira.db", cwd=tmp_path)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.write(request("warm", current_message="hi", now=DAY(1)))
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["ok"]
    process.send_signal(number)
    assert process.wait(timeout=60) == 0
    assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()


def test_a_signal_waits_for_the_request_it_meets(tmp_path: Path) -> None:
    """The request that is being carried out is answered, the one behind it is not."""
    program = (
        "import sys, time\n"
        "from cmemory.adapters.worker import operations, server\n"
        "def slow(memory, params):\n"
        "    print('busy', file=sys.stderr, flush=True)\n"
        "    time.sleep(0.5)\n"
        "    return {}\n"
        "operations.OPERATIONS['health'] = slow\n"
        "sys.exit(server.main(['--database', 'mira.db']))\n"
    )
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path, **pipes) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(b'{"version":1,"id":"1","op":"health"}\n' * 2)
        process.stdin.flush()
        assert process.stderr.readline() == b"busy\n"
        process.send_signal(signal.SIGTERM)
        assert (process.stdout.read().count(b"\n"), process.wait(timeout=60)) == (1, 0)
        assert process.stderr.read() == b""


def test_a_client_that_stops_reading_ends_it_quietly(tmp_path: Path) -> None:
    """Nobody reads the answers any more: no complaint, no exit status but 0."""
    process = start("--database", "mira.db", cwd=tmp_path)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdout.close()
    process.stdin.write(b'{"version":1,"id":"1","op":"health"}\n' * 3)
    process.stdin.close()
    assert (process.stderr.read(), process.wait(timeout=60)) == (b"", 0)
    process.stderr.close()


def test_standard_output_belongs_to_the_answers(tmp_path: Path) -> None:
    """Whatever a library prints while the worker works goes to standard error."""
    program = (
        "import sys\n"
        "from cmemory.adapters.worker import operations, server\n"
        "health = operations.OPERATIONS['health']\n"
        "def chatty(memory, params):\n"
        "    print('a library talks', flush=True)\n"
        "    return health(memory, params)\n"
        "operations.OPERATIONS['health'] = chatty\n"
        "sys.exit(server.main(['--database', 'mira.db']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=b'{"version":1,"id":"1","op":"health"}\n',
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout)["ok"]
    assert done.stderr.splitlines() == [b"a library talks"]


def test_any_locale_speaks_utf8(tmp_path: Path) -> None:
    """With LC_ALL=C and UTF-8 mode off, requests, paths and answers are UTF-8 all the same."""
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    process = start("--database", "知夏.db", cwd=tmp_path, **env)
    lines = b'{"version":1,"id":"0","op":"capabilities"}\n' + request(
        "export", "一", path="知夏.jsonl", now=DAY(1)
    )
    output, errors = process.communicate(lines, timeout=60)
    assert (process.returncode, errors) == (0, b"")
    assert json.loads(output.splitlines()[1])["id"] == "一"
    assert (tmp_path / "知夏.jsonl").exists()


def test_it_starts_without_the_command_line() -> None:
    """Neither the commands, nor their parser, nor the catalogue are loaded before they are needed."""
    code = "import sys, cmemory.__main__, cmemory.adapters.worker.server; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    unwanted = {
        "argparse",
        "asyncio",
        "cattrs",
        "cmemory.adapters.cli",
        "cmemory.app.tools",
        "rich",
        "subprocess",
    }
    assert set() == loaded & unwanted


def test_the_answers_are_in_utf8_whatever_they_hold() -> None:
    """An answer is one line: separators that some libraries cut at are left as they are."""
    with talk() as client:
        client.result("observe", text="one\u2028two\u0085three", at=DAY(1), message_id="m\u20281")
        line = encode(client.exchange.answer(request("stats", "\u2028")))
    assert line.count(b"\n") == 1
    assert "\u2028".encode() in line
