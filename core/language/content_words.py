"""Words as they are compared: tokens, the words that carry nothing, and stems without the commonest English endings."""

from __future__ import annotations

import re

from core.language.stems import stem
from core.language.stop_words import STOP_WORDS

_TOKEN = re.compile(r"\w+(?:['’.&-]\w+)*", re.UNICODE)


def tokens(text: str) -> list[str]:
    """Return the words of `text` in lower case, in order."""
    return [match.group().lower().replace("’", "'") for match in _TOKEN.finditer(text)]


_DESCRIBED = 3  # words


def stems(text: str) -> frozenset[str]:
    """Return the words that carry content without their commonest English endings ("limits", "limit"; "offers", "offer")."""
    return frozenset(stem(word) for word in tokens(text) if word not in STOP_WORDS)


def is_described(topic: str) -> bool:
    """Return whether a topic is described in several words ("shear buckling of thin plates") rather than named ("insurance"): one passage with all of
    them is about it, and others say it in other words."""
    return len(stems(topic)) >= _DESCRIBED


def strip_thousands_marks(number: str) -> str:
    """Return a number without its thousands marks: 1,200 and 1200 are one number."""
    return re.sub(r",(?=\d{3}\b)", "", number)
