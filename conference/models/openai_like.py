"""Any service that speaks OpenAI's chat format, through the openai SDK."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from conference.domain.chat import OnText, Reply, Request
from conference.errors import ModelBusy, ModelError, ModelRefused, ModelReplyError
from conference.models import wire
from conference.models.faults import from_status, short
from conference.models.quirks import learnt
from conference.models.tls import certificates, is_here

CONNECT_SECONDS = 10.0
READ_SECONDS = 600.0
"""Silence on the line after which a call is given up; the deadline of a turn is `wrappers.Deadline`."""

Extra = Callable[[Request], dict[str, Any]]


class OpenAILike:
    """A chat model behind an OpenAI-compatible address. What the service doesn't take is found out once and not sent again."""

    def __init__(
        self,
        name: str,
        *,
        model: str,
        base_url: str,
        key: str = "",
        remedy: str = "check the key and the model's name",
        small: bool = False,
        extra: Extra | None = None,
    ) -> None:
        """`remedy` ends the message of a refusal; `extra` gives fields of this service only."""
        self.name = name
        self.small = small
        self.gives_probabilities = True
        self._model = model
        self._base_url = base_url
        self._key = key
        self._remedy = remedy
        self._extra = extra or (lambda request: {})
        self._dropped: frozenset[str] = frozenset()

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """Answer one request; `on_text` makes it stream. Raises ModelBusy, ModelReplyError or ModelRefused."""
        async with self._errors_translated(), self._client() as client:
            started = time.monotonic()
            answer = await self._negotiated(client, request, on_text)
            return self._reply(answer, request, time.monotonic() - started)

    async def _negotiated(self, client: Any, request: Request, on_text: OnText | None) -> dict[str, Any]:
        import openai

        dropped = self._dropped
        while True:
            sent = wire.fields(self._model, request, dropped)
            if on_text is not None:
                sent |= {"stream": True}
                sent |= {} if "stream_options" in dropped else {"stream_options": {"include_usage": True}}
            try:
                answer = await self._asked(client, sent, request, on_text)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                more = learnt(f"{error.param} {error.message}", set(sent), dropped)
                if more is None:
                    raise
                dropped = more
                continue
            self._dropped = dropped
            self.gives_probabilities &= "logprobs" not in dropped
            return answer

    async def _asked(self, client: Any, sent: dict[str, Any], request: Request, on_text: OnText | None) -> dict[str, Any]:
        answer = await client.chat.completions.create(**sent, extra_body=self._extra(request))
        if on_text is None:
            whole: dict[str, Any] = answer.model_dump()
            return whole
        return await gathered(answer, on_text)

    def _reply(self, answer: dict[str, Any], request: Request, seconds: float) -> Reply:
        choices = answer.get("choices") or []
        if not choices:
            raise ModelReplyError(f"{self.name} answered without a choice: {short(str(answer.get('error') or answer))}")
        text = wire.continuation(wire.whole(choices[0]["message"].get("content") or ""), request)
        if "stop" in self._dropped:
            text = wire.cut(text, request.stop)
        reply = Reply(
            text=text,
            model=self.name,
            finish=choices[0].get("finish_reason") or "stop",
            usage=wire.usage_of(answer, request, text, seconds),
            first_token=wire.first_token_of(choices[0].get("logprobs")) if request.top_logprobs else (),
        )
        if request.top_logprobs and not reply.first_token:
            self.gives_probabilities = False
        return wire.checked(reply, request)

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Any]:
        # One for each call: a kept one is bound to the loop it was first used in.
        import openai

        timeout = openai.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
        http = openai.DefaultAsyncHttpxClient(verify=certificates(), timeout=timeout, trust_env=not is_here(self._base_url))
        async with openai.AsyncOpenAI(
            api_key=self._key or "none", base_url=self._base_url, max_retries=0, timeout=timeout, http_client=http
        ) as client:
            yield client

    @asynccontextmanager
    async def _errors_translated(self) -> AsyncIterator[None]:
        import openai

        try:
            yield
        except openai.OpenAIError as error:
            raise self._translated(error) from error

    def _translated(self, error: Exception) -> ModelError:
        import openai

        said = self._without_key(f"{error} {getattr(error, 'code', None) or ''}".strip())
        if isinstance(error, openai.APIStatusError):
            return from_status(self.name, error.status_code, said, error.response.headers, self._remedy)
        if isinstance(error, openai.APITimeoutError):
            return ModelBusy(f"{self.name} did not answer within {READ_SECONDS:g} s")
        if isinstance(error, openai.APIConnectionError):
            return ModelBusy(f"{self.name} can't be reached at {self._base_url} ({short(str(error.__cause__ or error))})")
        if isinstance(error, openai.APIResponseValidationError):
            return ModelReplyError(f"{self.name} answered what can't be read: {short(said)}")
        if isinstance(error, openai.APIError):  # an error inside a stream
            return ModelBusy(f"{self.name} broke off: {short(said)}")
        return ModelRefused(f"{self.name}: {short(said)}; {self._remedy}")

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "…") if self._key else text


async def gathered(chunks: Any, on_text: OnText) -> dict[str, Any]:
    """The whole answer out of a stream of chunks; `on_text` hears the text so far after each."""
    text, finish, logprobs = "", "", None
    rest: dict[str, Any] = {}
    async for chunk in chunks:
        part = chunk.model_dump()
        rest |= {name: part[name] for name in ("usage", "timings", "error") if part.get(name)}
        for choice in part.get("choices") or []:
            finish = choice.get("finish_reason") or finish
            logprobs = logprobs or choice.get("logprobs")
            if more := (choice.get("delta") or {}).get("content"):
                text += more
                on_text(wire.whole(text))
    if not finish:
        raise ModelBusy(f"the stream broke off after {len(text)} characters")
    return rest | {"choices": [{"message": {"content": text}, "finish_reason": finish, "logprobs": logprobs}]}
