"""Move a relationship to another database, and see that what was forgotten does not travel.

Run it with ``python examples/export_and_move.py``; it works in a temporary folder.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from cmemory import Memory

with tempfile.TemporaryDirectory() as folder:
    old, new, file = (Path(folder, name) for name in ("old.db", "new.db", "luna.jsonl"))

    with Memory.open(old) as memory:
        luna = memory.scope(service="my-app", owner="u-42", profile="luna")
        luna.remember("My name is Nora.", at="2026-03-01T20:00:00Z")
        [wait] = luna.remember("I'm waiting for the biopsy results.", at="2026-03-01T20:01:00Z")
        if wait.record_id is not None:
            luna.forget(wait.record_id, now="2026-03-02T20:00:00Z")
        written = luna.export(file, now="2026-03-03T20:00:00Z")
        print(f"exported: {written.records} record, {written.messages} message")

    print(f"the word is in the file: {'biopsy' in file.read_text(encoding='utf-8')}")

    with Memory.open(new) as memory:
        luna = memory.scope(service="my-app", owner="u-42", profile="luna")
        report = luna.import_records(file, now="2026-03-04T20:00:00Z")
        print(f"imported: {report.accepted} accepted, {report.merged} known, {len(report.errors)} unreadable")
        for item in luna.prepare("hello", now="2026-03-04T21:00:00Z").identity:
            print(item.text)
