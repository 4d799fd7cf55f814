from __future__ import annotations

from typing import Any

import pytest
from word_embedder import WordEmbedder

from conference.analysis.speech import speech_of
from conference.domain.events import Utterance
from conference.domain.scores import Share


def _turn(seq: int, speaker: str, text: str, role: str = "participant", stage: int = 0, **move: Any) -> Utterance:
    value: dict[str, Any] = {"seq": seq, "at": "2025-01-01T00:00:00Z", "stage": stage, "round": 1}
    value |= {"speaker": speaker, "role": role, "text": text, "move": {"kind": "state", **move} if move else None}
    return Utterance.model_validate(value)


def _counts(share: Share) -> tuple[int, int]:
    return share.count, share.of


def test_a_turn_repeats_when_it_is_nearly_an_earlier_one() -> None:
    turns = [
        _turn(0, "Mo", "shall we talk about prices", role="moderator"),
        _turn(1, "Ann", "prices fall and shops close"),
        _turn(2, "Bea", "prices fall and shops close now"),  # 5 of the words: 5 / √(5·6) = .913
        _turn(3, "Ann", "prices fall now"),  # 2 / √(3·5) = .52 and 3 / √(3·6) = .71
        _turn(4, "Bea", "shall we talk about prices"),  # repeats the moderator
        _turn(5, "Bea", " "),
    ]
    speech = speech_of(turns, WordEmbedder())
    assert speech.turns == 4
    assert _counts(speech.repeats) == (2, 4)


def test_moderators_are_measured_when_asked_for() -> None:
    turns = [_turn(0, "Mo", "your turn please", role="moderator"), _turn(1, "Mo", "your turn please", role="moderator")]
    assert speech_of(turns, WordEmbedder()).turns == 0
    assert _counts(speech_of(turns, WordEmbedder(), roles=("moderator",)).repeats) == (1, 2)


def test_first_person() -> None:
    turns = [_turn(0, "Ann", "I would ban it"), _turn(1, "Bea", "It sells well"), _turn(2, "Ann", "Our shops close")]
    assert _counts(speech_of(turns, WordEmbedder()).first_person) == (2, 3)


def test_figures_must_be_the_notes_and_no_others() -> None:
    turns = [
        _turn(0, "Ann", "About forty per cent do", note="40 per cent use it"),  # kept
        _turn(1, "Ann", "Some do", note="40 per cent use it"),  # lost
        _turn(2, "Ann", "It was 40 of 90", note="40 per cent use it"),  # one too many
        _turn(3, "Ann", "All 12 of them", note="all of them"),  # invented
        _turn(4, "Ann", "None of them", note="all of them"),  # no figure on either side: doesn't count
        _turn(5, "Ann", "It was 7"),  # made from no note
        _turn(6, "Ann", "Fine, but nobody under 21", note="fine by me", condition="nobody under twenty-one is served"),  # kept
    ]
    assert _counts(speech_of(turns, WordEmbedder()).figures_exact) == (2, 5)


TABLE = [
    _turn(0, "Dr Bea Smith", "prices fall and shops close"),
    _turn(1, "Cy", "my officers chase dealers"),
    _turn(2, "Di", "children smoke at school"),
    _turn(3, "Ed", "taxes pay for hospitals"),
    _turn(4, "Flo", "farmers grow it abroad"),
]


@pytest.mark.parametrize(
    ("text", "move", "by_name", "by_sense"),
    [
        ("Smith, think again", {"to": "Dr Bea Smith", "answers": 0}, True, False),
        ("That is Bea's view only", {"to": "Dr Bea Smith", "answers": 0}, True, False),
        ("But prices rise when shops close", {"to": "Dr Bea Smith", "answers": 0}, False, True),
        ("But prices rise when shops close", {"to": "Dr Bea Smith"}, False, True),  # the last turn of the person addressed
        ("But officers chase dealers anyway", {"to": "Dr Bea Smith", "answers": 0}, False, False),
        ("Something else altogether", {"answers": 1}, False, False),
        ("Cy has officers and dealers", {"answers": 1}, True, True),  # nobody addressed: who was answered
    ],
)
def test_an_answer_names_the_person_or_is_about_what_was_said(
    text: str, move: dict[str, Any], by_name: bool, by_sense: bool
) -> None:
    speech = speech_of([*TABLE, _turn(5, "Ann", text, **move)], WordEmbedder())
    assert _counts(speech.answers_by_name) == (int(by_name), 1)
    assert _counts(speech.answers_by_sense) == (int(by_sense), 1)
    assert _counts(speech.answers) == (int(by_name or by_sense), 1)


def test_without_enough_other_turns_only_the_name_counts() -> None:
    speech = speech_of([*TABLE[:3], _turn(5, "Ann", "prices and shops", answers=0)], WordEmbedder())
    assert (_counts(speech.answers), _counts(speech.answers_by_sense)) == ((0, 1), (0, 0))


def test_other_turns_are_those_of_the_same_stage_by_others() -> None:
    elsewhere = [turn.model_copy(update={"stage": 1}) for turn in TABLE[1:3]]
    own = [turn.model_copy(update={"speaker": "Ann"}) for turn in TABLE[3:]]
    speech = speech_of([TABLE[0], *elsewhere, *own, _turn(5, "Ann", "prices and shops", answers=0)], WordEmbedder())
    assert _counts(speech.answers_by_sense) == (0, 0)


def test_turns_that_answer_nobody_arent_asked() -> None:
    turns = [*TABLE, _turn(5, "Ann", "Well"), _turn(6, "Ann", "Well", gist="x"), _turn(7, "Ann", "Well", answers=99)]
    assert _counts(speech_of(turns, WordEmbedder()).answers) == (0, 0)


def test_each_speaker_is_compared_with_itself() -> None:
    turns = [
        _turn(0, "Ann", "red blue"),
        _turn(1, "Bea", "red blue"),
        _turn(2, "Ann", "red green"),  # own earlier: 1 / √(2·2) = .5
        _turn(3, "Ann", "red blue"),  # own earlier: the first, 1
    ]
    ann, bea = speech_of(turns, WordEmbedder()).speakers
    assert ann.self_repetition == pytest.approx((0.5 + 1) / 2)
    assert (ann.speaker, ann.turns, ann.words, ann.type_token, ann.moving_type_token) == ("Ann", 3, 6, 3 / 6, None)
    assert ann.opening_variety == 2 / 3
    assert (bea.turns, bea.self_repetition) == (1, None)


def test_an_empty_transcript_has_no_shares() -> None:
    speech = speech_of([], WordEmbedder())
    assert (speech.turns, speech.repeats.value, speech.opening_variety, speech.speakers) == (0, None, None, ())
    assert len(speech.rows) == 7
