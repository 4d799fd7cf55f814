"""What was raised where and by whom, what never, and what a reference says of itself."""

from __future__ import annotations

import pytest

from conference.analysis.coverage import Line
from conference.analysis.people import people_of, stranger
from conference.analysis.raised import (
    Counted,
    Raising,
    Unraised,
    behind,
    by_people,
    by_stages,
    never_raised,
    provenance_of,
    raisings_of,
)
from conference.domain.coverage import UtteranceCoverage
from conference.domain.reference import Reference
from conference.domain.spec import Stage
from tests.conferences import small_spec

SPEC = small_spec(2, agenda=(Stage(name="One", max_rounds=1), Stage(name="Two", max_rounds=1)))
PEOPLE = people_of(SPEC)
CHAIR, ADA, BEN = PEOPLE


def row(seq: int, *criteria: str) -> UtteranceCoverage:
    clusters = dict.fromkeys("Land" if name == "Nature" else "Society" for name in criteria)
    return UtteranceCoverage(seq=seq, criteria=criteria, clusters=tuple(clusters))


LINES = [
    Line(2, "Ada Voss", "gangs and wages", 0), Line(3, "Mo Chair", "thank you", 0), Line(5, "Ben Ito", "gangs", 1),
    Line(6, "A Guest", "rivers", None), Line(8, "Ben Ito", "not read yet", 1),
]  # fmt: skip
ROWS = [row(2, "Crime", "Jobs"), row(3), row(5, "Crime"), row(6, "Nature")]
RAISED = raisings_of(LINES, ROWS, SPEC, PEOPLE)


def test_only_lines_that_raise_something_as_far_as_they_were_read() -> None:
    assert (
        Raising(2, ADA, "gangs and wages", 0, ("Crime", "Jobs"), ("Society",)),
        Raising(5, BEN, "gangs", 1, ("Crime",), ("Society",)),
        Raising(6, stranger("A Guest"), "rivers", None, ("Nature",), ("Land",)),
    ) == RAISED


def test_by_stages_an_utterance_counts_once_for_a_cluster(reference: Reference) -> None:
    assert by_stages(reference, RAISED, 2) == (
        Counted("Society", "", (1, 1)),  # one line of the first stage raises two of its criteria
        Counted("Society", "Crime", (1, 1)),
        Counted("Society", "Jobs", (1, 0)),
        Counted("Land", "", (0, 0)),  # raised outside any stage
        Counted("Land", "Nature", (0, 0)),
    )


def test_by_people(reference: Reference) -> None:
    table = by_people(reference, RAISED, [ADA, BEN, stranger("A Guest")])
    assert [(each.name, each.counts) for each in table if each.criterion] == [
        ("Crime", (1, 1, 0)),
        ("Jobs", (1, 0, 0)),
        ("Nature", (0, 0, 1)),
    ]


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        ({}, [2, 5, 6]),
        ({"cluster": "Society"}, [2, 5]),
        ({"cluster": "Society", "criterion": "Jobs"}, [2]),
        ({"stage": 1}, [5]),
        ({"stage": 0, "who": "Ben Ito"}, []),
        ({"who": "A Guest"}, [6]),
    ],
)
def test_the_lines_behind_a_cell(asked: dict[str, str], lines: list[int]) -> None:
    assert [each.seq for each in behind(RAISED, **asked)] == lines  # type: ignore[arg-type]


def test_never_raised_with_how_sure_we_are(reference: Reference) -> None:
    society, land = reference.clusters
    nature = land.criteria[0].model_copy(update={"confidence": "verified_text"})
    known = reference.model_copy(update={"clusters": (society, land.model_copy(update={"criteria": (nature,)}))})
    assert never_raised(known, {"Crime"}) == (
        Unraised("Society", "Jobs", "about jobs", "recalled, not checked against the publication", False, False),
        Unraised("Land", "Nature", "about nature", "seen in the publication's text", True, True),
    )
    assert never_raised(known, {"Crime", "Jobs", "Nature"}) == ()


def test_provenance_flattens_what_is_noted(reference: Reference) -> None:
    noted = {"verified": ["abstract", "slide 22"], "checks": {"sum": "100"}, "confidence_legend": {"x": "y"}, "count": 3}
    known = provenance_of(reference.model_copy(update={"provenance": noted, "year": 2018, "citation": "A. B."}))
    assert known.notes == (("verified", "abstract"), ("verified", "slide 22"), ("checks", "sum: 100"), ("count", "3"))
    assert (known.citation, known.year, known.licence, known.checked, known.criteria) == ("A. B.", 2018, "", 0, 3)
