"""Fixtures that contradict themselves are refused before a model is asked, with a code and a place."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from bench_fixtures import LIMIT, REFUSED, asked, fixture, guarded, session, turn
from cmemory.bench.eval.files import SHIPPED, checked, fixture_of, read_fixture
from cmemory.bench.eval.fixture import Effect, Fixture, Form, GoldClaim, ProtectionEvidence, RecallEvidence
from cmemory.bench.eval.golds import claim_candidate
from cmemory.bench.eval.run import run
from cmemory.bench.eval.validation import Rule, violations
from cmemory.domain.errors import UsageError, WireError
from cmemory.testing.fakes import ScriptedModel


def test_every_rule_has_a_refused_fixture() -> None:
    """A rule without one would be a rule that nobody has seen refuse anything."""
    assert set(Rule) == set(REFUSED)


@pytest.mark.parametrize("rule", Rule)
def test_a_broken_rule_is_told_with_its_place(rule: Rule) -> None:
    """Each refused fixture breaks its rule and no other."""
    broken, place = REFUSED[rule]
    assert [(place, rule)] == [(one.place, one.rule) for one in violations(broken)]


@pytest.mark.parametrize("rule", [rule for rule in Rule if rule.fatal])
def test_a_fatal_violation_comes_before_any_question(rule: Rule, tmp_path: Path) -> None:
    """A scripted model without answers would fail the test if it were asked; no file is left either."""
    broken, place = REFUSED[rule]
    with pytest.raises(UsageError, match=f"{place}: {rule.value}"):
        run(broken, ScriptedModel(), tmp_path / "run.jsonl", repetitions=1)
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("rule", [rule for rule in Rule if not rule.fatal])
def test_a_mild_violation_refuses_nothing(rule: Rule) -> None:
    """Its turn is played and not scored."""
    broken, _ = REFUSED[rule]
    assert broken == checked(broken)


@pytest.mark.parametrize("sound", [asked(), guarded()])
def test_a_sound_fixture_breaks_nothing(sound: Fixture) -> None:
    """What the refused fixtures are made of is sound by itself."""
    assert () == violations(sound)


@pytest.mark.parametrize(
    "form", [Form(), Form(max_chars=0), Form(min_chars=-1), Form(min_chars=2, max_chars=1)]
)
def test_a_form_asks_for_something_possible(form: Form) -> None:
    """An empty form would be met by anything."""
    asked_for = fixture(session(0, turn("Hi.", effect_type=Effect.PREFERENCE, form=form)))
    assert [Rule.FORM_CONTRADICTORY] == [one.rule for one in violations(asked_for)]


@pytest.mark.parametrize("effect", [Effect.FORGETTING_SILENCE, Effect.NAME_RESTRAINT])
def test_what_is_gone_or_open_needs_no_surface(effect: Effect) -> None:
    """There is no quiet record to look for."""
    evidence = ProtectionEvidence(tokens=("400",))
    assert () == violations(guarded(effect_type=effect, protection_evidence=evidence))


def test_a_fixture_without_sessions_is_refused() -> None:
    """There is nothing to play."""
    assert [Rule.NOTHING_TO_PLAY] == [one.rule for one in violations(fixture())]


def test_all_refusals_are_counted() -> None:
    """The first is told, and how many more there are."""
    twice = fixture(session(0, turn(" "), turn("")))
    with pytest.raises(UsageError, match=r"day-0t0: turn-blank, and 1 more"):
        checked(twice)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_fixtures_are_long_and_sound(name: str) -> None:
    """At least sixty turns over more than six weeks, every effect, and nothing that contradicts itself."""
    shipped = read_fixture(name)
    turns = [place.turn for place in shipped.placed()]
    assert () == violations(shipped)
    assert len(turns) >= 60
    assert shipped.sessions[-1].day - shipped.sessions[0].day >= 42
    assert set(Effect) == {one.effect_type for one in turns} - {None}
    assert {"mute", "forget"} <= {act.do.value for one in turns for act in one.acts}
    assert any(one.counterfactual for one in turns)
    assert any(note.due_day for one in turns for note in one.gold_notes)
    assert name == shipped.language


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("{", "$"),
        ("[]", "$"),
        ('{"format": 1}', "$."),
        ('{"format": "1"}', "$."),
    ],
)
def test_a_file_of_another_form_is_refused_with_the_place(text: str, path: str) -> None:
    """Unknown and missing keys and values of another type are told by their path."""
    with pytest.raises(WireError) as refused:
        fixture_of(text)
    assert refused.value.path.startswith(path)


def test_an_unknown_key_of_a_turn_is_refused(tmp_path: Path) -> None:
    """A misspelt key would otherwise be a turn that silently tests nothing."""
    text = '{"text": "Hi.", "intent": "talk", "efect_type": "name"}'
    spelt = (
        '{"format": 1, "name": "x", "about": "", "language": "en", "starts": "2026-03-02T09:00:00Z", "zone": "UTC", '
        f'"instructions": "", "sessions": [{{"id": "s", "day": 0, "turns": [{text}]}}]}}'
    )
    (tmp_path / "f.json").write_text(spelt, encoding="utf-8")
    with pytest.raises(WireError, match=r"unknown key.*\$\.sessions\[0\]\.turns\[0\]"):
        read_fixture(tmp_path / "f.json")


def test_a_file_that_is_not_there_is_a_mistake_of_the_caller(tmp_path: Path) -> None:
    """As is one that is not text."""
    with pytest.raises(UsageError, match="cannot be read"):
        read_fixture(tmp_path / "nothing.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    with pytest.raises(WireError, match="UTF-8"):
        read_fixture(tmp_path / "bytes.json")


def test_a_candidate_needs_its_quote() -> None:
    """Who puts facts to admission without checking the fixture is told which turn is at fault."""
    (place,) = fixture(session(0, turn("Nothing of the kind."))).placed()
    with pytest.raises(UsageError, match="day-0t0"):
        claim_candidate(place, LIMIT)


@pytest.mark.parametrize(
    "fields",
    [
        {"recall_evidence": RecallEvidence(strong=("Fennel",), stale=(" ",))},
        {
            "counterfactual": (
                GoldClaim(predicate="misc.unclassified", value="x", quote="the dog", tells=("",)),
            )
        },
    ],
)
def test_a_blank_token_would_be_found_everywhere(fields: dict[str, object]) -> None:
    """So a correction could never pass, and a wrong fact would always count as repeated."""
    assert [Rule.TOKEN_BLANK] == [one.rule for one in violations(asked(**fields)) if one.fatal][:1]


def test_the_limit_of_a_guarded_fixture_stands_in_prior_gold() -> None:
    """A token is looked for in every text of the gold: quote, wording and value."""
    assert attrs.evolve(LIMIT, value=400).texts == ("no more than 400 pounds", "400")
