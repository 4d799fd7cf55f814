"""Where things that last lie: PLENARY_HOME, the database's address, the cache, the `.env` file."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import platformdirs
from dotenv import load_dotenv

from conference.errors import SetupError

_PLAIN = "/\\:"
"""What stands in a path and means nothing else in an address; the rest is escaped."""


def load_environment() -> None:
    """Read `.env` of the working directory, when there is one; what is already set stays as it is. Raises SetupError."""
    path = Path.cwd() / ".env"
    try:
        load_dotenv(path, override=False)
    except UnicodeDecodeError as error:
        raise SetupError(f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except OSError as error:
        raise SetupError(f"{path} can't be read ({error.strerror}); check its permissions") from None
    except ValueError as error:  # a NUL in a value
        raise SetupError(f"{path} holds a value that can't be set ({error}); mend it") from None


def home() -> Path:
    """The folder of everything that lasts: PLENARY_HOME, or the platform's user data folder; made when missing.

    Raises SetupError when it can't be made or written.
    """
    return _made(os.environ.get("PLENARY_HOME") or platformdirs.user_data_dir("plenary", appauthor=False), "PLENARY_HOME")


def database_url() -> str:
    """The database's SQLAlchemy address: PLENARY_DATABASE, or a SQLite file in `home()`."""
    named = os.environ.get("PLENARY_DATABASE")
    return named or f"sqlite:///{quote(os.fsencode(home() / 'plenary.db'), safe=_PLAIN)}"


def cache_dir() -> Path:
    """The folder of what can be made again (joined weights): PLENARY_CACHE, or the platform's user cache folder.

    It is shared by all homes, because the weights take 1.5 GB. Where the platform's folder can't be written, `home()/cache`.
    """
    named = os.environ.get("PLENARY_CACHE")
    if named:
        return _made(named, "PLENARY_CACHE")
    try:
        folder = _made(platformdirs.user_cache_dir("plenary", appauthor=False), "PLENARY_CACHE")
    except SetupError:
        folder = None
    return folder or _made(str(home() / "cache"), "PLENARY_HOME")


def _made(folder: str, variable: str) -> Path:
    path = Path(folder).expanduser().absolute()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SetupError(f"can't make the folder {path} ({error.strerror}); set {variable} to one that can be written") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise SetupError(f"the folder {path} can't be written; set {variable} to one that can")
    return path
