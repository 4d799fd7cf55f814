"""A participant's next move: kind, addressee and the note of its brief it makes."""

from __future__ import annotations

import random
from collections.abc import Sequence

from conference.domain.events import Utterance
from conference.domain.move import Move, OnTheTable, onto_the_list
from conference.domain.persona import Concession, Note, Proposal
from conference.domain.position import Stance
from conference.floor import Floor
from conference.moves.affinity import Affinity, shared_words
from conference.moves.seat import Seat, nearest
from conference.moves.stand import Stand, at_odds, pending_question, person_named, stand_on, turns_of_others, voiced_conditions


def choose_move(floor: Floor, participant: str, near: Affinity = shared_words) -> Move:
    """The move of the participant with this id. The same floor and seed give the same move."""
    me = next(person for person in floor.spec.participants if person.id == participant)
    seat = Seat(floor, me, near, random.Random(f"{floor.seed}/{floor.stage}/{floor.round}/{participant}/move"))
    question = pending_question(floor, me.name)
    if question is not None and (answer := _answer(seat, question)) is not None:
        return answer
    table = floor.table
    if floor.agenda_item.settles == "concerns":
        return _on_concerns(seat, table) if table is not None else _discuss(seat)
    return _on_proposal(seat, table) if table is not None else _before_proposal(seat)


def _answer(seat: Seat, question: Utterance) -> Move | None:
    note = nearest(seat, seat.points(), question.text)
    if note is None:
        return None
    stance: Stance | None = "support" if _would_accept(seat) else None
    return Move(
        kind="answer", stance=stance, to=question.speaker, about=_about(question), answers=question.seq, gist=note.gist, note=note.text,
        reason="a question is put to it",
    )  # fmt: skip


def _would_accept(seat: Seat) -> bool:
    """Whether it accepts what is on the table, so that it can say so beside its answer."""
    table = seat.floor.table
    if table is None:
        return False
    if seat.floor.agenda_item.settles == "concerns":
        return bool(set(_raised(seat)) & set(table.items))
    return stand_on(seat.me, table).ground in ("favours", "met")


def _raised(seat: Seat) -> list[str]:
    """Gists of what it raised in this stage."""
    return [u.move.gist for u in seat.floor.said if u.speaker == seat.me.name and u.move and u.move.kind != "ask"]


def _discuss(seat: Seat) -> Move:
    """Nothing on the table: make a point, for its own sake or in answer to somebody."""
    others = turns_of_others(seat.floor, seat.me.name)
    roll = seat.dice.random()
    if others and roll < 0.16 and (ask := _ask(seat)) is not None:
        return ask
    if others and roll < 0.75:
        reply = _reply(seat, others, seat.points())
        if reply is not None:
            return reply
    return _state(seat, seat.points()) or _pass(seat)


def _reply(seat: Seat, others: Sequence[Utterance], notes: Sequence[Note]) -> Move | None:
    """The pair of an earlier turn and an own note that are nearest; spread over the table."""
    best: tuple[float, Utterance, Note] | None = None
    for turn in others:
        penalty = 0.12 * _times_addressed(seat.floor, turn) + (0.2 if _spoke_to(seat, turn.speaker) else 0.0)
        for note in notes:
            score = seat.near(note.text, turn.text) - penalty + 0.05 * seat.dice.random()
            if best is None or score > best[0]:
                best = (score, turn, note)
    if best is None:
        return None
    _, turn, note = best
    other = person_named(seat.floor, turn.speaker)
    against = other is not None and at_odds(seat.me, other)
    return Move(
        kind="object" if against else "support", to=turn.speaker, about=_about(turn), answers=turn.seq,
        gist=note.gist, note=note.text,
        reason=f"nearest to what {turn.speaker} said; they {'are at odds' if against else 'lean the same way'}",
    )  # fmt: skip


def _times_addressed(floor: Floor, turn: Utterance) -> int:
    return sum(1 for u in floor.said if u.move and u.move.answers == turn.seq)


