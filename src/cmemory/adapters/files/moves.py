"""Joins files and use cases: what `ScopedMemory.export` and its two imports do with a path."""

from __future__ import annotations

import os
from collections.abc import Callable

from cmemory.adapters.files import dialogue, export
from cmemory.adapters.files.lines import Source
from cmemory.app import transfer
from cmemory.app.services import Services
from cmemory.app.transfer import ExportReport, ImportReport, OnProgress
from cmemory.domain.errors import UsageError
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.scope import Scope

Path = str | os.PathLike[str]


def export_records(services: Services, scope: Scope, path: Path, *, now: Instant) -> ExportReport:
    """Write what a relationship holds into a file.

    Raises:
        StoreError: the file cannot be written; an older one is left as it was.
        UsageError: the path names the database itself.
    """
    if any(_same(path, file) for file in services.store.footprint().files):
        raise UsageError(field="path", problem="names the database itself")
    snapshot = transfer.snapshot(services, scope)
    size = export.write(path, snapshot)
    return ExportReport(
        at=now,
        messages=len(snapshot.messages),
        records=len(snapshot.records),
        threads=len(snapshot.threads),
        bytes=size,
    )


def import_records(
    services: Services, scope: Scope, path: Path, *, now: Instant, on_progress: OnProgress | None
) -> ImportReport:
    """Take in an export.

    Raises:
        WireError: the file is no export, or of an unknown version; nothing was written.
        UsageError: the file cannot be read.
    """
    with Source(path) as source:
        origin, lines = export.read(source)
        report = transfer.import_records(
            services, scope, origin, lines, now=now, progress=_told(source, on_progress)
        )
        _told(source, on_progress)()
    return report


def import_dialogue(
    services: Services,
    scope: Scope,
    path: Path,
    *,
    form: dialogue.DialogueFormat,
    user: str | None,
    start: Instant,
    on_progress: OnProgress | None,
) -> ImportReport:
    """Take in a dialogue from elsewhere.

    Raises:
        WireError: the file is empty or of no known form; nothing was written.
        UsageError: the file cannot be read, or ``user`` does not speak in it.
    """
    with Source(path) as source:
        lines = dialogue.read(source, form=form, zone=services.zone, user=user)
        report = transfer.import_dialogue(
            services, scope, lines, start=start, progress=_told(source, on_progress)
        )
        _told(source, on_progress)()
    return report


def _same(path: Path, file: str) -> bool:
    try:
        return os.path.samefile(path, file)
    except (OSError, ValueError):
        return False


def _told(source: Source, on_progress: OnProgress | None) -> Callable[[], None]:
    def tell() -> None:
        if on_progress is not None:
            on_progress(source.done, source.total)

    return tell
