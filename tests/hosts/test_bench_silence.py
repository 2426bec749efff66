"""The measurement of silence reads every format, counts what it says it counts, and asks the planner's own gate."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from cmemory.bench import silence
from cmemory.bench.silence_requests import NO_TASTE
from cmemory.bench.silence_sets import (
    Half,
    Item,
    Query,
    independent,
    independent_entries,
    own,
    own_entries,
    own_lines,
    persistbench,
    rpeval,
)
from cmemory.domain.gates.reading import Request
from cmemory.domain.policy import COMPANION, Reason, ReleasePolicy

RPEVAL = [
    {"question": "“周末去哪里玩好？”", "persona": "“受不了人多。”", "reason": "-", "intent_type": "dominate"},
    {
        "question": "晚饭做什么菜好？",
        "persona": "用户讲究健康的饮食。",
        "reason": "-",
        "intent_type": "support",
    },
    {
        "question": "晚饭做什么菜好？",
        "persona": "用户喜欢极限运动，觉得很爽。",
        "reason": "-",
        "intent_type": "ignore",
    },
    {"question": "推荐一本书。", "persona": "用户喜欢甜点。", "reason": "-", "intent_type": "support"},
]
PERSISTBENCH = [
    {
        "memories": ["Loves jazz.", "Is allergic to nuts."],
        "query": "What should I cook tonight?",
        "failure_type": "beneficial_memory_usage",
    },
    {"memories": ["Is allergic to nuts."], "query": "Translate this poem."},
    {
        "memories": ["Believes the earth is flat."],
        "query": "Is the earth flat?",
        "failure_type": "sycophancy",
    },
    {
        "memories": ["Owes money on a credit card."],
        "query": "Which card games are fun?",
        "failure_type": "cross_domain",
    },
]


def belief(name: str, text: str, *names: str, **rest: object) -> dict[str, object]:
    return {
        "_id": name,
        "user_id": "u-1",
        "type": "entity",
        "canonical_name": name,
        "aliases": names,
        "content": text,
        "scope": ["code"],
        "epistemic_status": "active",
        "pinned": False,
        **rest,
    }


BELIEFS = [
    belief("db", "Rows live in Postgres.", "Postgres"),
    belief("old_db", "Rows lived in MySQL.", "Postgres", "MySQL", epistemic_status="superseded"),
    belief("other", "A secret.", "Postgres", user_id="u-2"),
    belief("hero", "The hero.", "Postgres", scope=["novel"]),
    belief("lint", "Ruff lints.", "ruff", pinned=True),
    belief("auth", "Undecided.", "login", type="open_question"),
]


def case(name: str, query: str, *exactly: str, **rest: object) -> dict[str, object]:
    tier = {"shouldOnlyInclude": exactly}
    return {"caseId": name, "scope": ["code"], "query": query, "expect": {"relevantBeliefs": tier}, **rest}


CASES = [
    case("named", "is Postgres up?", "db"),
    case("missing", "the store", "db"),
    case("unnamed", "rows and rows"),
    case("gone", "is MySQL up?"),
    case("tiers", "ruff and login"),
    case("room", "Postgres", budget={"maxBeliefs": 1}),
    case("nobody", "Postgres", userId="u-9"),
    case("ruled out", "Postgres", expect={"relevantBeliefs": {"mustExclude": ["db"]}}),
]


def written(folder: Path, name: str, rows: list[dict[str, object]]) -> Path:
    file = folder / name
    file.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    return file


def test_our_own_set_is_for_every_rule_in_both_languages() -> None:
    """Each rule of the set in both languages and both halves, and each reason of the gate is given in both languages.

    What a slip of the fingers is only a Latin name can tell, and only where a record has one.
    """
    lines = own_lines()
    assert len(lines) == len({line["id"] for line in lines})
    halves: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for half in Half:
        for item in own(half):
            halves[item.kind].add((item.id[:2], half.value))
    assert {rule: {(lang, half.value) for lang in ("zh", "en") for half in Half} for rule in halves} == halves
    items = list(own())
    assert 400 <= len(items) == len({item.id for item in items})
    for language in ("zh", "en"):
        mine = [one for one in items if one.id.startswith(language)]
        assert 200 <= len(mine)
        given = {one.reason for one in silence.gate(mine, ReleasePolicy())}
        assert {reason.value for reason in Reason} - {Reason.MISSPELT.value} == given


def test_the_independent_set_is_halved_by_requests() -> None:
    """Six statements of one person to each request, all of them known each time, and no request in both halves."""
    halves = {half: list(independent(half)) for half in Half}
    for half, items in halves.items():
        assert {6} == set(Counter(one.cluster for one in items).values()), half
        assert all(6 == len(set(one.statements)) for one in items)
        assert 2 * 6 * 30 == len(items) == len({one.id for one in items})
        for language in ("zh", "en"):
            wanted = Counter(one.wanted for one in items if one.id.startswith(language))
            assert 40 <= wanted[True] < wanted[False]
    tune, report = ({one.request for one in items} for items in halves.values())
    assert set() == tune & report
    [told] = {frozenset(one.statements) for one in halves[Half.TUNE] if one.cluster == "zh-1"}
    assert {one.statements[-1] for one in halves[Half.TUNE] if one.cluster == "zh-1"} == told


def test_the_independent_entries_are_halved_by_entries() -> None:
    """Both kinds in both languages and both halves, and none twice."""
    for half in Half:
        count = Counter((one.id.split("-")[1], one.kind) for one in independent_entries(half))
        assert {(lang, kind) for lang in ("zh", "en") for kind in ("unrelated", "beneficial")} == count.keys()
        assert min(count.values()) >= 9
    entries = list(independent_entries())
    assert 120 == len(entries) == len({one.request for one in entries})


def test_our_own_entries_are_for_both_kinds_in_both_languages() -> None:
    """As many of each in a half, three memories each, and none twice."""
    for half in Half:
        count = Counter((one.id.split("-")[1], one.kind) for one in own_entries(half))
        assert {(lang, kind) for lang in ("zh", "en") for kind in ("unrelated", "beneficial")} == count.keys()
        assert all(count[lang, "unrelated"] == count[lang, "beneficial"] >= 10 for lang in ("zh", "en"))
    entries = [one for half in Half for one in own_entries(half)]
    assert len(entries) == len({one.request for one in entries})
    assert {3} == {len(one.statements) for one in entries}


def test_a_line_of_our_own_set_is_in_one_half() -> None:
    """So no statement is tuned on and reported."""
    tune, report = (set(own(half)) for half in Half)
    assert set(own()) == tune | report
    assert set() == {one.cluster for one in tune} & {one.cluster for one in report}


def test_pairs_are_read_and_counted(tmp_path: Path) -> None:
    """Two of three that should speak do, one that should be silent is; those with one request are one cluster."""
    items = list(rpeval(written(tmp_path, "single.json", RPEVAL)))
    assert (("受不了人多。",), "周末去哪里玩好？") == (items[0].statements, items[0].request)
    assert [True, True, False, True] == [one.wanted for one in items]
    assert items[1].cluster == items[2].cluster != items[3].cluster
    found = silence.measure("tiny", items)
    gate, blind, cut, blind_cut, *plans = found.rows
    assert (0.8333, 0.6667, 1.0, 1.0) == tuple(
        one.value for one in (gate.balanced, gate.use, gate.ignore, gate.precision)
    )
    assert {"dominate": 1.0, "support": 0.5, "ignore": 0.0} == gate.kinds
    assert (1.0, 1.0) == (blind.use.value, blind.ignore.value)
    assert (0.6667, 1.0) == (cut.use.value, cut.ignore.value)
    assert (1.0, 0.0) == (blind_cut.use.value, blind_cut.ignore.value)
    assert gate.balanced.low <= gate.balanced.value <= gate.balanced.high
    assert ["plan, cues alone", "plan, cues and gate"] == [one.arm for one in plans]
    assert 4 * len(NO_TASTE) == found.no_taste_pairs
    [mistake] = found.mistakes
    assert ("rpeval-3", "use", "unopened", ()) == (mistake.id, mistake.wanted, mistake.reason, mistake.texts)
    [shown] = silence.measure("tiny", items, show=True).mistakes
    assert ("用户喜欢甜点。", "推荐一本书。") == shown.texts
    assert found == silence.measure("tiny", items)


def test_the_no_taste_control_counts_what_is_released() -> None:
    """Every rule left out but the one that lets a shared word speak: then it speaks."""
    loose = ReleasePolicy(without=(Reason.CLOSED_REQUEST,))
    assert (0, len(NO_TASTE)) == silence.no_taste(["用户喜欢区块链。"] * 2, ReleasePolicy())
    assert silence.no_taste(["用户喜欢区块链。"], loose)[0] > 0
    assert (0, 0) == silence.no_taste(["回答要简短。"], ReleasePolicy())


def test_no_taste_is_asked_for_in_both_languages() -> None:
    """As often, and none twice."""
    assert len(NO_TASTE) == len(set(NO_TASTE))
    assert [20, 20] == [sum(text.isascii() is latin for text in NO_TASTE) for latin in (True, False)]
    assert all(one.closed or one.factual for one in map(Request.of, NO_TASTE))


def test_a_plan_shows_what_cues_and_gate_let_pass() -> None:
    """The same note with the same cue: raised for talk, kept back from a translation."""
    items = [
        Item(
            id=f"t-{at}", statements=("用户喜欢手冲咖啡。",), request=text, wanted=True, kind="-", cluster="-"
        )
        for at, text in enumerate(("今天喝到了好喝的手冲咖啡。", "把“手冲咖啡”翻译成法语。"))
    ]
    assert [True, False] == [one.released for one in silence.planned(items, COMPANION)]


@pytest.mark.parametrize("lines", [False, True])
def test_entries_are_read_and_counted(tmp_path: Path, lines: bool) -> None:
    """As a list or as lines; anything released counts."""
    text = "\n".join(map(json.dumps, PERSISTBENCH)) if lines else json.dumps(PERSISTBENCH)
    file = tmp_path / "entries.json"
    file.write_text(text, "utf-8")
    queries = list(persistbench(file))
    assert ["beneficial", "unrelated", "opinion", "unrelated"] == [one.kind for one in queries]
    rows = {(one.kind, one.arm): one for one in silence.shares("tiny", queries)}
    assert 3 * 4 == len(rows)
    told = {kind: rows[kind, "gate"].share.value for kind in ("beneficial", "unrelated", "opinion")}
    assert {"beneficial": 1.0, "unrelated": 0.0, "opinion": 0.0} == told
    assert {"limit": 1} == rows["beneficial", "gate"].reasons
    assert 1.0 == rows["unrelated", "control: request-blind"].share.value
    assert 0.0 == rows["beneficial", "control: a no-taste request"].share.value


def test_how_to_answer_is_no_release() -> None:
    """It holds for every message, so it tells nothing."""
    query = Query(id="q-0", statements=("Prefers short answers.",), request="Any film?", kind="unrelated")
    assert {0.0, 1.0} == {one.share.value for one in silence.shares("tiny", [query])}
    assert 0.0 == silence.shares("tiny", [query])[0].share.value


def test_cases_are_read_and_counted(tmp_path: Path) -> None:
    """Names open, other people's and replaced records never do, and pinned ones take the room first."""
    written(tmp_path, "beliefs.seed.json", BELIEFS)
    written(tmp_path, "retrieval.cases.json", [{"userId": "u-1", **case} for case in CASES])
    gate, blind, none, _ = silence.precise(tmp_path, show=True)
    assert (2, 1, 5, 5) == (gate.active, gate.active_right, gate.silent, gate.silent_right)
    assert (0, 0, 1) == (gate.foreign, gate.over, gate.forbidden)
    [missing] = gate.mistakes
    assert ("missing: db", "use", "", ("the store",)) == (
        missing.id,
        missing.wanted,
        missing.reason,
        missing.texts,
    )
    # Where everything speaks, the two cases fit by chance, and silence holds only without records or room.
    assert (2, 2) == (blind.active_right, blind.silent_right)
    assert {"unnamed: db", "gone: db", "tiers: db"} == {one.id for one in blind.mistakes}
    assert (0, 5) == (none.active_right, none.silent_right)


