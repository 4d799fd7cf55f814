"""The Coverage page in each state, through `app.py`, without a browser and without an embedding model."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from conference.analysis.beyond import Topic, Topics
from conference.analysis.coverage import CoverageReader, Line
from conference.domain.coverage import ByChance, UtteranceCoverage
from conference.domain.events import Event
from conference.domain.reference import Reference
from conference.live import LiveRuns
from tests.conferences import small_spec
from tests.pages.scenes import held, hostile_events, kept
from tests.pages.test_agreement_page import figures, recorded, texts
from tests.pages.test_pages import opened, until, words

NUTT = "nutt2010_drug_harms"


class Keywords(CoverageReader):
    """Raises a criterion when the last word of its name is said; talk about something else raises a tenth of a cluster a line."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self.matcher: Any = SimpleNamespace(method="words", weak=False)

    def rows(self, lines: Sequence[Line]) -> list[UtteranceCoverage]:
        return [self._read(line) for line in lines]

    def by_chance(self, utterances: int) -> ByChance:
        return ByChance(clusters=utterances / 10, criteria=utterances / 5, read=100)

    def _read(self, line: Line) -> UtteranceCoverage:
        said = line.text.lower()
        found = [item.name for item in self.reference.criteria if item.name.split()[-1].lower() in said]
        clusters = dict.fromkeys(self.reference.cluster_of(name) for name in found)
        scores = {item.name: float(item.name in found) for item in self.reference.criteria}
        return UtteranceCoverage(seq=line.seq, criteria=tuple(found), clusters=tuple(clusters), scores=scores)


