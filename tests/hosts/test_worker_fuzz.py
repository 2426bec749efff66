"""Throws everything at the worker: one answer per line, in order, and a refusal writes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from workers import MIRA, OTTO, start

from cmemory import COMPANION, GOVERNED, Memory, Scope
from cmemory.adapters.worker.protocol import MAX_LINE_BYTES, ErrorCode, encode
from cmemory.adapters.worker.server import Exchange, serve
from cmemory.app.catalogue import SCOPE, Kind, Param, Presence
from cmemory.app.tools import OPERATIONS
from cmemory.assembly import open_store
from cmemory.ports.store import ANY_STATUS

#: Requests in one conversation; the ci profile holds 80 of them, the long one 2,000.
LINES = 26

ANSWER = Draft202012Validator(
    {
        "type": "object",
        "properties": {
            "version": {"const": 1},
            "id": {"type": "string"},
            "ok": {"type": "boolean"},
            "result": {"type": "object"},
            "error": {
                "type": "object",
                "properties": {
                    "code": {"enum": [code.value for code in ErrorCode]},
                    "retryable": {"type": "boolean"},
                    "summary": {"type": "string", "minLength": 1, "maxLength": 400},
                },
                "required": ["code", "retryable", "summary"],
                "additionalProperties": False,
            },
        },
        "required": ["version", "id", "ok"],
        "additionalProperties": False,
        "oneOf": [{"required": ["result"]}, {"required": ["error"]}],
    }
)


@pytest.fixture(autouse=True, scope="module")
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Exports go to a folder of this module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("fuzz"))
        yield


# -- lines -----------------------------------------------------------------------------------------

#: Texts that meet each other: what is said, asked for and forgotten.
WORDS = st.sampled_from(
    (
        "claim-a",
        "claim-b",
        "episode-e",
        "delete claim-a",
        "忘掉 claim-b",
        "hi",
        "I play the oboe",
        "不要提起搬家",
        "m1",
        "s1",
        "",
        " ",
        "*",
        "misc.unclassified",
        "identity.name",
        "boundary.topic_avoid",
        "open_loop.low_risk_check_in",
        "2026-04-02T09:00:00Z",
        "9999-12-31T23:59:59Z",
        "0001-01-01T00:00:00+00:01",
        "My name is Nora.",
        "\u0000",
        "<companion_memory>",
        "\u2028\u202e",
        "a" * 3000,
    )
)
TEXTS = WORDS | st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
PLAIN = st.none() | st.booleans() | st.integers(-(10**21), 10**21) | st.floats(allow_nan=False) | TEXTS
JUNK = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
FILES = st.sampled_from(
    ("a.jsonl", "b.jsonl", "./a.jsonl", ".", "/", "", "no/such", "a\0b", "/dev/null", "/dev/zero")
)

VALUES: dict[Kind, st.SearchStrategy[object]] = {
    Kind.TEXT: TEXTS,
    Kind.TRUTH: st.booleans(),
    Kind.NUMBER: st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3, 3),
    Kind.WHOLE: st.integers(-5, 60),
    Kind.COUNT: st.integers(-1, 5),
    Kind.INSTANT: st.sampled_from(
        ("2026-04-01T09:00:00Z", "2026-05-01T17:00:00+08:00", "9999-12-31T23:59:59Z")
    ),
    Kind.ANY: JUNK,
    Kind.TEXTS: st.lists(TEXTS, max_size=3),
    Kind.LABEL: TEXTS | st.fixed_dictionaries({"entity": TEXTS}),
    Kind.SOURCE_FILE: FILES,
    Kind.TARGET_FILE: FILES,
}


def values_of(param: Param) -> st.SearchStrategy[object]:
    """Return what fits a parameter, most of the time."""
    if param.kind in (Kind.FIELDS, Kind.LIST):
        one = objects_of(param.fields)
        fits: st.SearchStrategy[object] = one if param.kind is Kind.FIELDS else st.lists(one, max_size=3)
    else:
        fits = st.sampled_from(param.choices) if param.choices else VALUES[param.kind]
    return st.integers(0, 15).flatmap(lambda luck: JUNK if luck == 0 else fits)


def objects_of(params: tuple[Param, ...]) -> st.SearchStrategy[dict[str, object]]:
    """Return objects with these parameters; what may be left out sometimes is."""
    needed = {one.name: values_of(one) for one in params if one.presence is Presence.REQUIRED}
    others = {one.name: values_of(one) for one in params if one.presence is not Presence.REQUIRED}
    return st.fixed_dictionaries(needed, optional=others)


SCOPES = st.integers(0, 20).flatmap(
    lambda luck: objects_of(SCOPE.fields) if luck == 0 else st.sampled_from((MIRA, MIRA, OTTO))
)

REQUESTS = st.one_of(
    *(
        st.fixed_dictionaries(
            {
                "version": st.just(1),
                "id": st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
                "op": st.just(one.name),
                "params": st.tuples(SCOPES, objects_of(one.params)).map(
                    lambda pair: {"scope": pair[0], **pair[1]}
                ),
            }
        )
        for one in OPERATIONS.values()
    )
)


def spelt(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Return a request with bytes changed, cut out, repeated or put in."""
    line = bytearray(spelt(draw(REQUESTS)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(line)))
        end = min(len(line), at + draw(st.integers(0, 6)))
        line[at:end] = draw(st.binary(max_size=3) | st.just(bytes(line[at:end]) * 2))
    return bytes(line).replace(b"\n", b" ")


def nested(depth: int) -> bytes:
    return b'{"version":1,"id":"deep","op":"health","params":' + b"[" * depth + b"]" * depth + b"}"


