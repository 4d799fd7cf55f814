"""Who could sit at the table: a persona written from one sentence, the library's nearest to a question, and twins."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from conference.analysis.nearness import Near, nearest, twins
from conference.domain.chat import ChatModel, Embedder
from conference.domain.persona import Persona
from conference.domain.phrase import Phrase
from conference.domain.reading import build
from conference.errors import ModelReplyError, PlenaryError, SpecError
from conference.models.registry import chat_model
from conference.models.wrappers import Deadline, Retrying
from conference.prompts.casting import persona_request, table_request
from conference.running import deadline_of
from conference.shelf import free_of, slug

ATTEMPTS = 2
_FORMAT = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


@dataclass(frozen=True)
class Written:
    """A persona made from a sentence. `by_template` says why when no model wrote it, and is empty when one did."""

    persona: Persona
    by_template: Phrase | None = None


async def write_persona(
    sentence: str, question: str, options: Sequence[str], model_name: str, taken: Iterable[str] = (), names: Sequence[str] = (),
    model: ChatModel | None = None,
) -> Written:  # fmt: skip
    """The persona a model writes; a template when the model is scripted or fails. `taken` are ids that are in use.

    Raises SpecError for an empty sentence.
    """
    words = " ".join(_FORMAT.sub(" ", sentence).split())
    if not words:
        raise SpecError("the sentence is empty; say in one sentence who it is, such as 'a shop keeper next to the branch'")
    if model_name == "scripted" and model is None:
        return Written(template(words, taken, names), Phrase("the scripted model writes nothing"))
    try:
        asked = model or Deadline(chat_model(model_name), deadline_of(model_name))
        seed = sum(map(ord, words)) % 100_000
        writer = _Read(asked, options, taken, names)
        await Retrying(writer, ATTEMPTS).complete(persona_request(words, question, options, seed, names, brief=asked.small))
    except PlenaryError as error:
        return Written(
            template(words, taken, names), Phrase("{model} could not write one: {error}", model=model_name, error=str(error))
        )
    assert writer.persona is not None
    return Written(writer.persona)


PLAIN_TABLE = (
    "Somebody who works in what would change", "Somebody who uses it every week and would miss it", "Somebody who has to pay for it",
    "Somebody who has to carry the decision out", "Somebody who lives next to it and wasn't asked",
)  # fmt: skip
"""Who is nearly always to be heard; used when no model can say."""


async def write_table(
    question: str,
    options: Sequence[str],
    model_name: str,
    seats: int,
    arrived: Callable[[Written], None],
    model: ChatModel | None = None,
) -> None:
    """As many personas as there are seats, each handed to `arrived`: first who should be heard, then each of them."""
    sentences, written = await _who(question, options, model_name, seats, model), list[Persona]()
    for sentence in sentences:
        taken, names = [person.id for person in written], [person.name for person in written]
        each = await write_persona(sentence, question, options, model_name, taken, names, model)
        written.append(each.persona)
        arrived(each)


async def _who(question: str, options: Sequence[str], model_name: str, seats: int, model: ChatModel | None) -> Sequence[str]:
    """Sentences; those nearly always right where the model is small or fails, for each persona is written anew anyway."""
    if model_name == "scripted" and model is None:
        return PLAIN_TABLE[:seats]
    try:
        asked = model or Deadline(chat_model(model_name), deadline_of(model_name))
        if asked.small:
            return PLAIN_TABLE[:seats]
        reply = await Retrying(asked, ATTEMPTS).complete(table_request(question, options, seats, seed=1))
        told = [_line(item, 300) for item in json.loads(reply.text)["people"]]
        return list(dict.fromkeys(item for item in told if item))[:seats] or PLAIN_TABLE[:seats]
    except (PlenaryError, ValueError, TypeError, KeyError):
        return PLAIN_TABLE[:seats]


async def write_points(
    people: Sequence[Persona], question: str, options: Sequence[str], model_name: str, arrived: Callable[[Written], None],
    model: ChatModel | None = None,
) -> None:  # fmt: skip
    """Points for people who have none, each handed to `arrived`; all else about them stays."""
    for person in people:
        wants = "; ".join([person.aim, *person.interests])
        each = await write_persona(f"{person.name}, {person.role}. {wants}", question, options, model_name, model=model)
        brief = person.brief.model_copy(update={"points": each.persona.brief.points})
        favours = person.favours or each.persona.favours
        arrived(Written(person.model_copy(update={"brief": brief, "favours": favours}), each.by_template))


class _Read:
    """A model whose reply counts only when it is a persona, so that the retry around it asks again."""

    def __init__(self, model: ChatModel, options: Sequence[str], taken: Iterable[str], names: Sequence[str]) -> None:
        self.model, self.options, self.taken, self.names = model, options, list(taken), names
        self.name, self.small, self.gives_probabilities = model.name, model.small, model.gives_probabilities
        self.persona: Persona | None = None

    async def complete(self, request: Any, on_text: Any = None) -> Any:
        reply = await self.model.complete(request, on_text)
        self.persona = persona_of(reply.text, self.options, self.taken, self.names)
        return reply


def persona_of(text: str, options: Sequence[str], taken: Iterable[str] = (), names: Sequence[str] = ()) -> Persona:
    """The persona a reply holds, under a name that isn't one of `names`. Raises ModelReplyError."""
    try:
        told = json.loads(text)
        name = _unused(_line(told.get("name", ""), 80), names)
        points = [
            {"text": _sentences(point["text"]), "gist": _line(point["gist"], 60), "source": "invented",
             "speaks_for": [option for option in dict.fromkeys(point.get("speaks_for", [])) if option in options]}
            for point in told["points"]
        ]  # fmt: skip
        brief: dict[str, Any] = {"points": _unlike([point for point in points if point["text"] and point["gist"]])}
        given = told.get("concession") or {}
        if (
            given.get("option") in options
            and given.get("condition")
            and given.get("gist") not in [p["gist"] for p in brief["points"]]
        ):
            lengths = {"text": 300, "option": 120, "condition": 300, "gist": 60}
            brief["concessions"] = [{key: _line(given[key], longest) for key, longest in lengths.items()}]
        favours = [option for point in brief["points"] for option in point["speaks_for"]]
        value = {
            "id": free_of(slug(name), taken), "name": name, "role": _line(told["role"], 200), "brief": brief,
            "interests": [_line(item, 200) for item in told["interests"]],
            "expertise": [_line(item, 120) for item in told.get("expertise", [])],
            "voice": _line(told.get("voice", ""), 300), "aim": _line(told["aim"], 300), "favours": list(dict.fromkeys(favours))[:1],
        }  # fmt: skip
        return build(Persona, value, "the persona")
    except SpecError as error:
        raise ModelReplyError(str(error)) from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelReplyError(f"the reply is no persona ({type(error).__name__}: {str(error)[:80]})") from None