def _spoke_to(seat: Seat, name: str) -> bool:
    return any(u.speaker == seat.me.name and u.move and u.move.to == name for u in seat.floor.said)


def _ask(seat: Seat) -> Move | None:
    """A question to whoever spoke nearest to it, once a stage."""
    asked = any(u.speaker == seat.me.name and u.move and u.move.kind == "ask" for u in seat.floor.said)
    others = turns_of_others(seat.floor, seat.me.name)
    questions = seat.unused(seat.me.brief.questions)
    if asked or not others or not questions or seat.floor.round >= seat.floor.last_round:
        return None
    _, turn, note = max(
        ((seat.near(q.text, u.text), u, q) for u in others for q in questions),
        key=lambda item: (item[0], -item[1].seq, item[2].gist),
    )
    return Move(
        kind="ask", to=turn.speaker, about=_about(turn), gist=note.gist, note=note.text, reason="wants to know before it moves"
    )


def _state(seat: Seat, notes: Sequence[Note]) -> Move | None:
    if not notes:
        return None
    note = notes[seat.dice.randrange(min(3, len(notes)))]
    return Move(kind="state", gist=note.gist, note=note.text, reason="a point not made yet")


def _pass(seat: Seat) -> Move:
    return Move(kind="pass", reason="nothing new to say")


def _before_proposal(seat: Seat) -> Move:
    """A proposal is due: whoever favours something and has heard somebody puts one forward."""
    spoken = [u for u in seat.floor.said if u.by_participant]
    if spoken and (proposal := _propose(seat, "nothing is on the table yet")) is not None:
        return proposal
    return _discuss(seat)


def _propose(seat: Seat, reason: str) -> Move | None:
    """A proposal of its own. Beside another one it says no to that; on an empty table it says yes to itself."""
    table = seat.floor.table
    for note in seat.unused(seat.me.brief.proposals):
        if isinstance(note, Proposal) and (table is None or note.option != table.option):
            stance: Stance = "support" if table is None else "oppose"
            return Move(kind="propose", gist=note.gist, note=note.text, stance=stance, reason=reason)
    return None


def _on_concerns(seat: Seat, table: OnTheTable) -> Move:
    """A list is on the table: accept it, or ask for what is missing."""
    mine = _raised(seat)
    if mine and not set(mine) & set(table.items):
        note = nearest(seat, seat.points(), " ".join(mine))
        if note is not None:
            return Move(
                kind="concede", to=seat.other(table.by), gist=note.gist, note=note.text, stance="undecided",
                condition=onto_the_list(note.gist), reason="nothing it raised is on the list",
            )  # fmt: skip
    others = turns_of_others(seat.floor, seat.me.name)
    roll = seat.dice.random()
    if roll < 0.2 and (ask := _ask(seat)) is not None:
        return ask
    reply = _reply(seat, others, seat.points())
    if reply is None:
        reason = "its concern is on the list"
        return Move(kind="support", to=seat.other(table.by), about="the list", stance="support", reason=reason)
    return reply.model_copy(
        update={"kind": "support", "stance": "support", "reason": "its concern is on the list; " + reply.reason}
    )


def _on_proposal(seat: Seat, table: OnTheTable) -> Move:
    stand = stand_on(seat.me, table)
    if table.by == seat.me.name and stand.ground not in ("red_line", "conditional"):
        return _defend(seat, table)
    match stand.ground:
        case "red_line":
            return _refuse(seat, table, stand)
        case "conditional":
            return _conditional(seat, table, stand)
        case "met" | "favours":
            return _accept(seat, table, stand)
        case "rejects":
            return _reject(seat, table)
        case "open":
            return _open_minded(seat, table, stand)


