"""How much one text is about the same thing as another."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

Affinity = Callable[[str, str], float]
"""Two texts to a number, higher for nearer; only its order matters."""

_STOP_WORDS = """
a about after all also an and any are as at be because been before but by can could did do does for from get had has
have he her his how i if in into is it its just let me more most my no nor not of on one only or other our out over own
put say she should so some such than that the their them then there these they this those to too under up us very was we
were what when where which while who whom why will with would you your
"""
_STOP = frozenset(_STOP_WORDS.split())


@lru_cache(maxsize=20_000)
def content_words(text: str) -> frozenset[str]:
    """The words of a text that carry content, crudely stemmed (plural and verb endings off)."""
    words = re.findall(r"[a-z]+|\d+", text.lower())
    return frozenset(re.sub(r"(ing|ed|es|s|ly)$", "", word) for word in words if word not in _STOP and len(word) > 2)


def shared_words(first: str, second: str) -> float:
    """Jaccard similarity of the content words, 0 to 1."""
    one, two = content_words(first), content_words(second)
    return len(one & two) / len(one | two) if one and two else 0.0