def _line(text: object, longest: int) -> str:
    """Model text on one line, cut; what is no text is an error."""
    if not isinstance(text, str):
        raise TypeError(f"{str(text)[:40]} is no text")
    return " ".join(_FORMAT.sub(" ", text).split())[:longest].strip()


NAMES = (
    "Aline Moreau", "Bram Visser", "Carla Nunes", "Deniz Aydin", "Edda Holm", "Farid Rahimi", "Greta Lang", "Hugh Brannigan", "Ivana Kos",
    "Jonas Reiter", "Keiko Mori", "Lorcan Daly", "Mira Patel", "Nils Berg", "Orla Quinn", "Paolo Ferri", "Rosa Jimenez", "Samir Haddad",
)  # fmt: skip
"""Made-up names for whom a model gives none, or one that is taken."""


def _unused(name: str, names: Sequence[str]) -> str:
    taken = {other.casefold() for other in names}
    return next(
        each for each in (name, *NAMES, *(f"Participant {n}" for n in range(1, 1000))) if each and each.casefold() not in taken
    )


def _sentences(text: object) -> str:
    """Without the part of a sentence left over where the length was held down."""
    told = _line(text, 600)
    end = max(told.rfind(mark) for mark in ".!?")
    return told[: end + 1] if end > 40 else told


def _unlike(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without a second point of the same gist or text."""
    kept: list[dict[str, Any]] = []
    for point in points:
        if all(point["gist"] != other["gist"] and point["text"] != other["text"] for other in kept):
            kept.append(point)
    return kept


def template(sentence: str, taken: Iterable[str] = (), names: Sequence[str] = ()) -> Persona:
    """A persona that holds the sentence and nothing else; its voice says that it is a template."""
    role = sentence[:200]
    number = next(n for n in range(1, 1000) if f"Participant {n}" not in names)
    return Persona(
        id=free_of(slug(role)[:40].strip("-"), taken), name=f"Participant {number}", role=role,
        voice="(a template, not written by a model: fill in name, interests, aim and points)",
    )  # fmt: skip


def is_moderator(person: Persona) -> bool:
    """Whether the role says so."""
    return bool(re.search(r"\b(moderator|facilitator|chair)", person.role.casefold()))


DISTANT = 0.35
"""Cosine to the question below which even the nearest persona is about something else: .29 to .32 for questions the shipped library
has nobody for, .47 and .53 for two it has somebody for."""


@dataclass(frozen=True)
class Suggestion:
    """Somebody of the library, and how near to the question (cosine)."""

    persona: Persona
    cosine: float


def suggested(question: str, library: Sequence[Persona], embedder: Embedder, seats: int = 5) -> list[Suggestion]:
    """The library's participants nearest to the question, the nearest first; nobody who is another's twin."""
    people = [person for person in library if not is_moderator(person)]
    if not people:
        return []
    vectors = embedder.embed([question, *(sheet(person) for person in people)])
    return [
        Suggestion(people[place], float(vectors[place + 1] @ vectors[0])) for place in nearest(vectors[0], vectors[1:], seats)
    ]


def twins_of(table: Sequence[Persona], embedder: Embedder) -> list[Near]:
    """The pairs of a table that are nearly one and the same."""
    if len(table) < 2:
        return []
    return twins([person.name for person in table], embedder.embed([sheet(person) for person in table]))


def sheet(person: Persona) -> str:
    """What a persona is, as one text to be compared: role, aim, interests, points."""
    parts = [person.role, person.aim, *person.interests, *person.expertise, *(point.text for point in person.brief.points[:4])]
    return ". ".join(part for part in parts if part)


def without_other_questions(person: Persona, options: Sequence[str]) -> Persona:
    """The persona for a conference with these options: one whose brief is about other options comes without brief and favourites."""
    named = {*person.favours, *person.rejects, *(o for p in person.brief.points for o in (*p.speaks_for, *p.speaks_against))}
    if not named or named & set(options):
        return person
    return person.model_copy(update={"favours": (), "rejects": (), "brief": type(person.brief)()})
