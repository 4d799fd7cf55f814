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
    last = dialogue.last_turns()
    found = [quote for name, stance in positions.items() if name in last and (quote := _quote(dialogue, last[name], stance))]
    return tuple(sorted(found, key=lambda item: item.turn))


def _quote(dialogue: Dialogue, place: int, stance: Stance) -> Evidence | None:
    """Of the last turn, which is what was judged: the first sentence that shows the stance; without one, its first sentence."""
    turn = dialogue.turns[place]
    if not (said := sentences(turn.text)):
        return None
    shown = next((sentence for shows in _SHOWS[stance] for sentence in said if shows(sentence)), said[0])
    return Evidence(turn=place, speaker=turn.speaker, quote=shown)
