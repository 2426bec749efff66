"""Conversations from elsewhere come in whole, once, and with the right person speaking."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cmemory import Memory
from cmemory.adapters.files import lines as file_lines
from cmemory.app import transfer
from cmemory.app.transfer import ImportReport
from cmemory.domain.errors import CMemoryError, UsageError, WireError
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.model.scope import Scope
from cmemory.memory import ScopedMemory

START = "2026-01-01T00:00:00Z"
LATER = "2026-06-01T09:00:00Z"
SCOPE = Scope(service="my-app", owner="u-42", profile="luna")


class Home:
    """A memory of a person in Shanghai, and what its log holds."""

    def __init__(self) -> None:
        self.memory = Memory.open(zone="Asia/Shanghai")
        self.luna: ScopedMemory = self.memory.scope(service="my-app", owner="u-42", profile="luna")

    def log(self) -> tuple[Message, ...]:
        with self.luna._services.store.read(SCOPE) as view:
            return tuple(view.messages())

    def said(self) -> list[tuple[str, str]]:
        return [(one.speaker.value, one.text) for one in self.log()]

    def times(self) -> list[str]:
        return [str(one.at)[:19] for one in self.log()]

    def sessions(self) -> int:
        return len({one.session for one in self.log()})


@pytest.fixture
def home() -> Home:
    return Home()


def file(tmp_path: Path, content: str | bytes | list[Any], name: str = "talk") -> Path:
    path = tmp_path / name
    if isinstance(content, list):
        content = json.dumps(content, ensure_ascii=False)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def places(report: ImportReport) -> list[str]:
    return [error.path for error in report.errors]


# -- one object per line -------------------------------------------------------------------------------------

JSONL = """\
{"text": "我叫周眠，刚搬到成都。", "speaker": "user", "session": "s1", "at": "2024-05-01T02:00Z", "id": "a1"}
{"text": "欢迎来成都！", "speaker": "assistant", "session": "s1", "at": "2024-05-01 10:00:05"}
{"text": "be kind", "speaker": "system", "session": "s1"}

