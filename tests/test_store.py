"""The store on SQLite, and what doesn't depend on the database."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import event

from conference.domain.log import ConferenceLog
from conference.errors import LogError, SetupError
from conference.store import Store
from conference.store.body import keys_in_environment, whole, without_keys
from conference.store.runs import new_run_id
from conference.store.tables import HEAD
from conference.store.upgrading import MIGRATIONS
from tests.paging_contract import PagesContract
from tests.store_contract import (
    CallsContract,
    ForkContract,
    LeasesContract,
    LogContract,
    ProcessesContract,
    RunsContract,
    UpgradingContract,
)
from tests.store_workers import model_call, utterance


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/folder not yet there/plenary.db"


class TestRuns(RunsContract): ...


class TestLog(LogContract): ...


class TestCalls(CallsContract): ...


class TestForks(ForkContract): ...


class TestPages(PagesContract): ...


class TestLeases(LeasesContract): ...


class TestProcesses(ProcessesContract): ...


class TestUpgrading(UpgradingContract): ...


def file_of(address: str) -> Path:
    return Path(address.removeprefix("sqlite:///"))


def test_a_run_log_is_a_conference_log(address: str) -> None:
    with Store.open(address) as store:
        log: ConferenceLog = store.log(store.create_run("x"))
        assert log.events() == []


def test_no_key_is_in_the_file(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything on the disk is searched: the database, what isn't yet in it, and the index of that."""
    key = "planted-0123456789-planted"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with Store.open(address) as store:
        log = store.log(store.create_run("Keys"))
        for seq in range(50):
            log.record(
                model_call(f"marker {seq}", reply=None, outcome="failed", error=f"401: {key} is not a key, nor is sk-{'9' * 40}")
            )
            log.append(utterance(seq, f"marker; my key is {key}"))
        kept = b"".join(path.read_bytes() for path in file_of(address).parent.iterdir())
    assert b"marker 49" in kept
    assert key.encode() not in kept
    assert b"sk-999" not in kept


def test_which_variables_hold_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "os.environ",
        {"A_API_KEY": "k" * 12, "b_token": "t" * 20, "SHORT_KEY": "k" * 11, "KEYBOARD": "k" * 30, "X_SECRETS": "s" * 13},
    )
    assert keys_in_environment() == ("t" * 20, "s" * 13, "k" * 12)
    assert (
        without_keys(f"{'k' * 12} {'k' * 11} risk-{'a' * 30}", keys_in_environment())
        == f"[key removed] {'k' * 11} risk-{'a' * 30}"
    )


def test_the_settings_of_every_connection(address: str) -> None:
    with Store.open(address) as store, store._database.engine.connect() as one, store._database.engine.connect() as two:
        for connection in (one, two):
            found = [
                connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            ]
            assert found == ["wal", 1, 1, 10_000]


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Cannabis regulation", "cannabis-regulation"),
        ("  Größe & Straße: «Où?»  ", "grosse-strasse-ou"),
        ("大麻", "conference"),
        ("", "conference"),
        ("Which regime should regulate cannabis in the Netherlands", "which-regime-should-regulate"),
        ("x" * 50, "x" * 32),
        ("../../etc/passwd", "etc-passwd"),
    ],
)
def test_the_words_in_an_id(title: str, slug: str) -> None:
    assert new_run_id(title)[9:-5] == slug


@pytest.mark.parametrize(("number", "kept"), [(5, 5), (-5, -5), (2**31 - 1, 2**31 - 1), (2**31, None), (None, None)])
def test_numbers_a_column_holds(number: int | None, kept: int | None) -> None:
    assert whole(number) == kept


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("plenary.db", "the database address can't be read; write sqlite:"),
        ("", "the database address can't be read; write sqlite:"),
        ("postgresql://me:hunter2@host:port/x", "the database address can't be read; write sqlite:"),
        ("mysql://me:hunter2@host/x", "the database kind 'mysql' isn't supported; write sqlite:"),
        ("postgresql+asyncpg://host/x", "the database kind 'postgresql.asyncpg' isn't supported; write sqlite:"),
        ("sqlite://", "the database ':memory:' is not a file that lasts"),
        ("sqlite:///:memory:", "the database ':memory:' is not a file that lasts"),
        ("sqlite:////dev/null/x/plenary.db", "the folder /dev/null/x can't be made"),
        ("postgresql://me:hunter2@127.0.0.1:1/x", r"the database postgresql.psycopg://me:\*\*\*@127.0.0.1:1/x can't be opened: "),
    ],
)
def test_an_address_that_cannot_be_used(address: str, message: str) -> None:
    with pytest.raises(SetupError, match=f"^{message}.*PLENARY_DATABASE") as caught:
        Store.open(address)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("form", ["postgres", "postgresql", "postgresql+psycopg"])
def test_forms_of_a_postgresql_address(form: str) -> None:
    with Store(f"{form}://me:hunter2@host/name") as store:
        assert store._database.shown == "postgresql+psycopg://me:***@host/name"


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database at all, but long enough to be looked at " * 50)
    with pytest.raises(
        SetupError, match="can't be opened: file is not a database; correct PLENARY_DATABASE or mend the database"
    ):
        Store.open(f"sqlite:///{path}")
    with pytest.raises(SetupError, match="can't be opened: unable to open database file"):
        Store.open(f"sqlite:///{tmp_path}")


def test_a_database_others_keep_busy(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conference.store.address.BUSY_SECONDS", 0.05)
    with Store.open(address) as store:
        log = store.log(store.create_run("x"))
        other = sqlite3.connect(file_of(address), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(
            LogError, match="keeping event 0 .* failed: database is locked; another process kept the database busy; try again"
        ):
            log.append(utterance(0))
        with pytest.raises(LogError, match="keeping a call"):
            log.record(model_call())
        assert log.events() == []  # readers don't wait for writers
        other.execute("ROLLBACK")
        other.close()
        log.record(model_call())
        log.append(utterance(0))


def test_a_full_disk_is_one_line_and_can_be_tried_again(address: str) -> None:
    with Store.open(address) as store:
        run = store.create_run("x")
        log = store.log(run)
        log.append(utterance(0))
        log.record(model_call())
        engine = store._database.engine

        def fill(connection: sqlite3.Connection, _record: object) -> None:
            connection.execute("PRAGMA max_page_count=1")  # SQLite makes it the size the file has now

        event.listen(engine, "connect", fill)
        engine.dispose()
        with pytest.raises(
            LogError, match="failed: database or disk is full; check the space on the disk and who may write there"
        ):
            log.append(utterance(1, "x" * 100_000))
        event.remove(engine, "connect", fill)
        engine.dispose()
        assert log.events() == [utterance(0)]
        log.append(utterance(1))
        assert store.calls(run)[0].seq == 1


def test_the_newest_migration_is_the_one_the_tables_name() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_current_head() == HEAD


def test_opening_again_does_not_need_alembic(address: str) -> None:
    Store.open(address).close()
    script = f"import sys; from conference.store import Store; Store.open({address!r}).close(); print('alembic' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=MIGRATIONS.parent.parent, check=True
    )
    assert done.stdout.strip() == "False"
