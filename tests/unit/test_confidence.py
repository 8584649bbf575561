"""Themis: SPEC's sum, the calibrated value, the words, and follow-ups that were checked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.confidence.agent import ConfidenceSignals, UnquotedSection, certainty, clean_heading, confidence_factors, label_of, score_confidence
from core.answers import Answer, AnswerSentence, Citation, Critique

CITATION = Citation(number=1, document_id="lease", generation=1, filename="lease.pdf", page=None, start=0, end=5, quote="Notes")


def verdict(
    text: str = "The tenant must give six months of written notice, says the lease.", probability: float = 0.8, sources: int = 2, **critique: object
) -> ConfidenceSignals:
    answer = Answer(text=text, sentences=[AnswerSentence(text=text, citations=[1], support="quoted")], citations=[CITATION])
    given = {"verdict": "answered", "retrieval_quality": 0.5, "answer_quality": 1.0, "probability_answerable": probability, **critique}
    sections = [
        UnquotedSection(document_id="lease", title="Halden lease", heading="8.2 Repairs and costs", words=60),
        UnquotedSection(document_id="lease", title="Halden lease", heading="Notice", words=60),
        UnquotedSection(document_id="lease", title="Halden lease", heading="Annex", words=3),
        UnquotedSection(document_id="policy", title="Travel policy", heading="IBM Germany", words=60),
    ]
    return ConfidenceSignals(
        question="What notice must be given?",
        answer=answer,
        critique=Critique.model_validate(given),
        top_score=0.9,
        sources=sources,
        sections=sections,
    )


async def always(question: str, document_id: str) -> bool:
    return True


@pytest.mark.parametrize(("sources", "share"), [(0, 0.0), (1, 0.04), (5, 0.2), (9, 0.2)])
def test_the_sum_is_specs(sources: int, share: float) -> None:
    factors = confidence_factors(verdict(sources=sources))
    assert factors["sources"] == pytest.approx(share)
    assert factors["top_score"] == pytest.approx(0.18)
    assert factors["length"] == 0.15
    assert factors["retrieval_quality"] == pytest.approx(0.1)
    assert factors["certainty"] == pytest.approx(0.2)
    assert factors["raw"] == pytest.approx(min(1.0, 0.5 + share + 0.18 + 0.15 + 0.1 + 0.2))


def test_a_short_answer_weighs_less() -> None:
    assert confidence_factors(verdict(text="Six months."))["length"] == 0.1


def test_hedging_is_uncertain() -> None:
    hedged = AnswerSentence(text="It may be six months.", citations=[], support="quoted")
    plain = AnswerSentence(text="It is six months.", citations=[], support="quoted")
    assert certainty(Answer(text="x", sentences=[hedged, plain])) == 0.5
    assert certainty(Answer(text="", found=False)) == 0.0


async def test_the_value_is_the_probability_times_the_support() -> None:
    scored = await score_confidence(verdict(probability=0.8, answer_quality=0.5, unsupported=[0]), answerable=always)
    assert scored.value == pytest.approx(0.4)
    assert (scored.label, "not borne out" in scored.reason) == ("low", True)


async def test_an_unresolved_conflict_is_never_high() -> None:
    quotes = (("survey", "The repair of the slipway costs £7,900."), ("mail", "Repair of the slipway: £8,400"))
    cited = [CITATION.model_copy(update={"number": n, "document_id": d, "filename": f"{d}.pdf", "quote": q}) for n, (d, q) in enumerate(quotes, 1)]
    sentences = [AnswerSentence(text=q, citations=[n], support="quoted") for n, (_, q) in enumerate(quotes, 1)]
    made = verdict(probability=0.97).model_copy(
        update={"question": "What does the repair cost?", "answer": Answer(text="…", sentences=sentences, citations=cited)}
    )
    scored = await score_confidence(made, answerable=always)
    assert (scored.label, "Two sources disagree: £7,900" in scored.reason) == ("medium", True)
    settled = made.model_copy(update={"titles": {"survey": "Slipway", "mail": "Slipway"}, "dates": {"survey": "2024-01-01", "mail": "2025-01-01"}})
    scored = await score_confidence(settled, answerable=always)
    assert (scored.label, "£8,400 holds (mail.pdf); before it was £7,900" in scored.reason) == ("high", True)


@pytest.mark.parametrize(("value", "label"), [(0.75, "high"), (0.74, "medium"), (0.45, "medium"), (0.44, "low")])
def test_labels(value: float, label: str) -> None:
    assert label_of(value) == label


async def test_followups_are_about_open_sections_and_checked() -> None:
    asked: list[tuple[str, str]] = []

    async def only_travel(question: str, document_id: str) -> bool:
        asked.append((question, document_id))
        return document_id == "policy"

    scored = await score_confidence(verdict(), answerable=only_travel)
    assert asked == [
        ("What does “Halden lease” say about repairs and costs?", "lease"),
        ("What does “Travel policy” say about IBM Germany?", "policy"),
    ]
    assert scored.followups == ["What does “Travel policy” say about IBM Germany?"]


async def test_a_heading_that_is_the_title_is_no_topic() -> None:
    title = UnquotedSection(document_id="lease", title="Halden lease", heading="Lease of Halden", words=60)
    scored = await score_confidence(verdict().model_copy(update={"sections": [title]}), answerable=always)
    assert scored.followups == []


async def test_a_part_of_another_topic_of_the_same_document_is_not_proposed_too() -> None:
    headings = [("d", "Prices without added tax"), ("d", "added tax"), ("e", "Added tax")]
    sections = [UnquotedSection(document_id=document, title=f"Offer {document}", heading=heading, words=60) for document, heading in headings]
    scored = await score_confidence(verdict().model_copy(update={"sections": sections}), answerable=always)
    assert scored.followups == ["What does “Offer d” say about prices without added tax?", "What does “Offer e” say about added tax?"]


async def test_sections_of_cited_documents_are_proposed_first() -> None:
    cited = verdict().answer.citations[0].document_id
    sections = [
        UnquotedSection(document_id=document, title=document, heading=f"Costs of {document}", words=60) for document in ("aside", "further", cited)
    ]
    scored = await score_confidence(verdict().model_copy(update={"sections": sections}), answerable=always)
    assert scored.followups[0].startswith(f"What does “{cited}” say")


async def test_no_followups_where_nothing_was_found() -> None:
    scored = await score_confidence(verdict(verdict="not_found", probability=0.1), answerable=always)
    assert (scored.followups, scored.label) == ([], "low")


async def test_at_most_three_followups_and_no_more_checks_than_needed() -> None:
    checks: list[str] = []

    async def count(question: str, document_id: str) -> bool:
        checks.append(question)
        return True

    many = [UnquotedSection(document_id="d", title="T", heading=f"Topic {word}", words=50) for word in "alpha beta gamma delta epsilon".split()]
    scored = await score_confidence(verdict().model_copy(update={"sections": many}), answerable=count)
    assert (len(scored.followups), len(checks)) == (3, 3)


@pytest.mark.parametrize(
    ("heading", "clean"),
    [
        ("8.2 Termination:", "Termination"),
        ("Article 4. Repairs", "Repairs"),
        ("a) Rent", "Rent"),
        ("§ Rent", "§ Rent"),
        ("2024 budget", "2024 budget"),
        ("3 Rent", "Rent"),
        ("iv. Costs", "Costs"),
    ],
)
def test_headings_lose_their_numbers(heading: str, clean: str) -> None:
    assert clean_heading(heading) == clean


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 50))
async def test_the_value_stays_a_probability(probability: float, support: float, sources: int) -> None:
    scored = await score_confidence(verdict(probability=probability, answer_quality=support, sources=sources), answerable=always)
    assert 0.0 <= scored.value <= 1.0
    assert 0.0 <= scored.factors["raw"] <= 1.0
