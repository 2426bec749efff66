"""The vocabulary: its check sums, its invariants, and what happens to keys that are not in it."""

from __future__ import annotations

from collections import Counter

import pytest

from cmemory.domain.predicates.registry import (
    DOMAINS,
    MISC_ALARM_SHARE,
    PREDICATES,
    Cardinality,
    Lifetime,
    Sensitivity,
    ValueKind,
    Visibility,
    find,
    is_boundary,
    may_infer,
    split,
    visibility_of,
)

ROWS = tuple(PREDICATES.values())
RELATIONS = (
    "partner spouse parent child sibling friend best_friend colleague manager report ex_partner "
    "therapist pet other"
)


def test_vocabulary_has_47_keys() -> None:
    """The vocabulary is closed at 47 keys, each under its own name."""
    assert 47 == len(ROWS)
    assert tuple(PREDICATES) == tuple(row.key for row in ROWS)


def test_domains_come_in_canonical_order_and_size() -> None:
    """Keys are grouped by domain, one group each, in the order of the protocol."""
    expected = {
        "identity": 9,
        "boundary": 6,
        "communication": 5,
        "support": 4,
        "advice": 3,
        "goal": 4,
        "open_loop": 5,
        "ritual": 3,
        "person": 4,
        "relationship": 3,
        "misc": 1,
    }
    assert list(expected.items()) == list(Counter(row.domain for row in ROWS).items())
    assert tuple(expected) == DOMAINS
    assert list(ROWS) == sorted(ROWS, key=lambda row: DOMAINS.index(row.domain))


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        (
            "cardinality",
            {Cardinality.SET: 28, Cardinality.SINGLE: 13, Cardinality.TEMPORAL_SINGLE: 6},
        ),
        (
            "kind",
            {
                ValueKind.TEXT: 28,
                ValueKind.ENUM: 15,
                ValueKind.NUMBER: 2,
                ValueKind.DATE: 1,
                ValueKind.ENTITY_REF: 1,
            },
        ),
        ("sensitivity", {Sensitivity.HIGH: 17, Sensitivity.MEDIUM: 19, Sensitivity.LOW: 11}),
        ("may_infer", {True: 17, False: 30}),
        (
            "visibility",
            {
                Visibility.FREELY_MENTIONABLE: 21,
                Visibility.MENTION_IF_USER_CUES: 16,
                Visibility.BACKGROUND_ONLY: 7,
                Visibility.NEVER_SURFACE: 3,
            },
        ),
        (
            "lifetime",
            {Lifetime.UNTIL_SUPERSEDED: 34, Lifetime.PERMANENT: 12, Lifetime.SESSION: 1},
        ),
    ],
)
def test_check_sums(attribute: str, expected: dict[object, int]) -> None:
    """Every column of the table adds up to what the protocol states."""
    assert expected == Counter(getattr(row, attribute) for row in ROWS)


def test_only_enum_rows_have_tokens() -> None:
    """Every enum row lists tokens, and no other row does."""
    assert [row.kind is ValueKind.ENUM for row in ROWS] == [bool(row.enum_values) for row in ROWS]
    assert all(len(set(row.enum_values)) == len(row.enum_values) for row in ROWS)


@pytest.mark.parametrize(
    ("key", "tokens"),
    [
        ("identity.pronouns", "she/her he/him they/them ask other"),
        ("communication.format", "prose bullets markdown plain code_heavy mixed"),
        ("communication.verbosity", "very_short short medium long adaptive"),
        ("communication.tone", "warm neutral direct playful formal gentle"),
        (
            "communication.interaction_style",
            "initiative_taking reactive socratic collaborative structured freeform",
        ),
        (
            "support.presence_style",
            "listen_first validate_first companionship practical_help space distraction",
        ),
        ("support.when_distressed", "listen validate clarify support problem_solve be_present_silently"),
        ("support.advice_permission", "ask_before_advice advice_welcome no_advice_unless_asked"),
        ("support.physical_context", "mobile driving at_work in_public at_home unknown"),
        ("advice.directness", "very_direct direct gentle indirect"),
        ("advice.reasoning_depth", "conclusion_only brief_reasoning detailed_reasoning show_work"),
        ("advice.when_to_offer_steps", "on_request when_stuck proactively never"),
        ("person.relation_label", RELATIONS),
        ("relationship.type", "family friend romantic professional acquaintance adversarial other"),
        ("relationship.closeness", "very_close close moderate distant strained unknown"),
    ],
)
def test_enum_tokens(key: str, tokens: str) -> None:
    """Enum tokens are exactly those of the protocol, in its order."""
    assert tuple(tokens.split()) == PREDICATES[key].enum_values


