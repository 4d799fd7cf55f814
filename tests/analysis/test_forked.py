"""A fork beside its parent."""

from __future__ import annotations

import asyncio

from conference.analysis.forked import parting
from conference.domain.events import Event, Intervention, Utterance
from conference.domain.log import MemoryLog
from conference.domain.spec import Stage
from conference.session import Session, run_plainly
from tests.conferences import Says, desk_of, session_of, small_spec

SPEC = small_spec(2, agenda=(Stage(name="A", max_rounds=2), Stage(name="B", max_rounds=1)))


def went_on(events: list[Event], answer: str) -> list[Event]:
    """The log, held to its end by a model that always says the same."""
    session = Session(MemoryLog(events), desk_of(Says(otherwise=lambda request: answer)), clock=lambda: "")
    asyncio.run(run_plainly(session))
    return session.log.events()


def test_where_they_part_what_was_changed_and_what_came_of_it() -> None:
    """Two people, ballots of 1: stage A takes two rounds, stage B one, nothing is agreed. With ballots of 8 from the first call on,
    each stage takes one round and is agreed."""
    opened = session_of(SPEC).log.events()
    parent = went_on(opened, "1")
    at = next(e.seq for e in parent if isinstance(e, Utterance) and e.round == 1 and e.by_participant)  # the first of two turns
    other = SPEC.model_copy(update={"seed": 7})
    fork = went_on([*parent[: at + 1], Intervention(seq=at + 1, at="", action="fork", spec=other, parent="p")], "8")
    found = parting(parent, fork, at)
    assert found.changed == ("seed",)
    assert [(beside.stage, beside.round, bool(beside.parent), bool(beside.fork)) for beside in found.rounds] == [
        (0, 1, True, True),
        (0, 2, True, False),
        (1, 1, True, True),
    ]
    first = found.rounds[0]
    # the first turn is shared; the second and what the moderator says at the round's end are not
    assert [said.role for said in first.parent if isinstance(said, Utterance)] == ["participant", "moderator"]
    assert first.parent_call is not None
    assert first.fork_call is not None
    assert (first.parent_call.judgement.verdict, first.fork_call.judgement.verdict) == ("continue", "agreement")
    told = {each.what: (each.parent, each.fork, each.same) for each in found.differences}
    assert told["Stages agreed"] == ("0 of 2", "2 of 2", False)
    assert told["Rounds"] == ("2 + 1", "1 + 1", False)
    assert told["Calls"] == ("○ ○ ○", "● ●", False)


def test_a_fork_that_only_begins_is_not_over() -> None:
    parent = went_on(session_of(SPEC).log.events(), "8")
    fork = [*parent[:3], Intervention(seq=3, at="", action="fork", spec=SPEC, parent="p")]
    found = parting(parent, fork, 2)
    assert found.changed == ()
    assert {each.what: each.fork for each in found.differences}["Outcome"] == "not over yet"
    assert all(not beside.fork for beside in found.rounds)


def test_what_a_human_said_stands_in_its_round() -> None:
    parent = went_on(session_of(SPEC).log.events(), "8")
    said = Intervention(seq=4, at="", action="say", text="Mind the clock.")
    fork = went_on([*parent[:3], Intervention(seq=3, at="", action="fork", spec=SPEC, parent="p"), said], "8")
    assert parting(parent, fork, 2).rounds[0].fork[0] == said
