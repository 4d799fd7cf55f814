"""From what a service's SDK raises to our errors: busy, refused, or a reply that can't be used."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from conference.errors import ModelBusy, ModelError, ModelRefused

WORTH_ANOTHER_TRY = frozenset({408, 409, 425, 429, 529})
NO_RETRY_HELPS = ("insufficient_quota", "billing", "credit balance")
TOO_LONG = ("context_length", "context length", "context size", "exceed_context", "prompt is too long", "maximum context")


def from_status(name: str, status: int, said: str, headers: Mapping[str, str], remedy: str) -> ModelError:
    """The error for an HTTP status. `said` is the service's own text, `remedy` what to do about a key or a model's name."""
    spent = any(word in said.lower() for word in NO_RETRY_HELPS)
    if (status in WORTH_ANOTHER_TRY or status >= 500) and not spent:
        return ModelBusy(f"{name} can't answer now (HTTP {status}: {short(said)})", retry_after(headers))
    if status in (401, 403, 404):
        # What the service says about a key may quote a part of it.
        return ModelRefused(f"{name} refused the request (HTTP {status}); {remedy}")
    if any(word in said.lower() for word in TOO_LONG):
        return ModelRefused(
            f"{name}: the prompt is longer than its context ({short(said)}); shorten the briefs or use a larger model"
        )
    return ModelRefused(f"{name} refused the request (HTTP {status}: {short(said)}); {remedy}")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the service asks to wait (`Retry-After` as seconds or as a date, or `retry-after-ms`), None when it doesn't."""
    milliseconds, value = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds:
            return max(0.0, float(milliseconds) / 1000)
        return max(0.0, float(value)) if value else None
    except ValueError:
        return _until(value or "")


def _until(date: str) -> float | None:
    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def short(text: str) -> str:
    """One line of at most 160 characters, without the SDK's own preamble."""
    line = re.sub(r"^Error code: \d+ - ", "", " ".join(text.split()))
    return line if len(line) <= 160 else line[:159] + "…"
