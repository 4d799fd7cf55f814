from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conference.models.lock import FileLock, exclusive, is_free


def test_shared_holds_stand_side_by_side_and_keep_an_exclusive_one_out(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    first, second = FileLock(path, shared=True), FileLock(path, shared=True)
    with pytest.raises(BlockingIOError):
        FileLock(path, wait=False)
    first.release()
    assert not is_free(path)
    second.release()
    assert is_free(path)


def test_release_may_be_called_again(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "lock")
    lock.release()
    lock.release()
    assert is_free(tmp_path / "lock")


def test_exclusive_lets_go_after_an_error(tmp_path: Path) -> None:
    def fail_inside() -> None:
        with exclusive(tmp_path / "lock"):
            assert not is_free(tmp_path / "lock")
            raise ValueError("inside")

    with pytest.raises(ValueError, match="inside"):
        fail_inside()
    assert is_free(tmp_path / "lock")


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = f"import time; from pathlib import Path; from conference.models.lock import FileLock as L; l = L(Path({str(path)!r}), shared=True)"
    holder = subprocess.Popen(
        [sys.executable, "-c", f"{code}; print('held', flush=True); time.sleep(60)"], stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert not is_free(path)
        holder.kill()
        holder.wait()
        assert is_free(path)
