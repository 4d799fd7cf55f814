"""From a spec and a store to a conference that runs: models by name, budget, lease, status. Used by the command line and the pages."""

from __future__ import annotations

import asyncio
import os
import socket
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from conference import __version__
from conference.domain.chat import ChatModel, Embedder, Recorder
from conference.domain.events import ConferenceOpened, Event
from conference.domain.reading import build
from conference.domain.spec import Condition, Limits, Spec
from conference.errors import LogError, UserError
from conference.floor import fold
from conference.judges.registry import judge_named
from conference.models.budget import Budget
from conference.models.registry import chat_model
from conference.models.wrappers import Budgeted, Deadline, Recorded, Retrying
from conference.moves.affinity import Affinity, shared_words
from conference.prompts import balloting, judging, openers, roleplay, scoring, speaking
from conference.seats.desk import Desk, OnFault, SeatRole
from conference.session import Session, now, run, run_plainly
from conference.store import Store

LEASE_SECONDS = 60.0
LOCAL_DEADLINE, HOSTED_DEADLINE = 300.0, 120.0
PACKAGES = ("autogen-agentchat", "xllamacpp", "openai", "anthropic", "sentence-transformers", "pydantic")


@dataclass(frozen=True)
class Overrides:
    """What a command or a page changes of a spec before it is run."""

    model: str | None = None
    judge: str | None = None
    seed: int | None = None
    condition: Condition = "with_judge"


def with_overrides(spec: Spec, overrides: Overrides) -> Spec:
    """The spec as it will be run. A model named here plays every role. Raises UserError for a judge or a value that can't be."""
    changes: dict[str, Any] = {}
    if overrides.model is not None:
        changes["models"] = overrides.model
    if overrides.judge is not None:
        if overrides.judge != "none":
            judge_named(overrides.judge)
        changes["judge"] = overrides.judge
    if overrides.seed is not None:
        changes["seed"] = overrides.seed
    return build(Spec, {**spec.model_dump(mode="json"), **changes}, "the spec as changed") if changes else spec


def models_at_work(spec: Spec) -> list[str]:
    """The models that have something to do, each once."""
    seats = [spec.models.of("participant", person.id) for person in spec.participants if person.id not in spec.humans]
    seats += [spec.models.of("moderator")] if spec.moderator.id not in spec.humans else []
    seats += [spec.models.of("judge")] if spec.judge else []
    seats += [spec.models.of("evaluator")] if spec.evaluator else []
    return list(dict.fromkeys(seats))


def check_models(spec: Spec) -> None:
    """Raises UserError when a model of the table can't be used as things are: no such name, no key. Starts nothing."""
    for name in models_at_work(spec):
        chat_model(name)


def open_run(store: Store, spec: Spec, condition: Condition = "with_judge") -> str:
    """Create the run and put its first event on the log; gives the run's id."""
    run_id = store.create_run(spec.title, condition=condition, models=models_of(spec), seed=spec.seed)
    store.log(run_id).append(
        ConferenceOpened(
            seq=0, at=now(), spec=spec, condition=condition, seed=spec.seed, prompts=_prompts(), packages=_packages()
        )
    )
    return run_id


def models_of(spec: Spec) -> list[str]:
    """The names of its models, by role."""
    return [spec.models.of(role) for role in ("participant", "moderator", "judge", "evaluator")]


def _prompts() -> dict[str, str]:
    return {
        "speaking": speaking.VERSION, "openers": openers.VERSION, "roleplay": roleplay.VERSION, "judging": judging.PROMPT_VERSION,
        "balloting": balloting.VERSION, "scoring": scoring.VERSION,
    }  # fmt: skip


def _packages() -> dict[str, str]:
    found = {"plenary": __version__}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


class ModelShop:
    """Models by role and speaker, each wrapped: budget around retry around record around deadline around the model."""

    def __init__(self, recorder: Recorder, budget: Budget) -> None:
        self._recorder, self._budget = recorder, budget
        self._bare: dict[str, ChatModel] = {}

    def __call__(self, role: SeatRole, speaker: str, name: str, on_fault: OnFault) -> ChatModel:
        """As `seats.desk.ModelFor`. Raises UnknownName or SetupError for a name that can't be used."""
        if name not in self._bare:
            self._bare[name] = chat_model(name)
        bare = self._bare[name]
        return Budgeted(
            Retrying(Recorded(Deadline(bare, deadline_of(name)), self._recorder, role, speaker), on_fault=on_fault), self._budget
        )


def deadline_of(model: str) -> float:
    """Seconds a call may take: PLENARY_DEADLINE, else 300 for local models and 120 for others."""
    named = os.environ.get("PLENARY_DEADLINE")
    if named:
        with suppress(ValueError):
            if (seconds := float(named)) > 0:
                return seconds
        raise UserError(f"PLENARY_DEADLINE is '{named}'; give seconds, such as 120")
    return LOCAL_DEADLINE if model.startswith(("embedded", "ollama")) else HOSTED_DEADLINE


