"""Drafts of specs: a mapping in the shape of the spec's YAML, and the file that keeps it while it is worked on."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from conference.domain.persona import Persona
from conference.domain.reading import parse_mapping, read_text
from conference.domain.spec import Spec, Stage
from conference.errors import SetupError, SpecError
from conference.home import home
from conference.library import ROOT, load_persona
from conference.shelf import write_whole

AGENDAS = ROOT / "data" / "agendas.yaml"
FIRST_AGENDA, FIRST_MODERATOR = "three-stages", "moderator-anna"
_ID = re.compile(r"[0-9a-f]{8}")

Draft = dict[str, Any]


@dataclass(frozen=True)
class Kept:
    """A draft on disk. `changed` is in seconds since 1970."""

    id: str
    title: str
    changed: float


def blank_draft(model: str = "embedded") -> Draft:
    """A draft to begin with: everything that has a sensible default is filled."""
    return {
        "title": "", "question": "", "options": [], "moderator": FIRST_MODERATOR, "participants": [], "judge": "llm", "evaluator": "llm",
        "agenda": agendas()[FIRST_AGENDA], "models": {"default": model}, "limits": {"minutes": 30}, "seed": 1,
    }  # fmt: skip


def draft_from(spec: Spec) -> Draft:
    """The draft of any spec; a persona that is as in the library is named by its id."""
    draft: Draft = spec.model_dump(mode="json", exclude_defaults=True)
    draft |= {"moderator": _seat(spec.moderator), "participants": [_seat(person) for person in spec.participants]}
    draft["judge"] = "none" if spec.judge is None else spec.judge.model_dump(mode="json", exclude_none=True)
    draft["evaluator"] = "none" if spec.evaluator is None else spec.evaluator.kind
    draft["models"] = spec.models.model_dump(mode="json", exclude_none=True, exclude_defaults=True) | {
        "default": spec.models.default
    }
    draft["seed"] = spec.seed
    return {key: draft[key] for key in Spec.model_fields if key in draft}


def draft_text(draft: Draft) -> str:
    """The draft as YAML, keys in the spec's order; what is empty is left out."""
    ordered = {key: draft[key] for key in (*Spec.model_fields, *draft) if key in draft}
    return yaml_text(
        {key: value for key, value in ordered.items() if value not in ("", None, [], {}) or key in ("title", "question")}
    )


def yaml_text(value: Draft) -> str:
    """A mapping as YAML, keys in their order."""
    return yaml.dump(value, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110)


class _Plain(yaml.SafeDumper):
    """Never writes an alias: none is read."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def draft_of(text: str) -> Draft:
    """The draft a YAML text holds. Raises SpecError when it is no mapping or no form could show it."""
    draft = parse_mapping(text, "the spec")
    for key, wanted in _SHAPES.items():
        if draft.get(key) is not None and not isinstance(draft[key], wanted):
            raise SpecError(f"{key} is a {type(draft[key]).__name__}, which the form can't show; mend it here")
    for key in ("participants", "agenda", "options", "humans"):
        entry = dict if key == "agenda" else str if key in ("options", "humans") else (str, dict)
        for number, item in enumerate(draft.get(key) or []):
            if not isinstance(item, entry):
                raise SpecError(f"{key}[{number}] is a {type(item).__name__}, which the form can't show; mend it here")
    return draft


_SHAPES: dict[str, type | tuple[type, ...]] = {
    "title": str, "question": str, "options": list, "reference": str, "moderator": (str, dict), "participants": list, "humans": list,
    "judge": (str, dict), "evaluator": (str, dict), "agenda": list, "models": (str, dict), "moves": str, "limits": dict, "seed": int,
}  # fmt: skip


def agendas() -> dict[str, list[dict[str, Any]]]:
    """The agendas to begin with, by name, each as a list of stages. Raises SpecError."""
    found = parse_mapping(read_text(AGENDAS, "agendas"), "agendas")
    return {
        name: [Stage(**stage).model_dump(mode="json", exclude_none=True) for stage in agenda["stages"]]
        for name, agenda in found.items()
    }


def new_id() -> str:
    """Eight hexadecimal digits."""
    return secrets.token_hex(4)


def keep_draft(name: str, text: str) -> None:
    """Write the draft's text as it is, readable or not. Raises SetupError."""
    try:
        _folder().mkdir(exist_ok=True)
        write_whole(_path(name), text)
    except OSError as error:
        raise SetupError(
            f"the draft can't be kept in {_folder()} ({error.strerror}); free some space or set PLENARY_HOME"
        ) from None


def kept_text(name: str) -> str | None:
    """The text of a draft; None when there is none of this id, or it can't be read."""
    if not _ID.fullmatch(name):
        return None
    try:
        return read_text(_path(name), "draft")
    except SpecError:
        return None


def drop_draft(name: str) -> None:
    """Remove a draft for good."""
    if _ID.fullmatch(name):
        _path(name).unlink(missing_ok=True)


def kept_drafts() -> list[Kept]:
    """The drafts on disk, the latest first."""
    paths = [path for path in _folder().glob("*.yaml") if _ID.fullmatch(path.stem)]
    found = [Kept(path.stem, _title(path.stem), path.stat().st_mtime) for path in paths]
    return sorted(found, key=lambda kept: kept.changed, reverse=True)


def _title(name: str) -> str:
    found = re.search(r"(?m)^(?:title|question): *['\"]?([^'\"\s].*?)['\"]?$", kept_text(name) or "")
    return found.group(1).strip() if found else ""


def _folder() -> Path:
    return home() / "drafts"


def _path(name: str) -> Path:
    return _folder() / f"{name}.yaml"


def _seat(person: Persona) -> str | Draft:
    try:
        if load_persona(person.id) == person:
            return person.id
    except SpecError:
        pass
    return as_written(person)


def as_written(person: Persona) -> Draft:
    """A persona as it stands in a file: what is empty is left out."""
    value: Draft = person.model_dump(mode="json")
    value["brief"] = {key: notes for key, notes in value["brief"].items() if notes}
    return {key: part for key, part in value.items() if part not in ("", None, [], {})}
