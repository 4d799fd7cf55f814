"""Imports point one way; heavy libraries stay where they belong; files keep to one noun."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from conference.library import ROOT

LAYERS = (
    ("conference.errors", "conference.domain", "conference.home"),
    ("conference.library", "conference.shelf", "conference.drafts", "conference.floor", "conference.prompts", "conference.moves"),
    ("conference.judges", "conference.protocols", "conference.analysis"),
    ("conference.seats",),
    ("conference.session",),
    ("conference.study",),
    ("conference.models", "conference.store", "conference.migrations", "conference.importers", "conference.exporters"),
    (
        "conference.running", "conference.intervening",
        "conference.watching", "conference.judging", "conference.covering", "conference.telling",
        "conference.checkup", "conference.studying", "conference.following", "conference.playing", "conference.live",
        "conference.topics",
        "conference.casting", "conference.trial", "conference.errands", "conference.pacing",
    ),
    ("conference.cli", "conference.__main__", "pages", "app"),
)  # fmt: skip
"""Each may import from its own line and those before."""

ONLY_IN = {
    "autogen": ("conference.session", "conference.models", "conference.judges", "conference.protocols"),
    "streamlit": ("app", "pages"),
    "sqlalchemy": ("conference.store", "conference.migrations"),
    "alembic": ("conference.store", "conference.migrations"),
    "typer": ("conference.cli",),
    "openai": ("conference.models",),
    "anthropic": ("conference.models",),
    "xllamacpp": ("conference.models", "conference.checkup"),
}
"""Who alone may import a library (by the beginning of its name)."""

HEAVY = (
    "streamlit",
    "torch",
    "sentence_transformers",
    "sklearn",
    "scipy",
    "statsmodels",
    "pandas",
    "plotly",
    "xllamacpp",
    "dask",
)
"""Imported when first needed, never with a module of the engine that a command or the first page needs."""

BAD_NAMES = {"utils", "util", "helpers", "helper", "manager", "types", "misc", "common"}
LONG: dict[str, str] = {}
"""Files of more than 300 lines, with the reason why."""


@cache
def files() -> dict[str, Path]:
    """Every module of the product, by its dotted name."""
    found = [*(ROOT / "conference").rglob("*.py"), *(ROOT / "pages").rglob("*.py"), *ROOT.glob("app.py")]
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in found}
    return dict(sorted(named.items()))


def imports_of(module: str, *, at_the_top: bool = False) -> Iterator[str]:
    """Dotted names a module imports; with `at_the_top` only what is imported when it is, not what a function imports later."""
    tree = ast.parse(files()[module].read_text(encoding="utf-8"))
    for node in _statements(tree) if at_the_top else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively; write the whole name"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in files() else str(node.module)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Everything outside functions and outside `if TYPE_CHECKING`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from _statements(child)


def within(module: str, places: tuple[str, ...]) -> bool:
    return any(module == place or module.startswith(f"{place}.") for place in places)


def layer_of(module: str) -> int:
    return next((number for number, places in enumerate(LAYERS) if within(module, places)), -1)


def test_every_module_has_its_layer() -> None:
    assert [m for m in files() if layer_of(m) < 0 and m != "conference"] == [], "say in LAYERS where it belongs"


def test_imports_point_one_way() -> None:
    wrong = [
        f"{module} imports {name}"
        for module in files()
        if module != "conference"
        for name in imports_of(module)
        if layer_of(name) > layer_of(module)
    ]
    assert wrong == []


def test_there_is_no_import_cycle() -> None:
    graph = {module: {name for name in imports_of(module, at_the_top=True) if name in files()} - {module} for module in files()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"import cycle: {' -> '.join(error.args[1])}")


@pytest.mark.parametrize(("library", "places"), ONLY_IN.items())
def test_a_library_is_imported_only_where_it_belongs(library: str, places: tuple[str, ...]) -> None:
    wrong = [
        f"{module} imports {name}"
        for module in files()
        for name in imports_of(module)
        if name.partition(".")[0].partition("_")[0] == library and not within(module, places)
    ]
    assert wrong == []


def test_heavy_libraries_are_imported_when_first_needed() -> None:
    wrong = [
        f"{module} imports {name}"
        for module in files()
        if module.startswith("conference.")
        for name in imports_of(module, at_the_top=True)
        if name.partition(".")[0] in HEAVY
    ]
    assert wrong == []


def test_the_engine_knows_nothing_of_tests_and_pages() -> None:
    wrong = [m for m in files() if any(within(name, ("tests", "benchmarks", "pytest", "hypothesis")) for name in imports_of(m))]
    assert wrong == []


def test_modules_are_nouns_of_the_domain() -> None:
    assert [module for module in files() if set(module.split(".")) & BAD_NAMES] == []


def test_long_files_have_a_reason() -> None:
    long = {m: len(path.read_text(encoding="utf-8").splitlines()) for m, path in files().items()}
    assert {m: lines for m, lines in long.items() if lines > 300 and m not in LONG} == {}


def test_every_module_and_public_name_says_what_it_is() -> None:
    wordless = [
        module for module, path in files().items() if path.stat().st_size and not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert wordless == []


def test_the_search_itself_finds_what_it_should() -> None:
    """A test of imports that sees none would always pass."""
    assert "autogen_agentchat.teams" in set(imports_of("conference.session"))
    assert "conference.floor" in set(imports_of("conference.session", at_the_top=True))
    assert "conference.judges.ballot" in set(imports_of("conference.judges.registry"))
    assert "conference.judges.ballot" not in set(imports_of("conference.judges.registry", at_the_top=True))
