"""How a message points at a record, and what search terms find."""

from __future__ import annotations

import pytest

from builders import claim, episode, inference
from cmemory.domain.gates.mention import NO_CUES, Cues
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.recall.index import record_terms
from cmemory.domain.recall.query import Profile, Query, cue, finds

NAMED, IMPLIED = Cues(referenced=True), Cues(implied=True)
CAT = claim(
    "misc.unclassified", "楼下那只三花猫今天又蹲在同一个台阶上", raw="楼下那只三花猫今天又蹲在同一个台阶上"
)
VET = episode("用户半夜带猫去宠物医院，猫已经好转。")
VISA = claim("open_loop.waiting_on", "签证结果", raw="签证结果")


@pytest.mark.parametrize(
    ("said", "record", "expected"),
    [
        ("今天天气怎么样", CAT, NO_CUES),
        ("楼下那只三花猫还在吗", CAT, IMPLIED),
        ("我想聊聊猫", VET, NO_CUES),
        ("今天还是在等签证，我有点焦虑。", VISA, IMPLIED),
        ("我最近总觉得有点烦", VET, NO_CUES),
        ("", VISA, NO_CUES),
        ("  \n ", VISA, NO_CUES),
        ("签证结果出来了", VISA, NAMED),
        ("医院好远", VET, IMPLIED),
        (VET.body.narrative, VET, NAMED),
    ],
)
def test_chinese_cues(said: str, record: AnyRecord, expected: Cues) -> None:
    """A record is named by its wording, implied by a shared pair that means something, and else not cued."""
    assert expected == cue(Query.of(said), Profile.of(record))


@pytest.mark.parametrize(
    ("said", "record", "expected"),
    [
        ("How did the cello audition go?", claim("open_loop.waiting_on", "the cello audition"), NAMED),
        ("I auditioned today", claim("open_loop.waiting_on", "the cello audition"), IMPLIED),
        ("what a category", claim("misc.unclassified", "cat"), NO_CUES),
        ("my CAT is asleep", claim("misc.unclassified", "cat"), NAMED),
        ("is it warm outside?", claim("communication.tone", "warm"), NO_CUES),
        ("Mia called", claim("person.occupation", "nurse", entity="Mia"), NAMED),
        ("any news from the hospital?", episode("The user spent a night at the hospital."), IMPLIED),
        ("what should I do today?", episode("What the user did today."), NO_CUES),
        ("identity and occupation", claim("identity.occupation", "nurse"), NO_CUES),
        ("28", claim("identity.age", 28), NO_CUES),
    ],
)
def test_latin_cues(said: str, record: AnyRecord, expected: Cues) -> None:
    """Latin names count whole and in any case, topics by stems; keys of ours name nothing."""
    assert expected == cue(Query.of(said), Profile.of(record))


def test_a_single_character_names_nothing() -> None:
    """A value of one character is too short to be a name."""
    assert NO_CUES == cue(Query.of("我在学琴"), Profile.of(claim("goal.current_focus", "琴")))


def test_an_inference_is_never_named() -> None:
    """A conclusion has no words of the person's; it shares topics at most."""
    assert () == Profile.of(inference("喜欢提前计划")).names
    assert IMPLIED == cue(Query.of("提前计划一下"), Profile.of(inference("喜欢提前计划")))


def test_no_topic_reaches_across_two_texts() -> None:
    """The end of one field and the start of the next make no pair."""
    profile = Profile.of(claim("person.occupation", "护士", entity="小敏"))
    assert {"护士", "小敏"} == profile.pairs


@pytest.mark.parametrize(
    ("terms", "record", "expected"),
    [
        ("签证", VISA, True),
        ("  ", VISA, False),
        ("猫", VET, True),
        ("我想聊聊猫", VET, True),
        ("我最近总觉得有点烦", VET, False),
        ("猫", CAT, False),
        ("hospital", episode("The user spent a night at the hospital."), True),
        ("spent a night", episode("The user spent a night at the hospital."), True),
        ("they said: we went out. ok", episode("We went out."), True),
        ("the", episode("Other."), False),
        ("beach", inference("plans ahead"), False),
    ],
)
def test_what_search_terms_find(terms: str, record: AnyRecord, expected: bool) -> None:
    """A claim is found by its cue; an episode also by containment or one shared character with a meaning."""
    assert expected is finds(Query.of(terms), record, Profile.of(record))


def test_half_characters_are_dropped_from_a_message() -> None:
    """A message with a lone surrogate is analysed without it."""
    query = Query.of("签证\ud83d结果")
    assert ("签证结果", False) == (query.text, query.blank)


def test_index_terms_of_a_claim() -> None:
    """A claim is found by wording, value and entity, never by its key or a token, number or date of ours."""
    terms = record_terms(claim("person.occupation", "nurse", raw="nurses", entity="Mia"))
    assert {"nurs": 2, "mia": 1} == dict(terms)
    assert {} == dict(record_terms(claim("identity.age", 28)))
    assert {} == dict(record_terms(claim("communication.tone", "warm")))


def test_index_terms_of_other_records() -> None:
    """Anything else is found by its own words."""
    assert {"去", "海", "边", "去海", "海边"} == set(record_terms(episode("去海边")))
