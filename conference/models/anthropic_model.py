"""Anthropic's models, through their SDK."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from conference.domain.chat import Message, OnText, Reply, Request, Usage
from conference.errors import ModelBusy, ModelError, ModelRefused, ModelReplyError
from conference.models.faults import from_status, short
from conference.models.openai_like import CONNECT_SECONDS, READ_SECONDS
from conference.models.quirks import learnt
from conference.models.tls import certificates, is_here
from conference.models.wire import Fields, checked, cut, merged, whole

ADDRESS = "https://api.anthropic.com"
REMEDY = "check ANTHROPIC_API_KEY and the model's name"
TOOL = "reply"
"""JSON is asked for as the input of a tool that must be called: every version of the service takes that."""
CACHE = {"cache_control": {"type": "ephemeral"}}
FINISH = {"end_turn": "stop", "stop_sequence": "stop", "tool_use": "stop", "max_tokens": "length"}


class AnthropicModel:
    """A chat model of Anthropic's. It gives no probabilities."""

    small = False
    gives_probabilities = False

    def __init__(self, model: str, key: str, base_url: str = "") -> None:
        self.name = f"anthropic:{model}"
        self._model = model
        self._key = key
        self._base_url = base_url or ADDRESS
        self._dropped: frozenset[str] = frozenset()

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """Answer one request; `on_text` makes it stream. Raises ModelBusy, ModelReplyError or ModelRefused."""
        async with self._errors_translated(), self._client() as client:
            started = time.monotonic()
            answer = await self._negotiated(client, request, on_text)
            return self._reply(answer, request, time.monotonic() - started)

    async def _negotiated(self, client: Any, request: Request, on_text: OnText | None) -> Fields:
        import anthropic

        dropped = self._dropped
        while True:
            sent = fields(self._model, request, dropped)
            try:
                answer = await _asked(client, sent, on_text)
            except anthropic.BadRequestError as error:
                names = set(sent) | ({"prefill"} if sent["messages"][-1]["role"] == "assistant" else set())
                more = learnt(error.message, names, dropped)
                if more is None:
                    raise
                dropped = more
                continue
            self._dropped = dropped
            return answer

    def _reply(self, answer: Fields, request: Request, seconds: float) -> Reply:
        blocks = answer.get("content") or []
        spoken = whole("".join(block.get("text") or "" for block in blocks if block.get("type") == "text"))
        calls = [whole(json.dumps(block["input"], ensure_ascii=False)) for block in blocks if block.get("type") == "tool_use"]
        reply = Reply(
            text=calls[0] if calls else cut(spoken, request.stop),
            model=self.name,
            finish=FINISH.get(answer.get("stop_reason") or "", answer.get("stop_reason") or "stop"),
            usage=_usage(answer.get("usage") or {}, seconds),
        )
        if calls and reply.finish == "length":
            raise ModelReplyError(
                f"{self.name}: the JSON reply is cut (finish: length); allow more than {request.max_tokens} tokens"
            )
        return checked(reply, request)

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Any]:
        import anthropic

        timeout = anthropic.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
        http = anthropic.DefaultAsyncHttpxClient(verify=certificates(), timeout=timeout, trust_env=not is_here(self._base_url))
        async with anthropic.AsyncAnthropic(
            api_key=self._key, base_url=self._base_url, max_retries=0, timeout=timeout, http_client=http
        ) as client:
            yield client

    @asynccontextmanager
    async def _errors_translated(self) -> AsyncIterator[None]:
        import anthropic

        try:
            yield
        except anthropic.AnthropicError as error:
            raise self._translated(error) from error

    def _translated(self, error: Exception) -> ModelError:
        import anthropic

        said = str(error).replace(self._key, "…") if self._key else str(error)
        if isinstance(error, anthropic.APIStatusError) and error.status_code >= 400:
            return from_status(self.name, error.status_code, said, error.response.headers, REMEDY)
        if isinstance(error, anthropic.APITimeoutError):
            return ModelBusy(f"{self.name} did not answer within {READ_SECONDS:g} s")
        if isinstance(error, anthropic.APIConnectionError):
            return ModelBusy(f"{self.name} can't be reached at {self._base_url} ({short(str(error.__cause__ or error))})")
        if isinstance(error, anthropic.APIResponseValidationError):
            return ModelReplyError(f"{self.name} answered what can't be read: {short(said)}")
        if isinstance(error, anthropic.APIError):  # an error inside a stream
            return ModelBusy(f"{self.name} broke off: {short(said)}")
        return ModelRefused(f"{self.name}: {short(said)}; {REMEDY}")


def fields(model: str, request: Request, dropped: frozenset[str] = frozenset()) -> Fields:
    """What is sent for `request`. Pure."""
    system = "\n\n".join(message.content for message in request.messages if message.role == "system")
    sent: Fields = {"model": model, "max_tokens": request.max_tokens, "messages": _messages(request, dropped)}
    if system:
        sent["system"] = [{"type": "text", "text": system, **CACHE}]
    if "temperature" not in dropped:
        sent["temperature"] = min(request.temperature, 1.0)
    if request.top_p != 1.0 and "top_p" not in dropped:
        sent["top_p"] = request.top_p
    if stops := [stop for stop in request.stop if stop.strip()]:  # the service takes no blank ones; `cut` sees to those
        sent["stop_sequences"] = stops
    if request.json_schema is not None:
        sent["tools"] = [{"name": TOOL, "description": "Give your reply.", "input_schema": request.json_schema}]
        sent["tool_choice"] = {"type": "tool", "name": TOOL}
    return sent


def _messages(request: Request, dropped: frozenset[str]) -> list[Fields]:
    turns = merged(message for message in request.messages if message.role != "system")
    if not turns or turns[0].role == "assistant":
        turns = [Message(role="user", content="Begin."), *turns]
    if turns[-1].role == "assistant":
        opening = turns[-1].content.rstrip()
        turns[-1] = Message(role="assistant", content=opening)
        if "prefill" in dropped or request.json_schema is not None:
            turns[-1] = Message(role="user", content=f"Continue your reply, which begins: {opening}")
            turns = merged(turns)
    return [_block(turn, cached=index == len(turns) - 2) for index, turn in enumerate(turns)]


def _block(message: Message, *, cached: bool) -> Fields:
    # All before the last message is what the next request will begin with too.
    return {"role": message.role, "content": [{"type": "text", "text": message.content, **(CACHE if cached else {})}]}


async def _asked(client: Any, sent: Fields, on_text: OnText | None) -> Fields:
    if on_text is None:
        answer: Fields = (await client.messages.create(**sent)).model_dump()
        return answer
    text = ""
    async with client.messages.stream(**sent) as stream:
        async for event in stream:
            more = event.text if event.type == "text" else event.partial_json if event.type == "input_json" else ""
            if more:
                text += more
                on_text(whole(text))
        final: Fields = (await stream.get_final_message()).model_dump()
        return final


def _usage(counted: Fields, seconds: float) -> Usage:
    cached = counted.get("cache_read_input_tokens") or 0
    new = (counted.get("input_tokens") or 0) + (counted.get("cache_creation_input_tokens") or 0)
    return Usage(
        prompt_tokens=new + cached, cached_tokens=cached, completion_tokens=counted.get("output_tokens") or 0, seconds=seconds
    )
