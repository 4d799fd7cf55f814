"""What other processes do to a store in the tests; every function is the whole of one process."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import Any

from conference.domain.chat import Message, ModelCall, Reply, Request, Usage
from conference.domain.events import Utterance
from conference.errors import LogError
from conference.store import Store

SPAWN = multiprocessing.get_context("spawn")


def utterance(seq: int, text: str = "We have dependence on the table.", speaker: str = "Dr M.") -> Utterance:
    return Utterance(
        seq=seq,
        at="2026-11-30T22:00:00Z",
        stage=0,
        round=1,
        speaker=speaker,
        role="participant",
        text=text,
        usage=Usage(seconds=2.8),
    )


def model_call(text: str = "What do you say?", **given: Any) -> ModelCall:
    request = Request(messages=(Message(role="user", content=text),), prompt_version="3")
    usage = Usage(prompt_tokens=240, cached_tokens=200, completion_tokens=70, seconds=2.8)
    return ModelCall(
        **{"role": "participant", "request": request, "reply": Reply(text="I object.", model="m", usage=usage)} | given
    )


def in_processes(work: Callable[..., None], *arguments: tuple[Any, ...]) -> list[Any]:
    """Run `work(address…, barrier, answers)` once for each tuple, all beginning together; what they answered, in any order."""
    barrier, answers = SPAWN.Barrier(len(arguments)), SPAWN.Queue()
    processes = [SPAWN.Process(target=work, args=(*given, barrier, answers)) for given in arguments]
    for process in processes:
        process.start()
    try:
        found = [answers.get(timeout=60) for _ in processes]
    finally:
        for process in processes:
            process.join(60)
    assert [process.exitcode for process in processes] == [0] * len(processes)
    return found


def open_fresh(address: str, barrier: Any, answers: Any) -> None:
    barrier.wait(60)
    with Store.open(address) as store:
        answers.put(store.create_run("Opened at once"))


def append_many(address: str, run: str, speaker: str, count: int, barrier: Any, answers: Any) -> None:
    """Append events 0 … count-1, whoever else does; answers (speaker, how many were kept, how many refused)."""
    kept = refused = 0
    with Store.open(address) as store:
        log = store.log(run)
        barrier.wait(60)
        for seq in range(count):
            try:
                log.append(utterance(seq, speaker=speaker))
                kept += 1
            except LogError:
                refused += 1
    answers.put((speaker, kept, refused))


def take(address: str, run: str, owner: str, barrier: Any, answers: Any) -> None:
    with Store.open(address) as store:
        barrier.wait(60)
        answers.put(store.acquire(run, owner, 60))


def append_for_ever(address: str, run: str, started: Any) -> None:
    """Until it is killed."""
    with Store.open(address) as store:
        log = store.log(run)
        for seq in range(10**9):
            log.record(model_call())
            log.append(utterance(seq))
            if seq == 50:
                started.set()
