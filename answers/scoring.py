"""How well one unit answers a question: cosine, the question's words, the passage's score and the kind of answer that is wanted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from answers.lines import names_only
from answers.questions import Wanted, as_question, asked_part, holds, normalised, title_key, wanted, words
from answers.subjects import title_of
from answers.units import Role, Unit
from core.answers import Evidence
from core.sentences import opens_mid_thought, word_count

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
SHORT = 5


class TermIndex(Protocol):
    """What scoring asks of the search index: its analysis of words and their weights."""

    async def idf(self, tenant: str, text: str) -> dict[str, float]: ...
    def terms(self, text: str) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Question:
    """A question prepared once: its weighted terms (`total` is their sum), the kind of answer wanted, its words in lower case."""

    text: str
    idf: dict[str, float]
    total: float
    wanted: Wanted
    words: frozenset[str]
    named: str

    def share(self, terms: frozenset[str]) -> float:
        """The part of the question's idf mass that these terms hold, in 0..1."""
        return sum(weight for term, weight in self.idf.items() if term in terms) / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """A unit with what choosing needs: `score` s (without the cosine until it is known), `lex` the query's idf share, `covers` its query terms,
    `title` its document's key, `names` the words of title and file name, `read` the reader's logit for its best span (None: none was found),
    `in_named_clause` whether it stands in a clause that the question names by its number."""

    unit: Unit
    score: float
    lex: float
    cosine: float | None
    covers: frozenset[str]
    terms: frozenset[str]
    numbers: frozenset[str]
    document: str
    title: str
    names: frozenset[str]
    normalised: str
    words: int
    read: float | None = None
    in_named_clause: bool = False

    def with_cosine(self, cosine: float) -> ScoredUnit:
        return replace(self, score=self.score + cosine, cosine=cosine)


async def prepare(index: TermIndex, tenant: str, text: str, in_words: str = "") -> Question:
    """`in_words` is the question in the library's own words, where it is in another language."""
    asked = asked_part(text)
    idf = {term: weight for term, weight in (await index.idf(tenant, in_words if in_words != text and in_words else asked)).items() if weight > 0}
    return Question(text, idf, sum(idf.values()), wanted(as_question(asked)), words(text), normalised(text))


def lexical_share(question: Question, terms: frozenset[str], lead: frozenset[str]) -> float:
    """lex; a heading, a question in front and the document's title lend their query words at a price of .2."""
    own = question.share(terms)
    return max(own, question.share(terms | lead) - 0.2) if lead else own


def score_units(question: Question, index: TermIndex, evidence: Sequence[Evidence], units: Sequence[Unit]) -> list[ScoredUnit]:
    """`s = cos + lex + .5 h + .2 type + .2 [row with a query word] - .15 [starts in lower case] - .3 [under 5 words, or
    a line that only names something]` for each unit, the cosine left out."""
    return [_score(question, index, evidence[unit.source], unit) for unit in units]


def _score(question: Question, index: TermIndex, evidence: Evidence, unit: Unit) -> ScoredUnit:
    terms = frozenset(index.terms(unit.text))
    title = title_of(evidence)
    lead = frozenset(index.terms(f"{unit.lead}\n{title}")) if unit.lead or title else frozenset()
    lex = lexical_share(question, terms, lead)
    length = word_count(unit.text)
    score = lex + 0.5 * evidence.score + 0.2 * holds(question.wanted, unit.text, question.words)
    score += (
        0.2 * (unit.role is Role.ROW and lex > 0)
        - 0.15 * opens_mid_thought(unit.text)
        - 0.3 * (length < SHORT or (unit.role is Role.SENTENCE and names_only(unit.text)))
    )
    return ScoredUnit(
        unit=unit,
        score=score,
        lex=lex,
        cosine=None,
        covers=frozenset(question.idf) & (terms | lead),
        terms=terms,
        numbers=frozenset(_NUMBER.findall(unit.text)),
        document=evidence.passage.document_id,
        title=title_key(evidence.title),
        names=frozenset(normalised(f"{evidence.title} {evidence.filename.rpartition('.')[0]}").replace("_", " ").split()),
        normalised=normalised(unit.text),
        words=length,
    )
