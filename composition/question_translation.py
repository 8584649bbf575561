"""A German question in English, by the list of words and what the library knows itself.

Not by the nearest words of the multilingual encoder: of 48 questions of XQuAD that were read so 11 lost their answer, for the nearest word is often
another one. A question with a word that the list lacks is searched across languages instead.
"""

from __future__ import annotations

from collections.abc import Callable

from agents.german.translation import translate_question
from agents.text.question_words import tokens
from core.ports import QuestionLanguages, SearchIndex

_GERMAN, _ENGLISH = "de", frozenset({"", "en"})
_LONGEST = 40  # words: what is longer is a pasted text
_ABSENT = "qzxjvwkqzx"  # stands in no document, so its idf is that of every word that stands in none


class LibraryQuestionTranslator:
    """Implements `core.ports.QuestionTranslator`. `index` gives the present one."""

    def __init__(self, languages: QuestionLanguages, index: Callable[[], SearchIndex]) -> None:
        self._languages, self._index = languages, index

    async def translate_to_english(self, tenant: str, text: str) -> str:
        if len(tokens(text)) > _LONGEST or (await self._languages.detect_language(tenant, text)).language != _GERMAN:
            return ""
        if set(await self._index().languages(tenant)) - _ENGLISH:
            return ""
        reading = translate_question(text, own=await self._library_words(tenant, text))
        return "" if reading.unknown_words else reading.text

    async def _library_words(self, tenant: str, text: str) -> frozenset[str]:
        """Return the words of the question that stand in the library as they are."""
        index = self._index()
        words = set(tokens(text))
        idf = await index.idf(tenant, " ".join([*sorted(words), _ABSENT]))
        absent = max(idf.values(), default=0.0)
        terms = {word: index.terms(word) for word in words}
        return frozenset(word for word in words if terms[word] and all(idf.get(term, absent) < absent for term in terms[word]))


def translate_topic(topic: str, language: str) -> str:
    """Return a few words of a request, by the list; "" for another language than German, and where one of them is not on it."""
    if language != _GERMAN:
        return ""
    reading = translate_question(topic)
    return "" if reading.unknown_words else reading.text.lower()
