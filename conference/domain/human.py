"""A human at the table: what is asked of one, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conference.domain.position import Gradient, Stance
from conference.domain.record import Record

HumanAct = Literal["open", "frame", "close", "turn", "ballot"]


@dataclass(frozen=True)
class Asked:
    """Whose turn it is, and for what. `seq` is the number the turn will have on the log: it tells an answer that comes too late."""

    seq: int
    seat: str
    """Id of the persona a human plays."""
    name: str
    act: HumanAct
    suggestion: str = ""
    """What a moderator would say here; empty for others."""
    proposal: str = ""
    """What is on the table, or would be from this turn on."""


class HumanTurn(Record):
    """What a human says at its turn. A participant without words passes."""

    text: str = ""
    stance: Stance | None = None
    """Of what is on the table, as the human marked it; None when it isn't marked."""
    condition: str = ""
    """What would have to change, as a clause after *if*."""
    proposal: str = ""
    """A participant's: its own proposal. A moderator's: what is on the table from now on; empty changes nothing."""
    option: str = ""
    """The option of the spec which the proposal is about."""
    gradient: Gradient | None = None
    """At a ballot: how far it agrees, 1 to 8; None leaves the ballot empty."""
