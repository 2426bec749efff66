"""The operations on notes, the night, and the actions of a model: a part of the catalogue."""

from __future__ import annotations

import attrs

from cmemory.app import views
from cmemory.app.actions import ACTIONS, ActionResult
from cmemory.app.catalogue import (
    AT,
    DEFAULTED,
    DUE_ON,
    EMOTIONAL_WEIGHT,
    IMPORTANCE,
    MESSAGE_ID,
    NOTE_KIND,
    NOW,
    ONLY_KIND,
    OPTIONAL,
    SESSION,
    TAGS,
    Call,
    Kind,
    Operation,
    Param,
    Presence,
)
from cmemory.app.notes import Queued

_CURRENT_MESSAGE = Param(name="current_message", meaning="What the person just said.", argument="message")
_HOUR = Param(
    name="at",
    presence=OPTIONAL,
    meaning="The hour at which a day ends where the person lives, as in `23:50`; the policy's unless given.",
)
_FORCE = Param(
    name="force",
    kind=Kind.TRUTH,
    presence=DEFAULTED,
    default=False,
    meaning="Take all that waits, though its day may not be over.",
)
_LATE = "Running late or twice is harmless: a day is due once its hour has struck, and done once nothing of it waits."

NOTE_OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="notes_write",
        summary="write a note, or strengthen the one that says the same",
        writes=True,
        params=(
            Param(name="text", meaning="The note, a sentence."),
            Param(
                name="said",
                presence=OPTIONAL,
                meaning="The person's words that bear it out; the text itself unless given.",
            ),
            NOTE_KIND,
            Param(
                name="quote",
                presence=OPTIONAL,
                meaning="The stretch of the words that bears it out; all unless given.",
            ),
            TAGS,
            IMPORTANCE,
            EMOTIONAL_WEIGHT,
            DUE_ON,
            SESSION,
            AT,
            MESSAGE_ID,
        ),
        result=views.Admissions,
        view=views.admissions,
        calls=(
            Call(
                method="notes.write",
                takes=(
                    *("text", "said", "kind", "quote", "tags", "importance", "emotional_weight", "due_on"),
                    *("session_id", "at", "message_id"),
                ),
            ),
        ),
        notes=("The answer to the note comes first, then one to each claim that the words state.",),
    ),
    Operation(
        name="notes_list",
        summary="list the notes, newest first",
        params=(
            ONLY_KIND,
            Param(
                name="everything",
                kind=Kind.TRUTH,
                presence=DEFAULTED,
                default=False,
                meaning="Also what has faded or was put away.",
            ),
            NOW,
        ),
        result=views.Records,
        view=views.records,
        calls=(Call(method="notes.list", takes=("kind", "everything", "now")),),
    ),
    Operation(
        name="notes_search",
        summary="find notes that match some terms and may be told",
        params=(
            Param(name="terms", meaning="What is looked for."),
            attrs.evolve(
                _CURRENT_MESSAGE,
                meaning="What the person just said; it alone gives leave to tell.",
            ),
            NOW,
            Param(name="limit", kind=Kind.COUNT, presence=DEFAULTED, default=10, meaning="Hits at most."),
        ),
        result=views.Hits,
        view=views.hits,
        calls=(Call(method="notes.search", takes=("terms", "current_message", "now", "limit")),),
    ),
    Operation(
        name="notes_brief",
        summary="return the few lines that a reply may draw on",
        writes=True,
        params=(
            _CURRENT_MESSAGE,
            SESSION,
            NOW,
            Param(
                name="max_chars",
                kind=Kind.COUNT,
                presence=OPTIONAL,
                meaning="Code points at most, frame included; the policy's unless given.",
            ),
            Param(
                name="mood",
                kind=Kind.TRUTH,
                presence=DEFAULTED,
                default=False,
                meaning="Whether the line on the companion's mood is told as well.",
            ),
        ),
        result=views.Briefed,
        view=views.briefed,
        calls=(
            Call(method="notes.brief", takes=("current_message", "session_id", "now", "max_chars", "mood")),
        ),
        notes=("An empty text means that there is nothing to say: small talk recalls nothing.",),
    ),
    Operation(
        name="notes_exchange",
        summary="write down what was said and answered, and let it wait for the night",
        writes=True,
        params=(
            Param(name="said", meaning="The person's words."),
            Param(name="answered", presence=OPTIONAL, meaning="The companion's; null when it stayed silent."),
            SESSION,
            AT,
            Param(
                name="answered_at",
                kind=Kind.INSTANT,
                presence=OPTIONAL,
                meaning="When it was answered; with the message unless given.",
            ),
            MESSAGE_ID,
            attrs.evolve(
                MESSAGE_ID,
                name="answer_id",
                argument="answer_id",
                meaning="The host's id of the answer; derived from the content unless given.",
            ),
        ),
        result=Queued,
        calls=(
            Call(
                method="notes.exchange",
                takes=("said", "answered", "session_id", "at", "answered_at", "message_id", "answer_id"),
            ),
        ),
        notes=("Doing so again changes nothing.",),
    ),
    Operation(
        name="consolidate",
        summary="make notes of the exchanges that wait, when their day is due",
        writes=True,
        params=(NOW, _HOUR, _FORCE),
        result=views.Night,
        view=views.night,
        calls=(Call(method="notes.consolidate", takes=("now", "at", "force")),),
        notes=(_LATE, "By the worker's model where it has one, else by the offline rules."),
    ),
    Operation(
        name="consolidate_plan",
        summary="return what a model is to be asked for the night, for hosts that call it themselves",
        params=(NOW, _HOUR, _FORCE),
        result=views.NightTasks,
        view=views.night_tasks,
        calls=(Call(method="notes.consolidate_plan", takes=("now", "at", "force")),),
        notes=(_LATE, "Hand each answer in with `consolidate_commit`."),
    ),
    Operation(
        name="consolidate_commit",
        summary="store what the host's model answered about one task of the night",
        writes=True,
        params=(
            Param(name="said", kind=Kind.TEXTS, meaning="The name of the task, as it was given."),
            Param(
                name="answer",
                presence=OPTIONAL,
                meaning="The model's text; null when it failed, and the task then waits on.",
            ),
            Param(name="model", presence=OPTIONAL, meaning="Which model it was."),
            NOW,
            _HOUR,
        ),
        result=views.Night,
        view=views.night,
        calls=(Call(method="notes.consolidate_commit", takes=("said", "answer", "model", "now", "at")),),
        notes=("Handing an answer in twice changes nothing.",),
    ),
    Operation(
        name="maintain",
        summary="do the chores that are due: the night's notes, fading, conclusions whose time is up, and lacking vectors",
        writes=True,
        params=(NOW, _HOUR),
        result=views.Maintained,
        view=views.maintained,
        calls=(Call(method="maintain", takes=("now", "at")),),
        notes=("Doing so again is harmless.",),
    ),
    Operation(
        name="act",
        summary="carry out what a model asks for on the person's behalf",
        writes=True,
        params=(
            Param(name="action", meaning=f"One of {', '.join(f'`{name}`' for name in ACTIONS)}."),
            Param(
                name="arguments",
                kind=Kind.ANY,
                presence=Presence.DEFAULTED,
                default={},
                meaning="As the model filled them in; a mistake is answered with a code.",
            ),
            _CURRENT_MESSAGE,
            SESSION,
            MESSAGE_ID,
            NOW,
        ),
        result=ActionResult,
        calls=(
            Call(
                method="act",
                takes=("action", "arguments", "current_message", "session_id", "message_id", "now"),
            ),
        ),
        notes=(
            "What the person said proves what is remembered and gives leave to what is told.",
            "`docs/reference/actions.md` describes the actions as a model is shown them.",
        ),
    ),
)
