"""The base of every record: frozen, and an unknown key is an error."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints


class Record(BaseModel):
    """A frozen value. A mistyped key is an error, not a default."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")


Words = Annotated[str, StringConstraints(min_length=1, max_length=20_000, strip_whitespace=True)]
"""Text that says something: stripped, not empty."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=120, strip_whitespace=True, pattern=r"^[^\r\n\x00]+$")]
"""A name on one line."""
