"""YAML text into records: every mistake is one line that says what, which value, what to do."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from conference.domain.reading import MAX_BYTES, build, parse_mapping, read_text
from conference.domain.record import Name, Record
from conference.errors import SpecError


class Tide(Record):
    name: Name
    metres: float = 0.0
    harbours: tuple[Name, ...] = ()


class Table(Record):
    tides: tuple[Tide, ...] = ()
    by_day: dict[str, Tide] = {}


def refusal(text: str) -> str:
    with pytest.raises(SpecError) as caught:
        build(Tide, parse_mapping(text, "tide t.yaml"), "tide t.yaml")
    return str(caught.value).removeprefix("tide t.yaml")


def test_what_is_right_is_read() -> None:
    assert build(Tide, parse_mapping("name: Spring\nmetres: 4.5\nharbours: [Leith]", "tide"), "tide") == Tide(
        name="Spring", metres=4.5, harbours=("Leith",)
    )


MISTAKES = {
    "unknown key": ("name: x\nmeters: 1", ": unknown key 'meters'; did you mean 'metres'?"),
    "unknown key, none near": ("name: x\nqqq: 1", ": unknown key 'qqq'; known: harbours, metres, name"),
    "missing key": ("metres: 1", ": name is missing; add it"),
    "key twice": ("name: x\nname: y", ": the key 'name' stands twice (line 2); keep one"),
    "a list": ("- a\n- b", " holds a list, not keys with values; start it with a line like 'title: …'"),
    "a word": ("hello", " holds a str, not keys with values; start it with a line like 'title: …'"),
    "nothing": ("", " holds nothing, not keys with values; start it with a line like 'title: …'"),
    "a date": ("name: 2026-01-02", ": name is 2026-01-02; write text, in quotes where it looks like a number, a date or a yes"),
    "an octal": ("name: 0777", ": name is 511; write text, in quotes where it looks like a number, a date or a yes"),
    "a yes": ("name: yes", ": name is True; write text, in quotes where it looks like a number, a date or a yes"),
    "an empty value": ("name:", ": name is None; write text, in quotes where it looks like a number, a date or a yes"),
    "a list for a text": ("name: [x]", ": name is a list: input should be a valid string"),
    "a number out of a text": (
        "name: x\nmetres: deep", ": metres is 'deep': input should be a valid number, unable to parse string as a number"),
    "a number as key": ("name: x\n3: y", ": [3] is 3; write keys as text, in quotes where they look like a number"),
    "a list as key": ("? [a, b]\n: c", ": a key is no plain text (line 1); write 'name: value'"),
    "a mapping as key": ("name: x\n? {a: 1}\n: c", ": a key is no plain text (line 2); write 'name: value'"),
    "no 13th month": ("name: 2026-13-01", " holds a value that can't be read (month must be in 1..12); put it in quotes"),
    "tag of a bool": ("name: !!bool maybe", " holds a value that can't be read (it doesn't fit its tag); put it in quotes"),
    "tag of a time": ("name: !!timestamp soon", " holds a value that can't be read (it doesn't fit its tag); put it in quotes"),
    "tag of a number": ("name: !!int ''", " holds a value that can't be read (it doesn't fit its tag); put it in quotes"),
    "tag of a map": ("name: !!map [1]", " holds a value that can't be read (it doesn't fit its tag); put it in quotes"),
    "alias": ("name: &a x\nharbours: [*a]", ": aliases (*a) are not read; write the value out"),
    "NUL byte": ("name: a\0b", " is not readable YAML: unacceptable character #x0000: control characters are not allowed; mend that line"),
    "NUL, escaped": ('name: x\nharbours: ["a\\0b"]', ": line 2 holds the control character '\\x00'; take it out"),
    "escape sequence in a key": ('"\\e[31mred": x', ": line 1 holds the control character '\\x1b'; take it out"),
    "newline in a name": ('name: "a\\nb"', ": name is 'a\\nb'; write it on one line, without control characters"),
    "line separator in a name": ('name: "a\\u2028b"', ": name is 'a\\u2028b'; write it on one line, without control characters"),
    "next line in a name": ('name: "a\\Nb"', ": name is 'a\\x85b'; write it on one line, without control characters"),
    "tab as indent": ("name:\n\t- b", " is not readable YAML in line 2: found character that cannot start any token; mend that line"),
    "two documents": ("name: x\n---\nname: y", " is not readable YAML in line 2: but found another document; mend that line"),
    "too deep": ("name: " + "[" * 41 + "]" * 41, ": nested more than 40 levels deep; flatten it"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_line(text: str, said: str) -> None:
    assert refusal(text) == said


def test_no_code_is_run_and_no_object_is_built() -> None:
    assert "could not determine a constructor" in refusal("name: !!python/object/apply:os.system [echo]")


def test_a_number_of_thousands_of_digits_is_refused_in_one_line() -> None:
    said = refusal(f"name: x\nmetres: {'9' * 5000}")
    assert said.startswith(" holds a value that can't be read (Exceeds the limit")
    assert said.endswith("; put it in quotes")
    assert "sys." not in said


BOMBS = {
    "a billion laughs": "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{c}: &{c} [{','.join([f'*{b}'] * 9)}]\n" for b, c in zip("abcdefgh", "bcdefghi", strict=True)),
    "an alias of itself": "a: &a [*a]",
    "nesting to the limit of size": "[" * (MAX_BYTES - 1),
    "nested mappings": "{a: " * 200_000,
    "a merge bomb": "a: &a {k: v}\nb: {<<: [" + ",".join(["*a"] * 50_000) + "]}",
    "ten megabytes": "a: [" + "[" * 10_000_000,
}  # fmt: skip


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS)
def test_bombs_are_refused_at_once(text: str) -> None:
    began = time.process_time()
    with pytest.raises(SpecError) as caught:
        parse_mapping(text, "spec")
    assert "\n" not in str(caught.value)
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"tides": [{"name": "x", "depth": 1}]}, "table: unknown key 'depth' in tides[0]; known: harbours, metres, name"),
        ({"by_day": {"Monday": {"nme": "x"}}}, "table: by_day.Monday.name is missing; add it"),
        ({"tides": [3]}, "table: tides[0] is 3; write keys with values, such as 'name: …'"),
        ({"tides": [{"name": "x" * 200}]}, f"table: tides[0].name is '{'x' * 58}…: string should have at most 120 characters"),
    ],
)
def test_the_place_of_a_mistake_is_named(value: object, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        build(Table, value, "table")
    assert str(caught.value) == said


class TestReadingFiles:
    def test_utf_8_with_and_without_mark(self, tmp_path: Path) -> None:
        path = tmp_path / "t.yaml"
        for head in (b"", b"\xef\xbb\xbf"):
            path.write_bytes(head + "name: Ærø".encode())
            assert read_text(path, "spec") == "name: Ærø"

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"name: \xff\xfe", "is not UTF-8 (byte 6); save it as UTF-8"),
            (b"x" * (MAX_BYTES + 1), "has 1,000,001 bytes; at most 1,000,000 are read: split it or shorten it"),
            (None, "doesn't exist; check the path"),
        ],
    )
    def test_what_cant_be_read(self, tmp_path: Path, content: bytes | None, said: str) -> None:
        path = tmp_path / "t.yaml"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(SpecError) as caught:
            read_text(path, "spec")
        assert str(caught.value) == f"spec {path} {said}"

    @pytest.mark.parametrize("name", ["", "a\0b"])
    def test_a_folder_and_no_path_at_all(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(SpecError, match="check (it|the path)"):
            read_text(tmp_path / name, "spec")