def test_boundaries_stay_in_the_background_and_prove_nothing() -> None:
    """Every boundary shapes the answer silently and never supports a conclusion."""
    found = {(row.visibility, row.may_infer) for row in ROWS if row.domain == "boundary"}
    assert {(Visibility.BACKGROUND_ONLY, False)} == found


def test_misc_is_inert() -> None:
    """What fits no key is a set that supports no conclusion, and too much of it is an alarm."""
    row = PREDICATES["misc.unclassified"]
    assert (Cardinality.SET, False) == (row.cardinality, row.may_infer)
    assert MISC_ALARM_SHARE == 0.15


def test_facts_about_others_must_say_about_whom() -> None:
    """Persons, relationships, details of habits and places name an entity, so two never share a slot."""
    expected = {row.key for row in ROWS if row.domain in ("person", "relationship")}
    expected |= {"ritual.frequency", "ritual.trigger", "identity.location"}
    assert expected == {row.key for row in ROWS if row.requires_entity}


def test_only_two_keys_take_qualifiers() -> None:
    """A place says which one it is, a reply length says for which occasion; nothing else is qualified."""
    expected = {
        "identity.location": ("current", "home", "work"),
        "communication.verbosity": ("work", "casual"),
    }
    assert expected == {row.key: row.contexts for row in ROWS if row.contexts}


@pytest.mark.parametrize(
    "key",
    [
        "goal.long_term_objective",
        "person.occupation",
        "relationship.type",
        "relationship.contact_frequency",
        "open_loop.low_risk_check_in",
    ],
)
def test_keys_that_may_be_mentioned_freely(key: str) -> None:
    """Aims, others' work and the kind of a relationship may come up unasked."""
    assert Visibility.FREELY_MENTIONABLE is visibility_of(key)


@pytest.mark.parametrize("key", ["identity.age", "person.age", "support.physical_context"])
def test_keys_that_are_never_spoken(key: str) -> None:
    """Ages, and where somebody is at this moment, are never spoken."""
    assert Visibility.NEVER_SURFACE is visibility_of(key)


@pytest.mark.parametrize("key", tuple(PREDICATES))
def test_every_key_round_trips(key: str) -> None:
    """Domain and subject together are the key again, and a row knows both."""
    row = PREDICATES[key]
    assert key == f"{row.domain}.{row.subject}"
    assert (row.domain, row.subject) == split(key)
    assert row is find(key)
    assert row.meaning


def test_only_the_first_dot_separates() -> None:
    """Further dots belong to the subject."""
    assert ("identity", "name.extra") == split("identity.name.extra")


@pytest.mark.parametrize("key", ["", "identity", ".name", "identity.", "hobby.chess", "Identity.name", "."])
def test_malformed_keys_are_none(key: str) -> None:
    """What is no key of a known domain has no parts; asking never raises."""
    assert split(key) is None


@pytest.mark.parametrize("key", ["identity.shoe_size", "boundary.made_up", "", "hobby.chess", "constructor"])
def test_unknown_keys_fail_closed(key: str) -> None:
    """An unknown key has no row, stays in the background and supports no conclusion."""
    assert (None, Visibility.BACKGROUND_ONLY, False) == (find(key), visibility_of(key), may_infer(key))


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("boundary.topic_avoid", True),
        ("boundary.made_up", True),
        ("boundary", False),
        ("goal.constraint", False),
    ],
)
def test_an_obligation_is_told_by_its_domain(key: str, expected: bool) -> None:
    """Anything under ``boundary.`` obliges, registered or not."""
    assert expected is is_boundary(key)


def test_single_says_whether_a_new_value_replaces() -> None:
    """Both single cardinalities replace, sets do not."""
    assert 19 == sum(row.single for row in ROWS)
    assert PREDICATES["identity.name"].single
    assert not PREDICATES["identity.role"].single


def test_levels_have_wire_names_in_order() -> None:
    """The four levels are ordered from silent to free and carry the protocol's names."""
    expected = ["never_surface", "background_only", "mention_if_user_cues", "freely_mentionable"]
    assert expected == [level.token for level in sorted(Visibility)]
