"""What is wrong with a turn a model worded from a note: clear cases on either side of every check."""

from __future__ import annotations

import pytest

from conference.seats.checks import faults_of, figures, whole_sentences

NOTE = "Two boats a day would wake the seals, and last year 30 pups were lost on the sandbank."
GOOD = "Two boats a day, that would wake the seals; last year we lost 30 pups on the sandbank."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("1,000 boats and 2.5 tonnes.", ["1000", "2.5"]),
        ("Two thirds of 18-year-olds", ["18", "thirds", "two"]),
        ("someone often", []),
    ],
)
def test_figures(text: str, found: list[str]) -> None:
    assert figures(text) == found


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("One. Two! Three", "One. Two!"),
        ("No end", "No end"),
        ('"Quoted words."', "Quoted words."),
        ("2.5 tonnes are too much. And th", "2.5 tonnes are too much."),
        ("Line one.\n\nLine two.", "Line one. Line two."),
        ("", ""),
    ],
)
def test_whole_sentences(text: str, kept: str) -> None:
    assert whole_sentences(text) == kept


def test_a_good_turn_has_no_fault() -> None:
    assert faults_of(GOOD, NOTE) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("Seals, yes.", "too short"),
        (GOOD.replace("30", "40"), "figures"),
        (GOOD.replace("30 ", ""), "figures"),
        ("I like the weather here, and I like two cakes and 30 candles.", "not what the note says"),
        (
            GOOD + " Besides, harbour cranes, tourist buses, fishing licences, church bells and council taxes worry everybody.",
            "adds too much",
        ),
        ("The note says: " + GOOD, "speaks of its own instructions"),
        (GOOD.replace("would wake", "would never wake"), "turns the note round"),
        (GOOD + " The caretaker said so.", "words of the example: caretaker"),
        (
            GOOD.replace("would wake", "have to wake"),
            "adds a demand",
        ),  # found: "take that plain no away" became "we need to take it away"
        (GOOD.replace("the sandbank", "your sandbank"), "turns mine into yours"),  # found: my client became your client
        ("She is a good one. " + GOOD, "speaks of somebody else"),  # found: "she's a prime candidate" out of nothing
        (GOOD + " I would accept that.", "takes a position of its own"),  # found: "…but only if" after a plain yes
    ],
)
def test_a_bad_turn_has_its_fault(body: str, fault: str) -> None:
    found = faults_of(body, NOTE, given_away=frozenset({"caretaker"}))
    assert any(reason.startswith(fault) for reason in found), found


def test_copies_and_repetitions() -> None:
    assert "copies what it answers" in faults_of(GOOD, NOTE, answered=GOOD)
    assert "said before" in faults_of(GOOD, NOTE, earlier=["Something else.", GOOD])
    assert faults_of(GOOD, NOTE, answered="The fares are too high.", earlier=["Who pays for it?"]) == []
