"""A window keeps its budget, its order and its silence, and being asked again changes nothing."""

from __future__ import annotations

import math
from typing import Any

import attrs
from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, days
from cmemory.domain.gates.standing import Standing
from cmemory.domain.model.association import Edge, pair_of
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.plan.budget import estimate_tokens
from cmemory.domain.plan.window import Heard, Packed, fill, weigh
from cmemory.domain.policy import AssociationPolicy, Scoring, WindowPolicy, WindowWeights
from cmemory.domain.recall.window import Reading, WindowQuery
from cmemory.domain.scoring.association import learn, spread
from cmemory.domain.scoring.blend import normalised
from cmemory.domain.text.tokens import bag_tokens
from cmemory.domain.text.vectors import Rarity, cosine, stable_hash, vector_of
from counting import counted

_WORDS = st.sampled_from(
    "Juniper gateway port. 4410 the what? might 端口 约定 记住 网关 ok <b> & lamp".split()
)
_TEXTS = st.lists(_WORDS, max_size=8).map(" ".join) | st.text(max_size=30)
_SHARES = st.floats(0, 10, allow_subnormal=False)
WEIGHTS = st.builds(
    WindowWeights,
    similarity=_SHARES,
    recency=_SHARES,
    importance=_SHARES,
    association=_SHARES,
    affect=_SHARES,
).filter(lambda one: sum(attrs.astuple(one)) > 0)
POLICIES = st.builds(
    WindowPolicy,
    scoring=st.sampled_from(Scoring),
    original_reading=st.booleans(),
    weights=WEIGHTS,
    limit=st.integers(0, 5),
    min_score=st.sampled_from((0.0, 0.12, 0.4)),
    association=st.builds(AssociationPolicy, seed_limit=st.integers(0, 4), max_edges=st.integers(0, 4)),
)


@st.composite
def conversations(draw: st.DrawFn) -> list[Heard]:
    """Draw up to seven utterances that share words and moments."""
    texts = draw(st.lists(_TEXTS, max_size=7))
    return [
        Heard(
            message=Message(
                id=MessageId(f"m-{no}"),
                session="s",
                speaker=draw(st.sampled_from(Speaker)),
                text=text.encode("utf-8", "ignore").decode("utf-8"),
                at=days(-draw(st.sampled_from((0, 1, 1, 400)))),
            ),
            standing=draw(st.sampled_from([Standing.ACTIVE] * 4 + list(Standing))),
            voiced=draw(st.sampled_from([()] * 4 + [((0, 3),), ((0, 99),)])),
        )
        for no, text in enumerate(texts)
    ]


@st.composite
def edges_between(draw: st.DrawFn, heard: list[Heard]) -> list[Edge]:
    """Draw edges between any of the utterances."""
    names = [one.message.id for one in heard]
    pairs = sorted({pair_of(one, other) for one in names for other in names if one != other})
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=6)) if pairs else []
    return [
        Edge(
            session="s",
            source=source,
            target=target,
            weight=draw(st.floats(0, 1)),
            created_at=days(-90),
            updated_at=days(-draw(st.integers(0, 90))),
            turn=draw(st.sampled_from(("t-0", "t-1"))),
        )
        for source, target in chosen
    ]


@st.composite
def situations(draw: st.DrawFn) -> tuple[str, list[Heard], list[Edge], WindowPolicy]:
    """Draw a query, a conversation, its edges and a policy."""
    heard = draw(conversations())
    return draw(_TEXTS), heard, draw(edges_between(heard)), draw(POLICIES)


def packed(situation: tuple[str, list[Heard], list[Edge], WindowPolicy], **rest: Any) -> Packed:
    query, heard, edges, policy = situation
    ranking = weigh(WindowQuery.of(query, policy=policy), heard, now=NOW, policy=policy)
    return fill(ranking, edges, **rest)


@given(situations(), st.integers(0, 300))
def test_the_budget_is_kept(situation: Any, budget: int) -> None:
    """By an independent count; and a window that is not empty has something in it."""
    made = packed(situation, token_budget=budget)
    assert counted(made.text) <= budget
    assert estimate_tokens(made.text) <= budget
    assert bool(made.text) == bool(made.selected)


@given(situations(), st.randoms())
def test_the_order_of_hearing_does_not_matter(situation: Any, random: Any) -> None:
    """The same utterances and edges in any order give the same window, and best comes first."""
    query, heard, edges, policy = situation
    made = packed(situation)
    shuffled, mixed = list(heard), list(edges)
    random.shuffle(shuffled)
    random.shuffle(mixed)
    again = packed((query, shuffled, mixed, policy))
    assert made.labelled == again.labelled
    assert made.text == again.text
    ranks = [one.rank for one, _ in made.labelled]
    assert ranks == sorted(ranks)


@given(situations())
def test_every_utterance_has_one_label_and_silence_is_kept(situation: Any) -> None:
    """Nothing that may not be shown is shown, whatever its score and its edges."""
    made = packed(situation)
    assert len(made.labelled) == len({one.id for one, _ in made.labelled})
    for one in made.selected:
        history = made.ranking.query.history_wanted
        assert one.heard.standing is Standing.ACTIVE or (
            one.heard.standing is Standing.SUPERSEDED and history
        )
        assert not one.in_plan
    assert len(made.selected) <= situation[3].limit