def near_by(embedder: Embedder) -> Affinity:
    """Affinity as the cosine of embeddings, each text embedded once."""
    known: dict[str, Any] = {}

    def near(first: str, second: str) -> float:
        missing = [text for text in dict.fromkeys((first, second)) if text not in known]
        if missing:
            known.update(zip(missing, embedder.embed(missing), strict=True))
        return float(known[first] @ known[second])

    return near


def session_of(
    store: Store, run_id: str, *, whisper: Callable[[str, str], None] = lambda speaker, text: None,
    on_event: Callable[[Event], None] = lambda event: None, embedder: Embedder | None = None,
    limits: Limits | None = None,
) -> Session:  # fmt: skip
    """The session of a run, ready to go on where its log ends. Raises UserError when a model can't be used.

    The spec's limits hold for each start: a resumed conference has them anew, unless others are given for this one.
    """
    spec, log = spec_of(store, run_id), store.log(run_id)
    limits = limits or spec.limits
    shop = ModelShop(log, Budget(limits.tokens, limits.minutes))
    desk = Desk(shop, near_by(embedder) if embedder else shared_words, embedder, whisper)
    session = Session(log, desk, on_event=on_event)
    if spec.moderator.id not in spec.humans:
        desk.model(spec, "moderator", spec.moderator)
    if session.floor.judged:
        desk.model(spec, "judge")
    if spec.evaluator is not None:
        desk.model(spec, "evaluator")
    for person in spec.participants:
        if person.id not in spec.humans:
            desk.model(spec, "participant", person)
    return session


def limits_with(limits: Limits, tokens: int | None, minutes: float | None) -> Limits:
    """The limits with those that are given here. Raises SpecError for one that can't be."""
    given = {key: value for key, value in (("tokens", tokens), ("minutes", minutes)) if value is not None}
    return build(Limits, {**limits.model_dump(), **given}, "the limits given")


def embedder_for(spec: Spec) -> Embedder | None:
    """The fast embedder where turns are planned for a small local model: it tells nearness and repetition. Raises SetupError."""
    if spec.moves != "planned" and not spec.models.of("participant").startswith(("embedded", "ollama")):
        return None
    from conference.models.embeddings import CachedEmbedder, MiniLM

    return CachedEmbedder(MiniLM())


def spec_of(store: Store, run_id: str) -> Spec:
    """The spec a run goes on from: the one it was opened with, unless it is a fork or its judge was changed. Raises LogError."""
    events = store.log(run_id).events()
    if not events:
        raise LogError(f"run {run_id} has no conference_opened; it can't be run")
    return fold(events).spec


def owner_name() -> str:
    """A name for this process's lease that no other process uses."""
    return f"{socket.gethostname()}/{os.getpid()}/{uuid.uuid4().hex[:8]}"


async def hold(store: Store, run_id: str, session: Session, *, plainly: bool = False) -> None:
    """Run the session under a lease until it is closed or paused, and keep the run's status.

    Raises UserError when another process runs it.
    """
    owner = taken(store, run_id)
    store.set_status(run_id, "running")
    keeper = asyncio.create_task(_keep_lease(store, run_id, owner, session))
    try:
        session.resume()
        await (run_plainly(session) if plainly else run(session))
        if session.abandoned:
            raise LogError(f"run {run_id} was taken over by another process; it goes on there")
        store.set_status(run_id, "finished" if session.floor.closed else "paused")
    except Exception:
        if not session.abandoned:
            store.set_status(run_id, "failed")
        raise
    finally:
        keeper.cancel()
        with suppress(asyncio.CancelledError):
            await keeper
        store.release(run_id, owner)


def taken(store: Store, run_id: str) -> str:
    """The name under which this process now holds the run. What a process of this machine held that is no more is free at once."""
    owner = owner_name()
    if store.acquire(run_id, owner, LEASE_SECONDS):
        return owner
    holder = store.run(run_id).owner
    if holder is not None and is_gone(holder):
        store.release(run_id, holder)
    if not store.acquire(run_id, owner, LEASE_SECONDS):
        raise UserError(f"run {run_id} is being run by another process; wait until it ends, or watch it in the dashboard")
    return owner


def is_gone(owner: str) -> bool:
    """Whether the process of this name ran on this machine and has ended (a kill leaves its lease behind)."""
    host, _, rest = owner.partition("/")
    process = rest.partition("/")[0]
    if os.name != "posix" or host != socket.gethostname() or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _renewed(store: Store, run_id: str, owner: str) -> bool:
    """Whether this process still holds the run, or again: after a sleep it may count as interrupted, with nobody else at it."""
    if store.renew(run_id, owner, LEASE_SECONDS):
        return True
    if not store.acquire(run_id, owner, LEASE_SECONDS):
        return False
    store.set_status(run_id, "running")
    return True


async def _keep_lease(store: Store, run_id: str, owner: str, session: Session) -> None:
    """Renew until cancelled. The session is abandoned when the lease is lost, or couldn't be renewed for its whole length."""
    renewed = time.monotonic()
    while not session.abandoned:
        await asyncio.sleep(LEASE_SECONDS / 3)
        try:
            if await asyncio.to_thread(_renewed, store, run_id, owner):
                renewed = time.monotonic()
            else:
                session.abandon()
        except LogError:
            if time.monotonic() - renewed > LEASE_SECONDS:
                session.abandon()
