"""Finds what a later stretch of the same conversation puts right: the corrected value is never carried alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from cmemory.domain.archive.stretches import Stretch

#: Messages back in which a correction without a topic of its own ("no, ten") looks for what it corrects.
_NEAR = 6
#: Topics a correction may have and still mean nothing by itself.
_BARE_TOPICS = 1
#: Share of the poorer side's topics that both must name, where no value is named again.
_SHARED = {"strong": 0.3, "weak": 0.5}


@attrs.frozen(kw_only=True)
class Corrections:
    """What corrects what, by position of the stretches."""

    #: Corrected stretches that are left out.
    superseded: frozenset[int]
    #: Stretches that put something right.
    correcting: frozenset[int]
    #: A correction, and the corrected stretch without which it means nothing: both are carried or neither.
    needs: Mapping[int, int]


def corrections(stretches: Sequence[Stretch]) -> Corrections:
    """Return what the stretches correct of one another. Later corrections win over earlier ones.

    What an earlier checkpoint carried side by side stays side by side.
    """
    old: set[int] = set()
    needs: dict[int, int] = {}
    correcting: set[int] = set()
    for new in stretches:
        if not new.corrects or new.asks or new.drop is not None:
            continue
        targets = list(_targets(new, stretches, old))
        if new.corrects == "strong" or targets:
            correcting.add(new.at)
        replaced = [one.at for one in targets if not (one.carried and new.carried)]
        if targets and len(new.topics) <= _BARE_TOPICS and not _names_topic(new, targets):
            needs[new.at] = targets[-1].at
            old.update(at for at in replaced if at != targets[-1].at)
        else:
            old.update(replaced)
    # A chain of bare corrections leads to the first stretch, which names the topic.
    bundled = {at: _root(at, needs) for at in needs}
    current = {root: at for at, root in sorted(bundled.items())}
    stale = {at for at, root in bundled.items() if current[root] != at and not stretches[at].carried}
    kept = {at: root for at, root in bundled.items() if at not in stale}
    return Corrections(
        superseded=frozenset((old | stale) - set(kept.values())),
        correcting=frozenset(correcting),
        needs=kept,
    )


def _root(at: int, needs: Mapping[int, int]) -> int:
    while at in needs:
        at = needs[at]
    return at


def _names_topic(new: Stretch, targets: Sequence[Stretch]) -> bool:
    return any(not new.topics.isdisjoint(one.topics) for one in targets)


def _targets(new: Stretch, stretches: Sequence[Stretch], old: set[int]) -> Iterator[Stretch]:
    """Yield the earlier stretches that hold another value in the place of the new one, oldest first."""
    earlier = [one for one in stretches[: new.at] if one.at not in old and one.drop is None and not one.asks]
    found = [one for one in earlier if _replaced(one, new)]
    if not found and len(new.topics) <= _BARE_TOPICS:
        near = [one for one in earlier if one.entry >= new.entry - _NEAR and one.speaker is new.speaker]
        found = [one for one in near if _rival(one, new)][-1:]
    yield from found
    values = frozenset().union(*(_gone(one, new) for one in found)) if found else frozenset()
    first = found[0].at if found else new.at
    taken = {one.at for one in found}
    for echo in earlier:
        # Somebody repeated the old value in between: "OK, Friday then."
        if (
            echo.at > first
            and echo.at not in taken
            and values & echo.all_values
            and len(echo.topics) <= _BARE_TOPICS
        ):
            yield echo


def _replaced(one: Stretch, new: Stretch) -> bool:
    """Tell whether both are about the same and the newer one puts another value there."""
    shared = len(one.topics & new.topics)
    if not shared:
        return False
    if one.entry == new.entry and one.at != new.at - 1:
        return False
    # "From nine to ten", "not Friday but Monday": the old value is named again beside the new one.
    named = one.all_values & new.all_values
    if new.corrects == "strong" and named and _brings_more(one, new):
        return True
    enough = shared >= max(1, _SHARED[new.corrects] * min(len(one.topics), len(new.topics)))
    return enough and _rival(one, new)


def _rival(one: Stretch, new: Stretch) -> bool:
    """Tell whether both have a value of the same kind, and not the same one."""
    return any(
        held and new.values[kind] and held.isdisjoint(new.values[kind]) for kind, held in one.values.items()
    )


def _brings_more(one: Stretch, new: Stretch) -> bool:
    return any(held & new.values[kind] and new.values[kind] - held for kind, held in one.values.items())


def _gone(one: Stretch, new: Stretch) -> frozenset[str]:
    kinds = [kind for kind in one.values if new.values[kind]]
    return frozenset().union(*(one.values[kind] for kind in kinds)) if kinds else frozenset()