@given(situations())
def test_what_is_ineligible_gains_nothing_from_an_edge(situation: Any) -> None:
    """Its score with edges is its score without, and it is no member."""
    made, bare = packed(situation), packed((*situation[:2], [], situation[3]))
    eligible = made.ranking.eligible
    scores = {one.id: one.card.final for one, _ in bare.labelled}
    for one, _ in made.labelled:
        assert one.id in eligible or one.card.final == scores[one.id]
        assert one.card.final >= scores[one.id]
    active = {one.id for one in made.selected if one.heard.standing is Standing.ACTIVE}
    assert made.members.keys() <= active & eligible.keys()


@given(WEIGHTS)
def test_weights_are_normalised(weights: WindowWeights) -> None:
    """They add up to one, and whoever has a share keeps it."""
    shares = normalised(weights)
    assert math.isclose(sum(attrs.astuple(shares)), 1)
    assert [share > 0 for share in attrs.astuple(shares)] == [
        share / sum(attrs.astuple(weights)) > 0 for share in attrs.astuple(weights)
    ]


@given(situations())
def test_every_score_and_part_stays_in_its_bounds(situation: Any) -> None:
    for one, _ in packed(situation).labelled:
        card = one.card
        parts = (card.cosine, card.lexical, card.similarity, card.recency, card.importance, card.affect)
        assert all(
            -1e-9 <= part <= 1 + 1e-9 for part in (*parts, card.association, one.coverage, one.overlap)
        )
        assert -1e-9 <= card.final <= 1 + 1e-9


@given(situations())
def test_assembling_a_turn_again_changes_nothing(situation: Any) -> None:
    """What a turn taught is neither taught again nor seen by the turn itself."""
    query, heard, edges, policy = situation
    held = {edge.pair: attrs.evolve(edge, turn="t-0") for edge in edges}
    first = packed((query, heard, list(held.values()), policy), turn="t-9")
    learned = learn(first.members, held.values(), session="s", turn="t-9", now=NOW, policy=policy.association)
    after = dict(held)
    for edge in learned.prune:
        del after[edge.pair]
    after.update((edge.pair, edge) for edge in learned.put)
    if not learned.prune:
        again = packed((query, heard, list(after.values()), policy), turn="t-9")
        assert first.text == again.text
        assert [label for _, label in first.labelled] == [label for _, label in again.labelled]
    twice = learn(first.members, after.values(), session="s", turn="t-9", now=NOW, policy=policy.association)
    assert (twice.put, twice.prune) == ((), ())
    assert len(after) <= max(1, policy.association.max_edges, len(held))


@given(st.text(max_size=30), st.text(max_size=30), st.integers(16, 200))
def test_cosine_is_even_handed_and_bounded(one: str, other: str, dimensions: int) -> None:
    """A text is wholly like itself, unless it has no tokens or they cancel out."""
    left, right = (vector_of(bag_tokens(text), dimensions=dimensions) for text in (one, other))
    assert 0 <= cosine(left, right) <= 1
    assert math.isclose(cosine(left, right), cosine(right, left), abs_tol=1e-12)
    assert not left or math.isclose(cosine(left, left), 1)


_TOKENS = st.frozensets(st.sampled_from("port gateway 端 端口 a 口 lamp".split()))


@given(_TOKENS, st.lists(_TOKENS, min_size=1, max_size=6))
def test_shared_words_weigh_what_they_weigh_one_by_one(
    asked: frozenset[str], texts: list[frozenset[str]]
) -> None:
    """The shortcuts give the numbers of the definition, to the last bit."""
    rarity = Rarity.of(texts)
    for held in texts:
        weigh_all = [math.fsum(map(rarity.weight, tokens)) for tokens in (asked & held, asked, held)]
        shared, whole, other = weigh_all
        union = whole + other - shared
        assert rarity.coverage(asked, held) == (shared / whole if whole else 0.0)
        assert rarity.overlap(asked, held) == (shared / union if union > 0 else 0.0)
    for word in asked:
        among = sum(word in held for held in texts)
        factor = 0.25 if word in ("端", "口") else 1.0
        assert rarity.weight(word) == factor * (1.0 + math.log((len(texts) + 1) / (among + 1)))


@given(st.text(max_size=12))
def test_a_sign_is_the_last_bit_of_the_place(token: str) -> None:
    """Both hashes of a token end in the same bit, so that one of them is enough."""
    bucket, sign = (int(digits, 16) for digits in (stable_hash(token)[:8], stable_hash(token)[8:]))
    assert bucket % 2 == sign % 2
    ((place, value),) = vector_of([token], dimensions=192).items()
    assert (place, value) == (bucket % 192, -1.0 if sign % 2 else 1.0)


@given(conversations(), st.sampled_from(("Juniper gateway port", "端口 网关?", "")), POLICIES)
def test_an_utterance_read_before_weighs_the_same(
    heard: list[Heard], query: str, policy: WindowPolicy
) -> None:
    """What is seen in it depends on the message and the policy alone."""
    asked = WindowQuery.of(query, policy=policy)
    known = {one.message.id: Reading.of(one.message, policy) for one in heard}
    assert weigh(asked, heard, now=NOW, policy=policy) == weigh(
        asked, heard, now=NOW, policy=policy, read=lambda message, _: known[message.id]
    )


@given(conversations().flatmap(edges_between), st.integers(0, 4))
def test_lending_is_bounded_by_the_giver(edges: list[Edge], seeds: int) -> None:
    """Nobody is lent more than the best seed has."""
    eligible = {MessageId(f"m-{no}"): 1 / (no + 1) for no in range(4)}
    found = spread(edges, eligible, now=NOW, policy=AssociationPolicy(seed_limit=seeds))
    assert found.scores.keys() <= eligible.keys()
    assert all(0 < score <= 1 for score in found.scores.values())
    assert found.applied <= found.read <= len(edges)
