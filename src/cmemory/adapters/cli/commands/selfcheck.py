"""`cmemory selfcheck`: look over everything that is stored."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Block, Table
from cmemory.app.selfcheck import SelfcheckReport
from cmemory.domain.audit.finding import Finding, Severity, verdict


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repair",
        action="store_true",
        help="rebuild the full-text index where it is wrong; nothing else is changed",
    )


def _run(call: Call) -> Exit:
    with call.memory() as memory:
        report = memory.selfcheck(repair=call.args.repair)
    call.out.emit(_document(report), _blocks(report))
    return exit_of_findings(report.findings)


def exit_of_findings(findings: Iterable[Finding]) -> Exit:
    """Return how a command ends that found this: warnings are no failure."""
    return Exit.NOTHING if verdict(findings) is Severity.FAIL else Exit.OK


def findings_document(findings: Iterable[Finding]) -> list[dict[str, object]]:
    """Return findings as JSON data."""
    return [
        {
            "severity": one.severity.value,
            "code": one.code.value,
            "subject": one.subject,
            "scope": one.scope,
            "advice": one.advice,
        }
        for one in findings
    ]


def findings_table(findings: Iterable[Finding]) -> Table:
    """Return findings as rows."""
    return Table(
        ("SEVERITY", "CODE", "SUBJECT", "WHAT TO DO"),
        tuple((one.severity.name, one.code.value, one.subject, one.advice) for one in findings),
    )


def _document(report: SelfcheckReport) -> dict[str, object]:
    return {
        "severity": report.severity.value,
        "scopes": report.scopes,
        "records": report.records,
        "messages": report.messages,
        "reindexed": report.reindexed,
        "findings": findings_document(report.findings),
    }


def _blocks(report: SelfcheckReport) -> list[Block]:
    looked = f"{report.records} records and {report.messages} messages in {report.scopes} relationship(s)"
    mended = [f"Indexed {report.reindexed} records anew."] if report.reindexed else []
    return [*mended, findings_table(report.findings), f"{report.severity.name}: {looked} looked over."]


COMMAND = Command(
    help="look over everything that is stored",
    description=(
        "Look over everything that is stored, in all relationships, and tell what contradicts itself. "
        "Each finding names an id and what to do, never a word of the person. "
        "Exit code 0 means PASS or WARN, 1 means FAIL."
    ),
    configure=_configure,
    run=_run,
    examples=("selfcheck", "selfcheck --json", "selfcheck --repair"),
    json={
        "severity": "fail",
        "scopes": 1,
        "records": 12,
        "messages": 30,
        "reindexed": 0,
        "findings": [
            {
                "severity": "fail",
                "code": "index_missing",
                "subject": "claim-c-9ab…",
                "scope": '["cmemory","me","companion"]',
                "advice": "rebuild the index: cmemory selfcheck --repair",
            }
        ],
    },
)
