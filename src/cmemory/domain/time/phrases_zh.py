"""Chinese names of days."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

DAY_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], date]], ...] = ()
