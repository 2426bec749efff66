"""Plays a fixture in every arm, again and again, and keeps each case before the next is played."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack

from cmemory.adapters import wire
from cmemory.bench.eval.arms import Arm, order
from cmemory.bench.eval.cases import FORMAT, Artefacts, Header, case_id
from cmemory.bench.eval.course import Course
from cmemory.bench.eval.files import artefact_file, checked
from cmemory.bench.eval.fixture import Fixture
from cmemory.domain.errors import UsageError
from cmemory.domain.model.ids import derive_id
from cmemory.domain.policy import COMPANION, Policy
from cmemory.ports.model import Model

#: Told how many cases are done, and how many there are.
OnProgress = Callable[[int, int], None]

#: Repetitions of a look while developing, and of a run that is to be accepted.
REPETITIONS = 5
ACCEPTANCE_REPETITIONS = 10


def run(
    fixture: Fixture,
    model: Model,
    path: str | os.PathLike[str],
    *,
    repetitions: int = REPETITIONS,
    by_rules: bool = False,
    policy: Policy = COMPANION,
    on_progress: OnProgress | None = None,
) -> Artefacts:
    """Play a fixture and return the artefacts; a run that was interrupted goes on where it stopped.

    What is finished is not asked again: a repetition that began is played again from what is kept, since its memory
    was lost with the process.

    Args:
        fixture: what is played.
        model: answers, and proposes facts in the normal arm.
        path: the artefact file, made when it is not there.
        repetitions: how often everything is played, each time with an empty memory.
        by_rules: whether the offline rules propose facts in the normal arm, in place of the model.
        policy: thresholds and budgets of the memory under test.
        on_progress: told the cases done and in all.

    Raises:
        UsageError: the fixture is refused, before the model is asked anything; or the file holds another run.
        ModelError: the model has no answer now; run again to go on.
        StoreError: the file cannot be written.
    """
    if repetitions < 1:
        raise UsageError(field="repetitions", problem="must be 1 or more")
    header = Header(
        format=FORMAT,
        fixture=checked(fixture),
        repetitions=repetitions,
        model=model.name,
        extractor="rules" if by_rules else "model",
        policy=derive_id("policy", wire.dump(wire.to_json(policy))),
    )
    places = tuple(fixture.placed())
    with artefact_file(path, header) as file:
        kept = {case.id: case for case in file.kept.cases}
        cases = list(file.kept.cases)
        total = file.kept.expected
        tell = on_progress or (lambda done, of: None)
        for repetition in range(repetitions):
            names = [case_id(repetition, arm, place.name) for place in places for arm in Arm]
            if all(name in kept for name in names):
                continue
            with ExitStack() as courses:
                course = {
                    arm: courses.enter_context(
                        Course(
                            fixture, arm, repetition=repetition, model=model, by_rules=by_rules, policy=policy
                        )
                    )
                    for arm in Arm
                }
                for place in places:
                    for arm in order(repetition):
                        before = kept.get(case_id(repetition, arm, place.name))
                        case = course[arm].play(place, before)
                        if before is None:
                            file.add(case)
                            cases.append(case)
                        tell(len(cases), total)
    return Artefacts(header=header, cases=tuple(cases))
