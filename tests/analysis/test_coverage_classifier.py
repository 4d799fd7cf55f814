from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from word_embedder import WordEmbedder

from conference.analysis.coverage_cache import Shelf
from conference.analysis.coverage_classifier import Classifier, NearestText, matcher_for, nothing_lines
from conference.analysis.procedural import PROCEDURAL_LINES
from conference.domain.reference import Cluster, Criterion, Reference


def test_scores_are_a_softmax_over_the_criteria_and_none() -> None:
    # One dimension. Logits of x = 1: 1·ln 2 = ln 2, 0, 0 (none). Shares: 2 / (2 + 1 + 1), 1/4, 1/4.
    model = Classifier(np.array([[np.log(2)], [0], [0]], dtype=np.float32), np.zeros(3, dtype=np.float32), "by hand")
    assert model.scores(np.ones((1, 1), dtype=np.float32)) == pytest.approx(np.array([[0.5, 0.25, 0.25]]))


def test_examples_teach_which_criterion_a_line_raises(reference: Reference) -> None:
    embedder = WordEmbedder()
    matcher = matcher_for(reference, embedder)
    scores = matcher.scores(embedder.embed(["gangs", "wages", "rivers", "coffee"]))
    assert scores.argmax(axis=1).tolist() == [0, 1, 2, 3]
    assert scores.sum(axis=1) == pytest.approx(np.ones(4))
    assert not matcher.weak
    assert matcher.method == "classifier on 3 examples a criterion, version 2, words"


def test_what_was_learnt_is_kept_and_not_learnt_again(reference: Reference, tmp_path: Path) -> None:
    first, second = WordEmbedder(), WordEmbedder()
    learnt = matcher_for(reference, first, Shelf(tmp_path / "new"))
    fetched = matcher_for(reference, second, Shelf(tmp_path / "new"))
    assert len(first.asked) == 1
    assert second.asked == []
    assert isinstance(learnt, Classifier)
    assert isinstance(fetched, Classifier)
    assert np.array_equal(learnt.coefficients, fetched.coefficients)
    assert np.array_equal(learnt.intercepts, fetched.intercepts)


def _with_example(reference: Reference, text: str) -> Reference:
    society, land = reference.clusters
    nature = land.criteria[0].model_copy(update={"examples": (*land.criteria[0].examples, text)})
    return reference.model_copy(update={"clusters": (society, land.model_copy(update={"criteria": (nature,)}))})


def test_a_new_example_or_another_embedder_is_learnt_anew(reference: Reference, tmp_path: Path) -> None:
    matcher_for(reference, WordEmbedder(), Shelf(tmp_path))
    matcher_for(_with_example(reference, "trees fall"), WordEmbedder(), Shelf(tmp_path))
    other = WordEmbedder()
    other.name = "other words"
    matcher_for(reference, other, Shelf(tmp_path))
    assert len(list(tmp_path.glob("*.npz"))) == 3
    assert list(tmp_path.glob("*.part")) == []


@pytest.mark.parametrize("spoilt", [b"", b"not a zip", b"PK\x03\x04 cut short"])
def test_a_kept_file_that_cant_be_read_is_learnt_again(reference: Reference, tmp_path: Path, spoilt: bytes) -> None:
    matcher_for(reference, WordEmbedder(), Shelf(tmp_path))
    [path] = tmp_path.glob("*.npz")
    path.write_bytes(spoilt)
    embedder = WordEmbedder()
    matcher_for(reference, embedder, Shelf(tmp_path))
    assert len(embedder.asked) == 1
    assert path.read_bytes() != spoilt


