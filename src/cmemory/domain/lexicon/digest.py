"""How a digest is worded, in each language it can be told in."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType

import attrs


class Language(enum.Enum):
    """A language that the library writes sentences of its own in."""

    EN = "en"
    ZH = "zh"


@attrs.frozen(kw_only=True)
class Labels:
    """The words around what a person said. Braces take what is told."""

    learned: str
    changed: str
    happened: str
    ahead: str
    felt: str
    #: Two days, the first and the last.
    days: str
    #: What was said before and what holds now.
    became: str
    #: What was believed and no longer is.
    ended: str
    #: A day and what is due on it.
    due: str
    #: A claim and whom or what it is about.
    about: str
    #: How many messages there were, by each side.
    messages: str


LABELS: Mapping[Language, Labels] = MappingProxyType(
    {
        Language.EN: Labels(
            learned="Learned",
            changed="Changed",
            happened="Happened",
            ahead="Ahead",
            felt="How it felt",
            days="{} to {}",
            became="{} → {}",
            ended="no longer: {}",
            due="{}: {}",
            about="{} ({})",
            messages="Messages: {} from you, {} from the companion",
        ),
        Language.ZH: Labels(
            learned="新知道的",
            changed="有变化的",
            happened="发生的事",
            ahead="接下来",
            felt="当时的心情",
            days="{} 至 {}",
            became="{} → {}",
            ended="不再是：{}",
            due="{}：{}",
            about="{}（{}）",
            messages="消息：你 {} 条，伙伴 {} 条",
        ),
    }
)
