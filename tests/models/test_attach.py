"""Finding, starting, sharing, replacing and losing the local server; with a real process, and an engine of straw."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conference.errors import SetupError
from conference.models import attach as module
from conference.models.attach import attach, files_for
from conference.models.lock import FileLock, is_free

ROOT = Path(__file__).parents[2]
FAKE = (sys.executable, str(Path(__file__).with_name("fake_llama.py")))


@pytest.fixture
def gguf(plenary_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "straw.gguf"
    path.write_bytes(b"GGUF")
    monkeypatch.setenv("PLENARY_SERVER_GRACE", "0.2")
    monkeypatch.setattr(module, "COMMAND", FAKE)
    monkeypatch.setattr(module, "HEALTH_SECONDS", 0.3)
    return path


def eventually(happened: Callable[[], bool], seconds: float = 10.0) -> bool:
    until = time.monotonic() + seconds
    while not happened() and time.monotonic() < until:
        time.sleep(0.02)
    return happened()


def test_the_server_starts_when_wanted_and_ends_when_unused(gguf: Path) -> None:
    files = files_for(gguf)
    attachment = attach(gguf)
    assert attachment.is_good(thoroughly=True)
    assert attachment.url.startswith("http://127.0.0.1:")
    assert attachment.url.endswith("/v1")
    time.sleep(0.5)  # longer than the grace period
    assert attachment.is_good(thoroughly=True)
    attachment.release()
    assert eventually(lambda: is_free(files.alive))
    assert not files.state.exists()


def test_the_key_is_for_this_user_only(gguf: Path) -> None:
    attachment = attach(gguf)
    assert stat.S_IMODE(files_for(gguf).state.stat().st_mode) == 0o600
    assert stat.S_IMODE(files_for(gguf).folder.stat().st_mode) == 0o700
    attachment.release()


def test_a_second_user_finds_the_same_server_and_keeps_it(gguf: Path) -> None:
    first, second = attach(gguf), attach(gguf)
    assert first.pid == second.pid
    first.release()
    time.sleep(0.5)
    assert second.is_good(thoroughly=True)
    second.release()


def user_process() -> subprocess.Popen[str]:
    code = (
        "import sys, time; from pathlib import Path; from conference.models import attach; attach.COMMAND = tuple(sys.argv[2:]); "
        "held = attach.attach(Path(sys.argv[1])); print(held.pid, flush=True); time.sleep(60)"
    )
    gguf = str(Path(os.environ["PLENARY_HOME"]).parent / "straw.gguf")
    return subprocess.Popen([sys.executable, "-c", code, gguf, *FAKE], stdout=subprocess.PIPE, text=True, cwd=ROOT)


def told_pid(user: subprocess.Popen[str]) -> int:
    assert user.stdout is not None
    return int(user.stdout.readline())


def ended(*users: subprocess.Popen[str]) -> None:
    for user in users:
        user.kill()
        user.communicate()


def test_users_who_come_at_once_get_one_server(gguf: Path) -> None:
    users = [user_process() for _ in range(3)]
    assert len({told_pid(user) for user in users}) == 1
    ended(*users)


def test_a_killed_user_does_not_keep_the_server(gguf: Path) -> None:
    user = user_process()
    told_pid(user)
    assert not is_free(files_for(gguf).alive)
    ended(user)
    assert eventually(lambda: is_free(files_for(gguf).alive))


def test_the_server_outlives_the_process_that_started_it_while_used(gguf: Path) -> None:
    user = user_process()
    pid = told_pid(user)
    attachment = attach(gguf)
    ended(user)
    time.sleep(0.5)
    assert attachment.pid == pid
    assert attachment.is_good(thoroughly=True)
    attachment.release()


def test_a_killed_server_is_replaced(gguf: Path) -> None:
    first = attach(gguf)
    os.kill(first.pid, signal.SIGKILL)
    assert eventually(lambda: not first.is_good(thoroughly=False))
    second = attach(gguf)
    assert second.pid != first.pid
    assert second.is_good(thoroughly=True)
    for attachment in (first, second):
        attachment.release()


def test_a_wedged_server_is_replaced(gguf: Path) -> None:
    first = attach(gguf)
    os.kill(first.pid, signal.SIGSTOP)
    assert first.is_good(thoroughly=False)
    assert not first.is_good(thoroughly=True)
    second = attach(gguf)
    assert second.pid != first.pid
    assert second.is_good(thoroughly=True)
    for attachment in (first, second):
        attachment.release()


def test_a_state_left_behind_is_not_believed(gguf: Path) -> None:
    files = files_for(gguf)
    files.folder.mkdir(parents=True)
    files.state.write_text(f'{{"pid": {os.getpid()}, "url": "http://127.0.0.1:9", "key": "old"}}')
    attachment = attach(gguf)  # and this process, whose number stands there, was not killed
    assert attachment.pid != os.getpid()
    attachment.release()


def test_a_state_that_cannot_be_read_is_none(gguf: Path) -> None:
    files = files_for(gguf)
    files.folder.mkdir(parents=True)
    for text in ("{", "[]", '{"pid": 1}'):
        files.state.write_text(text)
        assert files.read() is None


def test_a_server_that_dies_while_loading_says_why(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_ENGINE", "dies")
    with pytest.raises(
        SetupError, match=r"stopped while loading straw\.gguf: E load_model: error loading model: no room \(log: "
    ):
        attach(gguf)
    assert is_free(files_for(gguf).users)


def test_a_server_whose_home_is_deleted_ends(gguf: Path) -> None:
    attachment = attach(gguf)
    files_for(gguf).state.unlink()
    assert eventually(lambda: is_free(files_for(gguf).alive))
    attachment.release()


def test_a_lock_taken_at_the_wrong_moment_costs_one_more_start(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = files_for(gguf)
    files.folder.mkdir(parents=True)
    in_the_way = FileLock(files.alive)
    launch = module._launch

    def launched_then_free(*arguments: object) -> None:
        launch(*arguments)  # type: ignore[arg-type]
        in_the_way.release()

    monkeypatch.setattr(module, "_launch", launched_then_free)
    attachment = attach(gguf)
    assert attachment.is_good(thoroughly=True)
    attachment.release()


@pytest.mark.parametrize(
    ("name", "value"), [("PLENARY_THREADS", "many"), ("PLENARY_THREADS", "1.5"), ("PLENARY_SERVER_GRACE", "-1")]
)
def test_settings_that_are_no_numbers(gguf: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SetupError, match=f"{name} is '{value}'; give a number"):
        attach(gguf)


def test_another_model_has_a_server_of_its_own(gguf: Path, tmp_path: Path) -> None:
    (tmp_path / "other.gguf").write_bytes(b"GGUF")
    assert files_for(gguf).folder != files_for(tmp_path / "other.gguf").folder
