"""A later question that names nothing of its own is about what the first one named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from core.answers import Answer, AnswerSentence, Citation, Evidence, Lead
from orchestration.quoted_parts import PartQuoter, QuotedParts
from tests.support.evidence import evidence

PASSAGES = [evidence("The Elver sank.", document="ferry"), evidence("Two boys were saved.", document="school")]
SANK, SAVED = "When did the Elver sink?", "How many people were saved?"


class ScriptedComposer:
    """Answers a question out of the documents that `told` has something in, with the first of them."""

    def __init__(self, told: Mapping[tuple[str, str], str], *, leads: bool = True, chances: Mapping[str, float] | None = None) -> None:
        self.told, self.leads, self.chances = told, leads, chances or {}

    async def compose(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> Answer:
        documents = [each.passage.document_id for each in evidence]
        document = next((each for each in documents if (question, each) in self.told), "")
        if not document:
            return Answer(text="", found=False, generated_by="none")
        text = self.told[question, document]
        cited = Citation(number=1, document_id=document, generation=1, filename=document, page=None, start=0, end=3, quote=text, section=[])
        lead = Lead(text=text, kind="span", citation=1, start=0, end=3, chance=self.chances.get(document, 0.0)) if self.leads else None
        return Answer(text=text, sentences=[AnswerSentence(text=text, citations=[1], support="quoted")], citations=[cited], lead=lead)


async def quoted(composer: ScriptedComposer, *parts: str, passages: Sequence[Evidence] = PASSAGES) -> QuotedParts:
    return await PartQuoter(composer, "default", lambda signals: 1.0, 0.5, {}).quote_all(parts, "", passages)


async def test_the_first_ones_document_answers_before_others() -> None:
    both = ScriptedComposer({(SANK, "ferry"): "1901", (SAVED, "school"): "two boys", (SAVED, "ferry"): "189 people"})
    found = (await quoted(both, SANK, SAVED, passages=list(reversed(PASSAGES)))).answer.lead
    assert found == Lead(text="1901; 189 people", kind="list", citation=1, start=0, end=3)


@pytest.mark.parametrize(("leads", "notes"), [(True, []), (False, ["Nothing was found about “How many people were saved”."])])
async def test_another_document_answers_with_a_lead_or_not_at_all(leads: bool, notes: list[str]) -> None:
    other = ScriptedComposer({(SANK, "ferry"): "1901", (SAVED, "school"): "two boys"}, leads=leads)
    answer = (await quoted(other, SANK, SAVED)).answer
    assert answer.notes == notes
    assert ("two boys" in answer.text) is leads


@pytest.mark.parametrize(("chance", "lead"), [(0.5, "1901; 189 people"), (0.8, "1901; two boys")])
async def test_another_document_answers_where_it_leads_by_far_more_surely(chance: float, lead: str) -> None:
    told = {(SANK, "ferry"): "1901", (SAVED, "school"): "two boys", (SAVED, "ferry"): "189 people"}
    both = ScriptedComposer(told, chances={"ferry": 0.4, "school": chance})
    found = (await quoted(both, SANK, SAVED, passages=list(reversed(PASSAGES)))).answer.lead
    assert found is not None
    assert found.text == lead


async def test_what_speaks_of_the_first_ones_thing_is_never_answered_by_another_document() -> None:
    later = "How long was it under water?"
    other = ScriptedComposer({(SANK, "ferry"): "1901", (later, "school"): "two hours"})
    answer = (await quoted(other, SANK, later)).answer
    assert answer.notes == ["Nothing was found about “How long was it under water”."]
    assert "two hours" not in answer.text
    silent = await quoted(ScriptedComposer({(later, "school"): "two hours"}), SANK, later)
    assert not silent.is_told


async def test_a_part_with_a_name_of_its_own_is_asked_of_all_documents() -> None:
    named = "How many were saved at Marl?"
    both = ScriptedComposer({(SANK, "ferry"): "1901", (named, "school"): "two boys", (named, "ferry"): "189 people"})
    found = await quoted(both, SANK, named, passages=list(reversed(PASSAGES)))
    assert found.leads == ("1901", "two boys")
