from __future__ import annotations

import json

import pytest
from word_embedder import WordEmbedder

from conference.analysis.coverage import CoverageReader, CoverageTracker, Line, lines_of
from conference.domain.coverage import UtteranceCoverage
from conference.domain.events import StageOpened, Utterance
from conference.domain.reference import Reference
from conference.domain.transcript import Turn

TALK = (
    Line(3, "Ann", "Gangs fight the police"),
    Line(5, "Moderator", "Thank you"),
    Line(6, "Bea", "Wages pay workers, and birds need clean rivers"),
    Line(9, "Ann", "Gangs, as I say"),
)


@pytest.fixture
def reader(reference: Reference) -> CoverageReader:
    return CoverageReader(reference, WordEmbedder())


def _raised(rows: list[UtteranceCoverage]) -> list[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    return [(row.seq, row.criteria, row.clusters) for row in rows]


def test_a_line_raises_nothing_one_criterion_or_several(reader: CoverageReader) -> None:
    assert _raised(reader.rows(TALK)) == [
        (3, ("Crime",), ("Society",)),
        (5, (), ()),
        (6, ("Jobs", "Nature"), ("Society", "Land")),
        (9, ("Crime",), ("Society",)),
    ]


def test_every_criterion_has_a_score_between_0_and_1(reader: CoverageReader) -> None:
    for row in reader.rows(TALK):
        assert list(row.scores) == ["Crime", "Jobs", "Nature"]
        assert all(0 <= score <= 1 for score in row.scores.values())


def test_the_whole_talk_with_its_quotes(reader: CoverageReader) -> None:
    coverage = reader.coverage(TALK)
    society, land = coverage.clusters
    assert (coverage.reference, coverage.covered_clusters, coverage.covered_criteria, coverage.utterances) == ("tiny", 2, 3, 4)
    assert [quote.model_dump() for quote in society.criteria[0].quotes] == [
        {"seq": 3, "speaker": "Ann", "text": "Gangs fight the police"},
        {"seq": 9, "speaker": "Ann", "text": "Gangs, as I say"},
    ]
    assert [(cluster.name, cluster.covered) for cluster in coverage.clusters] == [("Society", True), ("Land", True)]
    assert society.score == max(item.score for item in society.criteria)
    assert land.criteria[0].score == max(row.scores["Nature"] for row in reader.rows(TALK))
    assert coverage.never_raised == ()


def test_the_json_has_the_keys_people_exchange(reader: CoverageReader) -> None:
    found = json.loads(reader.coverage(TALK).model_dump_json())
    assert {"reference", "clusters", "covered_clusters", "covered_criteria"} <= set(found)
    assert set(found["clusters"][0]) == {"name", "covered", "score", "criteria"}
    assert set(found["clusters"][0]["criteria"][0]) == {"name", "covered", "score", "quotes"}
    assert set(found["clusters"][0]["criteria"][0]["quotes"][0]) == {"seq", "speaker", "text"}
    assert set(json.loads(reader.rows(TALK)[0].model_dump_json())) == {"seq", "criteria", "clusters", "scores"}


def test_nothing_said_covers_nothing(reader: CoverageReader) -> None:
    coverage = reader.coverage([])
    assert (coverage.covered_clusters, coverage.covered_criteria, coverage.utterances) == (0, 0, 0)
    assert {cluster.score for cluster in coverage.clusters} == {0.0}
    assert coverage.never_raised == ("Crime", "Jobs", "Nature")


def test_line_by_line_gives_what_all_at_once_gives(reader: CoverageReader) -> None:
    tracker = CoverageTracker(reader)
    grown = [(tracker.add(line), tracker.coverage().covered_criteria) for line in TALK]
    assert [row for row, _ in grown] == reader.rows(TALK)
    assert [count for _, count in grown] == [1, 1, 3, 3]
    assert tracker.rows == tuple(reader.rows(TALK))
    assert tracker.coverage() == reader.coverage(TALK)


def test_a_tracked_line_is_embedded_once(reference: Reference) -> None:
    embedder = WordEmbedder()
    tracker = CoverageTracker(CoverageReader(reference, embedder))
    embedder.asked.clear()
    tracker.add(TALK[0])
    tracker.coverage()
    tracker.add(TALK[1])
    assert [asked[0] for asked in embedder.asked] == ["Gangs fight the police", "Thank you"]


def test_all_lines_are_embedded_in_one_call_and_clauses_in_another(reference: Reference) -> None:
    embedder = WordEmbedder()
    reader = CoverageReader(reference, embedder)
    embedder.asked.clear()
    talk = [*TALK, Line(12, "Bea", "Their wages pay the workers, and birds need clean rivers")]
    reader.rows(talk)  # of the two lines no column settles, only this one has two parts of four words or more
    assert embedder.asked == [[line.text for line in talk], ["Their wages pay the workers", "and birds need clean rivers"]]


def test_weak_references_say_so(reference: Reference) -> None:
    bare = [
        cluster.model_copy(update={"criteria": tuple(item.model_copy(update={"examples": ()}) for item in cluster.criteria)})
        for cluster in reference.clusters
    ]
    coverage = CoverageReader(reference.model_copy(update={"clusters": tuple(bare)}), WordEmbedder()).coverage(TALK)
    assert coverage.weak
    assert "nearest definition" in coverage.method


def _utterance(seq: int, speaker: str, role: str, text: str) -> Utterance:
    return Utterance.model_validate(
        {"seq": seq, "at": "2025-01-01T00:00:00Z", "stage": 0, "round": 1, "speaker": speaker, "role": role, "text": text}
    )


def test_turns_are_numbered_by_the_log_or_else_by_their_place() -> None:
    turns = [
        Turn(speaker="A", text="one"),
        Turn(speaker="B", text=" "),
        Turn(speaker="A", text="three", seq=40, stage="Criteria"),
    ]
    assert lines_of(turns) == [Line(0, "A", "one"), Line(40, "A", "three", "Criteria")]


def test_of_a_log_only_what_was_said_is_read() -> None:
    events = [
        StageOpened(seq=0, at="2025-01-01T00:00:00Z", stage=0, name="Criteria"),
        _utterance(1, "Mo", "moderator", "Gangs?"),
        _utterance(2, "Ann", "participant", ""),
        _utterance(3, "Ann", "participant", "Wages."),
    ]
    assert lines_of(events) == [Line(1, "Mo", "Gangs?", 0), Line(3, "Ann", "Wages.", 0)]


@pytest.mark.parametrize(
    ("without", "left"), [((), [0, 1, 2]), (("moderator",), [1, 2]), (("Ann",), [0, 2]), (("moderator", "Bea"), [1])]
)
def test_roles_and_speakers_can_be_left_out(without: tuple[str, ...], left: list[int]) -> None:
    turns = [
        Turn(speaker="Mo", text="Crime next.", role="moderator"),
        Turn(speaker="Ann", text="Gangs.", role="participant"),
        Turn(speaker="Bea", text="Wages."),
    ]
    assert [line.seq for line in lines_of(turns, without)] == left
