"""The floor: who has said what in this stage, and what has to happen next. Pure.

`fold` turns the log into a `Floor`; `next_act` says what comes next and `next_speaker` whose turn that is. Order in a round:
the moderator opens (or frames the round), participants speak once each, the judge calls; on agreement or after the last round
the evaluator scores the stage, the moderator sums up and closes it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from conference.domain.events import (
    AgreementCall,
    Ballot,
    Because,
    ConferenceClosed,
    ConferenceOpened,
    Event,
    Fault,
    Intervention,
    Paused,
    QualityScored,
    Resumed,
    StageClosed,
    StageOpened,
    StageOutcome,
    Utterance,
)
from conference.domain.move import Heard, Move, OnTheTable
from conference.domain.position import Judgement
from conference.domain.spec import Condition, Spec, Stage
from conference.errors import LogError

MODERATOR = "moderator"
JUDGE = "judge"
EVALUATOR = "evaluator"

ActKind = Literal["open_stage", "open", "turn", "judge", "score", "frame", "close", "close_stage", "close_conference"]
SPOKEN: frozenset[ActKind] = frozenset({"open", "turn", "frame", "close"})


@dataclass(frozen=True, slots=True)
class Act:
    """What has to happen next. `seat` is `moderator`, `judge`, `evaluator` or a participant's id."""

    kind: ActKind
    seat: str


@dataclass(frozen=True, slots=True)
class Floor:
    """Where a conference stands. Everything is derived from the log."""

    spec: Spec
    condition: Condition
    seed: int
    next_seq: int = 1
    stage: int = -1
    """0-based number of the stage that is open or was last open; −1 before the first."""
    stage_open: bool = False
    round: int = 0
    """1-based; 0 until the stage's opening was said."""
    order: tuple[str, ...] = ()
    """Ids of the participants, in this round's speaking order."""
    spoke: tuple[str, ...] = ()
    """Ids of those who have spoken (or passed) in this round."""
    said: tuple[Utterance, ...] = ()
    """This stage's utterances, with what a human said in between."""
    turns: int = 0
    """Utterances so far, over all stages. Seeds are drawn from it, not from `next_seq`: a pause must change no turn."""
    ballots: tuple[Ballot, ...] = ()
    """This round's ballots."""
    call: Judgement | None = None
    """This round's call, once it is made."""
    extra_rounds: int = 0
    asked_to_close: bool = False
    asked_to_stop: bool = False
    """The conference ends with the stage that is open."""
    asked: tuple[str, ...] = ()
    """Ids of participants a human put a question to, who answer before anything else is done."""
    scored: bool = False
    summary: Utterance | None = None
    table: OnTheTable | None = None
    """What the participants are asked to agree on."""
    heard: tuple[Heard, ...] = ()
    """What each participant said of each proposal, over all stages, oldest first."""
    outcomes: tuple[StageOutcome, ...] = ()
    briefs: tuple[str, ...] = ()
    """One summary for each closed stage."""
    used: frozenset[tuple[str, str]] = frozenset()
    """(participant name, gist) of every note made."""
    faults_in_a_row: int = 0
    paused: Paused | None = None
    closed: bool = False

    @property
    def agenda_item(self) -> Stage:
        """The stage that is open or was last open."""
        return self.spec.agenda[self.stage]

    @property
    def last_round(self) -> int:
        """The most rounds this stage may take, extensions included."""
        return self.spec.rounds_allowed(self.condition, self.stage) + self.extra_rounds

    @property
    def judged(self) -> bool:
        """Whether a judge sits at this conference."""
        return self.spec.judge is not None and self.condition == "with_judge"


def start(opened: ConferenceOpened) -> Floor:
    """The floor before anything happened."""
    return Floor(spec=opened.spec, condition=opened.condition, seed=opened.seed, next_seq=opened.seq + 1)


def fold(events: Iterable[Event], floor: Floor | None = None) -> Floor:
    """The floor after these events. Raises LogError when they don't begin with `conference_opened` or skip a number."""
    for event in events:
        floor = advance(floor, event)
    if floor is None:
        raise LogError("the log is empty; a conference begins with conference_opened")
    return floor


