"""What a store promises on every database. `test_store` runs this on SQLite, `test_store_postgres` on PostgreSQL.

A module that subclasses these gives a fixture `address`: a database that is there and empty.
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from conference.domain.chat import Reply, TokenChoice, Usage
from conference.domain.events import ConferenceOpened, Event, Fault, Paused, Resumed, StageOpened
from conference.domain.log import ConferenceLog
from conference.errors import LogError, SetupError, UnknownName, UserError
from conference.store import Store, tables
from conference.store.database import Database
from conference.store.runs import Prefix
from conference.store.upgrading import MIGRATIONS, revision, upgrade
from tests.arbitrary_events import an_event, spec
from tests.store_workers import SPAWN, append_for_ever, append_many, in_processes, model_call, open_fresh, take, utterance

NOW = "2026-11-30T22:00:00Z"

UNCONCERNING = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.differing_executors]
"""One contract runs under two stores, on purpose: that is what `differing_executors` sees."""


def opened() -> ConferenceOpened:
    return ConferenceOpened(seq=0, at=NOW, spec=spec(), seed=1, packages={"autogen-core": "0.7.5"})


class _WithStore:
    @pytest.fixture
    def store(self, address: str) -> Iterator[Store]:
        with Store.open(address) as store:
            yield store

    @pytest.fixture
    def run(self, store: Store) -> str:
        return store.create_run("Cannabis regulation")


class RunsContract(_WithStore):
    def test_an_id_sorts_by_day_and_says_what_it_is(self, store: Store) -> None:
        assert re.fullmatch(r"\d{8}-cannabis-regulation-[0-9a-f]{4}", store.create_run("Cannabis regulation"))

    def test_an_id_that_is_taken_is_drawn_again(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        drawn = iter(["7f3a", "7f3a", "7f3b"])
        monkeypatch.setattr("conference.store.runs.secrets.token_hex", lambda _: next(drawn))
        assert [store.create_run("Twice")[-4:] for _ in range(2)] == ["7f3a", "7f3b"]

    def test_a_list_shows_what_a_run_came_to(self, store: Store) -> None:
        run = store.create_run(
            "Cannabis regulation", condition="matched_budget", models=["embedded", "scripted", "embedded"], seed=7
        )
        log = store.log(run)
        log.append(opened())
        log.append(StageOpened(seq=1, at=NOW, stage=0, name="Values"))
        log.record(model_call())
        log.record(model_call(outcome="failed", reply=None, error="429"))
        log.append(utterance(2))
        log.append(Resumed(seq=3, at="2099-01-01T00:00:00Z"))
        [found] = store.runs()
        assert found == store.run(run)
        assert found.model_dump(exclude={"created_at"}) == {
            "run": run,
            "status": "running",
            "title": "Cannabis regulation",
            "condition": "matched_budget",
            "models": ("embedded", "scripted"),
            "seed": 7,
            "updated_at": "2099-01-01T00:00:00Z",
            "events": 4,
            "utterances": 1,
            "tokens": 240 - 200 + 70,  # the failed call had no reply: its tokens are missing, not zero
            "stage": 0,
            "round": 1,
            "owner": None,
            "deleted_at": None,
            "parent": None,
            "parent_events": 0,
        }

    def test_an_empty_run_has_no_stage_yet(self, store: Store, run: str) -> None:
        found = store.run(run)
        assert (found.events, found.utterances, found.tokens, found.stage, found.round) == (0, 0, 0, None, None)

    def test_newest_first_and_no_more_than_asked_for(self, store: Store) -> None:
        made = [store.create_run(f"Run {number}") for number in range(4)]
        assert [found.run for found in store.runs()] == made[::-1]
        assert [found.run for found in store.runs(limit=2)] == made[:1:-1]

    @pytest.mark.parametrize(
        "title", ["NUL \x00 here", "大麻の規制", "💊" * 40, "", "'; DROP TABLE runs; --", "100 % of {people} ?"]
    )
    def test_any_title(self, store: Store, title: str) -> None:
        assert store.run(store.create_run(title)).title == title.replace("\x00", "")

    def test_a_seed_no_column_holds(self, store: Store) -> None:
        assert store.run(store.create_run("x", seed=-(2**63))).seed == -(2**63)
        with pytest.raises(UserError, match="the seed 9223372036854775808 is too large; choose one below 2"):
            store.create_run("x", seed=2**63)

    def test_status(self, store: Store, run: str) -> None:
        for status in tables.STATUSES:
            store.set_status(run, status)
            assert store.run(run).status == status

    def test_a_status_nobody_knows(self, store: Store, run: str) -> None:
        with pytest.raises(LogError, match="changing run .* failed: .*constraint"):
            store.set_status(run, "dormant")  # type: ignore[arg-type]

    def test_a_run_is_found_by_how_it_begins(self, store: Store) -> None:
        cannabis, alcohol = store.create_run("Cannabis regulation"), store.create_run("Alcohol duty")
        for wanted in (cannabis, cannabis[:-2], cannabis.upper(), "cannabis", f" {cannabis[:14]} "):
            assert store.find_run(wanted) == cannabis
        assert store.find_run("alc") == alcohol

    def test_a_run_that_cannot_be_found(self, store: Store) -> None:
        with pytest.raises(UnknownName, match="unknown run 'x'; there are no runs yet: start one"):
            store.find_run("x")
        run = store.create_run("Cannabis regulation")
        with pytest.raises(UnknownName, match=f"unknown run '{run[:8]}-canabis-regul'; did you mean '{run}'?"):
            store.find_run(f"{run[:8]}-canabis-regul")
        other = store.create_run("Cannabis regulation")
        with pytest.raises(UnknownName, match=f"'2' begins 2 runs; write more of the one you mean: {other}, {run}"):
            store.find_run("2")
        with pytest.raises(UnknownName):
            store.find_run("")

    @pytest.mark.parametrize("method", ["run", "log", "undelete", "delete_run"])
    def test_a_run_nobody_knows(self, store: Store, run: str, method: str) -> None:
        with pytest.raises(UnknownName, match=f"unknown run '{run}x'; did you mean '{run}'?"):
            getattr(store, method)(f"{run}x")

    def test_status_and_lease_of_a_run_nobody_knows(self, store: Store) -> None:
        with pytest.raises(UnknownName):
            store.set_status("x", "paused")
        with pytest.raises(UnknownName):
            store.acquire("x", "me", 1)

    def test_deleted_undeleted_purged(self, store: Store, run: str) -> None:
        log = store.log(run)
        log.record(model_call())
        log.append(Resumed(seq=0, at=NOW))
        store.delete_run(run)
        assert store.runs() == []
        assert [found.run for found in store.runs(deleted=True)] == [run]
        assert store.run(run).deleted_at is not None
        with pytest.raises(UnknownName):
            store.find_run(run)
        store.undelete(run)
        assert store.find_run(run) == run
        assert log.events() == [Resumed(seq=0, at=NOW)]
        store.delete_run(run)
        assert store.purge() == []  # it was deleted only now
        assert store.purge(days=0) == [run]
        assert (store.runs(deleted=True), store.calls(run), log.events()) == ([], [], [])
        with pytest.raises(UnknownName):
            store.undelete(run)

    def test_a_run_that_is_held_is_not_deleted(self, store: Store, run: str) -> None:
        store.acquire(run, "worker-1", 60)
        with pytest.raises(UserError, match=f"run {run} is being run by worker-1; stop it first, then delete it"):
            store.delete_run(run)
        store.release(run, "worker-1")
        store.delete_run(run)

    def test_runs_that_are_not_deleted_are_never_purged(self, store: Store, run: str) -> None:
        assert store.purge(days=-1) == []
        assert store.find_run(run) == run


class LogContract(_WithStore):
    @pytest.fixture
    def log(self, store: Store, run: str) -> ConferenceLog:
        return store.log(run)

    def test_events_come_back_as_they_were(self, store: Store, run: str, log: ConferenceLog) -> None:
        kept: list[Event] = [opened(), StageOpened(seq=1, at=NOW, stage=0, name="Values"), utterance(2), utterance(3, "")]
        for event in kept:
            log.append(event)
        assert log.events() == kept
        assert log.events(after=1) == kept[2:]
        assert log.events(after=3) == []
        assert store.log(run).events() == kept

    def test_a_doubled_delivery_is_harmless(self, store: Store, run: str, log: ConferenceLog) -> None:
        for event in (opened(), utterance(1)):
            log.append(event)
        for again in (utterance(1), opened()):
            log.append(again)
            store.log(run).append(again)
        assert log.events() == [opened(), utterance(1)]

    def test_a_doubled_delivery_may_be_written_differently(self, store: Store, run: str, log: ConferenceLog) -> None:
        """An older version wrote no field that is only there by default."""
        log.append(Paused(seq=0, at=NOW, because="step"))
        with store._database.engine.connect() as connection:
            body = f'{{"because":"step","at":"{NOW}","kind":"paused","seq":0}}'
            connection.execute(tables.events.update().values(body=body))
        log.append(Paused(seq=0, at=NOW, because="step"))

    @pytest.mark.parametrize(
        ("event", "message"),
        [
            (utterance(0), "event 0 .utterance. of run .* would replace another event 0"),
            (utterance(1, "Something else."), "event 1 .utterance. of run .* would replace another event 1"),
            (Resumed(seq=3, at=NOW), "event 3 .resumed. of run .* doesn't follow event 1"),
            (Resumed(seq=10**30, at=NOW), "event 10+ .resumed. of run .* has a number beyond any log"),
        ],
    )
    def test_what_does_not_follow_is_refused(self, log: ConferenceLog, event: Event, message: str) -> None:
        kept: list[Event] = [opened(), utterance(1)]
        for known in kept:
            log.append(known)
        with pytest.raises(LogError, match=f"^{message}; reload the log and fold it again$"):
            log.append(event)
        assert log.events() == kept
        log.append(utterance(2))

    def test_a_log_begins_with_0(self, log: ConferenceLog) -> None:
        with pytest.raises(LogError, match=r"event 1 .* doesn't begin a log \(0 does\)"):
            log.append(utterance(1))

    def test_a_purged_run_takes_no_more(self, store: Store, run: str, log: ConferenceLog) -> None:
        store.delete_run(run)
        store.purge(days=0)
        with pytest.raises(LogError, match="keeping event 0 .* failed: .*; look with `runs` whether the run is still there"):
            log.append(opened())
        with pytest.raises(LogError, match="keeping a call of run .* failed"):
            log.record(model_call())

    @pytest.mark.parametrize(
        "said",
        [
            "NUL \x00 and \x1f",
            "👩‍🚒 🏳️‍🌈 ñ 漢字",
            "مرحبا \u202e",
            '"quotes" \\ back\\slash',
            "</script>%s?:x{}",
            "line\r\n\u2028end",
            "\ufeffbom",
        ],
    )
    def test_any_text(self, store: Store, run: str, said: str) -> None:
        log = store.log(run)
        event, call = utterance(0, said, speaker=said), model_call(said, speaker=said, role=said, model=said, error=said)
        log.record(call)
        log.append(event)
        assert log.events() == [event]
        assert [kept.call for kept in store.calls_for(run, 0)] == [call]

    def test_ten_megabytes(self, store: Store, run: str) -> None:
        said = "Ünïcode, sagte sie. 💬" * 400_000
        log = store.log(run)
        log.record(model_call(said))
        log.append(utterance(0, said))
        assert log.events() == [utterance(0, said)]
        assert store.calls(run)[0].call == model_call(said)

    @settings(max_examples=60, deadline=None, suppress_health_check=UNCONCERNING)
    @given(data=st.data())
    def test_any_events_come_back(self, store: Store, data: st.DataObject) -> None:
        kept = [data.draw(an_event(seq)) for seq in range(data.draw(st.integers(1, 6)))]
        log = store.log(store.create_run("Any"))
        for event in kept:
            log.append(event)
            log.append(event)
        after = data.draw(st.integers(-1, len(kept)))
        assert log.events(after) == kept[after + 1 :]
        assert store.run(log.run).events == len(kept)

    def test_a_number_json_does_not_know(self, log: ConferenceLog) -> None:
        event = utterance(0).model_copy(update={"usage": Usage(seconds=math.inf)})
        log.append(event)
        log.append(event)
        assert log.events() == [event]

    @pytest.mark.parametrize(
        ("event", "message"),
        [
            (Fault.model_construct(kind="fault", seq=0, at=NOW, where=3, error="x"), "couldn't be read back"),
            (Fault.model_construct(kind="fault", seq=0, at=NOW, where="turn", error="\ud800"), "can't be written as JSON"),
        ],
    )
    def test_what_could_not_be_read_again_is_refused(self, log: ConferenceLog, event: Event, message: str) -> None:
        with pytest.raises(LogError, match=rf"^event 0 \(fault\) .*{message}"):
            log.append(event)
        assert log.events() == []

    def test_an_event_of_a_later_version(self, store: Store, run: str, log: ConferenceLog) -> None:
        log.append(opened())
        row = {"run": run, "seq": 1, "at": NOW, "kind": "dance", "body": '{"seq":1,"at":"x","kind":"dance"}'}
        with store._database.engine.connect() as connection:
            connection.execute(tables.events.insert().values(row))
        with pytest.raises(LogError, match=f"^event 1 of run {run} can't be read by this version of Plenary; update it$"):
            log.events()
        with pytest.raises(LogError, match=f"^event 1 of run {run} can't be read by this version of Plenary; update it$"):
            log.events(after=0)


class CallsContract(_WithStore):
    def test_calls_lead_to_the_next_event(self, store: Store, run: str) -> None:
        log = store.log(run)
        log.append(opened())
        log.record(model_call("first try", outcome="rejected"))
        log.record(model_call("second try", attempt=2))
        assert [(kept.number, kept.seq) for kept in store.calls(run)] == [(0, None), (1, None)]
        log.append(utterance(1))
        log.append(utterance(2))
        log.record(model_call("third"))
        log.append(utterance(3))
        assert [(kept.number, kept.seq) for kept in store.calls(run)] == [(0, 1), (1, 1), (2, 3)]
        assert [kept.call for kept in store.calls_for(run, 1)] == [
            model_call("first try", outcome="rejected"),
            model_call("second try", attempt=2),
        ]
        assert store.calls_for(run, 2) == []

    def test_a_refused_event_leaves_its_calls_waiting(self, store: Store, run: str) -> None:
        log = store.log(run)
        log.append(opened())
        log.record(model_call())
        for refused in (utterance(0), utterance(9)):
            with pytest.raises(LogError):
                log.append(refused)
        log.append(opened())  # harmless, and not what the call led to
        assert store.calls(run)[0].seq is None
        log.append(utterance(1))
        assert store.calls(run)[0].seq == 1

    def test_calls_of_a_process_that_died_stay_without_event(self, store: Store, run: str) -> None:
        store.log(run).record(model_call("lost"))
        again = store.log(run)
        again.record(model_call("made again"))
        again.append(opened())
        assert [(kept.seq, kept.call.request.messages[0].content) for kept in store.calls(run)] == [
            (None, "lost"),
            (0, "made again"),
        ]

    def test_two_recorders_of_one_run_keep_their_calls_apart(self, store: Store, run: str) -> None:
        one, two = store.log(run), store.log(run)
        for log in (one, two, one, one, two):
            log.record(model_call())
        one.append(opened())
        two.append(utterance(1))
        assert [(kept.number, kept.seq) for kept in store.calls(run)] == [(0, 0), (1, 1), (2, 0), (3, 0), (4, 1)]

    def test_an_answer_lost_on_the_way_links_nothing_twice(self, store: Store, run: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """The event was kept, the connection broke before the answer came, and the work was done again."""
        log = store.log(run)
        log.record(model_call())
        insert, lost = log._insert, iter([True])

        def losing(*arguments: Any) -> bool:
            done = insert(*arguments)
            if next(lost, False):
                raise OperationalError("INSERT", None, Exception("gone"), connection_invalidated=True)
            return done

        monkeypatch.setattr(log, "_insert", losing)
        log.append(opened())
        log.append(utterance(1))
        assert [kept.seq for kept in store.calls(run)] == [0]

    def test_pages(self, store: Store, run: str) -> None:
        log = store.log(run)
        for number in range(7):
            log.record(model_call(str(number)))
        pages, after = [], -1
        while page := store.calls(run, after=after, limit=3):
            pages.append([kept.number for kept in page])
            after = page[-1].number
        assert pages == [[0, 1, 2], [3, 4, 5], [6]]

    def test_a_call_is_kept_whole(self, store: Store, run: str) -> None:
        """Models do give the logarithm of zero; it must not make a page of calls unreadable."""
        reply = Reply(
            text="Yes", model="m", first_token=(TokenChoice(token="No", logprob=-math.inf),), usage=Usage(seconds=math.inf)
        )
        call = model_call(reply=reply, speaker="Dr M.", at=NOW)
        store.log(run).record(call)
        assert [kept.call for kept in store.calls(run)] == [call]

    def test_the_columns_help_to_find_a_call(self, store: Store, run: str) -> None:
        log = store.log(run)
        log.record(model_call(speaker="Dr M.", at=NOW, attempt=2, outcome="rejected"))
        log.record(model_call(reply=None, error="429", outcome="failed", model="openai:x", attempt=10**12))
        log.append(opened())
        columns = [column for column in tables.calls.c if column.name not in ("run", "at", "body")]
        with store._database.engine.connect() as connection:
            rows = connection.execute(tables.calls.select().with_only_columns(*columns).order_by(tables.calls.c.call)).all()
        assert [tuple(row) for row in rows] == [
            (0, 0, "participant", "Dr M.", "m", "turn", "3", "rejected", 2, 110, 200, 2.8),
            (1, 0, "participant", "", "openai:x", "turn", "3", "failed", 0, None, None, None),
        ]

    def test_keys_are_never_kept(self, store: Store, run: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SOMEBODYS_API_KEY", 'planted-"7f3a"-planted')
        log = store.log(run)
        for seq, said in enumerate(
            ['wrong key planted-"7f3a"-planted', "wrong key sk-proj-0123456789abcdefghij", "task-0123456789abcdefghijklmn"]
        ):
            log.record(model_call(said, reply=None, error=said, outcome="failed"))
            log.append(Fault(seq=seq, at=NOW, where="turn", error=said))
            log.append(Fault(seq=seq, at=NOW, where="turn", error=said))
        wanted = ["wrong key [key removed]", "wrong key [key removed]", "task-0123456789abcdefghijklmn"]
        assert [event.error for event in log.events() if isinstance(event, Fault)] == wanted
        assert [kept.call.error for kept in store.calls(run)] == wanted
        self.search_everything(store, "planted-", "sk-proj")

    def search_everything(self, store: Store, *forbidden: str) -> None:
        with store._database.engine.connect() as connection:
            for table in tables.metadata.sorted_tables:
                for row in connection.execute(table.select()):
                    assert not any(word in str(value) for word in forbidden for value in row)


class LeasesContract(_WithStore):
    def test_one_holds_it_until_it_gives_it_back(self, store: Store, run: str) -> None:
        assert store.acquire(run, "a", 60)
        assert store.acquire(run, "a", 60)
        assert not store.acquire(run, "b", 60)
        assert not store.renew(run, "b", 60)
        store.release(run, "b")
        assert store.run(run).owner == "a"
        store.release(run, "a")
        assert store.run(run).owner is None
        assert not store.renew(run, "a", 60)
        assert store.acquire(run, "b", 60)

    def test_another_takes_it_once_it_has_run_out(self, store: Store, run: str) -> None:
        assert store.acquire(run, "a", 0.05)
        time.sleep(0.1)
        assert store.run(run).owner is None
        assert store.renew(run, "a", 0.05)  # late, but nobody took it
        time.sleep(0.1)
        assert store.acquire(run, "b", 60)
        assert not store.renew(run, "a", 60)

    def test_what_nobody_runs_any_more_is_interrupted(self, store: Store) -> None:
        lost, held, paused, fresh, left = (store.create_run(title) for title in ("lost", "held", "paused", "fresh", "left"))
        for run, seconds in ((lost, 0.05), (held, 60), (paused, 0.05), (left, 60)):
            assert store.acquire(run, "a", seconds)
        store.set_status(paused, "paused")
        store.release(left, "a")
        time.sleep(0.1)
        assert store.interrupt_stale() == sorted([lost, left])
        assert store.interrupt_stale() == []
        assert {found.title: found.status for found in store.runs()} == {
            "lost": "interrupted",
            "held": "running",
            "paused": "paused",
            "fresh": "running",  # made just now: somebody is about to acquire it
            "left": "interrupted",
        }
        assert not store.renew(lost, "a", 60)

    def test_a_run_set_running_has_a_minute_to_be_acquired(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        run = store.create_run("x", status="paused")
        store.set_status(run, "running")
        assert store.interrupt_stale() == []
        monkeypatch.setattr("conference.store.leases.GRACE_SECONDS", -1.0)
        store.set_status(run, "running")
        assert store.interrupt_stale() == [run]


class ProcessesContract(_WithStore):
    def test_a_fresh_database_is_opened_by_many_at_once(self, address: str) -> None:
        made = in_processes(open_fresh, *[(address,)] * 4)
        with Store.open(address) as store:
            assert sorted(found.run for found in store.runs()) == sorted(made)

    def test_two_append_to_their_own_runs(self, address: str, store: Store) -> None:
        runs = [store.create_run(speaker) for speaker in "ab"]
        found = in_processes(append_many, *[(address, run, speaker, 150) for run, speaker in zip(runs, "ab", strict=True)])
        assert sorted(found) == [("a", 150, 0), ("b", 150, 0)]
        for run, speaker in zip(runs, "ab", strict=True):
            assert store.log(run).events() == [utterance(seq, speaker=speaker) for seq in range(150)]

    def test_of_two_different_events_of_one_number_one_is_kept(self, address: str, store: Store, run: str) -> None:
        found = in_processes(append_many, (address, run, "a", 150), (address, run, "b", 150))
        kept = [event.speaker for event in store.log(run).events() if event.kind == "utterance"]
        assert sorted(found) == [(speaker, kept.count(speaker), 150 - kept.count(speaker)) for speaker in "ab"]
        assert len(kept) == 150

    def test_the_same_event_from_two_is_kept_once(self, address: str, store: Store, run: str) -> None:
        assert in_processes(append_many, *[(address, run, "a", 150)] * 2) == [("a", 150, 0)] * 2
        assert store.log(run).events() == [utterance(seq, speaker="a") for seq in range(150)]

    def test_one_of_many_gets_the_lease(self, address: str, run: str) -> None:
        assert sorted(in_processes(take, *[(address, run, f"worker-{n}") for n in range(3)])) == [False, False, True]

    def test_killed_in_the_middle_of_appends(self, address: str, store: Store, run: str) -> None:
        started = SPAWN.Event()
        process = SPAWN.Process(target=append_for_ever, args=(address, run, started))
        process.start()
        assert started.wait(60)
        time.sleep(0.05)
        process.kill()
        process.join()
        log = store.log(run)
        kept = log.events()
        assert len(kept) > 50
        assert kept == [utterance(seq) for seq in range(len(kept))]
        calls = [stored.seq for stored in store.calls(run, limit=10**6)]
        assert calls[: len(kept)] == list(range(len(kept)))
        assert calls[len(kept) :] in ([], [None])
        log.append(utterance(len(kept)))

    def test_a_fork_leaves_its_parents_connections_alone(self, store: Store, run: str) -> None:
        import multiprocessing

        log = store.log(run)
        log.append(utterance(0))
        child = multiprocessing.get_context("fork").Process(target=log.append, args=(utterance(1),))
        child.start()
        child.join(60)
        assert child.exitcode == 0
        log.append(utterance(2))
        assert log.events() == [utterance(0), utterance(1), utterance(2)]

    def test_threads_share_a_store(self, store: Store) -> None:
        runs = [store.create_run(f"Run {number}") for number in range(8)]
        failures: list[BaseException] = []

        def work(run: str) -> None:
            try:
                log = store.log(run)
                for seq in range(40):
                    log.record(model_call())
                    log.append(utterance(seq))
                    assert len(log.events(after=seq - 1)) == 1
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(run,)) for run in runs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert [found.events for found in store.runs()] == [40] * 8


def another(seq: int) -> Event:
    return utterance(seq).model_copy(update={"text": "Another way."})


class ForkContract(_WithStore):
    """A fork's log begins with its parent's events, by reference."""

    def parent(self, store: Store) -> str:
        """A run of three events, with two utterances and one call for the last of them."""
        run = store.create_run("Ferry")
        log = store.log(run)
        log.append(opened())
        log.append(utterance(1))
        log.record(model_call())
        log.append(utterance(2))
        return run

    def test_reads_appends_counts_and_finds_calls(self, store: Store) -> None:
        run = self.parent(store)
        fork = store.create_run("Ferry", prefix=Prefix(run=run, events=2, utterances=1))
        log = store.log(fork)
        assert [e.seq for e in log.events()] == [0, 1]
        assert log.first() == store.log(run).first()
        assert (store.run(fork).events, store.run(fork).utterances, store.run(fork).parent) == (2, 1, run)
        with pytest.raises(LogError, match=r"doesn't begin a log \(2 does\)"):
            log.append(utterance(3))
        log.append(another(2))
        log.append(utterance(3))
        assert [e.seq for e in log.events()] == [0, 1, 2, 3]
        assert [e.seq for e in log.events(after=0)] == [1, 2, 3]
        assert [e.seq for e in log.events(after=2)] == [3]
        assert [e.seq for e in store.log(run).events()] == [0, 1, 2]
        assert (store.run(fork).events, store.run(fork).utterances) == (4, 3)
        assert (len(store.calls_for(run, 2)), len(store.calls_for(fork, 2))) == (1, 0)
        later = store.create_run("Ferry", prefix=Prefix(run=run, events=3, utterances=2))
        assert store.calls_for(later, 2) == store.calls_for(run, 2)  # the call of a shared event is the parent's

    def test_a_fork_of_a_fork_even_from_before_its_own_beginning(self, store: Store) -> None:
        run = self.parent(store)
        fork = store.create_run("Ferry", prefix=Prefix(run=run, events=2, utterances=1))
        store.log(fork).append(another(2))
        after = store.create_run("Ferry", prefix=Prefix(run=fork, events=3, utterances=2))
        before = store.create_run("Ferry", prefix=Prefix(run=fork, events=1, utterances=0))
        assert store.log(after).events() == store.log(fork).events()
        assert store.log(before).events() == store.log(run).events()[:1]
        assert [(s.run, s.first, s.last) for s in store.spans(after)] == [(run, 0, 1), (fork, 2, 2), (after, 3, None)]
        assert [(s.run, s.first, s.last) for s in store.spans(before)] == [(run, 0, 0), (before, 1, None)]

    def test_a_parent_is_purged_no_sooner_than_its_forks(self, store: Store) -> None:
        run = self.parent(store)
        fork = store.create_run("Ferry", prefix=Prefix(run=run, events=2, utterances=1), status="paused")
        store.set_status(run, "paused")
        store.delete_run(run)
        assert store.purge(days=-1) == []
        assert [e.seq for e in store.log(fork).events()] == [0, 1]
        assert [found.run for found in store.runs()] == [fork]
        store.delete_run(fork)
        assert store.purge(days=-1) == sorted([run, fork])


NEXT_REVISION = f"""
import sqlalchemy as sa
from alembic import op
revision, down_revision = "9999", "{tables.HEAD}"
def upgrade():
    op.add_column("runs", sa.Column("mood", sa.Text))
    op.create_table("moods", sa.Column("mood", sa.Text))
