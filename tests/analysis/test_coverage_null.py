from __future__ import annotations

from pathlib import Path

import pytest
from word_embedder import WordEmbedder

from conference.analysis.coverage import CoverageReader, Line
from conference.analysis.coverage_cache import Shelf
from conference.analysis.covered import chance_in_words
from conference.domain.coverage import ByChance
from conference.domain.reference import Reference

UNRELATED = [
    Line(0, "Ann", "gangs sell it"),
    Line(1, "Bo", "thank you"),
    Line(2, "Ann", "time is up"),
    Line(3, "Bo", "coffee is ready"),
]


def test_chance_grows_with_the_length_of_the_talk(reference: Reference) -> None:
    reader = CoverageReader(reference, WordEmbedder(), unrelated=UNRELATED)
    # One line of four raises Crime, a criterion of Society: a share of 1/4 each. Of two lines: 1 - (3/4)^2 = 7/16 = .4375.
    assert reader.by_chance(1) == ByChance(clusters=0.25, criteria=0.25, read=4)
    assert reader.by_chance(2) == ByChance(clusters=0.44, criteria=0.44, read=4)
    assert reader.by_chance(0) == ByChance(clusters=0, criteria=0, read=4)


def test_it_stands_beside_the_figures(reference: Reference) -> None:
    found = CoverageReader(reference, WordEmbedder(), unrelated=UNRELATED).coverage([Line(0, "Cy", "rivers turn brown")])
    assert found.covered_clusters == 1
    assert found.by_chance == ByChance(clusters=0.25, criteria=0.25, read=4)
    assert chance_in_words(found) == "0.2 clusters and 0.2 criteria"


def test_without_unrelated_talk_nothing_is_claimed(reference: Reference) -> None:
    found = CoverageReader(reference, WordEmbedder()).coverage([Line(0, "Cy", "rivers turn brown")])
    assert found.by_chance is None
    assert chance_in_words(found) == ""


def test_it_is_counted_once_and_kept(reference: Reference, tmp_path: Path) -> None:
    CoverageReader(reference, WordEmbedder(), Shelf(tmp_path), UNRELATED)
    again = WordEmbedder()
    reader = CoverageReader(reference, again, Shelf(shipped=tmp_path), UNRELATED)
    assert again.asked == []
    assert reader.by_chance(1) == ByChance(clusters=0.25, criteria=0.25, read=4)


@pytest.mark.parametrize("other", [UNRELATED[:3], [*UNRELATED, Line(4, "Ann", "birds need rivers")]])
def test_other_unrelated_talk_is_counted_anew(reference: Reference, tmp_path: Path, other: list[Line]) -> None:
    CoverageReader(reference, WordEmbedder(), Shelf(tmp_path), UNRELATED)
    chance = CoverageReader(reference, WordEmbedder(), Shelf(tmp_path), other).by_chance(1)
    assert chance is not None
    assert chance.read == len(other)
