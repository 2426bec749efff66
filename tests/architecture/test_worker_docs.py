"""What is published of the worker is what the worker does."""

from __future__ import annotations

import importlib.util
import json
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from jsonschema import Draft202012Validator

from cmemory.app.tools import OPERATIONS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "reference" / "worker" / "index.md"


@cache
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_worker", DOCS / "_worker.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_schemas_and_examples_are_up_to_date() -> None:
    """When this fails: python docs/_worker.py."""
    assert [path.name for path in generator().stale()] == []


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_example_fits_its_schemas(name: str) -> None:
    """The worker has answered each example itself, and both lines are what the schemas say."""
    request, answer = _examples()[name]
    for kind, line in (("request", request), ("response", answer)):
        schema = json.loads((PAGE.parent / f"{name}.{kind}.json").read_text("utf-8"))
        Draft202012Validator.check_schema(schema)
        Draft202012Validator(schema).validate(line)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_has_its_section(name: str) -> None:
    """The page tells of each operation, with its schemas."""
    page = PAGE.read_text("utf-8")
    assert f"\n### {name}\n" in page
    assert f"({name}.request.json), [answer]({name}.response.json)" in page


@cache
def _examples() -> dict[str, tuple[object, object]]:
    heard: dict[str, tuple[object, object]] = generator().examples()
    return heard
