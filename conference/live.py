"""The runs that are under way in this process: one thread, one loop, whatever page looks. Pages read the log and send commands."""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from conference.analysis.room import Speaking
from conference.analysis.rows import stages, utterances
from conference.domain.events import ConferenceOpened, Event, Intervention, Utterance
from conference.domain.human import Asked, HumanTurn
from conference.domain.phrase import Phrase
from conference.domain.spec import Condition, Spec
from conference.errors import PlenaryError, UserError
from conference.following import CoverageFollower
from conference.intervening import fork_run, intervene
from conference.playing import Timeline, timeline_from
from conference.running import embedder_for, hold, is_gone, open_run, session_of, spec_of
from conference.store import RunSummary, Store
from conference.topics import TopicFinder
from conference.watching import Seen, Watch

if TYPE_CHECKING:
    from conference.session import Session, Step

RunState = Literal["running", "pausing", "elsewhere", "paused", "interrupted", "finished", "failed"]
"""`pausing`: here, until the act under way is done; `elsewhere`: another process runs it; `interrupted`: its process is gone."""
MOVING: tuple[RunState, ...] = ("running", "pausing", "elsewhere")
"""A run that goes on, here or in another process."""
RESUMABLE: tuple[RunState, ...] = ("paused", "interrupted", "failed")


@dataclass
class _Live:
    """One run under way. Replaced values are immutable, so readers need no lock."""

    session: Session | None = None
    task: Future[None] | None = None
    speaking: Speaking | None = None
    pausing: bool = False
    step: Step | None = None
    problem: str = ""

    @property
    def going(self) -> bool:
        return self.task is not None and not self.task.done()


@dataclass(frozen=True)
class Recent:
    """A run as Home lists it."""

    summary: RunSummary
    state: RunState
    stages: int
    """Of its agenda; 0 when its log is empty or can't be read."""

    @property
    def progress(self) -> str:
        """How far it is, in words."""
        if self.summary.stage is None:
            return Phrase("about to begin")
        said = utterances(self.summary.utterances)
        if self.state == "finished" and self.stages:
            return Phrase("{stages}, {said}", stages=stages(self.stages), said=said)
        stage, number = self.summary.stage + 1, max(1, self.summary.round or 1)
        if not self.stages:
            return Phrase("stage {stage}, round {round}, {said}", stage=stage, round=number, said=said)
        return Phrase(
            "stage {stage} of {stages}, round {round}, {said}", stage=stage, stages=self.stages, round=number, said=said
        )


