"""The draft this tab works on: one mapping in session state, the same text on disk, named by the address (`?draft=…`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from conference.casting import Written
from conference.domain.mistakes import Mistake
from conference.domain.persona import Persona
from conference.domain.reading import build
from conference.domain.spec import Spec
from conference.drafts import Draft, as_written, blank_draft, draft_of, draft_text, keep_draft, kept_text, new_id
from conference.errands import Errand
from conference.errors import PlenaryError, SpecError
from conference.library import check_spec, load_persona
from conference.models.known import embedded_model


@dataclass
class Desk:
    """A draft on the desk. `broken` is a YAML text no form can show, kept as it is until it is mended or dropped."""

    id: str
    draft: Draft
    text: str = ""
    """As it was typed or loaded; shown as long as it says what the draft says, so that comments survive."""
    broken: str = ""
    revision: int = 0
    """Goes up when the draft changes elsewhere than in its own fields: then those begin anew."""
    saved: str = ""
    arrived: list[Written] = field(default_factory=list)
    """Personas errands have written since the page was drawn last."""
    errands: dict[str, Errand[Any]] = field(default_factory=dict)
    notices: list[tuple[str, str]] = field(default_factory=list)
    """Kind (`good`, `bad`) and text, told once at the top."""

    def key(self, path: str) -> str:
        """The key of a field."""
        return f"setup-{self.id}-{self.revision}-{path}"

    def yaml(self) -> str:
        """The draft as YAML text, or what can't be read."""
        if self.broken:
            return self.broken
        if self.text:
            try:
                if draft_of(self.text) == self.draft:
                    return self.text
            except SpecError:
                pass
        return draft_text(self.draft)

    def take_text(self, text: str) -> None:
        """Put a YAML text in place of the draft; one no form can show is kept beside it."""
        try:
            self.draft, self.text, self.broken = draft_of(text), text, ""
        except SpecError:
            self.broken = text
        self.revision += 1

    def take(self, draft: Draft) -> None:
        """Put another draft in place of this one."""
        self.draft, self.text, self.broken = draft, "", ""
        self.revision += 1

    def checked(self) -> tuple[Spec | None, list[Mistake]]:
        """The spec, or None and all that is wrong."""
        try:
            return check_spec(self.yaml(), "the spec")
        except PlenaryError as error:
            return None, [Mistake(str(error))]

    def save(self) -> None:
        """Keep the text on disk when it changed. Raises SetupError."""
        text = self.yaml()
        if text != self.saved:
            keep_draft(self.id, text)
            self.saved = text
        st.query_params["draft"] = self.id


def desk() -> Desk:
    """The desk of this tab: the draft the address names, else the one worked on before, else a blank one."""
    named = st.query_params.get("draft", "")
    held: Desk | None = st.session_state.get("desk")
    if held is not None and named in ("", held.id):
        return held
    text = kept_text(named)
    made = Desk(new_id() if text is None else named, blank_draft(first_model()))
    if text is not None:
        made.take_text(text)
    elif named:
        made.notices.append(("bad", f"there is no draft '{named[:20]}'; this is a new one"))
    made.saved = made.yaml()
    st.session_state["desk"] = made
    return made


def new_desk() -> Desk:
    """A blank draft, put on the desk."""
    made = Desk(new_id(), blank_draft(first_model()))
    made.saved = made.yaml()
    st.session_state["desk"] = made
    st.query_params.pop("draft", None)
    return made


def first_model() -> str:
    """The model a new draft names."""
    return "embedded" if embedded_model().ready else "scripted"


def person_at(seat: object) -> Persona | str:
    """The persona of a seat, or in one line why there is none."""
    try:
        return load_persona(seat) if isinstance(seat, str) else build(Persona, seat, "persona")
    except PlenaryError as error:
        return str(error)


def table(desk: Desk) -> list[Persona]:
    """The participants that can be read."""
    return [person for seat in desk.draft.get("participants") or [] if isinstance(person := person_at(seat), Persona)]


def seat_person(desk: Desk, person: Persona, *, own: bool = True) -> None:
    """Seat somebody, in place of who has the same id: written out, or (not `own`) by the library's id."""
    seated, new = list(desk.draft.get("participants") or []), as_written(person) if own else person.id
    ids = [found.id if isinstance(found := person_at(seat), Persona) else "" for seat in seated]
    if person.id in ids:
        seated[ids.index(person.id)] = new
        desk.revision += 1
    else:
        seated.append(new)
    desk.draft["participants"] = seated