@pytest.mark.parametrize(
    "arrays",
    [
        {"coefficients": np.zeros((2, 512)), "intercepts": np.zeros(4)},
        {"coefficients": np.zeros((4, 512)), "intercepts": np.zeros(3)},
        {"coefficients": np.full((4, 512), np.nan), "intercepts": np.zeros(4)},
        {"coefficients": np.zeros((4, 512))},
        {"coefficients": np.array([print], dtype=object), "intercepts": np.zeros(4)},  # pickled: never loaded
    ],
)
def test_a_kept_file_with_other_contents_is_learnt_again(reference: Reference, tmp_path: Path, arrays: dict[str, object]) -> None:
    matcher_for(reference, WordEmbedder(), Shelf(tmp_path))
    [path] = tmp_path.glob("*.npz")
    np.savez(path, **arrays)
    embedder = WordEmbedder()
    matcher_for(reference, embedder, Shelf(tmp_path))
    assert len(embedder.asked) == 1


def test_a_folder_that_cant_be_written_keeps_nothing(reference: Reference, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert isinstance(matcher_for(reference, WordEmbedder(), Shelf(tmp_path / "file" / "below")), Classifier)


def test_a_single_criterion_is_told_from_none() -> None:
    one = Criterion(name="Crime", definition="crime", examples=("gangs sell", "gangs fight", "police and gangs"))
    reference = Reference(
        id="one", title="One", clusters=(Cluster(name="All", criteria=(one,)),), none_examples=("thank you", "yes")
    )
    embedder = WordEmbedder()
    scores = matcher_for(reference, embedder).scores(embedder.embed(["gangs", "thank you"]))
    assert scores.shape == (2, 2)
    assert scores.argmax(axis=1).tolist() == [0, 1]


def test_without_examples_the_nearest_definition_counts_and_says_it_is_weak() -> None:
    crime, jobs = (Criterion(name=name, definition=text) for name, text in (("Crime", "gangs sell"), ("Jobs", "workers earn")))
    reference = Reference(
        id="bare",
        title="Bare",
        clusters=(Cluster(name="All", criteria=(crime, jobs)),),
        none_examples=("thank you", "yes please"),
    )
    embedder = WordEmbedder()
    matcher = matcher_for(reference, embedder)
    assert isinstance(matcher, NearestText)
    assert matcher.weak
    assert matcher.method == "nearest definition against lines that raise nothing, version 2, words"
    # "gangs sell" against "Crime: gangs sell": 2 shared words of √2·√3; "Jobs: workers earn": none; none: none.
    # "thank workers": 1 of √2·√3 with Jobs, 1 of √2·√2 with "thank you", which wins.
    expected = [[2 / 6**0.5, 0, 0], [0, 1 / 6**0.5, 1 / 2]]
    assert matcher.scores(embedder.embed(["gangs sell", "thank workers"])) == pytest.approx(np.array(expected))


def test_one_criterion_short_of_examples_makes_the_whole_weak(reference: Reference) -> None:
    society, land = reference.clusters
    bare = land.model_copy(update={"criteria": (land.criteria[0].model_copy(update={"examples": ("rivers", "birds")}),)})
    assert matcher_for(reference.model_copy(update={"clusters": (society, bare)}), WordEmbedder()).weak


def test_references_without_lines_that_raise_nothing_get_the_general_ones(reference: Reference) -> None:
    assert nothing_lines(reference) == reference.none_examples
    assert nothing_lines(reference.model_copy(update={"none_examples": ()})) == PROCEDURAL_LINES


def test_lines_about_something_else_are_learnt_unless_the_reference_is_about_them(
    reference: Reference, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = WordEmbedder()
    before = matcher_for(reference, embedder).scores(embedder.embed(["gangs dance on the stage"]))
    monkeypatch.setattr("conference.analysis.coverage_classifier.OFF_TOPIC_LINES", ("dance on the stage", "the stage is wet"))
    after = matcher_for(reference, embedder).scores(embedder.embed(["gangs dance on the stage"]))
    assert after[0, -1] > before[0, -1]
    # "gangs sell it" is an example itself (cosine 1 with itself): as a line about something else it teaches nothing.
    monkeypatch.setattr("conference.analysis.coverage_classifier.OFF_TOPIC_LINES", ("gangs sell it",))
    same = matcher_for(_with_example(reference, "rivers"), embedder).scores(embedder.embed(["gangs sell it"]))
    assert same[0].argmax() == 0
