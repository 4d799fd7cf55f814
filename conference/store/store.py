"""The store: the one door to everything that lasts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection

from conference.domain.events import Event
from conference.domain.spec import Condition
from conference.store import calls, leases, paging, runs, searching
from conference.store.calls import StoredCall
from conference.store.database import Database
from conference.store.paging import EVERYTHING, PAGE, Contents, EventPage, Wanted
from conference.store.run_log import RunLog
from conference.store.runs import Prefix, RunSummary
from conference.store.spans import Span, spans
from conference.store.tables import Status
from conference.store.upgrading import upgrade

P = ParamSpec("P")
T = TypeVar("T")


class Store:
    """Runs, their logs and their calls, in the database at an address; for many threads, and beside other processes.

    Every method raises LogError, in one line, when the database fails; those that take a run raise UnknownName.
    """

    def __init__(self, url: str) -> None:
        """For `sqlite:////folder/plenary.db` or `postgresql://user@host/name`; nothing is opened yet. Raises SetupError."""
        self._database = Database(url)

    @classmethod
    def open(cls, url: str) -> Self:
        """A store whose tables are there and of this version. Raises SetupError."""
        store = cls(url)
        try:
            upgrade(store._database)
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close all connections."""
        self._database.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, doing: str, work: Callable[Concatenate[Connection, Database, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return self._database.run(doing, lambda connection: work(connection, self._database, *args, **kwargs))

    # runs

    def create_run(
        self,
        title: str,
        *,
        condition: Condition = "with_judge",
        models: Sequence[str] = (),
        seed: int = 1,
        status: Status = "running",
        prefix: Prefix | None = None,
    ) -> str:
        """A new run without events; its id. `models` are names, each kept once.

        A run that is `running` counts as interrupted unless it is acquired within a minute. `prefix`: the log begins with another
        run's first events, by reference.
        """
        return self._run("creating a run", runs.create, title, condition, models, seed, status, prefix)

    def runs(self, limit: int | None = None, *, deleted: bool = False) -> list[RunSummary]:
        """Newest first, at most `limit`; the deleted ones instead when asked for."""
        return self._run("listing the runs", runs.summaries, limit, deleted)

    def run(self, run: str) -> RunSummary:
        """One run, deleted or not."""
        return self._run(f"reading run {run}", runs.summary, run)

    def find_run(self, prefix: str) -> str:
        """The id that is, or alone begins with, `prefix`. Raises UnknownName, naming the nearest."""
        return self._run("listing the runs", runs.find_run, prefix)

    def set_status(self, run: str, status: Status) -> None:
        """Change the status of a run."""
        self._run(f"changing run {run}", leases.set_status, run, status)

    def delete_run(self, run: str) -> None:
        """Take a run out of every list; `undelete` brings it back until it is purged. Raises UserError while it is held."""
        self._run(f"deleting run {run}", runs.mark_deleted, run)

    def undelete(self, run: str) -> None:
        """Bring a deleted run back."""
        self._run(f"bringing back run {run}", runs.mark_undeleted, run)

    def purge(self, days: float = 30) -> list[str]:
        """Remove for good, events and calls too, what was deleted more than `days` ago; the ids of what was removed."""
        return self._run("removing deleted runs", runs.purge, days)

    # logs and calls

    def log(self, run: str) -> RunLog:
        """The log of a run, to append to, to read and to watch."""
        self._run(f"reading run {run}", runs.check, run)
        return RunLog(self._database, run)

    def calls(self, run: str, after: int = -1, limit: int = 100) -> list[StoredCall]:
        """Model calls with a number > `after`, in order, at most `limit`; go on with `after` = the last number."""
        return self._run(f"reading the calls of run {run}", calls.page, run, after, limit)

    def calls_for(self, run: str, seq: int) -> list[StoredCall]:
        """The calls that led to event `seq`, retries included, in order."""
        of = next((piece.run for piece in self.spans(run) if piece.last is None or seq <= piece.last), run)
        return self._run(f"reading the calls of run {run}", calls.of_event, of, seq)

    def spans(self, run: str) -> tuple[Span, ...]:
        """Whose events the log of a run is made of; one piece, unless it is a fork."""
        return self._run(f"reading run {run}", spans, run)

    # pages of a log

    def page(self, run: str, number: int = 0, wanted: Wanted = EVERYTHING, size: int = PAGE) -> EventPage:
        """The events of one page (0-based) of those that are wanted; the last page when there are fewer."""
        return self._paged(run, wanted, paging.page, wanted, number, size)

    def page_of(self, run: str, seq: int, wanted: Wanted = EVERYTHING, size: int = PAGE) -> int | None:
        """The page that holds event `seq`; None when it isn't among those wanted."""
        return self._paged(run, wanted, paging.page_of, wanted, seq, size)

    def matching(self, run: str, wanted: Wanted = EVERYTHING) -> Iterator[Event]:
        """All events that are wanted, in order, read by and by."""
        after: int | None = -1
        while after is not None:
            found = self._paged(run, wanted, paging.after, wanted, after)
            yield from found
            after = found[-1].seq if found else None

    def contents(self, run: str) -> Contents:
        """What a log can be filtered by: its stages and rounds, who spoke, kinds and verdicts, each with its count."""
        return self._run(f"reading run {run}", paging.contents, self.spans(run))

    def make_searchable(self, run: str) -> None:
        """Put into the search index what was said since the last time; a search does it first, so it only saves waiting."""
        self._run(f"indexing run {run}", searching.catch_up, self.spans(run))

    def _paged(self, run: str, wanted: Wanted, work: Callable[..., T], *args: object) -> T:
        if wanted.words:
            self.make_searchable(run)
        return self._run(f"reading run {run}", work, self.spans(run), *args)

    # leases

    def acquire(self, run: str, owner: str, seconds: float) -> bool:
        """Whether `owner` (any name that no other process uses) now holds the run, for so many seconds."""
        return self._run(f"locking run {run}", leases.acquire, run, owner, seconds)

    def renew(self, run: str, owner: str, seconds: float) -> bool:
        """Whether `owner` still holds the run, for so many seconds from now.

        False once somebody else took it or it was marked interrupted: stop appending then.
        """
        return self._run(f"locking run {run}", leases.renew, run, owner, seconds)

    def release(self, run: str, owner: str) -> None:
        """Give a run back; nothing happens when somebody else holds it."""
        self._run(f"unlocking run {run}", leases.release, run, owner)

    def interrupt_stale(self) -> list[str]:
        """Mark every `running` run whose lease ran out as `interrupted`; their ids."""
        return self._run("looking for interrupted runs", leases.interrupt_stale)
