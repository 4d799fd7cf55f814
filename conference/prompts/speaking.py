"""A planned turn, worded by a small model: it rewrites one note as speech. It isn't shown what others said, or it copies them."""

from __future__ import annotations

from conference.domain.chat import Message, Request
from conference.domain.move import Move
from conference.domain.persona import Persona
from conference.prompts.quoting import one_line

VERSION = "speaking/1"

SYSTEM = (
    "You turn notes into speech. People sit at a meeting; you get one person's note and write what that person says aloud. "
    "Say what the note says, all of it and nothing else, in this person's own spoken words: first person, plain, lively, "
    "one to three sentences. Keep every number as it is. Never add facts, names or numbers. Don't greet, don't sum up."
)

EXAMPLES: tuple[tuple[str, str, str], ...] = (
    (
        "Speaker: Mr Pell, caretaker of a swimming pool. Speaks short and grumpy.\nThis turn: an objection to Ms Quayle, about longer hours.\n"
        "Note: The boiler is from 1974. If it runs until ten at night it will be dead by Easter, and a new one takes 11 months to arrive.",
        "Ms Quayle, on longer hours I see it differently:",
        " that boiler has been down there since 1974. Run it till ten every night and I promise you it's dead by Easter, "
        "and then we all wait 11 months for another.",
    ),
    (
        "Speaker: Mr Pell, caretaker of a swimming pool. Speaks short and grumpy.\nThis turn: makes a point.\n"
        "Note: Nobody pays for a swim in cold water. Heat comes before posters.\n"
        "Already said: «I can accept the proposal as it stands.» Go on from there.",
        "",
        "You won't get anybody to pay for a swim in cold water, so heat first, and your posters after.",
    ),
    (
        "Speaker: Ms Quayle, swimming teacher. Speaks warmly, with children as examples.\nThis turn: she would accept, on a condition.\n"
        "Note: I could give up the Saturday lane, but only if the school classes keep the shallow end in the mornings.",
        "I could move, on one condition:",
        " take the Saturday lane, I won't fight for it, but only if my school classes keep the shallow end in the mornings.",
    ),
)
"""(what is given, the opening words, how it goes on); from another subject, so that words of theirs in a reply give it away."""

EXAMPLE_WORDS = frozenset(
    {"boiler", "pell", "quayle", "easter", "caretaker", "shallow", "swimming", "1974", "posters", "lane", "saturday"}
)

_DOES: dict[str, str] = {
    "state": "makes a point",
    "object": "an objection to {to}",
    "support": "backs {to}",
    "concede": "would accept, on a condition",
    "add": "says what is missing",
    "propose": "puts a proposal forward",
    "ask": "a question to {to}, ends with a question mark",
    "answer": "an answer to {to}",
}


def wording_request(person: Persona, move: Move, opening: str, *, seed: int, attempt: int) -> Request:
    """The request for one planned turn; each attempt samples a little more freely.

    An opening that ends in a colon is continued; after a whole sentence a small model takes the turn for finished, so it is told instead.
    """
    messages = [Message(role="system", content=SYSTEM)]
    for given, first, rest in EXAMPLES:
        messages += [Message(role="user", content=given), Message(role="assistant", content=f"{first}{rest}")]
    goes_on = opening.endswith(":")
    already = f"\nAlready said: «{opening}» Go on from there." if opening and not goes_on else ""
    messages.append(Message(role="user", content=_given(person, move, goes_on or not opening) + already))
    if goes_on:
        messages.append(Message(role="assistant", content=opening))
    return Request(
        messages=tuple(messages), purpose="turn", prompt_version=VERSION, max_tokens=80, temperature=0.35 + 0.2 * (attempt - 1),
        top_p=0.95, seed=seed, stop=("\n",),
    )  # fmt: skip


def _given(person: Persona, move: Move, replies: bool) -> str:
    voice = f" Speaks {one_line(person.voice, 160)}." if person.voice else ""
    kind = "add" if move.adds_to_list else move.kind
    # After an opening that is a sentence of its own the reply is the note only: told whom it answers, the model answers twice.
    does = _DOES.get(kind if replies else "state", "makes a point").format(to=one_line(move.to, 80) or "the chair")
    about = f", about {one_line(move.about, 80)}" if move.about and replies else ""
    return f"Speaker: {one_line(person.name, 80)}, {one_line(person.role, 80)}.{voice}\nThis turn: {does}{about}.\nNote: {note_of(move)}"


def note_of(move: Move) -> str:
    """The note as it is to be said: a concession with its condition."""
    note = one_line(move.note, 900)
    if move.kind == "concede" and move.condition and not move.adds_to_list:
        return f"{note.rstrip('.!; ')}, but only if {one_line(move.condition, 300)}."
    return note
