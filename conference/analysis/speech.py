"""Does it read like a meeting? Repetition, first person, figures kept, answers to the person addressed, variety."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from conference.analysis.figures import figures
from conference.analysis.intervals import share
from conference.analysis.wording import is_first_person, moving_type_token, opening_variety, type_token, words
from conference.domain.chat import Embedder
from conference.domain.events import SpeakerRole, Utterance
from conference.domain.scores import Share
from conference.domain.speech import SpeakerSpeech, Speech

REPEATS = 0.9
"""Cosine above which two turns say the same."""
ON_SUBJECT = 0.75
"""Share of the other turns an answer must be farther from than from the turn it answers."""
FEWEST_OTHERS = 4
"""Other turns needed before *nearer than three quarters of them* means anything."""

PARTICIPANTS: tuple[SpeakerRole, ...] = ("participant",)
_TITLE_WORDS = "the prof professor mrs miss sir dame lord lady supt insp rev doctor and von van"
_TITLES = frozenset(_TITLE_WORDS.split())

Case = TypeVar("Case")
Cosines = npt.NDArray[np.float32]


def speech_of(utterances: Sequence[Utterance], embedder: Embedder, roles: Collection[SpeakerRole] = PARTICIPANTS) -> Speech:
    """Measure the turns of these roles, each against everything said before it, by whomever. Passes are left out.

    Embeds every turn once. Cost grows with the square of the number of turns (5,000 turns: 100 MB for a moment).
    """
    said = [turn for turn in utterances if turn.text.strip()]
    at = [place for place, turn in enumerate(said) if turn.role in roles]
    cosines = _cosines([turn.text for turn in said], embedder)
    answers = [answer for place in at if (answer := _answer(said, place, cosines)) is not None]
    texts = [said[place].text for place in at]
    return Speech(
        turns=len(at),
        repeats=_share(at, lambda place: bool((cosines[place, :place] > REPEATS).any())),
        first_person=_share(texts, is_first_person),
        figures_exact=_figures_exact([said[place] for place in at]),
        answers=_share(answers, lambda answer: answer[0] or answer[1] is True),
        answers_by_name=_share(answers, lambda answer: answer[0]),
        answers_by_sense=_share([sense for _, sense in answers if sense is not None], bool),
        opening_variety=opening_variety(texts),
        speakers=_speakers(said, at, cosines),
    )


def _cosines(texts: list[str], embedder: Embedder) -> Cosines:
    if not texts:
        return np.zeros((0, 0), dtype=np.float32)
    vectors = np.asarray(embedder.embed(texts), dtype=np.float32)
    return vectors @ vectors.T


def _share(cases: Sequence[Case], holds: Callable[[Case], bool]) -> Share:
    return share(sum(holds(case) for case in cases), len(cases))


def _figures_exact(turns: Sequence[Utterance]) -> Share:
    """A figure left out, changed or invented all count against the turn; turns where neither side has one don't count.

    A condition's figures may be said or not: the turn may name the condition without them.
    """
    cases = [
        (figures(turn.move.note), figures(turn.text), figures(f"{turn.move.note} {turn.move.condition}"))
        for turn in turns
        if turn.move and turn.move.note
    ]
    return _share([case for case in cases if case[0] or case[1]], lambda case: case[0] <= case[1] <= case[2])


def _answer(said: Sequence[Utterance], place: int, cosines: Cosines) -> tuple[bool, bool | None] | None:
    """Whether the turn names the person it answers, and whether it is about what was answered; None if it answers nobody.

    *About*: nearer to the answered turn than to at least three quarters of the other turns said before in this stage by
    others. (Nearer than to the median would let half of all unrelated turns pass.) None with fewer than four of them.
    """
    turn = said[place]
    answered = _answered(said, place)
    if turn.move is None or answered is None:
        return None
    addressee = turn.move.to or said[answered].speaker
    others = [
        earlier
        for earlier in range(place)
        if earlier != answered and said[earlier].stage == turn.stage and said[earlier].speaker != turn.speaker
    ]
    if len(others) < FEWEST_OTHERS:
        return _names(turn.text, addressee), None
    nearer = float(np.mean(cosines[place, others] < cosines[place, answered]))
    return _names(turn.text, addressee), nearer >= ON_SUBJECT


def _answered(said: Sequence[Utterance], place: int) -> int | None:
    """The turn that is answered: the one the move names, else the last one of the person addressed."""
    move = said[place].move
    if move is None:
        return None
    for earlier in reversed(range(place)):
        if move.answers is None and move.to == said[earlier].speaker or move.answers == said[earlier].seq:
            return earlier
    return None


def _names(text: str, person: str) -> bool:
    """Whether a text names a person: by the whole name or a part of it with at least three letters that isn't a title."""
    whole = words(person)
    parts = {part for part in whole if len(part) > 2 and part not in _TITLES}
    spoken = [word.partition("'")[0] for word in words(text)]
    return bool(parts & set(spoken)) or any(spoken[at : at + len(whole)] == whole for at in range(len(spoken)))


def _speakers(said: Sequence[Utterance], at: Sequence[int], cosines: Cosines) -> tuple[SpeakerSpeech, ...]:
    own: dict[str, list[int]] = {}
    for place in at:
        own.setdefault(said[place].speaker, []).append(place)
    return tuple(_speaker(name, [said[place].text for place in places], places, cosines) for name, places in own.items())


def _speaker(name: str, texts: Sequence[str], places: Sequence[int], cosines: Cosines) -> SpeakerSpeech:
    spoken = [word for text in texts for word in words(text)]
    nearest = [float(cosines[place, places[:nth]].max()) for nth, place in enumerate(places) if nth]
    return SpeakerSpeech(
        speaker=name,
        turns=len(places),
        words=len(spoken),
        self_repetition=sum(nearest) / len(nearest) if nearest else None,
        type_token=type_token(spoken),
        moving_type_token=moving_type_token(spoken),
        opening_variety=opening_variety(texts),
    )
