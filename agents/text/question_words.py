"""Words of a question: tokens, content words and names. Plain functions that several agents share."""

from __future__ import annotations

import re

from core.language.content_words import tokens
from core.language.months import full_months
from core.language.stop_words import STOP_WORDS
from core.language.weekdays import weekdays

__all__ = ["PRONOUNS", "QUESTION_WORDS", "content_words", "find_names", "quoted_phrases", "tokens"]

PRONOUNS = frozenset("it they them he she him her its their his hers theirs this that these those one ones".split())
QUESTION_WORDS = frozenset(
    "what which who whom whose when where why how is are was were do does did can could will would should has have had may".split()
)

_NAME_JOINERS = r"(?:of|the|and|de|der|den|von|van|du|la|le|for|&)"
_CAPITALISED = r"[A-ZÀ-ÖØ-Þ][\w&'’-]*"
_NAME = re.compile(rf"{_CAPITALISED}(?:\s+(?:{_NAME_JOINERS}\s+)?{_CAPITALISED})*(?:\s+\d[\w-]*)?")
_IDENTIFIER = re.compile(r"\b(?=[\w/.-]*\d)(?=[\w/.-]*[A-Za-z])[A-Za-z0-9]+(?:[-/.][A-Za-z0-9]+)+\b|\b[\w.+-]+@[\w-]+\.[\w.]+\b")
_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]{2,200})[\"“”«»]|(?<!\w)['‘]([^'’‘]{2,200})['’](?!\w)")


def content_words(text: str) -> list[str]:
    """Return the words that carry content: no articles, pronouns, question words or courtesies."""
    return [word for word in tokens(text) if word not in STOP_WORDS and word.removesuffix("'s") not in STOP_WORDS]


def quoted_phrases(text: str) -> list[str]:
    """Return what stands in quotation marks, in order, without repeats."""
    found = [(first or second).strip() for first, second in _QUOTED.findall(text)]
    return list(dict.fromkeys(phrase for phrase in found if phrase))


def find_names(text: str) -> list[str]:
    """Find capitalised phrases, identifiers and addresses that `text` names, without repeats; the capital of a sentence's first word says nothing."""
    found = [match.group() for match in _IDENTIFIER.finditer(text)]
    for match in _NAME.finditer(text):
        name = _strip_opening(match.group(), opens=not text[: match.start()].strip(" \"'“‘([¿¡"))
        if name and not any(name in other for other in found):
            found.append(name)
    return list(dict.fromkeys(found))


def _strip_opening(name: str, *, opens: bool) -> str:
    words = name.split()
    if words[0].lower() in _CALENDAR:
        return ""
    first = True
    while words and (words[0].lower() in STOP_WORDS or (opens and first and words[0].lower() in _VERBS)):
        words = words[1:]
        first = False
    if opens and first and len(words) == 1 and not re.search(r"[A-Z0-9].*[A-Z0-9]", words[0]):
        return ""
    return " ".join(words)


_CALENDAR = frozenset((*full_months("en"), *weekdays("en")))
_VERBS = frozenset(
    "compare summarize summarise analyze analyse explain list describe define translate write search open check count calculate".split()
)
