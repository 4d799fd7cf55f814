"""What the moderator says was heard in a round, put together from what the turns did: nobody is given words that weren't theirs."""

from __future__ import annotations

import random
from collections.abc import Sequence

from conference.domain.events import Utterance
from conference.domain.move import Move
from conference.floor import Floor
from conference.prompts.openers import addressed

MENTIONED = 2
"""Contributions named in full; of the others it is said where they stand."""

_WAYS: dict[str, tuple[str, ...]] = {
    "state": ("{who} brought up {gist}", "from {who} we heard about {gist}", "{who} spoke of {gist}"),
    "object": ("{who} put {gist} against it", "{who} held {gist} against that", "{who} saw it differently and pointed to {gist}"),
    "support": ("{who} added {gist}", "{who} agreed and spoke of {gist}"),
    "add": ("{who} misses {gist} on the list",),
    "concede": ("{who} would come along if {condition}", "{who} named a condition, that {condition}"),
    "propose": ("{who} made a proposal, {gist}", "{who} proposed something: {gist}"),
    "ask": ("{who} had a question about {gist}", "{who} wants to know more about {gist}"),
    "answer": ("{who} answered with {gist}", "{who} replied and spoke of {gist}"),
}


def heard(floor: Floor, stands: bool = True) -> str:
    """One or two sentences on the round that just ended; empty when nothing was said in it.

    `stands`: also who said yes and who no. Not when a stage closes: there the judge's call counts.
    """
    turns = [u for u in floor.said if u.round == floor.round and u.by_participant and u.move and u.move.gist]
    dice = random.Random(f"{floor.seed}/{floor.stage}/{floor.round}/heard")
    said = ", and ".join(_telling(u, dice) for u in _most_telling(turns))
    sentences = [f"{said[:1].upper()}{said[1:]}." if said else "", _where_they_stand(floor) if stands else ""]
    return " ".join(filter(None, sentences))


def _most_telling(turns: Sequence[Utterance]) -> list[Utterance]:
    """Conditions, proposals and questions before points; then what was said first. In the order they were said."""
    weight = {"concede": 0, "propose": 0, "ask": 1}
    chosen = sorted(turns, key=lambda u: (weight.get(u.move.kind if u.move else "", 2), u.seq))[:MENTIONED]
    return sorted(chosen, key=lambda u: u.seq)


def _telling(turn: Utterance, dice: random.Random) -> str:
    move = turn.move or Move(kind="pass")
    ways = _WAYS["add" if move.adds_to_list else move.kind]
    return dice.choice(ways).format(who=addressed(turn.speaker), gist=move.gist, condition=move.condition or move.gist)


def _where_they_stand(floor: Floor) -> str:
    """Who accepts what is on the table and who doesn't, as they said it in this round; empty when nobody said."""
    last: dict[str, str] = {
        u.speaker: u.move.stance for u in floor.said if u.round == floor.round and u.move and u.move.stance and u.by_participant
    }
    if floor.table is None or not last:
        return ""
    for_it, against = _names(last, "support"), _names(last, "oppose")
    if not for_it:
        return f"I heard no yes yet; {against} said no." if against else "I heard no yes yet."
    if not against:
        return f"I heard a yes from {for_it}."
    return f"I heard a yes from {for_it}, and a no from {against}."


def _names(stances: dict[str, str], stance: str) -> str:
    return enumerated([addressed(name) for name, held in stances.items() if held == stance])


def enumerated(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`; empty for none."""
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))
