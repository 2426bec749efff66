"""The composition root: the only place that picks adapters."""

from __future__ import annotations

import os
from datetime import tzinfo

from cmemory.adapters.inmemory import InMemoryStore
from cmemory.adapters.sink import JsonlSink
from cmemory.adapters.system import new_secret, system_clock, zone_of
from cmemory.app.extract import ModelExtractor, RuleExtractor
from cmemory.app.services import Services
from cmemory.domain.policy import Policy
from cmemory.ports.clock import Clock
from cmemory.ports.extractor import Extractor
from cmemory.ports.inbox import Journal
from cmemory.ports.model import Model
from cmemory.ports.sink import TraceSink
from cmemory.ports.store import Store

#: The path that means "keep nothing on disk".
IN_MEMORY = ":memory:"


def open_store(path: str | os.PathLike[str], *, secret: bytes | None) -> Store:
    """Return the store a path names."""
    if os.fspath(path) == IN_MEMORY:
        return InMemoryStore(secret=secret or new_secret())
    from cmemory.adapters.sqlite import SqliteStore

    return SqliteStore.open(path, secret=secret)


def assemble(
    store: Store,
    *,
    policy: Policy,
    extractor: Extractor | None,
    model: Model | None,
    clock: Clock | None,
    zone: str | tzinfo,
    trace: str | os.PathLike[str] | TraceSink | None,
    journal: str | os.PathLike[str] | Journal | None = None,
) -> Services:
    """Return the services of one `Memory`; whatever is left out gets the plainest adapter."""
    civil = zone_of(zone)
    sink = JsonlSink(trace) if isinstance(trace, (str, os.PathLike)) else trace
    reader: Extractor = RuleExtractor(civil) if model is None else ModelExtractor(model, zone=civil)
    return Services(
        store=store,
        extractor=extractor or reader,
        clock=clock or system_clock,
        sink=sink,
        policy=policy,
        zone=civil,
        journal=open_journal(journal) if isinstance(journal, (str, os.PathLike)) else journal,
    )


def open_journal(path: str | os.PathLike[str]) -> Journal:
    """Return the journal a path names."""
    from cmemory.adapters.files.journal import FileJournal

    return FileJournal.open(path)
