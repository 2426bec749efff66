"""Looks over a whole store and, when asked, mends the one thing that can be mended without losing anything."""

from __future__ import annotations

import attrs

from cmemory.app.services import Services
from cmemory.domain.audit.checks import check, check_medium
from cmemory.domain.audit.finding import MENDED_BY_INDEXING, Code, Finding, Severity, verdict
from cmemory.domain.errors import StoreError
from cmemory.domain.model.instant import Instant
from cmemory.domain.policy import AssociationPolicy
from cmemory.ports.store import Survey


@attrs.frozen(kw_only=True)
class SelfcheckReport:
    """What a look over the stored state found."""

    #: What is not as it should be; empty when all is well.
    findings: tuple[Finding, ...] = ()
    #: How much was looked at.
    scopes: int = 0
    records: int = 0
    messages: int = 0
    #: Records whose index entries were built anew; those of the messages were then as well.
    reindexed: int = 0

    @property
    def severity(self) -> Severity:
        """The worst of the findings."""
        return verdict(self.findings)


def selfcheck(services: Services, *, now: Instant, repair: bool) -> SelfcheckReport:
    """Return what is wrong with the stored state of every scope.

    Args:
        services: the store.
        now: claims count as live at this moment.
        repair: whether to rebuild the indexes of scopes where one is wrong. Nothing else is ever changed: they hold
            nothing that records and messages do not, and everything else is somebody's word.

    Raises:
        StoreError: the store cannot be opened to the check, or the index cannot be rebuilt.
    """
    report = _look(services, now)
    broken = {one.scope for one in report.findings if one.code in MENDED_BY_INDEXING}
    if not repair or not broken:
        return report
    store = services.store
    # Entries of no scope go whenever any index is built anew.
    chosen = [scope for scope in store.scopes() if scope.key in broken] or store.scopes()[:1]
    reindexed = sum(map(store.reindex, chosen))
    return attrs.evolve(_look(services, now), reindexed=reindexed)


def _look(services: Services, now: Instant) -> SelfcheckReport:
    found = None
    try:
        with services.store.survey() as survey:
            limits = services.policy.window.association
            found = examine(survey, secret=services.store.secret, now=now, limits=limits)
    except StoreError:
        # A medium may be so damaged that even the end of reading fails.
        if found is None:
            raise
        return _damaged(found)
    return found


def _damaged(report: SelfcheckReport) -> SelfcheckReport:
    others = (one for one in report.findings if one.code is not Code.MEDIUM_DAMAGED)
    return attrs.evolve(report, findings=(Finding(code=Code.MEDIUM_DAMAGED, subject="database"), *others))


def examine(
    survey: Survey, *, secret: bytes, now: Instant, limits: AssociationPolicy | None = None
) -> SelfcheckReport:
    """Return what is wrong with a surveyed state; what cannot be read is told as damage.

    Args:
        survey: the state.
        secret: key of its forgetting hashes.
        now: claims count as live at this moment.
        limits: what associations are held to; None when nobody knows.
    """
    findings: list[Finding] = []
    scopes = records = messages = 0
    damaged = False
    try:
        findings += check_medium(survey.medium())
        for snapshot in survey.snapshots():
            scopes += 1
            records += len(snapshot.records)
            messages += len(snapshot.messages)
            findings += check(snapshot, secret=secret, now=now, limits=limits)
    except StoreError:
        damaged = True
    report = SelfcheckReport(findings=tuple(findings), scopes=scopes, records=records, messages=messages)
    return _damaged(report) if damaged else report
