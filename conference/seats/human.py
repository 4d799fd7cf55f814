"""A seat that a human takes: what is asked of the human, and the event its answer becomes. No model puts words into its mouth."""

from __future__ import annotations

from conference.domain.events import Ballot, Utterance
from conference.domain.human import Asked, HumanTurn
from conference.domain.move import Move, MoveKind, OnTheTable
from conference.domain.persona import Persona
from conference.floor import Act, Floor
from conference.moves.chair import Chairing
from conference.seats.desk import Desk

GIST = 60
"""Characters of a human's condition that name it on the list of what was written into a proposal."""


def is_human(floor: Floor, person: Persona) -> bool:
    """Whether a human plays this persona."""
    return person.id in floor.spec.humans


async def speak(floor: Floor, person: Persona, desk: Desk) -> Utterance:
    """A participant's turn, once the human has taken it; without words it is a pass."""
    asked = Asked(floor.next_seq, person.id, person.name, "turn", proposal=floor.table.text if floor.table else "")
    turn = await desk.human(asked)
    text, condition, proposal = (_flat(words) for words in (turn.text, turn.condition, turn.proposal))
    said = text or proposal or (f"I could accept it if {condition}" if condition else "")
    stance = turn.stance if floor.table is not None or proposal else None
    move = Move(
        kind=_kind(bool(said), turn, condition, proposal), stance=stance, condition=condition, gist=condition[:GIST],
        note=proposal or said, about=turn.option, reason="a human's turn",
    )  # fmt: skip
    table = OnTheTable(text=proposal, base=proposal, option=turn.option, by=person.name) if proposal else None
    return Utterance(
        seq=0, at="", stage=floor.stage, round=floor.round, speaker=person.name, role="human", text=said, move=move,
        table=table if floor.table is None else None,
    )  # fmt: skip


def _kind(said: bool, turn: HumanTurn, condition: str, proposal: str) -> MoveKind:
    if not said:
        return "pass"
    if proposal:
        return "propose"
    if condition:
        return "concede"
    return "state" if turn.stance in (None, "undecided") else "support" if turn.stance == "support" else "object"


async def chair(floor: Floor, act: Act, plan: Chairing, suggestion: str, desk: Desk) -> Utterance:
    """The moderator's turn, once the human has taken it. Without words of its own the suggestion is read out."""
    assert act.kind in ("open", "frame", "close")
    table = plan.table or floor.table
    person = floor.spec.moderator
    asked = Asked(floor.next_seq, person.id, person.name, act.kind, suggestion, table.text if table else "")
    turn = await desk.human(asked)
    proposal = _flat(turn.proposal)
    changed = bool(proposal) and (table is None or proposal != table.text)
    return Utterance(
        seq=0, at="", stage=floor.stage, round=floor.round, speaker=person.name, role="human", text=_flat(turn.text) or suggestion,
        move=plan.move, table=_reworded(table, proposal, turn.option, person.name) if changed else plan.table,
    )  # fmt: skip


def _reworded(table: OnTheTable | None, proposal: str, option: str, by: str) -> OnTheTable:
    """The human's words on the table; it keeps the terms whose words still stand in it."""
    if table is None:
        return OnTheTable(text=proposal, base=proposal, option=option, by=by)
    terms = tuple(term for term in table.terms if term.condition.rstrip(".; ") in proposal)
    gone = {term.gist for term in table.terms if term not in terms}
    items = tuple(item for item in table.items if item not in gone)
    return OnTheTable(text=proposal, base=proposal, option=option or table.option, terms=terms, items=items, by=by)


async def vote(floor: Floor, person: Persona, desk: Desk) -> Ballot:
    """A human's ballot on what is on the table."""
    proposal = floor.table.text if floor.table else ""
    turn = await desk.human(Asked(floor.next_seq, person.id, person.name, "ballot", proposal=proposal))
    return Ballot(
        seq=0, at="", stage=floor.stage, round=floor.round, participant=person.name, proposal=proposal, gradient=turn.gradient,
        condition=_flat(turn.condition), model="human",
    )  # fmt: skip


def _flat(text: str) -> str:
    return " ".join(text.split())
