"""Tiny installed packages on a temporary path: a folder of files with the record that says they were installed."""

from __future__ import annotations

from pathlib import Path

BOOBY_TRAP = "raise AssertionError('a package of weights must never be executed')\n"


def install(site: Path, package: str, files: dict[str, bytes]) -> None:
    """Put a package into `site` the way an installer does; importing it fails."""
    module = package.replace("-", "_")
    contents = {f"{module}/__init__.py": BOOBY_TRAP.encode()} | {f"{module}/{name}": data for name, data in files.items()}
    info = site / f"{module}-1.0.dist-info"
    info.mkdir(parents=True)
    for name, data in contents.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_bytes(data)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in contents))
