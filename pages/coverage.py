"""Coverage of a run by a published conference (`?run=…&reference=…&about=…&stage=…&who=…`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from conference.analysis.beyond import Topics
from conference.analysis.coverage import Line, lines_of
from conference.analysis.coverage_growth import growth, stage_starts, steps_to, steps_up
from conference.analysis.people import Person
from conference.analysis.raised import Counted, Raising, by_people, by_stages, never_raised, provenance_of, raisings_of
from conference.domain.reference import Reference
from conference.errors import PlenaryError
from conference.following import Followed
from conference.library import REFERENCES, ids_in, load_reference
from conference.live import MOVING
from conference.watching import Seen
from pages.components.choice import choice, choose
from pages.components.covering import draw_by_people, draw_by_stages, draw_growth
from pages.components.language import t, tn
from pages.components.line import line_link
from pages.components.newer import offer_newer
from pages.components.quotes import draw_quotes
from pages.components.run import Chosen, chosen_run, views
from pages.components.shared import heading, plain

SHOWN_LINES = 3
LOOK_SECONDS = 1.0


@dataclass(frozen=True)
class Laid:
    """A run with a reference laid beside it, as far as it was read."""

    found: Chosen
    seen: Seen
    reference: Reference
    talk: str
    followed: Followed
    lines: list[Line]
    raisings: tuple[Raising, ...]

    @property
    def stages(self) -> list[str]:
        """Names of the stages."""
        return [stage.name for stage in self.seen.view.spec.agenda]

    @property
    def people(self) -> list[Person]:
        """The table, and whoever else raised something."""
        return list(dict.fromkeys([*self.seen.view.people, *(each.person for each in self.raisings)]))


def page() -> None:
    """Draw the page."""
    found = chosen_run(
        "coverage",
        t("Here is shown what of a published conference was talked about, by whom, and what never. No conference is open."),
    )
    heading(found.title)
    views("coverage", found.run)
    offer_newer(found, waits=found.seen is None)
    if found.seen is None:
        st.info(t("The conference is about to begin. What it covers of a published one appears here."))
        st.page_link("pages/room.py", label=t("Watch it in the room"), query_params={"run": found.run})
        return
    name = _chosen_reference(found.seen)
    if name:
        _lay_beside(found, found.seen, name)


def _chosen_reference(seen: Seen) -> str:
    own, asked = seen.view.spec.reference or "", st.query_params.get("reference", "")
    options = list(dict.fromkeys([own, *ids_in(REFERENCES)]))
    if asked and asked not in options and "reference" not in st.session_state:
        st.error(t("There is no reference '{name}' in the library; choose one here.", name=plain(asked, 80)))
    name = choice(t("Published conference laid beside this one"), options, "reference", lambda key: _title(key) or t("None"))
    if not name:
        st.info(
            t("No published conference belongs to this run. Choose one above to see what of it was talked about, and what never.")
        )
    return name


@st.cache_data(ttl=60, max_entries=200, show_spinner=False)
def _title(name: str) -> str:
    if not name:
        return ""
    try:
        return load_reference(name).title[:120]
    except PlenaryError:
        return name


def _lay_beside(found: Chosen, seen: Seen, name: str) -> None:
    try:
        reference = load_reference(name)
    except PlenaryError as error:
        st.error(plain(str(error)))
        return
    talk = found.run if name == seen.view.spec.reference else f"{found.run} by {name}"
    followed = found.runs.coverage.latest(talk, name, seen.events)
    _provenance(reference)
    if followed.problem:
        st.error(plain(followed.problem))
    _until_read(found, seen, talk, name, followed)
    if followed.view is None:
        return
    lines = lines_of(seen.events)[: len(followed.rows)]
    raisings = raisings_of(lines, followed.rows, seen.view.spec, seen.view.people)
    _drawn(Laid(found, seen, reference, talk, followed, lines, raisings), name)


def _until_read(found: Chosen, seen: Seen, talk: str, name: str, followed: Followed) -> None:
    """While words are being read: says so, and draws the page once more when they are; but never a page that a live run has moved past."""
    if followed.current:
        return
    by_itself = followed.view is None or found.state not in MOVING

    @st.fragment(run_every=LOOK_SECONDS if by_itself else None, key="reading")
    def reading() -> None:
        if by_itself and found.runs.coverage.latest(talk, name, seen.events).current:
            st.rerun()
        if followed.view is None:
            st.info(t("Reading what was said against the published conference; the first time this takes up to a minute."))
        else:
            st.caption(t("Still reading: this lags behind what was said."))

    reading()


def _provenance(reference: Reference) -> None:
    known = provenance_of(reference)
    source = plain(known.citation, 400) or t("no citation")
    year = f" · {known.year}" if known.year and str(known.year) not in known.citation else ""
    checked = t("{checked} of {all} criteria in words that were checked against it", checked=known.checked, all=known.criteria)
    st.caption(f"{source}{year} · {checked}")
    if known.notes or known.licence:
        with st.expander(t("Where these words come from"), key="provenance"):
            for about, note in known.notes:
                st.markdown(f"- **{plain(about.replace('_', ' '), 60)}**: {plain(note, 900)}")
            if known.licence:
                st.markdown(f"- **{t('licence')}**: {plain(known.licence)}")


def _drawn(laid: Laid, name: str) -> None:
    _summary(laid, name)
    rows = by_stages(laid.reference, laid.raisings, len(laid.stages))
    left, right = st.columns([5, 4], gap="large")
    with right:
        st.header(t("Who said it, and how"), anchor=False)
        about, stage = draw_quotes(laid.found.run, laid.raisings, rows, laid.stages, laid.people)
        _never(laid)
        _beyond(laid, name)
    with left:
        st.header(t("Clusters by stages"), anchor=False)
        st.caption(
            t("How many utterances raise each cluster. Click a cell to read them beside; its cluster opens into criteria.")
        )
        draw_by_stages(rows, laid.stages, about, stage, _pick_stage)
        _as_table(rows, [f"{at}. {each}" for at, each in enumerate(laid.stages, 1)], "stages_table")
        _growth(laid, name)
        st.header(t("Who raised what"), anchor=False)
        st.caption(t("How many utterances of each person raise each criterion. Click a cell to read them above."))
        by_whom = by_people(laid.reference, laid.raisings, laid.people)
        draw_by_people(by_whom, laid.people, _pick_person)
        _as_table(by_whom, [f"{at}. {each.name}" for at, each in enumerate(laid.people, 1)], "people_table")


def _summary(laid: Laid, name: str) -> None:
    view = laid.followed.view
    assert view is not None
    text = t(
        "**{clusters} of {all_clusters} clusters** and **{criteria} of {all_criteria} criteria** were raised in {turns} turns.",
        clusters=view.raised_clusters, all_clusters=len(view.clusters), criteria=view.raised, all_criteria=view.of, turns=view.utterances,
    )  # fmt: skip
    for chance in laid.found.runs.coverage.by_chance(name, [len(laid.lines)]):
        text += " " + t(
            "As much talk about something else would seem to raise {clusters} clusters and {criteria} criteria.",
            clusters=f"{chance.clusters:.1f}", criteria=f"{chance.criteria:.1f}",
        )  # fmt: skip
    st.markdown(text)
    if view.weak:
        st.caption(t("This reference has too few example utterances: take it as a first impression, not as a measurement."))


def _pick_stage(stage: str, about: str) -> None:
    choose("stage", stage)
    choose("about", about)


def _pick_person(who: str, about: str) -> None:
    choose("who", who)
    choose("about", about)
    choose("stage", "")


def _as_table(rows: Sequence[Counted], columns: Sequence[str], key: str) -> None:
    with st.expander(t("As a table"), key=key):
        st.dataframe(
            [
                {t("Cluster"): row.cluster, t("Criterion"): row.criterion or t("(whole cluster)")}
                | dict(zip(columns, row.counts, strict=True))
                for row in rows
            ],
            hide_index=True,
        )


def _growth(laid: Laid, name: str) -> None:
    st.header(t("How coverage grew"), anchor=False)
    st.caption(t("Dotted: what talk about something else would seem to raise, which is read wrongly as often as that."))
    points, steps = growth(laid.followed.rows), steps_to(len(laid.lines))
    chance = list(zip(steps, laid.found.runs.coverage.by_chance(name, steps), strict=False))
    starts = [(before, laid.stages[stage]) for before, stage in stage_starts(laid.lines) if isinstance(stage, int)]
    draw_growth(points, chance, starts)
    with st.expander(t("As a table"), key="growth_table"):
        st.dataframe(
            [
                {t("Turn"): at, t("Line"): point.seq, t("Criteria"): point.criteria, t("Clusters"): point.clusters}
                for at, point in steps_up(points)
            ],
            hide_index=True,
        )


def _never(laid: Laid) -> None:
    missing = never_raised(laid.reference, {name for each in laid.raisings for name in each.criteria})
    st.header(t("Never raised"), anchor=False)
    if not missing:
        st.caption(t("Every criterion was raised."))
        return
    st.caption(t("In the reference's own words, with how sure we are of those words."))
    for cluster in dict.fromkeys(each.cluster for each in missing):
        part = [each for each in missing if each.cluster == cluster]
        st.markdown(f"**{plain(cluster, 80)}**" + (f" · {t('nothing of it')}" if part[0].whole_cluster else ""))
        st.markdown(
            "\n".join(f"- {plain(each.name, 80)}: {plain(each.definition, 300)} :small[({t(each.sure)})]" for each in part)
        )


def _beyond(laid: Laid, name: str) -> None:
    st.header(t("Beyond the reference"), anchor=False)
    st.caption(t("What participants said that raises none of its criteria, in groups named by their most distinctive words."))
    chair = {laid.seen.view.people[0].name}
    talk = f"{laid.found.run} by {name}"
    known = laid.found.runs.topics.latest(talk, laid.lines, laid.followed.rows, chair)

    @st.fragment(run_every=None if known.done else LOOK_SECONDS, key="beyond")
    def beyond() -> None:
        now = laid.found.runs.topics.latest(talk, laid.lines, laid.followed.rows, chair)
        if now.done and not known.done and laid.found.state not in MOVING:
            st.rerun()
        if now.problem:
            st.error(plain(now.problem))
        elif now.topics is None:
            st.info(t("Grouping what is left …"))
        else:
            _topics(laid, now.topics)

    beyond()


def _topics(laid: Laid, topics: Topics) -> None:
    if topics.too_few:
        st.caption(
            tn(
                "Only {n} utterance is left: too few for groups.",
                "Only {n} utterances are left: too few for groups.",
                n=topics.lines,
            )
        )
        return
    if not topics.found:
        st.caption(t("{n} utterances are left, and no three of them are alike.", n=topics.lines))
    for at, topic in enumerate(topics.found):
        with st.container(border=True, gap="small", key=f"topic-{at}"):
            count = tn("{n} utterance", "{n} utterances", n=len(topic.lines))
            st.markdown(f"**{plain(', '.join(topic.label), 120)}** · {count}")
            for line in topic.lines[:SHOWN_LINES]:
                line_link(laid.found.run, line.seq, line.text)
    rest = tn("{n} utterance is like no other.", "{n} utterances are like no others.", n=topics.alone) if topics.alone else ""
    thinned = t("{read} of {all} were grouped.", read=topics.read, all=topics.lines) if topics.read < topics.lines else ""
    st.caption(" ".join(filter(None, [rest, thinned])))


page()
