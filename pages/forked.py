"""A fork beside the run it was made from (`?run=…` is the fork)."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from conference.analysis.forked import Beside, Difference, Said, parting
from conference.analysis.people import Person, people_in, stranger
from conference.domain.events import AgreementCall, Event, Utterance
from conference.errors import PlenaryError
from conference.live import LiveRuns
from pages.components.language import language, said, t
from pages.components.run import chosen_run, views
from pages.components.shared import heading, plain, verdict_word


def page() -> None:
    """Draw the page."""
    found = chosen_run("forked", t("Here a fork stands beside the run it was made from. None is open."))
    summary = found.runs.store.run(found.run)
    heading(found.title)
    views("forked", found.run)
    if summary.parent is None or found.seen is None:
        st.info(t("This run is no fork. Fork one from any of its turns, on the Transcript page."))
        return
    try:
        parent = found.runs.watch.look(summary.parent)
    except PlenaryError as error:
        st.error(plain(str(error)))
        return
    if parent is None:
        st.info(t("The run it was made from has no events."))
        return
    events = found.seen.events
    sides = parting(parent.events, events, summary.parent_events - 1)
    st.write(
        t("Both share everything up to event {at}. Left: {parent}. Right: the fork.", at=sides.at, parent=plain(summary.parent))
    )
    st.page_link("pages/room.py", label=t("Open the run it was made from"), query_params={"run": summary.parent})
    changed = ", ".join(f"`{name}`" for name in sides.changed)
    st.write(t("Changed in the fork: {fields}.", fields=changed) if changed else t("The fork changed nothing of the spec."))
    _came_of(sides.differences)
    if reference := found.seen.view.spec.reference:
        _coverage(found.runs, reference, ((summary.parent, parent.events), (found.run, events)))
    st.header(t("From where they part"), anchor=False)
    people = {person.name: person for person in (*people_in(parent.events), *people_in(events))}
    for pair in sides.rounds:
        _round(pair, people)


def _came_of(differences: Sequence[Difference]) -> None:
    """A line a difference: the parent's, then the fork's."""
    _, left, right = st.columns([1, 3, 3])
    left.markdown(f"**{t('Parent')}**")
    right.markdown(f"**{t('Fork')}**")
    for difference in differences:
        head, left, right = st.columns([1, 3, 3])
        head.markdown(f"{t(difference.what)} {t('(same)') if difference.same else t('(differs)')}")
        left.markdown(plain(said(difference.parent, language()), 600))
        right.markdown(plain(said(difference.fork, language()), 600))


def _coverage(runs: LiveRuns, reference: str, talks: Sequence[tuple[str, Sequence[Event]]]) -> None:
    """What each raised of the reference, and which criteria only one of them did; waited for while it is being read."""
    read = all(runs.coverage.latest(talk, reference, events).current for talk, events in talks)

    @st.fragment(run_every=None if read else 1.0, key="covered")
    def covered() -> None:
        found = [runs.coverage.latest(talk, reference, events) for talk, events in talks]
        if not all(each.current for each in found):
            st.caption(t("Coverage is being read …"))
            return
        if not read:
            st.rerun()
        head, *sides = st.columns([1, 3, 3])
        head.markdown(t("Coverage"))
        raised = [
            {item.name for cluster in each.view.clusters for item in cluster.criteria if item.raised} if each.view else set()
            for each in found
        ]
        for side, each, own, other in zip(sides, found, raised, reversed(raised), strict=True):
            if each.view is None:
                side.markdown(plain(each.problem))
                continue
            only = ", ".join(sorted(own - other))
            side.markdown(t("{n} of {of} criteria raised.", n=each.view.raised, of=each.view.of))
            side.markdown(t("Only here: {names}.", names=plain(only, 1000)) if only else t("None that the other didn't raise."))

    covered()


def _round(pair: Beside, people: dict[str, Person]) -> None:
    st.subheader(
        t("Stage {stage} · {name} · round {round}", stage=pair.stage + 1, name=plain(pair.name), round=pair.round), anchor=False
    )
    left, right = st.columns(2, gap="medium")
    for column, turns, call in ((left, pair.parent, pair.parent_call), (right, pair.fork, pair.fork_call)):
        with column:
            _side(turns, call, people)


def _side(turns: Said, call: AgreementCall | None, people: dict[str, Person]) -> None:
    if not turns and call is None:
        st.caption(t("It didn't come to this round."))
    for event in turns:
        name = event.speaker if isinstance(event, Utterance) else event.by
        person = people.get(name) or stranger(name)
        st.markdown(f"**{plain(person.initials)} {plain(name)}**  \n{plain(event.text, 4000) or t('passes')}")
    if call is not None:
        sure = "" if call.judgement.confidence is None else f" {call.judgement.confidence:.2f}"
        st.markdown(f"{verdict_word(call.judgement.verdict)}{sure}")


page()
