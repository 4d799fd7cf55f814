"""Brings a database to the tables of this version, through Alembic; most of the time there is nothing to do."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError

from conference.errors import SetupError
from conference.store.database import Database, reason
from conference.store.tables import HEAD, VERSION_TABLE

MIGRATIONS = Path(__file__).resolve().parent.parent / "migrations"

_ALEMBIC = Lock()
"""Alembic keeps its context in module globals: one upgrade at a time in a process."""
_ADVISORY_KEY = 7_536_298_374
"""Any number, the same in every Plenary: PostgreSQL lets one process at a time hold it."""


def upgrade(database: Database, migrations: Path = MIGRATIONS, head: str = HEAD) -> None:
    """Make or upgrade the tables. Raises SetupError when the database can't be reached, or is newer than this Plenary."""
    try:
        with database.engine.connect() as connection:
            if revision(connection) == head:
                return
            with _ALEMBIC, database.transaction(connection):
                if not database.sqlite:
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_KEY})")
                _migrate(connection, database.shown, migrations, head)
    except DBAPIError as error:
        raise SetupError(
            f"the database {database.shown} can't be opened: {reason(error)}; correct PLENARY_DATABASE or mend the database"
        ) from error


def revision(connection: Connection) -> str | None:
    """The revision a database is at; None when it has no tables yet."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found: str | None = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalar()
    return found


def _migrate(connection: Connection, shown: str, migrations: Path, head: str) -> None:
    stored = revision(connection)  # again, now that nobody else can change it
    if stored == head:
        return
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if stored is not None and stored not in known:
        raise SetupError(
            f"the database {shown} was written by a newer Plenary (revision {stored}, this one knows {head}); "
            "update Plenary, or name another database in PLENARY_DATABASE"
        )
    command.upgrade(config, "head")