class LiveRuns:
    """Starts, resumes and pauses conferences; a closed tab or a page switch changes nothing. `close` pauses what runs."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.watch = Watch(store)
        self.coverage = CoverageFollower()
        self.topics = TopicFinder()
        self._runs: dict[str, _Live] = {}
        self._stages: dict[str, int] = {}
        self._lock = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="plenary-runs", daemon=True)
        self._thread.start()
        for summary in store.runs():
            self._settled(summary)

    def start(self, spec: Spec, condition: Condition = "with_judge") -> str:
        """Open a run and begin it; gives its id. A model that can't be used shows as `failed`: ask `check_models` first."""
        run_id = open_run(self.store, spec, condition)
        self.resume(run_id)
        return run_id

    def resume(self, run_id: str) -> None:
        """Go on with a run that isn't under way here. Raises UnknownName."""
        self.store.run(run_id)
        with self._lock:
            live = self._runs.setdefault(run_id, _Live())
            if not live.going:
                live.problem, live.pausing = "", False
                live.task = asyncio.run_coroutine_threadsafe(self._hold(run_id, live), self._loop)

    def pause(self, run_id: str) -> None:
        """Ask for a pause before the next act; nothing happens when the run isn't under way here."""
        live = self._runs.get(run_id)
        if live is not None and live.going:
            live.pausing = True
            self._loop.call_soon_threadsafe(_pause, live)

    def step(self, run_id: str, step: Step) -> None:
        """Go on for one turn or one round, then pause. Raises UnknownName."""
        self.store.run(run_id)
        live = self._runs.setdefault(run_id, _Live())
        live.step = step
        self.resume(run_id)
        self._loop.call_soon_threadsafe(_set_step, live)

    def intervene(self, run_id: str, intervention: Intervention) -> None:
        """Put what a human says or does on the log, before the next act where the run is under way. Raises UnknownName, UserError."""
        live = self._runs.get(run_id)
        if live is not None and live.going:
            session = live.session
            if session is None:
                raise UserError("the conference is about to begin; try again in a moment")
            self._loop.call_soon_threadsafe(session.intervene, intervention)
        else:
            intervene(self.store, run_id, intervention)

    def asked(self, run_id: str) -> Asked | None:
        """The human whose turn it is in this run."""
        live = self._runs.get(run_id)
        return live.session.asked if live is not None and live.session is not None else None

    def answer(self, run_id: str, seq: int, turn: HumanTurn) -> bool:
        """Take a human's turn; False when it isn't waited for any more."""
        live = self._runs.get(run_id)
        session = live.session if live is not None else None
        if session is None:
            return False

        async def given() -> bool:
            return session.answer(seq, turn)

        return asyncio.run_coroutine_threadsafe(given(), self._loop).result(10)

    def fork(self, run_id: str, at: int, spec: Spec, line: str = "") -> str:
        """A paused run with the past of this one up to event `at`, and the future of `spec`; gives its id. Raises UserError."""
        return fork_run(self.store, run_id, at, spec, line)

    def is_live(self, run_id: str) -> bool:
        """Whether the run is under way in this process."""
        live = self._runs.get(run_id)
        return live is not None and live.going

    def state(self, run_id: str) -> RunState:
        """How it is with a run. Raises UnknownName."""
        return self._state(self._settled(self.store.run(run_id)))

    def speaking(self, run_id: str) -> Speaking | None:
        """Who is speaking now."""
        live = self._runs.get(run_id)
        return live.speaking if live is not None else None

    def problem(self, run_id: str) -> str:
        """Why the run broke off, in one line; empty when it didn't."""
        live = self._runs.get(run_id)
        return live.problem if live is not None else ""

    def timeline(self, run_id: str) -> Timeline:
        """The run's log as far as it goes, to be played. Raises UnknownName, LogError."""
        return _timeline_of(self.watch.look(run_id))

    def recent(self, limit: int) -> list[Recent]:
        """The newest runs."""
        found = [self._settled(summary) for summary in self.store.runs(limit)]
        return [Recent(summary, self._state(summary), self._stages_of(summary.run)) for summary in found]

    def close(self, seconds: float = 10.0) -> None:
        """Pause every run after the act under way; what takes longer is cut off and can be resumed. Ends the thread."""
        if not self._thread.is_alive():
            return
        for run_id in list(self._runs):
            self.pause(run_id)
        with suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(_wind_up(seconds), self._loop).result(seconds + 5)
        self.coverage.close()
        self.topics.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        if not self._thread.is_alive():
            self._loop.close()

    def _state(self, summary: RunSummary) -> RunState:
        live = self._runs.get(summary.run)
        if live is not None and live.going:
            return "pausing" if live.pausing else "running"
        return "elsewhere" if summary.status == "running" else summary.status

    def _settled(self, summary: RunSummary) -> RunSummary:
        """A run that counts as running although its process is gone becomes `interrupted`."""
        if summary.status != "running" or self.is_live(summary.run):
            return summary
        if summary.owner is not None and is_gone(summary.owner):
            self.store.release(summary.run, summary.owner)
        self.store.interrupt_stale()
        return self.store.run(summary.run)

    def _stages_of(self, run_id: str) -> int:
        if run_id not in self._stages:
            opened = None
            with suppress(PlenaryError):  # one run that can't be read must not keep the others from being listed
                opened = self.store.log(run_id).first()
            if not isinstance(opened, ConferenceOpened):
                return 0
            self._stages[run_id] = len(opened.spec.agenda)
        return self._stages[run_id]

    async def _hold(self, run_id: str, live: _Live) -> None:
        def hear(speaker: str, text: str) -> None:
            live.speaking = Speaking(speaker, text)

        def happened(event: Event) -> None:
            if isinstance(event, Utterance):
                live.speaking = None

        try:
            embedder = await asyncio.to_thread(lambda: embedder_for(spec_of(self.store, run_id)))
            live.session = session_of(self.store, run_id, whisper=hear, on_event=happened, embedder=embedder)
            live.session.step = live.step
            if live.pausing:
                live.session.pause()
            await hold(self.store, run_id, live.session)
        except asyncio.CancelledError:
            self.store.set_status(run_id, "interrupted")
            raise
        except PlenaryError as error:
            live.problem = str(error)
            self._failed(run_id)
        except Exception as error:
            live.problem = f"{type(error).__name__}: {error}"
            logging.getLogger(__name__).exception("run %s broke off", run_id)
            self._failed(run_id)
        finally:
            live.session, live.speaking, live.pausing, live.step = None, None, False, None

    def _failed(self, run_id: str) -> None:
        """Unless another process holds the run: then it goes on there."""
        with suppress(PlenaryError):
            if self.store.run(run_id).owner is None:
                self.store.set_status(run_id, "failed")


@lru_cache(maxsize=16)
def _timeline_of(seen: Seen | None) -> Timeline:
    return timeline_from(seen.events if seen else ())


def _pause(live: _Live) -> None:
    """In the loop's thread: a session that isn't made yet is paused once it is."""
    if live.session is not None:
        live.session.pause()


def _set_step(live: _Live) -> None:
    """In the loop's thread: a run that goes on already stops at its next step."""
    if live.session is not None:
        live.session.step = live.step


async def _wind_up(seconds: float) -> None:
    """Wait for the runs of this loop, then cut off those that take longer."""
    runs = asyncio.all_tasks() - {asyncio.current_task()}
    if not runs:
        return
    _, late = await asyncio.wait(runs, timeout=seconds)
    for task in late:
        task.cancel()
    if late:
        await asyncio.wait(late, timeout=3)
