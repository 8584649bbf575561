"""Themis: how far an answer can be trusted, with the factors, a reason in words, and follow-ups that the library can answer.

SPEC's sum saturates near 1, so its parts are shown as factors and the number that is shown is the calibrated probability that the documents
answer the question (a logistic over the retrieval's signals), times the share of the answer's sentences that their citations support.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Literal

from pydantic import Field

from agents.confidence.agreement import Agreement, CitedDocuments, agreement, describe_agreement
from agents.text.question_words import content_words
from core.answers import Answer, Confidence, Critique
from core.claim_precedence import Relation
from core.search import FrozenModel

_HEDGES = re.compile(
    r"\b(?:may|might|maybe|perhaps|possibly|probably|likely|unclear|unknown|uncertain|approximately|about|seems?|appears?|suggests?)\b", re.I
)
_MOST_FOLLOWUPS = 3
_MOST_CHECKED = 6
HIGH, MEDIUM = 0.75, 0.45
AnswerabilityCheck = Callable[[str, str], Awaitable[bool]]  # (question, a document's id) -> whether it finds its answer there
_MOST_UNRESOLVED = 0.74  # where two sources differ and nobody can tell which holds, one of them is wrong: never "high"


class UnquotedSection(FrozenModel):
    """A section of a result's document that the answer does not quote: what a follow-up can be about. `words` counts its text."""

    document_id: str
    title: str
    heading: str
    words: int


class ConfidenceSignals(FrozenModel):
    """The signals that Themis weighs: the answer, Diogenes's critique, the best result's score (0..1), how many documents speak, and open sections.

    `dates` are the days that the documents give as their own (id -> ISO), `titles` their titles and `relations` what they say of each other: by these
    the statement that holds is distinguished from an earlier one. `compares`: differences are what was asked for.
    `computed`: the answer was worked out from the rows of a table.
    """

    question: str
    answer: Answer
    critique: Critique
    top_score: float
    sources: int
    sections: list[UnquotedSection]
    dates: dict[str, str] = Field(default_factory=dict)
    titles: dict[str, str] = Field(default_factory=dict)
    relations: list[Relation] = Field(default_factory=list)
    compares: bool = False
    computed: bool = False


async def score_confidence(verdict: ConfidenceSignals, *, answerable: AnswerabilityCheck) -> Confidence:
    """Return a value in 0..1 with label, reason, factors, and up to three follow-ups, each checked against the index."""
    agreed = Agreement(value=0.5)
    if not verdict.compares:
        agreed = agreement(verdict.question, verdict.answer, CitedDocuments(verdict.titles, verdict.dates, verdict.relations))
    factors = confidence_factors(verdict) | {"agreement": round(agreed.value, 4)}
    value = round(min(calibrated_probability(verdict), _MOST_UNRESOLVED) if agreed.conflicts else calibrated_probability(verdict), 3)
    label = label_of(value)
    followups = await _followups(verdict, answerable) if verdict.critique.verdict != "not_found" else []
    return Confidence(value=value, label=label, reason=_reason(verdict, label, agreed), factors=factors, followups=followups)


def confidence_factors(verdict: ConfidenceSignals) -> dict[str, float]:
    """Return SPEC's sum in its parts: .5 + sources (.2 at five) + top score · .2 + length + retrieval quality · .2 + certainty (at most .2), capped
    at 1."""
    factors = {
        "base": 0.5,
        "sources": min(verdict.sources, 5) / 5 * 0.2,
        "top_score": min(1.0, max(0.0, verdict.top_score)) * 0.2,
        "length": 0.15 if 50 <= len(verdict.answer.text) <= 2000 else 0.1,
        "retrieval_quality": verdict.critique.retrieval_quality * 0.2,
        "certainty": certainty(verdict.answer) * 0.2,
    }
    return {name: round(value, 4) for name, value in {**factors, "raw": min(1.0, sum(factors.values()))}.items()} | {
        "probability_answerable": round(verdict.critique.probability_answerable, 4),
        "support": round(verdict.critique.answer_quality, 4),
    }


def certainty(answer: Answer) -> float:
    """Return the share of sentences that do not hedge: 1 where no sentence hedges, 0 where all do; 0 without an answer."""
    if not answer.found or not answer.sentences:
        return 0.0
    return 1.0 - sum(bool(_HEDGES.search(sentence.text)) for sentence in answer.sentences) / len(answer.sentences)


