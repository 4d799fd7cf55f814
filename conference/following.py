"""Coverage of talks that go on, or are played: read in one thread beside, so that no page waits for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from conference.analysis.covered import CoveredView, covered_view
from conference.domain.coverage import ByChance, UtteranceCoverage
from conference.domain.events import Event
from conference.errors import PlenaryError

if TYPE_CHECKING:
    from conference.analysis.coverage import CoverageReader

KEPT = 8
"""Stages of one talk kept, so that several can watch it at different places."""


@dataclass(frozen=True)
class Followed:
    """The coverage read last, which may lag by seconds; None before the first. `problem` says in one line why there is none."""

    view: CoveredView | None = None
    rows: tuple[UtteranceCoverage, ...] = ()
    """What each line said raises, as far as `view` was read."""
    problem: str = ""
    current: bool = False
    """Whether everything said was read, or never will be."""


@dataclass
class _Talk:
    rows: list[UtteranceCoverage] = field(default_factory=list)
    """What was read so far, one row for each line said."""
    found: dict[int, tuple[CoveredView, tuple[UtteranceCoverage, ...]]] = field(default_factory=dict)
    """By how many events of the talk were looked at."""
    busy: bool = False
    problem: str = ""


class CoverageFollower:
    """Asked as often as a page likes; nothing is read twice."""

    def __init__(self) -> None:
        self._talks: dict[str, _Talk] = {}
        self._readers: dict[str, CoverageReader] = {}
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="plenary-coverage")

    def latest(self, talk: str, reference: str, events: Sequence[Event]) -> Followed:
        """Coverage of the talk of this name, whose log begins with these events."""
        with self._lock:
            known = self._talks.setdefault(talk, _Talk())
            if len(events) not in known.found and not known.busy and not known.problem:
                known.busy = True
                self._worker.submit(self._read_on, known, reference, tuple(events))
            before = [count for count in known.found if count <= len(events)]
            current = len(events) in known.found or bool(known.problem)
            view, rows = known.found[max(before)] if before else (None, ())
            return Followed(view, rows, known.problem, current)

    def by_chance(self, reference: str, utterances: Sequence[int]) -> tuple[ByChance, ...]:
        """What so many utterances about something else would cover; nothing as long as the reference isn't learnt."""
        reader = self._readers.get(reference)
        found = [reader.by_chance(number) for number in utterances] if reader else []
        return tuple(each for each in found if each is not None)

    def close(self) -> None:
        """Read nothing more."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _read_on(self, talk: _Talk, reference: str, events: tuple[Event, ...]) -> None:
        problem, found = "", None
        try:
            found = self._read(talk, reference, events)
        except PlenaryError as error:
            problem = str(error)
        except Exception as error:
            logging.getLogger(__name__).exception("coverage broke off")
            problem = f"coverage broke off ({type(error).__name__}: {error}); the conference itself is not touched by it"
        with self._lock:
            talk.busy, talk.problem = False, problem
            if found is not None:
                talk.found[len(events)] = found
                while len(talk.found) > KEPT:
                    del talk.found[next(iter(talk.found))]

    def _read(self, talk: _Talk, reference: str, events: tuple[Event, ...]) -> tuple[CoveredView, tuple[UtteranceCoverage, ...]]:
        from conference.analysis.coverage import lines_of
        from conference.covering import reader_for
        from conference.library import load_reference

        if reference not in self._readers:
            self._readers[reference] = reader_for(load_reference(reference))
        reader, lines = self._readers[reference], lines_of(events)
        talk.rows.extend(reader.rows(lines[len(talk.rows) :]))
        rows = tuple(talk.rows[: len(lines)])
        return covered_view(reader.coverage(lines, rows), reader.reference), rows