def advance(floor: Floor | None, event: Event) -> Floor:
    """The floor after one more event."""
    if floor is None:
        if not isinstance(event, ConferenceOpened):
            raise LogError(f"the log begins with {event.kind}, not conference_opened; is the file cut?")
        return start(event)
    if event.seq != floor.next_seq:
        raise LogError(f"event {event.seq} ({event.kind}) came where {floor.next_seq} was due; the log has a gap or a double")
    return replace(_after(floor, event), next_seq=event.seq + 1)


def _after(floor: Floor, event: Event) -> Floor:  # noqa: C901 - one branch a kind of event
    match event:
        case Utterance():
            return _after_utterance(floor, event)
        case AgreementCall():
            return replace(floor, call=event.judgement, faults_in_a_row=0)
        case Ballot():
            return replace(floor, ballots=(*floor.ballots, event))
        case StageOpened():
            return replace(
                floor, stage=event.stage, stage_open=True, round=0, order=(), spoke=(), ballots=(), call=None,
                said=tuple(u for u in floor.said if u.stage == event.stage), extra_rounds=0, asked_to_close=False,
                scored=False, summary=None, table=_carried(floor, event.stage),
            )  # fmt: skip
        case StageClosed():
            outcome = StageOutcome(stage=floor.agenda_item.name, because=event.because, rounds=event.rounds, agreed=event.agreed)
            return replace(floor, stage_open=False, outcomes=(*floor.outcomes, outcome), briefs=(*floor.briefs, event.summary))
        case QualityScored():
            return replace(floor, scored=True, faults_in_a_row=0)
        case Intervention():
            return _after_intervention(floor, event)
        case Fault():
            return replace(floor, faults_in_a_row=0 if event.recovered else floor.faults_in_a_row + 1)
        case Paused():
            return replace(floor, paused=event)
        case Resumed():
            return replace(floor, paused=None, faults_in_a_row=0)
        case ConferenceClosed():
            return replace(floor, closed=True)
        case ConferenceOpened():
            raise LogError(f"a second conference_opened at {event.seq}; one log holds one conference")
        case _:
            assert_never(event)


def _carried(floor: Floor, stage: int) -> OnTheTable | None:
    """A proposal stays on the table from stage to stage; a list of concerns is done with when its stage is."""
    if floor.stage < 0 or floor.spec.agenda[floor.stage].settles != floor.spec.agenda[stage].settles:
        return None
    return floor.table


def _after_utterance(floor: Floor, event: Utterance) -> Floor:
    kind = event.move.kind if event.move else "state"
    floor = replace(
        floor, said=(*floor.said, event), turns=floor.turns + 1, table=event.table or floor.table, faults_in_a_row=0
    )  # fmt: skip
    if event.move is not None and event.move.stance is not None and floor.table is not None:
        floor = replace(floor, heard=(*floor.heard, Heard(floor.table, event.speaker, event.move.stance)))
    if event.move is not None and event.move.gist:
        floor = replace(floor, used=floor.used | {(event.speaker, event.move.gist)})
    if not event.chairs:
        speaker = id_of(floor.spec, event.speaker)
        spoke = floor.spoke if speaker in floor.spoke else (*floor.spoke, speaker)
        return replace(floor, spoke=spoke, asked=tuple(each for each in floor.asked if each != speaker))
    if kind == "close":
        return replace(floor, summary=event)
    number = floor.round + 1
    return replace(floor, round=number, order=speaking_order(floor, number), spoke=(), ballots=(), call=None, scored=False)


def _after_intervention(floor: Floor, event: Intervention) -> Floor:
    """A stage that is summed up is over: nothing closes or extends it any more."""
    over = floor.summary is not None or not floor.stage_open
    match event.action:
        case "close_stage":
            return floor if over else replace(floor, asked_to_close=True, asked=())
        case "extend_stage":
            return floor if over else replace(floor, extra_rounds=floor.extra_rounds + 1)
        case "stop":
            return replace(floor, asked_to_close=not over or floor.asked_to_close, asked_to_stop=True, asked=())
        case "change_judge":
            return replace(floor, spec=floor.spec.model_copy(update={"judge": event.judge}))
        case "fork":
            return _forked(floor, event)
        case "say" | "ask":
            floor = replace(floor, said=(*floor.said, _said_by_a_human(floor, event, over)))
            asked = [person.id for person in floor.spec.participants if event.action == "ask" and person.name == event.to]
            return replace(floor, asked=tuple(dict.fromkeys((*floor.asked, *asked))))


