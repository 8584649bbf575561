"""A German question in English, by the list of words and what the library knows itself.

Not by the nearest words of the multilingual encoder: of 48 questions of XQuAD that were read so 11 lost their answer, for the nearest word is often
another one. A question with a word that the list lacks is searched across languages instead.
"""

from __future__ import annotations

from collections.abc import Callable

from agents.german.translation import translate_question
from agents.text.question_words import tokens
from core.ports import QuestionLanguages, SearchIndex

GERMAN, _ENGLISH = "de", frozenset({"", "en"})
_LONGEST = 40  # words: what is longer is a pasted text
_ABSENT = "qzxjvwkqzx"  # stands in no document, so its idf is that of every word that stands in none


class LibraryQuestionTranslator:
    """Implements `core.ports.QuestionTranslator`. `index` gives the present one."""

    def __init__(self, languages: QuestionLanguages, index: Callable[[], SearchIndex]) -> None:
        self._languages, self._index = languages, index

    async def translate_to_english(self, tenant: str, text: str) -> str:
        if (await self._languages.detect_language(tenant, text)).language != GERMAN:
            return ""
        if set(await self._index().languages(tenant)) - _ENGLISH:
            return ""
        return await read_in_english(self._index(), tenant, text)


async def read_in_english(index: SearchIndex, tenant: str, text: str) -> str:
    """Return a German question in English, by the list and the words that stand in the library as they are; "" where a word of it is not known, or it
    has too many."""
    words = set(tokens(text))
    if len(tokens(text)) > _LONGEST:
        return ""
    idf = await index.idf(tenant, " ".join([*sorted(words), _ABSENT]))
    absent = max(idf.values(), default=0.0)
    terms = {word: index.terms(word) for word in words}
    own = frozenset(word for word in words if terms[word] and all(idf.get(term, absent) < absent for term in terms[word]))
    reading = translate_question(text, own=own)
    return "" if reading.unknown_words else reading.text


def translate_topic(topic: str, language: str) -> str:
    """Return a few words of a request, by the list; "" for another language than German, and where one of them is not on it."""
    if language != GERMAN:
        return ""
    reading = translate_question(topic)
    return "" if reading.unknown_words else reading.text.lower()
