"""The command line end to end: what it prints, how it ends, and that nothing ever shows as a traceback."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs
import pytest

from bench_fixtures import asked
from cmemory import COMPANION, Scope
from cmemory.adapters.cli import main as cli
from cmemory.adapters.cli import reference
from cmemory.adapters.cli.command import Call
from cmemory.adapters.cli.exits import MEANINGS, Exit
from cmemory.adapters.cli.main import COMMANDS, load, main
from cmemory.adapters.cli.output import Line, Output, Table, safe, width_of, wrap
from cmemory.adapters.files.journal import FileJournal
from cmemory.bench.eval.run import run as run_evaluation
from cmemory.domain.errors import ModelError, StoreError
from cmemory.ports.model import Prompt
from cmemory.testing.builders import at, message
from cmemory.testing.fakes import ScriptedEmbedder
from companions import PerfectCompanion

_NOW = "2026-03-02T09:00:00Z"
_NAMES = [f"Maya{letter}{other}" for letter in "abcdefgh" for other in "abcdefgh"]
_DOCS = Path(__file__).parents[2] / "docs"


@attrs.frozen
class Result:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, object]:
        document = json.loads(self.out)
        assert isinstance(document, dict)
        return document


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a call of the command line on a database of its own."""
    for name in [name for name in os.environ if name.startswith("CMEMORY_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("CMEMORY_DATABASE", str(tmp_path / "nora.db"))
    monkeypatch.setenv("CMEMORY_ZONE", "UTC")

    def call(*argv: str, stdin: str = "", now: str = _NOW) -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = main([*argv, "--now", now])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Result(int(code), out, err)

    return call


@pytest.fixture
def nora(run: Run) -> Run:
    """Return the same with two messages learned."""
    run("observe", "My name is Nora. I'm learning the cello.", "--session", "s1", "--message-id", "m1")
    run("observe", "Please don't bring up the biopsy.", "--session", "s1", "--message-id", "m2")
    assert run("learn").code == Exit.OK
    return run


def _id_of(run: Run, words: str) -> str:
    records = run("list", "--all", "--json").data["records"]
    assert isinstance(records, list)
    return next(str(one["id"]) for one in records if words in one["text"])


def _assert_shape(example: object, actual: object, at: str = "$") -> None:
    """Check that a document has the keys of the documented example; counts may have others."""
    if isinstance(example, Mapping) and isinstance(actual, Mapping):
        free = at.endswith(
            (
                ".counts",
                ".rejections",
                ".withheld",
                ".dropped",
                ".channels",
                ".records",
                ".statuses",
                ".predicates",
                ".messages",
            )
        )
        if not (free and not all(key in example for key in actual)):
            assert free or set(example) == set(actual), at
            for key in set(example) & set(actual):
                _assert_shape(example[key], actual[key], f"{at}.{key}")
    elif isinstance(example, list) and isinstance(actual, list):
        for one in actual[:1]:
            if example:
                _assert_shape(example[0], one, f"{at}[0]")
    elif example is not None and actual is not None:
        assert (
            isinstance(actual, (int, float))
            if isinstance(example, (int, float))
            else isinstance(actual, type(example))
        ), at


def test_from_first_words_to_a_prompt(run: Run) -> None:
    """What is said is believed after learning, and reaches the prompt."""
    assert run("observe", "My name is Nora.").code == Exit.OK
    assert "Nora" not in run("prepare", "Hi").out
    learned = run("learn")
    assert (learned.code, learned.err) == (Exit.OK, "1 message(s) read: 1 accepted.\n")
    assert "accepted" in learned.out and "identity.name: Nora" in learned.out
    prompt = run("prepare", "Hi")
    assert prompt.out.startswith("<companion_memory") and "identity.name: Nora" in prompt.out


def test_every_command_prints_the_json_it_documents(
    nora: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example on the reference page has the keys of the real answer."""
    cello = _id_of(nora, "cello")
    monkeypatch.setattr(Call, "embedder", lambda _: ScriptedEmbedder())
    exported = str(tmp_path / "out.jsonl")
    played = str(tmp_path / "run.jsonl")
    run_evaluation(asked(), PerfectCompanion(), played, repetitions=1, by_rules=True)
    calls = {
        "observe": ("observe", "I live in Leeds."),
        "learn": ("learn",),
        "embed": ("embed",),
        "inbox": ("inbox",),
        "remember": ("remember", "Please keep your answers short."),
        "prepare": ("prepare", "cello again"),
        "compact": ("compact", "--session", "s1"),
        "window": ("window", "Is the live port in Leeds?", "--trace", str(tmp_path / "trace.jsonl")),
        "trace": ("trace", str(tmp_path / "trace.jsonl")),
        "mood": ("mood",),
        "exchange": ("exchange", "I love the sea.", "So do I."),
        "note": ("note", "Loves the sea.", "--said", "I love the sea"),
        "brief": ("brief", "Shall we go to the sea?"),
        "consolidate": ("consolidate", "--force"),
        "maintain": ("maintain",),
        "search": ("search", "cello"),
        "list": ("list",),
        "show": ("show", cello),
        "explain": ("explain", cello),
        "history": ("history", cello),
        "people": ("people",),
        "digest": ("digest",),
        "mute": ("mute", cello),
        "delete": ("delete", cello),
        "restore": ("restore", cello),
        "export": ("export", exported),
        "import": ("import", exported, "--format", "export"),
        "stats": ("stats",),
        "selfcheck": ("selfcheck",),
        "backup": ("backup", str(tmp_path / "backup.db")),
        "restore-backup": ("restore-backup", str(tmp_path / "backup.db")),
        "wechat": ("wechat", "install", str(tmp_path / "plugin")),
        "eval": ("eval", "score", played),
        "bench": ("bench", "worker", "--records", "20", "--seconds", "0.01"),
        "forget": ("forget", cello),
        "lift": ("lift", cello),
        "verify-forgotten": ("verify-forgotten", "cello"),
    }
    assert set(COMMANDS) - set(calls) == {"chat", "demo", "worker"}
    for name, argv in calls.items():
        result = nora(*argv, "--json")
        assert result.code in (Exit.OK, Exit.NOTHING), (name, result.err)
        _assert_shape(load(name).json, result.data, name)


@pytest.mark.parametrize("argv", [("eval", "check", "en"), ("eval", "extraction", "--rules")])
def test_other_answers_of_eval_have_the_shape_they_document(run: Run, argv: tuple[str, ...]) -> None:
    """The reference page shows one example of each."""
    result = run(*argv, "--json")
    assert result.code == Exit.OK
    _assert_shape(load("eval").more_json[f"`{' '.join(argv[:2])}`"], result.data)


@pytest.mark.parametrize(
    "command", ["search", "list", "show", "explain", "history", "mute", "delete", "stats", "learn", "prepare"]
)
def test_words_for_people_are_aligned_text_without_escapes(nora: Run, command: str) -> None:
    """Without a terminal the output is plain text."""
    argument = {"search": ["cello"], "list": [], "stats": [], "learn": [], "prepare": ["cello"]}
    result = nora(command, *argument.get(command, [_id_of(nora, "cello")]))
    assert result.code in (Exit.OK, Exit.NOTHING) and "\x1b" not in result.out


def test_explain_marks_the_proof_in_its_message(nora: Run) -> None:
    """The quoted words stand between marks in the message they were said in."""
    result = nora("explain", _id_of(nora, "cello"))
    assert "My name is Nora. »I'm learning the cello«." in result.out
    assert "freely_mentionable" in result.out and "(this one)" in result.out


def test_mute_and_delete_are_undone(nora: Run) -> None:
    """A muted record comes back with --off, a deleted one with restore."""
    cello = _id_of(nora, "cello")
    assert "active, muted" in nora("mute", cello).out
    assert nora("search", "cello").code == Exit.NOTHING
    nora("mute", cello, "--off")
    assert nora("search", "cello").code == Exit.OK
    nora("delete", cello)
    assert "cello" not in nora("list").out
    nora("restore", cello)
    assert "cello" in nora("list").out


@pytest.mark.parametrize(
    ("said", "name", "word", "home"),
    [
        ("My sister Mara is a nurse. I live in Leeds.", "Mara", "sister", "Leeds"),
        ("我妹妹叫周岑，她是护士。我住在上海。", "周岑", "妹妹", "上海"),
    ],
)
def test_people_are_shown_with_what_is_said_of_them(
    run: Run, said: str, name: str, word: str, home: str
) -> None:
    """With the edges that lead to them; what is muted shows with --all only, and forgetting reaches both."""
    assert run("people", "--database", ":memory:").code == Exit.NOTHING
    run("remember", said)
    shown = run("people")
    assert f"{name}: person, 2026-03-02 to 2026-03-02\nuser —{word}→ {name}\n" in shown.out
    assert f"user —home→ {home}\n" in shown.out
    assert name not in run("people", "--kind", "place").out
    run("mute", _id_of(run, word))
    assert word not in run("people").out
    assert "do_not_surface" in run("people", "--all").out
    run("forget", "--entity", name)
    assert name not in run("people", "--all").out
    assert run("people", "--kind", "person").code == Exit.NOTHING


def test_a_digest_is_told_in_either_language(nora: Run) -> None:
    """What is withheld is said beside it; a day without words ends empty, with the code for it."""
    told = nora("digest")
    assert told.out.startswith("2026-03-02\nMessages: 2 from you, 0 from the companion\n\nLearned\n")
    assert "- goal.current_focus: learning the cello\n" in told.out
    assert told.err == "Withheld: 1 boundary_shielded.\n"
    chinese = nora("digest", "--day", "2026-03-08", "--span", "week", "--language", "zh")
    assert chinese.out.startswith("2026-03-02 至 2026-03-08\n消息：你 2 条，伙伴 0 条\n\n新知道的\n")
    empty = nora("digest", "--day", "2026-02-01")
    assert (Exit.NOTHING, "", "") == (empty.code, empty.out, empty.err)


def test_a_restored_record_must_have_been_deleted(nora: Run) -> None:
    """Restoring what is active is a mistake of the caller."""
    assert nora("restore", _id_of(nora, "cello")).code == Exit.USAGE


def test_forgetting_an_id_leaves_nothing(nora: Run) -> None:
    """After forgetting, the id is unknown and no byte is left."""
    name = _id_of(nora, "Nora")
    assert nora("verify-forgotten", "Nora").code == Exit.NOTHING
    assert nora("forget", name).code == Exit.OK
    assert nora("forget", name).code == Exit.NOTHING
    assert nora("show", name).code == Exit.NOTHING
    assert nora("verify-forgotten", "Nora").code == Exit.OK


def test_forgetting_by_meaning_takes_two_steps(nora: Run) -> None:
    """The first call lists and changes nothing, the second erases exactly that."""
    preview = nora("forget", "--matching", "cello")
    assert preview.code == Exit.OK and "Nothing is erased yet" in preview.err
    listed = nora("forget", "--matching", "cello", "--json").data
    _assert_shape(next(iter(load("forget").more_json.values())), listed)
    token = str(listed["token"])
    assert token in preview.out
    assert nora("forget", "--matching", "cello", "--confirm", "0" * len(token)).code == Exit.USAGE
    assert nora("forget", "--matching", "cello", "--confirm", token).code == Exit.OK
    assert nora("forget", "--matching", "cello").code == Exit.NOTHING


def test_forgetting_by_key_by_name_and_everything(run: Run) -> None:
    """The three broad targets work, and the broadest one asks first."""
    run("remember", "My ex is called Callum.")
    run("remember", "My name is Nora.")
    assert run("forget", "--entity", "Callum").code == Exit.OK
    assert run("forget", "--predicate", "identity.name").code == Exit.OK
    assert run("list").code == Exit.NOTHING
    assert run("remember", "I'm learning the cello.").code == Exit.OK
    assert run("forget", "--everything").code == Exit.USAGE
    assert run("list").code == Exit.OK
    assert run("forget", "--everything", "--yes").code == Exit.OK
    assert run("observe", "My name is Nora.").out.startswith("forgotten")
    assert run("lift", "*").code == Exit.OK
    assert run("lift", "*").code == Exit.NOTHING
    assert run("observe", "I live in Leeds.").out.startswith("stored")


def test_learning_goes_on_past_one_step(run: Run, tmp_path: Path) -> None:
    """Many messages are all learned, whatever the steps; a limit is kept."""
    path = tmp_path / "said.jsonl"
    said = [
        {"text": f"My sister's name is {name}.", "at": _NOW, "speaker": "user", "session": "s"}
        for name in _NAMES
    ]
    path.write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
    run("import", str(path), "--format", "jsonl")
    assert run("learn", "--limit", "3", "--json").data["messages"] == 3
    assert run("learn", "--json").data["messages"] == len(_NAMES) - 3
    assert run("learn").code == Exit.NOTHING


def test_a_stated_fact_needs_no_rule(run: Run) -> None:
    """With a predicate, the text proves exactly that fact."""
    said = (
        "The vet says Biscuit works as a mouser.",
        "--predicate",
        "person.occupation",
        "--entity",
        "Biscuit",
    )
    assert run("remember", *said, "--value", "mouser", "--quote", "works as a mouser").code == Exit.OK
    assert "person.occupation: mouser" in run("list").out
    assert run("remember", "Nice weather.").code == Exit.NOTHING


def test_export_and_import(nora: Run, tmp_path: Path) -> None:
    """An export read into another relationship brings the same facts; reading it again changes nothing."""
    path = str(tmp_path / "nora.jsonl")
    assert nora("export", path).code == Exit.OK
    other = ("--owner", "copy")
    assert nora("import", path, "--format", "export", *other).code == Exit.OK
    assert "cello" in nora("list", *other).out
    assert nora("import", path, "--format", "export", *other).code == Exit.NOTHING


def test_import_names_the_lines_it_could_not_read(run: Run, tmp_path: Path) -> None:
    """Bad lines are named with their number; the rest is taken in, and learned when asked."""
    path = tmp_path / "said.jsonl"
    good = {"text": "My name is Nora.", "at": _NOW, "speaker": "user", "session": "s"}
    path.write_text(json.dumps(good) + "\nno json\n", encoding="utf-8")
    result = run("import", str(path), "--format", "jsonl", "--learn")
    assert result.code == Exit.PARTLY
    assert "line 2" in result.err and "1 accepted" in result.err
    assert "identity.name: Nora" in run("list").out


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        ((), Exit.USAGE),
        (("frobnicate",), Exit.USAGE),
        (("forget",), Exit.USAGE),
        (("list", "--kind", "opinion"), Exit.USAGE),
        (("observe", "   "), Exit.USAGE),
        (("observe", "hello", "--owner", "*"), Exit.USAGE),
        (("observe", "hello", "--zone", "Mars/Olympus"), Exit.USAGE),
        (("observe", "hello", "--database", "/proc/no/such/folder/x.db"), Exit.STORE),
        (("import", "/no/such/file.jsonl"), Exit.USAGE),
        (("show", "claim-c-0"), Exit.NOTHING),
        (("explain", "claim-c-0"), Exit.NOTHING),
        (("history", "claim-c-0"), Exit.NOTHING),
        (("mute", "claim-c-0"), Exit.NOTHING),
        (("forget", "claim-c-0"), Exit.NOTHING),
        (("search", "submarine"), Exit.NOTHING),
        (("search", "cello", "--limit", "-1"), Exit.USAGE),
        (("learn", "--limit", "-1"), Exit.USAGE),
        (("forget", "--matching", "cello", "--confirm", "😀"), Exit.USAGE),
        (("verify-forgotten", " "), Exit.USAGE),
        (("demo", "--language", "fr"), Exit.USAGE),
        (("people", "--kind", "pet"), Exit.USAGE),
        (("digest", "--day", "2026-02-30"), Exit.USAGE),
        (("digest", "--span", "month"), Exit.USAGE),
    ],
)
def test_mistakes_end_in_one_line_and_their_code(nora: Run, argv: tuple[str, ...], code: Exit) -> None:
    """Each mistake has its exit code; nothing is printed as data."""
    result = nora(*argv)
    assert result.code == code, result.err
    assert result.out.startswith(("", "Erased 0"))
    assert "Error" not in result.err


def test_a_moment_without_a_zone_is_refused(run: Run) -> None:
    """Nobody can tell which moment it means."""
    result = run("observe", "hello", now="2026-03-02T09:00:00")
    assert (
        result.code == Exit.USAGE and result.err.startswith("cmemory: --now:") and result.err.count("\n") == 1
    )


def test_reading_makes_no_database(run: Run, tmp_path: Path) -> None:
    """A command that only reads refuses a missing database and leaves none behind."""
    for argv in (("list",), ("prepare", "hi"), ("learn",), ("forget", "x"), ("stats",)):
        assert run(*argv).code == Exit.STORE
    assert not (tmp_path / "nora.db").exists()


def test_a_damaged_database_is_a_store_error(run: Run, tmp_path: Path) -> None:
    """A file that is no database is refused in one line."""
    (tmp_path / "nora.db").write_bytes(b"not a database" * 500)
    assert run("list").code == Exit.STORE


def test_a_demo_wants_a_new_file(nora: Run, tmp_path: Path) -> None:
    """The demo never writes into somebody's database."""
    assert nora("demo", "--database", str(tmp_path / "nora.db")).code == Exit.USAGE


def test_options_may_stand_before_the_command_and_relationships_are_apart(nora: Run) -> None:
    """Common options work on either side, and another owner sees nothing."""
    assert nora("--json", "list").data == nora("list", "--json").data
    assert nora("--owner", "somebody-else", "list").code == Exit.NOTHING


def test_a_trace_names_no_words(nora: Run, tmp_path: Path) -> None:
    """The trace file holds ids and codes only."""
    trace = tmp_path / "trace.jsonl"
    nora("prepare", "cello", "--trace", str(trace))
    assert "place" in trace.read_text(encoding="utf-8") and "cello" not in trace.read_text(encoding="utf-8")


class _Echo:
    """A model that answers with its prompt, or fails."""

    name = "echo"

    def __init__(self, fail: bool = False) -> None:
        self.prompts: list[Prompt] = []
        self._fail = fail

    def complete(self, prompt: Prompt) -> str:
        self.prompts.append(prompt)
        if self._fail:
            raise ModelError(problem="the server is away")
        return "Nice to meet you."


def test_chat_without_a_model_shows_memory_at_work(run: Run) -> None:
    """Each turn shows what a model would be told and what was learned; commands and the end work."""
    result = run(
        "chat", stdin="I'm learning the cello.\nmy cello squeaks\n/list\n/help\n\n/quit\nnever read\n"
    )
    assert result.code == Exit.OK
    assert "topicActivated  goal.current_focus: learning the cello" in result.out
    assert "accepted        goal.current_focus: learning the cello (admitted)" in result.out
    assert "never" not in result.out
    cello = _id_of(run, "cello")
    assert "Erased 1" in run("chat", stdin=f"/forget {cello}\n").out


def test_chat_with_json_is_one_line_per_turn(run: Run) -> None:
    """Every line is a document of the documented shape."""
    lines = run("chat", "--json", stdin="My name is Nora.\nhi\n").out.splitlines()
    assert len(lines) == 2
    _assert_shape(load("chat").json, json.loads(lines[0]))


def test_chat_with_a_model_answers_with_what_is_remembered(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model sees the block and the conversation so far; its words are logged as its own."""
    run("remember", "My name is Nora.")
    echo = _Echo()
    monkeypatch.setattr(Call, "model", lambda call: echo)
    result = run("chat", stdin="hello\nagain\n")
    assert "Nice to meet you." in result.out
    prompts = [one for one in echo.prompts if "<companion_memory" in one.system]
    assert "identity.name: Nora" in prompts[0].system
    assert prompts[1].user.startswith("Person: hello\nYou: Nice to meet you.\nPerson: again")


def test_chat_goes_on_when_the_model_fails(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failing model is said on stderr, once per turn, and told by the exit code."""
    monkeypatch.setattr(Call, "model", lambda call: _Echo(fail=True))
    result = run("chat", stdin="hello\nagain\n")
    assert result.code == Exit.MODEL and result.err.count("the server is away") == 2


def test_chat_goes_on_when_memory_fails(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory failure never breaks the chat."""

    def fail(*_: object, **__: object) -> None:
        raise StoreError(action="write", problem="the disk is full")

    for name in ("observe", "prepare", "learn"):
        monkeypatch.setattr(f"cmemory.memory.ScopedMemory.{name}", fail)
    monkeypatch.setattr(Call, "model", lambda call: _Echo())
    result = run("chat", stdin="hello\n")
    assert (result.code, result.out) == (Exit.OK, "Nice to meet you.\n")
    assert "the disk is full" in result.err


def test_interrupts_and_lost_files_end_quietly(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is exit code 130; an error of the file system is one line."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "load", interrupt)
    assert run("list").code == Exit.INTERRUPTED

    class Lost:
        help = description = ""

        def configure(self, parser: object) -> None:
            del parser

        def run(self, call: Call) -> Exit:
            raise FileNotFoundError(2, "No such file or directory", "x.txt")

    monkeypatch.setattr(cli, "load", lambda name: Lost())
    assert run("list").err == "cmemory: x.txt: No such file or directory\n"


# -- the terminal ----------------------------------------------------------------------------------


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


_TABLE = Table(("ID", "TEXT"), (("1", "[bold]周眠[/bold] \x1b[31mred\u202e"),))


def _drawn(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TERM", "xterm")
    terminal = _Terminal()
    out = Output(terminal, terminal, as_json=False)
    out.emit(None, [_TABLE, Line((("kept", "green"), (" 周眠", ""))), "done"])
    with out.progress("working") as progress:
        for done in (0, 1, 2):
            progress(done, 2)
    out.flush()
    return terminal.getvalue()


def test_a_terminal_without_rich_gets_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is never needed."""
    monkeypatch.setitem(sys.modules, "rich", None)
    drawn = _drawn(monkeypatch)
    assert "1   [bold]周眠[/bold] [31mred" in drawn and "working [####" in drawn and "\x1b" not in drawn


def test_a_terminal_with_rich_gets_colours_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Styles come with rich; texts can neither style nor steer; NO_COLOR is honoured."""
    pytest.importorskip("rich")
    monkeypatch.delenv("NO_COLOR", raising=False)
    drawn = _drawn(monkeypatch)
    assert "[bold]周眠[/bold]" in drawn and "\x1b[32m" in drawn and "\u202e" not in drawn
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[32m" not in _drawn(monkeypatch)


def test_text_is_measured_and_wrapped_by_cells() -> None:
    """Chinese characters take two cells, and no line begins with punctuation."""
    assert width_of("周眠 Nora") == 9
    assert wrap("今天下雨，在家。", 8) == ["今天下", "雨，在", "家。"]
    assert wrap("", 10) == [""]
    assert safe("a\x1b[2Jb\u202ec") == "a[2Jbc"


# -- the process -----------------------------------------------------------------------------------


def _process(*argv: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    clean = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONUTF8", "LANG", "LC_ALL")
    }
    return subprocess.run(
        [sys.executable, *argv], env={**clean, **env}, capture_output=True, check=False, timeout=60
    )


def test_any_locale_speaks_utf8(tmp_path: Path) -> None:
    """With LC_ALL=C and UTF-8 mode off, arguments and output are UTF-8 all the same, paths too."""
    path = str(tmp_path / "知夏.db")
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = _process("-m", "cmemory", "remember", "我叫周眠。", "--database", path, "--now", _NOW, **env)
    assert done.returncode == Exit.OK, done.stderr
    assert "identity.name: 周眠" in done.stdout.decode("utf-8")
    assert os.path.exists(path)


def test_a_closed_pipe_is_quiet() -> None:
    """A reader that stops reading gets no complaint."""
    with subprocess.Popen(
        [sys.executable, "-m", "cmemory", "demo", "--language", "en"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert (process.stderr.read(), process.wait(timeout=60)) == (b"", 0)


def test_nothing_is_loaded_before_it_is_used() -> None:
    """`import cmemory` loads no command line, and the command line loads only the command that runs."""
    code = (
        "import sys, cmemory; assert not [m for m in sys.modules if 'adapters.cli' in m or m == 'rich']\n"
        "from cmemory.adapters.cli.main import main\n"
        "assert main(['list', '--database', '/no/such.db']) == 3\n"
        "loaded = [m for m in sys.modules if m.startswith('cmemory.adapters.cli.commands.')]\n"
        "assert loaded == ['cmemory.adapters.cli.commands.listing'], loaded\n"
        "assert 'rich' not in sys.modules and 'openai' not in sys.modules\n"
    )
    done = _process("-c", code)
    assert (done.returncode, done.stdout) == (0, b""), done.stderr


# -- the documentation -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command has a line in the list, a help page, examples and a documented answer."""
    command = load(name)
    assert command.help and command.description.endswith(".") and command.examples
    assert all(example.split()[0] == name for example in command.examples)
    assert main([name, "--help"]) == Exit.OK
    assert "common options" in capsys.readouterr().out
    assert f"## `cmemory {name}`" in reference.page()


def test_the_list_of_commands_and_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    """--help lists every command with its line; --version says which version this is."""
    assert main(["--help"]) == Exit.OK
    listed = " ".join(capsys.readouterr().out.split())
    assert all(load(name).help in listed for name in COMMANDS)
    assert main(["--version"]) == Exit.OK
    assert re.fullmatch(r"cmemory \S+\n", capsys.readouterr().out)


def test_every_exit_code_is_documented() -> None:
    """The page lists all codes."""
    assert set(MEANINGS) == set(Exit)


def test_the_reference_page_is_up_to_date() -> None:
    """`python -m cmemory.adapters.cli.reference > docs/reference/cli.md` changes nothing."""
    assert (_DOCS / "reference" / "cli.md").read_text(encoding="utf-8") == reference.page()


def test_the_inbox_is_listed_and_moved_on(nora: Run, tmp_path: Path) -> None:
    """What waits, what was given up, and what a journal holds; forgetting and its proof reach the journal."""
    path = tmp_path / "inbox.jsonl"
    assert nora("inbox").code == Exit.NOTHING
    with FileJournal.open(path) as journal:
        inbox = journal.inbox(Scope(service="cmemory", owner="me", profile="companion"))
        for name, text in (("q-1", "I live in Leeds."), ("q-2", "I like tea."), ("q-3", "My cello squeaks.")):
            inbox.enqueue(message(name, text), now=at(0))
        inbox.put_off("q-2", now=at(0), policy=COMPANION.inbox, retryable=False)
    listed = nora("inbox", "--journal", str(path))
    assert listed.code == Exit.OK
    assert "q-1" in listed.out and "given up" in listed.out
    assert nora("verify-forgotten", "Leeds", "--journal", str(path)).code == Exit.NOTHING
    assert nora("forget", "q-1", "--journal", str(path)).code == Exit.OK
    assert nora("verify-forgotten", "Leeds", "--journal", str(path)).code == Exit.OK
    moved = nora("inbox", "--retry-dead", "--drain", "--journal", str(path))
    assert moved.err == "1 message(s) will be tried again; 2 moved into the database.\n"
    assert nora("learn").code == Exit.OK
    assert nora("inbox", "--drain").code == Exit.USAGE
