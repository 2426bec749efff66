"""What a quick look passes over, no pattern would have found."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cmemory.domain.lexicon.screening import INSTRUCTION_MARKS, INSTRUCTIONS, SECRET_MARKS, SECRETS

_MARKED = [
    *((pattern, INSTRUCTION_MARKS) for pattern in INSTRUCTIONS),
    *((pattern, SECRET_MARKS) for pattern in SECRETS),
]


@pytest.mark.parametrize(("pattern", "marks"), _MARKED)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_what_a_pattern_finds_holds_one_of_its_marks(
    pattern: re.Pattern[str], marks: re.Pattern[str], data: st.DataObject
) -> None:
    """Whatever stands around it."""
    # What waits to be compiled is none to the library that makes examples.
    found = pattern.search(data.draw(st.from_regex(re.compile(pattern.pattern, pattern.flags))))
    assert found is not None
    assert marks.search(found.group())
