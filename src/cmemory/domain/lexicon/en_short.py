"""Short and homely English forms that people write, by the words they stand for."""

from __future__ import annotations

_TABLE = """
    advertisement: ad advert
    application: app
    bicycle: bike
    birthday: bday
    brother: bro
    business: biz
    child: kid
    christmas: xmas
    competition: comp contest
    congratulations: congrats
    conversation: convo
    doctor: doc
    dog: doggy doggo
    education: edu
    examination: exam
    family: fam
    father: dad daddy papa
    favorite: fave fav favourite
    grandfather: grandpa
    grandmother: grandma granny nana
    husband: hubby
    information: info
    mother: mom mum mommy mama
    movie: film
    photo: pic picture photograph
    professor: prof
    puppy: pup
    refrigerator: fridge
    rehabilitation: rehab
    sister: sis
    television: tv
    university: uni
    vacation: vacay
    veterinarian: vet
"""

#: Words that mean the same, each with its short forms.
SAME: tuple[tuple[str, ...], ...] = tuple(
    (word.strip(), *forms.split())
    for word, forms in (line.split(":") for line in _TABLE.strip().splitlines())
)
