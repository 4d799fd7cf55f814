"""kill -9 at thirty random moments: the log ends up as if nothing had happened."""

from __future__ import annotations

import asyncio
import multiprocessing
import multiprocessing.reduction
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from conference.domain.events import ConferenceOpened
from conference.domain.spec import Spec
from conference.running import open_run
from conference.session import run_plainly
from conference.store import Store
from tests.conferences import comparable, session_of, shipped
from tests.end_to_end.held_run import DELAY, take_up

KILLS = 30
FRESH = multiprocessing.get_context("forkserver")
FRESH.set_forkserver_preload(["pytest", "tests.end_to_end.held_run", "conference.models.scripted", "conference.judges.llm"])


def specs() -> list[Spec]:
    """Every shipped conference, worded by rule; one of them with ballots, so that acts of several events are cut too."""
    found = []
    for name in ("cannabis-regulation", "nicotine-products", "office-move", "radioactive-waste"):
        changes: dict[str, Any] = {"models": "scripted"} | ({"judge": "ballot"} if name == "office-move" else {})
        found.append(Spec.model_validate({**shipped(name).model_dump(mode="json"), **changes}))
    return found


def killed_or_done(address: str, run: str, events: int, pause: float) -> bool:
    """Let a new process take the run up and kill it `pause` seconds after so many events; whether it was killed before the end."""
    read, write = os.pipe()
    process = FRESH.Process(target=_with_pipe, args=(address, run, multiprocessing.reduction.DupFd(write)))
    process.start()
    os.close(write)
    while events > 0 and (said := os.read(read, events)):
        events -= len(said)
    time.sleep(pause)
    if process.is_alive() and process.pid is not None:
        os.kill(process.pid, signal.SIGKILL)
    process.join(30)
    os.close(read)
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


def _with_pipe(address: str, run: str, pipe: Any) -> None:
    take_up(address, run, pipe.detach())


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 here")
def test_killed_at_random_moments_it_says_the_same(tmp_path: Path) -> None:
    dice, kills = random.Random(9), 0
    address = f"sqlite:///{tmp_path}/plenary.db"
    with Store.open(address) as store:
        for spec in [*specs(), *specs()]:
            if kills >= KILLS:
                break
            run = open_run(store, spec)
            while store.run(run).status != "finished":
                left = kills < KILLS
                killed = killed_or_done(address, run, dice.randint(0, 14) if left else 10_000, dice.random() * DELAY * 3)
                status = store.run(run).status
                kills += killed and status != "finished"  # a kill between the last event and the end of the process cuts nothing
                assert status in (("running", "finished") if killed else ("finished",))
            whole = session_of(spec)
            asyncio.run(run_plainly(whole))
            first, *rest = store.log(run).events()
            assert isinstance(first, ConferenceOpened)
            assert first.spec == spec
            assert comparable(rest) == comparable(whole.log.events()[1:])
    assert kills >= KILLS
