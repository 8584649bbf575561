"""The collector pauses while a command starts, and no longer."""

from __future__ import annotations

import gc

import pytest

from cli import main
from commands.garbage_collection import postpone_collections, resume_collections


def test_what_was_made_meanwhile_is_looked_at_no_more() -> None:
    before = gc.get_freeze_count()
    try:
        postpone_collections()
        assert not gc.isenabled()
        resume_collections()
        assert gc.isenabled()
        assert gc.get_freeze_count() > before
        frozen = gc.get_freeze_count()
        resume_collections()
        assert gc.get_freeze_count() == frozen
    finally:
        gc.enable()
        gc.unfreeze()


def test_a_command_that_fails_leaves_the_collector_on(tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path_factory.mktemp("config") / "missing.yaml"
    try:
        assert main(["--config", str(missing), "status"]) == 1
        assert str(missing) in capsys.readouterr().err
        assert gc.isenabled()
    finally:
        gc.unfreeze()
