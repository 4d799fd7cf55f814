"""A real HTTP server that speaks the OpenAI chat format and misbehaves as told: for tests of models, and end to end.

    with FaultServer() as server:
        server.script(busy(after=0.1), broken(), said("Good."))
        model = chat_model(f"compatible:m@{server.url}")

Scripted answers come first, in order; then the rules, the first that has an answer; then `otherwise`.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What the server does with one request."""

    status: int = 200
    body: Json = field(default_factory=dict)
    """The whole answer of an error, or of a success when `raw`."""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds of silence before anything is sent."""
    pace: float = 0.0
    """Seconds between the words of a stream."""
    text: str = ""
    finish: str = "stop"
    cached: int = 0
    usage: bool = True
    timings: Json | None = None
    top: tuple[tuple[str, float], ...] = ()
    """Alternatives for the first token with their log-probabilities, sent when asked for."""
    breaks_off: bool = False
    """A stream that ends in the middle."""
    raw: bool = False
    events: tuple[Json, ...] = ()
    """A raw stream, for services of another format."""


def said(text: str, **more: Any) -> Answer:
    """A good reply."""
    return Answer(text=text, **more)


def busy(after: float | None = None, status: int = 429) -> Answer:
    """Too many requests, with Retry-After when given."""
    headers = {} if after is None else {"Retry-After": f"{after:g}"}
    return Answer(status=status, body=_error("slow down"), headers=headers)


def broken(status: int = 500) -> Answer:
    """An error of the server."""
    return Answer(status=status, body=_error("something broke"))


def refused(message: str, status: int = 400, param: str | None = None, code: str | None = None) -> Answer:
    """A request the service won't take."""
    return Answer(status=status, body=_error(message, param, code))


def cut(text: str = '{"verdict": "agre') -> Answer:
    """A reply that stopped at its length limit."""
    return Answer(text=text, finish="length")


def empty() -> Answer:
    """A reply without text."""
    return Answer(text="")


def slow(seconds: float, text: str = "Late.") -> Answer:
    """A good reply that takes its time."""
    return Answer(text=text, delay=seconds)


def _error(message: str, param: str | None = None, code: str | None = None) -> Json:
    return {"error": {"message": message, "type": "error", "param": param, "code": code}}


Rule = Callable[[Json], Answer | None]


class FaultServer:
    """Serves on a free loopback port, in a thread, while it is entered."""

    def __init__(self) -> None:
        self.requests: list[Json] = []
        """Every body that came, in order."""
        self.headers: list[dict[str, str]] = []
        self.rules: list[Rule] = []
        self.otherwise: Callable[[Json], Answer] = lambda body: said("Very well.")
        self._script: deque[Answer] = deque()
        self._port = 0

    @property
    def url(self) -> str:
        """The OpenAI-compatible base address."""
        return f"http://127.0.0.1:{self._port}/v1"

    def script(self, *answers: Answer) -> None:
        """Queue answers."""
        self._script.extend(answers)

    def __enter__(self) -> FaultServer:
        routes = [Route(path, self._answer, methods=["POST"]) for path in ("/v1/chat/completions", "/v1/messages")]
        config = uvicorn.Config(
            Starlette(routes=routes),
            port=0,
            log_level="error",
            lifespan="off",
            ws="none",
            http="h11",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=asyncio.run, args=(self._server.serve(),), daemon=True)
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.005)
        self._port = self._server.servers[0].sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)

    async def _answer(self, request: Request) -> Response:
        body: Json = await request.json()
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        answer = self._next(body)
        await asyncio.sleep(answer.delay)
        if answer.events:
            return _stream(_raw_events(answer))
        if answer.status != 200 or answer.raw:
            return JSONResponse(answer.body, answer.status, headers=answer.headers)
        if body.get("stream"):
            return _stream(_chunks(answer, body))
        return JSONResponse(_completion(answer, body))

    def _next(self, body: Json) -> Answer:
        if self._script:
            return self._script.popleft()
        return next((answer for rule in self.rules if (answer := rule(body)) is not None), None) or self.otherwise(body)


def _stream(lines: AsyncIterator[str]) -> StreamingResponse:
    return StreamingResponse(lines, media_type="text/event-stream")


def _completion(answer: Answer, body: Json) -> Json:
    choice = {"index": 0, "message": {"role": "assistant", "content": answer.text}, "finish_reason": answer.finish}
    choice["logprobs"] = _logprobs(answer, body)
    whole = {"id": "c1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice]}
    return whole | _counted(answer, body)


async def _chunks(answer: Answer, body: Json) -> AsyncIterator[str]:
    words = answer.text.split(" ")
    pieces = [word if index == 0 else f" {word}" for index, word in enumerate(words)]
    for index, piece in enumerate(pieces):
        logprobs = _logprobs(answer, body) if index == 0 else None
        yield _event(body, [{"index": 0, "delta": {"content": piece}, "finish_reason": None, "logprobs": logprobs}])
        await asyncio.sleep(answer.pace)
        if answer.breaks_off:
            return
    yield _event(body, [{"index": 0, "delta": {}, "finish_reason": answer.finish}])
    if (body.get("stream_options") or {}).get("include_usage"):
        yield _event(body, [], **_counted(answer, body))
    yield "data: [DONE]\n\n"


async def _raw_events(answer: Answer) -> AsyncIterator[str]:
    for event in answer.events:
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


def _event(body: Json, choices: list[Json], **more: Any) -> str:
    chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 0, "model": body["model"], "choices": choices}
    return f"data: {json.dumps(chunk | more)}\n\n"


def _counted(answer: Answer, body: Json) -> Json:
    if not answer.usage:
        return {}
    read = sum(len(str(message["content"]).split()) for message in body["messages"])
    usage: Json = {"prompt_tokens": read, "completion_tokens": len(answer.text.split()), "total_tokens": read}
    usage["prompt_tokens_details"] = {"cached_tokens": answer.cached}
    return {"usage": usage} | ({"timings": answer.timings} if answer.timings else {})


def _logprobs(answer: Answer, body: Json) -> Json | None:
    if not (body.get("logprobs") and answer.top):
        return None
    top = [{"token": token, "logprob": logprob, "bytes": None} for token, logprob in answer.top]
    return {"content": [top[0] | {"top_logprobs": top[: body["top_logprobs"]]}]}
