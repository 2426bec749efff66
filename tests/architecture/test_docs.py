"""The documentation tells the truth: generated parts are fresh, links lead somewhere, examples run."""

from __future__ import annotations

import doctest
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import cmemory

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
FRONT = [ROOT / name for name in ("README.md", "README.zh.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES = sorted([*FRONT, *DOCS.rglob("*.md")])
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
PROGRAM = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} (?P<title>.+)$", re.MULTILINE)
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX)\b")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:root|work)/")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "_generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def anchors_of(page: Path) -> set[str]:
    """Return the anchors that a Markdown page offers: its headings as GitHub writes them."""
    titles = HEADING.findall(FENCE.sub("", text_of(page)))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def links_of(page: Path) -> Iterator[str]:
    for found in LINK.finditer(FENCE.sub("", text_of(page))):
        if not found["target"].startswith(("http://", "https://", "mailto:")):
            yield found["target"]


def test_generated_parts_say_what_the_source_says() -> None:
    """When this fails: python docs/_generate.py."""
    assert [name_of(page) for page in generator().stale()] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_internal_links_lead_somewhere(page: Path) -> None:
    broken = []
    for target in links_of(page):
        path, _, anchor = target.partition("#")
        goal = (page.parent / path).resolve() if path else page
        if not goal.exists() or (anchor and anchor not in anchors_of(goal)):
            broken.append(target)
    assert broken == []


def test_every_page_can_be_reached_from_the_index() -> None:
    linked = {(DOCS / target.partition("#")[0]).resolve() for target in links_of(DOCS / "index.md")}
    assert [
        name_of(page) for page in sorted(DOCS.rglob("*.md")) if page not in {*linked, DOCS / "index.md"}
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_named_files_exist(page: Path) -> None:
    """A page that says where something stands must be right."""
    named = re.findall(r"`((?:src|tests|docs|examples)/[\w./-]+)`", text_of(page))
    assert [one for one in named if not (ROOT / one).exists()] == []


def test_named_tests_exist() -> None:
    """The fault table names the test that shows each row."""
    sources = "\n".join(text_of(file) for file in sorted((ROOT / "tests").rglob("*.py")))
    named = re.findall(r"`(test_\w+)`", text_of(DOCS / "explanation" / "reliability.md"))
    assert len(named) > 15
    assert [name for name in named if f"def {name}(" not in sources] == []


def test_both_readmes_show_the_same_program() -> None:
    english, chinese = (PROGRAM.findall(text_of(ROOT / name))[0] for name in ("README.md", "README.zh.md"))
    assert english == chinese


def test_the_chinese_readme_runs() -> None:
    """The other pages are collected by pytest itself."""
    page = str(ROOT / "README.zh.md")
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    done = doctest.testfile(page, module_relative=False, optionflags=flags, encoding="utf-8")
    assert done.attempted > 0
    assert done.failed == 0


def test_every_public_name_stands_in_the_reference() -> None:
    reference = "\n".join(text_of(page) for page in REFERENCE.glob("*.md"))
    assert [name for name in cmemory.__all__ if f"`{name}`" not in reference] == []


def test_every_method_of_the_facade_stands_in_the_reference() -> None:
    reference = text_of(REFERENCE / "memory.md")
    missing = [
        f"{facade.__name__}.{name}"
        for facade in (cmemory.Memory, cmemory.ScopedMemory)
        for name in vars(facade)
        if not name.startswith("_") and f"`{name}`" not in reference and f".{name}`" not in reference
    ]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_pages_are_finished_and_name_no_machine(page: Path) -> None:
    assert UNFINISHED.search(text_of(page)) is None
    assert MACHINE_PATH.search(text_of(page)) is None


@pytest.mark.parametrize("example", EXAMPLES, ids=name_of)
def test_examples_run(example: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(example)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_every_example_is_tiny() -> None:
    """An example that needs scrolling is a program, not an example."""
    assert [name_of(one) for one in EXAMPLES if len(text_of(one).splitlines()) > 80] == []
