"""What the local model server and its users share on disk: locks, and a file that says where the server listens."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class ServerState:
    """A running server, as its users find it."""

    pid: int
    url: str
    """`http://127.0.0.1:PORT`, without a path."""
    key: str
    """The key every request must carry; drawn anew by each server."""


@dataclass(frozen=True)
class ServerFiles:
    """The files of one model's server, all in one folder.

    `users`: each process that uses the server holds it shared; `alive`: the server holds it as long as it lives;
    `start`: whoever looks for the server or starts one holds it meanwhile.
    """

    folder: Path

    @property
    def users(self) -> Path:
        return self.folder / "users.lock"

    @property
    def alive(self) -> Path:
        return self.folder / "alive.lock"

    @property
    def start(self) -> Path:
        return self.folder / "start.lock"

    @property
    def state(self) -> Path:
        return self.folder / "server.json"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def read(self) -> ServerState | None:
        """The state on disk; None when there is none, or none that can be read."""
        try:
            return ServerState(**json.loads(self.state.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def write(self, state: ServerState) -> None:
        """Write the state, readable by this user only, in one step."""
        partial = self.state.with_suffix(".partial")
        partial.unlink(missing_ok=True)
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(asdict(state), file)
        partial.replace(self.state)

    def forget(self) -> None:
        """Remove the state."""
        self.state.unlink(missing_ok=True)
