"""Hypothesis strategies for domain values.

Ids come from small pools, so that values drawn apart from each other meet: a record is replaced, a thread
hangs on it, a message is erased under it. Texts hold what breaks encodings, but never a lone surrogate, which
is no text.
"""

from __future__ import annotations

from datetime import date
from typing import TypeVar

from hypothesis import strategies as st

from cmemory.domain.model.association import Edge
from cmemory.domain.model.bodies import (
    ArcPoint,
    Axis,
    Body,
    Claim,
    Episode,
    Inference,
    InferenceState,
    Note,
    NoteKind,
    Participant,
)
from cmemory.domain.model.candidate import (
    Candidate,
    ClaimCandidate,
    CorrectionCandidate,
    EpisodeCandidate,
    NoteCandidate,
    RetractionCandidate,
    ThreadProposal,
)
from cmemory.domain.model.changes import (
    Changes,
    Decision,
    Fingerprint,
    Job,
    OpenThread,
    Pending,
    Suppression,
    SuppressionKind,
    ThreadStatus,
)
from cmemory.domain.model.embedding import Embedded, Embedding, packed
from cmemory.domain.model.instant import EARLIEST, LATEST, Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Evidence, Message, Quote, Role, SourceKind, Speaker
from cmemory.domain.model.record import AnyRecord, Provenance, Record, Salience
from cmemory.domain.model.scope import Scope
from cmemory.domain.model.state import Exchange, Mood, RuntimeState

T = TypeVar("T")

#: Words that records share, so that searches find several.
WORDS = (
    "cello",
    "audition",
    "green tea",
    "体检结果",
    "上海",
    "猫",
    "naïve",
    "👩‍👩‍👧",
    "שלום",
    "a\x00b",
    '"',
    "\\n",
)
PREDICATES = ("preference.likes", "identity.location", "work.role")
SESSIONS = ("", "s-1", "s-2")
MODELS = ("model-1", "model-2")


def any_text(max_size: int = 40) -> st.SearchStrategy[str]:
    """Return texts of any characters that UTF-8 can hold."""
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=max_size)


def texts() -> st.SearchStrategy[str]:
    """Return sentences of shared words, and now and then anything at all."""
    sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
    return sentences | any_text()


def maybe(strategy: st.SearchStrategy[T]) -> st.SearchStrategy[T | None]:
    """Return the values of a strategy, or None."""
    return st.none() | strategy


def instants() -> st.SearchStrategy[Instant]:
    """Return a few moments that often coincide, and the whole range of years."""
    few = st.integers(0, 5).map(lambda seconds: Instant(1_772_000_000_000_000 + seconds * 1_000_000))
    return few | st.integers(EARLIEST.microseconds, LATEST.microseconds).map(Instant)


def scopes() -> st.SearchStrategy[Scope]:
    """Return three scopes whose keys look alike."""
    return st.sampled_from(
        (
            Scope(service="app", owner="u_1", profile="luna"),
            Scope(service="app", owner="ux1", profile="luna"),
            Scope(service='app","u_1', owner="u_1", profile="luna"),
        )
    )


def ids(prefix: str, count: int = 6) -> st.SearchStrategy[str]:
    """Return one of a few ids."""
    return st.sampled_from([f"{prefix}-{number}" for number in range(count)])


def units() -> st.SearchStrategy[float]:
    """Return numbers from 0 to 1."""
    return st.floats(0, 1)


def values() -> st.SearchStrategy[str | int | float]:
    """Return values of claims."""
    return texts() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)


def quotes() -> st.SearchStrategy[Quote]:
    """Return quotes that lie somewhere."""
    return st.builds(Quote, start=st.integers(0, 99), end=st.integers(0, 99), text=texts())


def evidence() -> st.SearchStrategy[Evidence]:
    """Return evidence of every kind."""
    return st.builds(
        Evidence,
        source=st.sampled_from(SourceKind),
        source_id=ids("m") | ids("r"),
        speaker=st.sampled_from(Speaker),
        role=maybe(st.sampled_from(Role)),
        quote=maybe(quotes()),
    )


def _some_evidence() -> st.SearchStrategy[tuple[Evidence, ...]]:
    return st.lists(evidence(), max_size=3).map(tuple)


def claims() -> st.SearchStrategy[Claim]:
    """Return claims under a few predicates."""
    return st.builds(
        Claim,
        predicate=st.sampled_from(PREDICATES),
        value=values(),
        raw_value=maybe(texts()),
        entity_ref=maybe(st.sampled_from(("Lin", "lin", "猫"))),
        qualifiers=st.sampled_from(((), (("context", "home"),), (("context", "work"),))),
        confidence=units(),
    )


