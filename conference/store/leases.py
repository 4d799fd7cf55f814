"""Which process runs a conference: a lease it takes, renews and gives back; others may take it once it has run out."""

from __future__ import annotations

from sqlalchemy import Connection

from conference.store.database import Database
from conference.store.runs import GRACE_SECONDS, check, timestamp, unknown
from conference.store.tables import Status

_ACQUIRE = """
UPDATE runs SET owner = ?, lease_until = {now} + ?
WHERE run = ? AND (owner IS NULL OR owner = ? OR lease_until < {now})"""
_RENEW = "UPDATE runs SET lease_until = {now} + ? WHERE run = ? AND owner = ?"
_RELEASE = "UPDATE runs SET owner = NULL, lease_until = NULL WHERE run = ? AND owner = ?"
_INTERRUPT = """
UPDATE runs SET status = 'interrupted', owner = NULL, lease_until = NULL, updated_at = ?
WHERE status = 'running' AND (lease_until IS NULL OR lease_until < {now})
RETURNING run"""
_START = """
UPDATE runs SET status = 'running', updated_at = ?,
lease_until = CASE WHEN owner IS NULL THEN {now} + ? ELSE lease_until END WHERE run = ?"""
_STATUS = "UPDATE runs SET status = ?, updated_at = ? WHERE run = ?"


def acquire(connection: Connection, database: Database, run: str, owner: str, seconds: float) -> bool:
    """Whether `owner` holds the run for so many seconds from now. Raises UnknownName."""
    if _change(connection, database, _ACQUIRE, (owner, float(seconds), run, owner)):
        return True
    check(connection, database, run)
    return False


def renew(connection: Connection, database: Database, run: str, owner: str, seconds: float) -> bool:
    """Whether `owner` still holds the run; False once somebody else took it or it was marked interrupted."""
    return _change(connection, database, _RENEW, (float(seconds), run, owner))


def release(connection: Connection, database: Database, run: str, owner: str) -> None:
    """Give the lease back, if it is still `owner`'s."""
    _change(connection, database, _RELEASE, (run, owner))


def interrupt_stale(connection: Connection, database: Database) -> list[str]:
    """Mark as interrupted every `running` run nobody holds; their ids."""
    found = connection.exec_driver_sql(_text(database, _INTERRUPT), (timestamp(),)).scalars().all()
    return sorted(found)


def set_status(connection: Connection, database: Database, run: str, status: Status) -> None:
    """Change the status. `running` gives a run without owner a minute for somebody to acquire it. Raises UnknownName."""
    if status == "running":
        done = _change(connection, database, _START, (timestamp(), GRACE_SECONDS, run))
    else:
        done = _change(connection, database, _STATUS, (status, timestamp(), run))
    if not done:
        raise unknown(connection, run)


def _change(connection: Connection, database: Database, statement: str, values: tuple[object, ...]) -> bool:
    return connection.exec_driver_sql(_text(database, statement), values).rowcount == 1


def _text(database: Database, statement: str) -> str:
    return database.sql(statement.format(now=database.now))
