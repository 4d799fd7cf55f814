"""The moderator's turns: opening, framing, summing up. What must be said word for word comes from the floor, not from a model."""

from __future__ import annotations

import random

from conference.domain.chat import Usage
from conference.domain.events import Utterance
from conference.floor import Act, Floor
from conference.moves.chair import Chairing, closing, framing, opening
from conference.prompts.roleplay import guidance, turn_request
from conference.seats import human
from conference.seats.desk import Desk, Tally
from conference.seats.spoken import spoken_text, turns_said
from conference.seats.wording import Worded

PURPOSE = {"open": "frame", "frame": "frame", "close": "summary"}
_FIRST = "Good, let us begin."
_LEADS = {
    "open": ("Let us turn to the next item.", "On to the next part of our agenda.", "Then let us move on."),
    "frame": ("Thank you.", "Let me stop you there.", "Thank you all.", "Let me say what I heard.", "Good, that was plain."),
    "close": ("Let me close this part.", "Time to sum up.", "Let us hold that."),
}


async def chair(floor: Floor, act: Act, desk: Desk) -> Utterance:
    """The moderator's utterance for `open`, `frame` or `close`."""
    plan = {"open": opening, "frame": framing, "close": closing}[act.kind](floor)
    person = floor.spec.moderator
    if human.is_human(floor, person):
        return await human.chair(floor, act, plan, _planned(floor, plan).text, desk)
    model = desk.model(floor.spec, "moderator", person)
    if desk.moves_of(floor.spec, model) == "planned":
        said = _planned(floor, plan)
    else:
        said = await _role_played(floor, plan, desk)
    return Utterance(
        seq=0, at="", stage=floor.stage, round=floor.round, speaker=person.name, role="moderator", text=said.text, move=plan.move,
        table=plan.table, worded_by=said.worded_by, rejected=said.rejected, usage=said.usage,
    )  # fmt: skip


def _planned(floor: Floor, plan: Chairing) -> Worded:
    """For a small model, no model at all: it gives people words that weren't theirs. A phrase, what was heard, what has to be said."""
    kind = plan.move.kind
    opens = kind == "open"
    own = [u.text for u in floor.said if u.chairs]
    fresh = [lead for lead in _LEADS[kind] if not any(text.startswith(lead) for text in own)]
    lead = random.Random(f"{floor.seed}/{floor.stage}/{floor.round}/{kind}").choice(fresh or _LEADS[kind])
    parts = [_FIRST if opens and not floor.stage else lead, "" if opens else plan.move.note, plan.said]
    return Worded(" ".join(filter(None, parts)), "brief", (), Usage())


async def _role_played(floor: Floor, plan: Chairing, desk: Desk) -> Worded:
    person = floor.spec.moderator
    kind = plan.move.kind
    task = guidance(plan.move, plan.said)
    request = turn_request(
        floor.spec, person, list(floor.briefs), turns_said(floor), task, seed=floor.seed * 100_003 + floor.turns,
        purpose=PURPOSE[kind], layout=desk.layout,
    )  # fmt: skip
    tally = Tally()
    model = desk.model(floor.spec, "moderator", person)
    reply = await tally.ask(model, request, lambda text: desk.whisper(person.name, text))
    text = spoken_text(reply.text, person.name)
    if plan.said in text:
        return Worded(text, reply.model, (), tally.usage)
    return Worded(f"{text if text[-1] in '.!?…' else text + '.'} {plan.said}", reply.model, (), tally.usage)
