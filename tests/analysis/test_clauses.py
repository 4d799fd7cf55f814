from __future__ import annotations

import pytest

from conference.analysis.clauses import clauses


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", [""]),
        ("Just the one part here.", ["Just the one part here."]),
        (
            "A stamp tells you the strength, and it earns the state money.",
            ["A stamp tells you the strength", "and it earns the state money."],
        ),
        ("The police are busy tonight. The nurses are busy too.", ["The police are busy tonight.", "The nurses are busy too."]),
        ("My clinic sees the livers - the court sees the rest.", ["My clinic sees the livers", "the court sees the rest."]),
        ("No. We can't go on like this.", ["No. We can't go on like this."]),  # two words say too little alone
        ("Salt, and pepper", ["Salt, and pepper"]),
        ("It costs 3.50 a gram", ["It costs 3.50 a gram"]),  # no break inside a number
        ("One two three four.\nFive six seven eight.", ["One two three four.", "Five six seven eight."]),
    ],
)
def test_a_line_is_cut_where_a_new_thought_may_begin(text: str, parts: list[str]) -> None:
    assert clauses(text) == parts


def test_no_word_is_lost_where_nothing_but_a_comma_or_a_dash_is_cut() -> None:
    text = "First this happens here; then that happens there, but nobody looked. Why would they do that?"
    assert " ".join(clauses(text)).replace(",", "").split() == text.replace(",", "").split()
