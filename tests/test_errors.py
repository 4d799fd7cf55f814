"""Errors: one line each, and what is offered instead of a name nobody knows."""

from __future__ import annotations

import pickle

import pytest

from conference import errors
from conference.errors import ModelBusy, PlenaryError, SpecError, UserError, did_you_mean


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("unknown key 'x'", "unknown key 'x'"),
        ("two\nlines\r\nand\ttabs", "two lines and tabs"),
        ("a\x1b[31mred\x1b[0m", "a\ufffd[31mred\ufffd[0m"),
        ("line\u2028separator\x85next", "line separator next"),
        ("nul\x00 and \u202ereversed", "nul\ufffd and \ufffdreversed"),
        ("", ""),
    ],
)
def test_a_message_is_one_printable_line(given: str, shown: str) -> None:
    assert str(SpecError(given)) == shown
    assert str(ModelBusy(given)) == shown


def test_every_error_of_the_tree_is_a_mistake_of_the_user_or_a_failure_of_the_run() -> None:
    tree = {name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, PlenaryError)}
    assert set(tree) == set(_names_in_the_docstring())
    assert all(issubclass(kind, UserError | errors.RunError) for name, kind in tree.items() if name != "PlenaryError")


def _names_in_the_docstring() -> list[str]:
    lines = (errors.__doc__ or "").splitlines()
    words = [line.lstrip("│├└─ ").split() for line in lines]
    return [word[0] for word in words if word and word[0].isalpha() and hasattr(errors, word[0])]


def test_errors_survive_the_way_to_another_process() -> None:
    error = pickle.loads(pickle.dumps(SpecError("unknown key 'x'")))
    assert (type(error), str(error)) == (SpecError, "unknown key 'x'")


@pytest.mark.parametrize(
    ("name", "known", "said"),
    [
        ("agena", ("agenda", "title"), "; did you mean 'agenda'?"),
        ("zzz", ("beta", "alpha"), "; known: alpha, beta"),
        ("zzz", (), ""),
        ("zzz", tuple("abcdefghijklmn"), "; known: a, b, c, d, e, f, g, h, i, j, k, l … and 2 more"),
    ],
)
def test_did_you_mean(name: str, known: tuple[str, ...], said: str) -> None:
    assert did_you_mean(name, known) == said