{"text": "{\\"temp\\": 21}", "speaker": "tool", "session": "s1", "at": "2024-05-01T02:00:09Z"}
{"text": "My sister is visiting tomorrow.", "speaker": "user", "session": "s2", "at": "2024-05-02T08:00:00Z"}
"""


def test_lines_of_json(tmp_path: Path, home: Home) -> None:
    report = home.luna.import_dialogue(file(tmp_path, JSONL), start=START)
    assert report == ImportReport(stored=4, skipped=1)
    assert home.said() == [
        ("user", "我叫周眠，刚搬到成都。"),
        ("assistant", "欢迎来成都！"),
        ("tool", '{"temp": 21}'),
        ("user", "My sister is visiting tomorrow."),
    ]
    assert home.times() == [
        "2024-05-01T02:00:00",
        "2024-05-01T02:00:05",
        "2024-05-01T02:00:09",
        "2024-05-02T08:00:00",
    ]
    assert home.log()[0].id == "a1"
    assert home.luna.stats().waiting == 2


def test_lines_without_a_time_follow_each_other_by_a_second(tmp_path: Path, home: Home) -> None:
    morning = '{"text":"早","speaker":"user"}\n'
    talk = morning + '{"text":"早呀","speaker":"assistant"}\n' + morning
    path = file(tmp_path, talk)
    assert home.luna.import_dialogue(path, start="2024-05-01T10:00:00Z").stored == 3
    assert home.times() == ["2024-05-01T10:00:00", "2024-05-01T10:00:01", "2024-05-01T10:00:02"]
    assert home.luna.import_dialogue(path, start=LATER) == ImportReport(known=3)


def test_each_bad_line_is_named_and_the_rest_is_taken(tmp_path: Path, home: Home) -> None:
    bad = [
        (b'{"text":"\xff","speaker":"user"}', "line 1"),
        (b'{"text":"\\ud800 hello","speaker":"user"}', "line 2: $.text"),
        (b'{"text":"a\\u0000b","speaker":"user"}', "line 3: $.text"),
        (b'{"text":"' + b"a" * 1_048_577 + b'","speaker":"user"}', "line 4: $.text"),
        (b'{"text":7,"speaker":"user"}', "line 5: $.text"),
        (b'{"speaker":"user"}', "line 6: $.text"),
        (b'{"text":"hello","speaker":"mallory"}', "line 7: $.speaker"),
        (b'{"text":"hello","speaker":"user","at":"2024-02-30T10:00:00Z"}', "line 8: $.at"),
        (b'{"text":"hello","speaker":"user","at":1714557600}', "line 9: $.at"),
        (b'{"text":"hello","speaker":"user","mood":"good"}', "line 10: $"),
        (b'{"text":"hello","speaker":"us', "line 11"),
        (b'["hello"]', "line 12"),
        (b'{"text":"   ","speaker":"user"}', "line 13: $.text"),
        (b'{"text":"hello","speaker":"user","id":" "}', "line 14: $.id"),
        (b"[" * 200_000, "line 15"),
    ]
    good = b'{"text":"still here","speaker":"user"}'
    report = home.luna.import_dialogue(
        file(tmp_path, b"\n".join([*(line for line, _ in bad), good])), format="jsonl", start=START
    )
    assert places(report) == [place for _, place in bad]
    assert home.said() == [("user", "still here")]
    assert not any("hello" in str(error) for error in report.errors)


def test_a_line_longer_than_anything_sensible_is_skipped_unread(
    tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_lines, "MAX_LINE_BYTES", 100)
    monkeypatch.setattr(file_lines, "_CHUNK_BYTES", 7)
    talk = '{"text":"%s","speaker":"user"}\n{"text":"short","speaker":"user"}\n' % ("a" * 300)
    report = home.luna.import_dialogue(file(tmp_path, talk), format="jsonl", start=START)
    assert places(report) == ["line 1"]
    assert home.said() == [("user", "short")]


def test_a_message_before_the_one_above_it_is_an_error(tmp_path: Path, home: Home) -> None:
    talk = "".join(
        json.dumps(
            {"text": f"m{nth}", "speaker": "user", "session": session, "at": f"2024-05-{day:02d}T10:00:00Z"}
        )
        + "\n"
        for nth, (session, day) in enumerate([("a", 5), ("b", 1), ("a", 9), ("a", 6), ("a", 7)])
    )
    report = home.luna.import_dialogue(file(tmp_path, talk))
    assert places(report) == ["line 4: $.at"]
    assert report.stored == 4


def test_an_id_for_two_texts_is_an_error(tmp_path: Path, home: Home) -> None:
    talk = '{"text":"one","speaker":"user","id":"1"}\n{"text":"two","speaker":"user","id":"1"}\n'
    report = home.luna.import_dialogue(file(tmp_path, talk), start=START)
    assert places(report) == ["line 2: $.message_id"]


# -- ChatGPT -------------------------------------------------------------------------------------------------


def node(
    name: str,
    parent: str | None,
    role: str | None = None,
    text: object = "",
    at: float | None = None,
    **more: Any,
) -> dict[str, Any]:
    message = None
    if role is not None:
        content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
        message = {"id": name, "author": {"role": role}, "create_time": at, "content": content, **more}
    return {"id": name, "message": message, "parent": parent, "children": []}


def conversation(*nodes: dict[str, Any], current: str, name: str = "c-1") -> dict[str, Any]:
    return {
        "title": "Moving",
        "create_time": 1714557500.0,
        "mapping": {one["id"]: one for one in nodes},
        "current_node": current,
        "conversation_id": name,
    }


MOVING = conversation(
    node("root", None),
    node("sys", "root", "system", "You are helpful."),
    node(
        "profile",
        "sys",
        "user",
        {"content_type": "user_editable_context", "user_profile": "likes tea"},
        1714557590.0,
    ),
    node("q-old", "profile", "user", "I moved to Leipzig.", 1714557600.0),
    node("a-old", "q-old", "assistant", "Leipzig is lovely.", 1714557610.0),
    node("q", "profile", "user", "我上周搬到了莱比锡。", 1714557700.25),
    node(
        "call",
        "q",
        "assistant",
        {"content_type": "code", "text": "search()"},
        1714557705.0,
        recipient="browser",
    ),
    node("found", "call", "tool", {"content_type": "execution_output", "text": "3 results"}, 1714557706.0),
    node("a", "found", "assistant", "恭喜乔迁！", None),
    node(
        "voice",
        "a",
        "user",
        {
            "content_type": "multimodal_text",
            "parts": [
                {"content_type": "image_asset_pointer", "asset_pointer": "file://x"},
                {"content_type": "audio_transcription", "text": "This is my new balcony."},
                "What should I plant?",
            ],
        },
        1714557800.0,
    ),
    node(
        "picture",
        "voice",
        "user",
        {"content_type": "multimodal_text", "parts": [{"asset_pointer": "y"}]},
        1714557801.0,
    ),
    current="picture",
)


def test_a_chatgpt_export(tmp_path: Path, home: Home) -> None:
    path = file(tmp_path, [MOVING])
    report = home.luna.import_dialogue(path)
    assert report == ImportReport(stored=4, skipped=4)
    assert home.said() == [
        ("user", "我上周搬到了莱比锡。"),
        ("tool", "3 results"),
        ("assistant", "恭喜乔迁！"),
        ("user", "This is my new balcony.\nWhat should I plant?"),
    ]
    assert home.times() == [
        "2024-05-01T10:01:40",
        "2024-05-01T10:01:46",
        "2024-05-01T10:01:47",
        "2024-05-01T10:03:20",
    ]
    assert {one.session for one in home.log()} == {"chatgpt-c-1"}
    assert home.luna.import_dialogue(path) == ImportReport(known=4, skipped=4)
    assert home.luna.stats().waiting == 2


def test_a_grown_chatgpt_export_adds_only_what_is_new(tmp_path: Path, home: Home) -> None:
    home.luna.import_dialogue(file(tmp_path, [MOVING]))
    other = conversation(
        node("r", None), node("x", "r", "user", "Hello again", 1714650000.0), current="x", name="c-2"
    )
    assert home.luna.import_dialogue(file(tmp_path, [other, MOVING])) == ImportReport(
        stored=1, known=4, skipped=4
    )


def test_broken_conversations_do_not_spoil_the_others(tmp_path: Path, home: Home) -> None:
    ring = conversation(node("a", "b", "user", "x"), node("b", "a", "user", "y"), current="a", name="ring")
    odd = conversation(
        node("r", None),
        node("u", "r", "narrator", "once upon a time", 1714557600.0),
        node("v", "u", "user", {"content_type": "text", "parts": [7]}, 1714557601.0),
        node("w", "v", "user", "a time", "yesterday"),  # type: ignore[arg-type]
        node("x", "w", "user", "far", 1e300),
        node("y", "x", "user", "fine", 1714557602.0),
        current="y",
        name="odd",
    )
    report = home.luna.import_dialogue(file(tmp_path, [MOVING, "text", {"mapping": []}, ring, odd]))
    assert places(report) == [
        "$[1]",
        "$[2].mapping",
        "$[3].mapping",
        "$[4].mapping.u.message.author.role",
        "$[4].mapping.v.message.content.parts[0]",
        "$[4].mapping.w.message.create_time",
        "$[4].mapping.x.message.create_time",
    ]
    assert report.stored == 5


@pytest.mark.parametrize("chunk", [1, 7, 64, 1_048_576])
def test_an_export_that_is_cut_off_keeps_what_is_whole(
    tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(file_lines, "_CHUNK_BYTES", chunk)
    tricky = conversation(
        node("r", None),
        node("x", "r", "user", 'a "quote", a [bracket] and \\" more}', 1714650000.0),
        current="x",
    )
    whole = json.dumps([tricky, MOVING], ensure_ascii=False).encode("utf-8")
    report = home.luna.import_dialogue(file(tmp_path, whole[:-40]), format="chatgpt")
    assert places(report) == ["$[1]"]
    assert home.said() == [("user", 'a "quote", a [bracket] and \\" more}')]


def test_one_broken_conversation_in_the_middle_is_named(tmp_path: Path, home: Home) -> None:
    one = json.dumps(MOVING, ensure_ascii=False)
    report = home.luna.import_dialogue(file(tmp_path, f'[{{"mapping": tru}}, {one}]'), format="chatgpt")
    assert places(report) == ["$[0]"]
    assert report.stored == 4


# -- Claude --------------------------------------------------------------------------------------------------

GARDEN: dict[str, Any] = {
    "uuid": "g-1",
    "name": "Garden",
    "created_at": "2024-05-01T10:00:00.000000Z",
    "chat_messages": [
        {
            "uuid": "m-1",
            "sender": "human",
            "text": "I grow tomatoes on my balcony.",
            "content": [{"type": "text", "text": "I grow tomatoes on my balcony."}],
            "created_at": "2024-05-01T10:00:01.123456Z",
        },
        {
            "uuid": "m-2",
            "sender": "assistant",
            "text": "Nice! ```This block is not supported```",
            "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "Nice!"},
                {"type": "tool_use", "name": "search", "input": {}},
                {"type": "tool_result", "content": [{"type": "text", "text": "frost warning"}]},
                {"type": "text", "text": "Mind the frost."},
            ],
            "created_at": "2024-05-01T10:00:09.000000Z",
        },
        {"uuid": "m-3", "sender": "human", "text": "我对花粉过敏。", "created_at": None},
        {"uuid": "m-4", "sender": "human", "text": "", "content": [], "created_at": "2024-05-01T10:02:00Z"},
    ],
}


def test_a_claude_export(tmp_path: Path, home: Home) -> None:
    path = file(tmp_path, [GARDEN])
    assert home.luna.import_dialogue(path) == ImportReport(stored=4, skipped=1)
    assert sorted(home.said()) == [
        ("assistant", "Nice!\nMind the frost."),
        ("tool", "frost warning"),
        ("user", "I grow tomatoes on my balcony."),
        ("user", "我对花粉过敏。"),
    ]
    assert home.times()[-1] == "2024-05-01T10:00:10"
    assert {one.session for one in home.log()} == {"claude-g-1"}
    assert home.luna.import_dialogue(path) == ImportReport(known=4, skipped=1)


def test_broken_messages_of_a_claude_export_are_named(tmp_path: Path, home: Home) -> None:
    messages = [
        *GARDEN["chat_messages"],
        {"sender": "narrator", "text": "x"},
        {"sender": "human", "text": 7},
        {"sender": "human", "text": "x", "created_at": "yesterday"},
        {"sender": "human", "content": ["x"]},
        "x",
    ]
    report = home.luna.import_dialogue(
        file(tmp_path, [{**GARDEN, "chat_messages": messages}, {"chat_messages": {}}])
    )
    assert places(report) == [
        "$[0].chat_messages[4].sender",
        "$[0].chat_messages[5].text",
        "$[0].chat_messages[6].created_at",
        "$[0].chat_messages[7].content[0]",
        "$[0].chat_messages[8]",
        "$[1].chat_messages",
    ]
    assert report.stored == 4


# -- plain text ----------------------------------------------------------------------------------------------

PLAIN = """\
Nora: I signed the lease today!
Luna: Congratulations!
It must be a relief.
Nora: It is. Note: the kitchen is tiny.

