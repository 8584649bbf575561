"""What a number counts: "14,253 students" says nothing of how many schools there are, where "370 participating schools" stands beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from answers.questions.answer_kinds import NUMBER
from core.language.inflections import pluralize_english, singularize_english
from core.language.related_words import similar_words
from core.language.stop_words import STOP_WORDS

_HOW_MANY = re.compile(r"^\W*how\s+many\s+(?:of\s+the\s+|other\s+|different\s+)?(?:[a-z-]+\s+)?(?P<noun>[a-z]{3,})\b", re.IGNORECASE)
_PLURAL_BEHIND = re.compile(r"\s+(?:(?:[a-z-]+|\d+\w+)\s+){0,2}?(?P<noun>[a-z]{3,}s)\b")
_NO_NOUNS = frozenset(
    "was has does this its times years months days hours minutes weeks percent across towards perhaps always as is us less besides".split()
)


def names_no_counted_thing(question: str, texts: Sequence[str]) -> bool:
    """Return whether it is asked how many there are of something that none of the texts has a word for."""
    nouns = _counted_nouns(question)
    named = re.compile(rf"\b(?:{_forms(nouns)})\b", re.IGNORECASE)
    return bool(nouns) and not any(named.search(text) for text in texts)


def _counted_nouns(question: str) -> frozenset[str]:
    """Return what the question asks the number of, in the singular, with words that mean the same; none where it asks for no number."""
    asked = _HOW_MANY.match(question)
    said = asked.group().lower().split()[2:] if asked is not None else []
    nouns = {singularize_english(word) for word in said if word not in STOP_WORDS}
    return frozenset(nouns | {singularize_english(word) for noun in nouns for word in similar_words(noun)})


def _forms(nouns: frozenset[str]) -> str:
    return "|".join(sorted({re.escape(form) for noun in nouns for form in (noun, pluralize_english(noun))}))


def make_count_check(question: str, texts: Sequence[str]) -> Callable[[str, int, int], bool]:
    """Return a function of a text and the [start:end] of an answer in it that says whether its number counts something else than the question asks
    for; never, where no text counts that."""
    nouns = _counted_nouns(question)
    if not nouns:
        return _never
    counted = re.compile(rf"\s+(?:[a-z-]+\s+){{0,2}}(?:{_forms(nouns)})\b", re.IGNORECASE)
    if not any(counted.match(text, number.end()) for text in texts for number in NUMBER.finditer(text)):
        return _never

    def counts_other(text: str, start: int, end: int) -> bool:
        number = NUMBER.search(text, start, end)
        behind = _PLURAL_BEHIND.match(text, number.end()) if number is not None else None
        if number is None or behind is None or behind["noun"] in _NO_NOUNS:
            return False
        return singularize_english(behind["noun"]) not in nouns and counted.match(text, number.end()) is None

    return counts_other


def _never(text: str, start: int, end: int) -> bool:
    return False
