"""The leg for questions and passages in different languages, and for those that are in none but English.

The embedding model knows English. Where question or passage is in another language, a multilingual encoder's cosine stands in the place of the
model's own: for every passage when the question is in another language, for the passages in other languages when it is in English. So an English
question to English documents is searched as if there were no such leg.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import Unavailable, VantageError
from core.language.language_clues import LANGUAGE_NAMES, LanguageGuess
from core.ports import Hit, MultilingualSearch, QuestionLanguages, Readiness, Translation
from core.search import Degradation, RetrievalRequest

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy as np
    from numpy.typing import NDArray

LEG_NAME = "multilingual"


NOT_READY = Readiness()


@dataclass(frozen=True, slots=True)
class LanguageCrossing:
    """The languages that one search crosses: the question's language as it was recognised, the languages of the passages that are looked at (None:
    all), and `words`, the question in the library's own words ("" where it is in English, or where none is near).
    """

    guess: LanguageGuess
    passages: frozenset[str] | None
    readiness: Readiness = NOT_READY
    words: str = ""


@dataclass(frozen=True, slots=True)
class CrossLanguageSearch:
    """The leg across languages, and the decision which searches run it."""

    languages: QuestionLanguages
    multilingual: MultilingualSearch

    async def plan_crossing(self, request: RetrievalRequest) -> LanguageCrossing | None:
        """Return the languages that the search crosses; None where question and documents are in English, and where no language is known."""
        if LEG_NAME in request.without:
            return None
        guess = await self.languages.detect_language(request.tenant, request.question or request.text)
        if guess.is_foreign:
            readiness = await self.multilingual.check_readiness(request.tenant, start=guess.sure)
            found = await self._translate_request(request, guess) if readiness.filled_documents else Translation()
            # A language that a question only may be in counts where the library lacks one of its words and knows another for it.
            return LanguageCrossing(guess, None, readiness, found.words) if guess.sure or found.translated_words else None
        others = await self.multilingual.other_languages(request.tenant)
        wanted = others & {each.lower() for each in request.filters.languages} if request.filters.languages else others
        if not wanted or guess.language not in {"", "en"}:
            return None
        return LanguageCrossing(guess, wanted, await self.multilingual.check_readiness(request.tenant, start=True))

    async def _translate_request(self, request: RetrievalRequest, guess: LanguageGuess) -> Translation:
        try:
            return await self.multilingual.translate_question(request.tenant, request.text, guess.language)
        except VantageError:
            return Translation()  # `search` says why

    async def search(self, request: RetrievalRequest, crossing: LanguageCrossing, depth: int) -> CrossLanguageHits:
        """Search the passages of other languages. Raises Unavailable where the encoder cannot be used."""
        readiness = crossing.readiness
        if readiness.problem:
            raise Unavailable(readiness.problem)
        if not readiness.filled_documents:
            return CrossLanguageHits((), None, _missing_vectors(readiness) if readiness.documents else None)
        vector = await self.multilingual.embed_query(request.text)
        filters = request.filters if crossing.passages is None else request.filters.model_copy(update={"languages": sorted(crossing.passages)})
        hits = await self.multilingual.search(request.tenant, vector, filters, depth)
        needed = readiness.has_words or crossing.passages is not None  # an English question needs no word translated
        prepared = readiness.filled_documents >= readiness.documents and needed
        return CrossLanguageHits(hits, vector, None if prepared else _missing_vectors(readiness))

    async def complete_hits(self, request: RetrievalRequest, found: CrossLanguageHits, others: dict[int, str]) -> tuple[Hit, ...]:
        """Return the hits with those of `others` (chunk id -> document id) that have a vector: what another leg found gets its true cosine."""
        if found.vector is None:
            return found.hits
        known = {hit.chunk_id for hit in found.hits}
        cosines = await self.multilingual.cosines(request.tenant, found.vector, [each for each in others if each not in known])
        more = [Hit(chunk_id, others[chunk_id], score) for chunk_id, score in cosines.items()]
        return tuple(sorted([*found.hits, *more], key=lambda hit: (-hit.score, hit.chunk_id)))


@dataclass(frozen=True, slots=True)
class CrossLanguageHits:
    """`hits` best first, `vector` the question's; `degradation` says that not every document has vectors yet."""

    hits: tuple[Hit, ...]
    vector: NDArray[np.float32] | None
    degradation: Degradation | None


def _missing_vectors(readiness: Readiness) -> Degradation:
    left = readiness.documents - readiness.filled_documents
    if left <= 0:
        return Degradation(
            part=LEG_NAME, reason="The library's words are still being read, so none of the question's was translated. Ask again in a moment."
        )
    return Degradation(
        part=LEG_NAME,
        reason=f"{left:,} of {readiness.documents:,} documents are not prepared yet for questions in other languages: they are found by their words"
        " alone. That goes on in the background; ask again in a while.",
    )


def describe_crossing(crossing: LanguageCrossing) -> str:
    """Return the leg's report."""
    name = LANGUAGE_NAMES.get(crossing.guess.language, crossing.guess.language)
    if crossing.passages is not None:
        return f"Passages in {language_names(crossing.passages)} are compared by the multilingual encoder."
    reason = f"The question is in {name}" if crossing.guess.sure else f"The question may be in {name}"
    words = f" Its words are searched for as “{crossing.words}”." if crossing.words else ""
    return f"{reason} ({crossing.guess.reason}): its meaning is compared by the multilingual encoder.{words}"


def language_names(languages: Collection[str]) -> str:
    """Return codes as English names, in alphabetical order."""
    return ", ".join(sorted(LANGUAGE_NAMES.get(each, each) for each in languages))
