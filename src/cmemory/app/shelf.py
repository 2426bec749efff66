"""Keeps what was prepared of recent relationships at hand, until something in one of them is forgotten."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, NewType, TypeVar

from cmemory.domain.model.scope import Scope

_T = TypeVar("_T")

#: What a shelf was like before something was read; see `Shelf.mark`.
Mark = NewType("Mark", int)


class Shelf(Generic[_T]):
    """The last few things that were prepared, by relationship and a name within it. Threads may share it.

    Args:
        room: things at most; the one that was not used for longest gives way.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._kept: OrderedDict[tuple[Scope, str], _T] = OrderedDict()
        self._drops = 0
        self._lock = threading.Lock()

    def mark(self) -> Mark:
        """Return what `put` needs to know; ask for it before anything is read from the store."""
        with self._lock:
            return Mark(self._drops)

    def get(self, scope: Scope, name: str = "") -> _T | None:
        """Return what is kept under a name, None when nothing is."""
        with self._lock:
            if (scope, name) not in self._kept:
                return None
            self._kept.move_to_end((scope, name))
            return self._kept[scope, name]

    def put(self, thing: _T, scope: Scope, name: str = "", *, mark: Mark) -> None:
        """Keep a thing, unless something was dropped since the mark: it may have been read before that was forgotten."""
        with self._lock:
            if mark != self._drops:
                return
            self._kept[scope, name] = thing
            self._kept.move_to_end((scope, name))
            while len(self._kept) > self._room:
                self._kept.popitem(last=False)

    def drop(self, scope: Scope) -> None:
        """Keep nothing of a relationship, nor what was read of it so far."""
        with self._lock:
            self._drops += 1
            for key in [key for key in self._kept if key[0] == scope]:
                del self._kept[key]
