"""The first words of a planned turn, by what the turn does. They carry the stance, so that listeners and judges can tell it.

`{to}` is the person addressed, `{about}` in a few words what is answered, `{condition}` the condition named. Drawn by seed; one already heard in the stage is left out.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from conference.domain.move import Move

VERSION = "1"

_REPLIES: dict[str, tuple[str, ...]] = {
    "state": (
        "What I would put first is this:",
        "Let me start from my own work:",
        "Something I see every week:",
        "For me it comes down to this:",
        "There is a side of this we haven't touched:",
        "One thing must be said plainly:",
        "I'd like this on the record:",
        "Here is what worries me:",
    ),
    "object": (
        "{to}, on {about} I see it differently:",
        "I can't follow you on {about}, {to}:",
        "{to}, there is another side to {about}:",
        "With respect, {to}, {about} isn't the whole story:",
        "{to}, I'd question what you said about {about}:",
        "You speak of {about}, {to}; from where I sit it looks different:",
        "Before {about} carries the day, {to}, consider this:",
    ),
    "support": (
        "{to} is right about {about}, and there is more:",
        "I'm with {to} on {about}:",
        "What {to} said about {about} fits what I see:",
        "Let me add to {about}, {to}:",
        "{to}, I can only underline {about}:",
        "On {about} I agree with {to}:",
    ),
    "ask": (
        "{to}, a question about {about}:",
        "May I ask you something, {to}?",
        "{to}, help me with one thing:",
        "Before I make up my mind, {to}:",
    ),
    "answer": (
        "{to}, you asked, so here is my answer:",
        "To your question, {to}:",
        "A fair question, {to}:",
        "Let me answer that, {to}:",
    ),
    "propose": (
        "Then let me make a proposal:",
        "Here is what I would put on the table:",
        "I propose the following:",
        "Let me try something that more of us could accept:",
        "What if we did this:",
    ),
    "concede": (
        "I could move, {to}, on one condition:",
        "{to}, I'm not there yet, but I could be:",
        "There is a way I could live with this:",
        "I will give way on one point, if I get another:",
        "Not as it stands, but this would bring me in:",
    ),
}

_ON_THE_TABLE: dict[str, tuple[str, ...]] = {
    "support": (
        "{to}, I can accept your proposal as it stands.",
        "Yes, {to}, that proposal has my support.",
        "I would sign that as it is, {to}.",
        "{to}, I'm in favour of what you put on the table.",
        "You can count me in for this proposal, {to}.",
        "I agree with the proposal as read.",
        "That I can live with, as it stands.",
    ),
    "met": (
        "My condition is in it now, {to}, so I accept the proposal.",
        "My condition is in it now, so I accept the proposal.",
        "It says now that {condition}, so I can accept it.",
        "You have taken in what I asked for, so I'm on board.",
        "That answers my demand; I support the proposal now.",
        "Now that {condition}, you have my yes.",
    ),
    "object": (
        "{to}, I'm against this proposal.",
        "No, {to}, I can't accept what you put on the table.",
        "I can't put my name to that proposal, {to}.",
        "That proposal I have to oppose.",
        "My answer to this proposal is no.",
        "{to}, I don't support it, and here is why.",
    ),
    "insist": (
        "My condition still isn't in it, that {condition}. So for now it's a no.",
        "I asked for one thing, that {condition}, and it isn't there. I can't accept it like this.",
        "Unless {condition}, I can't agree, and that is still missing.",
    ),
    "defend": (
        "{to}, I stand by the proposal.",
        "{to}, that doesn't sink the proposal.",
        "I hear you, {to}, and I still think the proposal is right.",
    ),
    "rival": (
        "I can't accept what is on the table, so let me put something else beside it:",
        "No to that proposal; here is another:",
        "Instead of what is on the table, I propose this:",
    ),
}

_ON_THE_LIST: dict[str, tuple[str, ...]] = {
    "reply": (
        "{to}, you spoke of {about}:",
        "On {about}, {to}:",
        "To come back to {about}, {to}:",
        "A word on {about}, {to}:",
        "You raised {about}, {to}:",
    ),
    "support": (
        "I can work with that list.",
        "The list is fine with me as it stands.",
        "Yes, let us judge by that list.",
        "I accept the list.",
        "That list covers what I need.",
        "I'm content with the list as read.",
    ),
    "concede": (
        "Something is missing from the list, and I can't accept it without that: {about}.",
        "I can't sign up to that list yet; {about} has to go on it.",
        "Not complete for me: {about} belongs on the list.",
    ),
}


_TITLES = """
Dr Prof Professor Mr Mrs Ms Miss Sir Dame Superintendent Inspector Sergeant Councillor Cllr Rev Reverend Father Imam
Rabbi Pastor Judge  Captain Commander Nurse Sister Alderman Minister Senator
"""
TITLES = frozenset(_TITLES.split())


def addressed(name: str) -> str:
    """How somebody is spoken to: title and last name, or the first name of who has no title."""
    words = name.split()
    if len(words) > 2 and words[0].rstrip(".") in TITLES:
        return f"{words[0]} {words[-1]}"
    return words[0] if len(words) > 1 and words[0].rstrip(".") not in TITLES else name


def opener(move: Move, on_list: bool, seed: str, heard: Iterable[str] = ()) -> str:
    """The opening words for a move; `heard` are texts whose openings are not used again while others are left."""
    choices = _choices(move, on_list)
    about = move.gist if move.kind == "concede" and on_list else move.about
    filled = [
        line.format(to=addressed(move.to) if move.to else "", about=about, condition=move.condition.rstrip(".; "))
        for line in choices
        if (about or "{about}" not in line) and (move.to or "{to}" not in line) and (move.condition or "{condition}" not in line)
    ]
    said = [text[:18] for text in heard]
    fresh = [line for line in filled if line[:18] not in said]
    pool = fresh or filled
    return random.Random(seed).choice(pool) if pool else ""


_CLOSERS: dict[bool, tuple[str, ...]] = {
    True: (
        "And the list I accept.",
        "As for the list: yes, I can work with it.",
        "The list is fine with me.",
        "And yes, let us judge by that list.",
        "For the rest, I'm content with the list as read.",
    ),
    False: (
        "And yes, I accept the proposal.",
        "As for the proposal: it has my support.",
        "For the rest, I can sign what is on the table.",
    ),
}


def closer(move: Move, on_list: bool, seed: str) -> str:
    """Last words of a turn that answers somebody and also accepts what is on the table; else empty."""
    if move.stance != "support" or not (move.kind == "answer" or (on_list and _replies(move))):
        return ""
    return random.Random(seed).choice(_CLOSERS[on_list])


def _replies(move: Move) -> bool:
    """Whether a turn that accepts the list is said in answer to somebody."""
    return move.kind == "support" and move.answers is not None and bool(move.note)


def _choices(move: Move, on_list: bool) -> tuple[str, ...]:
    if move.stance is None or move.kind == "answer" or (move.kind == "propose" and move.stance == "support"):
        return _REPLIES.get(move.kind, ())
    if on_list:
        return _ON_THE_LIST.get("reply" if _replies(move) else move.kind, ())
    match move.kind:
        case "support":
            return _ON_THE_TABLE["met" if move.about else "support"]
        case "object" if move.stance == "support":
            return _ON_THE_TABLE["defend"]
        case "object":
            return _ON_THE_TABLE["insist" if move.reason.startswith("its condition") else "object"]
        case "propose":
            return _ON_THE_TABLE["rival"]
        case _:
            return _REPLIES.get(move.kind, ())
