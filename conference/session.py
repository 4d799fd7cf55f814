"""One conference: the AutoGen group chat over the floor, events into the log.

The log is the truth. A seat of the group chat does what is due (`seats/acting.py`), appends it, advances the floor, and only then
returns a message, which carries nothing but a sequence number. The team lives for one segment; a resumed run folds the log and builds a
new one. `run_plainly` is a loop without AutoGen behind the same interface: the oracle of the tests.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal, cast

os.environ.setdefault("AUTOGEN_DISABLE_RUNTIME_TRACING", "true")

from autogen_agentchat.agents import BaseChatAgent
from autogen_agentchat.base import Response, TerminatedException, TerminationCondition
from autogen_agentchat.messages import BaseAgentEvent, BaseChatMessage, StopMessage, TextMessage
from autogen_agentchat.teams import SelectorGroupChat
from autogen_core import CancellationToken, SingleThreadedAgentRuntime, Subscription, TypeSubscription
from autogen_ext.models.replay import ReplayChatCompletionClient

from conference.domain.events import AgreementCall, Event, Fault, Intervention, Paused, Resumed, Utterance
from conference.domain.human import Asked, HumanTurn
from conference.domain.log import ConferenceLog
from conference.errors import BudgetSpent, ModelError
from conference.floor import EVALUATOR, JUDGE, MODERATOR, ActKind, Floor, advance, fold, next_act
from conference.seats.acting import perform
from conference.seats.desk import Desk

logging.getLogger("autogen_core").setLevel(logging.CRITICAL)  # it prints a traceback for every stop; bugs are raised by `run`

PauseReason = Literal["facilitator", "tokens", "minutes", "faults", "step"]
Step = Literal["turn", "round"]
_WHERE: dict[ActKind, str] = {"open": "frame", "close": "summary"}
"""The names of acts in faults, where they differ."""


class _LookUp(Exception):
    """Something came up while a human was waited for."""


def now() -> str:
    """The time, ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Session:
    """A conference under way: its log, its floor, its desk. One process runs it at a time; others read the log."""

    def __init__(
        self, log: ConferenceLog, desk: Desk, clock: Callable[[], str] = now, on_event: Callable[[Event], None] = lambda e: None
    ) -> None:
        """`log` holds at least `conference_opened`. Raises LogError when it doesn't."""
        self.log, self.desk, self.clock, self.on_event = log, desk, clock, on_event
        self.floor: Floor = fold(log.events())
        self._wanted: deque[Intervention] = deque()
        self._pause: Paused | None = None
        self.step: Step | None = None
        """How far to go before it pauses again; None: to the end."""
        self.abandoned = False
        self.asked: Asked | None = None
        """The human who is waited for."""
        self._answer: asyncio.Future[HumanTurn] | None = None
        desk.human = self._wait_for

    @property
    def halted(self) -> bool:
        """Whether this segment is over: the conference is closed or paused, or somebody else runs it."""
        return self.floor.closed or self.floor.paused is not None or self.abandoned

    def abandon(self) -> None:
        """Stop before the next act and leave the log to whoever took the run over."""
        self.abandoned = True
        self._look_up()

    def pause(self, because: PauseReason = "facilitator", detail: str = "") -> None:
        """Pause before the next act."""
        self._pause = Paused(seq=0, at="", because=because, detail=detail)
        self._look_up()

    def intervene(self, intervention: Intervention) -> None:
        """Put what a human says or does on the log before the next act."""
        self._wanted.append(intervention)
        self._look_up()

    def answer(self, seq: int, turn: HumanTurn) -> bool:
        """Give the turn that is waited for; False when it isn't any more, because somebody else took it or the talk went on."""
        if self.asked is None or self.asked.seq != seq or self._answer is None or self._answer.done():
            return False
        self._answer.set_result(turn)
        return True

    async def _wait_for(self, asked: Asked) -> HumanTurn:
        """Wait for a human. Raises _LookUp when something else has to be done first; the turn is asked for again then."""
        if self._wanted or self._pause or self.abandoned:
            raise _LookUp
        self.asked, self._answer = asked, asyncio.get_running_loop().create_future()
        try:
            return await self._answer
        finally:
            self.asked = self._answer = None

    def _look_up(self) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(_LookUp())

    def append(self, event: Event) -> None:
        """Number and date an event, keep it, then advance the floor."""
        numbered = event.model_copy(update={"seq": self.floor.next_seq, "at": self.clock()})
        self.log.append(numbered)
        self.floor = advance(self.floor, numbered)
        if self.step is not None and self._steps_on(numbered):
            self._pause, self.step = Paused(seq=0, at="", because="step"), None
        self.on_event(numbered)

    def _steps_on(self, event: Event) -> bool:
        """Whether a step ends with this event: one turn, or the last thing of a round."""
        if isinstance(event, AgreementCall):
            return True
        if not isinstance(event, Utterance):
            return False
        due = next_act(self.floor)
        return self.step == "turn" or (event.by_participant and due is not None and due.kind not in ("turn", "judge"))

    def resume(self) -> None:
        """Take up a paused conference."""
        if self.floor.paused is not None and not self.floor.closed:
            self.append(Resumed(seq=0, at=""))

    async def act_once(self) -> None:
        """Do what is due. Model failures end as faults on the log, a spent budget as a pause; anything else is a bug and is raised."""
        if self._settle() or (act := next_act(self.floor)) is None:
            return
        self.desk.faults.clear()
        try:
            async for event in perform(self.floor, act, self.desk):
                self._keep_faults(act.kind, recovered=True)
                self.append(event)
        except _LookUp:
            self._keep_faults(act.kind, recovered=False)
        except BudgetSpent as spent:
            self._keep_faults(act.kind, recovered=False)
            self.append(Paused(seq=0, at="", because="tokens" if "token" in str(spent) else "minutes", detail=str(spent)))
        except ModelError as error:
            self._fail(act.seat, act.kind, error)

    def _settle(self) -> bool:
        """Interventions and pauses that wait go first; whether the segment is over."""
        while self._wanted and not (self.floor.closed or self.abandoned):
            self.append(self._wanted.popleft())
        if self._pause is not None and not self.halted:
            pause, self._pause = self._pause, None
            self.append(pause)
        return self.halted

    def _keep_faults(self, kind: ActKind, recovered: bool) -> None:
        for fault in self.desk.faults:
            where = "ballot" if kind == "judge" and fault.where == "turn" else _WHERE.get(kind, kind)
            self.append(fault.model_copy(update={"recovered": recovered, "where": where}))
        self.desk.faults.clear()

    def _fail(self, seat: str, kind: ActKind, error: ModelError) -> None:
        """Put the failure on the log; wait for a human when the same act keeps failing."""
        if not self.desk.faults:
            self.desk.faults.append(Fault(seq=0, at="", where=kind, speaker=seat, error=f"{type(error).__name__}: {error}"))
        self._keep_faults(kind, recovered=False)
        if self.floor.faults_in_a_row >= self.floor.spec.limits.faults_in_a_row:
            detail = f"{kind} of {seat} failed {self.floor.faults_in_a_row} times: {error}"
            self.append(Paused(seq=0, at="", because="faults", detail=detail[:500]))


