"""Logs as they grow: what many watchers look at is read once, and only what is new."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from conference.analysis.room import RoomView, room_view
from conference.domain.events import Event
from conference.store import Store

KEPT = 64
"""Logs kept in memory; those looked at longest ago go first."""


@dataclass(frozen=True, eq=False)
class Seen:
    """A log as far as it was read, and its room. Two are equal when they are the same object."""

    events: tuple[Event, ...]
    view: RoomView


@dataclass
class _Log:
    seen: Seen | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class Watch:
    """Reads the logs of a store for any number of threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._logs: OrderedDict[str, _Log] = OrderedDict()
        self._lock = threading.Lock()

    def look(self, run_id: str) -> Seen | None:
        """The log now; None while it is empty. Cheap when nothing came. Raises UnknownName, LogError."""
        log = self._log(run_id)
        with log.lock:
            known = log.seen.events if log.seen else ()
            new = self._store.log(run_id).events(after=known[-1].seq if known else -1)
            if new:
                events = (*known, *new)
                log.seen = Seen(events, room_view(events))
            return log.seen

    def _log(self, run_id: str) -> _Log:
        with self._lock:
            log = self._logs.setdefault(run_id, _Log())
            self._logs.move_to_end(run_id)
            while len(self._logs) > KEPT:
                self._logs.popitem(last=False)
            return log