Nora：今天好累
Luna：抱抱你
"""

STAMPED = """\
[2024-05-01 10:00] 周眠: 我养了一只叫团子的猫
[2024-05-01 10:01] Luna: 团子多大啦？
[2024-05-01 10:02] 周眠: 三岁
还很调皮
注意：它怕打雷
[2024-05-02 22:30] 周眠: 团子又打碎了杯子
"""

WECHAT = """\
2024-05-01 10:00:00 周眠
今天拿到体检结果了

2024-05-01 10:01:30 Luna
怎么样？

2024-05-01 10:02:00 周眠
医生说：一切正常

终于放心了
"""


def test_a_plain_chat(tmp_path: Path, home: Home) -> None:
    path = file(tmp_path, PLAIN)
    assert home.luna.import_dialogue(path, start=START) == ImportReport(stored=5)
    assert home.said() == [
        ("user", "I signed the lease today!"),
        ("assistant", "Congratulations!\nIt must be a relief."),
        ("user", "It is. Note: the kitchen is tiny."),
        ("user", "今天好累"),
        ("assistant", "抱抱你"),
    ]
    assert home.sessions() == 2
    assert home.luna.import_dialogue(path, start=LATER) == ImportReport(known=5)


def test_the_person_can_be_named(tmp_path: Path, home: Home) -> None:
    path = file(tmp_path, "Luna: 早安\n周眠: 我昨晚没睡好\n房东: 房租该交了\n")
    assert home.luna.import_dialogue(path, user="周眠", start=START).stored == 3
    assert home.said() == [("assistant", "早安"), ("user", "我昨晚没睡好"), ("assistant", "房租该交了")]
    assert home.luna.stats().waiting == 1
    with pytest.raises(UsageError) as caught:
        home.luna.import_dialogue(path, user="周明", start=START)
    assert caught.value.field == "user"
    with pytest.raises(UsageError):
        home.luna.import_dialogue(file(tmp_path, JSONL), user="周眠")


def test_times_in_brackets(tmp_path: Path, home: Home) -> None:
    path = file(tmp_path, STAMPED)
    assert home.luna.import_dialogue(path) == ImportReport(stored=4)
    assert home.said()[2] == ("user", "三岁\n还很调皮\n注意：它怕打雷")
    assert home.times()[0] == "2024-05-01T02:00:00"
    assert home.sessions() == 2


def test_a_wechat_export(tmp_path: Path, home: Home) -> None:
    path = file(tmp_path, "\ufeff" + WECHAT.replace("\n", "\r\n"))
    assert home.luna.import_dialogue(path) == ImportReport(stored=3)
    assert home.said() == [
        ("user", "今天拿到体检结果了"),
        ("assistant", "怎么样？"),
        ("user", "医生说：一切正常\n\n终于放心了"),
    ]
    assert home.sessions() == 1
    grown = WECHAT + "\n2024-05-03 09:00:00 周眠\n早\n"
    assert home.luna.import_dialogue(file(tmp_path, grown)) == ImportReport(stored=1, known=3)
    assert home.sessions() == 2


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ("[2024-05-01 10:00] Nora: hi", "2024-05-01T02:00:00"),
        ("[2024/5/1, 10:00:07] Nora: hi", "2024-05-01T02:00:07"),
        ("【2024年5月1日 10:00】Nora：hi", "2024-05-01T02:00:00"),
        ("2024-05-01 10:00:00 Nora: hi", "2024-05-01T02:00:00"),
        ("2024-05-01T10:00:00Z Nora: hi", "2024-05-01T10:00:00"),
        ("2024-05-01 10:00:00 +02:00 Nora: hi", "2024-05-01T08:00:00"),
        ("2024.05.01 下午3:20 Nora: hi", "2024-05-01T07:20:00"),
        ("2024-05-01 3:20 PM - Nora: hi", "2024-05-01T07:20:00"),
        ("2024-05-01 10:00:00 Nora\nhi", "2024-05-01T02:00:00"),
        ("Nora 2024-05-01 10:00:00\nhi", "2024-05-01T02:00:00"),
        ("Nora (2024-05-01 10:00):\nhi", "2024-05-01T02:00:00"),
        ("—— 2024-05-01 ——\nNora: hi", "2024-04-30T16:00:00"),
        ("2024年5月1日 星期三\n10:00 Nora: hi", "2024-05-01T02:00:00"),
        ("2024-05-01 10:00\nNora: hi", "2024-05-01T02:00:00"),
        ("Nora: hi", "2026-01-01T00:00:00"),
        ("10:00 Nora: hi", "2026-01-01T00:00:00"),
    ],
)
def test_shapes_of_times(tmp_path: Path, home: Home, line: str, at: str) -> None:
    report = home.luna.import_dialogue(file(tmp_path, line), format="chat", start=START)
    assert report.errors == ()
    assert (home.said(), home.times()) == ([("user", "hi")], [at])


def test_date_lines_start_a_conversation(tmp_path: Path, home: Home) -> None:
    talk = "2024-05-01\nNora: hi\nLuna: hello\n2024-05-02\nNora: hi\nLuna: hello\n"
    report = home.luna.import_dialogue(file(tmp_path, talk))
    assert (report.stored, home.sessions()) == (4, 2)


def test_notices_are_left_out(tmp_path: Path, home: Home) -> None:
    talk = "系统: 你已添加了Luna\nNora: hi\nLuna: hello\nNora: bye\nLuna: bye\n系统: 通话时长 3 分钟\n"
    report = home.luna.import_dialogue(file(tmp_path, talk), start=START)
    assert (report.stored, report.skipped) == (4, 2)
    assert home.said()[0] == ("user", "hi")


def test_what_cannot_be_read_in_a_chat_is_named(tmp_path: Path, home: Home) -> None:
    talk = (
        b"who said this\n"
        b"[2024-05-01 10:00] Nora: one\n"
        b"[2024-13-01 10:00] Nora: two\n"
        b"and its second line\n"
        b"[2024-05-01 10:05] Nora: th\x00ree\n"
        b"[2024-05-01 09:00] Nora: four\n"
        b"\xff\xfe\n"
        b"[2024-05-01 10:09] Nora: five\n"
    )
    report = home.luna.import_dialogue(file(tmp_path, talk))
    assert places(report) == ["line 1", "line 3", "line 5", "line 6", "line 7"]
    assert home.said() == [("user", "one"), ("user", "five")]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    talk=st.lists(
        st.one_of(
            st.text(max_size=40),
            st.sampled_from(
                [*PLAIN.splitlines(), *STAMPED.splitlines(), *WECHAT.splitlines(), "9999-12-31 23:59 A: x"]
            ),
            st.from_regex(
                r"\A[\[【]?[0-9]{4}[-/.年][0-9]{1,2}[-/.月][0-9]{1,2}日? [0-9]{1,2}:[0-9]{2}\]? ?\w* ?[:：]?",
                fullmatch=False,
            ),
        ),
        min_size=1,
        max_size=12,
    ).map("\n".join)
)
def test_no_text_breaks_the_chat_reader(tmp_path: Path, talk: str) -> None:
    home = Home()
    path = file(tmp_path, talk.encode("utf-8", "surrogatepass"))
    try:
        first = home.luna.import_dialogue(path, format="chat", start=START)
    except CMemoryError:
        return
    again = home.luna.import_dialogue(path, format="chat", start=START)
    assert (again.stored, again.known) == (0, first.stored + first.known)
    assert {one.speaker for one in home.log()} <= {Speaker.USER, Speaker.ASSISTANT}


_FOREIGN_KEYS = (
    *("mapping", "current_node", "message", "author", "role", "content", "parts", "parent", "create_time"),
    *("chat_messages", "sender", "text", "type", "uuid", "created_at", "user", "speaker", "at"),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(_FOREIGN_KEYS),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    ),
    form=st.sampled_from(["auto", "jsonl", "chatgpt", "claude"]),
)
def test_no_json_breaks_the_readers(tmp_path: Path, data: Any, form: str) -> None:
    path = file(tmp_path, json.dumps([data]))
    with contextlib.suppress(CMemoryError):
        Home().luna.import_dialogue(path, format=form, start=START)


# -- which form it is ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"  \n\n"])
@pytest.mark.parametrize("form", ["auto", "chat", "jsonl", "chatgpt"])
def test_an_empty_file_is_refused(tmp_path: Path, home: Home, content: bytes, form: str) -> None:
    with pytest.raises(WireError) as caught:
        home.luna.import_dialogue(file(tmp_path, content), format=form)
    assert "empty" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[]", "no conversation"),
        ('[{"title": "x"}]', "no known form"),
        ("PK\x03\x04...", "archive"),
        ('{"format":"cmemory-export","version":1,"scope":{}}', "import it as records"),
    ],
)
def test_what_is_no_dialogue_is_refused(tmp_path: Path, home: Home, content: str, words: str) -> None:
    with pytest.raises(WireError) as caught:
        home.luna.import_dialogue(file(tmp_path, content))
    assert words in str(caught.value)
    assert home.log() == ()


def test_a_single_conversation_is_known_too(tmp_path: Path, home: Home) -> None:
    assert home.luna.import_dialogue(file(tmp_path, json.dumps(MOVING, indent=2))).stored == 4
    assert home.luna.import_dialogue(file(tmp_path, json.dumps(GARDEN, indent=2))).stored == 4


def test_an_unknown_format_or_file_is_a_usage_error(tmp_path: Path, home: Home) -> None:
    with pytest.raises(UsageError):
        home.luna.import_dialogue(file(tmp_path, PLAIN), format="docx")
    with pytest.raises(UsageError):
        home.luna.import_dialogue(tmp_path / "nothing")


# -- as part of the memory -----------------------------------------------------------------------------------


def test_only_the_person_is_learned_from(tmp_path: Path, home: Home) -> None:
    talk = "周眠: 我叫周眠。\nLuna: 我叫 Luna，住在柏林。\n周眠: 你好\nLuna: I live in Berlin.\n"
    home.luna.import_dialogue(file(tmp_path, talk), start=START)
    home.luna.learn(now=LATER)
    assert {str(record.body.shown) for record in home.luna.list(now=LATER)} == {"周眠"}


def test_a_forgotten_message_is_not_imported_again(tmp_path: Path, home: Home) -> None:
    path = file(tmp_path, JSONL)
    home.luna.import_dialogue(path, start=START)
    home.luna.forget("a1", now=LATER)
    assert home.luna.import_dialogue(path, start=START) == ImportReport(known=3, forgotten=1, skipped=1)
    assert home.memory.verify_forgotten("周眠").clean


def test_an_import_that_was_killed_goes_on_where_it_stopped(
    tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "BATCH", 2)
    path = file(tmp_path, STAMPED)
    with monkeypatch.context() as patch:
        patch.setattr(transfer, "take_in", _dying(transfer.take_in, after=3))
        with pytest.raises(KeyboardInterrupt):
            home.luna.import_dialogue(path)
    assert len(home.log()) == 2
    assert home.luna.import_dialogue(path) == ImportReport(stored=2, known=2)


def _dying(work: Any, *, after: int) -> Any:
    calls = iter(range(after))

    def wrapped(*args: Any, **named: Any) -> Any:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return work(*args, **named)

    return wrapped


def test_progress_is_told_after_each_transaction(tmp_path: Path, home: Home) -> None:
    talk = "".join(json.dumps({"text": f"message {nth}", "speaker": "user"}) + "\n" for nth in range(1100))
    path = file(tmp_path, talk)
    seen: list[tuple[int, int]] = []
    home.luna.import_dialogue(path, start=START, on_progress=lambda done, total: seen.append((done, total)))
    assert len(seen) == 4
    assert seen == sorted(seen)
    assert seen[-1] == (path.stat().st_size, path.stat().st_size)
