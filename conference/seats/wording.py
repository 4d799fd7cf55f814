"""Words for a planned turn: opening by the move, the rest by the model, tried until it says what the note says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from conference.domain.chat import ChatModel, Usage
from conference.domain.move import Move
from conference.domain.persona import Persona
from conference.errors import ModelReplyError
from conference.floor import Floor
from conference.prompts.openers import closer, opener
from conference.prompts.speaking import EXAMPLE_WORDS, note_of, wording_request
from conference.seats.checks import faults_of, whole_sentences
from conference.seats.desk import Desk, Tally

TRIES = 3
REPEATS = 0.9
"""Cosine of two turns' embeddings beyond which the later repeats the earlier."""


@dataclass(frozen=True)
class Worded:
    """A turn's words, who worded them, and why earlier tries weren't said."""

    text: str
    worded_by: str
    rejected: tuple[str, ...]
    usage: Usage


async def worded(floor: Floor, person: Persona, move: Move, desk: Desk, model: ChatModel) -> Worded:
    """Up to three tries; the first that passes is said, else the note as it stands in the brief."""
    note = note_of(move)
    on_list = floor.agenda_item.settles == "concerns"
    seed = f"{floor.seed}/{floor.turns}/opener"
    opening = opener(move, on_list, seed, [u.text for u in floor.said])
    if not note:
        return Worded(opening, "brief", (), Usage())
    end = closer(move, on_list, f"{seed}/closer")
    answered = next((u.text for u in floor.said if u.seq == move.answers), "")
    earlier = [u.text for u in floor.said]
    tally, rejected = Tally(), []
    for attempt in range(1, TRIES + 1):
        request = wording_request(person, move, opening, seed=_seed(floor, attempt), attempt=attempt)
        try:
            reply = await tally.ask(model, request, lambda text: desk.whisper(person.name, _joined(opening, text)))
        except ModelReplyError as error:
            rejected.append(str(error))
            continue
        body = whole_sentences(_without(opening, reply.text))
        reasons = faults_of(
            body, note, opening=opening, answered=answered, earlier=earlier, given_away=EXAMPLE_WORDS
        ) or _repeats(_joined(opening, body), earlier, desk)
        if not reasons:
            return Worded(f"{_joined(opening, body)} {end}".strip(), reply.model, tuple(rejected), tally.usage)
        rejected.append(f"{'; '.join(reasons)}: {body}"[:400])
    return Worded(f"{_joined(opening, note)} {end}".strip(), "brief", tuple(rejected), tally.usage)


def _seed(floor: Floor, attempt: int) -> int:
    return (floor.seed * 100_003 + floor.turns * 17 + attempt) % 2_147_483_647


def _without(opening: str, text: str) -> str:
    flat = " ".join(text.split())
    return flat[len(opening) :].strip() if opening and flat.startswith(opening) else flat


def _joined(opening: str, body: str) -> str:
    if not opening:
        return body[:1].upper() + body[1:]
    body = _without(opening, body)
    if opening[-1] in ".?!":
        return f"{opening} {body[:1].upper()}{body[1:]}"
    return f"{opening} {body}"


def _repeats(text: str, earlier: list[str], desk: Desk) -> list[str]:
    if desk.embedder is None or not earlier:
        return []
    vectors: Any = desk.embedder.embed([text, *earlier])
    nearest = float((vectors[1:] @ vectors[0]).max())
    return [f"repeats an earlier turn (cosine {nearest:.2f})"] if nearest > REPEATS else []
