"""Cut, then join, is the identity."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from cmemory.domain.text.sentences import Piece, clauses, quoted, sentences
from strategies import CROWDED_TEXTS, TEXTS

ANY = st.one_of(TEXTS, CROWDED_TEXTS)


def covers(pieces: tuple[Piece, ...], start: int, end: int) -> bool:
    """Tell whether pieces follow each other without gap from start to end, none of them empty."""
    edges = [start, *(piece.end for piece in pieces)]
    return edges[-1] == end and all(
        piece.start == before < piece.end for piece, before in zip(pieces, edges, strict=False)
    )


@given(ANY)
def test_sentences_rejoin(text: str) -> None:
    """The sentences are the whole text, in order, and each knows its place."""
    pieces = sentences(text)
    assert text == "".join(piece.text for piece in pieces)
    assert covers(pieces, 0, len(text))
    assert all(piece.text == text[piece.start : piece.end] for piece in pieces)


@given(ANY)
def test_clauses_rejoin(text: str) -> None:
    """The clauses of a sentence are the whole sentence, with offsets in the text it came from."""
    for sentence in sentences(text):
        pieces = clauses(sentence)
        assert sentence.text == "".join(piece.text for piece in pieces)
        assert covers(pieces, sentence.start, sentence.end)
        assert all(piece.text == text[piece.start : piece.end] for piece in pieces)


@given(st.one_of(ANY, st.text(st.sampled_from('“”「」《》"a。'), max_size=20)))
def test_quoted_stretches_stand_in_the_text(text: str) -> None:
    """Quoted stretches come in order, never overlap, and stand between two marks."""
    pieces = quoted(text)
    assert all(piece.text == text[piece.start : piece.end] for piece in pieces)
    assert all(one.end < other.start for one, other in itertools.pairwise(pieces))
    assert all(
        text[piece.start - 1] + text[piece.end] in ("“”", "「」", "『』", "《》", '""') for piece in pieces
    )
