"""Reads a distilled statement and a message for the release gate: what the one is, and what the other asks for.

It knows words, never records or scores. The words stand in `cmemory.domain.lexicon`, one module for each language; a text is
read by those whose script it holds.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Final

import attrs

from cmemory.domain.lexicon.release import BURDENS, EDGES, NOT_EATEN, OPEN_LIMITS, OPEN_PRIVATE, RULERS
from cmemory.domain.lexicon.zh_people import SURNAMES
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.text.tokens import contains_word, stem, topic_pairs, topic_words

_HAN = lazy_pattern("[\u3400-\u9fff]")
_LATIN = lazy_pattern("[A-Za-z]")


class Nature(enum.Enum):
    """What a statement is, in the order in which that is asked."""

    #: How to answer the person.
    MANNER = "manner"
    #: What the person must not, cannot or will not.
    LIMIT = "limit"
    #: What the person holds to be so.
    OPINION = "opinion"
    #: A way of spending one's own time.
    OWN_TIME = "own_time"
    #: What the person looks for in things of many kinds.
    CRITERION = "criterion"
    #: Any other liking.
    TASTE = "taste"
    #: Anything else.
    FACT = "fact"


#: Natures that say what somebody likes or bears.
LIKINGS: Final = frozenset({Nature.LIMIT, Nature.OWN_TIME, Nature.CRITERION, Nature.TASTE})


#: Where a table found nothing.
_NONE: Final[frozenset[str]] = frozenset()

#: A Latin word; what a hyphen joins is two.
_WORDS: Final = lazy_pattern(r"[a-z0-9]+(?:['’](?!s\b)[a-z]+)?")


#: Letters from which a word is looked up by its stem too; and stems that are those of other words as well.
_MIN_STEM_CHARS: Final = 4
#: Letters at the head of a word that its stem keeps.
_HEAD_CHARS: Final = 3
_SHARED_STEMS: Final = frozenset(
    {"train", "run", "fish", "book", "park", "present", "rest", "hike", "instrument"}
)


class _Tables:
    """The word tables of a language, all looked up in one pass over a text.

    A pattern of all their words would be slow, and so would be a pass for each. A form is kept under how it begins, by a
    Latin word or a Chinese character, so that most of a text is passed over with one look.
    """

    def __init__(
        self,
        tables: Mapping[str, Mapping[str, tuple[str, ...]]],
        *,
        whole: bool,
        as_written: Sequence[str] = (),
    ) -> None:
        """Compile tables.

        Args:
            tables: words and phrases by label, by the table's name.
            whole: whether words stand apart, as Latin ones do.
            as_written: tables whose words are not looked up by their stem.
        """
        self._whole = whole
        #: What must not follow a form: 酒 is a drink, 酒店 is none.
        self._unless: dict[str, str] = {}
        forms: dict[str, tuple[tuple[str, str], ...]] = {}
        #: Single words that are looked up by their stem too, so that "knits" is found under "knit": by their first letters,
        #: since stemming them all would take longer than most processes ever need.
        self._heads: dict[str, list[str]] = {}
        self._stems: dict[str, dict[str, dict[str, frozenset[str]]]] = {}
        self._as_written = frozenset(as_written)
        for name, table in tables.items():
            for label, row in table.items():
                for entry in row:
                    form, _, unless = entry.partition("(?!")
                    key = " ".join(_WORDS.findall(form.lower())) if whole else form
                    forms[key] = (*forms.get(key, ()), (name, label))
                    if unless:
                        self._unless[key] = unless.removesuffix(")")
        # Thousands of forms share a few dozen rows.
        rows: dict[frozenset[tuple[str, str]], Mapping[str, frozenset[str]]] = {}
        self._forms = {form: rows.setdefault(frozenset(where), _row(where)) for form, where in forms.items()}
        if whole:
            for form, where in self._forms.items():
                if len(form) >= _MIN_STEM_CHARS and " " not in form and not where.keys() <= self._as_written:
                    self._heads.setdefault(form[:_HEAD_CHARS], []).append(form)
        sizes: dict[str, set[int]] = {}
        for form in forms:
            head, size = (form.split()[0], len(form.split())) if whole else (form[0], len(form))
            sizes.setdefault(head, set()).add(size)
        self._sizes = {head: tuple(sorted(found)) for head, found in sizes.items()}

    def found(self, text: str) -> Mapping[str, frozenset[str]]:
        """Return the labels of the words that stand in a text, by table."""
        found: dict[str, frozenset[str]] = {}
        for labels in self._words(text) if self._whole else map(self._forms.__getitem__, self._pieces(text)):
            for name, some in labels.items():
                found[name] = found[name] | some if name in found else some
        return found

    def knows(self, word: str) -> bool:
        """Tell whether a word stands in any table."""
        return word in self._forms

    def forms(self, text: str, name: str) -> frozenset[str]:
        """Return the forms of one table that stand in a text."""
        return frozenset(piece for piece in self._pieces(text) if name in self._forms[piece])

    def _pieces(self, text: str) -> Iterator[str]:
        for at, head in enumerate(text):
            for size in self._sizes.get(head, ()):
                piece = text[at : at + size]
                if piece in self._forms:
                    unless = self._unless.get(piece)
                    if unless is None or not text.startswith(unless, at + size):
                        yield piece

    def _words(self, text: str) -> Iterator[Mapping[str, frozenset[str]]]:
        words = _WORDS.findall(text.lower())
        for at, head in enumerate(words):
            for size in self._sizes.get(head, ()):
                labels = self._forms.get(head if size == 1 else " ".join(words[at : at + size]))
                if labels:
                    yield labels
            if self._heads and len(head) >= _MIN_STEM_CHARS:
                alike = stem(head)
                others = self._stemmed(head[:_HEAD_CHARS]).get(alike, {})
                if others and alike not in _SHARED_STEMS:
                    own = self._forms.get(head, {})
                    yield {name: some for name, some in others.items() if name not in own}

    def _stemmed(self, head: str) -> Mapping[str, Mapping[str, frozenset[str]]]:
        known = self._stems.get(head)
        if known is None:
            known = dict[str, dict[str, frozenset[str]]]()
            for form in self._heads.get(head, ()):
                row = known.setdefault(stem(form), {})
                for name, some in self._forms[form].items():
                    if name not in self._as_written:
                        row[name] = row.get(name, _NONE) | some
            self._stems[head] = known
        return known


def _row(where: Iterable[tuple[str, str]]) -> Mapping[str, frozenset[str]]:
    """Return labels by table."""
    found: dict[str, frozenset[str]] = {}
    for name, label in where:
        found[name] = found.get(name, _NONE) | {label}
    return found


#: Tables that are looked up, by the name of the constant.
_TABLES: Final = ("FIELDS", "LIMIT_KINDS", "OWN_TIME", "CRITERIA", "PRIVATE", "KIN", "MARKS", "COMPANY")


class _Tongue:
    """The words of one language, compiled."""

    def __init__(self, words: ModuleType, *, whole: bool) -> None:
        self.words = words
        plural = ("", "s") if whole else ("",)
        self._tables = _Tables(
            {
                **{name: getattr(words, name) for name in _TABLES},
                "PLACES": {"travel": tuple(words.PLACES)},
                "UNDERTAKINGS": {
                    word: tuple(word + ending for ending in plural) for word in words.UNDERTAKINGS
                },
            },
            whole=whole,
            as_written=("PLACES", "UNDERTAKINGS", "MARKS", "CRITERIA"),
        )
        # A single character draws no line by itself: 腿 stands in 火腿.
        burdens = {
            kind: tuple(form for form in row if len(form) > 1)
            for kind, row in words.LIMIT_KINDS.items()
            if kind in BURDENS
        }
        #: The words that draw a line by themselves, apart so that a text is quickly looked through for them.
        self.bounds = _Tables(
            {"LIMIT_KINDS": burdens, "MARKS": {"limit": words.MARKS["limit"]}},
            whole=whole,
            as_written=("MARKS",),
        )
        self.found, self.forms, self.knows = self._tables.found, self._tables.forms, self._tables.knows
        kin = "|".join(
            sorted({word for row in words.KIN.values() for word in row}, key=lambda word: (-len(word), word))
        )
        self.bearer = lazy_pattern(words.BEARER.format(kin=kin))
        self.about = lazy_pattern(words.ABOUT.pattern.format(kin=kin), words.ABOUT.flags)
        # Counts in the pattern are doubled braces, so that the list of kin can be put in.
        self.for_others = lazy_pattern(words.FOR_OTHERS.pattern.format(kin=kin), words.FOR_OTHERS.flags)
        self.mine = {
            word: lazy_pattern(words.MINE.format(word=word), re.IGNORECASE) for word in words.UNDERTAKINGS
        }


@cache
def _zh() -> _Tongue:
    # The tables wait until somebody asks: importing the library must stay quick.
    from cmemory.domain.lexicon import release_zh

    return _Tongue(release_zh, whole=False)


@cache
def _en() -> _Tongue:
    from cmemory.domain.lexicon import release_en

    return _Tongue(release_en, whole=True)


def _tongues(text: str) -> tuple[_Tongue, ...]:
    han, latin = _HAN.search(text), _LATIN.search(text)
    return (*((_zh(),) if han else ()), *((_en(),) if latin else ()))


def without_excuses(text: str) -> str:
    """Return a statement without the clauses that give a reason for it or take some of it back.

    >>> without_excuses("用户喜欢爬山，觉得很有成就感。"), without_excuses("Likes chess, because it is quiet.")
    ('用户喜欢爬山。', 'Likes chess.')
    """
    for tongue in _tongues(text):
        text = tongue.words.SUBORDINATE.sub("", text)
    return text.strip()


@attrs.frozen(kw_only=True)
class Statement:
    """A distilled statement, read once."""

    text: str
    nature: Nature
    #: Private subjects it touches, unless it is a limit that is no secret, or only says who somebody is.
    private: frozenset[str]
    #: What a limit is about.
    limits: frozenset[str]
    own_time: frozenset[str]
    criteria: frozenset[str]
    fields: frozenset[str]
    #: Whether a liking is lightly held or excused.
    hedged: bool
    #: Names of others in it, as they are written.
    names: frozenset[str]
    #: Other names it goes by, lower-cased: tags of a note, the entity of a claim.
    aliases: tuple[str, ...]
    #: Kin whom it speaks of.
    kin: frozenset[str]
    #: Those of them whom it is about.
    about: frozenset[str]
    #: Whether it speaks of somebody else than the person.
    of_other: bool
    #: Whether it says who bears a role, or what depends on what.
    tie: bool
    #: The roles it gives to somebody, lower-cased.
    roles: frozenset[str]
    undertakings: frozenset[str]
    #: Whether it tells what the person is working toward.
    pursuit: bool
    terms: frozenset[str]
    #: Those of the terms that only name an undertaking of the person's own.
    owned: frozenset[str]

    @classmethod
    def of(
        cls,
        text: str,
        *,
        fact: bool = False,
        aliases: Iterable[str] = (),
        own_names: Iterable[str] = (),
        tie: bool = False,
    ) -> Statement:
        """Read a statement.

        Args:
            text: in the words in which it is kept.
            fact: whether its kind tells that it is no liking, opinion or manner: a plan, an errand, somebody's name.
            aliases: other names of what it is about.
            own_names: how the person is called; they are nobody else.
            tie: whether its kind tells that it ties others together.
        """
        tongues = _tongues(text)
        core = without_excuses(text) or text
        told = _found(text, tongues)
        held = told if core == text else _found(core, tongues)
        fields, limits = held.get("FIELDS", _NONE), held.get("LIMIT_KINDS", _NONE)
        if (
            not limits
            and fields.isdisjoint(NOT_EATEN)
            and any(one.words.ALLERGY.search(core) for one in tongues)
        ):
            limits = frozenset({"food"})
        own_time, criteria = held.get("OWN_TIME", _NONE), held.get("CRITERIA", _NONE)
        nature = Nature.FACT if fact else _nature(text, core, tongues, held)
        # Who somebody is to the person is told by whoever names them.
        open_said = nature is Nature.LIMIT and not limits.isdisjoint(OPEN_LIMITS)
        names = _names(text) - frozenset(own_names)
        undertakings = told.get("UNDERTAKINGS", _NONE)
        terms = terms_of(text) - _union(map(terms_of, names))
        heads = [(one, found) for one in tongues if (found := one.about.match(text))]
        about = _union(one.found(head["kin"]).get("KIN", _NONE) for one, head in heads)
        return cls(
            text=text,
            nature=nature,
            private=told.get("PRIVATE", _NONE) - (OPEN_PRIVATE if open_said else _NONE) if not tie else _NONE,
            limits=limits,
            own_time=own_time,
            criteria=criteria,
            fields=fields,
            hedged=any(one.words.HEDGES.search(text) for one in tongues),
            names=names,
            aliases=tuple(
                dict.fromkeys(alias.strip().lower() for alias in aliases if len(alias.strip()) > 1)
            ),
            kin=told.get("KIN", _NONE),
            about=about,
            of_other=not about <= RULERS or any(text.startswith(name) for name in names),
            tie=tie or any(one.words.TIE.search(text) or one.words.DEPENDS.search(text) for one in tongues),
            roles=frozenset(
                _role(found["role"]) for one in tongues for found in one.words.TIE.finditer(text)
            ),
            undertakings=undertakings,
            pursuit=any(one.words.PURSUIT.search(text) for one in tongues),
            terms=terms,
            owned=frozenset(term for term in terms if any(_names_part(term, word) for word in undertakings)),
        )


def may_be_limit(text: str) -> bool:
    """Tell whether a statement may be a limit: it holds a word that limits are told with, or tells of a burden.

    >>> [may_be_limit(text) for text in ("用户对花生过敏", "Has a pacemaker.", "Likes long walks.")]
    [True, True, False]
    """
    core = without_excuses(text) or text
    return any(one.words.LIMITS.search(core) or one.bounds.found(core) for one in _tongues(text))


def _nature(
    text: str,
    core: str,
    tongues: tuple[_Tongue, ...],
    held: Mapping[str, frozenset[str]],
) -> Nature:
    def says(table: str, where: str) -> bool:
        return any(getattr(one.words, table).search(where) for one in tongues)

    marks = held.get("MARKS", _NONE)
    if says("MANNER", text):
        return Nature.MANNER
    if says("OPINION", text) and not says("LIMITS", _after_first_clause(core)):
        return Nature.OPINION
    if "limit" in marks or says("LIMITS", core):
        return Nature.LIMIT
    liked = "taste" in marks or says("TASTES", text)
    if not liked:
        burden = any("LIMIT_KINDS" in one.bounds.found(core) for one in tongues)
        return Nature.LIMIT if burden else Nature.FACT
    if "OWN_TIME" in held:
        return Nature.OWN_TIME
    return Nature.CRITERION if "CRITERIA" in held else Nature.TASTE


_CLAUSE = lazy_pattern("[，,；;。]")


def _after_first_clause(text: str) -> str:
    # Who holds zoos to be cruel and therefore stays away draws a line behind the opinion.
    found = _CLAUSE.search(text)
    return text[found.end() :] if found else ""


#: Characters at either end of a message in which is read what it asks for; in between people paste what it is about.
_END_CHARS: Final = 1_000


@attrs.frozen(kw_only=True)
class Request:
    """A message, read once for what it asks."""

    text: str
    lowered: str
    #: Its Latin words, lower-cased, and what has the form of a Latin name.
    said: tuple[str, ...]
    capitals: frozenset[str]
    #: Whether what is known of the person's liking is to be left aside.
    excludes: bool
    own_view: bool
    own_taste: bool
    #: Whether it wants a text, a translation, a program, a sum or words for a talk.
    closed: bool
    #: Whether it wants a fact, and none about the person.
    factual: bool
    advice: bool
    #: Whether it asks for advice outright or orders anything; what does neither is talk, a plain question too.
    asks: bool
    #: Whether it asks for the person or those with them, not after things in general.
    personal: bool
    #: Whether the person says in it what they like or bear.
    states: bool
    #: Whether it asks for somebody else, the person taking no part.
    for_others: bool
    shared_table: bool
    fields: frozenset[str]
    own_time: frozenset[str]
    private: frozenset[str]
    kin: frozenset[str]
    #: Who else takes part without being named: "us", a party, the office.
    company: frozenset[str]
    #: The person's own undertakings it speaks of.
    undertakings: frozenset[str]
    terms: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Request:
        """Read a message: names and subjects anywhere in it, what it asks for at its ends."""
        ends = text if len(text) <= 2 * _END_CHARS else f"{text[:_END_CHARS]}\n{text[-_END_CHARS:]}"
        tongues = _tongues(ends)

        def asks(table: str) -> bool:
            return any(getattr(one.words, table).search(ends) for one in tongues)

        advice, closed, found = asks("ADVICE"), asks("CLOSED"), _found(ends, tongues)
        factual = asks("FACTUAL") and not asks("SELF") and not (advice and _zh() in tongues)
        fields = found.get("FIELDS", _NONE) | (found.get("PLACES", _NONE) if asks("GOING") else _NONE)
        return cls(
            text=text,
            lowered=text.lower(),
            said=tuple(_WORDS.findall(text.lower())),
            capitals=frozenset(_latin_names(text, told=True)),
            excludes=asks("EXCLUSION"),
            own_view=asks("OWN_VIEW"),
            own_taste=asks("OWN_TASTE"),
            closed=closed,
            factual=factual,
            advice=advice or ((asks("ASKS") or asks("QUESTIONS")) and not closed and not factual),
            personal=asks("PERSONAL") or asks("SELF"),
            asks=advice or asks("ASKS") or asks("CLOSED") or asks("FACTUAL"),
            states=asks("SELF") and (asks("TASTES") or asks("LIMITS")),
            for_others=any(one.for_others.search(ends) for one in tongues) and not asks("TOGETHER"),
            shared_table=asks("SHARED_TABLE"),
            fields=fields.union(*(EDGES[field] for field in fields if field in EDGES)),
            own_time=found.get("OWN_TIME", _NONE),
            private=found.get("PRIVATE", _NONE),
            kin=found.get("KIN", _NONE),
            company=found.get("COMPANY", _NONE),
            undertakings=frozenset(
                word
                for word in found.get("UNDERTAKINGS", _NONE)
                if any(word in one.mine and one.mine[word].search(ends) for one in tongues)
            ),
            terms=terms_of(text),
        )

    def names(self, name: str) -> bool:
        """Tell whether the message names somebody, Latin names with their capital and not behind an article."""
        if not _LATIN.search(name):
            return name in self.text
        return name in self.capitals

    def names_role(self, statement: Statement) -> bool:
        """Tell whether the message speaks of somebody by a role that a statement gives."""
        roles = any(contains_word(self.lowered, role) for role in statement.roles if len(role) > 1)
        return roles or not statement.kin.isdisjoint(self.kin)

    def roles_of(self, name: str) -> frozenset[str]:
        """Return the roles in which the message names somebody: "my neighbour Priya"."""
        at = self.text.find(name)
        before = self.text[max(0, at - 12) : at] if at > 0 else ""
        return _found(before, _tongues(before)).get("KIN", _NONE)


def _role(words: str) -> str:
    """Return a role without whose it is: 用户的健身教练, "user's landlady"."""
    return words.rpartition("的")[2].lower()


def _found(text: str, tongues: tuple[_Tongue, ...]) -> Mapping[str, frozenset[str]]:
    """Return what the tables of all tongues find in a text, by table."""
    if len(tongues) == 1:
        return tongues[0].found(text)
    found: dict[str, frozenset[str]] = {}
    for one in tongues:
        for name, some in one.found(text).items():
            found[name] = found.get(name, _NONE) | some
    return found


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)


#: Characters of which numbers and times are made; two texts share those by chance.
_COUNTED: Final = frozenset("一二三四五六七八九十百千万两几半点月号日周季度年时分晚早")


def terms_of(text: str) -> frozenset[str]:
    """Return the words by which two texts show that they share a subject.

    >>> sorted(terms_of("用户在等签证")), sorted(terms_of("Waiting for the visa on Friday"))
    (['在等', '等签', '签证'], ['visa', 'wait'])
    """
    lowered, terms = text.lower(), set[str]()
    if _HAN.search(text):
        zh = _zh()
        pairs = topic_pairs(lowered) | zh.forms(lowered[: 2 * _END_CHARS], "FIELDS")
        terms |= {one for one in pairs - zh.words.COMMON if not _COUNTED.issuperset(one)}
    if _LATIN.search(text):
        terms |= topic_words(lowered) - _en().words.COMMON
    return frozenset(terms)


def _names_part(term: str, word: str) -> bool:
    """Tell whether a term comes from a word: a Chinese pair already when it takes one character of it along."""
    return not set(term).isdisjoint(word) if _HAN.match(term) else term in topic_words(word)


def runs_shared(shared: frozenset[str]) -> bool:
    """Tell whether what two texts share is a stretch of three Chinese characters, or two Latin words.

    A shared pair of characters is often chance (喜欢喝水, 喝水果茶), and so is one word; two that join are a subject.
    """
    han = [term for term in shared if len(term) == 2 and _HAN.match(term)]
    joined = any(first[1] == second[0] for first in han for second in han if first != second)
    return joined or len({term for term in shared if _LATIN.match(term)}) > 1


def _names(text: str) -> frozenset[str]:
    found = set(_latin_names(text))
    if _HAN.search(text):
        zh = _zh().words
        heads = (*filter(None, (zh.NAMED.match(text),)), *zh.TIE.finditer(text), *_zh().bearer.finditer(text))
        found.update(head["name"] for head in heads if _is_name(head["name"]))
    return frozenset(found)


def _is_name(run: str) -> bool:
    """Tell whether a Chinese run has the form of a name: family name, or 小满, 豆豆."""
    zh = _zh().words
    formed = run[0] in SURNAMES or run[0] in zh.FAMILIAR or run == run[0] * 2
    return formed and run not in zh.NO_NAMES and not _zh().knows(run)


#: White space at most between two sentences.
_GAP_CHARS: Final = 3


def _latin_names(text: str, *, told: bool = False) -> Iterator[str]:
    """Yield the Latin names in a text.

    Args:
        text: any text.
        told: whether a capital at the head of a sentence is taken for a name whatever follows, as when a name is looked for.
    """
    if not _LATIN.search(text):
        return
    en = _en().words
    for found in en.NAMED.finditer(text):
        before = text[max(0, found.start() - _GAP_CHARS) : found.start()].rstrip()
        heads = not before or before[-1] in ".!?"
        word = found["name"].lower()
        plain = found["before"] or word in en.NO_NAMES
        # "Hair is thin" is about no person of that name.
        if not plain and (
            told or not heads or (en.FINITE.match(text, found.end()) and not _en().knows(word))
        ):
            yield found["name"]


def says_alias(request: Request, alias: str) -> bool:
    """Tell whether a message holds another name of a record as whole words."""
    return contains_word(request.lowered, alias)


#: Letters of the longer word from which one slip of the fingers is looked through; in a shorter one it makes another word.
_MIN_SLIP_CHARS: Final = 5
#: Letters that a slip leaves alone: people start a word right.
_SURE_CHARS: Final = 2


def misspells_alias(request: Request, alias: str) -> bool:
    """Tell whether a message holds another name of a record with one slip in one of its words.

    >>> [misspells_alias(Request.of(text), "mongo") for text in ("mongoo pooling", "mango pooling", "mongo")]
    [True, False, False]
    """
    wanted, said = _WORDS.findall(alias), request.said
    if not wanted or _HAN.search(alias):
        return False
    runs = (said[at : at + len(wanted)] for at in range(len(said) - len(wanted) + 1))
    return any(_slips(run, wanted) == 1 for run in runs)


def _slips(run: Sequence[str], wanted: Sequence[str]) -> int:
    """Return how many words differ by one slip; more than one where a word differs otherwise."""
    differing = [(one, other) for one, other in zip(run, wanted, strict=True) if one != other]
    return len(differing) if all(_one_slip(one, other) for one, other in differing) else 2


def _one_slip(one: str, other: str) -> bool:
    """Tell whether a letter too many, too few, wrong, or swapped with its neighbour makes the two the same."""
    if max(len(one), len(other)) < _MIN_SLIP_CHARS or one[:_SURE_CHARS] != other[:_SURE_CHARS]:
        return False
    if len(one) > len(other):
        one, other = other, one
    at = next((at for at, ch in enumerate(one) if ch != other[at]), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    swapped = one[:at] + one[at + 1 : at + 2] + one[at : at + 1] + one[at + 2 :]
    return one[at + 1 :] == other[at + 1 :] or swapped == other
