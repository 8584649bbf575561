"""What a number counts: "14,253 students" says nothing of how many schools there are, where "370 participating schools" stands beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from answers.questions.answer_kinds import NUMBER
from core.language.inflections import pluralize_english, singularize_english
from core.language.related_words import similar_words

_HOW_MANY = re.compile(r"^\W*how\s+many\s+(?:of\s+the\s+|other\s+|different\s+)?(?:[a-z-]+\s+)?(?P<noun>[a-z]{3,})\b", re.IGNORECASE)
_PLURAL_BEHIND = re.compile(r"\s+(?:(?:[a-z-]+|\d+\w+)\s+){0,2}?(?P<noun>[a-z]{3,}s)\b")
_NO_NOUNS = frozenset(
    "was has does this its times years months days hours minutes weeks percent across towards perhaps always as is us less besides".split()
)


def make_count_check(question: str, texts: Sequence[str]) -> Callable[[str, int, int], bool]:
    """Return a function of a text and the [start:end] of an answer in it that says whether its number counts something else than the question asks
    for; never, where no text counts that."""
    asked = _HOW_MANY.match(question)
    if asked is None:
        return _never
    nouns = {singularize_english(word) for word in asked.group().lower().split()[2:]}
    nouns |= {singularize_english(word) for noun in list(nouns) for word in similar_words(noun)}
    forms = "|".join(sorted({re.escape(form) for noun in nouns for form in (noun, pluralize_english(noun))}))
    counted = re.compile(rf"\s+(?:[a-z-]+\s+){{0,2}}(?:{forms})\b", re.IGNORECASE)
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
