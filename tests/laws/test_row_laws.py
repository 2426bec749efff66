"""What a row spells is what the wire spells, read faster."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmemory.adapters.sqlite.rows import body_of, body_text
from cmemory.adapters.wire import body_from_json, body_to_json, dump, parse
from cmemory.domain.errors import CMemoryError
from cmemory.domain.model.bodies import Body, Claim
from cmemory.testing import strategies

#: Values that stand where others are wanted, or in another form than usual.
ODD: st.SearchStrategy[object] = st.sampled_from(
    (
        None,
        True,
        0,
        1,
        0.5,
        -1.0,
        7.0,
        10**400,
        "",
        "claim",
        [],
        ["a"],
        [["context", "home"]],
        {},
        "2026-02-30T00:00:00Z",
    )
) | st.sampled_from(
    ("2026-03-01T09:00:00Z", "2026-03-01T09:00:00.000000Z", "2026-03-01", "2026-03-01T09:00+08:00")
)


def _told(read: Callable[[], Body]) -> object:
    """Return a body with the kinds of its values, or that there is none."""
    try:
        return repr(read())
    except CMemoryError:
        return None


@given(strategies.bodies())
def test_a_row_gives_back_its_body(body: Body) -> None:
    """Whatever it holds, and written as the wire writes it."""
    assert dump(body_to_json(body)) == body_text(body)
    assert body == body_of(body_text(body))


@given(strategies.bodies(), st.data())
def test_a_row_that_somebody_changed_is_read_as_the_wire_reads_it(body: Body, data: st.DataObject) -> None:
    """The same body, of the same numbers, or none at all."""
    spelt: dict[str, Any] = body_to_json(body)
    for name in data.draw(st.lists(st.sampled_from([*spelt, "more"]), max_size=2)):
        if data.draw(st.booleans()):
            spelt.pop(name, None)
        else:
            spelt[name] = data.draw(ODD)
    text = dump(spelt)
    assert _told(lambda: body_from_json(parse(text))) == _told(lambda: body_of(text))


@pytest.mark.parametrize("number", [math.nan, math.inf, 2.0])
def test_a_number_that_is_no_share_spells_no_body(number: float) -> None:
    """JSON as Python reads it has numbers that are none."""
    spelt = body_to_json(Claim(predicate="identity.name", value="Nora"))
    assert _told(lambda: body_of(json.dumps(spelt))) is not None
    assert _told(lambda: body_of(json.dumps({**spelt, "confidence": number}))) is None
