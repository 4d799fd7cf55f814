from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from conference.errors import SetupError
from conference.models import embeddings
from conference.models.embeddings import CachedEmbedder, MiniLM, Mpnet, best_embedder, installed_folder
from tests.models.fake_packages import install


class Counting:
    """Embeds a text as the direction of its first two characters, and keeps what it was asked."""

    def __init__(self, name: str = "counting") -> None:
        self.name = name
        self.asked: list[list[str]] = []

    def embed(self, texts: list[str]) -> np.ndarray:
        self.asked.append(texts)
        rows = np.array([[ord(text[0]), ord(text[1])] for text in texts], dtype=np.float32).reshape(-1, 2)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_only_what_is_new_is_embedded(tmp_path: Path) -> None:
    inner = Counting()
    cached = CachedEmbedder(inner, tmp_path / "vectors.db")
    first = cached.embed(["aa", "bb", "aa"])
    again = CachedEmbedder(inner, tmp_path / "vectors.db").embed(["bb", "cc", "aa"])
    assert inner.asked == [["aa", "bb"], ["cc"]]
    assert (first.dtype, first.shape, again.shape) == (np.float32, (3, 2), (3, 2))
    np.testing.assert_array_equal(again, Counting().embed(["bb", "cc", "aa"]))
    np.testing.assert_array_equal(first[0], first[2])


def test_models_do_not_share_vectors(tmp_path: Path) -> None:
    CachedEmbedder(Counting("one"), tmp_path / "vectors.db").embed(["aa"])
    other = Counting("two")
    CachedEmbedder(other, tmp_path / "vectors.db").embed(["aa"])
    assert other.asked == [["aa"]]


def test_no_texts_give_no_rows(tmp_path: Path) -> None:
    assert CachedEmbedder(Counting(), tmp_path / "vectors.db").embed([]).shape == (0, 2)
    assert (MiniLM().embed([]).shape, Mpnet().embed([]).shape) == ((0, 384), (0, 768))


def test_vectors_may_be_written_to(tmp_path: Path) -> None:
    CachedEmbedder(Counting(), tmp_path / "vectors.db").embed(["aa"])[0, 0] = 0.0


def test_the_cache_lies_in_the_home(plenary_home: Path) -> None:
    CachedEmbedder(Counting()).embed(["aa"])
    assert (plenary_home / "embeddings.db").exists()


def test_many_utterances_embedded_before_are_quick(tmp_path: Path) -> None:
    texts = [f"{chr(97 + number % 26)}{number} was said" for number in range(5000)]
    cached = CachedEmbedder(Counting(), tmp_path / "vectors.db")
    cached.embed(texts)
    started = time.process_time()
    cached.embed(texts)
    assert time.process_time() - started < 5  # some 0.05; the budget is measured in benchmarks/


@pytest.mark.parametrize(("unpacked", "parts", "best"), [(True, False, Mpnet), (False, True, Mpnet), (False, False, MiniLM)])
def test_the_best_that_is_there(
    plenary_home: Path, monkeypatch: pytest.MonkeyPatch, unpacked: bool, parts: bool, best: type
) -> None:
    monkeypatch.setattr(embeddings, "is_mpnet_unpacked", lambda: unpacked)
    packages = embeddings.MPNET.packages if parts else ("nobody-has-this",)
    monkeypatch.setattr(embeddings, "MPNET", replace(embeddings.MPNET, packages=packages))
    if parts:
        monkeypatch.setattr(embeddings, "part_paths", lambda _: [Path("part")])
    assert isinstance(best_embedder(cached=False), best)
    assert best_embedder().name == best.name


def test_neither_is_there(plenary_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "MPNET", replace(embeddings.MPNET, packages=("nobody-has-this",)))
    monkeypatch.setattr(embeddings, "MINILM", "nobody-has-this-either")
    with pytest.raises(SetupError, match=r"nobody-has-this-either isn't installed; run 'pip install -r requirements.txt'"):
        best_embedder()


def test_a_packaged_model_is_found_without_running_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "site", "tiny-sentences", {"model/modules.json": b"[]", "model/config.json": b"{}"})
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert installed_folder("tiny-sentences") == tmp_path / "site" / "tiny_sentences" / "model"
    assert "tiny_sentences" not in sys.modules


def test_heavy_libraries_wait_until_something_is_embedded() -> None:
    code = (
        "import sys; from conference.models.embeddings import MiniLM; MiniLM(); "
        "print(*({'torch', 'sentence_transformers', 'transformers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"
