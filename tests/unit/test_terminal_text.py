"""What comes from files is shown on a terminal, never obeyed by it."""

from __future__ import annotations

import pytest

from commands.terminal_text import escape_line, escape_text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain ü 漢 😀.txt", "plain ü 漢 😀.txt"),
        ("red\x1b[31m.txt", "red\\x1b[31m.txt"),
        ("two\nlines\t.txt", "two\\nlines\\t.txt"),
        ("bell\x07 del\x7f csi\x9b", "bell\\x07 del\\x7f csi\\x9b"),
        ("gpj.\u202etxt", "gpj.\\u202etxt"),
        ("a\r\nb", "a\\r\\nb"),
    ],
)
def test_nothing_in_a_name_acts_on_the_terminal(text: str, line: str) -> None:
    assert escape_line(text) == line


def test_an_answer_keeps_its_lines() -> None:
    assert escape_text("One.\n\n- Two\t3 [1]\x1b]0;title\x07") == "One.\n\n- Two\t3 [1]\\x1b]0;title\\x07"
