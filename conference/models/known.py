"""Which models could be used now, for `doctor`: what is installed, whether a key is there (never the key), who answers."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from collections.abc import Callable
from importlib import metadata, util
from typing import NamedTuple

from conference.errors import SetupError
from conference.models.embeddings import MINILM, installed_folder
from conference.models.parts import part_paths
from conference.models.registry import FORMS, OPENAI_ADDRESS, ollama_address
from conference.models.tls import is_here
from conference.models.weights import CHAT, MPNET, own_gguf

REACH_SECONDS = 1.0


class KnownModel(NamedTuple):
    """One model or kind of model."""

    name: str
    """How it is written in a spec; embedding models by their own name."""
    ready: bool
    detail: str
    """What was found, or what to do."""


def known_models() -> list[KnownModel]:
    """Every kind of chat model and both embedding models. Asks no service but a local Ollama, for at most a second."""
    return [
        embedded_model(),
        KnownModel(FORMS["scripted"], True, "answers from its seed, without any model"),
        _told(FORMS["openai"], lambda: _key("OPENAI_API_KEY", optional=_own_address())),
        _told(FORMS["anthropic"], lambda: _key("ANTHROPIC_API_KEY")),
        _told(FORMS["ollama"], _ollama),
        _told(FORMS["compatible"], lambda: _key("PLENARY_COMPATIBLE_KEY", optional=True)),
        _told("all-mpnet-base-v2", lambda: _parts(MPNET.title, lambda: part_paths(MPNET))),
        _told("all-MiniLM-L6-v2", lambda: _parts(MINILM, lambda: installed_folder(MINILM))),
    ]


def embedded_model() -> KnownModel:
    """Whether the model that comes with Plenary is installed; nothing is started."""
    return _told("embedded", _embedded)


def _told(name: str, look: Callable[[], str]) -> KnownModel:
    try:
        return KnownModel(name, True, look())
    except SetupError as error:
        return KnownModel(name, False, str(error))


def _embedded() -> str:
    if util.find_spec("xllamacpp") is None:
        raise SetupError("the package xllamacpp isn't installed; run 'pip install -r requirements.txt'")
    engine = f"xllamacpp {metadata.version('xllamacpp')}"
    own = os.environ.get("PLENARY_GGUF")
    if own:
        return f"{own_gguf(own)} (PLENARY_GGUF), {engine}"
    return f"{CHAT.title}, {len(part_paths(CHAT))} parts installed, {engine}"


def _parts(title: str, look: Callable[[], object]) -> str:
    look()
    return f"{title}: installed"


def _key(variable: str, *, optional: bool = False) -> str:
    if os.environ.get(variable):
        return f"{variable} is set"
    if optional:
        return f"{variable} is not set; the address may not need it"
    raise SetupError(f"{variable} is not set; put it into the environment or .env")


def _own_address() -> bool:
    return (os.environ.get("OPENAI_BASE_URL") or OPENAI_ADDRESS) != OPENAI_ADDRESS


def _ollama() -> str:
    address = ollama_address()
    proxies = urllib.request.ProxyHandler({} if is_here(address) else None)
    try:
        with urllib.request.build_opener(proxies).open(f"{address}/api/version", timeout=REACH_SECONDS):
            return f"answers at {address}"
    except (urllib.error.URLError, OSError, ValueError):
        raise SetupError(f"nothing answers at {address}; start Ollama or set OLLAMA_HOST") from None
