"""Patterns that are compiled when they are used: they behave as compiled ones, and none of the product's is wrong."""

from __future__ import annotations

import copy
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from core.lazy_patterns import LazyPattern, compile_when_used

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for folder in ("agents", "answers", "core", "graph", "ingestion", "memory", "retrieval", "storage")
    for file in (ROOT / folder).rglob("*.py")
    if "import compile_when_used" in file.read_text(encoding="utf-8")
)


def uncompiled(value: Any) -> Iterator[LazyPattern]:
    """Those that a module keeps: by themselves, in tuples, lists and tables, and in the fields of what it made of them."""
    if isinstance(value, LazyPattern):
        yield value
    elif isinstance(value, dict):
        yield from (found for each in value.values() for found in uncompiled(each))
    elif isinstance(value, (tuple, list, frozenset)):
        yield from (found for each in value for found in uncompiled(each))
    elif fields := getattr(value, "__dataclass_fields__", None):
        yield from (found for name in fields for found in uncompiled(getattr(value, name, None)))


def patterns_of(module: ModuleType) -> list[LazyPattern]:
    return list(uncompiled(dict(vars(module))))


def test_it_finds_what_the_compiled_pattern_finds() -> None:
    for text in ("Rent 1200 and 80", "none", ""):
        late, now = compile_when_used(r"(?P<sum>\d+)", re.IGNORECASE), re.compile(r"(?P<sum>\d+)", re.IGNORECASE)
        assert late.findall(text) == now.findall(text)
        assert late.sub("x", text) == now.sub("x", text)
        assert late.split(text) == now.split(text)
        assert [found.span() for found in late.finditer(text)] == [found.span() for found in now.finditer(text)]
        assert (late.search(text) is None) == (now.search(text) is None)
        assert (late.pattern, late.flags, late.groups, dict(late.groupindex)) == (now.pattern, now.flags, now.groups, dict(now.groupindex))


def test_it_is_compiled_with_the_first_use_and_once() -> None:
    late = LazyPattern(r"(\w+)", 0)
    assert set(vars(late)) == {"pattern", "_flags"}
    assert late.match("word").group() == "word"
    search = vars(late)["search"]
    assert late.search("word").group(1) == "word"
    assert vars(late)["search"] is search


def test_a_wrong_pattern_says_so_when_it_is_used_and_a_wrong_name_at_once() -> None:
    with pytest.raises(re.error):
        compile_when_used("(").search("")
    with pytest.raises(AttributeError):
        LazyPattern("a", 0).seek  # noqa: B018  (looking it up is what is tested)


def test_a_copy_is_as_good() -> None:
    assert copy.copy(compile_when_used("b+")).findall("abba") == ["bb"]


def compiles(each: LazyPattern) -> bool:
    try:
        each.search("")
    except re.error:
        return False
    return True


@pytest.mark.parametrize("name", MODULES)
def test_every_pattern_of_the_product_can_be_compiled(name: str) -> None:
    found = patterns_of(importlib.import_module(name))
    assert found
    assert [each.pattern for each in found if not compiles(each)] == []


def test_there_are_such_patterns() -> None:
    assert len(MODULES) >= 15
    assert sum(len(patterns_of(importlib.import_module(name))) for name in MODULES) >= 200
