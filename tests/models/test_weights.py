from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from conference.errors import SetupError
from conference.models import weights
from conference.models.weights import embedded_gguf, is_mpnet_unpacked, mpnet_folder, own_gguf, unpack
from tests.models.fake_packages import install

TENSORS = b"tensors" * 40
FILES = {"model.safetensors": TENSORS, "1_Pooling/config.json": b"{}", "modules.json": b"[]"}


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def archive_at(path: Path, files: dict[str, bytes]) -> Path:
    path.write_bytes(zipped(files))
    return path


@pytest.fixture
def split_zip(plenary_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    whole = zipped({f"all-mpnet-base-v2/{name}": data for name, data in FILES.items()})
    half = len(whole) // 2
    for number, piece in enumerate((whole[:half], whole[half:]), start=1):
        install(tmp_path / "site", f"tiny-zip-{number}", {f"input/model.zip.{number:03d}": piece})
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    tiny = replace(
        weights.MPNET,
        packages=("tiny-zip-1", "tiny-zip-2"),
        part=lambda number: f"input/model.zip.{number:03d}",
        size=len(whole),
        sha256=hashlib.sha256(whole).hexdigest(),
    )
    monkeypatch.setattr(weights, "MPNET", tiny)
    monkeypatch.setattr(weights, "MPNET_SAFETENSORS", hashlib.sha256(TENSORS).hexdigest())
    return whole


def test_the_split_archive_is_joined_unpacked_and_removed(split_zip: bytes, tmp_path: Path) -> None:
    folder = mpnet_folder()
    assert folder.is_relative_to(tmp_path / "cache")
    assert {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*") if path.suffix != ".verified"
    } == FILES
    assert not list(folder.parent.glob("*.zip"))


def test_an_unpacked_folder_is_not_unpacked_again(split_zip: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_mpnet_unpacked()
    folder = mpnet_folder()
    assert is_mpnet_unpacked()
    monkeypatch.setattr(weights, "unpack", lambda *_: pytest.fail("unpacked again"))
    assert mpnet_folder() == folder


def test_changed_weights_are_unpacked_again(split_zip: bytes) -> None:
    folder = mpnet_folder()
    (folder / "model.safetensors").write_bytes(b"other")
    assert (mpnet_folder() / "model.safetensors").read_bytes() == TENSORS


def test_other_weights_in_the_archive_are_refused(split_zip: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(weights, "MPNET_SAFETENSORS", "0" * 64)
    with pytest.raises(SetupError, match=r"model\.safetensors has SHA-256 .* expected 0{12}…; reinstall"):
        mpnet_folder()
    assert not list((tmp_path / "cache" / "weights").glob("all-mpnet-base-v2/*"))


@pytest.mark.parametrize(
    "name", ["../outside.txt", "/etc/outside.txt", "a/../../outside.txt", "..\\outside.txt", "C:/outside.txt"]
)
def test_an_entry_that_would_land_outside_is_refused(tmp_path: Path, name: str) -> None:
    archive = archive_at(tmp_path / "bad.zip", {"inside.txt": b"1", name: b"2"})
    with pytest.raises(SetupError, match="would land outside"):
        unpack(archive, tmp_path / "deep" / "target")
    assert not list(tmp_path.rglob("outside.txt"))


def test_files_without_a_common_folder_stay_where_they_are(tmp_path: Path) -> None:
    unpack(archive_at(tmp_path / "flat.zip", {"a/one": b"1", "two": b"2"}), tmp_path / "target")
    assert (tmp_path / "target/a/one").read_bytes() + (tmp_path / "target/two").read_bytes() == b"12"


def test_what_is_no_archive_is_a_setup_error(tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_bytes(b"no archive")
    with pytest.raises(SetupError, match="can't unpack"):
        unpack(tmp_path / "no.zip", tmp_path / "target")


def test_a_users_own_file_is_used_when_it_is_a_gguf(plenary_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "own.gguf").write_bytes(b"GGUF and more")
    monkeypatch.setenv("PLENARY_GGUF", str(tmp_path / "own.gguf"))
    assert embedded_gguf() == tmp_path / "own.gguf"


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "own.gguf").write_bytes(b"PK\x03\x04")
    with pytest.raises(SetupError, match=r"own\.gguf isn't a GGUF file"):
        own_gguf(str(tmp_path / "own.gguf"))


def test_a_file_that_is_not_there_is_a_setup_error(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"can't read the model file .*none\.gguf \(No such file"):
        own_gguf(str(tmp_path / "none.gguf"))


def test_without_its_packages_the_embedded_model_says_what_to_do(plenary_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "CHAT", replace(weights.CHAT, packages=("nobody-has-this-part1",)))
    with pytest.raises(SetupError, match=r"requirements\.txt' or name another model"):
        embedded_gguf()
