"""The environment into which the set-up installs: made where there is none, made again where its making was stopped."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from scripts import setup


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder in which the set-up looks for its environment."""
    monkeypatch.setattr(setup, "VENV", tmp_path)
    monkeypatch.setattr(setup, "PYTHON", tmp_path / "bin" / "python")
    return tmp_path


@pytest.mark.parametrize(
    ("files", "made"), [(("bin/python",), True), ((), True), (("bin/python", "lib/python3.11/site-packages/pip/__init__.py"), False)]
)
def test_an_environment_without_pip_is_made_again(files: Sequence[str], made: bool, environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Debian without python3-venv, and after Ctrl-C, the interpreter is there without pip: every later set-up failed at "No module named pip"."""
    for file in files:
        (environment / file).parent.mkdir(parents=True, exist_ok=True)
        (environment / file).touch()
    asked = list[Sequence[str]]()

    def run(command: Sequence[str], **_: Any) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    setup.make_venv()
    assert [command[1:3] for command in asked] == [["-m", "venv"]] * made


@pytest.mark.usefixtures("environment")
def test_a_python_that_cannot_make_an_environment_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1))
    with pytest.raises(SystemExit, match="sudo apt install python3-venv"):
        setup.make_venv()
