"""The wording of signatures: questions that ask who signed something, and the lines above the names."""

from __future__ import annotations

import re

from core.language.content_words import stems
from core.language.question_wording import strip_politeness
from core.lazy_patterns import compile_when_used

_SIGNED_QUESTION = re.compile(
    r"^\W*(?:who\s+(?:has\s+|have\s+|all\s+)?signed|who\s+(?:are|were)\s+the\s+signatories\s+(?:of|to)|wer\s+(?:hat|haben)\b(?=.*\bunter(?:schrieben|zeichnet)\b)|"
    r"wer\s+unter(?:schrieb|zeichnete)n?)\s+(?P<thing>[^?]+?)(?:\s+unter(?:schrieben|zeichnet))?\W*$",
    re.IGNORECASE,
)
SIGNATURE_LINE = compile_when_used(
    r"^\W*(?:signed\b|signatures?\s*:?\s*$|executed\s+(?:as|by)\b|in\s+witness\b|unterschrift(?:en)?\b|unterzeichnet\b)", re.IGNORECASE | re.MULTILINE
)


def signed_thing(question: str) -> frozenset[str]:
    """Return the stems of what a question asks who signed it; none where it does not ask that."""
    asked = _SIGNED_QUESTION.match(strip_politeness(question))
    return stems(asked["thing"]) if asked is not None else frozenset()