@pytest.fixture(autouse=True)
def read_by_keywords(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read is read by keywords, and nothing is embedded."""
    monkeypatch.setattr("conference.covering.reader_for", Keywords)
    monkeypatch.setattr("conference.models.embeddings.best_embedder", lambda: None)
    monkeypatch.setattr("conference.topics.topics_of", grouped)


def grouped(lines: Sequence[Line], rows: Sequence[UtteranceCoverage], *_: Any) -> Topics:
    """One group of all that raises nothing."""
    left = tuple(line for line, row in zip(lines, rows, strict=True) if not row.criteria)
    return Topics((Topic(("bridge", "<toll>"), left),), len(left), alone=2, read=len(left))


def read(runs: LiveRuns, run: str, **query: str) -> AppTest:
    """The page once everything was read and grouped."""
    events = runs.watch.look(run)
    assert events is not None
    own = events.view.spec.reference
    name = query.get("reference", own or "")
    talk = run if name == own else f"{run} by {name}"
    until(lambda: runs.coverage.latest(talk, name, events.events).current)
    opened("coverage", run=run, **query)
    until(lambda: all(each.done for each in runs.topics._known.values()))
    return opened("coverage", run=run, **query)


def test_without_a_run_and_before_the_first_event(runs: LiveRuns) -> None:
    assert "No conference is open" in words(opened("coverage"))
    page = opened("coverage", run=runs.store.create_run("Empty", status="paused"))
    assert "about to begin" in words(page)


def test_without_a_reference_any_can_be_laid_beside(runs: LiveRuns) -> None:
    run = kept(runs.store, held())
    page = opened("coverage", run=run)
    assert "No published conference belongs to this run" in words(page)
    assert page.selectbox(key="reference").value == ""
    beside = read(runs, run, reference=NUTT)
    assert beside.selectbox(key="reference").value == NUTT
    assert "of 16 criteria" in words(beside)
    assert "16 of 16 criteria in words that were checked against it" in words(beside)


def test_a_reference_nobody_knows_is_one_line_and_no_file_is_opened(runs: LiveRuns, tmp_path: Path) -> None:
    run = kept(runs.store, held())
    for name in ("nobody", "../../secret.yaml", str(tmp_path / "x.yaml"), "<script>"):
        page = opened("coverage", run=run, reference=name)
        assert "There is no reference" in page.error[0].value
        assert "<script>" not in page.error[0].value
        assert page.selectbox(key="reference").value == ""


def test_while_it_is_read_the_page_says_so(runs: LiveRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    monkeypatch.setattr("conference.covering.reader_for", lambda reference: go_on.wait(20) and Keywords(reference))
    run = kept(runs.store, recorded())
    assert "Reading what was said" in words(opened("coverage", run=run))
    go_on.set()
    assert "were raised in 63 turns" in words(read(runs, run))


def test_cells_curve_people_and_what_was_never_raised(runs: LiveRuns) -> None:
    page = read(runs, kept(runs.store, recorded()))
    found = figures(page)
    assert set(found) == {"stages_chart", "growth_chart", "people_chart"}
    assert "As much talk about something else would seem to raise 6.3 clusters and 12.6 criteria." in words(page)
    assert [each.value for each in page.header] == [
        "Clusters by stages", "How coverage grew", "Who raised what", "Who said it, and how", "Never raised", "Beyond the reference",
    ]  # fmt: skip
    (table,) = [each.value for each in page.dataframe if "Criterion" in each.value and "1. Concerns" in each.value]
    assert len(table) == 7 + 27
    raised = table[(table["Criterion"] != "(whole cluster)")].iloc[:, 2:].sum(axis=1)
    never = [line for each in page.markdown for line in str(each.value).splitlines() if line.startswith("- ")]
    never = [line for line in never if "recalled" in line and ":small[" in line]
    assert len(never) == (raised == 0).sum() > 0
    assert "(recalled, not checked against the publication)" in never[0]


def test_the_address_holds_the_cell(runs: LiveRuns) -> None:
    run = kept(runs.store, recorded())
    whole = read(runs, run, about="Crime")
    assert whole.selectbox(key="about").value == "Crime"
    part = read(runs, run, about="Crime: Reduces violent crime", stage="2", who="Tobias Wren")
    assert [part.selectbox(key=key).value for key in ("stage", "who")] == ["2", "Tobias Wren"]
    rows = texts(figures(part)["stages_chart"])
    assert "Reduces violent crime" in rows, "its cluster is open"
    wrong = read(runs, run, about="Nothing", stage="9", who="<b>")
    assert [wrong.selectbox(key=key).value for key in ("about", "stage", "who")] == ["", "", ""]


def test_more_quotes_are_shown_when_asked_for(runs: LiveRuns) -> None:
    page = read(runs, kept(runs.store, recorded()))
    before = sum("raises:" in str(each.value).replace("\u2060", "") for each in page.markdown)
    assert before == 4
    page.button(key="more").click().run()
    assert sum("raises:" in str(each.value).replace("\u2060", "") for each in page.markdown) > 4


def test_topics_beyond_the_reference(runs: LiveRuns) -> None:
    page = read(runs, kept(runs.store, recorded()))
    assert "**bridge, \\<toll\\>**" in words(page)
    assert "2 utterances are like no others." in words(page)


def test_provenance_stands_beside_it(runs: LiveRuns) -> None:
    page = read(runs, kept(runs.store, recorded()))
    said = words(page).replace("\\", "").replace("\u2060", "")
    assert "Int J Drug Policy 2018" in said
    assert "0 of 27 criteria in words that were checked against it" in said
    assert "**not verified**" in said


def test_hostile_text_is_text(runs: LiveRuns) -> None:
    events: list[Event] = hostile_events()
    page = read(runs, kept(runs.store, events), reference=NUTT)
    for each in [*page.title, *page.markdown, *page.caption]:
        assert "<script>" not in str(each.value)
        assert "![" not in str(each.value)
    for figure in figures(page).values():
        for text in texts(figure):
            for markup in ("<b>", "</b>", "<br>", "</span>", '<span style="color:#'):
                text = text.replace(markup, "")
            assert "<" not in text


def test_a_run_whose_reference_is_gone_is_one_line(runs: LiveRuns) -> None:
    run = kept(runs.store, held(small_spec(2, reference="gone")))
    page = opened("coverage", run=run)
    assert page.error[0].value.startswith("unknown reference")
