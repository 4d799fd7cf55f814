from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path

import pytest

from conference.errors import SetupError, UnknownName
from conference.models.known import known_models
from conference.models.registry import chat_model, is_small, ollama_address


@pytest.fixture
def keys(unset: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret")


@pytest.mark.parametrize(
    ("name", "small", "probabilities"),
    [
        ("embedded", True, True),
        ("openai:gpt-x", False, True),
        ("anthropic:claude-x", False, False),
        ("ollama:qwen2.5:1.5b", True, True),
        ("ollama:llama3.1:70b", False, True),
        ("compatible:org/m-7B@http://gpu:8000/v1", True, True),
        ("compatible:big@https://example.org/v1", False, True),
    ],
)
def test_a_name_gives_a_model_of_that_name(keys: None, name: str, small: bool, probabilities: bool) -> None:
    model = chat_model(name)
    assert (model.name, model.small, model.gives_probabilities) == (name, small, probabilities)


def test_scripted_comes_from_its_own_module(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("conference.models.scripted")
    module.ScriptedModel = lambda: "the scripted model"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "conference.models.scripted", module)
    assert chat_model("scripted") == "the scripted model"  # type: ignore[comparison-overlap]


def test_a_file_of_ones_own(unset: None, tmp_path: Path) -> None:
    (tmp_path / "own.gguf").write_bytes(b"GGUF")
    assert chat_model(f"embedded:{tmp_path}/own.gguf").name == f"embedded:{tmp_path}/own.gguf"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("embeded", "unknown model 'embeded'; did you mean 'embedded'"),
        ("gpt-4", "unknown model 'gpt-4'.*openai:MODEL"),
        ("openai:", "names a service but no model; write openai:MODEL"),
        ("ollama", "names a service but no model; write ollama:MODEL"),
        ("compatible:m", "has no model and address; write compatible:MODEL@https"),
        ("compatible:m@gpu:8000", "has no model and address"),
    ],
)
def test_names_nobody_knows(keys: None, name: str, message: str) -> None:
    with pytest.raises(UnknownName, match=message):
        chat_model(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("openai:gpt-x", "set OPENAI_API_KEY"),
        ("anthropic:claude-x", "set ANTHROPIC_API_KEY"),
        ("embedded:/nowhere/x.gguf", "can't read the model file /nowhere/x.gguf"),
    ],
)
def test_what_is_missing_is_said(unset: None, name: str, message: str) -> None:
    with pytest.raises(SetupError, match=message):
        chat_model(name)


def test_another_address_may_need_no_key(unset: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1")
    assert chat_model("openai:local").name == "openai:local"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("", "http://127.0.0.1:11434"),
        ("gpu", "http://gpu:11434"),
        ("gpu:9000", "http://gpu:9000"),
        ("0.0.0.0:11434", "http://127.0.0.1:11434"),
        ("https://models.example.org/", "https://models.example.org"),
    ],
)
def test_where_ollama_is(unset: None, monkeypatch: pytest.MonkeyPatch, host: str, address: str) -> None:
    monkeypatch.setenv("OLLAMA_HOST", host)
    assert ollama_address() == address


@pytest.mark.parametrize(
    ("model", "small"),
    [
        ("qwen2.5:1.5b", True),
        ("Llama-3.2-3B-Instruct", True),
        ("mistral-7b-instruct", True),
        ("llama3:8b", False),
        ("mixtral:8x7b", False),
        ("llama3.1:70b-instruct-q4", False),
        ("gpt-4o", False),
        ("blob", False),
    ],
)
def test_small_by_name(model: str, small: bool) -> None:
    assert is_small(model) is small


def test_naming_a_model_loads_no_other_kinds() -> None:
    code = (
        "import sys; from conference.models.registry import chat_model; chat_model('embedded'); "
        "print(*({'openai', 'anthropic', 'torch', 'xllamacpp', 'sentence_transformers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


def test_a_missing_key_is_told(unset: None, plenary_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    known = {model.name: model for model in known_models()}
    assert known["openai:MODEL"][1:] == (False, "OPENAI_API_KEY is not set; put it into the environment or .env")


def test_what_could_be_used_never_shows_a_key(plenary_home: Path, keys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    known = {model.name: model for model in known_models()}
    assert "secret" not in str(known)
    assert known["openai:MODEL"][1:] == (True, "OPENAI_API_KEY is set")
    assert known["anthropic:MODEL"][1:] == (True, "ANTHROPIC_API_KEY is set")
    assert known["compatible:MODEL@https://HOST/v1"].ready
    assert known["ollama:MODEL"][1:] == (False, "nothing answers at http://127.0.0.1:9; start Ollama or set OLLAMA_HOST")
    assert known["scripted"].ready
    assert {"embedded", "all-MiniLM-L6-v2", "all-mpnet-base-v2"} < set(known)


def test_a_users_own_file_is_told(plenary_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLENARY_GGUF", str(tmp_path / "none.gguf"))
    embedded = known_models()[0]
    assert not embedded.ready
    assert "can't read the model file" in embedded.detail
