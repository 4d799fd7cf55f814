"""The contract of the log: append-only, numbered without gaps, shared by whoever runs, reads or watches."""

from __future__ import annotations

from typing import Protocol

from conference.domain.chat import ModelCall
from conference.domain.events import Event
from conference.errors import LogError


class ConferenceLog(Protocol):
    """The log of one run."""

    def append(self, event: Event) -> None:
        """Keep one event. Raises LogError unless its `seq` is the next one (a doubled delivery of the same event is harmless)."""
        ...

    def events(self, after: int = -1) -> list[Event]:
        """Events with `seq` > `after`, in order."""
        ...

    def record(self, call: ModelCall) -> None:
        """Keep one model call, whole, beside the log."""
        ...


class MemoryLog:
    """A log that lasts as long as the process: for tests, and for judging without a store."""

    def __init__(self, events: list[Event] | None = None) -> None:
        self._events: list[Event] = list(events or [])
        self.calls: list[ModelCall] = []

    def append(self, event: Event) -> None:
        """Keep one event; see ConferenceLog."""
        expected = len(self._events)
        if event.seq < expected and self._events[event.seq] == event:
            return
        if event.seq != expected:
            raise LogError(
                f"event {event.seq} ({event.kind}) doesn't follow event {expected - 1}; reload the log and fold it again"
            )
        self._events.append(event)

    def events(self, after: int = -1) -> list[Event]:
        """Events with `seq` > `after`."""
        return self._events[after + 1 :]

    def record(self, call: ModelCall) -> None:
        """Keep one call."""
        self.calls.append(call)
