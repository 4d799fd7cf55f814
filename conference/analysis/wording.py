"""Words of turns: variety, openings, first person."""

from __future__ import annotations

import re
from collections.abc import Sequence

WINDOW = 50
OPENING = 3

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_FIRST_PERSON = frozenset({"me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"})


def words(text: str) -> list[str]:
    """The words, lower case, apostrophes kept inside."""
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def is_first_person(text: str) -> bool:
    """Whether *I* or *we* stands in it in some form, contractions too."""
    heads = [re.split("['’]", word)[0] for word in _WORD.findall(text)]
    return any(head == "I" or (head.lower() in _FIRST_PERSON and head != "US") for head in heads)


def type_token(said: Sequence[str]) -> float | None:
    """Different words among the words; None without words."""
    return len(set(said)) / len(said) if said else None


def moving_type_token(said: Sequence[str], window: int = WINDOW) -> float | None:
    """Mean type-token ratio of all windows of that many words (MATTR; Covington & McFall 2010); None for fewer words."""
    count = len(said) - window + 1
    if count < 1:
        return None
    return sum(len(set(said[at : at + window])) for at in range(count)) / (count * window)


def opening_variety(texts: Sequence[str]) -> float | None:
    """Different first three words among the texts; None without texts."""
    return len({tuple(words(text)[:OPENING]) for text in texts}) / len(texts) if texts else None
