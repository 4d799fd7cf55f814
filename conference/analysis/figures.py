"""The figures of a text: digits and number words as numbers, so that *40*, *forty* and *40 %* are the same figure."""

from __future__ import annotations

import re
from collections.abc import Iterator

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_BY_TENS = {word: 10 * tens for tens, word in enumerate(_TENS.split(), start=2)}
_SMALL = {word: value for value, word in enumerate(_UNITS.split())} | _BY_TENS
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_PLURALS = {f"{word}s": word for word in _SCALES}
_TOKEN = re.compile(r"\d[\d,]*(?:\.\d+)?|[a-z]+|[.;:!?]", re.IGNORECASE)


def figures(text: str) -> frozenset[float]:
    """The numbers a text names. A bare *one* is none (*one of us*, *no one*); ordinals and halves aren't read."""
    return frozenset(value for value in _values(text) if value is not None)


def _values(text: str) -> Iterator[float | None]:
    """Reads number words in runs: *two hundred and fifty thousand* is one figure, *two or three* are two."""
    run: list[str] = []
    for token in [*_TOKEN.findall(text.lower()), "."]:
        word = _PLURALS.get(token, token)
        if _continues(run, word):
            run.append(word)
            continue
        if run:
            yield _value([word for word in run if word != "and"])
        run = [word] if _is_number(word) or word in _SCALES else []


def _continues(run: list[str], word: str) -> bool:
    """Whether the word belongs to the number that is being read."""
    if not run:
        return False
    last = run[-1]
    if word in _SCALES:
        return last != "and"
    if word == "and":
        return last in _SCALES
    if not _is_number(word) or word[0].isdigit():
        return False
    return last in _SCALES or last == "and" or (last in _BY_TENS and 0 < _SMALL[word] < 10)


def _value(run: list[str]) -> float | None:
    """The number a run of words stands for; None for a bare *one*."""
    if run == ["one"]:
        return None
    total, part = 0.0, 0.0
    for word in run:
        if word == "hundred":
            part = (part or 1) * 100
        elif word in _SCALES:
            total, part = total + (part or 1) * _SCALES[word], 0.0
        else:
            part += _SMALL[word] if word in _SMALL else float(word.replace(",", ""))
    return total + part


def _is_number(word: str) -> bool:
    return word in _SMALL or word[0].isdigit()
