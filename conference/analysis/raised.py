"""What a talk raised of a reference: where, by whom, what never, and how sure the reference's words are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from conference.analysis.coverage import Line
from conference.analysis.people import Person, stranger
from conference.domain.coverage import UtteranceCoverage
from conference.domain.reference import CHECKED, CONFIDENCE_IN_WORDS, Reference
from conference.domain.spec import Spec


@dataclass(frozen=True)
class Raising:
    """A line that raises something. `stage` is 0-based; None outside any."""

    seq: int
    person: Person
    text: str
    stage: int | None
    criteria: tuple[str, ...]
    clusters: tuple[str, ...]


@dataclass(frozen=True)
class Counted:
    """A row of a table: a criterion, or with an empty `criterion` its whole cluster; one count a column."""

    cluster: str
    criterion: str
    counts: tuple[int, ...]

    @property
    def name(self) -> str:
        """The criterion's name, or the cluster's."""
        return self.criterion or self.cluster


@dataclass(frozen=True)
class Unraised:
    """A criterion nobody raised, in the reference's own words."""

    cluster: str
    name: str
    definition: str
    sure: str
    """How sure we are of these words."""
    checked: bool
    whole_cluster: bool
    """Whether nothing of its cluster was raised either."""


@dataclass(frozen=True)
class Provenance:
    """Where a reference comes from. `notes` are pairs of what is noted and the note."""

    title: str
    citation: str
    year: int | None
    licence: str
    checked: int
    """Criteria whose words were compared with the publication."""
    criteria: int
    notes: tuple[tuple[str, str], ...]


def raisings_of(
    lines: Sequence[Line], rows: Sequence[UtteranceCoverage], spec: Spec, people: Sequence[Person]
) -> tuple[Raising, ...]:
    """The lines that raise something, in order. Lines after the last row weren't read yet."""
    known = {person.name: person for person in people}
    return tuple(
        Raising(
            line.seq, known.get(line.speaker) or stranger(line.speaker), line.text, _stage(line, spec), row.criteria, row.clusters
        )
        for line, row in zip(lines, rows, strict=False)
        if row.criteria
    )


def _stage(line: Line, spec: Spec) -> int | None:
    return line.stage if isinstance(line.stage, int) and 0 <= line.stage < len(spec.agenda) else None


def by_stages(reference: Reference, raisings: Sequence[Raising], stages: int) -> tuple[Counted, ...]:
    """Each cluster, followed by its criteria, with the number of utterances of each stage that raise it.

    An utterance that raises two criteria of a cluster counts once for the cluster.
    """
    return _table(reference, [[each for each in raisings if each.stage == stage] for stage in range(stages)])


def by_people(reference: Reference, raisings: Sequence[Raising], people: Sequence[Person]) -> tuple[Counted, ...]:
    """The same, with a column for each person."""
    return _table(reference, [[each for each in raisings if each.person.name == person.name] for person in people])


def _table(reference: Reference, columns: Sequence[Sequence[Raising]]) -> tuple[Counted, ...]:
    clusters = [Counter(name for each in column for name in each.clusters) for column in columns]
    criteria = [Counter(name for each in column for name in each.criteria) for column in columns]
    rows: list[Counted] = []
    for cluster in reference.clusters:
        rows.append(Counted(cluster.name, "", tuple(count[cluster.name] for count in clusters)))
        rows += [Counted(cluster.name, item.name, tuple(count[item.name] for count in criteria)) for item in cluster.criteria]
    return tuple(rows)


def behind(
    raisings: Sequence[Raising], *, cluster: str = "", criterion: str = "", stage: int | None = None, who: str = ""
) -> tuple[Raising, ...]:
    """The lines behind a cell; what is left out doesn't matter."""
    return tuple(
        each
        for each in raisings
        if (not cluster or cluster in each.clusters)
        and (not criterion or criterion in each.criteria)
        and (stage is None or stage == each.stage)
        and (not who or who == each.person.name)
    )


def never_raised(reference: Reference, raised: Collection[str]) -> tuple[Unraised, ...]:
    """The criteria of a reference that aren't among those `raised`, in its order."""
    return tuple(
        Unraised(
            cluster.name, item.name, item.definition, CONFIDENCE_IN_WORDS[item.confidence], item.confidence in CHECKED,
            not any(other.name in raised for other in cluster.criteria),
        )
        for cluster in reference.clusters
        for item in cluster.criteria
        if item.name not in raised
    )  # fmt: skip


def provenance_of(reference: Reference) -> Provenance:
    """What is known of where a reference's words come from."""
    notes = [
        (str(key), text) for key, value in reference.provenance.items() if key != "confidence_legend" for text in _texts(value)
    ]
    return Provenance(
        title=reference.title, citation=reference.citation, year=reference.year, licence=reference.licence or "",
        checked=sum(item.confidence in CHECKED for item in reference.criteria), criteria=len(reference.criteria), notes=tuple(notes),
    )  # fmt: skip


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{key}: {text}" for key, part in value.items() for text in _texts(part)]
    return [text for part in value for text in _texts(part)] if isinstance(value, list | tuple) else [str(value)]
