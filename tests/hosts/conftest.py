"""What tests of whole processes share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from nursery import Nursery, nursery


@pytest.fixture(scope="module")
def workers() -> Iterator[Nursery]:
    """A process that starts workers on a database."""
    with nursery() as started:
        yield started
