from __future__ import annotations

import time
from typing import Any

import pytest

from conference.domain.chat import Message, Reply, Request, TokenChoice, Usage
from conference.errors import ModelBusy, ModelRefused, ModelReplyError
from conference.models.openai_like import OpenAILike
from conference.models.wrappers import Deadline
from tests.models.fault_server import Answer, FaultServer, broken, busy, cut, empty, refused, said, slow

ASK = Request(messages=(Message(role="user", content="Do you agree with it?"),))
SCHEMA = {"type": "object", "properties": {"verdict": {"type": "string"}}}
KEY = "sk-very-secret"


def model(server: FaultServer, **more: Any) -> OpenAILike:
    return OpenAILike("compatible:m", model="m", base_url=server.url, key=KEY, remedy="check OPENAI_API_KEY", **more)


def asking(**more: Any) -> Request:
    return ASK.model_copy(update=more)


async def test_a_reply(server: FaultServer) -> None:
    server.script(said("I do indeed.", cached=3))
    reply = await model(server).complete(ASK)
    assert reply == Reply(
        text="I do indeed.",
        model="compatible:m",
        usage=Usage(prompt_tokens=5, cached_tokens=3, completion_tokens=3, seconds=reply.usage.seconds),
    )
    assert 0 < reply.usage.seconds < 5
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


async def test_a_service_without_a_key(server: FaultServer) -> None:
    reply = await OpenAILike("compatible:m", model="m", base_url=server.url).complete(ASK)
    assert reply.text == "Very well."


async def test_extra_fields_are_sent_and_timings_read(server: FaultServer) -> None:
    server.script(said("Yes.", timings={"cache_n": 4, "prompt_n": 1, "predicted_ms": 500.0}))
    reply = await model(server, extra=lambda request: {"id_slot": len(request.purpose)}).complete(ASK)
    assert server.requests[0]["id_slot"] == 4
    assert (reply.usage.cached_tokens, reply.usage.decode_seconds) == (4, 0.5)


async def test_streaming_tells_the_text_so_far(server: FaultServer) -> None:
    server.script(said("I do indeed.", cached=2, timings={"cache_n": 2, "predicted_ms": 20.0}))
    heard: list[str] = []
    reply = await model(server).complete(ASK, heard.append)
    assert heard == ["I", "I do", "I do indeed."]
    assert (reply.text, reply.finish) == ("I do indeed.", "stop")
    assert reply.usage.model_copy(update={"seconds": 0.0}) == Usage(
        prompt_tokens=5, cached_tokens=2, completion_tokens=3, decode_seconds=0.02
    )


@pytest.mark.parametrize("stream", [False, True])
async def test_first_token(server: FaultServer, stream: bool) -> None:
    server.script(said("Yes", top=(("Yes", -0.2), ("No", -1.8), ("I", -6.0))))
    reply = await model(server).complete(asking(max_tokens=1, top_logprobs=2), (lambda text: None) if stream else None)
    assert reply.first_token == (TokenChoice(token="Yes", logprob=-0.2), TokenChoice(token="No", logprob=-1.8))


async def test_refused_probabilities_are_asked_for_once(server: FaultServer) -> None:
    server.rules.append(lambda body: refused("logprobs are not supported with this model") if "logprobs" in body else None)
    one = model(server)
    assert one.gives_probabilities
    assert (await one.complete(asking(top_logprobs=20))).first_token == ()
    assert not one.gives_probabilities
    await one.complete(asking(top_logprobs=20))
    assert ["logprobs" in body for body in server.requests] == [True, False, False]


async def test_probabilities_that_never_come_are_noticed(server: FaultServer) -> None:
    one = model(server)
    await one.complete(asking(top_logprobs=20))
    assert not one.gives_probabilities


async def test_a_refused_schema_becomes_plain_json(server: FaultServer) -> None:
    def no_schemas(body: dict[str, Any]) -> Answer | None:
        kind = body.get("response_format", {}).get("type")
        return refused("unknown response_format type") if kind == "json_schema" else None

    server.rules.append(no_schemas)
    server.otherwise = lambda body: said('```json\n{"verdict": "agreement"}\n```')
    one = model(server)
    for _ in range(2):
        assert (await one.complete(asking(json_schema=SCHEMA))).text == '{"verdict": "agreement"}'
    kinds = [body["response_format"]["type"] for body in server.requests]
    assert kinds == ["json_schema", "json_object", "json_object"]
    assert "JSON schema" in server.requests[1]["messages"][-1]["content"]


