"""From a model's name, as it stands in a spec, to the model. Each kind is imported when it is first named."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from importlib import import_module

from conference.domain.chat import ChatModel
from conference.errors import SetupError, UnknownName, did_you_mean

FORMS = {
    "embedded": "embedded",
    "scripted": "scripted",
    "openai": "openai:MODEL",
    "anthropic": "anthropic:MODEL",
    "ollama": "ollama:MODEL",
    "compatible": "compatible:MODEL@https://HOST/v1",
}
"""How a name of each kind is written; `embedded:FILE.gguf` is a file of one's own."""

OPENAI_ADDRESS = "https://api.openai.com/v1"
OLLAMA_ADDRESS = "http://127.0.0.1:11434"
SMALL_BILLIONS = 8.0
"""Below this many billion parameters a model's turns are planned and only worded by it."""


def chat_model(name: str) -> ChatModel:
    """The model of this name. Raises UnknownName for a name of no known form, SetupError when a key is missing."""
    kind, _, rest = name.strip().partition(":")
    maker = _MAKERS.get(kind)
    if maker is None:
        forms = ", ".join(FORMS.values())
        raise UnknownName(f"unknown model '{name}'{did_you_mean(kind, FORMS)} (write one of: {forms}, embedded:FILE.gguf)")
    if not rest and kind not in ("embedded", "scripted"):
        raise UnknownName(f"'{name}' names a service but no model; write {FORMS[kind]}")
    return maker(rest)


def _embedded(rest: str) -> ChatModel:
    from conference.models.embedded import EmbeddedModel

    return EmbeddedModel(rest)


def _scripted(rest: str) -> ChatModel:
    model: ChatModel = import_module("conference.models.scripted").ScriptedModel()
    return model


def _openai(rest: str) -> ChatModel:
    from conference.models.openai_like import OpenAILike

    address = os.environ.get("OPENAI_BASE_URL") or OPENAI_ADDRESS
    key = os.environ.get("OPENAI_API_KEY", "")
    if not key and address == OPENAI_ADDRESS:
        raise SetupError(f"openai:{rest} needs a key; set OPENAI_API_KEY, in the environment or in .env")
    remedy = "check OPENAI_API_KEY, OPENAI_BASE_URL and the model's name"
    return OpenAILike(f"openai:{rest}", model=rest, base_url=address, key=key, remedy=remedy)


def _anthropic(rest: str) -> ChatModel:
    from conference.models.anthropic_model import AnthropicModel

    key = os.environ.get("ANTHROPIC_API_KEY", "")
    if not key:
        raise SetupError(f"anthropic:{rest} needs a key; set ANTHROPIC_API_KEY, in the environment or in .env")
    return AnthropicModel(rest, key, os.environ.get("ANTHROPIC_BASE_URL", ""))


def _ollama(rest: str) -> ChatModel:
    from conference.models.openai_like import OpenAILike

    remedy = f"run 'ollama pull {rest}', or set OLLAMA_HOST to where Ollama runs"
    return OpenAILike(
        f"ollama:{rest}", model=rest, base_url=f"{ollama_address()}/v1", key="ollama", remedy=remedy, small=is_small(rest)
    )


def _compatible(rest: str) -> ChatModel:
    from conference.models.openai_like import OpenAILike

    found = re.fullmatch(r"(.+?)@(https?://.+)", rest)
    if found is None:
        raise UnknownName(f"'compatible:{rest}' has no model and address; write {FORMS['compatible']}")
    model, address = found.groups()
    key = os.environ.get("PLENARY_COMPATIBLE_KEY", "")
    remedy = "check PLENARY_COMPATIBLE_KEY, the model's name and the address (most end in /v1)"
    return OpenAILike(f"compatible:{rest}", model=model, base_url=address, key=key, remedy=remedy, small=is_small(model))


_MAKERS: dict[str, Callable[[str], ChatModel]] = {
    "embedded": _embedded,
    "scripted": _scripted,
    "openai": _openai,
    "anthropic": _anthropic,
    "ollama": _ollama,
    "compatible": _compatible,
}


def ollama_address() -> str:
    """Where Ollama listens, from OLLAMA_HOST as Ollama itself reads it (`host`, `host:port` or an address)."""
    host = os.environ.get("OLLAMA_HOST", "").strip().rstrip("/").replace("0.0.0.0", "127.0.0.1")
    if not host:
        return OLLAMA_ADDRESS
    if "://" in host:
        return host
    return f"http://{host}" if ":" in host else f"http://{host}:11434"


def is_small(model: str) -> bool:
    """Whether the name says so: `qwen2.5:1.5b` and `Llama-3.2-3B` do, `llama3.1:70b` and names without a size don't."""
    sizes = [float(size) for size in re.findall(r"(?<![\w.])(\d+(?:\.\d+)?)b(?![a-z0-9])", model.lower())]
    return bool(sizes) and max(sizes) < SMALL_BILLIONS
