"""The page about formats names every type that has a reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingestion.detection import _BINARY_SUFFIXES, _TEXT_TYPES, FileType

_PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("suffix", sorted({*_BINARY_SUFFIXES, *(name for name, kind in _TEXT_TYPES.items() if kind is not FileType.CODE)}))
def test_every_suffix_has_a_row(suffix: str) -> None:
    assert f"`{suffix}`" in _PAGE
