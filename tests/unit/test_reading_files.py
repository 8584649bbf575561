"""A file that the system does not give out is not called damaged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.errors import ExtractionError, Malformed
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.workers.file_reading import ContentDigest, file_source


def _shape(data: bytes, path: Path | None = None) -> Source:
    return Source(data, "a.txt", path=path)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(2, "No such file or directory"), "is gone"),
        (PermissionError(13, "Permission denied"), "Allow reading it"),
        (OSError(5, "Input/output error"), "Input/output error. Check its disk"),
    ],
)
def test_what_the_system_refuses_has_its_own_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, said: str) -> None:
    def refuse(*_: object) -> int:
        raise error

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(ExtractionError, match=said) as caught, file_source(tmp_path / "a.txt", ExtractionLimits(), ContentDigest(), _shape):
        pass
    assert caught.value.code == ("vanished" if isinstance(error, FileNotFoundError) else "unreadable")


def test_a_folder_is_no_regular_file(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="regular"), file_source(tmp_path, ExtractionLimits(), ContentDigest(), _shape):
        pass