async def test_a_newer_model_teaches_all_it_does_not_take(server: FaultServer) -> None:
    def newer(body: dict[str, Any]) -> Answer | None:
        for name in ("max_tokens", "temperature", "stop"):
            if name in body:
                return refused(f"Unsupported parameter: '{name}' is not supported with this model.", param=name)
        return None

    server.rules.append(newer)
    server.otherwise = lambda body: said("One line.\nAnother.")
    one = model(server)
    assert (await one.complete(asking(stop=("\n",)))).text == "One line."
    assert await one.complete(asking(stop=("\n",)))
    assert [set(body) - {"model", "messages"} for body in server.requests] == [
        {"max_tokens", "temperature", "stop"},
        {"max_completion_tokens", "temperature", "stop"},
        {"max_completion_tokens", "stop"},
        {"max_completion_tokens"},
        {"max_completion_tokens"},
    ]


async def test_a_guess_that_did_not_help_is_not_remembered(server: FaultServer) -> None:
    server.rules.append(lambda body: refused("bad request"))
    one = model(server)
    with pytest.raises(ModelRefused, match="bad request"):
        await one.complete(asking(json_schema=SCHEMA))
    server.rules.clear()
    server.otherwise = lambda body: said("{}")
    await one.complete(asking(json_schema=SCHEMA))
    assert server.requests[-1]["response_format"]["type"] == "json_schema"


async def test_streams_without_usage_are_estimated(server: FaultServer) -> None:
    server.rules.append(lambda body: refused("unknown field stream_options") if "stream_options" in body else None)
    reply = await model(server).complete(ASK, lambda text: None)
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (21 // 4, 10 // 4)


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (busy(), ModelBusy, r"compatible:m can't answer now \(HTTP 429: .*slow down"),
        (broken(), ModelBusy, r"HTTP 500"),
        (broken(503), ModelBusy, r"HTTP 503"),
        (refused("late", 408), ModelBusy, r"HTTP 408"),
        (refused("You exceeded your current quota", 429, code="insufficient_quota"), ModelRefused, "check OPENAI_API_KEY"),
        (refused(f"Incorrect API key provided: {KEY}", 401), ModelRefused, r"\(HTTP 401\); check OPENAI_API_KEY$"),
        (refused("no", 403), ModelRefused, r"HTTP 403"),
        (refused("no such model", 404), ModelRefused, r"\(HTTP 404\); check OPENAI_API_KEY"),
        (refused("maximum context length is 8192 tokens"), ModelRefused, "longer than its context"),
        (refused(f"strange key {KEY}"), ModelRefused, "strange key …"),
        (empty(), ModelReplyError, "answered nothing"),
        (Answer(raw=True, body={"id": "x", "choices": []}), ModelReplyError, "without a choice"),
        (Answer(raw=True, body={"error": {"message": "upstream failed"}}), ModelReplyError, "upstream failed"),
    ],
)
async def test_faults_become_our_errors(server: FaultServer, answer: Answer, error: type[Exception], message: str) -> None:
    server.script(answer)
    with pytest.raises(error, match=message) as caught:
        await model(server).complete(ASK)
    assert KEY not in str(caught.value)
    assert len(server.requests) == 1  # the SDK's own retries are off


async def test_cut_json_is_a_reply_error(server: FaultServer) -> None:
    server.script(cut())
    with pytest.raises(ModelReplyError, match=r"the JSON reply is cut \(finish: length\)"):
        await model(server).complete(asking(json_schema=SCHEMA))


@pytest.mark.parametrize(("after", "expected"), [(2.5, 2.5), (None, None)])
async def test_the_wait_a_service_asks_for_is_kept(server: FaultServer, after: float | None, expected: float | None) -> None:
    server.script(busy(after))
    with pytest.raises(ModelBusy) as caught:
        await model(server).complete(ASK)
    assert caught.value.after == expected


async def test_a_stream_that_breaks_off_is_busy(server: FaultServer) -> None:
    server.script(said("I do indeed.", breaks_off=True))
    with pytest.raises(ModelBusy, match="broke off after 1 characters"):
        await model(server).complete(ASK, lambda text: None)


async def test_nobody_at_the_address_is_busy() -> None:
    nobody = OpenAILike("compatible:m", model="m", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(ModelBusy, match=r"can't be reached at http://127\.0\.0\.1:9/v1"):
        await nobody.complete(ASK)


async def test_a_slow_service_meets_the_deadline(server: FaultServer) -> None:
    server.script(slow(1.0))
    started = time.monotonic()
    with pytest.raises(ModelBusy, match=r"did not answer within 0\.1 s"):
        await Deadline(model(server), 0.1).complete(ASK)
    assert time.monotonic() - started < 0.9
