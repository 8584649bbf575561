"""German requests for a comparison, a summary or an analysis in the words that these agents read: "Vergleiche die drei Angebote" is "compare the
three offers". Only such requests are touched, and only for reading what is to be done: what is searched for stays German, and so does a word that
nobody knows."""

from __future__ import annotations

import re

from agents.german.translation import translate_question

_TASK_WORDS = re.compile(
    r"\b(?:vergleich(?:e|en|st|t)?|unterschiede?\s+zwischen|unterscheide[nt]\w*|stelle?\s+.*\bgegenüber|fasse?\s+.*\bzusammen|zusammenfass\w*|überblick\s+über|"
    r"wichtigsten\s+punkte|kernpunkte|analysiere\w*|analyse\s+(?:von|der|des)|"
    r"welche[rsn]?\s+(?:der\s+\w+\s+)?\w+\s+(?:ist|hat|bietet|verlangt|nennt)\s+(?:am|die|das|den|der)\s+\w+ste[nrs]?)\b",
    re.IGNORECASE,
)


def translate_task(text: str) -> str:
    """Return the text as it stands where it asks for no such task in German."""
    return translate_question(text).text if _TASK_WORDS.search(text) is not None else text
