"""Text of documents and names of files on a terminal: nothing in them moves its cursor, changes its colours or turns its lines round."""

from __future__ import annotations

import re

# Control characters (C0 and C1), line separators, and those that change the direction of what follows. Newline and tab are let through by
# `escape_text`.
_ACTS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile(r"[\n\t]")


def escape_text(text: str) -> str:
    """Return text of several lines: what would act on a terminal stands as its escape (\\x1b)."""
    return _ACTS.sub(_escape, text)


def escape_line(text: str) -> str:
    """Return a name or a sentence: newlines and tabs are shown too, so that it stays one line."""
    return _BREAKS.sub(_escape, escape_text(text))


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()
