"""A whole companion turn without a model and without a server.

Run it with ``python examples/quickstart.py``; nothing is written to disk.
"""

from __future__ import annotations

from cmemory import Memory

memory = Memory.open()  # Memory.open("luna.db") keeps it in a file
luna = memory.scope(service="my-app", owner="u-42", profile="luna")

# What the person says is written down at once, and learned from when you say so.
luna.observe("我叫周眠，最近在等体检结果。", session="s1", at="2026-03-01T20:00:00+08:00")
luna.observe("Please don't bring up my ex.", session="s1", at="2026-03-01T20:01:00+08:00")
luna.learn(now="2026-03-01T20:05:00+08:00")

# The next day: what may the model know in this turn?
turn = luna.prepare("还是没等到体检结果，有点慌。", session="s2", now="2026-03-02T21:00:00+08:00")
print(turn.text)

# And when the talk is about something else?
quiet = luna.prepare("今天天气真好。", session="s2", now="2026-03-02T21:05:00+08:00")
for why, count in quiet.withheld.items():
    print(f"withheld: {count} ({why.value})")
