"""What is wrong with a turn that a model worded from a note. Pure; each check gives its reason in a few words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from conference.moves.affinity import content_words, shared_words

MIN_KEPT = 0.6
"""Least share of the note's content words in the reply."""
ADDED = 0.35
"""Most new content words, as a share of the note's, beyond two."""
COPIED = 0.5
"""Shared words with the turn answered, beyond which it is a copy."""
TOO_ALIKE = 0.75
"""Shared words with an earlier turn, beyond which it is a repetition; `seats/wording.py` also compares embeddings."""

_NUMBER_WORDS = """
two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half third quarter dozen twice
"""
_FIGURE = re.compile(r"\d[\d,.]*\d|\d|\b(?:" + "|".join(_NUMBER_WORDS.split()) + r")(?:s|th)?\b", re.IGNORECASE)
_META = re.compile(r"\b(note|speaker|this turn|as an ai|language model|transcript|in conclusion|in summary)\b:?", re.IGNORECASE)
_POSITION = re.compile(
    r"\b(accept|agree|support|oppose|object to|sign|vote|proposal|as it stands|only if|on condition)\w*", re.IGNORECASE
)
"""Words that take a position; the opening words have done that already."""
_DEMAND = re.compile(r"\b(?:must|needs? to|have to|has to|should|ought)\b", re.IGNORECASE)
_THIRD = re.compile(r"\b(?:he|she|his|hers?|him)\b", re.IGNORECASE)
_YOUR = re.compile(r"\byours?\b", re.IGNORECASE)
_NO = re.compile(r"\b(no|not|never|nobody|none|nothing|without|cannot|neither|nor)\b|n't\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?…](?=[\"'”’)]?(\s|$))")


def figures(text: str) -> list[str]:
    """The figures of a text, digits and number words, lower case, without thousands' commas or a trailing point."""
    return sorted(f.lower().replace(",", "").rstrip(".") for f in _FIGURE.findall(text))


def repeats_itself(text: str, run: int = 4) -> bool:
    """Whether the same `run` words stand twice in the text."""
    words = re.findall(r"[a-z'’]+", text.lower())
    runs = [tuple(words[i : i + run]) for i in range(len(words) - run + 1)]
    return len(runs) != len(set(runs))


def whole_sentences(text: str) -> str:
    """The text up to its last whole sentence; all of it when no sentence ends."""
    flat = " ".join(text.split()).strip().strip('"“”').strip()
    ends = [match.end() for match in _SENTENCE_END.finditer(flat)]
    return flat[: ends[-1]].strip() if ends else flat


def faults_of(
    body: str,
    note: str,
    *,
    opening: str = "",
    answered: str = "",
    earlier: Sequence[str] = (),
    given_away: frozenset[str] = frozenset(),
) -> list[str]:
    """Why a reply shouldn't be said, most telling first; empty when it may be.

    `body` is the reply without its opening words; `given_away` are words of the prompt's examples.
    """
    found = _against_the_note(body, note)
    if repeats_itself(f"{opening} {body}"):
        found.append("repeats itself")
    if _META.search(body):
        found.append("speaks of its own instructions")
    stray = sorted(word for word in given_away if word in body.lower() and word not in note.lower())
    if stray:
        found.append(f"words of the example: {stray[0]}")
    if _positions(body) - _positions(note):
        found.append("takes a position of its own")
    if answered and shared_words(body, answered) > COPIED:
        found.append("copies what it answers")
    if any(shared_words(body, text) > TOO_ALIKE for text in earlier):
        found.append("said before")
    return found


def _positions(text: str) -> set[str]:
    return {match.group(1).lower() for match in _POSITION.finditer(text)}


def _against_the_note(body: str, note: str) -> list[str]:
    """What the reply leaves out, changes or makes up."""
    wanted, has = content_words(note), content_words(body)
    length = len(body.split())
    faults = {
        "too short": length < 4,
        f"figures {figures(body)} instead of {figures(note)}": set(figures(body)) != set(figures(note)),
        "not what the note says": bool(wanted) and len(wanted & has) / len(wanted) < MIN_KEPT,
        "adds too much": len(has - wanted) > 2 + ADDED * len(wanted),
        "much longer than the note": length > 6 + 1.4 * len(note.split()),
        "adds a demand": bool(_DEMAND.search(body)) and not _DEMAND.search(note),
        "turns mine into yours": bool(_YOUR.search(body)) and not _YOUR.search(note),
        "speaks of somebody else": bool(_THIRD.search(body)) and not _THIRD.search(note),
        "turns the note round": bool(_NO.search(note)) != bool(_NO.search(body)),
    }
    return [fault for fault, found in faults.items() if found]
