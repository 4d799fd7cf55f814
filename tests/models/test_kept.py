from __future__ import annotations

import threading
from pathlib import Path

from conference.models.kept import CHUNK, KeptBytes


def test_what_is_put_is_found_again_by_another(tmp_path: Path) -> None:
    KeptBytes(tmp_path / "deep" / "kept.db").put("a", b"\x00one")
    kept = KeptBytes(tmp_path / "deep" / "kept.db")
    assert (kept.get("a"), kept.get("b")) == (b"\x00one", None)


def test_the_same_key_again_replaces(tmp_path: Path) -> None:
    kept = KeptBytes(tmp_path / "kept.db")
    kept.put("a", b"1")
    kept.put("a", b"2")
    assert kept.get("a") == b"2"


def test_more_keys_than_one_query_takes(tmp_path: Path) -> None:
    kept = KeptBytes(tmp_path / "kept.db")
    values = {f"key {number}": b"%d" % number for number in range(2 * CHUNK + 1)}
    kept.put_many(values)
    assert kept.get_many([*values, "none", "key 1"]) == values
    assert kept.get_many([]) == {}


def test_threads_write_side_by_side(tmp_path: Path) -> None:
    kept = KeptBytes(tmp_path / "kept.db")
    threads = [threading.Thread(target=kept.put, args=(f"{number}", b"x")) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kept.get_many(map(str, range(8)))) == 8