"""


def differences(connection: Connection) -> list[Any]:
    """Between the database and the tables; SQLite's own index of what was said is no table of ours."""

    def is_ours(name: str | None, kind: str, _parent: object) -> bool:
        return not (kind == "table" and str(name).startswith(tables.SAID_INDEX))

    opts = {"version_table": tables.VERSION_TABLE, "include_name": is_ours}
    return list(compare_metadata(MigrationContext.configure(connection, opts=opts), tables.metadata))


class UpgradingContract:
    @pytest.fixture
    def later(self, tmp_path: Any) -> Any:
        """The migrations of a later Plenary."""
        import shutil

        folder = tmp_path / "100 % later"
        shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "versions" / "r9999_moods.py").write_text(NEXT_REVISION)
        return folder

    def test_migrations_make_the_tables(self, address: str) -> None:
        with Store.open(address) as store, store._database.engine.connect() as connection:
            assert differences(connection) == []
            assert revision(connection) == tables.HEAD

    def test_an_older_database_is_upgraded_and_a_newer_one_refused(self, address: str, later: Any) -> None:
        with Store.open(address) as store:
            run = store.create_run("Before")
            store.log(run).append(opened())
        database = Database(address)
        upgrade(database, later, "9999")
        with database.engine.connect() as connection:
            assert revision(connection) == "9999"
            assert connection.execute(text("SELECT run, mood FROM runs")).all() == [(run, None)]
            assert connection.execute(text("SELECT count(*) FROM events")).scalar() == 1
        database.engine.dispose()
        with pytest.raises(
            SetupError,
            match=rf"^the database .* was written by a newer Plenary \(revision 9999, this one knows {tables.HEAD}\); update",
        ):
            Store.open(address)

    def test_an_upgrade_that_fails_changes_nothing(self, address: str, later: Any) -> None:
        Store.open(address).close()
        (later / "versions" / "r9999_moods.py").write_text(
            NEXT_REVISION + '    op.add_column("nothing", sa.Column("mood", sa.Text))\n'
        )
        database = Database(address)
        with pytest.raises(SetupError, match="can't be opened: .*nothing"):
            upgrade(database, later, "9999")
        with database.engine.connect() as connection:
            assert revision(connection) == tables.HEAD
            assert differences(connection) == []
        database.engine.dispose()

    def test_tables_of_somebody_else(self, address: str) -> None:
        database = Database(address)
        with database.engine.connect() as connection:
            connection.execute(text("CREATE TABLE runs (theirs TEXT)"))
        database.engine.dispose()
        with pytest.raises(SetupError, match="^the database .* can't be opened: .*already exists"):
            Store.open(address)
