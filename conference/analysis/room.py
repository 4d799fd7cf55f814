"""What a room shows, from the events of a log: stage and round, who is due, lines, calls, positions, what was spent. Ready to draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from conference.analysis.calls import CallView, calls_of
from conference.analysis.people import MODERATOR_COLOUR, Person, people_in
from conference.analysis.rows import PAUSED_BECAUSE, Row, rounds, rows_of
from conference.analysis.rows import stages as in_stages
from conference.domain.chat import Usage
from conference.domain.events import ConferenceClosed, ConferenceOpened, Event, Paused, QualityScored, Resumed, Utterance
from conference.domain.phrase import Phrase
from conference.domain.spec import Limits, Spec
from conference.errors import LogError
from conference.floor import EVALUATOR, JUDGE, MODERATOR, Floor, fold, next_act
from conference.moves.affinity import shared_words

_DOING = {
    "open_stage": Phrase("opens the next stage"),
    "open": Phrase("is about to open the stage"),
    "turn": Phrase("is about to speak"),
    "frame": Phrase("is about to open the next round"),
    "close": Phrase("is about to sum up"),
    "close_stage": Phrase("is about to close the stage"),
    "close_conference": Phrase("is about to close the conference"),
    "judge": Phrase("weighs the round"),
    "score": Phrase("scores the stage"),
}


@dataclass(frozen=True)
class Where:
    """Stage and round, in numbers and in words."""

    stage: int
    """1-based; 0 before the first."""
    stages: int
    name: str
    round: int
    rounds: int
    """The most rounds this stage may take."""
    text: str


@dataclass(frozen=True)
class Due:
    """Who acts next, and what that is."""

    person: Person
    doing: str


@dataclass(frozen=True)
class Speaking:
    """Who is speaking, and the words so far."""

    speaker: str
    text: str


@dataclass(frozen=True)
class Quality:
    """The evaluator's scores of the last stage scored. `mean` is over those that could be read, None when none could."""

    stage: str
    mean: float | None
    read: int
    scores: dict[str, float | None]


@dataclass(frozen=True)
class Again:
    """How much the turn said last is like the one most like it among its speaker's earlier ones: shared words, 0 to 1."""

    name: str
    alike: float


@dataclass(frozen=True)
class Spent:
    """What a conference took. The limits hold for each start, so what counts against them began at the last one."""

    usage: Usage
    minutes: float
    """Under way; pauses are left out."""
    seconds_a_turn: float | None
    since_start_tokens: int
    since_start_minutes: float
    limits: Limits

    @property
    def read_anew(self) -> int:
        """Prompt tokens the model had to read; the others it still knew."""
        return self.usage.prompt_tokens - self.usage.cached_tokens

    @property
    def tokens_left(self) -> int | None:
        """None without a limit."""
        return None if self.limits.tokens is None else max(0, self.limits.tokens - self.since_start_tokens)

    @property
    def minutes_left(self) -> float | None:
        """None without a limit."""
        return None if self.limits.minutes is None else max(0.0, self.limits.minutes - self.since_start_minutes)


@dataclass(frozen=True, eq=False)
class RoomView:
    """Everything a room shows but the words being spoken and the coverage. Two are equal when they are the same object."""

    spec: Spec
    condition: str
    judged: bool
    people: tuple[Person, ...]
    """The moderator first."""
    where: Where
    due: Due | None
    """None when the conference is over or waits."""
    rows: tuple[Row, ...]
    calls: tuple[CallView, ...]
    closed: bool
    agreed: str
    paused: str
    """Why it waits, in words; empty when it doesn't."""
    spent: Spent
    quality: Quality | None
    again: Again | None
    """None before somebody has spoken twice."""


def room_view(events: Sequence[Event]) -> RoomView:
    """The room after these events. Raises LogError when they don't begin with `conference_opened`."""
    if not events or not isinstance(opened := events[0], ConferenceOpened):
        raise LogError("the log doesn't begin with conference_opened; is the file cut?")
    floor = fold(events)
    spec, people = floor.spec, people_in(events)
    calls = calls_of(events, spec, people)
    closed = next((event for event in events if isinstance(event, ConferenceClosed)), None)
    return RoomView(
        spec=spec, condition=opened.condition, judged=floor.judged, people=people, where=_where(floor), due=_due(floor, people),
        rows=rows_of(events, spec, people, calls), calls=tuple(calls.values()), closed=closed is not None,
        agreed=closed.agreed if closed else "", paused=_paused(floor.paused), spent=_spent(events, spec.limits),
        quality=_quality(events, spec), again=_again(events),
    )  # fmt: skip


