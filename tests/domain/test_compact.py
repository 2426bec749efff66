"""What a checkpoint carries: a stretch that must outlive the conversation stands among small talk, in little room."""

from __future__ import annotations

import attrs
import pytest

from cmemory.domain.archive.compact import select
from cmemory.domain.archive.entry import Bar, Drop, Entry, Frame, Keep, Selection
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.plan.budget import estimate_tokens
from cmemory.domain.plan.render import checkpoint
from cmemory.domain.policy import POSITIONAL, CompactionPolicy, Policy
from cmemory.domain.text.normal import shortened

NOW = Instant.parse("2026-03-01T09:00:00Z")
FRAME = checkpoint.frame(estimate_tokens)
OURS = CompactionPolicy()
U, A, T = Speaker.USER, Speaker.ASSISTANT, Speaker.TOOL

SMALL_TALK = (
    "The weather was quite pleasant around here",
    "Some birds were singing outside again",
    "Traffic seemed slower along the road",
    "A song was playing on the radio",
    "The coffee tasted a little bitter",
    "这会儿外面的风挺大",
    "楼下的猫在晒太阳",
    "路上的车好像多起来",
    "咖啡喝着稍微苦",
    "收音机里放着老歌",
)


def entry(place: int, text: str, speaker: Speaker = U, bars: tuple[Bar, ...] = ()) -> Entry:
    return Entry(
        message_id=MessageId(f"m{place}"), speaker=speaker, text=text, at=NOW, day="2026-03-01", bars=bars
    )


def dialogue(*said: str | tuple[Speaker, str]) -> list[Entry]:
    pairs = [(U, one) if isinstance(one, str) else one for one in said]
    return [entry(at, text, speaker) for at, (speaker, text) in enumerate(pairs)]


def compacted(entries: list[Entry], budget: int = 900, policy: CompactionPolicy = OURS) -> Selection:
    return select(entries, frame=FRAME, token_budget=budget, now=NOW, policy=policy)


def texts(found: Selection) -> list[str]:
    return [line.text for line in found.lines]


PROTECTED = (
    (Keep.DECISION, "We decided to paint the kitchen green."),
    (Keep.DECISION, "OK so we agreed on the cheaper caterer."),
    (Keep.DECISION, "The final version must not use serif fonts."),
    (Keep.DECISION, "Let's go with the lakeside cabin, we settled it."),
    (Keep.DECISION, "我们决定把婚礼放在海边办。"),
    (Keep.DECISION, "领域层必须不依赖适配器。"),
    (Keep.DECISION, "方案就这么定了，用第二版logo。"),
    (Keep.DECISION, "先不做图扩展，目标是写一个记忆库。"),
    (Keep.COMMITMENT, "I'll send the invoice to the landlord."),
    (Keep.COMMITMENT, "I promise to water your ferns."),
    (Keep.COMMITMENT, "Remind me to renew the passport."),
    (Keep.COMMITMENT, "I'm going to call the plumber about the sink."),
    (Keep.COMMITMENT, "我会把发票寄给房东。"),
    (Keep.COMMITMENT, "我答应帮她遛狗。"),
    (Keep.COMMITMENT, "记得提醒我续签护照。"),
    (Keep.COMMITMENT, "我打算去学潜水。"),
    (Keep.OPEN_QUESTION, "Which insurance covers the bicycle?"),
    (Keep.OPEN_QUESTION, "Should we invite the neighbours?"),
    (Keep.OPEN_QUESTION, "自行车要买哪种保险？"),
    (Keep.OPEN_QUESTION, "签证需要准备公证书吗"),
    (Keep.PREFERENCE, "I prefer window seats on long flights."),
    (Keep.PREFERENCE, "I'm allergic to walnuts."),
    (Keep.PREFERENCE, "My favourite painter is Hopper."),
    (Keep.PREFERENCE, "我最喜欢喝茉莉花茶。"),
    (Keep.PREFERENCE, "我对核桃过敏。"),
    (Keep.PREFERENCE, "我不吃香菜。"),
    (Keep.BOUNDARY, "Please don't mention the divorce."),
    (Keep.BOUNDARY, "Never ask me about the lawsuit again."),
    (Keep.BOUNDARY, "别再提我前任了。"),
    (Keep.BOUNDARY, "这件事要保密，别告诉我妈。"),
    (Keep.NUMBER, "The locker code has 4471 in it."),
    (Keep.NUMBER, "Grandpa planted twelve cherry trees."),
    (Keep.NUMBER, "外公种了十二棵樱桃树，共三个品种。"),
    (Keep.NUMBER, "储物柜在3楼。"),
    (Keep.DATE, "The audition takes place on 14 October."),
    (Keep.DATE, "Her surgery was moved up, it is next Tuesday."),
    (Keep.DATE, "试镜在10月14日。"),
    (Keep.DATE, "下周三做手术。"),
    (Keep.NAME, "My sister adopted a beagle called Biscuit."),
    (Keep.NAME, "The new dentist is named Farouk."),
    (Keep.NAME, "我妹妹养的狗叫饼干。"),
    (Keep.NAME, "张老师推荐了《活着》这本书。"),
    (Keep.NEGATION, "The elevator doesn't stop at the cellar."),
    (Keep.NEGATION, "Nobody watered the orchids."),
    (Keep.NEGATION, "电梯不停地下室。"),
    (Keep.NEGATION, "没人给兰花浇水。"),
    (Keep.CORRECTION, "Correction: the gate number is 52."),
    (Keep.CORRECTION, "更正，登机口是52号。"),
)