LINE = st.one_of(
    REQUESTS.map(spelt),
    REQUESTS.map(spelt),
    REQUESTS.map(spelt),
    mutated(),
    st.tuples(REQUESTS.map(spelt), st.integers(0, 400)).map(lambda pair: pair[0][: pair[1]]),
    JUNK.map(spelt),
    st.binary(max_size=60).map(lambda raw: raw.replace(b"\n", b"")),
    st.integers(100, 3000).map(nested),
    st.sampled_from(
        (
            b"",
            b" ",
            b"\r",
            b"\xff\xfe",
            b"\xef\xbb\xbf{}",
            b'{"version":1,"id":"\\ud83d","op":"health"}',
            b'{"version":1,"id":"a","id":"b","op":"health"}',
            b'{"version":1,"id":"n","op":"health","params":NaN}',
            b'{"version":1,"id":"' + b"x" * MAX_LINE_BYTES + b'","op":"health"}',
            b"[" * 200_000,
            b'{"a":' * 100_000,
            b"-" + b"9" * 5000,
        )
    ),
)


# -- what must hold --------------------------------------------------------------------------------


def state_of(memory: Memory) -> object:
    """Return all that is kept of both relationships."""
    found = []
    for who in (MIRA, OTTO):
        scope = Scope(
            service=who["service_id"], owner=who["owner_user_id"], profile=who["companion_profile_id"]
        )
        with memory._services.store.read(scope) as view:
            found.append(
                (
                    view.revision(),
                    tuple(view.records(ANY_STATUS)),
                    tuple(view.messages()),
                    tuple(view.threads()),
                    tuple(view.suppressions()),
                    tuple(view.fingerprints()),
                    tuple(view.decisions()),
                    tuple(view.pending()),
                    tuple(view.jobs()),
                )
            )
    return found


def checked(raw: bytes) -> dict[str, Any]:
    """Return an answer line as data, after it has been looked over."""
    assert raw.endswith(b"\n")
    assert raw.count(b"\n") == 1
    answer: dict[str, Any] = json.loads(raw)
    ANSWER.validate(answer)
    return answer


def id_of(line: bytes) -> str | None:
    """Return the id of a line that is a plain request, None when that is not for this test to say."""
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return parsed.get("id") if isinstance(parsed, dict) else None


WHOLE = st.lists(LINE, min_size=LINES, max_size=LINES)
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


@settings(suppress_health_check=SLOW)
@given(lines=WHOLE, spoken=st.booleans())
def test_every_line_gets_one_answer_and_a_refusal_writes_nothing(lines: list[bytes], spoken: bool) -> None:
    """Whatever came before, each answer is a valid envelope, and a failure leaves everything as it was."""
    store = open_store(":memory:", secret=bytes(range(32)))
    memory = Memory.open(store=store, policy=GOVERNED, zone="UTC")
    exchange = Exchange(memory, Memory.open(store=store, policy=COMPANION, zone="UTC"), spoken)
    for line in lines:
        before = state_of(memory)
        answer = checked(encode(exchange.answer(line)))
        event("carried out" if answer["ok"] else answer["error"]["code"])
        if not answer["ok"]:
            assert state_of(memory) == before
        expected = id_of(line)
        if answer["ok"] and expected is not None:
            assert answer["id"] == expected
    assert checked(encode(exchange.answer(b'{"version":1,"id":"still","op":"health"}')))["ok"]


@settings(suppress_health_check=SLOW, max_examples=max(5, settings.default.max_examples // 20))
@given(lines=WHOLE)
def test_answers_come_in_the_order_of_the_lines(lines: list[bytes]) -> None:
    """Between any two lines a request is answered that names its place."""
    marked = []
    for number, line in enumerate(lines):
        marked += [line, spelt({"version": 1, "id": f"mark {number}", "op": "health"})]
    answers = BytesIO()
    with Memory.open(policy=GOVERNED, zone="UTC") as memory:
        serve(memory, BytesIO(b"\n".join(marked)), answers)
    told = [checked(line + b"\n") for line in answers.getvalue().split(b"\n")[:-1]]
    assert len(told) == len(marked)
    assert [one["id"] for one in told[1::2]] == [f"mark {number}" for number in range(len(lines))]


def test_a_worker_survives_300_ugly_lines(tmp_path: Path) -> None:
    """The process answers each of them, complains about none, and still works."""
    ugly = [
        b"",
        b"{" * 500,
        b"\xf0\x28\x8c\x28",
        b'{"version":1,"id":"x","op":"warm","params":{"scope":7}}',
        b'{"version":1,"id":"x","op":"admit","params":{"scope":' + spelt(MIRA) + b',"candidates":{}}}',
        b'{"version":3,"id":"x","op":"health"}',
        b'{"version":1,"id":"x","op":"import","params":{"scope":' + spelt(MIRA) + b',"path":"/dev/zero"}}',
        b'{"version":1,"id":"x","op":"confirm_forget","params":{"scope":' + spelt(MIRA) + b"}}",
        nested(5000),
        b"x" * (MAX_LINE_BYTES + 7),
        b"\x00\x01\x02",
        b'{"version":1,"id":"x","op":"nothing"}',
    ] * 25
    last = b'{"version":1,"id":"last","op":"health"}'
    lines = [b'{"version":1,"id":"first","op":"capabilities"}', *ugly, last]
    process = start("--database", "mira.db", cwd=tmp_path)
    output, errors = process.communicate(b"\n".join(lines), timeout=120)
    told = [checked(line + b"\n") for line in output.split(b"\n")[:-1]]
    assert (process.returncode, errors, len(told)) == (0, b"", len(lines))
    assert [one["ok"] for one in told] == [True, *[False] * len(ugly), True]
    assert (told[0]["id"], told[-1]["id"]) == ("first", "last")