def episodes() -> st.SearchStrategy[Episode]:
    """Return episodes."""
    participants = st.builds(Participant, role=texts(), entity_ref=maybe(texts()))
    arc = st.builds(
        ArcPoint,
        at_turn=st.integers(0, 9),
        labels=st.lists(texts(), max_size=2).map(tuple),
        intensity=maybe(units()),
        source=st.sampled_from(("user_expressed", "observed")),
    )
    return st.builds(
        Episode,
        narrative=texts(),
        occurred_from=instants(),
        occurred_to=maybe(instants()),
        participants=st.lists(participants, max_size=2).map(tuple),
        emotional_arc=st.lists(arc, max_size=2).map(tuple),
        user_reaction=maybe(texts()),
        response_ref=maybe(ids("m")),
    )


def inferences() -> st.SearchStrategy[Inference]:
    """Return inferences."""
    return st.builds(
        Inference,
        axis=st.sampled_from(Axis),
        predicate=st.sampled_from(PREDICATES),
        value=texts(),
        state=st.sampled_from(InferenceState),
        confidence=units(),
        support=_some_evidence(),
        counter=_some_evidence(),
        acknowledged_at=maybe(instants()),
        expires_at=maybe(instants()),
    )


def days() -> st.SearchStrategy[str]:
    """Return a few civil days."""
    return st.dates(date(2026, 2, 25), date(2026, 3, 5)).map(str)


def notes() -> st.SearchStrategy[Note]:
    """Return notes."""
    return st.builds(
        Note,
        note_kind=st.sampled_from(NoteKind),
        text=texts(),
        tags=st.lists(texts(), max_size=2, unique=True).map(sorted).map(tuple),
        emotional_weight=units(),
        due_on=maybe(days()),
    )


def bodies() -> st.SearchStrategy[Body]:
    """Return everything a record can hold."""
    return claims() | episodes() | inferences() | notes()


def records() -> st.SearchStrategy[AnyRecord]:
    """Return records with every field filled in, most of them active."""
    return st.builds(
        Record,
        id=ids("r", 8),
        body=bodies(),
        evidence=_some_evidence(),
        created_at=instants(),
        updated_at=instants(),
        status=st.just(Status.ACTIVE) | st.sampled_from(Status),
        salience=st.builds(
            Salience,
            importance=units(),
            recall_count=st.integers(0, 99),
            last_recalled_at=maybe(instants()),
            muted=st.booleans(),
        ),
        provenance=st.builds(
            Provenance,
            proposer=st.sampled_from(("rules", "model", "import", "host")),
            version=texts(),
            model=maybe(texts()),
        ),
        valid_from=instants(),
        valid_until=maybe(instants()),
        supersedes=maybe(ids("r", 8)),
    )


def messages() -> st.SearchStrategy[Message]:
    """Return messages of a few sessions."""
    return st.builds(
        Message,
        id=ids("m"),
        session=st.sampled_from(SESSIONS),
        speaker=st.sampled_from(Speaker),
        text=texts(),
        at=instants(),
    )


def threads() -> st.SearchStrategy[OpenThread]:
    """Return open and closed threads."""
    return st.builds(
        OpenThread,
        id=ids("t", 3),
        record_id=ids("r", 8),
        summary=texts(),
        entity_ref=maybe(texts()),
        status=st.sampled_from(ThreadStatus),
        opened_at=instants(),
        updated_at=instants(),
        expires_at=maybe(instants()),
        followup_session=maybe(st.sampled_from(SESSIONS)),
    )


def suppressions() -> st.SearchStrategy[Suppression]:
    """Return suppressions of a few targets."""
    return st.builds(
        Suppression,
        kind=st.sampled_from(SuppressionKind),
        target=ids("r", 3) | st.just("*"),
        created_at=instants(),
    )


def fingerprints() -> st.SearchStrategy[Fingerprint]:
    """Return fingerprints of a few labels."""
    return st.builds(Fingerprint, digest=ids("f", 3), label=ids("r", 3), created_at=instants())


def decisions() -> st.SearchStrategy[Decision]:
    """Return lines of the audit."""
    return st.builds(
        Decision,
        id=ids("d"),
        at=instants(),
        action=st.sampled_from(("admit_claim", "forget")),
        outcome=st.sampled_from(("accepted", "rejected")),
        reason=st.just("admitted"),
        record_id=maybe(ids("r", 8)),
        candidate_id=maybe(ids("c", 2)),
        message_id=maybe(ids("m")),
    )


def pendings() -> st.SearchStrategy[Pending]:
    """Return pointers that wait for review."""
    return st.builds(
        Pending,
        id=ids("p", 3),
        kind=st.just("episode"),
        message_id=ids("m"),
        reason=texts(),
        created_at=instants(),
    )


def jobs() -> st.SearchStrategy[Job]:
    """Return extraction jobs."""
    return st.builds(
        Job,
        message_id=ids("m"),
        enqueued_at=instants(),
        attempts=st.integers(0, 9),
        due_at=instants(),
        dead=st.booleans(),
    )


