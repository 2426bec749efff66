"""What kind of thing was said, and whether it may enter a window at all: questions, thanks and plans are no evidence.

It sees words, never a score. Reading is the original protocol's where ``original`` asks for it, weaknesses included; ours
otherwise. The differences are listed in `docs/explanation/adaptive-window.md`.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from types import MappingProxyType

import attrs

from cmemory.domain.lexicon import window_en as en
from cmemory.domain.lexicon import window_zh as zh
from cmemory.domain.lexicon.greetings import SMALL_TALK
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.text.normal import compact
from cmemory.domain.text.view import any_of, whole

_FLAGS = re.IGNORECASE | re.ASCII


class ContentKind(enum.Enum):
    """The kinds, in the order in which they are tested."""

    ACKNOWLEDGEMENT = "acknowledgement"
    QUESTION = "question"
    #: A plan or a guess: nothing of it is settled.
    CONDITIONAL = "conditional"
    STATEMENT = "statement"


#: Factor on what a text scores by its kind.
UTILITY: Mapping[ContentKind, float] = MappingProxyType(
    {
        ContentKind.STATEMENT: 1.0,
        ContentKind.QUESTION: 0.2,
        ContentKind.CONDITIONAL: 0.15,
        ContentKind.ACKNOWLEDGEMENT: 0.08,
    }
)

_ACKNOWLEDGED = (
    lazy_pattern(rf"(?:{any_of(zh.RECEIVABLE)}|素材[0-9]+)?已收到[。.!]?"),
    lazy_pattern(rf"{any_of(en.RECEIVED)}[.!]?", _FLAGS),
    # A wrapped one: marks of a list or a quote, an order or its receipt, and the word itself.
    lazy_pattern(
        r"[\s#>*_⏵▶▷▸›»\-–—]*(?:收到\s*(?:remi)?\s*(?:测试指令)?|回复\s*ACK)\s*ACK\s*[。.!]?", re.IGNORECASE
    ),
)
_ACKNOWLEDGED_TOO = lazy_pattern(rf"{any_of(zh.RECEIVED)}[。.!~]*")

#: What stands before this is the matter; the rest says how to answer.
_ANSWER_SO = lazy_pattern(rf"{any_of(zh.ONLY_ORDERS)}|\bonly {any_of(en.ONLY_ORDERS)}\b", _FLAGS)

_ASKED = (
    lazy_pattern(f"请?{any_of(zh.ASKING)}"),
    lazy_pattern(f"{any_of(zh.ASKING_TOGETHER)}.*{any_of(zh.ASKED)}"),
    lazy_pattern(rf"(?:please )?{any_of(en.ASKING)}\b", _FLAGS),
)
_NOT_ASKED = lazy_pattern(rf"{any_of(en.NOT_ASKING)}\b", _FLAGS)
_MARKED = lazy_pattern(r"\? ?\Z")

#: "may" is a verb unless a preposition before it or a day after it makes it a month.
_MAY = lazy_pattern(
    r"(?<!\bin )(?<!\bon )(?<!\bof )(?<!\blast )(?<!\bnext )(?<!\bthis )\bmay\b(?! ?[0-9])", _FLAGS
)
_UNSETTLED = (
    whole(en.UNSETTLED),
    _MAY,
    lazy_pattern(any_of(zh.UNSETTLED)),
    lazy_pattern("(?<!不)可能(?!性)"),
    lazy_pattern(rf"{any_of(zh.PLANNERS)}(?:也|还|就|都|在|正在)?{any_of(zh.PLANNING)}(?!的|是|书|表)"),
)
_UNSETTLED_ORIGINALLY = (whole((*en.UNSETTLED, "may")), lazy_pattern(any_of(zh.UNSETTLED_ORIGINALLY)))

_FORMERLY = (whole(en.FORMERLY), lazy_pattern(any_of((*zh.FORMERLY, *zh.FORMERLY_QUALIFYING))))
_FORMERLY_ORIGINALLY = (whole(en.FORMERLY_ORIGINALLY), lazy_pattern(any_of(zh.FORMERLY_ORIGINALLY)))

_APOSTROPHE = lazy_pattern("['’]")
_UNSPOKEN = lazy_pattern(r"[\W_]+")
_SMALL_TALK = lazy_pattern(rf"(?:(?:{'|'.join(sorted(SMALL_TALK, key=len, reverse=True))})\s*)+")

_NAME = lazy_pattern(r"[A-Za-z][A-Za-z0-9_./:@\\-]*")
_NAME_MARK = lazy_pattern(r"[A-Z0-9_./:@\\-]")
_MIN_NAME_CHARS = 3


def kind_of(text: str, *, original: bool = False) -> ContentKind:
    """Return what kind of thing a text is; the first kind that fits.

    >>> [kind_of(text).value for text in ("▶ 回复 ACK ACK", "你叫什么?", "We might move.", "我不可能喜欢香菜")]
    ['acknowledgement', 'question', 'conditional', 'statement']
    """
    plain = compact(text)
    if any(pattern.fullmatch(plain) for pattern in _ACKNOWLEDGED):
        return ContentKind.ACKNOWLEDGEMENT
    if not original and _ACKNOWLEDGED_TOO.fullmatch(plain):
        return ContentKind.ACKNOWLEDGEMENT
    found = _ANSWER_SO.search(plain)
    matter = plain[: found.start()] if found else plain
    if _asks(matter, original):
        return ContentKind.QUESTION
    return ContentKind.CONDITIONAL if unsettled(matter, original=original) else ContentKind.STATEMENT


def is_small_talk(text: str) -> bool:
    """Tell whether a text only greets, thanks or keeps the line open, so that nothing needs to be remembered for it.

    >>> [is_small_talk(text) for text in ("你好呀，在吗？", "Hi! How are you? 🙂", "hi, how is my cello?", "ok", "…")]
    [True, True, False, True, True]
    """
    plain = _UNSPOKEN.sub(" ", _APOSTROPHE.sub("", compact(text).lower())).strip()
    return (
        not plain or _SMALL_TALK.fullmatch(plain) is not None or kind_of(text) is ContentKind.ACKNOWLEDGEMENT
    )


def _asks(matter: str, original: bool) -> bool:
    if _MARKED.search(matter):
        return True
    if not original and _NOT_ASKED.match(matter):
        return False
    return any(pattern.match(matter) for pattern in _ASKED)


def unsettled(text: str, *, original: bool = False) -> bool:
    """Tell whether a text speaks of what may or will be; a query that does asks for plans.

    >>> unsettled("The meeting is on May 5."), unsettled("The meeting is on May 5.", original=True)
    (False, True)
    """
    patterns = _UNSETTLED_ORIGINALLY if original else _UNSETTLED
    return any(pattern.search(text) for pattern in patterns)


def asks_for_history(text: str, *, original: bool = False) -> bool:
    """Tell whether a query asks for what held earlier and no longer does.

    >>> asks_for_history("之前的地址是什么"), asks_for_history("Before breakfast, what do I drink?")
    (True, False)
    """
    patterns = _FORMERLY_ORIGINALLY if original else _FORMERLY
    return any(pattern.search(text) for pattern in patterns)


def focus_terms(query: str, *, original: bool = False) -> frozenset[str]:
    """Return the names a query insists on: Latin words with a capital, a digit or a joiner; none in pure Chinese.

    >>> sorted(focus_terms("Who is Rex? Tell me about my dog.")), focus_terms("dog.", original=True)
    (['rex'], frozenset({'dog.'}))
    """
    unnamed = en.UNNAMED_ORIGINALLY if original else en.UNNAMED
    runs = (run if original else run.rstrip(".:-") for run in _NAME.findall(query))
    return frozenset(
        run.lower()
        for run in runs
        if len(run) >= _MIN_NAME_CHARS and run.lower() not in unnamed and _NAME_MARK.search(run)
    )


def focus_overlap(terms: frozenset[str], view: str) -> float:
    """Return the share of the names that stand in a scoring view, 0 to 1; 1 when there are none."""
    lowered = view.lower()
    return sum(term in lowered for term in terms) / len(terms) if terms else 1.0


class Exclusion(enum.Enum):
    """Why hygiene keeps a text out, in the order in which it is tested."""

    #: It is what the person says in this very turn.
    CURRENT_QUERY = "current_query"
    #: A question or an acknowledgement.
    LOW_UTILITY = "low_utility"
    #: A plan, and no plans were asked for.
    CONDITIONAL = "conditional"
    #: It names none of the names the query insists on.
    FOCUS_MISMATCH = "focus_mismatch"


@attrs.frozen(kw_only=True)
class Look:
    """What hygiene sees of one text."""

    kind: ContentKind
    #: Whether it repeats the query.
    echo: bool
    #: Whether the query asks for plans.
    plans_wanted: bool
    #: See `focus_overlap`.
    overlap: float


def exclusion(look: Look) -> Exclusion | None:
    """Return why a text may not enter, or None.

    >>> exclusion(Look(kind=ContentKind.CONDITIONAL, echo=False, plans_wanted=True, overlap=1.0)) is None
    True
    """
    if look.echo:
        return Exclusion.CURRENT_QUERY
    if look.kind in (ContentKind.QUESTION, ContentKind.ACKNOWLEDGEMENT):
        return Exclusion.LOW_UTILITY
    if look.kind is ContentKind.CONDITIONAL and not look.plans_wanted:
        return Exclusion.CONDITIONAL
    return Exclusion.FOCUS_MISMATCH if look.overlap <= 0 else None


def utility_of(kind: ContentKind, *, plans_wanted: bool) -> float:
    """Return the factor on what a text scores; a plan counts in full where plans are asked for."""
    return 1.0 if kind is ContentKind.CONDITIONAL and plans_wanted else UTILITY[kind]
