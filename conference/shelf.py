"""The user's own shelf of the library: what is kept there, taken away and put back. What is shipped is only read."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from conference.domain.mistakes import Mistake, checked
from conference.domain.persona import Persona
from conference.domain.reading import read_text
from conference.domain.reference import Reference
from conference.domain.spec import Spec
from conference.errors import SetupError, SpecError, UserError
from conference.library import SHIPPED, Kind, check_spec, ids_in, known_file, known_ids, own_folder

KINDS: tuple[Kind, ...] = ("persona", "reference", "conference")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


@dataclass(frozen=True)
class Item:
    """One file of the library. `record` is None when it can't be read; then `mistakes` says why."""

    kind: Kind
    id: str
    own: bool
    text: str
    record: Persona | Reference | Spec | None
    mistakes: tuple[Mistake, ...] = ()


def items(kind: Kind) -> list[Item]:
    """Everything of this kind, by id. Raises SetupError."""
    return [item(kind, name) for name in known_ids(kind)]


def item(kind: Kind, name: str) -> Item:
    """One of them. Raises SpecError for an id nobody knows."""
    path = known_file(name, kind)
    own = path.parent != SHIPPED[kind]
    try:
        text = read_text(path, kind)
    except SpecError as error:
        return Item(kind, name, own, "", None, (Mistake(str(error)),))
    record, mistakes = check(kind, text)
    return Item(kind, name, own, text, record, tuple(mistakes))


def check(kind: Kind, text: str) -> tuple[Persona | Reference | Spec | None, list[Mistake]]:
    """What a YAML text of this kind describes, or None and all its mistakes."""
    if kind == "conference":
        return check_spec(text, kind)
    return checked(Persona, text, kind) if kind == "persona" else checked(Reference, text, kind)


def id_of(record: Persona | Reference | Spec) -> str:
    """The id under which a record is kept: its own, or for a conference one made of its title."""
    return slug(record.title) if isinstance(record, Spec) else record.id


def keep(kind: Kind, name: str, text: str, *, replace: bool = False) -> None:
    """Write a text that was checked. Raises UserError for an id that is no file name, that is shipped, or taken unless `replace`."""
    _check_id(kind, name)
    taken = next((known for known in known_ids(kind) if known.casefold() == name.casefold()), None)
    if taken is not None and (taken in ids_in(SHIPPED[kind]) or taken != name or not replace):
        raise UserError(f"there is a {kind} '{taken}' already; give yours another id, such as '{free_id(kind, name)}'")
    try:
        own_folder(kind).mkdir(parents=True, exist_ok=True)
        write_whole(own_folder(kind) / f"{name}.yaml", text)
    except OSError as error:
        raise SetupError(
            f"can't write {own_folder(kind) / name}.yaml ({error.strerror}); free some space or set PLENARY_HOME"
        ) from None


def remove(kind: Kind, name: str) -> None:
    """Take one of the user's own away; `put_back` undoes it. Raises UserError for one that is shipped."""
    path = known_file(name, kind)
    if path.parent == SHIPPED[kind]:
        raise UserError(f"the {kind} '{name}' comes with Plenary and stays; make a copy and change that")
    aside = _aside(kind, name)
    aside.parent.mkdir(exist_ok=True)
    path.replace(aside)


def put_back(kind: Kind, name: str) -> None:
    """Undo `remove`. Raises UserError when the id was taken meanwhile or nothing was removed."""
    _check_id(kind, name)
    if not _aside(kind, name).is_file():
        raise UserError(f"no {kind} '{name}' was removed; import its file again")
    if name in known_ids(kind):
        raise UserError(f"there is a {kind} '{name}' again; give that one another id first")
    _aside(kind, name).replace(own_folder(kind) / f"{name}.yaml")


def free_id(kind: Kind, wish: str) -> str:
    """The id wished for, with a number when it is taken."""
    return free_of(slug(wish), (name.casefold() for name in known_ids(kind)))


def free_of(wish: str, taken: Iterable[str]) -> str:
    """The id wished for, with a number when it is among those `taken`."""
    known = set(taken)
    return next(found for found in (wish, *(f"{wish}-{n}" for n in range(2, 10_000))) if found not in known)


def slug(text: str) -> str:
    """`Dr Ann O'Hara` becomes `dr-ann-o-hara`: fit for an id and a file's name."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9_]+", "-", plain).strip("-_")[:60].strip("-_") or "own"


def with_id(text: str, name: str) -> str:
    """The YAML text of a persona or reference under another id; its first `id:` line is replaced."""
    changed, number = re.subn(r"(?m)^id:.*$", f"id: {name}", text, count=1)
    return changed if number else f"id: {name}\n{text}"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old text or the new one, never half. Raises OSError."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    partial.write_text(text, encoding="utf-8", errors="replace")
    partial.replace(path)


def _check_id(kind: Kind, name: str) -> None:
    if not _ID.fullmatch(name):
        raise UserError(
            f"the {kind}'s id '{name}' can't be a file's name; write letters, digits, - and _, such as '{slug(name)}'"
        )


def _aside(kind: Kind, name: str) -> Path:
    return own_folder(kind) / ".removed" / f"{name}.yaml"
