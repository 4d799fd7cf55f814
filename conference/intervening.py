"""What a human does to a run that isn't under way: another past is forked from it, or its log gets an intervention."""

from __future__ import annotations

from itertools import zip_longest

from conference.domain.events import Intervention, Utterance
from conference.domain.spec import Spec
from conference.errors import UserError
from conference.floor import Floor, fold
from conference.running import models_of, taken
from conference.session import now
from conference.store import Prefix, Store


def fork_run(store: Store, parent: str, at: int, spec: Spec, line: str = "") -> str:
    """A run whose past is the parent's up to event `at`, and whose future is held from `spec`; gives its id. It waits to be resumed.

    `line` is said by the moderator first. Raises UnknownName, and UserError when the past and the spec don't go together.
    """
    past = [event for event in store.log(parent).events() if event.seq <= at]
    floor = _forkable(fold(past), parent, at, spec)
    said = sum(isinstance(event, Utterance) for event in past)
    prefix = Prefix(run=parent, events=at + 1, utterances=said)
    run_id = store.create_run(
        spec.title, condition=floor.condition, models=models_of(spec), seed=spec.seed, status="paused", prefix=prefix
    )
    log = store.log(run_id)
    log.append(Intervention(seq=at + 1, at=now(), action="fork", spec=spec, parent=parent))
    if line.strip():
        log.append(Intervention(seq=at + 2, at=now(), action="say", text=line.strip()))
    return run_id


def _forkable(floor: Floor, parent: str, at: int, spec: Spec) -> Floor:
    """The floor at the fork. Raises UserError."""
    if floor.next_seq != at + 1:
        raise UserError(f"run {parent} has no event {at}; its last is {floor.next_seq - 1}")
    if floor.closed:
        raise UserError(f"after event {at} the conference is over, and nothing is left to change; fork at an earlier turn")
    held, planned = floor.spec.agenda[: floor.stage + 1], spec.agenda[: floor.stage + 1]
    for was, will in zip_longest(held, planned):
        if will is None or was.name != will.name:
            found = f"'{will.name}'" if will else "nothing"
            raise UserError(f"stage '{was.name}' was begun before the fork, and the new agenda has {found} in its place; keep it")
    return floor


def intervene(store: Store, run_id: str, intervention: Intervention) -> None:
    """Put what a human did on the log of a run that isn't under way. Raises UserError when a process runs it, or it is over."""
    owner = taken(store, run_id)
    try:
        log = store.log(run_id)
        floor = fold(log.events())
        if floor.closed:
            raise UserError(f"run {run_id} is over; fork it to change what happened")
        log.append(intervention.model_copy(update={"seq": floor.next_seq, "at": now()}))
    finally:
        store.release(run_id, owner)
