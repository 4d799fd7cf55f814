"""Work a page has asked for and doesn't wait for: a thread with a loop, and what came of each errand."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from conference.errors import PlenaryError

T = TypeVar("T")


class Errand(Generic[T]):
    """One piece of work under way. Exactly one of `result` and `problem` is there once it is done."""

    def __init__(self, future: Future[T]) -> None:
        self._future = future

    @property
    def done(self) -> bool:
        """Whether it ended, well or not."""
        return self._future.done()

    @property
    def result(self) -> T | None:
        """What came of it; None while under way, and when it failed."""
        return self._future.result() if self.done and not self._future.cancelled() and self._future.exception() is None else None

    @property
    def problem(self) -> str:
        """Why it failed, in one line; empty when it didn't."""
        if not self.done:
            return ""
        if self._future.cancelled():
            return "it was stopped; try again"
        error = self._future.exception()
        if error is None or isinstance(error, PlenaryError):
            return str(error or "")
        return f"{type(error).__name__}: {error}"

    def stop(self) -> None:
        """Give it up."""
        self._future.cancel()


class Errands:
    """Runs errands beside each other; `close` gives up what is under way."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="plenary-errands", daemon=True)
        self._thread.start()

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> Errand[T]:
        """Begin `work()`, in the errands' own thread."""

        async def told() -> T:
            try:
                return await work()
            except PlenaryError:
                raise
            except Exception:
                logging.getLogger(__name__).exception("an errand failed")
                raise

        return Errand(asyncio.run_coroutine_threadsafe(told(), self._loop))

    def close(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