def _where(floor: Floor) -> Where:
    stages = len(floor.spec.agenda)
    if floor.closed:
        held = rounds(sum(outcome.rounds for outcome in floor.outcomes))
        over = Phrase("Over: {stages}, {rounds}", stages=in_stages(len(floor.outcomes)), rounds=held)
        return Where(stages, stages, floor.agenda_item.name, 0, 0, over)
    if floor.stage < 0:
        return Where(0, stages, "", 0, 0, Phrase("About to begin"))
    name, number, most = floor.agenda_item.name, max(1, floor.round), floor.last_round
    at = Phrase("round {round} of at most {most}", round=number, most=most) if floor.stage_open else Phrase("closed")
    text = Phrase("Stage {stage} of {stages} · {name} · {at}", stage=floor.stage + 1, stages=stages, name=name, at=at)
    return Where(floor.stage + 1, stages, name, number, most, text)


def _due(floor: Floor, people: Sequence[Person]) -> Due | None:
    act = next_act(floor) if floor.paused is None else None
    if act is None:
        return None
    seats = {MODERATOR: people[0], JUDGE: Person(Phrase("The judge"), "", "J", MODERATOR_COLOUR)}
    seats[EVALUATOR] = Person(Phrase("The evaluator"), "", "E", MODERATOR_COLOUR)
    known = {person.name: person for person in people}
    seats |= {persona.id: known[persona.name] for persona in floor.spec.participants}
    return Due(seats[act.seat], _DOING[act.kind])


def _paused(paused: Paused | None) -> str:
    if paused is None:
        return ""
    because = PAUSED_BECAUSE[paused.because]
    return Phrase("{because} ({detail})", because=because, detail=paused.detail) if paused.detail else because


def _spent(events: Sequence[Event], limits: Limits) -> Spent:
    start = max((place for place, event in enumerate(events) if isinstance(event, Resumed)), default=0)
    usage, minutes = _usage(events), _minutes(events)
    turns = sum(1 for event in events if isinstance(event, Utterance) and event.text)
    return Spent(
        usage=usage, minutes=minutes, seconds_a_turn=minutes * 60 / turns if turns else None, limits=limits,
        since_start_tokens=_usage(events[start:]).total_tokens, since_start_minutes=_minutes(events[start:]),
    )  # fmt: skip


def _again(events: Sequence[Event]) -> Again | None:
    own = [event for event in events if isinstance(event, Utterance) and event.by_participant and event.text]
    earlier = [event.text for event in own[:-1] if event.speaker == own[-1].speaker]
    return Again(own[-1].speaker, max(shared_words(text, own[-1].text) for text in earlier)) if earlier else None


def _usage(events: Sequence[Event]) -> Usage:
    return sum((event.usage for event in events if hasattr(event, "usage")), Usage())


def _minutes(events: Sequence[Event]) -> float:
    total = 0.0
    for before, event in zip(events, events[1:], strict=False):
        if not isinstance(before, Paused):
            total += seconds_between(before.at, event.at)
    return total / 60


def seconds_between(first: str, second: str) -> float:
    """Seconds from one ISO 8601 time to another; 0 when one of them can't be read or they run backwards."""
    try:
        return max(0.0, (datetime.fromisoformat(second) - datetime.fromisoformat(first)).total_seconds())
    except (ValueError, TypeError):
        return 0.0


def _quality(events: Sequence[Event], spec: Spec) -> Quality | None:
    scored = [event for event in events if isinstance(event, QualityScored)]
    if not scored:
        return None
    scores = scored[-1].scores
    read = [score for score in scores.values() if score is not None]
    return Quality(spec.agenda[scored[-1].stage].name, sum(read) / len(read) if read else None, len(read), scores)
