"""What is set up, what is missing, what to do."""

from __future__ import annotations

import os
from dataclasses import dataclass

from conference.errors import PlenaryError
from conference.home import cache_dir, database_url, home
from conference.library import CONFERENCES, PERSONAS, RECORDINGS, REFERENCES, ids_in
from conference.models.known import known_models
from conference.store import Store


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; `needed` when nothing works without it."""

    what: str
    fine: bool
    said: str
    needed: bool = False


def findings() -> list[Finding]:
    """Folders, database, library, models."""
    return [_folders(), _database(), _library(), *_models()]


def _folders() -> Finding:
    try:
        return Finding("what lasts", True, f"{home()} (PLENARY_HOME); weights in {cache_dir()}", needed=True)
    except PlenaryError as error:
        return Finding("what lasts", False, str(error), needed=True)


def _database() -> Finding:
    kind = "PostgreSQL, by PLENARY_DATABASE" if os.environ.get("PLENARY_DATABASE", "").startswith("postgres") else "SQLite"
    try:
        with Store.open(database_url()) as store:
            return Finding("database", True, f"{kind}, {len(store.runs())} runs", needed=True)
    except PlenaryError as error:
        return Finding("database", False, str(error), needed=True)


def _library() -> Finding:
    recordings = len(list(RECORDINGS.glob("*.jsonl")))
    said = f"{len(ids_in(PERSONAS))} personas, {len(ids_in(REFERENCES))} references, "
    said += f"{len(ids_in(CONFERENCES))} conferences, {recordings} recordings"
    return Finding("library", bool(ids_in(PERSONAS)), said, needed=True)


def _models() -> list[Finding]:
    return [Finding(f"model {model.name}", model.ready, model.detail) for model in known_models()]
