"""The words a call rests on, found in the transcript: for each participant the sentence of its own that shows best where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from conference.domain.position import Evidence, Stance
from conference.domain.transcript import Dialogue
from conference.judges.signals import accepts, conditions, refuses, sentences

_SHOWS: dict[Stance, tuple[Callable[[str], int], ...]] = {
    "support": (accepts,),
    "oppose": (refuses, conditions),
    "undecided": (conditions, refuses),
}


def quotes(dialogue: Dialogue, positions: Mapping[str, Stance]) -> tuple[Evidence, ...]:
    """At most one quote a participant, word for word, in the order said; none for who said nothing."""
    found = [quote for name, stance in positions.items() if (quote := _quote(dialogue, name, stance)) is not None]
    return tuple(sorted(found, key=lambda item: item.turn))


def _quote(dialogue: Dialogue, name: str, stance: Stance) -> Evidence | None:
    """The latest sentence with a phrase that shows the stance; else the first of its last turn."""
    own = [(at, turn) for at, turn in enumerate(dialogue.turns) if turn.speaker == name and turn.text.strip()]
    for shows in _SHOWS[stance]:
        for at, turn in reversed(own):
            for sentence in sentences(turn.text):
                if shows(sentence):
                    return Evidence(turn=at, speaker=name, quote=sentence)
    for at, turn in reversed(own):
        for sentence in sentences(turn.text):
            return Evidence(turn=at, speaker=name, quote=sentence)
    return None