def calibrated_probability(verdict: ConfidenceSignals) -> float:
    """Return the probability that the documents answer, times the support of what was answered."""
    support = verdict.critique.answer_quality if verdict.answer.found else 1.0
    return min(1.0, max(0.0, verdict.critique.probability_answerable * support))


def label_of(value: float) -> Literal["high", "medium", "low"]:
    """Return "high" from .75, "medium" from .45, else "low"."""
    if value >= HIGH:
        return "high"
    return "medium" if value >= MEDIUM else "low"


def _reason(verdict: ConfidenceSignals, label: str, agreed: Agreement) -> str:
    """In words; what two sources state differently is said, and which of two statements is the earlier one."""
    said = _describe_basis(verdict, label)
    if differ := describe_agreement(agreed, verdict.answer, verdict.dates):
        return f"{said} {differ}"
    return f"{said} {_AGREEMENT_SENTENCE}" if agreed.agreeing and verdict.critique.verdict != "not_found" else said


_AGREEMENT_SENTENCE = "Several documents state the same figure."


def _describe_basis(verdict: ConfidenceSignals, label: str) -> str:
    critique = verdict.critique
    if critique.verdict == "not_found":
        return "Nothing in the documents speaks clearly about this."
    cited = len({citation.document_id for citation in verdict.answer.citations})
    documents = f"{cited} document{'' if cited == 1 else 's'}"
    if not verdict.answer.citations and label == "high":
        return "Counted in the library itself."
    if verdict.computed:
        return f"Computed from the rows of {documents}: the words of the question fit the table's columns and cells."
    if critique.unsupported:
        share = f"{len(critique.unsupported)} of {len(verdict.answer.sentences)} sentences"
        return f"Taken from {documents}, but {share} are not borne out by what they cite."
    if label == "high":
        return f"The passages match the question closely, and every sentence rests on {documents}."
    if label == "medium":
        return f"The passages fit the question in part; the answer rests on {documents}."
    return f"The passages are near the question but may not answer it; read the source{'' if cited == 1 else 's'} before relying on this."


async def _followups(verdict: ConfidenceSignals, answerable: AnswerabilityCheck) -> list[str]:
    """Questions about sections that the answer left out, those of cited documents first, else in the order of the results, one topic
    once, kept where the index answers them."""
    asked = set(content_words(verdict.question))
    proposed: dict[str, UnquotedSection] = {}
    topics: list[tuple[str, set[str]]] = []
    for section in _order_sections(verdict):
        heading = clean_heading(section.heading)
        topic = set(content_words(heading))
        known = asked | set(content_words(section.title))
        told = any(each == section.document_id and topic <= other for each, other in topics)  # "added tax" beside "Prices without value added tax"
        if section.words >= 20 and topic and not told and not topic <= known and 2 < len(heading) <= 80:
            topics.append((section.document_id, topic))
            proposed.setdefault(f"What does “{section.title}” say about {_lower_first_word(heading)}?", section)
    good: list[str] = []
    checked = list(proposed.items())[:_MOST_CHECKED]
    for batch in (checked[:_MOST_FOLLOWUPS], checked[_MOST_FOLLOWUPS:]):  # the second half only where the first left a gap
        if batch and len(good) < _MOST_FOLLOWUPS:
            answers = await asyncio.gather(*(answerable(question, section.document_id) for question, section in batch))
            good += [question for (question, _), found in zip(batch, answers, strict=True) if found]
    return good[:_MOST_FOLLOWUPS]


def _order_sections(verdict: ConfidenceSignals) -> list[UnquotedSection]:
    cited = {citation.document_id for citation in verdict.answer.citations}
    return sorted(verdict.sections, key=lambda section: section.document_id not in cited)


def clean_heading(heading: str) -> str:
    """Return a heading without its number and closing marks: "8.2 Termination:" is "Termination"."""
    without = re.sub(
        r"^\s*(?:(?:section|chapter|article|clause|part|annex)\s+)?(?:\d+(?:\.\d+)*|[ivxlc]+|[a-z])[.):]\s+", "", heading, flags=re.IGNORECASE
    )
    return re.sub(r"^\s*\d{1,2}(?:\.\d+)*\s+", "", without).strip(" .:;–—-#*")


def _lower_first_word(heading: str) -> str:
    """Lower case at the start where the first word is an ordinary one ("Repairs and costs" -> "repairs and costs"; "IBM", "Q2" stay)."""
    first = heading.split(maxsplit=1)[0]
    ordinary = first[:1].isupper() and first[1:].islower() and not any(word[:1].isupper() for word in heading.split()[1:])
    return heading[:1].lower() + heading[1:] if ordinary else heading
