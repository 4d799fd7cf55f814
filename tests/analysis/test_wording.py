from __future__ import annotations

import pytest

from conference.analysis.wording import is_first_person, moving_type_token, opening_variety, type_token, words


def test_words_are_lower_case_and_keep_their_apostrophes() -> None:
    assert words("Don’t ask ‘me’: 3 of us can't.") == ["don't", "ask", "me", "3", "of", "us", "can't"]


@pytest.mark.parametrize(
    ("text", "is_first"),
    [
        ("I'd want that.", True),
        ("That’s ours, said the mayor.", True),
        ("It costs my clinic a lot.", True),
        ("We’ve seen it.", True),
        ("The US does it.", False),
        ("It pays for itself.", False),
        ("Item i of the list.", False),
        ("", False),
    ],
)
def test_first_person(text: str, is_first: bool) -> None:
    assert is_first_person(text) is is_first


def test_type_token() -> None:
    assert type_token(["a", "b", "a", "c"]) == 3 / 4
    assert type_token([]) is None


def test_moving_type_token_is_the_mean_of_its_windows() -> None:
    # a b | b a | a a: (2 + 2 + 1) / (3 · 2)
    assert moving_type_token(["a", "b", "a", "a"], window=2) == 5 / 6
    assert moving_type_token(["a"], window=2) is None


def test_openings_are_three_words() -> None:
    assert opening_variety(["I see it differently", "I see it that way", "Well, no"]) == 2 / 3
    assert opening_variety([]) is None
