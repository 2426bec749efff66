"""Domain values in JSON: what goes out comes in again, and what is malformed is refused at its place."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from cmemory.adapters import wire
from cmemory.domain.errors import WireError
from cmemory.domain.model.bodies import Body
from cmemory.domain.model.candidate import Candidate
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import AnyRecord
from cmemory.testing import strategies
from cmemory.testing.builders import claim, quoted


def over_the_wire(data: object) -> Any:
    """Return the data as another process would read it."""
    return wire.parse(wire.dump(data))


@given(strategies.records())
def test_a_record_comes_back_as_it_went(record: AnyRecord) -> None:
    """Structuring undoes unstructuring, through the text."""
    assert record == wire.from_json(over_the_wire(wire.to_json(record, AnyRecord)), AnyRecord)


@given(strategies.bodies())
def test_a_body_comes_back_as_it_went(body: Body) -> None:
    """With its type, which equality alone would not tell."""
    back = wire.body_from_json(over_the_wire(wire.body_to_json(body)))
    assert (type(body), body) == (type(back), back)


@given(strategies.candidates())
def test_a_candidate_comes_back_as_it_went(candidate: Candidate) -> None:
    """Unchecked values included."""
    assert candidate == wire.candidate_from_json(over_the_wire(wire.to_json(candidate, Candidate)))


@given(strategies.changes())
def test_a_change_set_comes_back_as_it_went(changes: Changes) -> None:
    """All of its tuples."""
    assert changes == wire.from_json(over_the_wire(wire.to_json(changes, Changes)), Changes)


@pytest.mark.parametrize("data", ["no base64", "AAA", "AA==\n", "向量", 7, None])
def test_bytes_are_base64_or_refused(data: object) -> None:
    """Nothing is skipped, since a vector with a byte left out is another vector."""
    assert wire.from_json(wire.to_json(b"\x00\xff"), bytes) == b"\x00\xff"
    with pytest.raises(WireError, match="base64"):
        wire.from_json(data, bytes)


@given(strategies.messages())
def test_data_is_plain(message: Message) -> None:
    """Nothing but what JSON knows."""
    data = wire.to_json(message)
    assert data == json.loads(json.dumps(data))


def test_letters_are_written_as_themselves() -> None:
    """So that the bytes of a file can be searched for a text."""
    assert wire.dump({"text": "体检 👩‍👩‍👧"}) == '{"text":"体检 👩‍👩‍👧"}'


def _evidence(data: dict[str, Any]) -> dict[str, Any]:
    first: dict[str, Any] = data["evidence"][1]
    return first


SPOILT: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "kind missing": (lambda data: data["body"].pop("kind"), "$.body.kind"),
    "kind unknown": (lambda data: data["body"].update(kind="dream"), "$.body.kind"),
    "kind no text": (lambda data: data["body"].update(kind=["claim"]), "$.body.kind"),
    "body null": (lambda data: data.update(body=None), "$.body"),
    "key of another kind": (lambda data: data["body"].update(narrative="x"), "$.body"),
    "value null": (lambda data: data["body"].update(value=None), "$.body.value"),
    "value true": (lambda data: data["body"].update(value=True), "$.body.value"),
    "value infinite": (lambda data: data["body"].update(value=float("inf")), "$.body.value"),
    "confidence too high": (lambda data: data["body"].update(confidence=2), "$.body.confidence"),
    "confidence text": (lambda data: data["body"].update(confidence="1"), "$.body.confidence"),
    "confidence huge": (lambda data: data["body"].update(confidence=10**400), "$.body.confidence"),
    "qualifiers no pairs": (lambda data: data["body"].update(qualifiers=[["a"]]), "$.body.qualifiers[0]"),
    "evidence no list": (lambda data: data.update(evidence="m-1"), "$.evidence"),
    "evidence no object": (lambda data: data["evidence"].append("x"), "$.evidence[2]"),
    "speaker unknown": (lambda data: _evidence(data).update(speaker="dog"), "$.evidence[1].speaker"),
    "offset text": (
        lambda data: _evidence(data)["quote"].update(start="0"),
        "$.evidence[1].quote.start",
    ),
    "offset fraction": (
        lambda data: _evidence(data)["quote"].update(end=1.0),
        "$.evidence[1].quote.end",
    ),
    "offset true": (lambda data: _evidence(data)["quote"].update(end=True), "$.evidence[1].quote.end"),
    "quote without text": (lambda data: _evidence(data)["quote"].pop("text"), "$.evidence[1].quote.text"),
    "id number": (lambda data: data.update(id=7), "$.id"),
    "id missing": (lambda data: data.pop("id"), "$.id"),
    "status unknown": (lambda data: data.update(status="asleep"), "$.status"),
    "moment without zone": (lambda data: data.update(created_at="2026-03-01T09:00:00"), "$.created_at"),
    "moment number": (lambda data: data.update(created_at=5), "$.created_at"),
    "muted number": (lambda data: data["salience"].update(muted=1), "$.salience.muted"),
    "salience null": (lambda data: data.update(salience=None), "$.salience"),
    "key unknown": (lambda data: data.update(trust=5), "$"),
}


@pytest.mark.parametrize(("spoil", "path"), SPOILT.values(), ids=SPOILT.keys())
def test_a_malformed_record_is_refused_at_its_place(
    spoil: Callable[[dict[str, Any]], object], path: str
) -> None:
    """The error names the JSON path, and nothing that was said."""
    record = claim(value="secret-value", evidence=(quoted("secret-one"), quoted("secret-two")))
    data = copy.deepcopy(wire.to_json(record, AnyRecord))
    spoil(data)
    with pytest.raises(WireError) as caught:
        wire.from_json(data, AnyRecord)
    assert path == caught.value.path
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("data", [None, 1, "text", [], True])
def test_what_is_no_object_is_no_record(data: object) -> None:
    """Whatever else it is."""
    with pytest.raises(WireError) as caught:
        wire.from_json(data, AnyRecord)
    assert caught.value.path == "$"


def test_a_path_can_begin_inside_a_document() -> None:
    """As in a file of many lines."""
    with pytest.raises(WireError) as caught:
        wire.body_from_json({"kind": "claim"}, path="$.records[7].body")
    assert caught.value.path == "$.records[7].body.predicate"


@pytest.mark.parametrize("text", ["", "{", "[1,]", "NaN", '{"a":Infinity}', "[" * 100_000, "'a'"])
def test_what_is_no_json_is_refused(text: str) -> None:
    """With the place the caller names."""
    with pytest.raises(WireError) as caught:
        wire.parse(text, path="line 3")
    assert caught.value.path == "line 3"
