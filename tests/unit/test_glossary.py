"""The glossary names types that exist, and each term once."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

GLOSSARY = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
NAMES = re.findall(r"`((?:[a-z_]+\.)+[A-Z]\w+)`", GLOSSARY)
TERMS = re.findall(r"^\| \*\*(.+?)\*\*", GLOSSARY, re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_what_it_names_exists(name: str) -> None:
    module, _, kind = name.rpartition(".")
    assert isinstance(getattr(importlib.import_module(module), kind), type)


def test_each_term_has_one_meaning() -> None:
    assert len(TERMS) >= 30
    assert len(TERMS) == len(set(TERMS))
