"""Forks of runs, and interventions in runs that aren't under way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conference.domain.events import AgreementCall, Event, Intervention, Utterance
from conference.domain.spec import Spec, Stage
from conference.errors import UnknownName, UserError
from conference.intervening import fork_run, intervene
from conference.running import hold, open_run, session_of, spec_of
from conference.store import Store
from tests.conferences import person, shipped, small_spec

AGENDA = (Stage(name="A", max_rounds=2), Stage(name="B", max_rounds=2))
SPEC = small_spec(3, models="scripted", agenda=AGENDA)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path}/plenary.db") as opened:
        yield opened


async def held(store: Store, run: str) -> list[Event]:
    await hold(store, run, session_of(store, run))
    return store.log(run).events()


async def parent_of(store: Store, spec: Spec = SPEC) -> tuple[str, list[Event]]:
    run = open_run(store, spec)
    return run, await held(store, run)


def bare(events: list[Event], shift: int = 0) -> list[dict[str, Any]]:
    """Events without time, numbered as before the fork's own event."""
    rows = [event.model_dump(mode="json", exclude={"at", "usage"}) for event in events]
    for row in rows:
        row["seq"] -= shift
        if row["kind"] == "agreement_call":
            row["judgement"]["evidence"] = [item["quote"] for item in row["judgement"]["evidence"]]
        if row.get("move"):
            row["move"]["answers"] = None
    return rows


@pytest.mark.parametrize("name", ["small", "cannabis-regulation"])
async def test_a_fork_that_changes_nothing_goes_on_as_its_parent_did(store: Store, name: str) -> None:
    """At every fifth utterance: the same past by reference, then (one number later) the same future."""
    spec = SPEC if name == "small" else shipped(name).model_copy(update={"models": SPEC.models})
    run, events = await parent_of(store, spec)
    for at in [event.seq for event in events if isinstance(event, Utterance)][::5]:
        fork = fork_run(store, run, at, spec)
        assert store.run(fork).status == "paused"
        after = await held(store, fork)
        assert after[: at + 1] == events[: at + 1]
        assert (after[at + 1].kind, store.run(fork).parent, store.run(fork).status) == ("intervention", run, "finished")
        assert bare(after[at + 2 :], 1) == bare(events[at + 1 :])


async def test_a_fork_with_another_table_another_judge_and_the_moderators_next_line(store: Store) -> None:
    run, events = await parent_of(store)
    at = next(event.seq for event in events if isinstance(event, Utterance) and event.by_participant)
    other = SPEC.model_copy(update={"participants": (*SPEC.participants[:2], person(5)), "judge": None, "seed": 9})
    fork = fork_run(store, run, at, other, "  Let us hear Finn. ")
    assert spec_of(store, fork) == other
    after = await held(store, fork)
    assert [(e.action, e.text) for e in after if isinstance(e, Intervention)] == [("fork", ""), ("say", "Let us hear Finn.")]
    assert not any(isinstance(event, AgreementCall) for event in after)
    later = {event.speaker for event in after[at + 1 :] if isinstance(event, Utterance)}
    assert later == {"Mo Chair", *(p.name for p in other.participants)}
    assert store.log(run).events() == events  # the parent is as it was


async def test_a_past_and_a_spec_that_dont_go_together(store: Store) -> None:
    run, events = await parent_of(store)
    with pytest.raises(UserError, match=r"^run \S+ has no event 999; its last is"):
        fork_run(store, run, 999, SPEC)
    with pytest.raises(UserError, match="the conference is over, and nothing is left to change"):
        fork_run(store, run, events[-1].seq, SPEC)
    renamed = SPEC.model_copy(update={"agenda": (Stage(name="Z"), AGENDA[1])})
    with pytest.raises(UserError, match="stage 'A' was begun before the fork, and the new agenda has 'Z' in its place; keep it"):
        fork_run(store, run, 3, renamed)
    with pytest.raises(UnknownName):
        fork_run(store, "nothing", 3, SPEC)
    assert len(store.runs()) == 1


async def test_an_intervention_in_a_paused_run_is_on_the_log_and_a_run_that_is_over_takes_none(store: Store) -> None:
    run = open_run(store, SPEC)
    store.set_status(run, "paused")
    intervene(store, run, Intervention(seq=0, at="", action="say", text="Begin."))
    assert [(e.seq, e.kind) for e in store.log(run).events()] == [(0, "conference_opened"), (1, "intervention")]
    assert store.run(run).owner is None
    await held(store, run)
    with pytest.raises(UserError, match="is over; fork it"):
        intervene(store, run, Intervention(seq=0, at="", action="say", text="Wait."))
