"""What every call needs, whatever the model: a deadline, another try, a budget, a record, a cache. Each wraps a ChatModel.

The usual order is `Budgeted(Retrying(Cached(Recorded(Deadline(model)))))`: every attempt has its own deadline and record, and
what comes out of the cache was never asked.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Protocol

from conference.domain.chat import ChatModel, ModelCall, OnText, Recorder, Reply, Request, Usage
from conference.errors import BudgetSpent, ModelBusy, ModelError, ModelReplyError
from conference.models.budget import Budget

ATTEMPT: ContextVar[int] = ContextVar("attempt", default=1)
"""Which attempt is being made: set by Retrying, kept by Recorded."""

OnFault = Callable[[int, ModelError, bool], None]
"""Called after each failed attempt with its number (from 1), the error, and whether another attempt follows."""


class _Wrapper:
    """A model in front of another one."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self.name = model.name
        self.small = model.small

    @property
    def gives_probabilities(self) -> bool:
        """As the wrapped model finds out."""
        return self.model.gives_probabilities

    @gives_probabilities.setter
    def gives_probabilities(self, value: bool) -> None:
        self.model.gives_probabilities = value

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """Answer one request, as the wrapped model does."""
        return await self.model.complete(request, on_text)


class Deadline(_Wrapper):
    """Gives a call up after `seconds`: ModelBusy."""

    def __init__(self, model: ChatModel, seconds: float) -> None:
        super().__init__(model)
        self.seconds = seconds

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """As the wrapped model, or ModelBusy when it takes longer than the deadline."""
        try:
            async with asyncio.timeout(self.seconds) as limit:
                return await self.model.complete(request, on_text)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise ModelBusy(
                f"{self.name} did not answer within {self.seconds:g} s; allow more time or shorten the prompt"
            ) from error


class Retrying(_Wrapper):
    """Tries again after ModelBusy and ModelReplyError, up to `attempts` in all."""

    def __init__(
        self,
        model: ChatModel,
        attempts: int = 3,
        *,
        backoff: float = 1.0,
        longest: float = 60.0,
        on_fault: OnFault | None = None,
        draw: Callable[[], float] = random.random,
    ) -> None:
        """Waits `backoff` seconds, doubled each time and shortened by chance to no less than half; never less than the service
        asks, and it gives up at once when that is more than `longest`. `draw` gives numbers in [0, 1)."""
        super().__init__(model)
        self.attempts = attempts
        self.backoff = backoff
        self.longest = longest
        self.on_fault = on_fault or (lambda attempt, error, again: None)
        self.draw = draw

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """The first good reply; the last attempt's error when there is none."""
        attempt = 1
        while True:
            token = ATTEMPT.set(attempt)
            try:
                return await self.model.complete(request, on_text)
            except (ModelBusy, ModelReplyError) as error:
                wait = self._wait(error, attempt)
                self.on_fault(attempt, error, wait is not None)
                if wait is None:
                    raise
                if isinstance(error, ModelReplyError):
                    request = _varied(request)
            except ModelError as error:
                self.on_fault(attempt, error, False)
                raise
            finally:
                ATTEMPT.reset(token)
            await asyncio.sleep(wait)
            attempt += 1

    def _wait(self, error: ModelError, attempt: int) -> float | None:
        """Seconds before the next attempt; None when there is none."""
        asked = error.after if isinstance(error, ModelBusy) else None
        if attempt >= self.attempts or (asked or 0.0) > self.longest:
            return None
        if isinstance(error, ModelReplyError):
            return 0.0
        own = min(self.longest, self.backoff * 2.0 ** (attempt - 1)) * (0.5 + self.draw() / 2)
        return max(own, asked or 0.0)


def _varied(request: Request) -> Request:
    """The same request with the next seed: with its old one, a local model would give the same unusable reply."""
    return request if request.seed is None else request.model_copy(update={"seed": request.seed + 1})


class Budgeted(_Wrapper):
    """Spends from a shared budget; raises BudgetSpent before a call that has nothing left."""

    def __init__(self, model: ChatModel, budget: Budget) -> None:
        super().__init__(model)
        self.budget = budget

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """As the wrapped model, or BudgetSpent."""
        self.budget.check()
        reply = await self.model.complete(request, on_text)
        self.budget.spend(reply.usage)
        return reply


class Recorded(_Wrapper):
    """Hands every call to a recorder, whole: those that failed and those cut short by a stop too."""

    def __init__(self, model: ChatModel, recorder: Recorder, role: str, speaker: str = "") -> None:
        super().__init__(model)
        self.recorder = recorder
        self.role = role
        self.speaker = speaker

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """As the wrapped model."""
        at = datetime.now(UTC).isoformat()
        try:
            reply = await self.model.complete(request, on_text)
        except BudgetSpent:  # nothing was asked
            raise
        except BaseException as error:
            self._keep(request, at, error=f"{type(error).__name__}: {error}".removesuffix(": "))
            raise
        self._keep(request, at, reply=reply)
        return reply

    def _keep(self, request: Request, at: str, reply: Reply | None = None, error: str = "") -> None:
        call = ModelCall(
            role=self.role,
            speaker=self.speaker,
            request=request,
            reply=reply,
            error=error,
            attempt=ATTEMPT.get(),
            outcome="failed" if reply is None else "used",
            model=self.name,
            at=at,
        )
        self.recorder.record(call)


class ReplyCache(Protocol):
    """Keeps bytes by key: a `KeptBytes` file, or a dict wrapped in a few lines."""

    def get(self, key: str) -> bytes | None:
        """What is kept under `key`."""
        ...

    def put(self, key: str, value: bytes) -> None:
        """Keep `value`."""
        ...


class Cached(_Wrapper):
    """Gives a request that was answered before the same reply, at no cost. Only temperature 0 is kept; failures never are."""

    def __init__(self, model: ChatModel, cache: ReplyCache) -> None:
        super().__init__(model)
        self.cache = cache

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """The kept reply (its usage is nothing), else the wrapped model's."""
        if request.temperature > 0:
            return await self.model.complete(request, on_text)
        key = request_key(self.name, request)
        kept = self.cache.get(key)
        if kept is not None:
            return Reply.model_validate_json(kept).model_copy(update={"usage": Usage()})
        reply = await self.model.complete(request, on_text)
        self.cache.put(key, reply.model_dump_json().encode())
        return reply


def request_key(model: str, request: Request) -> str:
    """SHA-256 of the model's name and the whole request: everything that shapes the reply."""
    return hashlib.sha256(f"{model}\n{request.model_dump_json()}".encode()).hexdigest()
