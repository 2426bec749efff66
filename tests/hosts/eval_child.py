"""Runs an evaluation in a process of its own, slowly enough to be killed in the middle."""

from __future__ import annotations

import sys
import time

from typing_extensions import override

from cmemory.bench.eval.files import read_fixture
from cmemory.bench.eval.run import run
from cmemory.domain.prompts.prompt import Prompt
from companions import PerfectCompanion


class _Slow(PerfectCompanion):
    @override
    def complete(self, prompt: Prompt) -> str:
        time.sleep(0.003)
        return super().complete(prompt)


if __name__ == "__main__":
    run(read_fixture("en"), _Slow(), sys.argv[1], repetitions=1, by_rules=True)
