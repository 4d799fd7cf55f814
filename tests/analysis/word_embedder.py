"""An embedder for tests: texts that share words are near, texts that share none are orthogonal."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt


class WordEmbedder:
    """One dimension a word, in order of appearance; counts what it was asked."""

    name = "words"
    dimension = 512

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self.asked: list[list[str]] = []

    def embed(self, texts: list[str]) -> npt.NDArray[np.float32]:
        self.asked.append(list(texts))
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for word in re.findall(r"[a-z']+", text.lower()):
                vector[self._places.setdefault(word, len(self._places))] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True).clip(1e-9)
