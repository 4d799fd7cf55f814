"""Nearness of texts by their words."""

from __future__ import annotations

import pytest

from conference.moves.affinity import content_words, shared_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", set()),
        ("The boats are there.", {"boat"}),
        ("Fishing, fished; boats 1974!", {"fish", "boat", "1974"}),
        ("It's about you and me", set()),
    ],
)
def test_content_words(text: str, words: set[str]) -> None:
    assert content_words(text) == words


@pytest.mark.parametrize(
    ("one", "two", "nearness"),
    [
        ("cheap ferry tickets", "ferry tickets", 2 / 3),  # {cheap, ferry, ticket} and {ferry, ticket}: 2 of 3
        ("ferry", "bridge", 0.0),
        ("ferry", "", 0.0),
        ("Ferries sail", "ferries sail", 1.0),
    ],
)
def test_shared_words(one: str, two: str, nearness: float) -> None:
    assert shared_words(one, two) == pytest.approx(nearness) == shared_words(two, one)
