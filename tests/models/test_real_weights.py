"""The packaged models themselves: a few short calls that everything else relies on."""

from __future__ import annotations

import json
import math
import os
import signal
from collections.abc import Iterator

import numpy as np
import pytest

from conference.domain.chat import Message, Request
from conference.errors import ModelBusy, SetupError
from conference.models.embedded import EmbeddedModel
from conference.models.embeddings import MiniLM
from conference.models.parts import part_paths
from conference.models.weights import CHAT, embedded_gguf

pytestmark = pytest.mark.embedded

FRAME = Message(role="system", content="The committee meets about a dog park. " + "It heard a point about noise. " * 12)


def asking(text: str, purpose: str = "turn", **more: object) -> Request:
    return Request(messages=(FRAME, Message(role="user", content=text)), purpose=purpose, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedModel]:
    """The embedded model with a server of this module's own; the joined weights are those of the user's cache."""
    with pytest.MonkeyPatch.context() as settings:
        settings.setenv("PLENARY_HOME", str(tmp_path_factory.mktemp("home")))
        settings.setenv("PLENARY_SERVER_GRACE", "1")
        settings.delenv("PLENARY_GGUF", raising=False)
        try:
            part_paths(CHAT)
        except SetupError as error:
            pytest.skip(str(error))
        embedded = EmbeddedModel()
        yield embedded
        embedded.close()


async def test_the_first_token_comes_with_twenty_probabilities(model: EmbeddedModel) -> None:
    question = Request(
        messages=(Message(role="user", content="Is Paris in France? Answer Yes or No."),),
        purpose="judge",
        max_tokens=1,
        top_logprobs=20,
    )
    reply = await model.complete(question)
    assert reply.text == reply.first_token[0].token == "Yes"
    assert len(reply.first_token) == 20
    assert 0.5 < sum(math.exp(choice.logprob) for choice in reply.first_token) <= 1.0001


async def test_a_prefix_is_read_once_and_other_purposes_leave_it(model: EmbeddedModel) -> None:
    first = await model.complete(asking("Name one breed.", max_tokens=4))
    await model.complete(Request(messages=(Message(role="user", content="Yes or no?"),), purpose="judge", max_tokens=1))
    second = await model.complete(asking("Name one toy.", max_tokens=4))
    assert first.usage.prompt_tokens > 80
    assert second.usage.cached_tokens >= first.usage.prompt_tokens - 12
    assert second.usage.decode_seconds is not None


async def test_conferences_that_share_a_slot_come_back_to_what_was_read(model: EmbeddedModel) -> None:
    def at(table: str) -> Request:
        frame = Message(role="system", content=f"{table} meets. " + f"{table} heard a point. " * 10)
        return Request(messages=(frame, Message(role="user", content="Well?")), purpose="ballot", max_tokens=1)

    usages = [(await model.complete(at(table))).usage for table in ("Northtown", "Southport", "Northtown", "Southport")]
    assert [usage.cached_tokens > 40 for usage in usages] == [False, False, True, True]


async def test_a_reply_streams_follows_its_schema_and_stays_the_same(model: EmbeddedModel) -> None:
    schema = {"type": "object", "properties": {"breed": {"type": "string"}}, "required": ["breed"], "additionalProperties": False}
    heard: list[str] = []
    reply = await model.complete(asking("Name one breed, as JSON.", max_tokens=24, json_schema=schema), heard.append)
    assert set(json.loads(reply.text)) == {"breed"}
    assert len(heard) > 2
    assert heard[-1].strip() == reply.text


async def test_an_opening_is_continued(model: EmbeddedModel) -> None:
    messages = (
        Message(role="user", content="Greet the committee in one sentence."),
        Message(role="assistant", content="Good evening,"),
    )
    request = Request(messages=messages, max_tokens=8, stop=("\n",))
    whole, streamed = await model.complete(request), await model.complete(request, lambda text: None)
    assert not whole.text.startswith("Good evening")
    assert whole.text == streamed.text


async def test_a_killed_server_costs_one_call_at_most(model: EmbeddedModel) -> None:
    pid, heard = model.attached().pid, []

    def kill_at_the_first_word(text: str) -> None:  # found: a kill after one second came too late for a short reply
        if not heard:
            os.kill(pid, signal.SIGKILL)
        heard.append(text)

    with pytest.raises(ModelBusy):
        await model.complete(asking("Count from one to a hundred, in words.", max_tokens=400), kill_at_the_first_word)
    assert heard
    assert (await model.complete(asking("Name one breed.", max_tokens=2))).text
    assert model.attached().pid != pid


def test_sentences_alike_are_near() -> None:
    vectors = MiniLM().embed(["The shop closes at ten.", "The store shuts at 10 pm.", "Goats eat grass."])
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert vectors[0] @ vectors[1] > 0.6 > 0.3 > vectors[0] @ vectors[2]


def test_the_joined_file_is_the_pinned_size(model: EmbeddedModel) -> None:
    assert embedded_gguf().stat().st_size == CHAT.size
