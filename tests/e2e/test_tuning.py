"""`vantage tune` improves a library whose settings do not suit it, and leaves one alone whose do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.support.serving import run_vantage
from tests.support.tuned_libraries import WITHOUT_WORDS, write_birds, write_household


def mrr_of(home: Path, questions: Path, config: str) -> float:
    done = run_vantage(home, "eval", "run", str(questions), "--json", timeout=300, VANTAGE_CONFIG=config)
    assert done.returncode == 0, done.stderr
    return float(json.loads(done.stdout)["metrics"]["mrr"])


@pytest.mark.slow
def test_a_library_that_other_settings_suit_is_improved_and_set_back(tmp_path: Path) -> None:
    home, questions, config = tmp_path / "home", write_household(tmp_path), str(tmp_path / "config.yaml")
    Path(config).write_text(WITHOUT_WORDS)
    assert run_vantage(home, "index", str(tmp_path / "household"), timeout=300, VANTAGE_CONFIG=config).returncode == 0
    before = mrr_of(home, questions, config)
    tuned = run_vantage(home, "tune", "--set", str(questions), "--apply", "--json", timeout=600, VANTAGE_CONFIG=config)
    assert tuned.returncode == 0, tuned.stderr
    found = json.loads(tuned.stdout)
    assert (found["accepted"], found["applied"]) == (True, True)
    assert found["halves"]["second"]["low"] > 0
    assert mrr_of(home, questions, config) > before
    page = yaml.safe_load((home / "page-settings.yaml").read_text())
    assert page["search"]
    shown = json.loads(run_vantage(home, "tune", "--show", "--json", VANTAGE_CONFIG=config).stdout)
    assert shown["values"] == found["values"]
    assert run_vantage(home, "tune", "--undo", VANTAGE_CONFIG=config).returncode == 0
    assert not (home / "page-settings.yaml").exists()
    assert run_vantage(home, "tune", "--undo", VANTAGE_CONFIG=config).returncode == 3


@pytest.mark.slow
def test_a_library_that_the_defaults_suit_is_left_alone(tmp_path: Path) -> None:
    home, birds = tmp_path / "home", write_birds(tmp_path / "birds")
    tuned = run_vantage(home, "tune", "--set", str(birds), "--cache", str(tmp_path / "cache"), timeout=300)
    assert tuned.returncode == 0, tuned.stderr
    assert "Nothing was better on the first half: the settings stay as they are." in tuned.stdout
    assert not (home / "page-settings.yaml").exists()
    refused = run_vantage(home, "tune", "--set", str(birds), "--cache", str(tmp_path / "cache"), "--apply")
    assert (refused.returncode, "says nothing about your library" in refused.stderr) == (1, True)
