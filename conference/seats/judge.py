"""The judge's seat: gives the judge the stage so far and puts what it says on the log."""

from __future__ import annotations

from collections.abc import AsyncIterator

from conference.domain.chat import ChatModel
from conference.domain.events import AgreementCall, Ballot
from conference.domain.persona import Persona
from conference.domain.position import Judgement
from conference.domain.transcript import Dialogue, Turn
from conference.errors import LogError
from conference.floor import Floor
from conference.judges.hearing import Hearing
from conference.judges.registry import judge_named
from conference.seats import human
from conference.seats.counted import Counted
from conference.seats.desk import Desk
from conference.seats.spoken import turns_said


async def call(floor: Floor, desk: Desk) -> AsyncIterator[Ballot | AgreementCall]:
    """Ballots as they are cast, then the agreement call of the round."""
    if floor.spec.judge is None:
        raise LogError("no judge sits at this conference; the floor asked for one")
    counter = Counted()
    cast = {b.participant: b for b in floor.ballots}
    for person in floor.spec.participants if floor.spec.judge.kind == "ballot" else ():
        if human.is_human(floor, person) and person.name not in cast:
            cast[person.name] = await human.vote(floor, person, desk)
            yield cast[person.name]
    hearing = _hearing(floor, desk, counter, cast)
    async for found in judge_named(floor.spec.judge.kind).hear(hearing):
        if isinstance(found, Ballot):
            yield found.model_copy(update={"stage": floor.stage, "round": floor.round})
        else:
            yield AgreementCall(
                seq=0, at="", stage=floor.stage, round=floor.round, judgement=_numbered(found, floor), usage=counter.usage
            )


def _hearing(floor: Floor, desk: Desk, counter: Counted, cast: dict[str, Ballot]) -> Hearing:
    spec = floor.spec
    dialogue = Dialogue(
        id=f"{floor.stage}/{floor.round}", topic=spec.title, question=floor.agenda_item.question or spec.question,
        participants=tuple(p.name for p in spec.participants), turns=tuple(turns_heard(floor)),
        proposal=floor.table.text if floor.table else "",
    )  # fmt: skip

    def own(person: Persona) -> ChatModel:
        return desk.model(spec, "participant", person)

    return Hearing(
        dialogue=dialogue, personas=spec.participants, judge_model=lambda: counter.around(desk.model(spec, "judge")), own_model=own,
        threshold=spec.judge.threshold if spec.judge else None, cast=cast,
    )  # fmt: skip


def turns_heard(floor: Floor) -> list[Turn]:
    """What a judge hears: this round and the one before, with what the moderator said between. Older words are about older proposals."""
    return [
        Turn(speaker=u.speaker, text=u.text, round=u.round, role=u.role, seq=u.seq)
        for u in turns_said(floor)
        if u.round >= floor.round - 1
    ]


def _numbered(judgement: Judgement, floor: Floor) -> Judgement:
    """Evidence by sequence numbers of the log instead of positions in the dialogue."""
    seqs = [turn.seq or 0 for turn in turns_heard(floor)]
    evidence = tuple(item.model_copy(update={"turn": seqs[item.turn]}) for item in judgement.evidence)
    return judgement.model_copy(update={"evidence": evidence})
