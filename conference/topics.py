"""Topics a reference lacks, grouped in one thread beside, so that no page waits for them."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from conference.analysis.beyond import Topics, topics_of
from conference.analysis.coverage import Line
from conference.domain.chat import Embedder
from conference.domain.coverage import UtteranceCoverage
from conference.errors import PlenaryError

KEPT = 32
"""Groupings kept; those asked for longest ago go first."""


@dataclass(frozen=True)
class Grouped:
    """The topics; None until they are there. `problem` says in one line why there won't be any."""

    topics: Topics | None = None
    problem: str = ""

    @property
    def done(self) -> bool:
        """Whether there is nothing to wait for."""
        return self.topics is not None or bool(self.problem)


class TopicFinder:
    """Asked as often as a page likes; the same lines are grouped once."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, int], Grouped] = OrderedDict()
        self._lock = threading.Lock()
        self._embedder: Embedder | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="plenary-topics")

    def latest(self, talk: str, lines: Sequence[Line], rows: Sequence[UtteranceCoverage], without: Collection[str]) -> Grouped:
        """Topics of the talk of this name (one name, one reference), as far as `rows` go."""
        key = (talk, len(rows))
        with self._lock:
            if key not in self._known:
                self._known[key] = Grouped()
                self._worker.submit(self._group, key, tuple(lines[: len(rows)]), tuple(rows), frozenset(without))
                while len(self._known) > KEPT:
                    self._known.popitem(last=False)
            self._known.move_to_end(key)
            return self._known[key]

    def close(self) -> None:
        """Group nothing more."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _group(
        self, key: tuple[str, int], lines: tuple[Line, ...], rows: tuple[UtteranceCoverage, ...], without: frozenset[str]
    ) -> None:
        from conference.models.embeddings import best_embedder

        try:
            self._embedder = self._embedder or best_embedder()  # it holds a model: one is enough
            found = Grouped(topics_of(lines, rows, self._embedder, without))
        except PlenaryError as error:
            found = Grouped(problem=str(error))
        except Exception as error:
            logging.getLogger(__name__).exception("grouping broke off")
            found = Grouped(
                problem=f"grouping broke off ({type(error).__name__}: {error}); the conference itself is not touched by it"
            )
        with self._lock:
            if key in self._known:
                self._known[key] = found
