"""The store on PostgreSQL: the same promises as on SQLite, on a cluster of our own."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import psycopg
import pytest

from conference.store import Store
from tests.paging_contract import PagesContract
from tests.postgres_cluster import cluster, new_database
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

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with cluster() as address:
        yield address


@pytest.fixture
def address(server: str) -> str:
    return new_database(server, f"plenary_{uuid.uuid4().hex}")


class TestRuns(RunsContract): ...


class TestLog(LogContract): ...


class TestCalls(CallsContract): ...


class TestForks(ForkContract): ...


class TestPages(PagesContract): ...


class TestLeases(LeasesContract): ...


class TestProcesses(ProcessesContract): ...


class TestUpgrading(UpgradingContract): ...


@pytest.mark.parametrize("form", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_form_of_the_address(address: str, form: str) -> None:
    with Store.open(address.replace("postgresql", form, 1)) as store:
        assert store.runs() == []


CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


def test_a_connection_that_was_cut_is_replaced(address: str) -> None:
    """As when the server was restarted, or a firewall forgot the connection: the work is done again, and once."""
    with Store.open(address) as store:
        run = store.create_run("x")
        log = store.log(run)
        log.append(utterance(0))
        for seq in (1, 2):
            log.record(model_call())
            with psycopg.connect(address, autocommit=True) as other:
                other.execute(CUT)
            log.append(utterance(seq))
        assert log.events() == [utterance(seq) for seq in range(3)]
        assert [kept.seq for kept in store.calls(run)] == [1, 2]
