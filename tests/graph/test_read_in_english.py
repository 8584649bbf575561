"""A question that is read in English: where its English words find no answer it is answered in its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from agents.query_classifier.agent import Athena, classify
from core.answers import Answer, Evidence
from core.search import Query
from tests.graph.test_zeus import ask
from tests.support.ports import NOW, FakeComposer, make_dependencies, not_found_answer

GERMAN, ENGLISH = "Wer zahlt das Dach?", "Who pays for the roof?"


class OneLanguageComposer(FakeComposer):
    """Answers the questions that are asked in these words alone."""

    def __init__(self, known: str) -> None:
        super().__init__()
        self.known = known

    async def compose(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> Answer:
        answer = await super().compose(tenant, question, evidence)
        return answer if question == self.known else not_found_answer(question, evidence)


@dataclass(frozen=True)
class Words:
    """core.ports.QuestionTranslator of two questions."""

    async def translate_to_english(self, tenant: str, text: str) -> str:
        return {GERMAN: ENGLISH, "Und wer zahlt das?": "And who pays for that?"}.get(text, "")


@pytest.mark.parametrize(("known", "status", "asked"), [(ENGLISH, "success", 1), (GERMAN, "success", 2), ("", "not_found", 2)])
async def test_what_english_words_do_not_find_is_answered_as_it_was_asked(known: str, status: str, asked: int) -> None:
    composer = OneLanguageComposer(known)
    answered, _ = await ask(replace(make_dependencies(), composer=composer, translator=Words()), GERMAN)
    assert (answered.status, composer.questions) == (status, [ENGLISH, GERMAN][:asked])
    assert any("read in English" in note for note in answered.answer_notes) is (known == GERMAN)


@pytest.mark.parametrize(
    ("text", "read_as", "translated"),
    [
        (GERMAN, ENGLISH, True),
        (ENGLISH, "", False),
        ("Und wer zahlt das?", "And who pays for the windows", False),  # alone it says too little in its own words
    ],
)
async def test_a_question_knows_that_it_was_read_in_another_language(text: str, read_as: str, translated: bool) -> None:
    query = Query(text=text, history=[("Who repairs the windows?", "The tenant repairs the windows.")])
    found = await classify(query, athena=Athena(llm=None, now=NOW, translator=Words()))
    assert (found.read_as, found.is_translated) == (read_as, translated)
