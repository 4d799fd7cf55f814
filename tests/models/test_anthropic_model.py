from __future__ import annotations

from typing import Any

import pytest

from conference.domain.chat import Message, Reply, Request, Usage
from conference.errors import ModelBusy, ModelRefused, ModelReplyError
from conference.models.anthropic_model import AnthropicModel, fields
from tests.models.fault_server import Answer, FaultServer, broken, busy, refused

CACHED = {"type": "ephemeral"}
SCHEMA = {"type": "object", "properties": {"verdict": {"type": "string"}}}


def asking(*said: tuple[str, str], **more: Any) -> Request:
    turns = said or (("system", "Be brief."), ("user", "Well?"))
    return Request(messages=tuple(Message(role=role, content=text) for role, text in turns), **more)  # type: ignore[arg-type]


def model(server: FaultServer) -> AnthropicModel:
    return AnthropicModel("claude", "sk-ant-secret", server.url.removesuffix("/v1"))


def answered(content: list[dict[str, Any]], stop_reason: str = "end_turn", **usage: int) -> Answer:
    counted = {"input_tokens": 10, "output_tokens": 4} | usage
    body = {"id": "m1", "type": "message", "role": "assistant", "model": "claude", "content": content, "stop_reason": stop_reason}
    return Answer(raw=True, body=body | {"stop_sequence": None, "usage": counted})


def text(said: str, **more: Any) -> Answer:
    return answered([{"type": "text", "text": said}], **more)


def turns(sent: dict[str, Any]) -> list[tuple[str, str, bool]]:
    return [(turn["role"], turn["content"][0]["text"], "cache_control" in turn["content"][0]) for turn in sent["messages"]]


def test_the_system_prompt_stands_apart_and_is_cached() -> None:
    sent = fields("claude", asking(("system", "One."), ("system", "Two."), ("user", "Well?"), max_tokens=9))
    assert sent == {
        "model": "claude",
        "max_tokens": 9,
        "temperature": 0.0,
        "system": [{"type": "text", "text": "One.\n\nTwo.", "cache_control": CACHED}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Well?"}]}],
    }


def test_neighbours_are_merged_and_all_but_the_last_is_cached() -> None:
    sent = fields("claude", asking(("user", "a"), ("user", "b"), ("assistant", "c"), ("user", "d")))
    assert turns(sent) == [("user", "a\n\nb", False), ("assistant", "c", True), ("user", "d", False)]


def test_an_opening_is_continued_or_asked_to_be() -> None:
    request = asking(("user", "Speak."), ("assistant", "I see it differently: "))
    assert turns(fields("claude", request)) == [("user", "Speak.", True), ("assistant", "I see it differently:", False)]
    assert turns(fields("claude", request, frozenset({"prefill"}))) == [
        ("user", "Speak.\n\nContinue your reply, which begins: I see it differently:", False)
    ]


def test_a_talk_begins_with_the_user() -> None:
    assert turns(fields("claude", asking(("assistant", "Hello."), ("user", "Hi."))))[0][:2] == ("user", "Begin.")


def test_sampling_stops_and_schema() -> None:
    sent = fields("claude", asking(temperature=1.5, top_p=0.9, stop=("\n", "END"), json_schema=SCHEMA, seed=3, top_logprobs=5))
    assert (sent["temperature"], sent["top_p"], sent["stop_sequences"]) == (1.0, 0.9, ["END"])
    assert sent["tools"][0]["input_schema"] == SCHEMA
    assert sent["tool_choice"] == {"type": "tool", "name": "reply"}
    assert not {"seed", "logprobs", "top_logprobs"} & set(sent)


async def test_a_reply_with_cached_tokens(server: FaultServer) -> None:
    server.script(text("I do.\nBut.", cache_read_input_tokens=90, cache_creation_input_tokens=20))
    reply = await model(server).complete(asking(stop=("\n",)))
    assert reply == Reply(
        text="I do.",
        model="anthropic:claude",
        usage=Usage(prompt_tokens=120, cached_tokens=90, completion_tokens=4, seconds=reply.usage.seconds),
    )
    assert server.headers[0]["x-api-key"] == "sk-ant-secret"


async def test_json_comes_as_the_input_of_a_tool(server: FaultServer) -> None:
    server.script(answered([{"type": "tool_use", "id": "t", "name": "reply", "input": {"verdict": "agreement"}}], "tool_use"))
    reply = await model(server).complete(asking(json_schema=SCHEMA))
    assert (reply.text, reply.finish) == ('{"verdict": "agreement"}', "stop")


def stream(*deltas: dict[str, Any], block: dict[str, Any]) -> Answer:
    head = {"id": "m1", "type": "message", "role": "assistant", "model": "claude", "content": [], "stop_reason": None}
    return Answer(
        events=(
            {
                "type": "message_start",
                "message": head | {"stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 1}},
            },
            {"type": "content_block_start", "index": 0, "content_block": block},
            *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 5}},
            {"type": "message_stop"},
        )
    )


