"""A model that adds up what it used."""

from __future__ import annotations

from conference.domain.chat import ChatModel, OnText, Reply, Request, Usage


class Counted:
    """Sums the usage of all models put `around` it."""

    def __init__(self) -> None:
        self.usage = Usage()

    def around(self, model: ChatModel) -> ChatModel:
        """The same model, counted here."""
        return _CountedModel(model, self)


class _CountedModel:
    def __init__(self, model: ChatModel, counter: Counted) -> None:
        self.model, self.counter = model, counter
        self.name, self.small, self.gives_probabilities = model.name, model.small, model.gives_probabilities

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """Answer one request, and count it."""
        reply = await self.model.complete(request, on_text)
        self.counter.usage = self.counter.usage + reply.usage
        self.gives_probabilities = self.model.gives_probabilities
        return reply
