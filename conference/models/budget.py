"""What a conference may spend: tokens newly read or written, and minutes."""

from __future__ import annotations

import time
from collections.abc import Callable

from conference.domain.chat import Usage
from conference.errors import BudgetSpent

_GO_ON = "resume with --{} N, or from the dashboard, where the limit holds anew"


class Budget:
    """One budget, shared by all models of a run. The clock runs from the moment it is made."""

    def __init__(
        self,
        tokens: int | None = None,
        minutes: float | None = None,
        spent_tokens: int = 0,
        clock: Callable[[], float] = time.monotonic,
        *,
        spent_seconds: float = 0.0,
    ) -> None:
        """None means no limit. A resumed run passes what its log says was spent; `clock` gives seconds."""
        self.tokens = tokens
        self.minutes = minutes
        self.spent_tokens = spent_tokens
        self._clock = clock
        self._started = clock() - spent_seconds

    @property
    def spent_minutes(self) -> float:
        """Minutes since the budget was made, and those before."""
        return (self._clock() - self._started) / 60

    def check(self) -> None:
        """Raises BudgetSpent when nothing is left."""
        if self.tokens is not None and self.spent_tokens >= self.tokens:
            raise BudgetSpent(f"{self.spent_tokens} of {self.tokens} tokens of this start are spent; {_GO_ON.format('tokens')}")
        if self.minutes is not None and self.spent_minutes >= self.minutes:
            raise BudgetSpent(
                f"{self.spent_minutes:.1f} of {self.minutes:g} minutes of this start are spent; {_GO_ON.format('minutes')}"
            )

    def spend(self, usage: Usage) -> None:
        """Count one call: its tokens newly read or written (those from a cache are free)."""
        self.spent_tokens += usage.total_tokens