@pytest.mark.parametrize(
    ("reason", "said"), PROTECTED, ids=[f"{one.value}: {text}" for one, text in PROTECTED]
)
@pytest.mark.parametrize("place", [0, 5, 10])
def test_what_must_outlive_the_conversation_is_carried_first(reason: Keep, said: str, place: int) -> None:
    around = [*SMALL_TALK]
    around.insert(place, said)
    entries = dialogue(*around)
    room = FRAME.heading + FRAME.day("2026-03-01") + FRAME.line(U, said) + 25
    found = compacted(entries, room)
    [line] = [one for one in found.lines if one.at == place]
    assert line.text == said
    assert reason in line.reasons
    assert line.card.score > 0


@pytest.mark.parametrize(
    "noise",
    [
        *("Hi!", "Hello there", "Thanks, Mel!", "OK.", "Wow, that's great!", "Sounds good.", "Haha"),
        *("Good morning!", "See you later", "Got it, thanks", "你好！", "好的。", "嗯嗯", "谢谢你"),
        *("哈哈哈", "早上好", "收到", "晚安", "约定已收到", "真的吗？"),
    ],
)  # fmt: skip
def test_greetings_and_thanks_are_left_out_however_much_room_there_is(noise: str) -> None:
    found = compacted(dialogue(noise, "The boiler was replaced in Oslo."))
    assert texts(found) == ["The boiler was replaced in Oslo."]
    assert found.dropped == {Drop.NOISE: 1}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The train to Kyoto leaves at 9.", "Sorry, I was wrong, the train to Kyoto leaves at 10."),
        ("Our meeting is on Friday.", "Actually, our meeting is on Monday."),
        ("The rent is 900 a month.", "Correction: the rent is 950 a month."),
        ("The launch is planned for June.", "The launch moved to September."),
        ("会议定在周五下午。", "会议改到周一下午。"),
        ("房租是900元。", "说错了，房租是950元。"),
        ("火车九点开。", "不对，火车是十点开。"),
        ("My flight lands at 7 in Lisbon.", "I meant the flight lands in Lisbon at 8."),
    ],
)
def test_a_corrected_value_gives_way_to_the_current_one(before: str, after: str) -> None:
    found = compacted(dialogue(before, (A, "Noted in the calendar."), after))
    assert before not in texts(found)
    [line] = [one for one in found.lines if one.at == 2]
    assert Keep.CORRECTION in line.reasons
    assert found.dropped[Drop.SUPERSEDED] == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [("The train to Kyoto leaves at 9.", "Sorry, 10."), ("去京都的火车9点开。", "说错了，10点。")],
)
def test_a_bare_correction_keeps_what_it_corrects_beside_it(before: str, after: str) -> None:
    entries = dialogue(before, (A, "Noted."), after)
    assert {before, after} <= set(texts(compacted(entries)))
    room = FRAME.heading + FRAME.day("2026-03-01") + FRAME.line(U, before)
    assert before not in texts(compacted(entries, room))


def test_an_echo_of_the_old_value_goes_with_it() -> None:
    found = compacted(
        dialogue("The train leaves at 9.", (A, "OK, 9 then."), "Sorry, the train leaves at 10.")
    )
    assert texts(found) == ["Sorry, the train leaves at 10."]


def test_two_facts_of_one_kind_are_no_correction() -> None:
    said = ("I ran 5 km on Monday.", "I ran 8 km on Tuesday.")
    assert texts(compacted(dialogue(*said))) == list(said)


def test_an_answered_question_weighs_less_than_its_answer() -> None:
    entries = dialogue("Where did you park the trailer?", (A, "I parked the trailer behind the barn."))
    [answered] = [one for one in compacted(entries).lines if one.at == 0]
    assert Keep.OPEN_QUESTION not in answered.reasons


@pytest.mark.parametrize(
    "evasion", ["Let me check that.", "I don't know yet.", "我查一下再说。", "还不确定。"]
)
def test_a_question_that_is_put_off_stays_open(evasion: str) -> None:
    found = compacted(dialogue("Where did you park the trailer?", (A, evasion)))
    assert Keep.OPEN_QUESTION in found.lines[0].reasons


def test_the_later_of_two_that_say_the_same_is_carried() -> None:
    found = compacted(dialogue("The boiler is in the cellar.", "Well.", "the boiler is in the cellar"))
    assert [line.at for line in found.lines] == [2]
    assert found.dropped[Drop.REPEAT] == 1


