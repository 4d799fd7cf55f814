"""Joins and verifies the packaged weights once, so that the first conference doesn't wait for it: `python -m conference.models.prepare`."""

from __future__ import annotations

from conference.models.weights import embedded_gguf, mpnet_folder


def main() -> None:
    """Raises SetupError when a part is missing or doesn't match its digest."""
    print(f"embedded model: {embedded_gguf()}")
    print(f"embeddings: {mpnet_folder()}")


if __name__ == "__main__":
    main()
