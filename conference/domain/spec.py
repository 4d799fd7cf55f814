"""What a conference is run from: question, table, agenda, judge, models, limits."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, PositiveFloat, PositiveInt, model_validator

from conference.domain.persona import Persona
from conference.domain.record import Name, Record, Title, Words
from conference.errors import did_you_mean

Turns = Literal["round_robin", "moderated", "sparse"]
Settles = Literal["concerns", "proposal"]
Moves = Literal["planned", "guided", "free"]
Condition = Literal["with_judge", "without_judge", "matched_budget"]


class Stage(Record):
    """One item of the agenda, talked through in rounds."""

    name: Name
    purpose: str = ""
    question: str = ""
    settles: Settles = "proposal"
    """What agreement is sought on: a list of concerns, or a proposal."""
    turns: Turns = "round_robin"
    """`round_robin`: seeded order; `moderated`: whoever was addressed speaks first; `sparse`: who has nothing new passes."""
    min_rounds: PositiveInt = 1
    """The stage doesn't close by agreement before this round."""
    max_rounds: PositiveInt = 3
    """Rounds after which the stage closes whether or not the judge calls agreement."""
    rounds_without_judge: PositiveInt | None = None
    """Rounds of this stage when nobody judges; `max_rounds` when not given."""

    @model_validator(mode="after")
    def _rounds_fit(self) -> Self:
        if self.max_rounds < self.min_rounds:
            raise ValueError(
                f"max_rounds {self.max_rounds} is less than min_rounds {self.min_rounds}; raise max_rounds or lower min_rounds"
            )
        return self


def _from_kind(value: object) -> object:
    if value == "none":
        return None
    return {"kind": value} if isinstance(value, str) else value


class JudgeSpec(Record):
    """Which judge calls agreement, and how strict it is."""

    kind: Name = "llm"
    threshold: Annotated[float, Field(ge=0, le=8)] | None = None
    """`llm`: least probability of agreement (0 to 1); `ballot`: least gradient (1 to 8) anybody may give."""

    @model_validator(mode="after")
    def _threshold_fits(self) -> Self:
        least, most = {"llm": (0, 1), "ballot": (1, 8)}.get(self.kind, (0, 8))
        if self.threshold is not None and not least <= self.threshold <= most:
            raise ValueError(f"threshold {self.threshold:g} can't be reached; the {self.kind} judge takes {least} to {most}")
        return self


class EvaluatorSpec(Record):
    """Who scores a finished stage."""

    kind: Literal["llm"] = "llm"


class ModelsSpec(Record):
    """Which model plays which role; `default` for whoever isn't named. Names are `embedded`, `openai:…`, `scripted` …"""

    default: Name = "embedded"
    moderator: Name | None = None
    participant: Name | None = None
    judge: Name | None = None
    evaluator: Name | None = None
    by_participant: dict[str, Name] = Field(default_factory=dict)
    """Persona id to model, for a table of different models."""

    def of(self, role: Literal["moderator", "participant", "judge", "evaluator"], persona_id: str = "") -> str:
        """The name of the model that plays this role (for a participant: this persona)."""
        named: str | None = getattr(self, role)
        return self.by_participant.get(persona_id) or named or self.default


class Limits(Record):
    """When to stop and wait: the conference pauses and can be resumed with more."""

    tokens: PositiveInt | None = None
    minutes: PositiveFloat | None = None
    faults_in_a_row: PositiveInt = 4


class Spec(Record):
    """A conference, before it is held. Personas stand in it whole."""

    title: Title
    question: Words
    options: tuple[Name, ...] = ()
    reference: Name | None = None
    moderator: Persona
    participants: tuple[Persona, ...]
    humans: tuple[str, ...] = ()
    """Ids of those whom a human plays."""
    judge: Annotated[JudgeSpec | None, BeforeValidator(_from_kind)] = JudgeSpec()
    evaluator: Annotated[EvaluatorSpec | None, BeforeValidator(_from_kind)] = None
    agenda: tuple[Stage, ...]
    models: Annotated[ModelsSpec, BeforeValidator(lambda v: {"default": v} if isinstance(v, str) else v)] = ModelsSpec()
    moves: Moves | None = None
    """How far turns are planned; by default `planned` for small local models, `guided` for others."""
    limits: Limits = Limits()
    seed: int = 1

    def rounds_allowed(self, condition: Condition, stage: int) -> int:
        """The most rounds of a stage: `max_rounds` with a judge, `rounds_without_judge` without."""
        item = self.agenda[stage]
        if self.judge is not None and condition == "with_judge":
            return item.max_rounds
        return item.rounds_without_judge or item.max_rounds

    @model_validator(mode="after")
    def _table_can_talk(self) -> Self:
        if not self.participants:
            raise ValueError("the table is empty; name at least two participants")
        if len(self.participants) < 2:
            raise ValueError(f"only one participant ('{self.participants[0].name}'); a conference needs at least two")
        for what, names in (
            ("participants are named", [person.name for person in (*self.participants, self.moderator)]),
            ("participants have the id", [person.id for person in (*self.participants, self.moderator)]),
            ("stages are named", [stage.name for stage in self.agenda]),
            ("options are called", list(self.options)),
        ):
            times = Counter(name.casefold() for name in names)
            double = next((name for name in names if times[name.casefold()] > 1), None)
            if double is not None:
                raise ValueError(f"two {what} '{double}'; give each its own")
        if not self.agenda:
            raise ValueError("the agenda is empty; name at least one stage")
        return self

    @model_validator(mode="after")
    def _all_named_are_at_the_table(self) -> Self:
        seated = [person.id for person in (*self.participants, self.moderator)]
        for where, named in (("models.by_participant", self.models.by_participant), ("humans", self.humans)):
            stranger = next((name for name in named if name not in seated), None)
            if stranger is not None:
                raise ValueError(f"{where} names '{stranger}', who isn't at the table{did_you_mean(stranger, seated)}")
        return self
