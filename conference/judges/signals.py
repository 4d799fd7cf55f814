"""Plain words that show where a speaker stands: for picking the sentence that is quoted; of the verdict only a refusal moves a little."""

from __future__ import annotations

import re

_ACCEPTS = re.compile(
    r"\b(?:i|we|i'll|we'll)(?: can| could|'m| am| 'd)? (?:accept|agree|support|consent|back|join|sign)\w*"
    r"|\b(?:i'm|i am|we're|we are|count me) (?:for|in|on board|with|happy|content|satisfied|in favour)\b"
    r"|\b(?:can|could) (?:live|go|go along|put up) with\b|\b(?:no|nothing) (?:more |further |left )?(?:objections?|against)\b"
    r"|\bno longer (?:object|oppose)\b|\bthat (?:meets|answers|settles|suits|works)\b|\b(?:it's a|that's a) (?:deal|yes)\b"
    r"|\b(?:yes|yeah|yep|agreed|accepted|deal|okay|ok|fine|sure|alright|all right|sounds (?:good|fair|great)|works for (?:me|us)|perfect)\b",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"\b(?:can't|cannot|can not|won't|will not|wouldn't|couldn't|don't|do not|shan't) "
    r"(?:\w+ )?(?:accept|agree|support|sign|back|carry|join|vote|put my|go with)\w*"
    r"|\b(?:i|we) (?:must |do |have to )?(?:object|oppose|refuse|reject|disagree)\b"
    r"|\b(?:i'm|i am|we're|we are|vote|voting) (?:against|opposed)\b"
    r"|\bunconvinced\b|\bno deal\b|\bnever\b|\bout of the question\b|\bsee it differently\b|\bnot (?:fair|acceptable)\b|^no\b",
    re.IGNORECASE,
)
_CONDITIONS = re.compile(
    r"\b(?:if|unless|provided|providing|as long as|so long as|on condition|only when|until|otherwise|first|would have to|need to know"
    r"|not sure|haven't decided|undecided|depends|perhaps|maybe)\b|\?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?…]+(?:[.!?…]+[\"'”’)\]]*|$)")


def accepts(text: str) -> int:
    """How many phrases of acceptance the text has."""
    return len(_ACCEPTS.findall(text))


def refuses(text: str) -> int:
    """How many phrases of refusal."""
    return len(_REFUSES.findall(text.strip()))


def conditions(text: str) -> int:
    """How many phrases that leave something open: conditions, doubts, questions."""
    return len(_CONDITIONS.findall(text))


def sentences(text: str) -> list[str]:
    """The sentences as they stand, verbatim, without surrounding blanks."""
    return [found for match in _SENTENCE.finditer(text) if (found := match.group().strip())]
