"""How a question is read, and where its words stand in a text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conference.domain.search import MOST_WORDS, Piece, folded, marked, words_of


@pytest.mark.parametrize(
    ("text", "as_compared"),
    [
        ("  The\n\nHelpline ", "the helpline"), ("Straße", "strasse"), ("ｈｅｌｐ", "help"), ("A\u0308pfel", "äpfel"), ("a\x00b", "ab"),
        ("ä\x00b", "äb"), ("大麻", "大麻"), ("ﬁn", "fin"), ("", ""),
    ],
)  # fmt: skip
def test_folding(text: str, as_compared: str) -> None:
    assert folded(text) == as_compared


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("Two  words two", ("two", "words")), ('"As one" more', ("as one", "more")), ('an "open end', ("an", "open", "end")),
        (' "" ', ()), ("", ()), (" ".join(map(str, range(99))), tuple(map(str, range(MOST_WORDS)))),
    ],
)  # fmt: skip
def test_what_is_asked_for(asked: str, words: tuple[str, ...]) -> None:
    assert words_of(asked) == words


@pytest.mark.parametrize(
    ("text", "asked", "pieces"),
    [
        ("The Helpline needs help.", "help", ("The ", "*Help", "line needs ", "*help", ".")),
        ("An der Straße", "strass", ("An der ", "*Straß", "e")),
        ("a  b\nc", '"a b c"', ("*a  b\nc",)),
        ("abab", "ab ba", ("*abab",)),
        ("大麻規制", "麻", ("大", "*麻", "規制")),
        ("Nothing", "zz", ("Nothing",)),
        ("Nothing", "", ("Nothing",)),
        ("", "x", ("",)),
    ],
)
def test_marks(text: str, asked: str, pieces: tuple[str, ...]) -> None:
    expected = tuple(Piece(piece.removeprefix("*"), piece.startswith("*")) for piece in pieces)
    assert marked(text, words_of(asked)) == expected


@given(st.text(max_size=60), st.text(min_size=1, max_size=4))
def test_pieces_make_the_text_and_a_word_that_is_found_is_marked(text: str, asked: str) -> None:
    words = words_of(asked)
    pieces = marked(text, words)
    assert "".join(piece.text for piece in pieces) == (unicodedata.normalize("NFC", text) if words else text)
    found = any(word in folded(text) for word in words)
    assert any(piece.hit for piece in pieces) == found
