"""The contract between whoever asks and a chat model: a request, a reply, a record of the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from conference.domain.record import Record

Role = Literal["system", "user", "assistant"]


class Message(Record):
    """One chat message."""

    role: Role
    content: str


class Request(Record):
    """What is asked of a model, whole: everything that shapes the reply is here.

    `purpose` says which kind of call it is (`turn`, `frame`, `summary`, `judge`, `ballot`, `score`); a model picks a cache slot by it.
    `top_logprobs` > 0 asks for the probabilities of that many first tokens (0 to 20).
    `json_schema`, when given, asks for a reply that follows it.
    """

    messages: tuple[Message, ...]
    purpose: str = "turn"
    prompt_version: str = ""
    max_tokens: int = 256
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int | None = None
    stop: tuple[str, ...] = ()
    top_logprobs: int = 0
    json_schema: dict[str, Any] | None = None


class Usage(Record):
    """Tokens of a call (`prompt_tokens` counts the cached ones too), and the seconds it took."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    decode_seconds: float | None = None
    """Seconds spent writing, where the model says so."""

    @property
    def total_tokens(self) -> int:
        """Tokens newly read or written."""
        return self.prompt_tokens - self.cached_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        decode = [s for s in (self.decode_seconds, other.decode_seconds) if s is not None]
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            seconds=self.seconds + other.seconds,
            decode_seconds=sum(decode) if decode else None,
        )


class TokenChoice(Record):
    """A token the model might have written, with its natural-log probability."""

    token: str
    logprob: float


class Reply(Record):
    """What a model answered. `finish` is `stop`, `length` or what the service said.

    `first_token` lists the most probable first tokens, when they were asked for and the model gives them; else empty.
    """

    text: str
    model: str
    finish: str = "stop"
    usage: Usage = Usage()
    first_token: tuple[TokenChoice, ...] = ()


class ModelCall(Record):
    """One call, as it is kept beside the log: exactly what was asked, exactly what came back.

    `outcome`: `used`, `rejected` (came, but wasn't good enough), `failed` (an error; `error` says which).
    """

    role: str
    speaker: str = ""
    request: Request
    reply: Reply | None = None
    error: str = ""
    attempt: int = 1
    outcome: Literal["used", "rejected", "failed"] = "used"
    model: str = ""
    at: str = ""


OnText = Callable[[str], None]
"""Called with the text written so far, as it grows."""


class ChatModel(Protocol):
    """A chat model. Raises `ModelBusy`, `ModelReplyError`, `ModelRefused` or `BudgetSpent`; never returns an empty text."""

    name: str
    """As in a spec: `embedded`, `openai:gpt-…`, `scripted`."""
    small: bool
    """A small local model, whose turns are planned and only worded by it."""
    gives_probabilities: bool
    """Whether `first_token` comes when it is asked for."""

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """Answer one request."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of unit length."""

    name: str

    def embed(self, texts: list[str]) -> Any:
        """Array of shape (len(texts), dimension), float32, rows of unit length."""
        ...


class Recorder(Protocol):
    """Keeps every call, whole."""

    def record(self, call: ModelCall) -> None:
        """Keep one call."""
        ...
