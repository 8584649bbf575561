"""Sentences in another language than the question: no word is shared, so the multilingual encoder's cosine stands for words and meaning alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from answers.scoring.unit_scores import ScoredUnit
from answers.scoring.unit_selection import Bounds
from core.answers import Evidence
from core.errors import VantageError
from core.language.english_wording import word_in_english
from core.language.language_clues import ENCODER_LANGUAGES
from core.ports import MultilingualSearch, QuestionLanguages
from core.search import Degradation

MOST_ENCODED = 80  # units; the encoder reads some thousand tokens in the time in which the embedding model reads sixteen sentences
CROSS_LANGUAGE_GAIN = 0.72  # see make_cross_language_bounds
_WORD = re.compile(r"[^\W\d_]+")
_OWN_WORD, _LEAST_OWN = 5, 3  # letters of a word that two languages hardly share, and how many of them show the language
LEAST_WORD_SHARE = 0.5  # of the question's weight in one unit: a question that may be in another language was understood by its words


@dataclass(frozen=True, slots=True)
class CrossLanguageUnits:
    """`units` with the cosines of the `add_cosine` ones (places); `covers_all` says that all of them are, for the question is in another language,
    `is_translated` that its words could be put into the library's."""

    units: list[ScoredUnit]
    places: frozenset[int] = frozenset()
    covers_all: bool = False
    is_translated: bool = False
    degraded: Degradation | None = None


@dataclass(frozen=True, slots=True)
class WordedQuestion:
    """What is looked for in the sentences: `words` of the library's own, or the question itself; `english` is the question as the reader is asked,
    "" where it is not translated."""

    words: str
    english: str = ""

    def unreadable(self, evidence: Sequence[Evidence]) -> frozenset[int]:
        """Return the places of the passages that the English question is not asked of."""
        return frozenset(place for place, each in enumerate(evidence) if self.english and is_foreign(each))


@dataclass(frozen=True, slots=True)
class CrossLanguageScorer:
    """A scorer of the units that are in another language than the question, or in the same one that is not English."""

    languages: QuestionLanguages
    multilingual: MultilingualSearch

    async def word_question(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> WordedQuestion:
        """Return the question as the library's words and as English ones say it, where it is in another language; English ones where the passages
        that were found first are in English."""
        guess = await self.languages.detect_language(tenant, question)
        if not guess.is_foreign:
            return WordedQuestion(question)
        try:
            found = await self.multilingual.translate_question(tenant, question, guess.language)
        except VantageError:
            return WordedQuestion(question)  # `score` says why
        if not found.words or not (guess.sure or found.translated_words):
            return WordedQuestion(question)
        if not guess.sure or not evidence or is_foreign(evidence[0]) or has_own_words(question, evidence[0].passage.content):
            return WordedQuestion(found.words)
        held = {word.lower() for each in evidence if not is_foreign(each) for word in _WORD.findall(each.passage.content)}
        return WordedQuestion(found.words, found.english or word_in_english(question, guess.language, found.near, held))

    async def score(self, tenant: str, question: str, evidence: Sequence[Evidence], scored: Sequence[ScoredUnit]) -> CrossLanguageUnits:
        """Return the units with the cosines of those in another language. An encoder that cannot be used leaves them to the other scores, and says
        so."""
        guess = await self.languages.detect_language(tenant, question)
        in_words = guess.is_foreign and (await self.word_question(tenant, question, ())).words != question
        whole = guess.is_foreign and (guess.sure or max((each.lex for each in scored), default=0.0) < LEAST_WORD_SHARE)
        places = [place for place, each in enumerate(scored) if each.unit.choosable and (whole or is_foreign(evidence[each.unit.source]))]
        if not places:
            return CrossLanguageUnits(list(scored))
        places = sorted(places, key=lambda place: -scored[place].score)[:MOST_ENCODED]
        try:
            cosines = await self.multilingual.similarities(question, [scored[place].unit.text for place in places])
        except VantageError as error:
            return CrossLanguageUnits(
                list(scored), degraded=Degradation(part="multilingual", reason=f"Sentences were not compared across languages: {error}")
            )
        out = list(scored)
        for place, cosine in zip(places, cosines, strict=True):
            out[place] = scored[place].with_cosine(cosine) if in_words else add_cosine(scored[place], cosine)
        return CrossLanguageUnits(out, frozenset(places), whole, in_words)


def is_foreign(evidence: Evidence) -> bool:
    """Return whether the document is in a language of the encoder's other than English."""
    return evidence.language in ENCODER_LANGUAGES and evidence.language != "en"


def has_own_words(question: str, text: str) -> bool:
    """Return whether a text has the question's own words, as one in its language does, whatever else its document is written in; names are no such
    words."""
    asked = {word for word in _WORD.findall(question) if len(word) >= _OWN_WORD and word.islower()}
    held = asked & set(_WORD.findall(text.lower()))
    return len(held) >= max(_LEAST_OWN, len(asked) / 2)


def add_cosine(unit: ScoredUnit, cosine: float) -> ScoredUnit:
    """Return the unit with the cosine counted once as itself and once in the place of the shared words, where those say less."""
    lex = max(unit.lex, min(max(cosine, 0.0), 1.0))
    return replace(unit, score=unit.score - unit.lex + lex + cosine, lex=lex, cosine=cosine, is_crossed=True)


def make_cross_language_bounds(bounds: Bounds) -> Bounds:
    """Return the bounds for a question whose words say nothing: what another sentence adds cannot be counted in words, so only one nearly as good as
    the best is added."""
    return replace(bounds, stop_gain=CROSS_LANGUAGE_GAIN, stop_growth=0.0)
