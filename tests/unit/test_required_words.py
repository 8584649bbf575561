"""Words that a question demands of a passage, and what retrieval does with them."""

from __future__ import annotations

import pytest

from agents.query_classifier.agent import Athena, classify
from agents.query_classifier.required_words import find_required_words
from agents.strategy.agent import STRATEGIES
from core.search import Candidate, Passage, Query, Retrieval, RetrievalRequest
from retrieval.word_requirements import STAGE, apply_word_requirements, drop_unwanted_passages
from tests.support.ports import NOW, sample_library


@pytest.mark.parametrize(
    ("question", "must", "must_not", "left"),
    [
        ('notice periods that must contain "six months"', ["six months"], [], "notice periods six months"),
        ("offers, must mention the word battery", ["battery"], [], "offers battery"),
        ('rent of the warehouse but must not mention "bonded store"', [], ["bonded store"], "rent of the warehouse"),
        ("contracts not containing the word penalty", [], ["penalty"], "contracts"),
        ("crane +brake -hoist", ["brake"], ["hoist"], "crane brake"),
        ('warranty -"lead acid"', [], ["lead acid"], "warranty"),
        ("-hoist", [], [], "-hoist"),  # nothing would be left to search for
    ],
)
def test_what_is_demanded(question: str, must: list[str], must_not: list[str], left: str) -> None:
    found = find_required_words(question)
    assert (found.must, found.must_not, " ".join(found.text.split())) == (must, must_not, left)


@pytest.mark.parametrize(
    "question",
    [
        "What must the contract contain?",
        "Which reports must include a signature?",
        "Why does the lease not mention the roof?",
        "What did it cost from 2019 - 2021?",
        "the post-war period and a well-known author",
        "is it -18 degrees in Chamber 1?",
        "prices without VAT",
        "C++ and A+ ratings",
        "",
    ],
)
def test_questions_that_demand_nothing(question: str) -> None:
    assert find_required_words(question) == ([], [], question)


async def test_athena_reads_them_and_says_so() -> None:
    found = await classify(Query(text='hotels, must mention the word stars but must not mention "breakfast"'), athena=Athena(llm=None, now=NOW))
    assert (found.must, found.must_not) == (["stars"], ["breakfast"])
    assert "breakfast" not in found.search_text
    assert "No passages with “breakfast”" in found.notes
    assert found.read_as == ""


async def test_passages_are_held_to_them() -> None:
    library = sample_library()
    candidates = [Candidate(chunk_id=each.id, document_id=each.document_id, score=1.0) for each in library.chunk_list]
    word = next(word for word in library.chunk_list[0].text.split() if word.isalpha() and len(word) > 5)
    holding = {each.id for each in library.chunk_list if word.lower() in {part.strip(".,:").lower() for part in f"{each.prefix} {each.text}".split()}}
    asked = RetrievalRequest(text="x", strategy=STRATEGIES["hybrid"])
    found = Retrieval(candidates=candidates)
    kept = await apply_word_requirements(asked.model_copy(update={"must": [word.upper()]}), found, library)
    assert {each.chunk_id for each in kept.candidates} == holding
    rest = await apply_word_requirements(asked.model_copy(update={"must_not": [word]}), found, library)
    assert {each.chunk_id for each in rest.candidates} == {each.id for each in library.chunk_list} - holding
    assert rest.reports[-1].stage == STAGE
    assert {each.chunk_id for each in rest.reports[-1].dropped} == holding
    assert await apply_word_requirements(asked, found, library) == found


def test_a_passage_that_took_in_an_unwanted_word_goes() -> None:
    passage = Passage(
        content="The rent of the bonded\nstore.", section=[], document_id="d", start=0, end=29, chunks=[1], page=None, anchor=1, anchor_score=1.0,
        coherence_score=1.0,
    )  # fmt: skip
    asked = RetrievalRequest(text="x", strategy=STRATEGIES["hybrid"], must=["never"], must_not=["Bonded Store"])
    assert drop_unwanted_passages(asked, [passage]) == []
    assert drop_unwanted_passages(asked.model_copy(update={"must_not": ["bond"]}), [passage]) == [passage]
