"""The score of one unit for a question: cosine, the question's words, the passage's score and the kind of answer that is wanted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from answers.questions.answer_kinds import AnswerKind, answer_kind_of, capitalised_spans, holds_kind, strip_asking_words
from answers.questions.figure_limits import speaks_of_other_side
from answers.questions.named_things import NamedThings, document_words, is_of_another_version, named_things, speaks_of_another_number
from answers.questions.owners import find_documents_of_others
from answers.questions.question_parts import as_question, asked_part, normalise_text, title_key, word_set
from answers.units.answer_units import Role, Unit
from answers.units.line_kinds import is_name_only
from answers.units.sentence_subjects import title_of
from core.answers import Evidence
from core.language.related_words import has_related, other_forms, similar_words
from core.language.sentences import opens_mid_thought, word_count

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
SHORT_UNIT_WORDS = 5
RELATED_WEIGHT = 0.6  # of a word's weight, for a word that differs in its ending alone
LENT_PRICE, LENT_BY_NAMED_PRICE = 0.2, 0.05  # what words cost that heading and title lend, and those of a document that the question names
LIGHT_VERB_WEIGHT = 0.3  # of the weight of a verb that says little of what is asked for
ASKED_TOTAL_BONUS = 0.4
_TOTAL = re.compile(r"^\W*(?:grand\s+|net\s+)?(?:total|sum|gesamt\w*|summe)\b[^.]*\d", re.IGNORECASE)
_NO_TERMS = frozenset[str]()
_NONE_SIMILAR: Mapping[str, frozenset[str]] = {}
_LIGHT_VERBS = "need needs needed want wants wanted say says said tell tells told happen happens happened mean means give gives get gets"


class TermIndex(Protocol):
    """The part of the search index that scoring uses: its analysis of words and their weights."""

    async def idf(self, tenant: str, text: str) -> dict[str, float]: ...
    def terms(self, text: str) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Question:
    """A question prepared once: its weighted terms (`total` is their sum), the kind of answer wanted, its words in lower case. `asked_terms` are the
    terms that are no part of a name: what is asked about whom or what is named; `forms` and `similar` give the terms that are forms of a term, and
    those that mean nearly the same; `is_worded`: it was put from another language into English word by word."""

    text: str
    idf: dict[str, float]
    total: float
    answer_kind: AnswerKind
    words: frozenset[str]
    normalised_text: str
    asked_terms: frozenset[str] = frozenset()
    forms: Mapping[str, frozenset[str]] = field(default_factory=dict)
    similar: Mapping[str, frozenset[str]] = field(default_factory=dict)
    is_worded: bool = False

    def share_of_asked(self, terms: frozenset[str]) -> float:
        """Return the `share` of the terms that are no part of a name, in these words: who asks for a salary is not shown payments. 1 where the
        question has none."""
        weights = {term: self.idf[term] for term in self.asked_terms}
        return self._held_weight(weights, terms, _NONE_SIMILAR) / sum(weights.values()) if weights else 1.0

    def share(self, terms: frozenset[str]) -> float:
        """Return the part of the question's idf mass that these terms hold, in 0..1; a word with another ending ("deliver", "delivery"), or one that
        means nearly the same, holds RELATED_WEIGHT of its own."""
        return self._held_weight(self.idf, terms, self.similar) / self.total if self.total else 0.0

    def _held_weight(self, weights: Mapping[str, float], terms: frozenset[str], similar: Mapping[str, frozenset[str]]) -> float:
        held = 0.0
        for term, weight in weights.items():
            if term in terms or not terms.isdisjoint(self.forms.get(term, _NO_TERMS)):
                held += weight
            elif has_related(term, terms) or not terms.isdisjoint(similar.get(term, _NO_TERMS)):
                held += RELATED_WEIGHT * weight
        return held


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """A unit with what choosing needs: `score` s (without the cosine until it is known), `lex` the query's idf share, `covered_terms` its query
    terms, `title` its document's key, `names` the words of title and file name, `reader_score` the reader's logit for its best span (None: none was
    found), `in_named_clause` whether it stands in a clause that the question names by its number, `holds_wanted` whether it holds something of the
    kind that is asked for, `is_for_another` whether it speaks of another document's thing than the question does, or of the other side of a limit,
    `speaker` the name of its document where the question names that and the unit does not: "Kestrel: We deliver in nine weeks" is what it says,
    `is_crossed` whether its cosine stands for its words, too, for it is in another language than the question."""

    unit: Unit
    score: float
    lex: float
    cosine: float | None
    covered_terms: frozenset[str]
    terms: frozenset[str]
    numbers: frozenset[str]
    document: str
    title: str
    names: frozenset[str]
    normalised_text: str
    words: int
    reader_score: float | None = None
    in_named_clause: bool = False
    holds_wanted: bool = True
    is_for_another: bool = False
    speaker: str = ""
    is_crossed: bool = False

    @property
    def full_text(self) -> str:
        """The unit's text with who speaks."""
        return f"{self.speaker}: {self.unit.text}" if self.speaker else self.unit.text

    def with_cosine(self, cosine: float) -> ScoredUnit:
        return replace(self, score=self.score + cosine, cosine=cosine)


@dataclass(frozen=True, slots=True)
class _PassageSource:
    """A passage with what all of its units have in common: `title_of`, `title_key` and `document_words` of it, and whether its document is
    of somebody else than the owner whom the question names."""

    evidence: Evidence
    title: str
    key: str
    names: frozenset[str]
    is_of_another_owner: bool = False


