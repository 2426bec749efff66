"""The measurement of the search reads what it says it reads, and counts what it says it counts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cmemory.bench import retrieval, retrieval_sets, retrieval_speed
from cmemory.bench.plot import Bar, bars
from cmemory.bench.retrieval_run import BARE, REPORTED, WHOLE, run, variants
from cmemory.bench.retrieval_sets import Case, Collection, Entry, Kept, Part, Question, Surface


def written(file: Path, content: object) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return file


def written_lines(file: Path, contents: list[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in contents), encoding="utf-8")


def locomo(folder: Path) -> Path:
    """Write two tiny conversations in the form of LoCoMo, with a misspelt reference and a picture."""
    talk = {
        "speaker_a": "Ida",
        "speaker_b": "Tom",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ida", "dia_id": "D1:1", "text": "Hi Tom!"},
            {"speaker": "Tom", "dia_id": "D1:2", "text": "Hello Ida, how are you?"},
            {"speaker": "Ida", "dia_id": "D1:3", "text": "I adopted a beagle called Biscuit."},
        ],
        "session_2_date_time": "9:00 am on 9 May, 2023",
        "session_2": [
            {"speaker": "Tom", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a red zeppelin"}
        ],
    }
    asked = [
        {"question": "Which beagle?", "evidence": ["D:1:03; D2:1"], "category": 1},
        {"question": "Who has a zeppelin?", "evidence": ["D2:1"], "category": 4},
        {"question": "Which car?", "evidence": [], "category": 1},
        {"question": "Never said?", "evidence": ["D1:1"], "category": 5},
    ]
    sets = [{"sample_id": name, "conversation": talk, "qa": asked} for name in ("conv-26", "conv-99")]
    return written(folder / "locomo.json", sets)


def madial(folder: Path) -> Path:
    """Write a tiny set in the form of MADial-Bench; the English memories do not tell whose they are."""
    for inside, stem, event, said in (
        ("ch", "zh", "Bo在海边捡到一只蓝色的贝壳。", "海边的贝壳不见了！"),
        ("en", "en", "Bo found a blue shell on the beach.", "The shell is gone!"),
    ):
        memory = {"time": "2024-01-03", "event": event}
        other = {"time": "2024-01-03", "event": "Ru学会了包饺子。", "user-id": 2}
        own = memory if stem == "en" else {**memory, "user-id": 1}
        written_lines(folder / inside / f"MADial-Bench-{stem}-memory.json", [{"7": own}, {"8": other}])
        turns = ["<BOD>\n", '<Bo>:"嗨"\n', '<Assistant>:"Hi"\n', f'<Bo>: "{said}"\n', '<Assistant>:"…"\n']
        asked = {"dialogue": turns, "test-turn": [4], "relevant-id": [7, 99], "user-id": 1}
        written_lines(folder / inside / f"MADial-Bench-{stem}-dialogue.json", [asked])
    return folder


def realmem(folder: Path) -> Path:
    """Write one person in the form of RealMemBench: the second session uses what was extracted from the first."""
    used = {"session_uuid": "a", "content": "Plants tomatoes on the balcony."}
    sessions = [
        {
            "session_uuid": "a",
            "current_time": "2026-01-01 (Thursday)",
            "extracted_memory": [used, {"session_uuid": "a", "content": {"table": "of seeds"}}],
            "dialogue_turns": [{"speaker": "User", "content": "Tomatoes!"}],
        },
        {
            "session_uuid": "b",
            "current_time": "2026-01-02 (Friday)",
            "extracted_memory": [{"session_uuid": "b", "content": "Plants tomatoes and basil."}],
            "dialogue_turns": [
                {"speaker": "User", "content": "How are the tomatoes?"},
                {"speaker": "Assistant", "content": "Fine.", "memory_used": [used, "not a memory"]},
            ],
        },
    ]
    written(folder / "Ethan_Hunt_dialogues_256k.json", {"dialogues": sessions})
    return folder


def precision(folder: Path) -> Path:
    """Write three beliefs and two cases in the form of PrecisionMemBench."""
    belief = {"user_id": "test-user", "created_at": "2026-09-01T00:00:00Z", "aliases": ["k8s"]}
    written(
        folder / "beliefs.seed.json",
        [
            {**belief, "_id": "b-1", "canonical_name": "Kubernetes", "content": "Runs it on two nodes."},
            {**belief, "_id": "b-0", "canonical_name": "Swarm", "content": "Ran it.", "superseded_by": "b-1"},
            {
                **belief,
                "_id": "b-2",
                "user_id": "other-user",
                "canonical_name": "Nomad",
                "content": "Nomads.",
            },
        ],
    )
    cases = [
        {
            "query": "my k8s?",
            "category": "Alias",
            "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["b-1"]}},
        },
        {"query": "hm", "category": "Silence", "expect": {"relevantBeliefs": {"shouldOnlyInclude": []}}},
    ]
    written(folder / "retrieval.cases.json", cases)
    return folder


def test_locomo_keeps_turns_captions_and_repaired_references(tmp_path: Path) -> None:
    """Questions without an answer or evidence are left out; known conversations are not reported as unseen."""
    found = retrieval_sets.locomo(locomo(tmp_path))
    one, other = found.cases
    assert (Part.TUNE, Part.REPORT) == (one.part, other.part)
    assert ["D1:1", "D1:2", "D1:3", "D2:1"] == [entry.name for entry in one.entries]
    assert "[a red zeppelin] Look!" == one.entries[3].text
    assert [("multi-hop", frozenset({"D1:3", "D2:1"})), ("single-hop", frozenset({"D2:1"}))] == [
        (asked.category, asked.gold) for asked in one.questions
    ]
    assert ("Ida", "Tom") == (one.person, one.companion)


def test_realtalk_is_read_in_its_public_layout(tmp_path: Path) -> None:
    """One file for each pair of people, with moments of its own spelling."""
    talk = {
        "name": {"speaker_1": "Ann", "speaker_2": "Bea"},
        "session_1_date_time": "29.12.2023, 13:05:00",
        "session_1": [
            {"clean_text": "I bake bread", "speaker": "Ann", "dia_id": "D1:1"},
            {"clean_text": "", "speaker": "Bea", "dia_id": "D1:2"},
            {"clean_text": "Rye?", "speaker": "Bea", "dia_id": "D1:3"},
        ],
        "qa": [{"question": "What does Ann bake?", "evidence": ["D1:1"], "category": 1}],
    }
    written(tmp_path / "Chat_1.json", talk)
    (case,) = retrieval_sets.realtalk(tmp_path).cases
    assert [("D1:1", "user"), ("D1:3", "assistant")] == [(one.name, one.speaker) for one in case.entries]
    assert case.entries[0].at.startswith("2023-12-29T13:05")
    assert (Part.REPORT, "multi-hop") == (case.part, case.questions[0].category)


def test_memdaily_is_read_with_and_without_noise(tmp_path: Path) -> None:
    """Messages are objects in the plain set and texts in the noisy one; steps are counted from 0."""
    plain = {"message": "我表弟叫陈星。", "place": "杭州", "time": "周一"}
    asked = {"question": "我表弟叫什么？", "target_step_id": [0, 9]}
    trajectory = {"tid": 3, "message_list": [plain, "今天下雨了。"], "QA": asked}
    file = written(tmp_path / "memdaily.json", {"simple": {"roles": [trajectory]}})
    (case,) = retrieval_sets.memdaily(file).cases
    assert ["我表弟叫陈星。 (杭州, 周一)", "今天下雨了。"] == [one.text for one in case.entries]
    (question,) = case.questions
    assert (frozenset({"0"}), "simple", 2) == (question.gold, question.category, question.after)
    (outcome,) = run(case, Kept.MESSAGES, Surface.UTTERANCE, variants((), ablate=False))[WHOLE]
    assert 1.0 == outcome.recall[5] == outcome.reciprocal


def test_the_diaries_are_the_same_on_every_run() -> None:
    """Each question has its answers among what was told, and every diary is among as many made-up messages."""
    found = retrieval_sets.diary()
    assert found == retrieval_sets.diary()
    assert [Part.TUNE, Part.TUNE, Part.CHECK] == [case.part for case in found.cases]
    for case in found.cases:
        names = [entry.name for entry in case.entries]
        assert len(names) == len(set(names)) == 114
        assert {"simple", "conditional", "compound", "noisy"} == {one.category for one in case.questions}
        assert all(one.gold <= set(names) for one in case.questions)


def test_madial_looks_for_all_that_was_said(tmp_path: Path) -> None:
    """In both languages; only the person's own words give leave."""
    zh = retrieval_sets.madial(madial(tmp_path), stem="zh")
    (case,) = zh.cases
    assert ["7"] == [one.name for one in case.entries]
    (question,) = case.questions
    assert ("嗨\nHi\n海边的贝壳不见了！", "嗨\n海边的贝壳不见了！") == (question.text, question.said)
    assert frozenset({"7"}) == question.gold
    (case,) = retrieval_sets.madial(tmp_path, stem="en").cases
    assert "Bo found a blue shell on the beach." == case.entries[0].text


