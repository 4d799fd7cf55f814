from __future__ import annotations

import pytest

from conference.analysis.figures import figures


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", set()),
        ("forty per cent, that is 40%", {40}),
        ("£1,250.50 a head", {1250.5}),
        ("In 2016, then 2019 by six votes.", {2016, 2019, 6}),
        ("twenty-one or twenty two", {21, 22}),
        ("two or three, four. Five", {2, 3, 4, 5}),
        ("two hundred and fifty thousand people and 3 million more", {250_000, 3_000_000}),
        ("a hundred and ten officers", {110}),
        ("hundreds of thousands", {100, 1_000}),
        ("no one of us, one by one", set()),
        ("one in eleven, twenty-one in a hundred and one", {11, 21, 101}),
        ("half of the first third", set()),
    ],
)
def test_digits_and_number_words_are_the_same_figures(text: str, numbers: set[float]) -> None:
    assert figures(text) == numbers