def _refuse(seat: Seat, table: OnTheTable, stand: Stand) -> Move:
    """Says its red line once; after that it argues against the option."""
    line = stand.red_line
    if line is None or (seat.me.name, line.gist) in seat.floor.used:
        return _reject(seat, table)
    return Move(
        kind="object", to=seat.other(table.by), about=line.gist, gist=line.gist, note=line.text, stance="oppose",
        reason=f"red line: {line.gist}",
    )  # fmt: skip


def _defend(seat: Seat, table: OnTheTable) -> Move:
    """The proposer answers the objection nearest to a point it still has."""
    against = [u for u in turns_of_others(seat.floor, seat.me.name) if u.move and u.move.stance == "oppose"]
    reply = _reply(seat, against, seat.points(speaks_for=table.option)) if against else None
    if reply is not None:
        return reply.model_copy(update={"kind": "object", "stance": "support", "reason": "defends its own proposal"})
    return _accept(seat, table, Stand("favours"))


def _accept(seat: Seat, table: OnTheTable, stand: Stand) -> Move:
    note = nearest(seat, seat.points(speaks_for=table.option), table.text)
    about, condition = (stand.met[-1].gist, stand.met[-1].condition) if stand.met else ("", "")
    reason = f"its condition is in it: {about}" if about else "favours the option"
    to = seat.other(table.by)
    if note is None:
        return Move(kind="support", to=to, about=about, condition=condition, stance="support", reason=reason)
    return Move(
        kind="support", to=to, about=about, condition=condition, gist=note.gist, note=note.text, stance="support", reason=reason
    )


def _conditional(seat: Seat, table: OnTheTable, stand: Stand) -> Move:
    """Opposition first, where the option is rejected and the talk is young; then the conditions, one a turn; then insisting.

    A condition named in an earlier stage is insisted on, not told again; insisted on, it counts as named in this stage.
    """
    young = seat.floor.stage + 1 < len(seat.floor.spec.agenda) and not any(
        u.speaker == seat.me.name and u.move and u.move.stance for u in seat.floor.said
    )
    if young and table.option in seat.me.rejects:
        return _reject(seat, table)
    voiced = voiced_conditions(seat.floor)
    fresh = [c for c in stand.unmet if c.gist not in voiced]
    untold = seat.unused(fresh)
    if untold and isinstance(give := untold[0], Concession):
        return Move(
            kind="concede", to=seat.other(table.by), gist=give.gist, note=give.text, stance="undecided", condition=give.condition,
            reason="gives way on a condition",
        )  # fmt: skip
    insist = (fresh or stand.unmet)[0]
    note = nearest(seat, seat.points(speaks_against=table.option), insist.condition)
    return Move(
        kind="object", to=seat.other(table.by), about=insist.gist, stance="oppose", condition=insist.condition,
        gist=note.gist if note else "", note=note.text if note else "",
        reason=f"its condition isn't in it: {insist.gist}",
    )  # fmt: skip


def _reject(seat: Seat, table: OnTheTable) -> Move:
    rival = seat.floor.round > 1 and seat.floor.round < seat.floor.last_round and seat.dice.random() < 0.5
    if rival and (proposal := _propose(seat, "puts something else beside it")) is not None:
        return proposal
    note = nearest(seat, seat.points(speaks_against=table.option), table.text)
    if note is None:
        reason = "rejects the option; has said why"
        return Move(kind="object", to=seat.other(table.by), about=table.option, stance="oppose", reason=reason)
    return Move(
        kind="object", to=seat.other(table.by), about=table.option, gist=note.gist, note=note.text, stance="oppose",
        reason="rejects the option",
    )  # fmt: skip


def _open_minded(seat: Seat, table: OnTheTable, stand: Stand) -> Move:
    """Neither for nor against by its brief: asks first, then goes along."""
    asked = any(u.speaker == seat.me.name and u.move and u.move.kind == "ask" for u in seat.floor.said)
    if not asked and (ask := _ask(seat)) is not None:
        return ask
    return _accept(seat, table, stand)


def _about(turn: Utterance) -> str:
    return turn.move.gist or turn.move.about if turn.move else ""
