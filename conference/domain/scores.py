"""What a measurement says: a number with its interval or its count."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from conference.domain.record import Record

Count = Annotated[int, Field(ge=0)]


class Row(Record):
    """One line of a printed table. What can't be computed is None, never 0."""

    what: str
    value: float | None
    low: float | None = None
    high: float | None = None
    n: Count | None = None
    """Of how many items, groups or pairs."""


class Interval(Record):
    """An estimate with the percentile interval of its bootstrap. `undefined` resamples had no value and are left out."""

    estimate: float | None
    low: float | None
    high: float | None
    level: float = 0.95
    groups: Count = 0
    resamples: Count = 0
    undefined: Count = 0

    def row(self, what: str) -> Row:
        """As a line of a table; `n` is the number of groups that were resampled."""
        return Row(what=what, value=self.estimate, low=self.low, high=self.high, n=self.groups)


class Share(Record):
    """A count out of a number of chances, with its Wilson interval; everything but the counts is None when `of` is 0."""

    count: Count
    of: Count
    value: float | None
    low: float | None
    high: float | None

    def row(self, what: str) -> Row:
        """As a line of a table."""
        return Row(what=what, value=self.value, low=self.low, high=self.high, n=self.of)


class ClassScore(Record):
    """One class: precision is None when it was never predicted, recall when it never occurred, f1 when both."""

    label: str
    precision: float | None
    recall: float | None
    f1: float | None
    support: Count
    predicted: Count


class ClassificationScore(Record):
    """Verdicts against labels. `confusion[i][j]` counts items of `labels[i]` that were called `columns[j]`."""

    items: Count
    groups: Count
    macro_f1: Interval
    accuracy: Interval
    balanced_accuracy: float | None
    """Mean recall of the classes that occur."""
    classes: tuple[ClassScore, ...]
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    """The labels, and `unreadable`."""
    confusion: tuple[tuple[Count, ...], ...]
    unreadable: Share
    false_agreement: Share | None = None
    """`agreement` called where the label is `continue`; None when the labels aren't these."""
    auroc: Interval | None = None
    """Of the probability of the positive class; None unless two classes and some probabilities are known."""
    auroc_items: Count = 0
    """Items whose probability was known."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """The figures as lines of a table, macro-F1 first."""
        rows = [self.macro_f1.row("macro-F1"), self.accuracy.row("accuracy")]
        rows.append(Row(what="balanced accuracy", value=self.balanced_accuracy, n=self.items))
        for item in self.classes:
            for name in ("precision", "recall", "f1"):
                rows.append(Row(what=f"{name} of {item.label}", value=getattr(item, name), n=item.support))
        if self.false_agreement:
            rows.append(self.false_agreement.row("false agreement"))
        if self.auroc:
            rows.append(self.auroc.row("AUROC"))
        return (*rows, self.unreadable.row("unreadable"))


class LabelScore(Record):
    """Sets of labels against sets of labels, counted over all items together (micro average)."""

    f1: Interval
    precision: float | None
    recall: float | None

    def rows(self, what: str) -> tuple[Row, ...]:
        """As lines of a table."""
        parts = (("precision", self.precision), ("recall", self.recall))
        return (self.f1.row(f"{what} F1"), *(Row(what=f"{what} {name}", value=value) for name, value in parts))


class UtteranceCoverageScore(Record):
    """What single utterances raise, against labels."""

    items: Count
    criteria: LabelScore
    clusters: LabelScore
    falsely_labelled: Share
    """Of the utterances that raise nothing: how many were said to raise something."""
    recall_of_several: float | None
    """Of the criteria of utterances that raise more than one: the share that was found."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """As lines of a table."""
        several = Row(what="recall where several are raised", value=self.recall_of_several)
        false = self.falsely_labelled.row("labelled though nothing is raised")
        return (*self.criteria.rows("criterion"), *self.clusters.rows("cluster"), several, false)


class TranscriptCoverageScore(Record):
    """Which clusters whole talks cover, against labels."""

    items: Count
    balanced_accuracy: Interval
    """Mean of the two shares below, over all clusters of all transcripts."""
    covered_found: Share
    missed_found: Share
    exact: Share
    """Transcripts whose set of clusters is exactly right."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """As lines of a table."""
        return (
            self.balanced_accuracy.row("balanced accuracy over clusters"),
            self.covered_found.row("covered clusters found"),
            self.missed_found.row("missed clusters found"),
            self.exact.row("exact sets"),
        )
