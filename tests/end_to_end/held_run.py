"""What a killed process runs: it takes a run up, says a byte for every event, and takes its time."""

from __future__ import annotations

import asyncio
import os
import time

from conference.domain.events import Event
from conference.running import hold, session_of
from conference.store import Store

DELAY = 0.003
"""Seconds after each event: there is a moment to be killed in before and after everything."""


def take_up(address: str, run: str, tell: int) -> None:
    """Run to the end, on AutoGen; `tell` is a file descriptor to write to."""

    def on_event(event: Event) -> None:
        os.write(tell, b".")
        time.sleep(DELAY)

    with Store.open(address) as store:
        asyncio.run(hold(store, run, session_of(store, run, on_event=on_event)))
