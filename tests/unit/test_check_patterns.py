"""The check that finds regular expressions whose time may grow exponentially."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.check_patterns import is_explosive, literal_patterns


@pytest.mark.parametrize(
    "pattern",
    [r"^(?:\d+\.?)+\s", r"(a+)+$", r"(?:\w+\s?)*;", r"(?:[^x]+|x)*y", r"((?:ab)+)*c", r"(?:\s*\w+)+!", r"(?=(?:a*)*b)", r"(?:(a)|b+)+?c"],
)
def test_repeated_repetitions_are_found(pattern: str) -> None:
    assert is_explosive(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"^\d+(?:\.\d+)*\.?\s",
        r"(?:\.{3,})",
        r"(?:\s\.){3,}",
        r"(?:a|b)+",
        r"(?:\d{1,3},)*\d+",
        r"(?:\w+ )*x",
        r"(['\"])(?:\\.|(?!\1).)*\1",
        r"(a+)?b",
    ],
)
def test_others_are_not(pattern: str) -> None:
    assert not is_explosive(pattern)


def test_what_is_no_pattern_says_so() -> None:
    with pytest.raises(re.error):
        is_explosive("(")


def test_patterns_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    file.write_text("import re\nre.search('a+', text)\nother.search('b+', text)\nre.sub(name, '', text)\n")
    assert list(literal_patterns(file)) == [(f"{file}:2", "a+", 0)]
