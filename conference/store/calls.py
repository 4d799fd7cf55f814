"""Model calls, whole, as they were kept beside the log."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Connection, Select, select

from conference.domain.chat import ModelCall
from conference.domain.record import Record
from conference.errors import LogError
from conference.store.body import plain, whole
from conference.store.database import Database
from conference.store.tables import calls

call_reader: TypeAdapter[ModelCall] = TypeAdapter(ModelCall)

_TOKENS_AT_MOST = 2**53


class StoredCall(Record):
    """One call. `number` counts the run's calls from 0; `seq` is the event it led to, None while (or if) there is none."""

    number: int
    seq: int | None
    call: ModelCall


_page_reader: TypeAdapter[list[StoredCall]] = TypeAdapter(list[StoredCall])


def page(connection: Connection, _database: Database, run: str, after: int, limit: int) -> list[StoredCall]:
    """At most `limit` calls with a number > `after`, in order."""
    return _read(connection, run, _of(run).where(calls.c.call > after).limit(limit))


def of_event(connection: Connection, _database: Database, run: str, seq: int) -> list[StoredCall]:
    """The calls that led to event `seq`, retries included, in order."""
    return _read(connection, run, _of(run).where(calls.c.seq == seq))


def _of(run: str) -> Select[int, int | None, str]:
    return select(calls.c.call, calls.c.seq, calls.c.body).where(calls.c.run == run).order_by(calls.c.call)


def _read(connection: Connection, run: str, query: Select[int, int | None, str]) -> list[StoredCall]:
    rows = connection.execute(query).all()
    joined = ",".join(f'{{"number":{number},"seq":{"null" if seq is None else seq},"call":{body}}}' for number, seq, body in rows)
    try:
        return _page_reader.validate_json(f"[{joined}]")
    except ValidationError as error:
        raise LogError(f"the calls of run {run} can't be read by this version of Plenary; update it") from error


def call_row(call: ModelCall) -> tuple[Any, ...]:
    """The columns of a call between its number and its body."""
    usage = call.reply.usage if call.reply else None
    model = call.model or (call.reply.model if call.reply else "")
    return (
        plain(call.at) or datetime.now(UTC).isoformat(timespec="milliseconds"),
        plain(call.role),
        plain(call.speaker),
        plain(model),
        plain(call.request.purpose),
        plain(call.request.prompt_version),
        call.outcome,
        whole(call.attempt) or 0,
        whole(usage.total_tokens, _TOKENS_AT_MOST) if usage else None,
        whole(usage.cached_tokens, _TOKENS_AT_MOST) if usage else None,
        usage.seconds if usage and math.isfinite(usage.seconds) else None,
    )