def test_only_earlier_sessions_are_searched(tmp_path: Path) -> None:
    """A question is asked of what was known when it came up."""
    (case,) = retrieval_sets.realmem(realmem(tmp_path)).cases
    assert 3 == len(case.entries)
    (question,) = case.questions
    assert ("How are the tomatoes?", 2, frozenset({"m0"})) == (question.text, question.after, question.gold)
    (outcome,) = run(case, Kept.EPISODES, Surface.RECORD, variants((), ablate=False))[WHOLE]
    assert 1.0 == outcome.reciprocal
    (outcome,) = run(case, Kept.EPISODES, Surface.PLAN, variants((), ablate=False))[WHOLE]
    assert 1.0 == outcome.recall[10]


def test_beliefs_are_found_by_their_other_names(tmp_path: Path) -> None:
    """Those of others and those that were replaced are not there."""
    found = retrieval_sets.precision(precision(tmp_path))
    cases = {case.name: case for case in found.cases}
    assert ["b-1"] == [one.name for one in cases["test-user"].entries]
    assert () == cases["other-user"].questions
    (outcome,) = run(cases["test-user"], found.kept, Surface.RECORD, variants((), ablate=False))[WHOLE]
    assert ("Alias", 1.0) == (outcome.category, outcome.reciprocal)