async def prepare_question(index: TermIndex, tenant: str, text: str, in_words: str = "") -> Question:
    """Return the question prepared for scoring. `in_words` is the question in the library's own words, where it is in another language."""
    asked = asked_part(text)
    searched = in_words if in_words != text and in_words else asked
    weights = await index.idf(tenant, searched)
    light, asking = frozenset(index.terms(_LIGHT_VERBS)), frozenset(weights) - frozenset(index.terms(strip_asking_words(searched)))
    idf = {term: weight * (LIGHT_VERB_WEIGHT if term in light else 1.0) for term, weight in weights.items() if weight > 0}
    idf = {term: weight for term, weight in idf.items() if term not in asking} or idf
    names = index.terms(" ".join(searched[start:end] for start, end in capitalised_spans(searched) if start > 0))
    return Question(
        text=text,
        idf=idf,
        total=sum(idf.values()),
        answer_kind=answer_kind_of(as_question(asked)),
        words=word_set(text),
        normalised_text=normalise_text(text),
        asked_terms=frozenset(idf) - frozenset(names),
        forms=_terms_of(index, searched, frozenset(idf), other_forms),
        similar=_terms_of(index, searched, frozenset(idf), similar_words),
    )


def _terms_of(index: TermIndex, text: str, terms: frozenset[str], others: Callable[[str], frozenset[str]]) -> dict[str, frozenset[str]]:
    """Return for the terms of the words of a text the terms of what `others` gives for these; no name is another word."""
    found: dict[str, frozenset[str]] = {}
    for word in re.findall(r"[^\W\d_]+", text):
        alike = others(word) if word.islower() else _NO_TERMS
        for term in terms.intersection(index.terms(word)) if alike else ():
            found[term] = found.get(term, _NO_TERMS) | frozenset(index.terms(" ".join(alike))) - terms
    return found


def header_of(unit: Unit, evidence: Evidence) -> str:
    """Return the header of a row's table, which may stand before the passage; "" for anything else."""
    if unit.header is None:
        return ""
    if unit.header[0] < evidence.passage.start:
        return next((block.header for block in evidence.blocks if block.header_start == unit.header[0]), "")
    start, end = (place - evidence.passage.start for place in unit.header)
    return evidence.passage.content[start:end]


def lexical_share(question: Question, terms: frozenset[str], lead: frozenset[str], price: float = LENT_PRICE) -> float:
    """Return lex: the idf share of the unit's words; a heading, a question in front, a table's header and the document's title lend their query words
    at a price."""
    own = question.share(terms)
    return max(own, question.share(terms | lead) - price) if lead else own


def score_units(question: Question, index: TermIndex, evidence: Sequence[Evidence], units: Sequence[Unit]) -> list[ScoredUnit]:
    """Return each unit with its score, the cosine left out: `s = cos + lex + .5 h + .2 type + .2 [row with a query word] - .15 [starts in lower case]
    - .3 [under 5 words, or a line that only names something] + .4 [the total of a named document, where a price is asked for] - .3 [speaks of another
    thing than the one that the question names]`."""
    things = named_things(question.normalised_text, evidence)
    others = find_documents_of_others(question.text, evidence)
    sources = [
        _PassageSource(each, title_of(each), title_key(each.title), document_words(each), each.passage.document_id in others) for each in evidence
    ]
    return [_score(question, index, sources[unit.source], unit, things) for unit in units]


def _score(question: Question, index: TermIndex, source: _PassageSource, unit: Unit, things: NamedThings) -> ScoredUnit:
    terms = frozenset(index.terms(unit.text))
    evidence, title = source.evidence, source.title
    document = evidence.passage.document_id
    name = evidence.filename.rpartition(".")[0] if document in things.documents else ""  # "Pallas" may stand in the file's name alone
    lending = f"{unit.lead_in}\n{title}\n{name}\n{header_of(unit, evidence)}".strip()
    lead = frozenset(index.terms(lending)) if lending else frozenset()
    lex = lexical_share(question, terms, lead, LENT_BY_NAMED_PRICE if document in things.documents else LENT_PRICE)
    length = word_count(unit.text)
    holds_wanted = holds_kind(question.answer_kind, unit.text, question.words)
    for_another = (
        source.is_of_another_owner
        or things.is_about_another(unit.text, evidence)
        or speaks_of_other_side(question.text, unit.text)
        or speaks_of_another_number(question.text, f"{source.evidence.title}\n{unit.text}")
        or is_of_another_version(question.text, unit.text, source.names)
    )
    score = lex + 0.5 * evidence.score + 0.2 * holds_wanted
    if question.answer_kind is AnswerKind.MONEY and document in things.documents and _TOTAL.match(unit.text):
        score += ASKED_TOTAL_BONUS  # what a named offer costs is its total
    score += (
        0.2 * (unit.role is Role.ROW and lex > 0)
        - 0.15 * opens_mid_thought(unit.text)
        - 0.3 * (length < SHORT_UNIT_WORDS or (unit.role is Role.SENTENCE and is_name_only(unit.text)))
        - 0.3 * for_another
    )
    return ScoredUnit(
        unit=unit,
        score=score,
        lex=lex,
        cosine=None,
        covered_terms=frozenset(question.idf) & (terms | (lead if unit.role is not Role.ROW else lead - frozenset(index.terms(f"{title}\n{name}")))),
        terms=terms,
        numbers=frozenset(_NUMBER.findall(unit.text)),
        document=document,
        title=source.key,
        names=source.names,
        normalised_text=normalise_text(unit.text),
        words=length,
        holds_wanted=holds_wanted
        or question.answer_kind is AnswerKind.ANYTHING
        or (question.answer_kind is AnswerKind.NAME and unit.role is not Role.ROW),
        is_for_another=for_another,
        speaker=things.speaker(unit.text, evidence),
    )
