"""The library on disk: personas, references and conferences, found by id or by path."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from conference.domain.persona import Persona
from conference.domain.reading import build, parse_mapping, read_text
from conference.domain.reference import Reference
from conference.domain.spec import Spec
from conference.errors import SpecError, did_you_mean

ROOT = Path(__file__).resolve().parent.parent
PERSONAS = ROOT / "personas"
REFERENCES = ROOT / "data" / "references"
CONFERENCES = ROOT / "data" / "conferences"
RECORDINGS = ROOT / "data" / "recordings"


def ids_in(folder: Path) -> list[str]:
    """The ids (file names without ending) of the YAML files of a folder, sorted."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def load_persona(name: str, folder: Path = PERSONAS) -> Persona:
    """The persona with this id. Raises SpecError, naming the nearest known one."""
    path = _known_file(name, folder, "persona")
    return _persona_at(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=512)
def _persona_at(path: Path, _changed: int) -> Persona:
    what = f"persona {path.name}"
    return build(Persona, parse_mapping(read_text(path, "persona"), what), what)


def load_reference(name: str, folder: Path = REFERENCES) -> Reference:
    """The reference with this id, or in the YAML file at this path. Raises SpecError."""
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        path = _known_file(name, folder, "reference")
    what = f"reference {path.name}"
    return build(Reference, parse_mapping(read_text(path, "reference"), what), what)


def load_spec(path: Path, personas: Path = PERSONAS, references: Path = REFERENCES) -> Spec:
    """The spec in a YAML file; personas are looked up in the library. Raises SpecError."""
    return read_spec(read_text(path, "spec"), f"spec {path.name}", personas, references)


def read_spec(text: str, what: str = "spec", personas: Path = PERSONAS, references: Path = REFERENCES) -> Spec:
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
    known = ("llm", "ballot")
    if spec.judge is not None and spec.judge.kind not in known:
        raise SpecError(f"{what}: unknown judge '{spec.judge.kind}'" + did_you_mean(spec.judge.kind, (*known, "none")))


def _seated(value: object, folder: Path, what: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise SpecError(f"{what}: participants is a {type(value).__name__}; give a list of persona ids")
    return [_resolved(item, folder, f"{what}: participants[{index}]") for index, item in enumerate(value)]


def _resolved(value: object, folder: Path, place: str) -> object:
    """A persona id becomes the library's persona; a mapping stays what it is."""
    if not isinstance(value, str):
        return value
    try:
        return load_persona(value, folder).model_dump(mode="json")
    except SpecError as error:
        raise SpecError(f"{place}: {error}") from None


def _known_file(name: str, folder: Path, kind: str) -> Path:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name) or not (folder / f"{name}.yaml").is_file():
        raise SpecError(f"unknown {kind} '{name}'" + did_you_mean(name, ids_in(folder)))
    return folder / f"{name}.yaml"
