"""The names a host may rely on."""

from __future__ import annotations

import inspect
import subprocess
import sys

import attrs
import pytest

import cmemory
from cmemory import CMemoryError

PUBLIC = [
    "COMPANION",
    "GOVERNED",
    "ByEntity",
    "ByPredicate",
    "CMemoryError",
    "Channel",
    "Everything",
    "ForgetReport",
    "Instant",
    "Memory",
    "MissingExtraError",
    "ModelError",
    "Plan",
    "Policy",
    "Records",
    "Scope",
    "ScopedMemory",
    "Signal",
    "StoreError",
    "UsageError",
    "WireError",
    "WorkerError",
]


def test_every_name_is_there_and_no_other() -> None:
    """Names are loaded when they are asked for, so that one is missing would only show then."""
    assert [name for name in PUBLIC if not hasattr(cmemory, name)] == []
    assert set(PUBLIC) <= set(dir(cmemory))
    assert cmemory._HOMES.keys() == set(PUBLIC)
    with pytest.raises(AttributeError, match="no attribute 'Memoir'"):
        cmemory.Memoir  # type: ignore[attr-defined]  # noqa: B018


def test_a_light_name_does_not_load_the_facade() -> None:
    """So that a host pays for what it uses."""
    script = "import sys; from cmemory import Instant, StoreError; print('cmemory.memory' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "False\n"


def test_the_list_is_pinned() -> None:
    """Adding or removing a public name is a decision, not an accident."""
    assert PUBLIC == cmemory.__all__


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_exists_and_says_what_it_is(name: str) -> None:
    """Each public name is there and carries a docstring."""
    public = getattr(cmemory, name)
    documented = public if inspect.isclass(public) else type(public)
    assert inspect.getdoc(documented)


@pytest.mark.parametrize("owner", [cmemory.Memory, cmemory.ScopedMemory])
def test_every_method_says_what_it_does(owner: type) -> None:
    """Each public method of the façade has its own docstring."""
    silent = [
        name
        for name, member in vars(owner).items()
        if not name.startswith("_") and not inspect.getdoc(getattr(member, "__func__", member))
    ]
    assert [] == silent


def test_errors_are_one_family() -> None:
    """Whatever the library raises on purpose can be caught as one, and the base itself is never raised."""
    family = [getattr(cmemory, name) for name in PUBLIC if name.endswith("Error") and name != "CMemoryError"]
    assert all(issubclass(one, CMemoryError) for one in family)
    assert not attrs.has(CMemoryError)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (cmemory.UsageError(field="now", problem="has no zone"), "now: has no zone"),
        (cmemory.WireError(path="$.a[2].b", problem="unknown key"), "unknown key @ $.a[2].b"),
        (cmemory.StoreError(action="open", problem="damaged"), "open: damaged"),
        (
            cmemory.StoreError(action="write", problem="busy", retryable=True),
            "write: busy (may succeed later)",
        ),
        (cmemory.ModelError(problem="no answer"), "no answer"),
        (
            cmemory.WorkerError(code="WORKER_TIMEOUT", problem="no answer came in time"),
            "WORKER_TIMEOUT: no answer came in time",
        ),
        (
            cmemory.MissingExtraError(extra="openai"),
            "this needs an optional dependency: pip install 'cmemory[openai]'",
        ),
    ],
)
def test_errors_help(error: CMemoryError, expected: str) -> None:
    """An error says where and what, and how to go on."""
    assert expected == str(error)


def test_policies_differ_where_they_say() -> None:
    """The protocol's policy has no token limit and asks no release gate, the default one has both."""
    assert cmemory.GOVERNED.plan.max_tokens is None
    assert cmemory.COMPANION.plan.max_tokens is not None
    assert (False, True) == (cmemory.GOVERNED.release.enabled, cmemory.COMPANION.release.enabled)
    companion = cmemory.COMPANION
    assert attrs.evolve(cmemory.GOVERNED, plan=companion.plan, release=companion.release) == companion
