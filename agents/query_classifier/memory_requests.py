"""Requests to keep something in mind: "remember that the crane is called Bertha"."""

from __future__ import annotations

import re

from agents.text.question_words import content_words

_LONGEST_REQUEST = 1_000
_MEMORY_REQUEST = re.compile(
    r"^\W*(?:(?:please|pls|ok|okay|and|also|vantage|hey|can\s+you|could\s+you|would\s+you|i\s+(?:want|need|would\s+like)\s+you\s+to)[\s,]+)*"
    r"(?:remember|memori[sz]e|keep\s+in\s+mind|bear\s+in\s+mind|(?:don't|do\s+not|never)\s+forget|(?:make|take)\s+a\s+note|note(?:\s+down)?)"
    r"(?:\s*(?:[:,-]|\bthat\b|\bthis\b\s*:?|\bfor\s+(?:me|later|next\s+time)\b\s*(?:[:,-]|\bthat\b)?)\s*)+(?P<kept>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)


def remember_request(text: str) -> str:
    """Return what shall be kept, in the person's words; "" where nothing is asked to be kept (a question never asks it)."""
    plain = " ".join(text.translate({0x2019: "'", 0x2018: "'"}).split())
    match = _MEMORY_REQUEST.match(plain) if len(plain) <= _LONGEST_REQUEST else None
    if match is None:
        return ""
    polite = re.match(r"^\W*(?:can|could|would)\s+you\b", plain, re.IGNORECASE) is not None
    kept = match["kept"].strip(" \"“”'")
    if (plain.endswith("?") and not polite) or not content_words(kept):
        return ""
    return kept.removesuffix("?").rstrip() if polite else kept
