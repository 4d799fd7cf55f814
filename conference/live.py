"""The runs that are under way in this process: one thread, one loop, whatever page looks. Pages read the log and send commands."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from conference.domain.coverage import Coverage
from conference.domain.events import Utterance
from conference.domain.spec import Condition, Spec
from conference.errors import PlenaryError
from conference.store import Store

if TYPE_CHECKING:
    from conference.analysis.coverage import CoverageTracker
    from conference.session import Session


@dataclass(frozen=True)
class Speaking:
    """Who is speaking, and the words so far."""

    speaker: str
    text: str


@dataclass
class _Live:
    """One run under way. Replaced values are immutable, so readers need no lock."""

    session: Session | None = None
    task: Future[None] | None = None
    speaking: Speaking | None = None
    problem: str = ""


@dataclass
class _Covered:
    """Coverage of one run, as far as it was read."""

    tracker: CoverageTracker | None = None
    read: int = -1
    latest: Coverage | None = None
    problem: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)


class LiveRuns:
    """Starts, resumes and pauses conferences; a closed tab or a page switch changes nothing. `close` pauses what runs."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._runs: dict[str, _Live] = {}
        self._covered: dict[str, _Covered] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="plenary-runs", daemon=True)
        self._thread.start()
        store.interrupt_stale()

    def start(self, spec: Spec, condition: Condition = "with_judge") -> str:
        """Open a run and begin it; gives its id. Raises UserError when a model can't be used."""
        from conference.running import open_run

        run_id = open_run(self.store, spec, condition)
        self.resume(run_id)
        return run_id

    def resume(self, run_id: str) -> None:
        """Go on with a run that isn't under way here."""
        live = self._runs.setdefault(run_id, _Live())
        if live.task is not None and not live.task.done():
            return
        live.problem = ""
        live.task = self._submit(self._hold(run_id, live))

    def pause(self, run_id: str) -> None:
        """Ask for a pause before the next act."""
        live = self._runs.get(run_id)
        if live is not None and live.session is not None:
            self._loop.call_soon_threadsafe(live.session.pause)

    def is_live(self, run_id: str) -> bool:
        """Whether the run is under way in this process."""
        live = self._runs.get(run_id)
        return live is not None and live.task is not None and not live.task.done()

    def speaking(self, run_id: str) -> Speaking | None:
        """Who is speaking now."""
        live = self._runs.get(run_id)
        return live.speaking if live is not None else None

    def problem(self, run_id: str) -> str:
        """Why the run broke off, in one line; empty when it didn't."""
        live = self._runs.get(run_id)
        return live.problem if live is not None else ""

    def coverage(self, run_id: str, reference: str) -> Coverage | None:
        """The latest coverage of a run; what is new is read in a thread of its own, so it may lag by a second. None before the first."""
        covered = self._covered.setdefault(run_id, _Covered())
        if not covered.problem and covered.lock.acquire(blocking=False):
            threading.Thread(target=self._read_on, args=(run_id, reference, covered), daemon=True).start()
        return covered.latest

    def coverage_problem(self, run_id: str) -> str:
        """Why there is no coverage, in one line; empty when there is."""
        return self._covered[run_id].problem if run_id in self._covered else ""

    def close(self, seconds: float = 10.0) -> None:
        """Pause every run after the act under way, wait for them, and stop the thread."""
        for run_id in list(self._runs):
            self.pause(run_id)
        for live in self._runs.values():
            if live.task is not None:
                try:
                    live.task.result(timeout=seconds)
                except (TimeoutError, Exception):  # noqa: S110, BLE001 - the log says what happened; the run is found interrupted
                    live.task.cancel()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=seconds)

    def _submit(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _hold(self, run_id: str, live: _Live) -> None:
        def hear(speaker: str, text: str) -> None:
            live.speaking = Speaking(speaker, text)

        try:
            from conference.running import embedder_for, hold, session_of, spec_of

            spec = spec_of(self.store, run_id)
            embedder = await asyncio.to_thread(embedder_for, spec)
            live.session = session_of(self.store, run_id, whisper=hear, embedder=embedder)
            live.session.on_event = lambda event: setattr(live, "speaking", None) if isinstance(event, Utterance) else None
            await hold(self.store, run_id, live.session)
        except PlenaryError as error:
            live.problem = str(error)
            self.store.set_status(run_id, "failed")
        except Exception as error:
            live.problem = f"{type(error).__name__}: {error}"
            raise
        finally:
            live.session, live.speaking = None, None

    def _read_on(self, run_id: str, reference: str, covered: _Covered) -> None:
        """Read what was said since the last time. Holds the lock it was started with."""
        try:
            from conference.analysis.coverage import CoverageTracker, lines_of
            from conference.covering import reader_for
            from conference.library import load_reference

            if covered.tracker is None:
                covered.tracker = CoverageTracker(reader_for(load_reference(reference)))
            events = self.store.log(run_id).events(after=covered.read)
            for line in lines_of(events):
                covered.tracker.add(line)
            if events:
                covered.read = events[-1].seq
            covered.latest = covered.tracker.coverage()
        except PlenaryError as error:
            covered.problem = str(error)
        finally:
            covered.lock.release()