def test_places_are_counted() -> None:
    """Shares of the answers by depth, the first answer's place, and the share of their sessions."""
    entries = tuple(
        Entry(
            name=f"e{at}",
            text="cello " * (1 + 6 * (at == 0)) + f"w{at}",
            session=f"s{at}",
            at=f"2026-01-01T09:{at:02d}:00Z",
        )
        for at in range(12)
    )
    asked = Question(
        text="cello",
        category="any",
        gold=frozenset({"e0", "e1", "e11"}),
        after=12,
        at="2026-01-02T09:00:00Z",
    )
    case = Case(name="c", part=Part.REPORT, entries=entries, questions=(asked,))
    (outcome,) = run(case, Kept.MESSAGES, Surface.UTTERANCE, variants((), ablate=False), sessions=True)[WHOLE]
    # The most cello first, then the newest; the second oldest comes last.
    assert {5: pytest.approx(2 / 3), 10: pytest.approx(2 / 3), 20: 1.0} == outcome.recall
    assert 1.0 == outcome.reciprocal
    assert pytest.approx(2 / 3) == outcome.sessions


def test_texts_that_say_the_same_answer_for_each_other() -> None:
    """They are one record."""
    entries = tuple(
        Entry(name=name, text="Keeps bees on the roof.", session=name, at="2026-01-01T09:00:00Z")
        for name in ("a", "b")
    )
    asked = Question(text="bees", category="any", gold=frozenset({"b"}), after=2, at="2026-01-02T09:00:00Z")
    case = Case(name="c", part=Part.REPORT, entries=entries, questions=(asked,))
    (outcome,) = run(case, Kept.EPISODES, Surface.RECORD, variants((), ablate=False))[WHOLE]
    assert (1.0, 0.5) == (outcome.recall[5], outcome.reciprocal)


def test_reports_of_use_are_a_policy_of_their_own(tmp_path: Path) -> None:
    """What a reply used before stands in front the next time, in a relationship that heard of it."""
    entries = tuple(
        Entry(name=name, text=f"Keeps bees on the {name}.", session=name, at=f"2026-01-{day}T09:00:00Z")
        for name, day in (("roof", "01"), ("hill", "20"))
    )
    asked = [
        Question(
            text="bees", category="any", gold=frozenset({"roof"}), after=2, at=f"2026-02-0{day}T09:00:00Z"
        )
        for day in (1, 2)
    ]
    case = Case(name="c", part=Part.REPORT, entries=entries, questions=tuple(asked))
    found = Collection(name="any", kept=Kept.EPISODES, cases=(case,))
    rows = list(retrieval.rows(found, Surface.RECORD, ablate=False, feedback=True))
    assert [(WHOLE, 0.5), (REPORTED, 0.75)] == [(row.policy, row.mrr) for row in rows]
    assert [WHOLE] == [row.policy for row in retrieval.rows(found, Surface.PLAN, ablate=False, feedback=True)]


