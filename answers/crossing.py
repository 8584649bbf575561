"""Sentences in another language than the question: no word is shared, so the multilingual encoder's cosine stands for words and meaning alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from answers.scoring import ScoredUnit
from answers.selection import Bounds
from core.answers import Evidence
from core.errors import VantageError
from core.languages import CROSS_LANGUAGE
from core.ports import MultilingualSearch, QuestionLanguages
from core.search import Degradation

ENCODED = 80  # units; the encoder reads some thousand tokens in the time in which the embedding model reads sixteen sentences
CLOSE = 0.72  # see crossing_bounds
WORDS_FOUND = 0.5  # of the question's weight in one unit: a question that may be in another language was understood by its words


@dataclass(frozen=True, slots=True)
class CrossedUnits:
    """`scored` with the cosines of the `crossed` ones (places); `whole` says that all of them are, for the question is in another language,
    `in_words` that its words could be told in the library's."""

    scored: list[ScoredUnit]
    crossed: frozenset[int] = frozenset()
    whole: bool = False
    in_words: bool = False
    degraded: Degradation | None = None


@dataclass(frozen=True, slots=True)
class Crossing:
    """Scores the units that are in another language than the question, or in the same one that is not English."""

    languages: QuestionLanguages
    multilingual: MultilingualSearch

    async def words(self, tenant: str, question: str) -> str:
        """What is looked for in the sentences: the question, or where it is in another language what it says in the library's own words."""
        guess = await self.languages.of(tenant, question)
        if not guess.foreign:
            return question
        try:
            found = await self.multilingual.translated(tenant, question, guess.language)
        except VantageError:
            return question  # `score` says why
        return found.words if found.words and (guess.sure or found.translated) else question

    async def score(self, tenant: str, question: str, evidence: Sequence[Evidence], scored: Sequence[ScoredUnit]) -> CrossedUnits:
        """An encoder that cannot be used leaves the units to the others, and says so."""
        guess = await self.languages.of(tenant, question)
        in_words = guess.foreign and await self.words(tenant, question) != question
        whole = guess.foreign and (guess.sure or max((each.lex for each in scored), default=0.0) < WORDS_FOUND)
        places = [place for place, each in enumerate(scored) if each.unit.choosable and (whole or is_foreign(evidence[each.unit.source]))]
        if not places:
            return CrossedUnits(list(scored))
        places = sorted(places, key=lambda place: -scored[place].score)[:ENCODED]
        try:
            cosines = await self.multilingual.similarities(question, [scored[place].unit.text for place in places])
        except VantageError as error:
            return CrossedUnits(
                list(scored), degraded=Degradation(part="multilingual", reason=f"Sentences were not compared across languages: {error}")
            )
        out = list(scored)
        for place, cosine in zip(places, cosines, strict=True):
            out[place] = scored[place].with_cosine(cosine) if in_words else crossed(scored[place], cosine)
        return CrossedUnits(out, frozenset(places), whole, in_words)


def is_foreign(evidence: Evidence) -> bool:
    """Whether the document is in a language of the encoder's other than English."""
    return evidence.language in CROSS_LANGUAGE and evidence.language != "en"


def crossed(unit: ScoredUnit, cosine: float) -> ScoredUnit:
    """The cosine counts once as itself and once in the place of the shared words, where those say less."""
    lex = max(unit.lex, min(max(cosine, 0.0), 1.0))
    return replace(unit, score=unit.score - unit.lex + lex + cosine, lex=lex, cosine=cosine)


def crossing_bounds(bounds: Bounds) -> Bounds:
    """For a question whose words say nothing: what another sentence adds cannot be counted in words, so only one nearly as good as the best is
    added."""
    return replace(bounds, stop_gain=CLOSE, stop_growth=0.0)
