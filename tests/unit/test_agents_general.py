"""Answers that come from no document, and the question back."""

from __future__ import annotations

from typing import Any

import pytest

from agents.clarification.agent import clarify
from agents.general_answer.agent import GENERAL_KNOWLEDGE_MARK, NO_MODEL, NOTHING_WITHIN_LIMITS, answer_about_system, answer_general
from agents.overview.agent import OverviewQuestion
from core.errors import ModelUnavailable
from core.search import Filters
from tests.support.models import ScriptedModel
from tests.support.ports import FakeLibrary, sample_library


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many PDFs are indexed?", "1 PDF is searchable, of 3 documents in all."),
        ("how many mails do you have", "No mails are searchable, of 3 documents in all."),
        ("How many documents are there?", "3 documents are searchable, in 6 passages: 1 PDF and 1 word-processor document among them."),
        ("which folders are indexed?", "Indexed folders: /library."),
    ],
)
async def test_counts_come_from_the_library(question: str, text: str) -> None:
    given = await answer_about_system(question, tenant="default", library=sample_library(), model_name=None)
    assert (given.answer.text, given.answer.generated_by) == (text, "none")


@pytest.mark.parametrize(
    ("question", "limits", "text"),
    [
        ("How many PDFs are indexed?", {"path_prefix": "/library/legal"}, "1 PDF is searchable, of 1 document within your limits."),
        (
            "How many word files are there?",
            {"file_types": [".pdf", ".txt"]},
            "No word-processor documents are searchable, of 2 documents within your limits.",
        ),
        ("How many documents are there?", {"document_ids": ["lease", "notes"]}, "2 documents within your limits are searchable: 1 PDF among them."),
        (
            "list my documents",
            {"path_prefix": "/library/legal"},
            "1 document within your limits is searchable: 1 PDF among them. They are: Halden lease.",
        ),
        ("list my documents", {"path_prefix": "/library/taxes"}, NOTHING_WITHIN_LIMITS),
    ],
)
async def test_documents_outside_the_limits_of_a_question_are_not_counted(question: str, limits: dict[str, Any], text: str) -> None:
    overview = OverviewQuestion("", "default", Filters(**limits))
    given = await answer_about_system(question, tenant="default", library=sample_library(), model_name=None, overview=overview)
    assert given.answer.text == text


async def test_the_list_names_documents() -> None:
    given = await answer_about_system("list my documents", tenant="default", library=sample_library(), model_name=None)
    assert "They are: Halden lease; Meeting notes; Travel policy." in given.answer.text


async def test_another_tenant_has_an_empty_library() -> None:
    given = await answer_about_system("what can you do", tenant="other", library=sample_library(), model_name=None)
    assert "The library is empty" in given.answer.text


@pytest.mark.parametrize(("model", "words"), [(None, "Without a language model"), ("qwen", "written by qwen")])
async def test_abilities_say_whether_a_model_writes(model: str | None, words: str) -> None:
    given = await answer_about_system("what can you do", tenant="default", library=sample_library(), model_name=model)
    assert words in given.answer.text


async def test_without_a_model_the_documents_are_offered() -> None:
    given = await answer_general("Who invented paper?", llm=None, tell=pytest.fail)
    assert (given.answer.text, given.answer.found, given.offers_documents) == (NO_MODEL, False, True)


async def test_a_models_answer_is_marked() -> None:
    model = ScriptedModel("Cai Lun.")
    told: list[str] = []
    given = await answer_general("Who invented paper?", llm=model, tell=told.append)
    assert told == ["Cai ", "Lun.", f"\n\n{GENERAL_KNOWLEDGE_MARK}"]
    assert given.answer.text == f"Cai Lun.\n\n{GENERAL_KNOWLEDGE_MARK}"
    assert (given.answer.generated_by, given.answer.citations, given.offers_documents) == ("scripted", [], False)
    assert model.calls[0][-1].content == "Who invented paper?"


@pytest.mark.parametrize("reply", ["   ", ModelUnavailable("The model does not answer.")])
async def test_a_model_that_fails_is_reported(reply: str | Exception) -> None:
    given = await answer_general("Who invented paper?", llm=ScriptedModel(reply), tell=pytest.fail)
    assert given.offers_documents
    assert given.answer.degraded[0].part == "model"


async def test_choices_are_made_from_the_library() -> None:
    asked = await clarify("it?", documents=list(sample_library().by_id.values()))
    assert asked.questions == [
        "What does “Halden lease” say about landlord?",
        "What does “Travel policy” say about hotel?",
        "What is “Meeting notes” about?",
    ]


async def test_an_empty_library_has_no_choices() -> None:
    asked = await clarify("it?", documents=list(FakeLibrary([]).by_id.values()))
    assert asked.questions == []
    assert "empty" in asked.message
