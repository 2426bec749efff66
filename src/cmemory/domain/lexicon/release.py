"""What the words of the release gate mean together, in any language: where a limit holds, what a criterion colours."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def _table(text: str) -> Mapping[str, frozenset[str]]:
    rows = (line.split(":") for line in text.strip().splitlines())
    return MappingProxyType({label.strip(): frozenset(words.split()) for label, words in rows})


#: Fields that almost any request touches: that two texts share one of them says nothing.
WEAK_FIELDS = frozenset("outing party rest gift money work".split())

#: Fields in which a limit of a kind holds.
SCENES = _table(
    """
    crowd: outing travel party culture
    access: outing travel culture
    body: travel sport outdoors outing
    air: outdoors travel clothes plants
    dust: home pets
    substance: home gift beauty clothes pets craft
    medium: learning screen games
    money: money devices clothes home travel gift transport games beauty
    venue: outing travel party
    food: food
    """
)

#: Limits that nobody has to be spared: food, body and what one can walk are no secrets at a table or on a trip.
OPEN_LIMITS = frozenset("food body access air dust substance crowd".split())

#: Fields of a shared table.
TABLE = frozenset({"food", "party"})

#: Fields of what else one may be allergic to.
NOT_EATEN = frozenset("pets plants beauty clothes home outdoors".split())

#: Fields in which a criterion may colour a choice.
COLOURS = _table(
    """
    healthy: food sport
    familiar: food
    quality: travel home transport rest gift
    novel: food travel games gift learning
    orderly: travel home outdoors
    easy: food home
    simple: home party clothes
    nature: home outdoors party travel
    ritual: party gift travel
    practical: gift home clothes devices travel
    calm: rest travel
    culture: travel outing culture
    look: travel photo
    grooming: travel beauty
    afoot: travel transport
    people: party
    """
)
