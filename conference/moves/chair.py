"""The moderator's moves: what goes on the table, what is still open, how a stage is summed up."""

from __future__ import annotations

from dataclasses import dataclass

from conference.domain.events import Utterance
from conference.domain.move import Move, OnTheTable, Term
from conference.domain.persona import Proposal
from conference.domain.position import Stance
from conference.floor import Floor, closes_because
from conference.moves.heard import enumerated, heard
from conference.moves.stand import person_named, voiced_conditions, voiced_stances

TAKEN_IN_AT_ONCE = 2
"""Conditions a moderator takes into a proposal between two rounds; all of them before the last round."""
LISTED_AT_ONCE = 3
"""Concerns on the first list; all of them from the second on."""


@dataclass(frozen=True, slots=True)
class Chairing:
    """A moderator's turn: its move, what it puts on the table, the words that must be said as they stand."""

    move: Move
    said: str
    table: OnTheTable | None = None


def opening(floor: Floor) -> Chairing:
    """Opens the stage: its question, and the proposal carried over from the stage before."""
    item = floor.agenda_item
    question = item.question or item.purpose or floor.spec.question
    table = best_heard(floor) if item.settles == "proposal" else None
    note = item.purpose or item.name
    words = question if floor.stage else f"The question for today: {floor.spec.question} {question}"
    if table is not None:
        words = f"{reading(table)} {question}"
    return Chairing(Move(kind="open", note=note, reason="the stage begins"), words, table)


def framing(floor: Floor) -> Chairing:
    """Frames the next round from what is still open."""
    table = _listed(floor) if floor.agenda_item.settles == "concerns" else _amended(floor)
    words = _ask_for_more(floor) if table is None else f"{reading(table)} {_who_is_open(floor, table)}"
    return Chairing(Move(kind="frame", note=heard(floor), reason="the round is over and something is open"), words.strip(), table)


def closing(floor: Floor) -> Chairing:
    """Sums the stage up: what was agreed, in which words; or what stays open, and for whom."""
    because = closes_because(floor)
    agreed = agreed_text(floor)
    if because == "agreement":
        words = f"We have agreed: {agreed}" if agreed else "We have an agreement, as the last speakers put it."
    else:
        points = open_points(floor)
        words = "We have no agreement on this." + (f" Still open: {'; '.join(points)}." if points else "")
    return Chairing(Move(kind="close", note=heard(floor, stands=False), reason=f"the stage closes: {because}"), words)


def agreed_text(floor: Floor) -> str:
    """The words that were agreed: what is on the table, or the proposal as the judge stated it."""
    if floor.table is not None:
        return floor.table.text
    return floor.call.proposal if floor.call else ""


def open_points(floor: Floor) -> tuple[str, ...]:
    """Who doesn't accept what is on the table, and on what ground, in a few words each."""
    found = []
    for name, turn in voiced_stances(floor).items():
        assert turn.move is not None
        if turn.move.stance == "undecided" and not (floor.table and turn.move.gist in floor.table.items):
            found.append(f"{name} asks that {turn.move.condition}" if turn.move.condition else f"{name} is undecided")
        elif turn.move.stance == "oppose":
            found.append(f"{name} is against" + (f" ({turn.move.about})" if turn.move.about else ""))
    return tuple(found)


def reading(table: OnTheTable) -> str:
    """What is on the table, as it is read out."""
    return f"On the table is: {table.text}"


def proposal_on_table(proposal: Proposal, by: str) -> OnTheTable:
    """A brief's proposal, put on the table."""
    return OnTheTable(text=proposal.text, base=proposal.text, option=proposal.option, items=proposal.meets, by=by)


def best_heard(floor: Floor) -> OnTheTable | None:
    """Of the proposals heard so far the one fewest oppose; then the one most support; then the latest. None when there was none.

    Each participant counts with the last thing it said of a proposal; amended versions are one proposal.
    """
    latest: dict[str, OnTheTable] = {}
    stances: dict[str, dict[str, Stance]] = {}
    for voiced in floor.heard:
        if voiced.table.option:
            latest.pop(voiced.table.base, None)
            latest[voiced.table.base] = voiced.table
            stances.setdefault(voiced.table.base, {})[voiced.speaker] = voiced.stance

    def rank(base: str) -> tuple[int, int]:
        said = list(stances[base].values())
        return (-said.count("oppose"), said.count("support"))

    return latest[max(reversed(latest), key=rank)] if latest else None


def _listed(floor: Floor) -> OnTheTable | None:
    """The list of concerns: the first three, then everything that was raised and asked for."""
    raised = [
        u.move.gist
        for u in floor.said
        if u.by_participant and u.move and u.move.gist and u.move.kind in ("state", "object", "support", "answer")
    ]
    if floor.table is None:
        items = raised[:LISTED_AT_ONCE]
    else:
        asked = [gist for gist, (_, condition) in voiced_conditions(floor).items() if condition]
        items = [*floor.table.items, *asked]
    items = list(dict.fromkeys(items))[:9]
    if not items:
        return floor.table
    text = f"that we judge the options first of all on {enumerated(items)}."
    return OnTheTable(text=text, items=tuple(items), by=floor.spec.moderator.name)


def _amended(floor: Floor) -> OnTheTable | None:
    """A rival that was proposed against what found no favour; else the proposal with the conditions that nobody refuses."""
    table, rival = floor.table, _rival(floor)
    if table is None or (rival is not None and (floor.stage + 1 < len(floor.spec.agenda) or _against(floor) > 1)):
        return rival or table
    refused = {u.move.about for u in floor.said if u.move and u.move.reason.startswith("red line")}
    wanted = [
        Term(gist=g, condition=c) for g, (_, c) in voiced_conditions(floor).items() if g not in table.items and g not in refused
    ]
    if floor.round < floor.last_round - 1:
        wanted = wanted[:TAKEN_IN_AT_ONCE]
    kept = [term for term in table.terms if term.gist not in refused]
    return table.with_terms((*kept, *wanted))


def _against(floor: Floor) -> int:
    return sum(1 for u in voiced_stances(floor).values() if u.move and u.move.stance == "oppose")


def _proposals_made(floor: Floor) -> list[tuple[Utterance, OnTheTable]]:
    found = []
    for u in floor.said:
        person = person_named(floor, u.speaker)
        if u.move is None or u.move.kind != "propose" or person is None:
            continue
        if u.role == "human":
            found.append((u, OnTheTable(text=u.move.note, base=u.move.note, option=u.move.about, by=u.speaker)))
        proposal = next((p for p in person.brief.proposals if p.gist == u.move.gist), None)
        if proposal is not None:
            found.append((u, proposal_on_table(proposal, u.speaker)))
    return found


def _rival(floor: Floor) -> OnTheTable | None:
    """A rival proposal made in the round that just ended, while another was on the table."""
    made = [table for u, table in _proposals_made(floor) if u.round == floor.round and u.table is None]
    return made[-1] if made else None


def _who_is_open(floor: Floor, table: OnTheTable) -> str:
    if floor.agenda_item.settles == "concerns":
        return "Is anything missing, or can we all work with this list?"
    stances = voiced_stances(floor)
    against = [n for n, u in stances.items() if u.move and u.move.stance == "oppose" and n != table.by]
    if against:
        return f"{against[0]}, what would have to change for you? And who can accept it as it stands?"
    return "Who can accept it as it stands, and who can't?"


def _ask_for_more(floor: Floor) -> str:
    if floor.agenda_item.settles == "concerns":
        return "What else must we take into account?"
    return "Nothing is on the table yet. Who makes a proposal that others here could accept?"