def test_all_sets_are_told_in_one_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same figures on every run, in three forms."""
    folder, out = tmp_path / "sets", tmp_path / "out"
    arguments = [
        *("--locomo", str(locomo(folder)), "--madial", str(madial(folder))),
        *("--realmem", str(realmem(folder / "realmem")), "--precision", str(precision(folder))),
        *("--ablate", "--out", str(out), "--json"),
    ]
    printed = []
    for _ in range(2):
        assert 0 == retrieval.main(arguments)
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] == (out / "retrieval.json").read_text("utf-8")
    rows = json.loads(printed[0])["rows"]
    assert {("LoCoMo", "tune"), ("LoCoMo", "report"), ("MADial zh", "tune"), ("RealMem", "tune")} <= {
        (row["set"], row["part"]) for row in rows
    }
    spoken = [
        row for row in rows if (row["set"], row["part"], row["category"]) == ("LoCoMo", "report", "all")
    ]
    assert {WHOLE, BARE, "without window", "without answer"} <= {row["policy"] for row in spoken}
    assert 0.75 == spoken[0]["sessions"] == spoken[0]["recall"]["10"]
    for row in rows:
        low, high = row["interval"]
        assert 0 <= low <= row["recall"]["10"] <= high <= 1
        assert row["recall"]["5"] <= row["recall"]["10"] <= row["recall"]["20"]
        assert row["complete"]["10"] <= row["recall"]["10"]
    assert "| LoCoMo, utterance, report: all parts | 2 |" in (out / "retrieval.md").read_text("utf-8")
    assert ElementTree.parse(out / "retrieval.svg").getroot().tag.endswith("svg")  # noqa: S314 - our own file
    assert 0 == retrieval.main([*arguments[:2], "--limit", "1"])
    assert "report" not in capsys.readouterr().out


def test_an_ablation_is_a_policy() -> None:
    """With the weight at 0, and all others as they are."""
    chosen = {one.name: one.policy.recall for one in variants(("window", "reply"), ablate=True)}
    assert [WHOLE, "without window", "without reply", BARE] == list(chosen)
    assert (0.0, chosen[WHOLE].reply) == (chosen["without window"].window, chosen["without window"].reply)
    assert (0.0, 0.0) == (chosen[BARE].window, chosen[BARE].reply)


def test_nothing_to_ask_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """No set, or no messages."""
    for arguments in ([], ["--messages", "0"]):
        with pytest.raises(SystemExit):
            retrieval.main(arguments)
        assert "error: " in capsys.readouterr().err


@pytest.mark.parametrize("chinese", [False, True])
def test_searches_are_timed(chinese: bool) -> None:
    """A row for all and one for a single speaker."""
    told = retrieval_speed.report(30, chinese=chinese)
    assert told.startswith("30 messages in ")
    assert (2, 1) == (told.count("eight characters" if chinese else "five words"), told.count("one speaker"))


def test_the_command_passes_its_options_on(tmp_path: Path) -> None:
    """JSON included."""
    command = [sys.executable, "-m", "cmemory", "--json", "bench", "retrieval"]
    done = subprocess.run(
        [*command, "--locomo", str(locomo(tmp_path)), "--limit", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (0, "") == (done.returncode, done.stderr)
    assert {"LoCoMo"} == {row["set"] for row in json.loads(done.stdout)["rows"]}


def test_bars_are_drawn() -> None:
    """As XML, labels escaped."""
    drawn = bars("a < b", [Bar(label="x & y", value=0.5, low=0.4, high=0.75)])
    texts = [one.text for one in ElementTree.fromstring(drawn).iter() if one.text and one.text.strip()]  # noqa: S314 - our own
    assert {"a < b", "x & y", "0.500", "1.00"} <= set(texts)


def test_a_set_knows_how_it_can_be_asked() -> None:
    """Messages are searched; records are searched and planned with."""
    asked = {kept: Collection(name="", kept=kept, cases=()).surfaces for kept in Kept}
    assert asked == {
        Kept.MESSAGES: (Surface.UTTERANCE,),
        Kept.EPISODES: (Surface.RECORD, Surface.PLAN),
        Kept.NOTES: (Surface.RECORD, Surface.PLAN),
    }
