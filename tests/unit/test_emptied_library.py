"""A library.db without a byte beside what was made from it is a damaged library, not a new one."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from core.errors import ConfigurationError
from storage.database import open_database


def hashes(home: Path) -> dict[str, str]:
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in home.rglob("*") if path.is_file()}


@pytest.mark.parametrize("evidence", ["tokens.db", "index/chunks/meta.json", "uploads/default/lease.txt", "library.db-wal"])
def test_an_emptied_library_is_said_to_be_damaged_and_nothing_changes(tmp_path: Path, evidence: str) -> None:
    (tmp_path / "library.db").touch()
    made = tmp_path / evidence
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_bytes(b"something")
    before = hashes(tmp_path)
    with pytest.raises(ConfigurationError, match=r"library\.db is damaged: it is empty .* backup") as told:
        open_database(tmp_path)
    assert str(made) in str(told.value)
    assert hashes(tmp_path) == before


def test_an_empty_file_alone_becomes_a_new_library(tmp_path: Path) -> None:
    (tmp_path / "library.db").touch()
    for folder in ("index", "uploads"):
        (tmp_path / folder).mkdir()
    open_database(tmp_path).close_sync()
    assert (tmp_path / "library.db").stat().st_size > 0