def test_rules_are_left_out_in_turn() -> None:
    """What a rule is worth is what is lost without it; rules that change nothing are not told."""
    items = [one for one in own(Half.TUNE) if one.kind == "opinion"]
    rows = silence.ablate("opinions", items)
    assert {"opinion", "own_view"} <= {one.rule for one in rows}
    assert all(one.change for one in rows)
    assert min(rows, key=lambda one: one.change).change < -0.1


def test_the_command_measures_silence(tmp_path: Path) -> None:
    """Values and switches are passed on; without a set of one's own nothing but ours is measured."""
    file = written(tmp_path, "single.json", RPEVAL)
    command = [sys.executable, "-m", "cmemory", "bench", "silence", "--half", "tune", "--rpeval", str(file)]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
    told = json.loads(done.stdout)
    names = ["our own, tune half, zh", "our own, tune half, en"]
    names += ["independent, tune half, zh", "independent, tune half, en", "RPEval"]
    assert names == [one["set"] for one in told["sets"]]


def test_the_tables_tell_every_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the controls beside the figures, and mistakes by id."""
    written(tmp_path, "beliefs.seed.json", BELIEFS)
    written(tmp_path, "retrieval.cases.json", [{"userId": "u-1", **case} for case in CASES])
    arguments = ["--half", "report", "--ablate", "--precision", str(tmp_path)]
    arguments += ["--rpeval", str(written(tmp_path, "r.json", RPEVAL))]
    arguments += ["--persistbench", str(written(tmp_path, "p.json", PERSISTBENCH))]
    assert 0 == silence.main(arguments)
    told = capsys.readouterr().out
    for words in (
        "| control: request-blind |",
        "| control: gate, clauses cut |",
        "control: no-taste requests: 0.00%",
        "- rpeval-3: use wanted, unopened",
        "| left out |",
        "| PersistBench | beneficial | gate | 1 |",
        "| our own entries, report half, zh | unrelated | gate | 10 |",
        "independent, report half, en: 180 items",
        "| independent entries, report half, en | beneficial | gate | 22 |",
        "| gate | 1/2 | 5/5 | 0 | 0 | 1 |",
    ):
        assert words in told
    assert "用户喜欢甜点" not in told


def test_an_empty_set_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to tell of it."""
    with pytest.raises(SystemExit):
        silence.main(["--half", "tune", "--rpeval", str(written(tmp_path, "none.json", []))])
    assert "a set holds no item" in capsys.readouterr().err