@pytest.mark.parametrize(
    "flood",
    [
        '{"id": 4471, "rows": [1, 2, 3]}',
        "```\ndef boiler(): return 4471\n```",
        'Traceback (most recent call last):\n  File "boiler.py", line 3',
        "> quoted 4471 from the forum",
        "2026-03-01 09:00:00 ERROR boiler 4471",
        "x" * 200,
    ],
)
def test_floods_of_programs_are_left_out(flood: str) -> None:
    found = compacted([entry(0, flood, T), entry(1, "The boiler hums.")])
    assert texts(found) == ["The boiler hums."]
    assert set(found.dropped) <= {Drop.FLOOD, Drop.NOISE}


def test_a_long_tool_output_is_looked_at_in_its_head_only() -> None:
    found = compacted([entry(0, " ".join(f"Shelf holds item{at}." for at in range(200)), T)])
    assert found.dropped[Drop.FLOOD] > 100


def test_of_a_long_message_the_telling_sentences_are_carried() -> None:
    said = "Wow, that's great! I adopted a beagle called Biscuit. Haha. We decided on puppy school."
    [line] = compacted(dialogue(said)).lines
    assert line.text == "I adopted a beagle called Biscuit. … We decided on puppy school."
    assert not line.whole


def test_a_barred_stretch_is_left_out_and_the_rest_is_not() -> None:
    said = "The code is 4471. The boiler hums."
    found = compacted([entry(0, said, bars=(Bar(start=0, end=17, reason=Drop.FORGOTTEN),))])
    assert texts(found) == ["The boiler hums."]
    assert found.dropped == {Drop.FORGOTTEN: 1}


@pytest.mark.parametrize("budget", [0, 1, 40])
def test_too_few_tokens_carry_nothing(budget: int) -> None:
    found = compacted(dialogue("We decided to paint the kitchen green."), budget)
    assert (found.lines, found.tokens) == ((), 0)


def test_nothing_gives_nothing() -> None:
    assert compacted([]).lines == ()
    assert compacted(dialogue("  ", "!!")).lines == ()


# -- the window protocol ------------------------------------------------------------------------------------------


def quarters(text: str) -> int:
    """Count as the window protocol does."""
    chinese = sum("\u4e00" <= ch <= "\u9fff" for ch in text)
    return max(1, -int(-(chinese / 1.5 + (len(text) - chinese) / 4) // 1) + 4)


GOLDEN = Frame(
    heading=36, line=lambda speaker, text: quarters(f"- [{speaker.value}] {text}"), day=lambda day: 0
)


def golden() -> list[Entry]:
    said = ((U, "目标是写一个记忆库。", 0.9), (A, "领域层不依赖适配器。", 0.8), (A, "先不做图扩展。", 0.7))
    return [
        attrs.evolve(entry(place, text, speaker), importance=weight, at=Instant((place + 1) * 1_000))
        for place, (speaker, text, weight) in enumerate(said)
    ]


def positional(entries: list[Entry], budget: int) -> Selection:
    return select(
        entries, frame=GOLDEN, token_budget=budget, now=NOW, policy=Policy(compaction=POSITIONAL).compaction
    )


def test_the_window_protocol_scores_as_its_golden_example_has_it() -> None:
    found = positional(golden(), 120)
    assert [round(line.card.score, 4) for line in found.lines] == [0.4950, 0.5650, 0.6350]
    assert [GOLDEN.line(line.speaker, line.text) for line in found.lines] == [13, 14, 12]
    assert found.tokens == 75


def test_the_window_protocol_takes_the_best_that_fit() -> None:
    found = positional(golden(), 65)
    assert [line.at for line in found.lines] == [1, 2]
    assert found.tokens == 62


def test_the_window_protocol_lets_the_last_copy_win() -> None:
    first, second, _ = golden()
    found = positional([first, entry(1, " "), second, first], 120)
    assert found.input_entries == 3
    assert [line.at for line in found.lines] == [2, 3]
    assert round(found.lines[-1].card.score, 4) == 0.87


def test_the_window_protocol_cuts_the_middle_of_a_long_message() -> None:
    [line] = positional([entry(0, "a" * 432 + "b" * 1000 + "c" * 167)], 2_000).lines
    assert line.text == "a" * 432 + "…" + "c" * 167
    assert not line.whole


def test_the_window_protocol_leaves_barred_messages_out() -> None:
    barred = entry(0, "The code is 4471.", bars=(Bar(start=0, end=4, reason=Drop.MUTED),))
    found = positional([barred, entry(1, "The boiler hums.")], 120)
    assert [line.at for line in found.lines] == [1]
    assert found.dropped == {Drop.MUTED: 1}


@pytest.mark.parametrize(
    ("text", "limit", "short"), [("abc", 3, "abc"), ("abcdef", 3, "ab…"), ("abcdef", 1, "…")]
)
def test_shortening_keeps_head_and_tail(text: str, limit: int, short: str) -> None:
    assert shortened(text, limit, head=0.72) == short
