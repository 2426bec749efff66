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
    ride: travel outing outdoors transport
    air: outdoors travel clothes plants outing
    dust: home pets bed laundry
    substance: home gift beauty clothes pets craft bed laundry
    medium: learning screen games reading audio
    money: money devices clothes home travel gift transport games beauty music party pets plants photo craft outing
    venue: outing travel party
    food: food
    feet: clothes sport outdoors travel outing
    hands: music craft devices games sport plants
    back: sport outdoors travel home clothes plants rest transport
    knees: sport outdoors travel outing plants
    heart: sport outdoors travel
    eyes: screen reading devices games photo home
    ears: music devices screen outing food
    skin: beauty clothes home gift
    hair: beauty
    head: beauty home screen outing travel music
    sleep: rest home travel outdoors screen reading
    pregnancy: food travel sport home beauty party clothes outdoors outing
    size: clothes transport home
    stomach: food
    teeth: food beauty
    shy: outing party speech
    time: learning sport outing music craft games hobby schedule party rest health
    walls: music home pets games sport party
    space: home pets plants craft
    lease: home pets plants
    car: travel outing outdoors
    flames: home party gift
    """
)

#: What sets something off, and how it shows: who gets a rash from fish has a limit at table, not at the mirror.
CAUSES = frozenset("food substance air dust crowd medium ride".split())
SYMPTOMS = frozenset("skin head stomach".split())

#: Kinds of limit that need no word that draws a line: who tells of a bad back has said enough.
BURDENS = frozenset(
    "feet hands back knees heart eyes ears skin hair head sleep pregnancy size stomach teeth shy time walls space lease car "
    "flames".split()
)

#: Private subjects that a limit which is no secret tells of without harm: illnesses, mostly.
OPEN_PRIVATE = frozenset("body mind loss".split())

#: Whose rules bind the person, so that they are the person's own limit.
RULERS = frozenset({"landlord", "neighbour"})

#: Those who live with somebody and share the table, the car and the rooms.
HOUSEHOLD = frozenset("partner husband wife boyfriend girlfriend child son daughter flatmate pet".split())

#: Fields that a message opens along with another.
EDGES = _table(
    """
    hobby: music craft sport games reading plants photo outdoors
    health: sport
    plants: pets
    bed: home
    """
)

#: Fields of what is told, shown or read: any interest may be its subject.
MEDIA = frozenset("audio reading screen".split())

#: Limits of a giver that bear on a gift.
GIVERS = frozenset({"money"})

#: Fields of texts and programs: how somebody writes them is wanted where one is.
CRAFTS = frozenset({"code", "writing"})

#: Limits that nobody has to be spared: food, body and what one can walk are no secrets at a table or on a trip.
OPEN_LIMITS = BURDENS | frozenset("food body access air dust substance crowd".split())

#: Fields of a shared table.
TABLE = frozenset({"food", "party"})

#: Fields of getting together.
GATHERINGS = frozenset({"party", "outing"})

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
