"""The catalogue of operations: what can be asked of this library from outside, and what is answered.

Declarative and free of I/O. The worker carries the operations out, `docs/reference/worker` describes them,
and every other way in (tools of a model, actions of a host) publishes from here. An operation names the
method of the façade that carries it out; it decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import attrs

from cmemory.app import answers, views
from cmemory.app.catalogue import (
    AT,
    DEFAULTED,
    MESSAGE_ID,
    NOW,
    OPTIONAL,
    RECORD_ID,
    SESSION,
    Authority,
    Call,
    Kind,
    Operation,
    Param,
    Part,
    Presence,
)
from cmemory.app.embed import EmbedReport
from cmemory.app.inspect import Stats
from cmemory.app.learn import LearnReport
from cmemory.app.observe import Receipt
from cmemory.app.tools_notes import NOTE_OPERATIONS
from cmemory.app.transfer import ExportReport, ImportReport
from cmemory.domain.lexicon.digest import Language
from cmemory.domain.model.bodies import BODY_KINDS
from cmemory.domain.model.message import Speaker
from cmemory.domain.plan.digest import Digest
from cmemory.domain.plan.people import EntityKind
from cmemory.domain.reflect.mood import MoodReading
from cmemory.domain.scoring.salience import Signal
from cmemory.domain.time.calendar import SpanKind

_QUOTE = (
    Param(
        name="start_offset", kind=Kind.WHOLE, meaning="Where the quote begins in the message, in UTF-8 bytes."
    ),
    Param(name="end_offset", kind=Kind.WHOLE, meaning="Where it ends, exclusive."),
    Param(name="quote", meaning="The proving words, verbatim."),
)
_CONFIDENCE = Param(
    name="confidence",
    kind=Kind.NUMBER,
    presence=DEFAULTED,
    default=0.0,
    meaning="0 to 1; held within these bounds.",
)
_ENTITY_REF = Param(name="entity_ref", presence=OPTIONAL, meaning="Whom or what it is about.")
_STRICT_NOW = Param(name="now", kind=Kind.INSTANT, meaning="The moment of the call.")
_LENIENT_NOW = Param(
    name="now", meaning="The moment of the turn; a text that is no moment means that no time has passed."
)

_THREAD = (
    Param(name="id", meaning="The thread's id."),
    Param(name="summary", meaning="What may be asked, in a few words."),
    _ENTITY_REF,
    Param(
        name="expires_at", kind=Kind.INSTANT, presence=OPTIONAL, meaning="When it stops being of interest."
    ),
)

_CLAIM = (
    Param(name="id", meaning="The candidate's id."),
    Param(name="predicate", meaning="The key of the fact."),
    Param(name="value", kind=Kind.ANY, meaning="Its value; null is refused for this candidate alone."),
    *_QUOTE,
    Param(name="raw_value", presence=OPTIONAL, meaning="The person's own wording of the value."),
    _ENTITY_REF,
    Param(name="qualifiers", kind=Kind.ANY, presence=OPTIONAL, meaning='Such as `{"context": "work"}`.'),
    _CONFIDENCE,
    Param(
        name="open_thread",
        kind=Kind.FIELDS,
        fields=_THREAD,
        presence=OPTIONAL,
        meaning="An unresolved matter one greeting may pick up.",
    ),
)

_EPISODE = (
    Param(name="id", meaning="The candidate's id."),
    Param(name="narrative", meaning="What happened."),
    *_QUOTE,
    _CONFIDENCE,
    Param(
        name="participants",
        kind=Kind.LIST,
        presence=DEFAULTED,
        default=(),
        meaning="Who took part.",
        fields=(
            Param(name="role", choices=("user", "companion"), meaning="Whose side."),
            _ENTITY_REF,
        ),
    ),
    Param(
        name="emotional_arc",
        kind=Kind.LIST,
        presence=OPTIONAL,
        meaning="Feelings, one after another.",
        fields=(
            Param(name="at_turn", kind=Kind.COUNT, meaning="At which turn, from 0."),
            Param(name="labels", kind=Kind.TEXTS, meaning="The feelings."),
            Param(name="intensity", kind=Kind.NUMBER, presence=OPTIONAL, meaning="0 to 1, when it was said."),
            Param(
                name="source",
                choices=("user_expressed", "observed"),
                meaning="Whether the person named the feeling.",
            ),
        ),
    ),
    Param(name="user_reaction", presence=OPTIONAL, meaning="How the person took it."),
    Param(name="response_ref", presence=OPTIONAL, meaning="The answer it was about."),
)

_PENDING = (
    Param(name="id", meaning="The pointer's id."),
    Param(name="kind", meaning="What waits, such as `runtime_state`."),
    Param(name="reason", meaning="Why it waits."),
)

_SOURCE = (
    Param(name="id", meaning="The message's id."),
    Param(name="session_id", meaning="The conversation."),
    Param(name="text", meaning="The person's words."),
)

_ORIGINAL: tuple[Operation, ...] = (
    Operation(
        name="health",
        summary="report versions and the vocabulary",
        part=Part.ORIGINAL,
        authority=Authority.ANYONE,
        needs_scope=False,
        result=answers.Health,
        notes=("`params` are ignored and may be absent.",),
    ),
    Operation(
        name="warm",
        summary="return the plan for the current message",
        part=Part.ORIGINAL,
        writes=True,
        params=(
            Param(name="current_message", meaning="What the person just said."),
            _LENIENT_NOW,
            SESSION,
            Param(
                name="new_session",
                kind=Kind.TRUTH,
                presence=DEFAULTED,
                default=False,
                meaning="Whether the conversation begins here.",
            ),
            Param(
                name="turn_key",
                presence=DEFAULTED,
                default="",
                meaning="The host's name of the turn; not used.",
            ),
            Param(
                name="force_record_ids",
                kind=Kind.TEXTS,
                presence=DEFAULTED,
                default=(),
                meaning="Ids that count as named, for evaluations; no gate opens wider for them.",
            ),
        ),
        result=answers.Warm,
        notes=("Writes only when a greeting picks up an open thread.",),
    ),
    Operation(
        name="admit",
        summary="decide on what a host's own extractor proposes from one message",
        part=Part.ORIGINAL,
        writes=True,
        params=(
            _STRICT_NOW,
            Param(
                name="source", kind=Kind.FIELDS, fields=_SOURCE, meaning="The message all quotes stand in."
            ),
            Param(
                name="candidates",
                kind=Kind.LIST,
                fields=_CLAIM,
                presence=DEFAULTED,
                default=(),
                meaning="Claims.",
            ),
            Param(
                name="episodes",
                kind=Kind.LIST,
                fields=_EPISODE,
                presence=DEFAULTED,
                default=(),
                meaning="Episodes.",
            ),
            Param(
                name="pending",
                kind=Kind.LIST,
                fields=_PENDING,
                presence=DEFAULTED,
                default=(),
                meaning="Pointers to store beside them.",
            ),
        ),
        result=answers.Admitted,
        notes=("One ill-typed candidate refuses the whole request, and nothing is stored.",),
    ),
    Operation(
        name="query",
        summary="return what the terms find and the current message gives leave to tell",
        part=Part.ORIGINAL,
        authority=Authority.ANYONE,
        params=(
            Param(name="action", choices=("search",), meaning="Always `search`."),
            _LENIENT_NOW,
            Param(
                name="terms",
                presence=DEFAULTED,
                default="",
                meaning="What is looked for; a model may choose it.",
            ),
            Param(
                name="current_message",
                presence=DEFAULTED,
                default="",
                meaning="What the person just said, which alone gives leave to tell.",
            ),
        ),
        result=answers.Found,
    ),
    Operation(
        name="forget",
        summary="erase one record that the current message names and asks to delete",
        part=Part.ORIGINAL,
        authority=Authority.PERSON,
        writes=True,
        params=(
            Param(name="action", choices=("forget",), meaning="Always `forget`."),
            Param(name="record_id", presence=DEFAULTED, default="", meaning="The record's id."),
            Param(
                name="current_message",
                meaning="What the person just said; it must hold the whole id and ask for the deletion.",
            ),
            _STRICT_NOW,
        ),
        result=answers.Erased,
    ),
    Operation(
        name="session_closed",
        summary="end a conversation",
        part=Part.ORIGINAL,
        writes=True,
        params=(Param(name="session_id", meaning="The conversation."), _STRICT_NOW),
        result=answers.Closed,
    ),
)

_EXTENDED: tuple[Operation, ...] = (
    Operation(
        name="capabilities",
        summary="list every operation with its schemas, and switch the extended ones on for this connection",
        authority=Authority.ANYONE,
        needs_scope=False,
        result=answers.Capabilities,
        notes=("`params` are ignored and may be absent.",),
    ),
    Operation(
        name="observe",
        summary="write down one message; nothing is believed yet",
        writes=True,
        params=(
            Param(name="text", meaning="The words."),
            SESSION,
            AT,
            Param(
                name="speaker",
                presence=DEFAULTED,
                default=Speaker.USER.value,
                choices=tuple(one.value for one in Speaker),
                meaning="Who said it; only the user's words are ever learned from.",
            ),
            MESSAGE_ID,
        ),
        result=Receipt,
        calls=(Call(method="observe", takes=("text", "session_id", "at", "speaker", "message_id")),),
        notes=("The answer comes after the message is durable.",),
    ),
    Operation(
        name="learn",
        summary="read what was observed, and keep, merge or reject each fact",
        writes=True,
        params=(
            attrs.evolve(NOW, meaning="Messages due by then are worked; the worker's clock unless given."),
            Param(name="limit", kind=Kind.COUNT, presence=OPTIONAL, meaning="Messages at most."),
        ),
        result=LearnReport,
        calls=(Call(method="learn", takes=("now", "limit")),),
    ),
    Operation(
        name="embed",
        summary="give vectors to what lacks one, so that search finds by meaning",
        writes=True,
        params=(
            attrs.evolve(NOW, meaning="The moment, for the trace; the worker's clock unless given."),
            Param(name="limit", kind=Kind.COUNT, presence=OPTIONAL, meaning="Messages and records at most."),
        ),
        result=EmbedReport,
        calls=(Call(method="embed", takes=("now", "limit")),),
        notes=(
            "Refused where the worker has no embedder; see `CMEMORY_EMBEDDER`.",
            "The worker answers one request at a time, so a host passes a limit and asks again while anything waits.",
        ),
    ),
    Operation(
        name="prepare",
        summary="return what a model may know in this turn",
        writes=True,
        params=(
            Param(
                name="current_message", meaning="What the person just said; may be empty.", argument="message"
            ),
            SESSION,
            NOW,
            Param(
                name="new_session",
                kind=Kind.TRUTH,
                presence=OPTIONAL,
                meaning="Whether the conversation begins here; told from the log unless given.",
            ),
            Param(
                name="force_record_ids",
                kind=Kind.TEXTS,
                presence=DEFAULTED,
                default=(),
                meaning="Ids that count as named, for evaluations; no gate opens wider for them.",
                argument="forced",
            ),
        ),
        result=views.Turn,
        view=views.turn,
        calls=(
            Call(
                method="prepare",
                takes=("current_message", "session_id", "now", "new_session", "force_record_ids"),
            ),
        ),
        notes=(
            "Unlike `warm`, it keeps to a token budget, renders the text, and only counts what is withheld.",
            "Writes only when a greeting picks up an open thread.",
        ),
    ),
    Operation(
        name="window",
        summary="return earlier words of one conversation that bear on the current message",
        writes=True,
        params=(
            Param(
                name="current_message",
                meaning="What the person says now; several messages of one turn, a line each.",
                argument="query",
            ),
            Param(name="session_id", meaning="The conversation; no other is looked at.", argument="session"),
            NOW,
            Param(
                name="token_budget",
                kind=Kind.COUNT,
                presence=OPTIONAL,
                meaning="Tokens of the whole window at most; the policy's unless given.",
            ),
            Param(
                name="history",
                kind=Kind.TRUTH,
                presence=OPTIONAL,
                meaning="Whether what was replaced may be shown; told from the message unless given.",
            ),
            Param(
                name="affect",
                kind=Kind.ANY,
                presence=OPTIONAL,
                meaning="The mood of the message as `valence` (-1 to 1), `arousal` and `dominance` (0 to 1): "
                "a hint of low weight; read from its words unless given.",
            ),
            Param(
                name="turn_key",
                presence=OPTIONAL,
                meaning="The host's name of the turn. With it, what is shown together is associated, "
                "once for each pair and turn; without it nothing is written.",
                argument="turn",
            ),
            Param(
                name="shown_record_ids",
                kind=Kind.TEXTS,
                presence=DEFAULTED,
                default=(),
                meaning="Records the plan of this turn shows; the messages that prove them are left out.",
                argument="plan",
            ),
        ),
        result=views.Filled,
        view=views.filled,
        calls=(
            Call(
                method="window",
                takes=(
                    "current_message",
                    "session_id",
                    "now",
                    "token_budget",
                    "history",
                    "affect",
                    "turn_key",
                    "shown_record_ids",
                ),
            ),
        ),
        notes=(
            "What was forgotten, muted, put away or fenced off is withheld whatever it scores.",
            "An id that names no record leaves nothing out.",
        ),
    ),
    Operation(
        name="mood",
        summary="return the companion's mood and the background line for it",
        params=(NOW,),
        result=MoodReading,
        calls=(Call(method="mood", takes=("now",)),),
        notes=(
            "A hint for the tone of a reply: nothing is ranked by it, and it is not to be mentioned.",
            "The line is empty when the mood is switched off.",
        ),
    ),
    Operation(
        name="feedback",
        summary="note how the person reacted to a memory",
        writes=True,
        params=(
            RECORD_ID,
            Param(
                name="signal",
                choices=tuple(one.value for one in Signal),
                meaning="What was observed; `none` changes nothing, however often.",
            ),
            NOW,
        ),
        result=views.RecordView,
        view=views.record,
        calls=(Call(method="feedback", takes=("record_id", "signal", "now")),),
    ),
    Operation(
        name="list",
        summary="list what is remembered, newest first",
        params=(
            Param(
                name="kind",
                presence=OPTIONAL,
                choices=tuple(BODY_KINDS),
                meaning="Only records of this kind.",
            ),
            Param(name="predicate", presence=OPTIONAL, meaning="Only this key."),
            Param(
                name="everything",
                kind=Kind.TRUTH,
                presence=DEFAULTED,
                default=False,
                meaning="Also what was replaced, taken back, expired or soft-deleted.",
            ),
            attrs.evolve(NOW, meaning="What is believed at this moment; the worker's clock unless given."),
        ),
        result=views.Records,
        view=views.records,
        calls=(Call(method="list", takes=("kind", "predicate", "everything", "now")),),
        notes=("Shows what no model may see, muted and fenced-off records included.",),
    ),
    Operation(
        name="history",
        summary="show all versions of a fact, oldest first",
        params=(RECORD_ID,),
        result=views.Records,
        view=views.records,
        calls=(Call(method="history", takes=("record_id",)),),
    ),
    Operation(
        name="explain",
        summary="show why a record is believed",
        params=(RECORD_ID,),
        result=views.Explained,
        view=views.explained,
        calls=(Call(method="explain", takes=("record_id",)),),
    ),
    Operation(
        name="people",
        summary="list the people, places and events that the records speak of",
        params=(
            Param(
                name="kind",
                presence=OPTIONAL,
                choices=tuple(one.value for one in EntityKind),
                meaning="Only of this kind.",
            ),
            Param(
                name="everything",
                kind=Kind.TRUTH,
                presence=DEFAULTED,
                default=False,
                meaning="Also what is muted, fenced off, never spoken of or kept in the background, "
                "marked with the reason: for the owner's eyes only.",
            ),
            attrs.evolve(NOW, meaning="What is believed at this moment; the worker's clock unless given."),
        ),
        result=views.People,
        view=views.people,
        calls=(Call(method="people", takes=("kind", "everything", "now")),),
        notes=("Derived from the records each time; nothing of it is stored.",),
    ),
    Operation(
        name="digest",
        summary="tell what a day or a week brought",
        params=(
            Param(
                name="day",
                presence=OPTIONAL,
                meaning="A civil day such as `2026-03-01`; the day of `now` unless given.",
            ),
            Param(
                name="span",
                presence=DEFAULTED,
                default=SpanKind.DAY.value,
                choices=tuple(one.value for one in SpanKind),
                meaning="That day, or the ISO week around it.",
            ),
            Param(
                name="language",
                presence=DEFAULTED,
                default=Language.EN.value,
                choices=tuple(one.value for one in Language),
                meaning="Of the words around the person's own.",
            ),
            attrs.evolve(NOW, meaning="What is believed at this moment; the worker's clock unless given."),
        ),
        result=Digest,
        calls=(Call(method="digest", takes=("day", "span", "language", "now")),),
        notes=(
            "Extracts, told to the person; what may not be told to them is only counted.",
            "Days are those of the worker's zone.",
        ),
    ),
    Operation(
        name="mute",
        summary="keep a record but never mention it",
        writes=True,
        params=(
            RECORD_ID,
            Param(
                name="muted",
                kind=Kind.TRUTH,
                presence=DEFAULTED,
                default=True,
                meaning="False lets it be mentioned again, as far as its gate allows.",
            ),
            NOW,
        ),
        result=views.RecordView,
        view=views.record,
        calls=(
            Call(method="unmute", takes=("record_id", "now"), when=("muted", False)),
            Call(method="mute", takes=("record_id", "now")),
        ),
    ),
    Operation(
        name="restore",
        summary="bring a deleted record back",
        writes=True,
        params=(RECORD_ID, NOW),
        result=views.RecordView,
        view=views.record,
        calls=(Call(method="restore", takes=("record_id", "now")),),
    ),
    Operation(
        name="delete",
        summary="put a record away; restore brings it back",
        writes=True,
        params=(RECORD_ID, NOW),
        result=views.RecordView,
        view=views.record,
        calls=(Call(method="delete", takes=("record_id", "now")),),
        notes=("Nothing is erased; `forget` and `confirm_forget` erase.",),
    ),
    Operation(
        name="remember",
        summary="take in one statement and decide on it at once",
        writes=True,
        params=(
            Param(name="text", meaning="The person's words."),
            Param(
                name="predicate",
                presence=OPTIONAL,
                meaning="The key of the fact the text proves; without it the extractor reads the text.",
            ),
            Param(
                name="value",
                kind=Kind.ANY,
                presence=OPTIONAL,
                meaning="The fact's value; the text itself unless given.",
            ),
            Param(
                name="quote",
                presence=OPTIONAL,
                meaning="The proving stretch of the text; all of it unless given.",
            ),
            Param(
                name="entity_ref", presence=OPTIONAL, meaning="Whom or what it is about.", argument="entity"
            ),
            Param(
                name="qualifiers", kind=Kind.ANY, presence=OPTIONAL, meaning='Such as `{"context": "home"}`.'
            ),
            attrs.evolve(_CONFIDENCE, default=0.9),
            SESSION,
            AT,
            MESSAGE_ID,
        ),
        result=views.Admissions,
        view=views.admissions,
        calls=(
            Call(
                method="remember",
                takes=(
                    "text",
                    "predicate",
                    "value",
                    "quote",
                    "entity_ref",
                    "qualifiers",
                    "confidence",
                    "session_id",
                    "at",
                    "message_id",
                ),
            ),
        ),
    ),
    Operation(
        name="search",
        summary="find records, or what was said, by words",
        authority=Authority.ANYONE,
        params=(
            Param(name="terms", meaning="What is looked for."),
            Param(
                name="current_message",
                meaning="What the person just said, which alone gives leave to tell, whoever chose the terms. "
                "A host that asks on the person's behalf passes their words here as well.",
                argument="message",
            ),
            Param(
                name="kind",
                presence=DEFAULTED,
                default="record",
                choices=("record", "utterance"),
                meaning="`record` for what is believed, `utterance` for what was said, word for word.",
            ),
            Param(
                name="session_id",
                presence=OPTIONAL,
                meaning="Utterances of this conversation only.",
                argument="session",
            ),
            Param(
                name="speaker",
                presence=OPTIONAL,
                choices=tuple(one.value for one in Speaker),
                meaning="Utterances by this side only; by the user and the assistant unless given.",
            ),
            Param(
                name="since",
                kind=Kind.INSTANT,
                presence=OPTIONAL,
                meaning="Utterances of this moment or later.",
            ),
            Param(
                name="until", kind=Kind.INSTANT, presence=OPTIONAL, meaning="Utterances before this moment."
            ),
            Param(name="limit", kind=Kind.COUNT, presence=DEFAULTED, default=10, meaning="Hits at most."),
            NOW,
        ),
        result=views.Hits,
        view=views.hits,
        calls=(
            Call(
                method="search",
                takes=(
                    "terms",
                    "current_message",
                    "kind",
                    "session_id",
                    "speaker",
                    "since",
                    "until",
                    "limit",
                    "now",
                ),
            ),
        ),
        notes=(
            "Records cannot be narrowed by conversation, speaker or time.",
            "Utterances that touch a boundary are counted and not told.",
            "So are those that prove a record which is muted, put away or never spoken of.",
        ),
    ),
    Operation(
        name="compact",
        summary="pick what to carry on of a conversation that leaves the context window",
        params=(
            attrs.evolve(SESSION, presence=Presence.REQUIRED, default=None, argument="source"),
            Param(
                name="token_budget",
                kind=Kind.COUNT,
                presence=DEFAULTED,
                default=900,
                meaning="Tokens at most, heading included; too few for a line give an empty text.",
            ),
            Param(
                name="carry_known",
                kind=Kind.TRUTH,
                presence=DEFAULTED,
                default=False,
                meaning="Carry also what an active claim says already.",
            ),
            NOW,
        ),
        result=views.Compacted,
        view=views.compacted,
        calls=(Call(method="compact", takes=("session_id", "token_budget", "carry_known", "now")),),
        notes=("Extracts in their order. What was forgotten, fenced off or muted is not in it.",),
    ),
    Operation(
        name="lift",
        summary="let a forgotten thing be remembered again",
        writes=True,
        params=(
            Param(
                name="label",
                kind=Kind.LABEL,
                meaning="The id of what was forgotten, a predicate, `*` after everything was forgotten, "
                'or `{"entity": NAME}`.',
            ),
            NOW,
        ),
        result=views.Lifted,
        view=views.lifted,
        calls=(Call(method="lift", takes=("label", "now")),),
        notes=("Only the person may ask for this; the host answers for it that they did.",),
    ),
    Operation(
        name="preview_forget",
        summary="list what a description matches, with the token that confirms forgetting exactly that",
        params=(Param(name="meaning", meaning="What should be forgotten, in words."),),
        result=views.Previewed,
        view=views.previewed,
        calls=(Call(method="preview_forget", takes=("meaning",)),),
    ),
    Operation(
        name="confirm_forget",
        summary="erase what a preview listed",
        writes=True,
        params=(
            Param(name="meaning", meaning="The same words as for the preview."),
            Param(name="token", meaning="The token of the preview; void once anything has changed."),
            NOW,
        ),
        result=views.Forgotten,
        view=views.forgotten,
        calls=(Call(method="confirm_forget", takes=("meaning", "token", "now")),),
        notes=("The host answers for it that the person has read the preview and agreed.",),
    ),
    Operation(
        name="export",
        summary="write everything into one file",
        params=(
            Param(
                name="path",
                kind=Kind.TARGET_FILE,
                meaning="The file to write: a new one, or an older export to replace.",
            ),
            attrs.evolve(NOW, meaning="When it is asked for; not part of the file."),
        ),
        result=ExportReport,
        calls=(Call(method="export", takes=("path", "now")),),
        notes=("The file appears whole or not at all, and only its owner may read it (mode 0600).",),
    ),
    Operation(
        name="import",
        summary="take in an export, or a conversation from elsewhere",
        writes=True,
        params=(
            Param(name="path", kind=Kind.SOURCE_FILE, meaning="The file to read."),
            Param(
                name="format",
                presence=DEFAULTED,
                default="auto",
                choices=("auto", "export", "jsonl", "chatgpt", "claude", "chat"),
                meaning="`export` for a file that `export` wrote; every other one is a conversation.",
            ),
            Param(
                name="user",
                presence=OPTIONAL,
                meaning="The person's name in a plain chat; who speaks first unless given.",
            ),
            Param(
                name="start",
                kind=Kind.INSTANT,
                presence=OPTIONAL,
                meaning="When the first message without a time was said; the worker's clock unless given.",
            ),
            attrs.evolve(
                NOW, meaning="When an export is taken in, for the audit; the worker's clock unless given."
            ),
        ),
        result=ImportReport,
        calls=(
            Call(method="import_records", takes=("path", "now"), when=("format", "export")),
            Call(method="import_dialogue", takes=("path", "format", "user", "start")),
        ),
        notes=(
            "Doing so again changes nothing. What was forgotten stays forgotten.",
            "Places that could not be read are listed in the answer; the rest is taken in.",
        ),
    ),
    Operation(
        name="stats",
        summary="count what is kept",
        result=Stats,
        calls=(Call(method="stats"),),
    ),
    Operation(
        name="retry_dead",
        summary="put messages whose extraction was given up back into the inbox",
        writes=True,
        params=(NOW,),
        result=views.Retried,
        view=views.retried,
        calls=(Call(method="retry_dead", takes=("now",)),),
    ),
    Operation(
        name="scopes",
        summary="list every relationship the database holds",
        needs_scope=False,
        result=views.Scopes,
        view=views.scopes,
        calls=(Call(method="scopes"),),
        notes=("For hosts that go over all of them, at night for example.",),
    ),
    Operation(
        name="verify_forgotten",
        summary="prove that no byte of a text is left",
        needs_scope=False,
        params=(Param(name="text", meaning="The text that should be gone."),),
        result=views.Verified,
        view=views.verified,
        calls=(Call(method="verify_forgotten", takes=("text",)),),
        notes=(
            "Looks into every relationship of the database; the answer only says whether the text is there.",
        ),
    ),
)

#: Every operation by its name, in the order in which they are listed.
OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {one.name: one for one in (*_ORIGINAL, *_EXTENDED, *NOTE_OPERATIONS)}
)
