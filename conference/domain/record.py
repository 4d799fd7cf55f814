"""The base of every record: frozen, and an unknown key is an error."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints


class Record(BaseModel):
    """A frozen value. A mistyped key is an error, not a default."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")


Words = Annotated[str, StringConstraints(min_length=1, max_length=20_000, strip_whitespace=True)]
"""Text that says something: stripped, not empty."""

_ONE_LINE = r"^[^\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]+$"
Name = Annotated[str, StringConstraints(min_length=1, max_length=120, strip_whitespace=True, pattern=_ONE_LINE)]
"""A name on one line, without control characters."""

Title = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True, pattern=_ONE_LINE)]
"""A title on one line, without control characters."""
