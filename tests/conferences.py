"""Small conferences for tests: a table, a way to hold it without a clock, a judge that reads moves, and logs made comparable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from conference.domain.chat import ChatModel, OnText, Reply, Request, Usage
from conference.domain.events import AgreementCall, ConferenceOpened, Event, StageOpened, Utterance
from conference.domain.log import MemoryLog
from conference.domain.move import Move, OnTheTable
from conference.domain.persona import Persona
from conference.domain.position import Judgement, Stance
from conference.domain.spec import Condition, Spec, Stage
from conference.floor import Floor, advance, next_act, start
from conference.library import CONFERENCES, ids_in, load_spec
from conference.models.scripted import ScriptedModel
from conference.moves.stand import voiced_stances
from conference.seats.acting import perform
from conference.seats.desk import Desk
from conference.session import Session

SHIPPED = ids_in(CONFERENCES)
NAMES = ("Ada Voss", "Ben Ito", "Cleo Marsh", "Dan Okoye", "Eva Lund", "Finn Ray", "Gus Pell", "Hana Sato")


def shipped(name: str) -> Spec:
    """A conference that comes with Plenary."""
    return load_spec(CONFERENCES / f"{name}.yaml")


def person(number: int, **more: Any) -> Persona:
    """A participant without a brief."""
    return Persona(**{"id": f"p{number}", "name": NAMES[number], "role": "expert", **more})


def small_spec(people: int = 3, **more: Any) -> Spec:
    """People without briefs, one stage of at most two rounds, a ballot judge, no evaluator, models that are scripted."""
    given: dict[str, Any] = {
        "title": "Ferry", "question": "Which timetable?", "moderator": Persona(id="mo", name="Mo Chair", role="moderator"),
        "participants": tuple(person(n) for n in range(people)), "agenda": (Stage(name="Talk", max_rounds=2),),
        "judge": "ballot", "models": "scripted",
    }  # fmt: skip
    return Spec(**{**given, **more})


def opened(spec: Spec, condition: Condition = "with_judge", seed: int | None = None) -> ConferenceOpened:
    """The first event."""
    return ConferenceOpened(seq=0, at="", spec=spec, condition=condition, seed=spec.seed if seed is None else seed)


def desk_of(model: ChatModel | None = None) -> Desk:
    """A desk where one model plays everybody, without wrappers."""
    found = model or ScriptedModel()
    return Desk(lambda role, speaker, name, on_fault: found)


def session_of(spec: Spec, model: ChatModel | None = None, condition: Condition = "with_judge", **more: Any) -> Session:
    """A session whose log is in memory and whose clock stands still."""
    return Session(MemoryLog([opened(spec, condition)]), desk_of(model), clock=lambda: "", **more)


def again(session: Session, model: ChatModel | None = None) -> Session:
    """Another session over the same log, as after a restart."""
    return Session(MemoryLog(session.log.events()), desk_of(model), clock=lambda: "")


class Says:
    """A model that says what it is told, in order; keeps every request; fails loudly when nothing is left."""

    name, small, gives_probabilities = "says", False, False

    def __init__(self, *answers: str | Exception, otherwise: Callable[[Request], str] | None = None, **more: Any) -> None:
        self.answers, self.otherwise, self.requests = list(answers), otherwise, list[Request]()
        self.__dict__.update(more)

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.requests.append(request)
        if not self.answers and self.otherwise is None:
            raise AssertionError(f"the script has run out at: {request.messages[-1].content[-200:]}")
        answer = self.answers.pop(0) if self.answers else self.otherwise(request)  # type: ignore[misc]
        if isinstance(answer, Exception):
            raise answer
        return Reply(text=answer, model=self.name, usage=Usage(prompt_tokens=10, completion_tokens=2))


def reads_moves(floor: Floor) -> AgreementCall:
    """A stand-in for a judge: agreement when everybody's last stance of the stage is support."""
    positions: dict[str, Stance] = {n: u.move.stance for n, u in voiced_stances(floor).items() if u.move and u.move.stance}
    agreed = all(positions.get(p.name) == "support" for p in floor.spec.participants)
    judgement = Judgement(verdict="agreement" if agreed else "continue", positions=positions, judge="moves")
    return AgreementCall(seq=0, at="", stage=floor.stage, round=floor.round, judgement=judgement)


def played(spec: Spec, seed: int = 1) -> list[Event]:
    """The log of a conference worded by the scripted model and judged by `reads_moves`; nothing is scored."""
    return asyncio.run(_played(spec.model_copy(update={"seed": seed, "evaluator": None})))


async def _played(spec: Spec) -> list[Event]:
    events: list[Event] = [opened(spec)]
    floor, desk = start(opened(spec)), desk_of()
    while (act := next_act(floor)) is not None:
        made = [reads_moves(floor)] if act.kind == "judge" else [event async for event in perform(floor, act, desk)]
        for event in made:
            events.append(event.model_copy(update={"seq": floor.next_seq}))
            floor = advance(floor, events[-1])
    return events


def floor_of(spec: Spec, *said: Utterance, table: OnTheTable | None = None, stage: int = 0, seed: int = 1) -> Floor:
    """The floor of a stage that was opened, with these utterances said; their numbers are given here."""
    floor = start(opened(spec, seed=seed))
    floor = advance(floor, StageOpened(seq=1, at="", stage=stage, name=spec.agenda[stage].name))
    floor = advance(floor, chair(spec, "open", seq=2, table=table))
    for event in said:
        number = floor.round + (1 if event.role == "moderator" and event.move and event.move.kind == "frame" else 0)
        floor = advance(floor, event.model_copy(update={"seq": floor.next_seq, "stage": stage, "round": number}))
    return floor


def chair(spec: Spec, kind: Any = "frame", seq: int = 0, table: OnTheTable | None = None) -> Utterance:
    """A turn of the moderator."""
    return Utterance(
        seq=seq, at="", stage=0, round=0, speaker=spec.moderator.name, role="moderator", text=f"({kind})", table=table,
        move=Move(kind=kind),
    )  # fmt: skip


def says(speaker: str, kind: Any = "state", text: str = "", **move: Any) -> Utterance:
    """A turn of a participant."""
    return Utterance(
        seq=0, at="", stage=0, round=0, speaker=speaker, role="participant", text=text or f"{speaker} {kind}s.",
        move=Move(kind=kind, **move),
    )  # fmt: skip


def comparable(events: Iterable[Event], *, without: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Events as plain values without times. `without` leaves kinds out, and numbers the rest and what refers to them anew."""
    kept = [event for event in events if event.kind not in without]
    new = {event.seq: number for number, event in enumerate(kept)}
    return [_plain(event, new) for event in kept]


def _plain(event: Event, new: dict[int, int]) -> dict[str, Any]:
    value = event.model_dump(mode="json", exclude={"at": True, "usage": {"seconds", "decode_seconds"}})
    value["seq"] = new[event.seq]
    if isinstance(event, Utterance) and event.move is not None and event.move.answers is not None:
        value["move"]["answers"] = new[event.move.answers]
    if isinstance(event, AgreementCall):
        for item in value["judgement"]["evidence"]:
            item["turn"] = new[item["turn"]]
    return value
