"""A PostgreSQL cluster of our own, for as long as a test module runs."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest


def server_binaries() -> Path | None:
    """The folder of the newest PostgreSQL server installed here."""
    found = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()]
    return max(found, key=lambda path: float(path.parent.name), default=None)


@contextmanager
def cluster() -> Iterator[str]:
    """The address of a running cluster, `postgresql://plenary@127.0.0.1:port`; skips the tests where there is none."""
    binaries = server_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL server under /usr/lib/postgresql/*/bin; install one (Debian: postgresql) to run these tests")
    user = _server_user()
    folder = Path(tempfile.mkdtemp(prefix="plenary-postgres-"))
    try:
        if user is not None:
            shutil.chown(folder, user, pwd.getpwnam(user).pw_gid)
        _run(
            [binaries / "initdb", "-D", folder / "data", "-U", "plenary", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            user,
        )
        with _server(binaries, folder, user) as address:
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _server_user() -> str | None:
    """The server refuses to run as root, so root runs it as somebody else."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = next((name for name in ("postgres", "nobody") if name in names), None)
    if user is None:
        pytest.skip(
            "the PostgreSQL server doesn't run as root, and there is no user 'postgres' or 'nobody'; run the tests as a user"
        )
    return user


def _as(user: str | None) -> dict[str, object]:
    return {} if user is None else {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


def _run(command: list[str | Path], user: str | None) -> None:
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", **_as(user))
    if done.returncode != 0:
        pytest.skip(f"initdb failed: {done.stderr.strip().splitlines()[-1:]}")


@contextmanager
def _server(binaries: Path, folder: Path, user: str | None) -> Iterator[str]:
    port = _free_port()
    settings = [
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=",
        "fsync=off",
        "shared_buffers=32MB",
        "logging_collector=off",
    ]
    options = [part for setting in settings for part in ("-c", setting)]
    command = [binaries / "postgres", "-D", folder / "data", "-p", str(port), *options]
    with open(folder / "log", "wb") as log, subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **_as(user)) as server:
        try:
            address = f"postgresql://plenary@127.0.0.1:{port}"
            _wait(server, address, folder / "log")
            yield address
        finally:
            server.send_signal(signal.SIGINT)  # PostgreSQL's *fast* shutdown


def _wait(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(f"{address}/postgres", connect_timeout=2).close()
            return
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                pytest.skip(f"the PostgreSQL server didn't start: {log.read_text(errors='replace').strip().splitlines()[-1:]}")
            time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def new_database(address: str, name: str) -> str:
    """The address of a new, empty database of the cluster."""
    with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"{address}/{name}"
