"""The language in which somebody asks, derived from the question and from the words that the library knows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import anyio.to_thread

from agents.text.language_rules import Identify, question_language, question_vocabulary
from core.language.language_clues import LanguageGuess
from core.ports import SearchIndex

_REMEMBERED = 256  # questions: a run asks for the same one at several stages


class LibraryQuestionLanguages:
    """Implements `core.ports.QuestionLanguages`. `index` gives the present one."""

    def __init__(self, index: Callable[[], SearchIndex], identify: Identify) -> None:
        self._index, self._identify = index, identify
        self._known: OrderedDict[tuple[str, str], LanguageGuess] = OrderedDict()

    async def detect_language(self, tenant: str, text: str) -> LanguageGuess:
        key = (tenant, text)
        if key not in self._known:
            self._known[key] = await self._detect(tenant, text)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return self._known[key]

    async def _detect(self, tenant: str, text: str) -> LanguageGuess:
        """Return the question's language. A question that is surely English needs no look at the library. In a thread: the statistics' model takes a
        second to read.
        """

        def identify() -> LanguageGuess:
            return question_language(text, vocabulary=None, identify=self._identify)

        guess = await anyio.to_thread.run_sync(identify)
        if not guess.is_foreign:
            return guess
        index = self._index()
        english = not set(await index.languages(tenant)) - {"", "en"}
        vocabulary = await question_vocabulary(text, index=index, tenant=tenant, english=english)
        return await anyio.to_thread.run_sync(lambda: question_language(text, vocabulary=vocabulary, identify=self._identify))