async def run_plainly(session: Session) -> None:
    """Run until closed or paused, without AutoGen."""
    while not session.halted:
        await session.act_once()


async def run(session: Session, cancellation: CancellationToken | None = None) -> None:
    """Run until closed or paused, as an AutoGen group chat. A cancelled segment leaves the log as it is."""
    if session.halted:
        return
    seats = _names(session.floor)
    errors: list[BaseException] = []
    runtime = _QuietRuntime(ignore_unhandled_exceptions=False)
    team = SelectorGroupChat(
        [_Seat(name, seat, session, errors) for seat, name in seats.items()],
        model_client=ReplayChatCompletionClient([]),
        selector_func=lambda _: _chosen(session, seats),
        termination_condition=_Halted(session, errors),
        allow_repeated_speaker=True,
        max_turns=None,
        runtime=runtime,
    )
    runtime.start()
    try:
        async for _ in team.run_stream(task=None, cancellation_token=cancellation):
            pass
    finally:
        await runtime.stop_when_idle()
    if errors:
        raise errors[0]


def _names(floor: Floor) -> dict[str, str]:
    """Seat to a name AutoGen accepts (an identifier)."""
    names = {MODERATOR: "moderator"} | {person.id: f"participant_{n}" for n, person in enumerate(floor.spec.participants, 1)}
    return names | {JUDGE: "judge", EVALUATOR: "evaluator"}  # also where none sits yet: a facilitator may call one in


def _chosen(session: Session, names: dict[str, str]) -> str:
    """The seat whose turn it is; the moderator when nothing is due any more (the termination condition ends the chat)."""
    act = next_act(session.floor)
    return names[act.seat] if act is not None else names[MODERATOR]


class _QuietRuntime(SingleThreadedAgentRuntime):
    """Delivers what the manager of the group chat needs, and nothing else.

    Seats read the log, so they aren't told what others said: a turn then costs the same however many sit at the table. What each
    message holds isn't written down a second time for AutoGen's own event log (its level is above that anyway).
    """

    async def add_subscription(self, subscription: Subscription) -> None:
        """A seat hears its own topic only; the manager also the group's."""
        of_group = isinstance(subscription, TypeSubscription) and subscription.topic_type.startswith("group_topic_")
        if not of_group or cast(TypeSubscription, subscription).agent_type.startswith(SelectorGroupChat.__name__):
            await super().add_subscription(subscription)

    def _try_serialize(self, message: object) -> str:
        return ""

    async def _create_otel_attributes(self, *sent: object, **of: object) -> Mapping[str, str]:
        return {}


class _Seat(BaseChatAgent):
    """Does what is due at its seat. Raises on cancellation only; a bug is kept for `run` to raise, as AutoGen would lose it."""

    def __init__(self, name: str, seat: str, session: Session, errors: list[BaseException]) -> None:
        super().__init__(name, description=f"seat of {seat}")
        self._seat, self._session, self._errors = seat, session, errors

    @property
    def produced_message_types(self) -> Sequence[type[BaseChatMessage]]:
        return (TextMessage,)

    async def on_messages(self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken) -> Response:
        work = asyncio.ensure_future(self._work())
        cancellation_token.link_future(work)
        await work
        return Response(chat_message=TextMessage(content=str(self._session.floor.next_seq - 1), source=self.name))

    async def _work(self) -> None:
        try:
            while not self._session.halted and (act := next_act(self._session.floor)) is not None and act.seat == self._seat:
                await self._session.act_once()
        except Exception as error:
            self._errors.append(error)

    async def on_reset(self, cancellation_token: CancellationToken) -> None:
        """Nothing to reset: the state is the log."""


class _Halted(TerminationCondition):
    """Ends the chat when the floor is closed or paused, or a bug turned up."""

    def __init__(self, session: Session, errors: list[BaseException]) -> None:
        self._session, self._errors, self._over = session, errors, False

    @property
    def terminated(self) -> bool:
        return self._over

    async def __call__(self, messages: Sequence[BaseAgentEvent | BaseChatMessage]) -> StopMessage | None:
        if self._over:
            raise TerminatedException("the segment is over; fold the log and build a new team")
        if self._session.halted or self._errors:
            self._over = True
            return StopMessage(content="closed or paused", source="floor")
        return None

    async def reset(self) -> None:
        self._over = False
