from __future__ import annotations

import os
from pathlib import Path

import pytest

from conference.errors import SetupError
from conference.home import cache_dir, database_url, home, load_environment
from conference.store import Store


def test_home_is_plenary_home_and_is_made(plenary_home: Path) -> None:
    assert home() == plenary_home
    assert plenary_home.is_dir()


def test_home_is_the_platforms_folder_by_default(unset: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "data" / "plenary"))
    assert home() == tmp_path / "data" / "plenary"


def test_home_understands_a_tilde(unset: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PLENARY_HOME", "~/rehearsals")
    assert home() == tmp_path / "rehearsals"


def test_a_home_that_cannot_be_made_is_a_setup_error(unset: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLENARY_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(SetupError, match="set PLENARY_HOME"):
        home()


def test_the_database_lies_in_the_home_unless_it_has_an_address(plenary_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert database_url() == f"sqlite:///{plenary_home}/plenary.db"
    monkeypatch.setenv("PLENARY_DATABASE", "postgresql+psycopg://db/plenary")
    assert database_url() == "postgresql+psycopg://db/plenary"


def test_the_cache_is_named_or_the_platforms(plenary_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_dir() == tmp_path / "cache"
    monkeypatch.delenv("PLENARY_CACHE")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(tmp_path / "platform"))
    assert cache_dir() == tmp_path / "platform"


def test_the_cache_is_in_the_home_where_the_platforms_cannot_be_made(
    plenary_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("PLENARY_CACHE")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(tmp_path / "file" / "cache"))
    assert cache_dir() == plenary_home / "cache"


def test_the_environment_file_adds_but_does_not_override(unset: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("OPENAI_API_KEY=from-file\nOLLAMA_HOST=from-file\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OLLAMA_HOST", "from-shell")
    monkeypatch.setenv("OPENAI_API_KEY", "")  # so that it is put back after the test
    monkeypatch.delenv("OPENAI_API_KEY")
    load_environment()
    assert (os.environ["OPENAI_API_KEY"], os.environ["OLLAMA_HOST"]) == ("from-file", "from-shell")


def test_a_home_that_cannot_be_written_names_its_variable(plenary_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found: a home on a read-only disk was blamed on the address of the database."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(SetupError, match="can't be written; set PLENARY_HOME"):
        home()


@pytest.mark.parametrize("name", ["what?", "50% off", "a%20b", "#1", "a?mode=memory", "@:+&=;", "Zürich"])
def test_the_database_lies_in_that_very_folder(name: str, unset: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Found: what followed a `?` was taken for options of the address, and the runs lay in another file."""
    monkeypatch.setenv("PLENARY_HOME", str(tmp_path / name))
    with Store.open(database_url()):
        pass
    assert (tmp_path / name / "plenary.db").stat().st_size > 0
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_environment_file_that_is_not_utf8_is_named(unset: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Found: a traceback, before any command."""
    (tmp_path / ".env").write_bytes(b"NAME=caf\xe9\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SetupError) as caught:
        load_environment()
    assert str(caught.value) == f"{tmp_path}/.env is not UTF-8 (byte 8); save it as UTF-8"


def test_an_environment_file_that_cannot_be_read_is_named(unset: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuses(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("conference.home.load_dotenv", refuses)
    with pytest.raises(SetupError, match=r"\.env can't be read \(Permission denied\)"):
        load_environment()
