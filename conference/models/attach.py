"""Find the local model server of this home, or start it; hold it while it is used."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import conference
from conference.errors import SetupError
from conference.home import home
from conference.models.lock import FileLock, exclusive, is_free
from conference.models.server import ALREADY_RUNNING
from conference.models.server_files import ServerFiles, ServerState

START_SECONDS = 240.0
HEALTH_SECONDS = 10.0
COMMAND = (sys.executable, "-m", "conference.models.server")


class Attachment:
    """A hold on a running server: as long as it lasts, the server stays."""

    def __init__(self, state: ServerState, files: ServerFiles, users: FileLock) -> None:
        self.url = f"{state.url}/v1"
        """The OpenAI-compatible base address."""
        self.key = state.key
        self.pid = state.pid
        self._state = state
        self._files = files
        self._users = users

    def is_good(self, *, thoroughly: bool) -> bool:
        """Whether the server still lives and, `thoroughly`, answers."""
        return not is_free(self._files.alive) and (not thoroughly or is_healthy(self._state))

    def release(self) -> None:
        """Let go; the server ends by itself when nobody else holds it."""
        self._users.release()

    def __del__(self) -> None:
        self.release()


def files_for(gguf: Path) -> ServerFiles:
    """The files of the server of this model file in this home."""
    state = gguf.stat()
    mark = hashlib.sha256(f"{gguf.resolve()}|{state.st_size}|{state.st_mtime_ns}".encode()).hexdigest()[:12]
    return ServerFiles(home() / "servers" / f"{gguf.stem[:40]}-{mark}")


def attach(gguf: Path) -> Attachment:
    """Hold the server of `gguf`, starting it or replacing a dead one first. Blocks for seconds while it loads.

    Raises SetupError when it doesn't come up, with the last line of its log.
    """
    files = files_for(gguf)
    files.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    users = FileLock(files.users, shared=True)
    try:
        with exclusive(files.start):
            return Attachment(_running(files) or _started(files, gguf), files, users)
    except BaseException:
        users.release()
        raise


def _running(files: ServerFiles) -> ServerState | None:
    state = files.read()
    if state is None or is_free(files.alive):
        return None
    if is_healthy(state):
        return state
    # The lock is held, so the process that holds it lives and the number can't have passed to another.
    _stop(files, state.pid)
    return None


def is_healthy(state: ServerState) -> bool:
    """Whether the server answers."""
    request = urllib.request.Request(f"{state.url}/health", headers={"Authorization": f"Bearer {state.key}"})
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=HEALTH_SECONDS) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _stop(files: ServerFiles, pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + 10
    while not is_free(files.alive) and time.monotonic() < until:
        time.sleep(0.05)


def _started(files: ServerFiles, gguf: Path) -> ServerState:
    files.forget()
    _launch(files, gguf)
    launches = 1
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        state = files.read()
        if state is not None and is_healthy(state):
            return state
        if is_free(files.alive) and launches < 2:
            _launch(files, gguf)  # somebody looking at the lock may have kept the first one from taking it
            launches += 1
        elif is_free(files.alive):
            raise SetupError(
                f"the local model server stopped while loading {gguf.name}: {_last_line(files.log)} (log: {files.log})"
            )
        time.sleep(0.05)
    raise SetupError(f"the local model server did not load {gguf.name} within {START_SECONDS:g} s; see {files.log}")


def _launch(files: ServerFiles, gguf: Path) -> None:
    with files.log.open("wb") as log:
        done = subprocess.run(
            [*COMMAND, "--model", str(gguf), "--folder", str(files.folder), *_settings()],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=_environment(),
            cwd=files.folder,
            check=False,
        )
    if done.returncode not in (0, ALREADY_RUNNING):
        raise SetupError(f"the local model server can't be started: {_last_line(files.log)} (log: {files.log})")


def _settings() -> list[str]:
    threads = os.environ.get("PLENARY_THREADS") or str(min(2, os.cpu_count() or 1))
    grace = os.environ.get("PLENARY_SERVER_GRACE") or "20"
    for name, value in (("PLENARY_THREADS", threads), ("PLENARY_SERVER_GRACE", grace)):
        if not value.replace(".", "", 1 if name == "PLENARY_SERVER_GRACE" else 0).isdigit():
            raise SetupError(f"{name} is {value!r}; give a number, such as {2 if name == 'PLENARY_THREADS' else 20}")
    return ["--threads", threads, "--grace", grace]


def _environment() -> dict[str, str]:
    root = str(Path(conference.__file__).parents[1])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, "OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "0"}


def _last_line(log: Path) -> str:
    try:
        lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    except OSError:
        lines = []
    telling = [line for line in lines if " E " in line or "rror" in line]
    return (telling or lines or ["it said nothing"])[-1][:200]
