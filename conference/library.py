"""The library on disk: personas, references and conferences, found by id or by path. What is shipped comes first, then the user's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from conference.domain.mistakes import Mistake, Place, in_order, line_at, lines_of, validated
from conference.domain.persona import Persona
from conference.domain.reading import build, parse_mapping, read_text
from conference.domain.reference import Reference
from conference.domain.spec import Spec
from conference.errors import SpecError, did_you_mean
from conference.home import home

ROOT = Path(__file__).resolve().parent.parent
PERSONAS = ROOT / "personas"
REFERENCES = ROOT / "data" / "references"
CONFERENCES = ROOT / "data" / "conferences"
RECORDINGS = ROOT / "data" / "recordings"
JUDGES = ("llm", "ballot")
Kind = Literal["persona", "reference", "conference"]
SHIPPED: dict[Kind, Path] = {"persona": PERSONAS, "reference": REFERENCES, "conference": CONFERENCES}


def own_folder(kind: Kind) -> Path:
    """Where the user's own of this kind lie; it needn't be there. Raises SetupError."""
    return home() / "library" / f"{kind}s"


def known_ids(kind: Kind) -> list[str]:
    """The ids of this kind, shipped and own, sorted. Raises SetupError."""
    return sorted({*ids_in(SHIPPED[kind]), *ids_in(own_folder(kind))})


def ids_in(folder: Path) -> list[str]:
    """The ids (file names without ending) of the YAML files of a folder, sorted."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def load_persona(name: str, folder: Path | None = None) -> Persona:
    """The persona with this id, of the library or of one folder. Raises SpecError, naming the nearest known one."""
    path = known_file(name, "persona", folder)
    return _persona_at(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=512)
def _persona_at(path: Path, _changed: int) -> Persona:
    what = f"persona {path.name}"
    return build(Persona, parse_mapping(read_text(path, "persona"), what), what)


def load_reference(name: str, folder: Path | None = None) -> Reference:
    """The reference with this id, or in the YAML file at this path. Raises SpecError."""
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        path = known_file(name, "reference", folder)
    what = f"reference {path.name}"
    return build(Reference, parse_mapping(read_text(path, "reference"), what), what)


def load_spec(path: Path, personas: Path | None = None, references: Path | None = None) -> Spec:
    """The spec in a YAML file; personas are looked up in the library. Raises SpecError."""
    return read_spec(read_text(path, "spec"), f"spec {path.name}", personas, references)


def read_spec(text: str, what: str = "spec", personas: Path | None = None, references: Path | None = None) -> Spec:
    """A spec from YAML text: persona ids become whole personas. Raises SpecError."""
    value = parse_mapping(text, what)
    value = {**value, "participants": _seated(value.get("participants"), personas, what)}
    if "moderator" in value:
        value["moderator"] = _resolved(value["moderator"], personas, f"{what}: moderator")
    spec = build(Spec, value, what)
    if spec.reference is not None:
        try:
            load_reference(spec.reference, references)
        except SpecError as error:
            raise SpecError(f"{what}: {error}") from None
    _check_judge(spec, what)
    return spec


def _check_judge(spec: Spec, what: str) -> None:
    if spec.judge is not None and spec.judge.kind not in JUDGES:
        raise SpecError(f"{what}: unknown judge '{spec.judge.kind}'" + did_you_mean(spec.judge.kind, (*JUDGES, "none")))


def check_spec(text: str, what: str = "spec") -> tuple[Spec | None, list[Mistake]]:
    """As `read_spec`, but with all mistakes, each with its line, instead of the first."""
    try:
        value = parse_mapping(text, what)
    except SpecError as error:
        return None, [Mistake(str(error), error.line)]
    found: list[Mistake] = []
    lines = lines_of(text)
    seats: list[tuple[Place, object]] = [(("moderator",), value.get("moderator"))]
    table = value.get("participants")
    if isinstance(table, list):
        seats += [(("participants", number), item) for number, item in enumerate(table)]
        value = {**value, "participants": list(table)}
    for place, item in seats:
        try:
            resolved = _resolved(item, None, "")
        except SpecError as error:
            found.append(Mistake(f"{place[0]}: {str(error).removeprefix(': ')}", line_at(place, lines)))
            resolved = {
                "id": f"unknown-{len(found)}",
                "name": f"Unknown {len(found)}",
                "role": "?",
            }  # so that the rest is checked
        if len(place) == 2:
            value["participants"][place[1]] = resolved
        elif item is not None:
            value = {**value, "moderator": resolved}
    value.setdefault("participants", [])
    spec, more = validated(Spec, value, text)
    found += more
    if spec is not None:
        found += _mistakes_of(spec, lines)
    return (None if found else spec), in_order(found)


def _mistakes_of(spec: Spec, lines: dict[Place, int]) -> list[Mistake]:
    """Those that only the library and the judges know of."""

    def reference() -> None:
        if spec.reference is not None:
            load_reference(spec.reference)

    checks: tuple[tuple[str, Callable[[], None]], ...] = (("judge", lambda: _check_judge(spec, "")), ("reference", reference))
    found = []
    for key, check in checks:
        try:
            check()
        except SpecError as error:
            found.append(Mistake(str(error).removeprefix(": "), line_at((key,), lines)))
    return found


def _seated(value: object, folder: Path | None, what: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise SpecError(f"{what}: participants is a {type(value).__name__}; give a list of persona ids")
    return [_resolved(item, folder, f"{what}: participants[{index}]") for index, item in enumerate(value)]


def _resolved(value: object, folder: Path | None, place: str) -> object:
    """A persona id becomes the library's persona; a mapping stays what it is."""
    if not isinstance(value, str):
        return value
    try:
        return load_persona(value, folder).model_dump(mode="json")
    except SpecError as error:
        raise SpecError(f"{place}: {error}") from None


def known_file(name: str, kind: Kind, folder: Path | None = None) -> Path:
    """The file of this id, in one folder or in the library. Raises SpecError, naming the nearest known one."""
    folders = [folder] if folder is not None else [SHIPPED[kind], own_folder(kind)]
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name):
        found = next((place / f"{name}.yaml" for place in folders if (place / f"{name}.yaml").is_file()), None)
        if found is not None:
            return found
    raise SpecError(f"unknown {kind} '{name}'" + did_you_mean(name, {known for place in folders for known in ids_in(place)}))