async def test_streaming_text(server: FaultServer) -> None:
    deltas = [{"type": "text_delta", "text": piece} for piece in ("I ", "do.")]
    server.script(stream(*deltas, block={"type": "text", "text": ""}))
    heard: list[str] = []
    reply = await model(server).complete(asking(), heard.append)
    assert heard == ["I ", "I do."]
    assert (reply.text, reply.usage.completion_tokens) == ("I do.", 5)


async def test_streaming_json(server: FaultServer) -> None:
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in ('{"verdict": ', '"continue"}')]
    server.script(stream(*deltas, block={"type": "tool_use", "id": "t", "name": "reply", "input": {}}))
    heard: list[str] = []
    reply = await model(server).complete(asking(json_schema=SCHEMA), heard.append)
    assert reply.text == heard[-1] == '{"verdict": "continue"}'


async def test_a_newer_model_teaches_what_it_does_not_take(server: FaultServer) -> None:
    def newer(body: dict[str, Any]) -> Answer | None:
        if body["messages"][-1]["role"] == "assistant":
            return refused("This model does not support assistant message prefill.")
        return refused("`temperature` is not supported by this model") if "temperature" in body else None

    server.rules.append(newer)
    server.otherwise = lambda body: text("Yes.")
    one = model(server)
    for _ in range(2):
        await one.complete(asking(("user", "Speak."), ("assistant", "Well,")))
    assert len(server.requests) == 4
    assert "temperature" not in server.requests[-1]
    assert server.requests[-1]["messages"][-1]["role"] == "user"


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (busy(1), ModelBusy, "HTTP 429"),
        (broken(529), ModelBusy, "HTTP 529"),
        (refused("late", 408), ModelBusy, "HTTP 408"),
        (refused("invalid x-api-key sk-ant-secret", 401), ModelRefused, r"\(HTTP 401\); check ANTHROPIC_API_KEY"),
        (refused("model: claude", 404), ModelRefused, "check ANTHROPIC_API_KEY and the model's name"),
        (refused("prompt is too long: 210000 tokens"), ModelRefused, "longer than its context"),
        (refused("Your credit balance is too low"), ModelRefused, "credit balance"),
        (text(""), ModelReplyError, "answered nothing"),
        (text("", stop_reason="refusal"), ModelReplyError, r"finish: refusal"),
    ],
)
async def test_faults_become_our_errors(server: FaultServer, answer: Answer, error: type[Exception], message: str) -> None:
    server.script(answer)
    with pytest.raises(error, match=message) as caught:
        await model(server).complete(asking())
    assert "sk-ant-secret" not in str(caught.value)
    assert len(server.requests) == 1


async def test_cut_json_is_a_reply_error(server: FaultServer) -> None:
    server.script(answered([{"type": "tool_use", "id": "t", "name": "reply", "input": {}}], "max_tokens"))
    with pytest.raises(ModelReplyError, match="the JSON reply is cut"):
        await model(server).complete(asking(json_schema=SCHEMA))


async def test_nobody_at_the_address_is_busy() -> None:
    with pytest.raises(ModelBusy, match="can't be reached at http://127"):
        await AnthropicModel("claude", "k", "http://127.0.0.1:9").complete(asking())


async def test_an_error_inside_a_stream_is_busy(server: FaultServer) -> None:
    server.script(Answer(events=({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},)))
    with pytest.raises(ModelBusy, match="Overloaded"):
        await model(server).complete(asking(), lambda text: None)
