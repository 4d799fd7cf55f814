"""Groups of what a reference lacks, and their names."""

from __future__ import annotations

import pytest
from word_embedder import WordEmbedder

from conference.analysis import beyond
from conference.analysis.beyond import LEAST_LINES, Topics, topics_of
from conference.analysis.coverage import Line
from conference.analysis.procedural import PROCEDURAL_LINES
from conference.domain.coverage import UtteranceCoverage

SHOPS = [f"licensed shops sell tested products number {n}" for n in "abcde"]
WELLS = [f"deep wells carry salty groundwater since {n}" for n in "abcd"]
ODD = "nobody here ever mentions purple elephants"


def read(texts: list[str], raising: tuple[str, ...] = ()) -> tuple[list[Line], list[UtteranceCoverage]]:
    lines = [Line(seq, "Ada Shops", text) for seq, text in enumerate((*texts, *raising))]
    rows = [UtteranceCoverage(seq=line.seq, criteria=("Crime",) if line.text in raising else ()) for line in lines]
    return lines, rows


def told(topics: Topics) -> list[tuple[tuple[str, ...], set[int]]]:
    return [(topic.label, {line.seq for line in topic.lines}) for topic in topics.found]


def test_groups_are_named_by_what_only_they_say() -> None:
    raising = ("gangs sell tested products in bars", "tested products again and again here")
    found = topics_of(*read([*SHOPS, *WELLS, ODD], raising), WordEmbedder())
    assert (found.lines, found.alone, found.read, found.too_few) == (10, 1, 10, False)
    (shops, of_shops), (wells, of_wells) = told(found)
    assert (of_shops, of_wells) == ({0, 1, 2, 3, 4}, {5, 6, 7, 8})
    assert "shops" not in shops, "no group is named after a speaker"
    # in both classes five times each, but tested and products stand twice more in the lines that raise something
    assert set(shops[:2]) == {"licensed", "number"}
    assert set(wells) == {"carry", "deep", "groundwater", "salty"}


def test_too_few_lines_are_no_ground() -> None:
    embedder = WordEmbedder()
    assert topics_of(*read(SHOPS), embedder) == Topics((), 5)
    assert embedder.asked == [], "nothing is embedded for nothing"
    assert topics_of([], [], embedder).too_few


def test_procedural_short_and_chairing_lines_are_left_out() -> None:
    asides = [line for line in PROCEDURAL_LINES if len(line.split()) > 6][:9]
    lines, rows = read([*SHOPS, *WELLS, *asides, "too short"])
    chaired = [*lines, Line(99, "Mo Chair", "licensed shops sell tested products number z")]
    found = topics_of(chaired, [*rows, UtteranceCoverage(seq=99)], WordEmbedder(), {"Mo Chair"})
    assert found.lines == 9


def test_very_long_talks_are_thinned_out_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*SHOPS * 2, *WELLS * 2]
    monkeypatch.setattr(beyond, "MOST_LINES", LEAST_LINES)
    found = topics_of(*read(texts), WordEmbedder())
    assert (found.lines, found.read) == (18, 8)
    assert [len(topic.lines) for topic in found.found] == [5, 3], "of 18 the lines 0, 2, 4, 7, 9 | 12, 14, 17"
