"""What the tests of the models share: a home and a cache of their own, and a server that misbehaves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.models.fault_server import FaultServer

SETTINGS = [
    *("PLENARY_HOME", "PLENARY_CACHE", "PLENARY_DATABASE", "PLENARY_GGUF", "PLENARY_THREADS", "PLENARY_SERVER_GRACE"),
    *("PLENARY_COMPATIBLE_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OLLAMA_HOST"),
]


@pytest.fixture
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the user's is in the way."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def plenary_home(unset: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home and a cache that are empty."""
    monkeypatch.setenv("PLENARY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PLENARY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "home"


@pytest.fixture
def server(unset: None) -> Iterator[FaultServer]:
    """A server that says "Very well." until told otherwise."""
    with FaultServer() as running:
        yield running
