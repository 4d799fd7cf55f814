"""The real server on a free port, with a home of its own, and a browser on it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

from conference.library import ROOT

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Served:
    """`streamlit run app.py`, as `make run` does it."""

    def __init__(self, home: Path, port: int | None = None) -> None:
        self.home, self.port = home, port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", "--server.address=127.0.0.1"]
        environment = {**os.environ, "PLENARY_HOME": str(self.home), "HF_HUB_OFFLINE": "1", "PYTHONUNBUFFERED": "1"}
        environment.pop("PLENARY_DATABASE", None)
        self.log = (self.home / "server.log").open("a")
        self.process = subprocess.Popen(
            [*command, f"--server.port={self.port}"], cwd=ROOT, env=environment, stdout=self.log, stderr=subprocess.STDOUT
        )
        self._wait()
        return self

    def _wait(self) -> None:
        until = time.monotonic() + 30
        while time.monotonic() < until and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"the server did not come up: {(self.home / 'server.log').read_text()[-2000:]}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the server and wait for it."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(30)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self.stop()
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
            raise AssertionError("the server didn't stop within 30 s of SIGTERM") from None
        finally:
            self.log.close()
