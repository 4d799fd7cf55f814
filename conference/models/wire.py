"""The OpenAI chat format: from a request to the fields that are sent, from what came back to a reply. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from conference.domain.chat import Message, Reply, Request, TokenChoice, Usage
from conference.errors import ModelReplyError

Fields = dict[str, Any]

PLAIN_JSON = "Reply with one JSON object and nothing else. It follows this JSON schema: "


def fields(model: str, request: Request, dropped: Iterable[str] = ()) -> Fields:
    """What is sent for `request`, without what the service was found not to take (`dropped`, see `quirks.py`)."""
    without = set(dropped)
    sent: Fields = {"model": model, "messages": _messages(request, without)}
    sent["max_completion_tokens" if "max_tokens" in without else "max_tokens"] = request.max_tokens
    sent["temperature"] = request.temperature
    if request.top_p != 1.0:
        sent["top_p"] = request.top_p
    if request.seed is not None:
        sent["seed"] = request.seed
    if request.stop:
        sent["stop"] = list(request.stop)
    if request.top_logprobs:
        sent |= {"logprobs": True, "top_logprobs": request.top_logprobs}
    if request.json_schema is not None:
        sent["response_format"] = _response_format(request.json_schema, without)
    return {name: value for name, value in sent.items() if name not in without and not _belongs(name, without)}


def _belongs(name: str, without: set[str]) -> bool:
    return name == "top_logprobs" and "logprobs" in without


def _messages(request: Request, without: set[str]) -> list[Fields]:
    messages = [message.model_dump() for message in request.messages]
    if request.json_schema is not None and without & {"json_schema", "response_format"}:
        messages.append({"role": "user", "content": PLAIN_JSON + json.dumps(request.json_schema)})
        return [message.model_dump() for message in merged(Message(**message) for message in messages)]
    return messages


def _response_format(schema: Mapping[str, Any], without: set[str]) -> Fields:
    if "json_schema" in without:
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": dict(schema), "strict": _is_strict(schema)}}


def _is_strict(schema: Any) -> bool:
    """Whether every object in the schema requires all its keys and allows no other, as strict services demand."""
    if isinstance(schema, list):
        return all(map(_is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object":
        closed = schema.get("additionalProperties") is False
        if not closed or set(schema.get("properties", {})) != set(schema.get("required", [])):
            return False
    return all(map(_is_strict, schema.values()))


def merged(messages: Iterable[Message]) -> list[Message]:
    """The messages, neighbours of one role made one."""
    result: list[Message] = []
    for message in messages:
        if result and result[-1].role == message.role:
            message = Message(role=message.role, content=f"{result.pop().content}\n\n{message.content}")
        result.append(message)
    return result


def continuation(text: str, request: Request) -> str:
    """What is new in `text` when the request ends with an opening to go on from, which some services repeat."""
    last = request.messages[-1]
    return text.removeprefix(last.content) if last.role == "assistant" else text


def whole(text: str) -> str:
    """The text with halves of a character joined, as a stream may part them; a half without its other becomes U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def cut(text: str, stops: Iterable[str]) -> str:
    """The text before the first of `stops`, for services that don't stop there themselves."""
    for stop in stops:
        text = text.partition(stop)[0]
    return text


def usage_of(answer: Mapping[str, Any], request: Request, text: str, seconds: float) -> Usage:
    """Tokens and seconds of a call; llama.cpp's `timings` say most. Where the service counts nothing, four characters a token."""
    counted = answer.get("usage") or {}
    timings = answer.get("timings") or {}
    details = counted.get("prompt_tokens_details") or {}
    cached = timings.get("cache_n", details.get("cached_tokens"))
    decode = timings.get("predicted_ms")
    guess = sum(len(message.content) for message in request.messages) // 4
    return Usage(
        prompt_tokens=counted.get("prompt_tokens") or guess,
        cached_tokens=cached or 0,
        completion_tokens=counted.get("completion_tokens") or len(text) // 4,
        seconds=seconds,
        decode_seconds=None if decode is None else decode / 1000,
    )


def first_token_of(logprobs: Mapping[str, Any] | None) -> tuple[TokenChoice, ...]:
    """The alternatives for the first token, most probable first; empty where the service gave none."""
    tokens = (logprobs or {}).get("content") or []
    choices = tokens[0].get("top_logprobs") or [] if tokens else []
    found = [TokenChoice(token=whole(choice["token"]), logprob=choice["logprob"]) for choice in choices]
    return tuple(sorted(found, key=lambda choice: -choice.logprob))


def checked(reply: Reply, request: Request) -> Reply:
    """The reply, when it can be used. Raises ModelReplyError when it is empty or isn't the JSON that was asked for."""
    if not reply.text.strip() and not reply.first_token:  # probabilities say something even where the text is an end mark
        raise ModelReplyError(
            f"{reply.model} answered nothing (finish: {reply.finish}); allow more than {request.max_tokens} tokens"
        )
    if request.json_schema is None:
        return reply
    text = _json_object(reply.text)
    if text is None:
        what = "cut" if reply.finish == "length" else "not what was asked"
        raise ModelReplyError(f"{reply.model}: the JSON reply is {what} (finish: {reply.finish}): {reply.text[-60:]!r}")
    return reply.model_copy(update={"text": text})


def _json_object(text: str) -> str | None:
    """The object in `text`, without the fences or words that some models put around it."""
    inner = text[text.find("{") : text.rfind("}") + 1]
    try:
        value = json.loads(inner)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    escaped = json.dumps(value, ensure_ascii=False)  # "\ud83d" in it would be half a character only once it is read
    return inner if escaped == whole(escaped) else whole(escaped)