def exchanges() -> st.SearchStrategy[Exchange]:
    """Return exchanges that wait to be consolidated."""
    return st.builds(
        Exchange, said=ids("m"), answered=maybe(ids("m")), queued_at=instants(), attempts=st.integers(0, 3)
    )


def states() -> st.SearchStrategy[RuntimeState]:
    """Return states, the empty one among them."""
    signed = st.floats(-1, 1)
    moods = st.builds(Mood, pleasure=signed, arousal=signed, dominance=signed, at=instants())
    return st.builds(RuntimeState, mood=maybe(moods), consolidated_on=maybe(days()))


def edges() -> st.SearchStrategy[Edge]:
    """Return edges between messages, now and then of a weight that others have."""
    pairs = st.lists(ids("m"), min_size=2, max_size=2, unique=True).map(sorted)
    weights = st.sampled_from((0.0, 0.25, 0.25, 1.0)) | units()
    return st.builds(
        lambda pair, **rest: Edge(source=pair[0], target=pair[1], **rest),
        pair=pairs,
        session=st.sampled_from(SESSIONS),
        weight=weights,
        count=st.integers(1, 9),
        created_at=instants(),
        updated_at=instants(),
        turn=st.sampled_from(("turn-1", "turn-2")),
        before=weights,
    )


def embeddings() -> st.SearchStrategy[Embedding]:
    """Return vectors of two models, the empty one among them."""
    of_messages = st.tuples(st.just(Embedded.MESSAGE), ids("m"))
    of_records = st.tuples(st.just(Embedded.RECORD), ids("r", 8))
    return st.builds(
        lambda of, **rest: Embedding(kind=of[0], id=of[1], **rest),
        of=of_messages | of_records,
        model=st.sampled_from(MODELS),
        vector=st.sampled_from((b"", packed((1.0, 0.0)), packed((0.5, -0.5)))),
    )


def changes() -> st.SearchStrategy[Changes]:
    """Return change sets in which any field may be filled."""

    def some(strategy: st.SearchStrategy[T], max_size: int = 2) -> st.SearchStrategy[tuple[T, ...]]:
        return st.lists(strategy, max_size=max_size).map(tuple)

    return st.builds(
        Changes,
        erase_records=some(ids("r", 8)),
        erase_messages=some(ids("m")),
        messages=some(messages()),
        records=some(records(), 3),
        threads=some(threads()),
        suppressions=some(suppressions()),
        fingerprints=some(fingerprints()),
        lift_suppressions=some(suppressions(), 1),
        lift_labels=some(ids("r", 3), 1),
        pending=some(pendings()),
        decisions=some(decisions()),
        jobs=some(jobs()),
        done=some(ids("m"), 1),
        exchanges=some(exchanges()),
        consolidated=some(ids("m"), 1),
        states=some(states(), 1),
        prune_edges=some(edges(), 1),
        edges=some(edges(), 3),
        embeddings=some(embeddings(), 3),
        revision_step=st.integers(0, 2),
    )


def candidates() -> st.SearchStrategy[Candidate]:
    """Return proposals as they come from outside, unchecked."""
    plain = st.recursive(
        st.none() | st.booleans() | st.integers() | texts(),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts(), inner, max_size=2),
        max_leaves=4,
    )
    proposal = st.builds(
        ThreadProposal, id=texts(), summary=texts(), entity_ref=maybe(texts()), expires_at=maybe(instants())
    )
    claim_candidates = st.builds(
        ClaimCandidate,
        id=texts(),
        predicate=texts(),
        value=plain,
        quote=quotes(),
        raw_value=maybe(texts()),
        entity_ref=maybe(texts()),
        qualifiers=plain,
        confidence=units(),
        valid_until=maybe(instants()),
        thread=maybe(proposal),
    )
    episode_candidates = st.builds(
        EpisodeCandidate, id=texts(), narrative=texts(), quote=quotes(), confidence=units()
    )
    retractions = st.builds(
        RetractionCandidate,
        id=texts(),
        predicates=st.lists(texts(), max_size=2).map(tuple),
        quote=quotes(),
        entity_ref=maybe(texts()),
        value=maybe(texts()),
        qualifiers=maybe(st.dictionaries(texts(), texts(), max_size=2)),
    )
    corrections = st.builds(
        CorrectionCandidate,
        id=texts(),
        new=texts(),
        quote=quotes(),
        subject=maybe(texts()),
        previous=maybe(texts()),
        whole=st.booleans(),
        day=maybe(texts()),
    )
    note_candidates = st.builds(
        NoteCandidate,
        id=texts(),
        note_kind=st.sampled_from(NoteKind),
        text=texts(),
        quote=quotes(),
        tags=st.lists(texts(), max_size=2).map(tuple),
        importance=units(),
        emotional_weight=units(),
        due_on=maybe(texts()),
    )
    return claim_candidates | episode_candidates | retractions | corrections | note_candidates
