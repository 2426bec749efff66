"""The curves by which things lose weight."""

from __future__ import annotations

import math
import sys


def half_life(age: float, half: float) -> float:
    """Return 2^(−age/half): 1 at age 0, 0.5 after one half-life, never quite 0.

    Args:
        age: 0 or more, in the unit of ``half``.
        half: the half-life; 0 switches decay off.
    """
    if half <= 0:
        return 1.0
    return max(math.pow(2.0, -age / half), sys.float_info.min)


def hyperbolic(age: float, half: float) -> float:
    """Return 1 / (1 + age/half): 1 at age 0, 0.5 after one half-life, and a long tail.

    Args:
        age: 0 or more, in the unit of ``half``.
        half: when half is left; 0 switches decay off.

    >>> hyperbolic(30, 30), round(hyperbolic(365, 30), 4)
    (0.5, 0.0759)
    """
    return 1.0 if half <= 0 else 1.0 / (1.0 + age / half)