def _said_by_a_human(floor: Floor, event: Intervention, over: bool) -> Utterance:
    """Heard by the whole table, in the moderator's name; it takes nobody's turn. Said when a stage is over, it belongs to the next."""
    said = Utterance(
        seq=event.seq, at=event.at, stage=floor.stage + over, round=0 if over else floor.round, speaker=floor.spec.moderator.name,
        role="human", text=event.text,
    )  # fmt: skip
    asks = Move(kind="ask", to=event.to, note=event.text)
    return said if event.action == "say" else said.model_copy(update={"role": "moderator", "move": asks})


def _forked(floor: Floor, event: Intervention) -> Floor:
    """The same past, another spec: who left the table has no turn any more, who came to it has one from the next round on."""
    spec = event.spec or floor.spec
    seated = {person.id for person in spec.participants}
    order, spoke, asked = (tuple(each for each in ids if each in seated) for ids in (floor.order, floor.spoke, floor.asked))
    return replace(floor, spec=spec, seed=spec.seed, order=order, spoke=spoke, asked=asked)


def id_of(spec: Spec, name: str) -> str:
    """The id of the participant with this name. Raises LogError for a stranger."""
    for person in spec.participants:
        if person.name == name:
            return person.id
    raise LogError(f"'{name}' spoke but isn't at the table; the log and its spec don't belong together")


def speaking_order(floor: Floor, number: int) -> tuple[str, ...]:
    """Ids in the order of round `number`: seeded; `moderated` lets those who were addressed and haven't answered go first."""
    ids = [person.id for person in floor.spec.participants]
    random.Random(f"{floor.seed}/{floor.stage}/{number}").shuffle(ids)
    if floor.agenda_item.turns != "moderated":
        return tuple(ids)
    addressed = {u.move.to for u in floor.said if u.round == number - 1 and u.move and u.move.kind in ("ask", "object")}
    names = {person.id: person.name for person in floor.spec.participants}
    return tuple(sorted(ids, key=lambda i: names[i] not in addressed))


def closes_because(floor: Floor) -> Because | None:
    """Why the open stage closes now, or None when it goes on. Only asked when a round is complete."""
    if floor.call is not None and floor.call.verdict == "agreement" and floor.round >= floor.agenda_item.min_rounds:
        return "agreement"
    if floor.asked_to_close:
        return "facilitator"
    return "max_rounds" if floor.round >= floor.last_round else None


def next_act(floor: Floor) -> Act | None:
    """What has to happen next; None when the conference is over."""
    if floor.closed:
        return None
    if not floor.stage_open:
        last = floor.asked_to_stop or floor.stage + 1 >= len(floor.spec.agenda)
        return Act("close_conference" if last else "open_stage", MODERATOR)
    if floor.round == 0 and not floor.asked_to_stop:
        return Act("open", MODERATOR)
    if floor.asked and floor.summary is None:
        return Act("turn", floor.asked[0])
    waiting = next((person for person in floor.order if person not in floor.spoke), None)
    if waiting is not None and floor.summary is None and not floor.asked_to_close:
        return Act("turn", waiting)
    if floor.judged and floor.call is None and not floor.asked_to_close:
        return Act("judge", JUDGE)
    if closes_because(floor) is None:
        return Act("frame", MODERATOR)
    if floor.spec.evaluator is not None and not floor.scored and not floor.asked_to_stop:
        return Act("score", EVALUATOR)
    return Act("close", MODERATOR) if floor.summary is None else Act("close_stage", MODERATOR)


def next_speaker(floor: Floor) -> str:
    """The seat whose turn it is. Raises LogError when the conference is over."""
    act = next_act(floor)
    if act is None:
        raise LogError("the conference is closed; nobody speaks next")
    return act.seat
