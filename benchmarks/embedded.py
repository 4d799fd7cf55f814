"""Where an embedded conference's time goes: planned turns, both prompt layouts, and without prefix reuse, in one run.

    python -m benchmarks.embedded [--rounds 2] [--conference radioactive-waste]

Three participants, one stage, no judge; the same seed each time. `planned` is what a small model is given: one note to word. The others
show the transcript: `shared_first` (one cache slot for all), `seat_first` (a slot for each seat), and `shared_first` with nothing reused.
Figures: seconds, share of them spent decoding, tokens newly read and written a turn, share of turns that repeat an earlier one
(cosine > 0.9). The budget: at least half the time is decoding; without reuse it takes at least twice as long.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from dataclasses import dataclass
from typing import Any

from conference.analysis.speech import speech_of
from conference.domain.chat import ChatModel, OnText, Reply, Request, Usage
from conference.domain.events import ConferenceOpened, Utterance
from conference.domain.log import MemoryLog
from conference.domain.spec import Moves, Spec
from conference.library import ROOT, load_spec
from conference.models.embedded import EmbeddedModel
from conference.models.embeddings import MiniLM
from conference.models.openai_like import OpenAILike
from conference.prompts.roleplay import Layout
from conference.running import near_by
from conference.seats.desk import Desk
from conference.session import Session, now, run

SEATS = 4
"""Cache slots of the server: the moderator's and three participants'."""


@dataclass(frozen=True)
class Setting:
    """One way to hold the conference."""

    name: str
    moves: Moves
    layout: Layout = "shared_first"
    slot_a_seat: bool = False
    reuse: bool = True


SETTINGS = (
    Setting("planned", "planned"),
    Setting("shared_first", "guided"),
    Setting("seat_first", "guided", "seat_first", slot_a_seat=True),
    Setting("no reuse", "guided", reuse=False),
)


class InSlot:
    """The embedded model in a cache slot of one's choice, with or without reuse."""

    name, small, gives_probabilities = "embedded", True, True

    def __init__(self, server: EmbeddedModel, slot: int, reuse: bool) -> None:
        self._server, self._slot, self._reuse = server, slot, reuse

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """One reply."""
        attachment = await asyncio.to_thread(self._server.attached)
        model = OpenAILike(
            self.name, model=self.name, base_url=attachment.url, key=attachment.key, small=True,
            extra=lambda _: {"id_slot": self._slot, "cache_prompt": self._reuse},
        )  # fmt: skip
        return await model.complete(request, on_text)


def main() -> None:
    """Hold the same conference in each setting and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--conference", default="radioactive-waste")
    options = parser.parse_args()
    spec = _short(load_spec(ROOT / "data" / "conferences" / f"{options.conference}.yaml"), options.rounds)
    server = EmbeddedModel()
    server.attached()
    print("| setting | seconds | turns | decoding | newly read a turn | written a turn | repeat |")
    print("|---|---|---|---|---|---|---|")
    for setting in SETTINGS:
        print(asyncio.run(_row(spec, setting, server)), flush=True)
    server.close()


def _short(spec: Spec, rounds: int) -> Spec:
    stage = spec.agenda[-1].model_copy(update={"min_rounds": rounds, "max_rounds": rounds, "rounds_without_judge": rounds})
    return spec.model_copy(
        update={"participants": spec.participants[: SEATS - 1], "agenda": (stage,), "judge": None, "evaluator": None}
    )


async def _row(spec: Spec, setting: Setting, server: EmbeddedModel) -> str:
    seats = [spec.moderator.name, *(person.name for person in spec.participants)]

    def model_for(role: Any, speaker: str, name: str, on_fault: Any) -> ChatModel:
        return InSlot(server, seats.index(speaker) if setting.slot_a_seat else 0, setting.reuse)

    log, embedder = MemoryLog(), MiniLM()
    log.append(ConferenceOpened(seq=0, at=now(), spec=spec.model_copy(update={"moves": setting.moves}), seed=spec.seed))
    session = Session(log, Desk(model_for, near_by(embedder), embedder, layout=setting.layout))
    await _forget(server)
    started = time.monotonic()
    await run(session)
    seconds = time.monotonic() - started
    said = [event for event in log.events() if isinstance(event, Utterance) and event.usage.completion_tokens]
    used = sum((event.usage for event in said), Usage())
    read = (used.prompt_tokens - used.cached_tokens) / len(said)
    speech = speech_of([event for event in log.events() if isinstance(event, Utterance)], embedder)
    return (
        f"| {setting.name} | {seconds:.0f} | {len(said)} | {(used.decode_seconds or 0) / seconds:.0%} | {read:.0f} "
        f"| {used.completion_tokens / len(said):.0f} | {speech.repeats.count} of {speech.repeats.of} |"
    )


async def _forget(server: EmbeddedModel) -> None:
    """Another text in every slot, so that no setting finds what the one before has read."""
    for slot in range(SEATS):
        request = Request.model_validate({"messages": ({"role": "user", "content": f"Say {slot}."},), "max_tokens": 1})
        await InSlot(server, slot, reuse=False).complete(request)


if __name__ == "__main__":
    main()
