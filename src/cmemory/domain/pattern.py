"""A pattern that is compiled when it is first used.

The lexicons hold some four hundred patterns, and a process needs few of them: those of one language, of what it is asked
to do, and of what people really say to it. Compiling them all would take longer than loading the library.
"""

from __future__ import annotations

import re
from typing import AnyStr, cast


class _Lazy:
    """Stands in for a compiled pattern; nothing but its two arguments is kept until it is asked for something."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(name)
        # Python asks here only for what is not there yet. Whatever it finds is kept, so that from the second time on a
        # method is as near as that of the compiled pattern. Threads that meet here keep equal methods, whoever is last.
        found: object = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, found)
        return found


def lazy_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern as `re.compile` does, but compile it when one of its methods or attributes is first asked for.

    It is the one way to write a pattern that stands in a module or a table. What must be a real pattern, because `re`
    itself takes it or it is used at once, is for `re.compile`. A mistake in the source shows at the first use; so that
    this is not in the middle of a conversation, a test compiles every pattern.

    >>> word = lazy_pattern("[a-z]+")
    >>> word.findall("so quiet")
    ['so', 'quiet']
    """
    return cast("re.Pattern[AnyStr]", _Lazy(source, flags))
