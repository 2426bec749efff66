"""Masking forgotten words in messages that stay."""

from __future__ import annotations

from builders import claim, episode, message, said
from cmemory.domain.forget.mask import mask_messages
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.policy import ForgettingPolicy

SOURCE = message("我叫周眠，住在杭州，周眠是我妈起的。", id="m-1")
NAME = claim("identity.name", "周眠", id="claim-n", raw="周眠", evidence=(said(SOURCE, "我叫周眠"),))
PLACE = claim("identity.location", "杭州", id="claim-p", entity="杭州", evidence=(said(SOURCE, "住在杭州"),))


def mask(
    doomed: list[AnyRecord], survivors: list[AnyRecord], *messages: Message, gone: tuple[str, ...] = ()
) -> tuple[dict[str, str], list[AnyRecord]]:
    """Return the changed texts by message id, and the survivors that changed with them."""
    held = {one.id: one for one in messages or (SOURCE,)}
    changed, requoted = mask_messages(
        doomed,
        survivors,
        held,
        gone=frozenset(gone),  # type: ignore[arg-type]
        policy=ForgettingPolicy(),
    )
    return {one.id: one.text for one in changed}, list(requoted)


def test_quote_and_further_mentions_are_masked() -> None:
    """The proving words go, and so does the name wherever else it stands; nothing moves."""
    texts, requoted = mask([NAME], [PLACE])
    assert {"m-1": "************，住在杭州，******是我妈起的。"} == texts
    assert len(SOURCE.text.encode()) == len(texts["m-1"].encode())
    assert [] == requoted


def test_words_a_survivor_quotes_are_kept() -> None:
    """Where the quotes overlap, the survivor's bytes stay readable."""
    both = message("我和小敏在学琴", id="m-1")
    gone = claim("goal.current_focus", "学琴", evidence=(said(both),), id="claim-g")
    stays = claim("person.name", "小敏", entity="小敏", evidence=(said(both, "小敏"),), id="claim-s")
    texts, _ = mask([gone], [stays], both)
    assert {"m-1": "******小敏*********"} == texts


def test_a_wording_a_survivor_says_is_left_alone() -> None:
    """A word that is also part of something that stays is not masked everywhere."""
    other = message("周眠又来了", id="m-2")
    friend = claim("person.name", "周眠", entity="同名朋友", id="claim-f")
    assert ({}, []) == mask([claim("identity.name", "周眠")], [friend], other)


def test_other_messages_lose_the_word_too() -> None:
    """Every message of the scope is looked through, the companion's included, except those that go anyway."""
    others = [
        message("Hi Nora!", id="m-2"),
        message("Norah is not Nora", id="m-3"),
        message("Nora", id="m-4"),
    ]
    texts, _ = mask([claim("identity.name", "Nora")], [], *others, gone=("m-4",))
    assert {"m-2": "Hi ****!", "m-3": "Norah is not ****"} == texts


def test_a_survivors_quote_is_read_anew() -> None:
    """When a mask falls into a surviving quote, the record quotes what is left, at the same place."""
    source = message("小敏说学琴难", id="m-1")
    stays = claim("misc.unclassified", "难", evidence=(said(source, "学琴难"),), id="claim-s")
    texts, requoted = mask([claim("goal.current_focus", "学琴")], [stays], source)
    assert {"m-1": "小敏说******难"} == texts
    (record,) = requoted
    assert "******难" == record.evidence[0].quote.text  # type: ignore[union-attr]
    assert (9, 18) == (record.evidence[0].quote.start, record.evidence[0].quote.end)  # type: ignore[union-attr]


def test_tokens_dates_and_single_characters_are_not_masked() -> None:
    """What is not the person's own wording, or too short to be told from chance, stays in the log."""
    log = message("short 2026-06-10 琴 28", id="m-1")
    doomed = [
        claim("communication.verbosity", "short", id="claim-1"),
        claim("open_loop.deadline", "2026-06-10", id="claim-2"),
        claim("goal.current_focus", "琴", id="claim-3"),
        claim("identity.age", 28, id="claim-4"),
        episode("28", id="episode-1"),
    ]
    assert ({}, []) == mask(doomed, [], log)


def test_a_number_or_date_is_masked_where_it_was_proved() -> None:
    """A figure goes from the messages that proved it; elsewhere it may mean something else."""
    proof = message("我28岁，28岁真好，房号128", id="m-1")
    log = message("28路公交", id="m-2")
    age = claim("identity.age", 28, evidence=(said(proof, "我28岁"),))
    single = claim("person.age", 9, id="claim-2", entity="", evidence=(said(log, "28路"),))
    assert {"m-1": "********，**岁真好，房号128", "m-2": "*****公交"} == mask([age, single], [], proof, log)[
        0
    ]


def test_longer_wordings_are_masked_first() -> None:
    """A wording inside another one does not break it up."""
    log = message("学琴谱和学琴", id="m-1")
    doomed = [
        claim("goal.current_focus", "学琴", id="claim-1"),
        claim("goal.current_focus", "学琴谱", id="claim-2"),
    ]
    assert {"m-1": "*********和******"} == mask(doomed, [], log)[0]


def test_entities_are_masked() -> None:
    """The name of a forgotten place goes from every message as well."""
    log = message("杭州下雨了", id="m-2")
    texts, _ = mask([PLACE], [NAME], SOURCE, log)
    assert {"m-1": "我叫周眠，************，周眠是我妈起的。", "m-2": "******下雨了"} == texts
