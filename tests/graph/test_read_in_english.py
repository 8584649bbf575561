"""A question that is read in English: where its English words find no answer it is answered in its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from core.answers import Answer, Evidence
from orchestration.question_text import is_translated
from tests.graph.test_zeus import ask
from tests.support.ports import FakeComposer, make_dependencies, not_found_answer

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
    """core.ports.QuestionTranslator of one question."""

    async def translate_to_english(self, tenant: str, text: str) -> str:
        return ENGLISH if text == GERMAN else ""


@pytest.mark.parametrize(("known", "status", "asked"), [(ENGLISH, "success", 1), (GERMAN, "success", 2), ("", "not_found", 2)])
async def test_what_english_words_do_not_find_is_answered_as_it_was_asked(known: str, status: str, asked: int) -> None:
    composer = OneLanguageComposer(known)
    answered, _ = await ask(replace(make_dependencies(), composer=composer, translator=Words()), GERMAN)
    assert (answered.status, composer.questions) == (status, [ENGLISH, GERMAN][:asked])
    assert any("read in English" in note for note in answered.answer_notes) is (known == GERMAN)


@pytest.mark.parametrize(
    ("asked", "read", "translated"),
    [
        (GERMAN, ENGLISH, True),
        ("Who pasy for the roof?", ENGLISH, False),  # only spelt otherwise
        (ENGLISH, ENGLISH, False),
        ("", "", False),
    ],
)
def test_a_question_of_other_words_was_translated(asked: str, read: str, translated: bool) -> None:
    assert is_translated(asked, read) is translated
