"""Counts two promises on databases of made-up statements: what was forgotten stays gone, and nobody sees another's memory.

``python -m cmemory.bench.promises [--json]``

*Forgetting.* For each statement and each way of bringing it back a database is made, the statement remembered among others,
exported, backed up, and forgotten. Then the way is tried, and everything a reader has is looked through: lists of every
status, searches of both kinds, the plan. The words are looked for in every byte of the database, of its log and of the
trace; the export and the backup were made before, are the person's own, and stay. Seen as a record and seen word for word
in what was said are told apart: the log keeps what a person says again as long as nothing recognises it.

*Isolation.* One relationship knows a secret. Others, whose names resemble its own, ask for everything in every way, with its
ids as well; and scopes are asked for that would be several.

Both count on themselves first: the statement is found and its bytes stand in the files before it is forgotten, and whoever
owns the secret finds it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import attrs

from cmemory.bench.figures import markdown
from cmemory.bench.speed_harness import held
from cmemory.domain.errors import UsageError
from cmemory.memory import Memory, ScopedMemory

#: The way that no normal form reaches: the same words in traditional characters.
OTHER_SCRIPT = "written in traditional characters"

_DAYS = tuple(f"2026-03-{day:02d}T09:00:00Z" for day in range(1, 29))
_TOLD, _GONE, _AGAIN, _NOW = _DAYS[0], _DAYS[9], _DAYS[10], _DAYS[20]


@attrs.frozen(kw_only=True)
class Statement:
    """Something a person says and has forgotten again."""

    text: str
    predicate: str
    value: str
    #: The same value, written otherwise.
    otherwise: tuple[str, ...]
    #: The same value in traditional characters, which is another word for whoever reads letter by letter.
    other_script: tuple[str, ...] = ()
    #: What would find it.
    question: str

    def spelt(self, value: str) -> str:
        """Return the text with the value written otherwise."""
        return self.text.replace(self.value, value)


STATEMENTS = (
    Statement(
        text="My name is Lin Yue.",
        predicate="identity.name",
        value="Lin Yue",
        otherwise=("LIN YUE", "lin-yue", "Ｌｉｎ　Ｙｕｅ", "Lin\u200bYue", "L\u00edn Yu\u00e9", "Lin  Yue"),
        question="What is my name, Lin Yue?",
    ),
    Statement(
        text="我叫慕容晚秋。",
        predicate="identity.name",
        value="慕容晚秋",
        otherwise=("慕容 晚秋", "慕容·晚秋", "慕容\u200b晚秋", "「慕容晚秋」"),
        question="慕容晚秋是我吗？",
    ),
    Statement(
        text="I am learning to play the ocarina.",
        predicate="goal.current_focus",
        value="play the ocarina",
        otherwise=("Play The Ocarina", "play  the\tocarina", "ｐｌａｙ the ocarina", "play the ocarina!"),
        question="How is it going with the ocarina?",
    ),
    Statement(
        text="我在学吹陶笛。",
        predicate="goal.current_focus",
        value="吹陶笛",
        otherwise=("吹 陶笛", "吹陶笛！", "吹\u200b陶笛"),
        question="陶笛学得怎么样了？",
    ),
    Statement(
        text="I am waiting for the biopsy result.",
        predicate="open_loop.waiting_on",
        value="biopsy result",
        otherwise=("Biopsy Result", "biopsy-result", "biopsy\u00a0result"),
        question="Is the biopsy result there?",
    ),
    Statement(
        text="最近在等体检结果。",
        predicate="open_loop.waiting_on",
        value="体检结果",
        otherwise=("体检 结果", "体检结果。", "体检\u200b结果"),
        other_script=("體檢結果",),
        question="体检结果出了吗？",
    ),
)

#: What else the person says, before and after; none of it shares a word with a statement.
_BESIDE = ("I sort the herbs on Sundays.", "周末去爬山。", "The kettle is new.", "楼下开了一家花店。")


@attrs.frozen(kw_only=True)
class Way:
    """What came of one way of bringing something back."""

    way: str
    tries: int
    #: How often it was visible before it was forgotten, and its words stood in a file; always, or nothing is shown.
    seen_before: int
    held_before: int
    #: How often it was visible again as a record, how often word for word among what was said, and stood in a file.
    as_record: int
    as_said: int
    held_after: int


@attrs.frozen(kw_only=True)
class _Try:
    """One attempt."""

    seen_before: bool
    held_before: bool
    as_record: bool
    as_said: bool
    held_after: bool


def forgetting(statements: Sequence[Statement] = STATEMENTS) -> tuple[Way, ...]:
    """Return what came of forgetting each statement and then trying to bring it back, way by way."""
    ways: dict[str, list[_Try]] = defaultdict(list)
    for one in statements:
        for name, attempt in _attempts(one):
            with tempfile.TemporaryDirectory(prefix="cmemory-forget-") as folder:
                ways[name].append(_tried(_Life.begin(one, Path(folder)), attempt))
    return tuple(
        Way(
            way=name,
            tries=len(tries),
            **{one.name: sum(getattr(each, one.name) for each in tries) for one in attrs.fields(_Try)},
        )
        for name, tries in ways.items()
    )


def _tried(life: _Life, attempt: Callable[[_Life], object]) -> _Try:
    seen, held_before = life.as_record(), life.held()
    life.forget()
    attempt(life)
    again, said = life.as_record(), life.as_said()
    life.memory.close()
    return _Try(
        seen_before=seen, held_before=held_before, as_record=again, as_said=said, held_after=life.held()
    )


def _attempts(one: Statement) -> Iterator[tuple[str, Callable[[_Life], object]]]:
    """Yield what might bring a statement back."""
    yield "said again", lambda life: life.tell(one.value)
    yield "said again, as the same message", lambda life: life.tell(one.value, life.message)
    yield "said again and learned", lambda life: life.hear(one.text)
    for value in one.otherwise:
        yield "written otherwise", lambda life, value=value: life.tell(value)  # type: ignore[misc]
        yield (
            "written otherwise and learned",
            lambda life, value=value: life.hear(one.spelt(value)),  # type: ignore[misc]
        )
    for value in one.other_script:
        yield OTHER_SCRIPT, lambda life, value=value: life.tell(value)  # type: ignore[misc]
    yield "imported again", _Life.bring_in
    yield "restored", lambda life: _refused(lambda: life.luna.restore(life.record, now=_AGAIN))
    yield "restored from a backup", _Life.restore_backup


@attrs.define
class _Life:
    """One database and the statement that is forgotten in it."""

    statement: Statement
    #: Holds what the library keeps, and what the person took out of it.
    kept: Path
    taken: Path
    memory: Memory
    record: str
    message: str

    @classmethod
    def begin(cls, statement: Statement, folder: Path) -> _Life:
        kept, taken = folder / "kept", folder / "taken"
        kept.mkdir()
        taken.mkdir()
        memory = _opened(kept)
        luna = _luna(memory)
        for at, text in enumerate(_BESIDE):
            luna.observe(text, session="s1", at=_DAYS[at])
        said = luna.observe(statement.text, session="s1", at=_TOLD)
        (stored,) = luna.remember(
            statement.text,
            predicate=statement.predicate,
            value=statement.value,
            session="s1",
            at=_TOLD,
            message_id=said.message_id,
        )
        if stored.record_id is None:
            raise RuntimeError(f"a made-up statement was refused: {stored.reason.value}")
        luna.learn(now=_DAYS[5])
        luna.export(taken / "before.jsonl", now=_DAYS[6])
        memory.backup(taken / "before.db")
        return cls(statement, kept, taken, memory, stored.record_id, said.message_id)

    @property
    def luna(self) -> ScopedMemory:
        return _luna(self.memory)

    def forget(self) -> None:
        self.luna.forget(self.message, now=_GONE)
        self.luna.forget(self.record, now=_GONE)

    def tell(self, value: str, message: str | None = None) -> None:
        """State it again, in this spelling."""
        self.luna.remember(
            self.statement.spelt(value),
            predicate=self.statement.predicate,
            value=value,
            at=_AGAIN,
            message_id=message,
        )

    def hear(self, text: str) -> None:
        """Have the person say it, and learn from it."""
        self.luna.observe(text, session="s2", at=_AGAIN)
        self.luna.learn(now=_AGAIN)

    def bring_in(self) -> None:
        """Import what was exported before."""
        self.luna.import_records(self.taken / "before.jsonl", now=_AGAIN)

    def restore_backup(self) -> None:
        """Put the backup in the place of the database, and open it."""
        self.memory.close()
        Memory.restore_backup(self.taken / "before.db", self.kept / "memory.db", now=_AGAIN)
        self.memory = _opened(self.kept)

    def as_record(self) -> bool:
        """Whether the statement is listed, found or planned with, however it is written."""
        luna = self.luna
        texts = [record.body.shown for record in luna.list(everything=True, now=_NOW)]
        for asked in self._asked():
            texts += [hit.text for hit in luna.search(asked, now=_NOW)]
            texts.append(luna.prepare(asked, session="s3", now=_NOW).text)
        return self._shown(texts)

    def as_said(self) -> bool:
        """Whether it is found word for word among what was said."""
        found = (self.luna.search(asked, kind="utterance", now=_NOW) for asked in self._asked())
        return self._shown([hit.text for hits in found for hit in hits])

    def _asked(self) -> tuple[str, ...]:
        one = self.statement
        return (one.question, one.value, *one.otherwise, *one.other_script)

    def _shown(self, texts: Sequence[str]) -> bool:
        return any(form in text for form in self._asked()[1:] for text in texts)

    def held(self) -> bool:
        """Whether the words stand in a file of the database, as they were told or otherwise."""
        return held(self.kept, self._asked()[1:]) > 0


def _opened(folder: Path) -> Memory:
    return Memory.open(folder / "memory.db", trace=folder / "trace.jsonl")


def _luna(memory: Memory) -> ScopedMemory:
    return memory.scope(service="bench", owner="u-1", profile="luna")


def _refused(act: Callable[[], object]) -> str | None:
    """Return what a call is refused with, None where it is not."""
    try:
        act()
    except UsageError as error:
        return str(error)
    return None


# -- whose memory it is --------------------------------------------------------------------------------------------

_OWN = {"service": "lamplight", "owner": "u-4", "profile": "luna"}
#: Others, whose names are nearly the same.
_OTHERS = (
    {**_OWN, "owner": "u-42"},
    {**_OWN, "owner": "u-"},
    {**_OWN, "owner": "U-4"},
    {**_OWN, "service": "lamp"},
    {**_OWN, "profile": "lun"},
    {"service": 'lamplight","u-4', "owner": "luna", "profile": "x"},
)
_SECRETS = (
    ("我在等体检结果。", "open_loop.waiting_on", "体检结果"),
    ("I am waiting for the biopsy result.", "open_loop.waiting_on", "biopsy result"),
    ("叫我阿橙。", "identity.name", "阿橙"),
)
#: What a reader might ask to get at everything.
_PROBES = (
    *("", " ", "*", "%", "_", "?", ".*", "体检结果", "biopsy result", "体检*", "biop*", "biop%", "阿_"),
    *(
        '"',
        '"biopsy" OR "体检"',
        "biopsy AND result",
        "NOT zebra",
        "NEAR(biopsy result, 5)",
        "biopsy NEAR result",
    ),
    *("text:biopsy", "^biopsy", "{biopsy}", "' OR 1=1 --", '" OR 1=1 --', "'; SELECT * FROM records; --"),
)
#: What no part of a scope may be: several, or nobody.
_WIDE = (
    "",
    " ",
    "\t",
    "*",
    "%",
    "u-*",
    "u-%",
    "%4",
    "?",
    "_",
    None,
    7,
    ["u-4"],
    {"$ne": ""},
    "a\x00b",
    "\ud800",
)


@attrs.frozen(kw_only=True)
class Isolation:
    """What others saw of a relationship that is not theirs."""

    #: Questions that were put to others' relationships, and rows of the secret in the answers.
    asked: int
    leaked: int
    #: Calls with ids of the secret, and how many of them did or told anything.
    named: int
    obeyed: int
    #: Scopes that would be several or none, and how many of them were refused with an error that names the part.
    wide: int
    refused: int
    #: Secrets that their owner finds, and how many there are.
    own: int
    secrets: int
    #: Calls with an id that serve whoever owns it, and how many there are.
    served: int
    calls: int


def isolation() -> Isolation:
    """Return what others got to see of a relationship with secrets."""
    with Memory.open() as memory:
        mine = memory.scope(**_OWN)
        ids = []
        for text, predicate, value in _SECRETS:
            mine.observe(text, session="s1", at=_TOLD)
            (stored,) = mine.remember(text, predicate=predicate, value=value, session="s1", at=_TOLD)
            ids.append(stored.record_id or "")
        own = sum(any(value in row for row in _rows(mine, value, ids)) for _, _, value in _SECRETS)
        answers = [
            answer
            for other in _OTHERS
            for probe in _PROBES
            for answer in _answers(memory.scope(**other), probe, ids)
        ]
        obeyed = [
            answered for other in _OTHERS for one in ids for answered in _named(memory.scope(**other), one)
        ]
        refusals = [
            _refused(lambda part=part, name=name: memory.scope(**{**_OWN, part: name}))  # type: ignore[misc]
            for part in _OWN
            for name in _WIDE
        ]
        clear = sum(told is not None and "scope." in told for told in refusals)
        still = {one.id for one in mine.list(now=_NOW)}
        served = list(_named(mine, ids[0]))
        return Isolation(
            asked=len(answers),
            leaked=sum(any(value in row for _, _, value in _SECRETS) for answer in answers for row in answer),
            named=len(obeyed),
            obeyed=sum(obeyed) + len(set(ids) - still),
            wide=len(refusals),
            refused=clear,
            own=own,
            secrets=len(_SECRETS),
            served=sum(served),
            calls=len(served),
        )


def _rows(luna: ScopedMemory, probe: str, ids: Sequence[str]) -> list[str]:
    """Return every row of every answer."""
    return [row for answer in _answers(luna, probe, ids) for row in answer]


def _answers(luna: ScopedMemory, probe: str, ids: Sequence[str]) -> Iterator[list[str]]:
    """Yield the rows that a reader gets who asks a relationship for something, in each way there is."""
    yield [record.body.shown for record in luna.list(everything=True, now=_NOW)]
    yield [hit.text for hit in luna.search(probe, now=_NOW)]
    yield [hit.text for hit in luna.search(probe, kind="utterance", now=_NOW)]
    yield [item.text for item in luna.window(probe, session="s1", now=_NOW).items]
    yield [record.body.shown for record in luna.notes.list(everything=True, now=_NOW)]
    plan = luna.prepare(probe, session="s2", now=_NOW, forced=ids)
    yield [plan.text, *(item.text for item in (*(one for _, one in plan.shown), *plan.do_not_surface))]
    yield [luna.digest("2026-03-01", now=_NOW).text]


def _named(luna: ScopedMemory, record: str) -> Iterator[bool]:
    """Yield of each call that takes an id whether it did or told anything with another's."""
    calls: tuple[Callable[[], object], ...] = (
        lambda: luna.show(record),
        lambda: luna.history(record),
        lambda: luna.explain(record),
        lambda: luna.mute(record, now=_NOW),
        lambda: luna.delete(record, now=_NOW),
        lambda: luna.restore(record, now=_NOW),
        lambda: luna.feedback(record, "user_valued", now=_NOW),
        lambda: luna.note_recall(record, now=_NOW),
        lambda: luna.update(record, "x", text="x", at=_NOW),
    )
    for call in calls:
        yield _refused(call) is None
    yield luna.forget(record, now=_NOW).forgotten


def report(forgotten: Sequence[Way], apart: Isolation) -> str:
    """Return both as Markdown."""
    ways = markdown(
        tuple(one.name.replace("_", " ") for one in attrs.fields(Way)),
        (attrs.astuple(one) for one in forgotten),
    )
    counts = markdown(
        ("whose memory it is", "count", "of"),
        (
            ("secrets found by their owner", apart.own, apart.secrets),
            ("calls with their ids that serve their owner", apart.served, apart.calls),
            ("rows of a secret in others' answers", apart.leaked, f"{apart.asked} questions"),
            ("calls with another's id that did or told something", apart.obeyed, apart.named),
            ("scopes of several or nobody that were refused by name", apart.refused, apart.wide),
        ),
    )
    return f"{ways}\n\n{counts}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and print; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m cmemory.bench.promises", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    forgotten, apart = forgetting(), isolation()
    if options.json:
        plain = {"forgetting": list(map(attrs.asdict, forgotten)), "isolation": attrs.asdict(apart)}
        print(json.dumps(plain, indent=2, ensure_ascii=False))
    else:
        print(report(forgotten, apart))
    return 0


if __name__ == "__main__":
    sys.exit(main())
