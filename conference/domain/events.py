"""The events of the log. The log is the conference: whatever is shown or computed comes from these."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, TypeAdapter

from conference.domain.chat import Usage
from conference.domain.move import Move, OnTheTable
from conference.domain.position import Gradient, Judgement, Probability, Stance
from conference.domain.record import Record
from conference.domain.spec import Condition, JudgeSpec, Spec

SpeakerRole = Literal["moderator", "participant", "human"]
Because = Literal["agreement", "max_rounds", "facilitator", "budget"]
CHAIRING = ("open", "frame", "close")
"""Moves of a moderator."""


class _Logged(Record):
    seq: Annotated[int, Field(ge=0)]
    at: str
    """ISO 8601, UTC."""


class ConferenceOpened(_Logged):
    """The first event: everything the conference is run from."""

    kind: Literal["conference_opened"] = "conference_opened"
    spec: Spec
    condition: Condition = "with_judge"
    seed: int
    prompts: dict[str, str] = Field(default_factory=dict)
    packages: dict[str, str] = Field(default_factory=dict)


class StageOpened(_Logged):
    """An item of the agenda begins. `stage` is its 0-based number."""

    kind: Literal["stage_opened"] = "stage_opened"
    stage: int
    name: str


class Utterance(_Logged):
    """One turn, as said. `round` is 1-based; 0 for the stage's opening."""

    kind: Literal["utterance"] = "utterance"
    stage: int
    round: int
    speaker: str
    role: SpeakerRole
    text: str
    """Empty only for a pass."""
    move: Move | None = None
    table: OnTheTable | None = None
    """What lies on the table from this turn on, when the turn changed it."""
    worded_by: str = ""
    """Name of the model; `brief` when no reply was good enough and the note was read out as it stands."""
    rejected: tuple[str, ...] = ()
    """Why earlier tries at this turn weren't said; the tries themselves are kept with the calls."""
    usage: Usage = Usage()

    @property
    def chairs(self) -> bool:
        """Whether it opens, frames or closes: the moderator's own turn, whoever plays it."""
        return self.role == "moderator" or (self.role == "human" and self.move is not None and self.move.kind in CHAIRING)

    @property
    def by_participant(self) -> bool:
        """Whether it is a participant's turn, whoever plays it. What a facilitator says in between is nobody's turn."""
        return self.role == "participant" or (self.role == "human" and self.move is not None and self.move.kind not in CHAIRING)


class Ballot(_Logged):
    """A position given privately."""

    kind: Literal["ballot"] = "ballot"
    stage: int
    round: int
    participant: str
    proposal: str
    gradient: Gradient | None
    """None when the ballot couldn't be read."""
    condition: str = ""
    probabilities: dict[str, Probability] = Field(default_factory=dict)
    model: str = ""
    prompt_version: str = ""
    usage: Usage = Usage()


class AgreementCall(_Logged):
    """The judge's verdict on a round. `evidence` turns are sequence numbers of the log."""

    kind: Literal["agreement_call"] = "agreement_call"
    stage: int
    round: int
    judgement: Judgement
    usage: Usage = Usage()


class StageClosed(_Logged):
    """An item of the agenda ends."""

    kind: Literal["stage_closed"] = "stage_closed"
    stage: int
    rounds: int
    because: Because
    agreed: str = ""
    """The agreed text, when it closed by agreement."""
    summary: str = ""
    open_points: tuple[str, ...] = ()


class QualityScored(_Logged):
    """The evaluator's scores of a finished stage: dimension to 1..10; None where the reply couldn't be read."""

    kind: Literal["quality_scored"] = "quality_scored"
    stage: int
    scores: dict[str, float | None]
    model: str = ""
    prompt_version: str = ""
    usage: Usage = Usage()


class Intervention(_Logged):
    """What a human did.

    `say` something as moderator; `ask` a participant, who answers next; `close_stage`; `extend_stage` by one round; `stop`: close the
    stage and the conference; `change_judge`, from the next call on; `fork`: all before this event is another run's log, what follows
    is held from another spec.
    """

    kind: Literal["intervention"] = "intervention"
    action: Literal["say", "ask", "close_stage", "extend_stage", "stop", "change_judge", "fork"]
    by: str = "facilitator"
    text: str = ""
    to: str = ""
    """Name of the participant who is asked."""
    judge: JudgeSpec | None = None
    """The judge from now on; None where none is to sit."""
    spec: Spec | None = None
    """What a fork is held from."""
    parent: str = ""
    """The run a fork was made from."""


class Fault(_Logged):
    """What failed. `recovered` says whether a later attempt of the same act succeeded."""

    kind: Literal["fault"] = "fault"
    where: str
    """The act that failed: `turn`, `frame`, `summary`, `judge`, `ballot`, `score`."""
    speaker: str = ""
    error: str
    attempt: int = 1
    recovered: bool = False


class Paused(_Logged):
    """The conference waits: because a human asked for it, or a limit was reached."""

    kind: Literal["paused"] = "paused"
    because: Literal["facilitator", "tokens", "minutes", "faults", "step"]
    detail: str = ""


class Resumed(_Logged):
    """The conference goes on."""

    kind: Literal["resumed"] = "resumed"


class StageOutcome(Record):
    """How one stage ended."""

    stage: str
    because: Because
    rounds: int
    agreed: str = ""


class ConferenceClosed(_Logged):
    """The last event."""

    kind: Literal["conference_closed"] = "conference_closed"
    stages: tuple[StageOutcome, ...] = ()
    agreed: str = ""
    """The text agreed in the last stage that closed by agreement on a proposal; empty when there is none."""
    positions: dict[str, Stance] = Field(default_factory=dict)


Event = Annotated[
    ConferenceOpened
    | StageOpened
    | Utterance
    | Ballot
    | AgreementCall
    | StageClosed
    | QualityScored
    | Intervention
    | Fault
    | Paused
    | Resumed
    | ConferenceClosed,
    Field(discriminator="kind"),
]

KINDS = frozenset(get_args(event.model_fields["kind"].annotation)[0] for event in get_args(get_args(Event)[0]))
"""The kinds there are."""

event_reader: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads one event from JSON or a mapping."""
events_reader: TypeAdapter[list[Event]] = TypeAdapter(list[Event])
"""Reads a JSON array of events; much faster than one at a time."""
