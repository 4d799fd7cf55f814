"""The embedded model: a local llama.cpp server that all Plenary processes of a home share."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

from conference.domain.chat import OnText, Reply, Request
from conference.errors import ModelBusy
from conference.home import load_environment
from conference.models.attach import Attachment, attach
from conference.models.openai_like import OpenAILike
from conference.models.weights import embedded_gguf, own_gguf

SLOT_OF = {"turn": 0, "frame": 0, "summary": 0, "judge": 1, "ballot": 2, "score": 2}
SPARE_SLOT = 3
"""What is spoken begins alike and shares a slot; the judge's worked examples must not throw it out, so they have another."""
SMALL_BYTES = 6 << 30


class EmbeddedModel:
    """A GGUF file served locally: the packaged one, PLENARY_GGUF, or the one given by path.

    The server starts with the first request and stays while any EmbeddedModel lives or was used in the last seconds.
    """

    gives_probabilities = True

    def __init__(self, gguf: str = "") -> None:
        """`gguf` is the path of a user's own file. Raises SetupError, now or at the first request, when there is no model."""
        self.name = f"embedded:{gguf}" if gguf else "embedded"
        self._own: Path | None = own_gguf(gguf) if gguf else None
        self.small = self._own is None or self._own.stat().st_size < SMALL_BYTES
        self._attachment: Attachment | None = None
        self._doubtful = False
        self._attaching = threading.Lock()

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """Answer one request. Raises ModelBusy, ModelReplyError, ModelRefused, and SetupError when no server comes up."""
        attachment = await asyncio.to_thread(self.attached)
        try:
            return await self._over(attachment).complete(request, on_text)
        except (ModelBusy, asyncio.CancelledError):
            self._doubtful = True  # hung or dead? the next request looks
            raise

    def attached(self) -> Attachment:
        """The running server, started or replaced when need be. Blocks; raises SetupError."""
        with self._attaching:
            if self._attachment is not None and not self._attachment.is_good(thoroughly=self._doubtful):
                self._attachment.release()
                self._attachment = None
            self._doubtful = False
            if self._attachment is None:
                self._attachment = attach(self._own or embedded_gguf())
            return self._attachment

    def close(self) -> None:
        """Let go of the server; it ends when nobody else uses it."""
        with self._attaching:
            if self._attachment is not None:
                self._attachment.release()
                self._attachment = None

    def _over(self, attachment: Attachment) -> OpenAILike:
        return OpenAILike(
            self.name, model=self.name, base_url=attachment.url, key=attachment.key, small=self.small, extra=_fields_of_llama_cpp
        )


def _fields_of_llama_cpp(request: Request) -> dict[str, Any]:
    return {
        "id_slot": SLOT_OF.get(request.purpose, SPARE_SLOT),
        "cache_prompt": True,
        "chat_template_kwargs": {"enable_thinking": False},
    }


def hold() -> None:
    """Start or attach, print the base address, and hold the server until this process ends."""
    load_environment()
    print(EmbeddedModel().attached().url, flush=True)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    hold()
