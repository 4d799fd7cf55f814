"""Words looked for in a talk: how a question is read, how texts are compared, and where in a text the words stand."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_WORDS, LONGEST = 12, 200
"""Words of a question that count, and characters of each."""


class _Folds(dict[int, str]):
    def __missing__(self, code: int) -> str:
        self[code] = "" if code == 0 else unicodedata.normalize("NFKC", chr(code)).casefold()
        return self[code]


_FOLDS = _Folds()


@dataclass(frozen=True)
class Piece:
    """A piece of a text; `hit` when it is what was looked for."""

    text: str
    hit: bool = False


def folded(text: str) -> str:
    """The text as it is compared: without differences of case, width and composition, every white space one blank."""
    flat = " ".join(text.split())
    return flat.lower().replace("\x00", "") if flat.isascii() else unicodedata.normalize("NFC", flat).translate(_FOLDS)


def words_of(asked: str) -> tuple[str, ...]:
    """What a question asks for, folded: its words, all of which must occur; those within quotation marks as one phrase."""
    found = (folded(phrase or word)[:LONGEST] for phrase, word in re.findall(r'"([^"]+)"|([^\s"]+)', asked))
    return tuple(dict.fromkeys(word for word in found if word.strip()))[:MOST_WORDS]


def marked(text: str, words: Sequence[str]) -> tuple[Piece, ...]:
    """The text in pieces, the places of the words told apart; joined they are the text again (composed: NFC)."""
    text = unicodedata.normalize("NFC", text) if words else text
    hits = _joined(_places(text, words))
    pieces, done = [], 0
    for begin, end in hits:
        pieces += [Piece(text[done:begin]), Piece(text[begin:end], hit=True)]
        done = end
    return tuple(piece for piece in (*pieces, Piece(text[done:])) if piece.text) or (Piece(""),)


def _places(text: str, words: Sequence[str]) -> Iterable[tuple[int, int]]:
    """Where the words stand, by the characters of the text itself: folding may make one character into several, or many into one."""
    if not words:
        return
    parts, origin, blank = [], list[int](), True
    for place, character in enumerate(text):
        part = " " if character.isspace() else character.translate(_FOLDS)
        if part == " " and blank:
            continue
        blank = part == " "
        parts.append(part)
        origin += [place] * len(part)
    flat = "".join(parts)
    for word in words:
        begin = flat.find(word)
        while begin >= 0:
            yield origin[begin], origin[begin + len(word) - 1] + 1
            begin = flat.find(word, begin + len(word))


def _joined(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for begin, end in sorted(places):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined
