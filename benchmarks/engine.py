"""CPU milliseconds a turn of the engine with a model that takes no time, beside plain AutoGen round-robin, in one run.

    python -m benchmarks.engine [--rounds-a-stage 10]

The log is on disk (SQLite). Turns are spread over stages of ten rounds, as in a conference. The budget: at most 1.2 ms a turn with 8
participants at 100, 1,000 and 3,000 turns; growth exponent at most 1.05 (slope of log total CPU over log turns, 1,000 to 3,000).
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence

from autogen_agentchat.agents import BaseChatAgent
from autogen_agentchat.base import Response
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.messages import BaseChatMessage, TextMessage
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_core import CancellationToken

from conference.domain.chat import OnText, Reply, Request, Usage
from conference.domain.events import ConferenceOpened
from conference.domain.persona import Persona
from conference.domain.spec import Spec, Stage
from conference.seats.desk import Desk
from conference.session import Session, now, run, run_plainly
from conference.store import Store

WORDS = "I see what you mean, and from where I sit the costs come first. " * 9


class Instant:
    """Answers at once, 600 characters."""

    name, small, gives_probabilities = "instant", False, False

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        return Reply(text=WORDS, model=self.name, usage=Usage(prompt_tokens=200, completion_tokens=120))


def spec(participants: int, turns: int, rounds: int) -> Spec:
    people = tuple(Persona(id=f"p{i}", name=f"Person {i}", role="expert") for i in range(participants))
    a_round = participants + 1
    stages = max(1, round(turns / (a_round * rounds + 1)))
    agenda = tuple(Stage(name=f"Stage {i}", max_rounds=rounds) for i in range(stages))
    return Spec(
        title="Benchmark", question="Which?", moderator=Persona(id="m", name="Moderator", role="chair"), participants=people,
        judge=None, agenda=agenda, models="scripted",
    )  # fmt: skip


async def engine(participants: int, turns: int, rounds: int, runner: Callable[[Session], Awaitable[None]]) -> tuple[float, int]:
    """CPU seconds and utterances of one conference with its log on disk."""
    with tempfile.TemporaryDirectory() as folder, Store.open(f"sqlite:///{folder}/bench.db") as store:
        item = spec(participants, turns, rounds)
        run_id = store.create_run("benchmark")
        log = store.log(run_id)
        log.append(ConferenceOpened(seq=0, at=now(), spec=item, seed=1))
        model = Instant()
        session = Session(log, Desk(lambda role, speaker, name, on_fault: model))
        gc.collect()
        started = time.process_time()
        await runner(session)
        spent = time.process_time() - started
        return spent, sum(1 for event in log.events() if event.kind == "utterance")


class Talker(BaseChatAgent):
    """A plain AutoGen agent with the same words."""

    @property
    def produced_message_types(self) -> Sequence[type[BaseChatMessage]]:
        return (TextMessage,)

    async def on_messages(self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken) -> Response:
        return Response(chat_message=TextMessage(content=WORDS, source=self.name))

    async def on_reset(self, cancellation_token: CancellationToken) -> None:
        """Nothing to reset."""


async def plain_autogen(participants: int, turns: int) -> float:
    team = RoundRobinGroupChat(
        [Talker(f"p{i}", "talks") for i in range(participants)], termination_condition=MaxMessageTermination(turns + 1)
    )  # fmt: skip
    gc.collect()
    started = time.process_time()
    async for _ in team.run_stream(task="go"):
        pass
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds-a-stage", type=int, default=10)
    rounds = parser.parse_args().rounds_a_stage
    print(f"{'participants':>12} {'turns':>6} {'engine':>8} {'plain loop':>10} {'AutoGen round-robin':>20}   CPU ms a turn")
    for participants in (3, 8, 20):
        seen: dict[int, tuple[float, int]] = {}
        for turns in (100, 1000, 3000):
            cpu, spoken = asyncio.run(engine(participants, turns, rounds, run))
            bare, bare_spoken = asyncio.run(engine(participants, turns, rounds, run_plainly))
            beside = asyncio.run(plain_autogen(participants, turns))
            seen[turns] = (cpu, spoken)
            shown = (1000 * cpu / spoken, 1000 * bare / bare_spoken, 1000 * beside / turns)
            print(f"{participants:>12} {spoken:>6} {shown[0]:>8.2f} {shown[1]:>10.2f} {shown[2]:>20.2f}", flush=True)
        growth = math.log(seen[3000][0] / seen[1000][0]) / math.log(seen[3000][1] / seen[1000][1])
        print(f"{participants:>12} growth exponent from 1,000 to 3,000 turns: {growth:.2f}")


if __name__ == "__main__":
    main()
