"""A participant's turn."""

from __future__ import annotations

from conference.domain.events import Utterance
from conference.domain.move import Move, OnTheTable
from conference.domain.persona import Persona
from conference.floor import Act, Floor
from conference.moves.chair import proposal_on_table
from conference.moves.choose import choose_move
from conference.prompts.roleplay import guidance, turn_request
from conference.seats import human
from conference.seats.desk import Desk, Tally
from conference.seats.spoken import spoken_text, turns_said
from conference.seats.wording import Worded, worded


async def speak(floor: Floor, act: Act, desk: Desk) -> Utterance:
    """The utterance of the participant whose turn it is; a pass has no text. Raises ModelError when no reply comes."""
    person = next(p for p in floor.spec.participants if p.id == act.seat)
    if human.is_human(floor, person):
        return await human.speak(floor, person, desk)
    model = desk.model(floor.spec, "participant", person)
    how = desk.moves_of(floor.spec, model)
    move = choose_move(floor, act.seat, desk.near) if how != "free" else None
    if move is not None and move.kind == "pass" and (how == "planned" or floor.agenda_item.turns == "sparse"):
        return _utterance(floor, person, move, Worded("", "", (), Tally().usage))
    if how == "planned" and move is not None:
        said = await worded(floor, person, move, desk, model)
    else:
        said = await _role_played(floor, person, move, desk)
    return _utterance(floor, person, move, said)


async def _role_played(floor: Floor, person: Persona, move: Move | None, desk: Desk) -> Worded:
    model = desk.model(floor.spec, "participant", person)
    request = turn_request(
        floor.spec, person, list(floor.briefs), turns_said(floor), guidance(move), seed=floor.seed * 100_003 + floor.turns,
        layout=desk.layout,
    )  # fmt: skip
    tally = Tally()
    reply = await tally.ask(model, request, lambda text: desk.whisper(person.name, text))
    return Worded(spoken_text(reply.text, person.name), reply.model, (), tally.usage)


def _utterance(floor: Floor, person: Persona, move: Move | None, said: Worded) -> Utterance:
    return Utterance(
        seq=0, at="", stage=floor.stage, round=floor.round, speaker=person.name, role="participant", text=said.text, move=move,
        table=_put_on_table(floor, person, move), worded_by=said.worded_by, rejected=said.rejected, usage=said.usage,
    )  # fmt: skip


def _put_on_table(floor: Floor, person: Persona, move: Move | None) -> OnTheTable | None:
    """A proposal lies on the table at once when nothing else does; else the moderator decides when."""
    if move is None or move.kind != "propose" or floor.table is not None:
        return None
    proposal = next((p for p in person.brief.proposals if p.gist == move.gist), None)
    return proposal_on_table(proposal, person.name) if proposal else None
