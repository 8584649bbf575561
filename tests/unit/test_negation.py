"""Questions with a "not": when they care, what a passage says of the same things, and what the stage makes of it."""

from __future__ import annotations

import pytest

from agents.strategy.agent import STRATEGIES
from core.language.negation_wording import read_question, states_negation
from core.search import Candidate, QueryPlan, Retrieval, RetrievalRequest
from retrieval.negation import STAGE, NegationStage
from tests.support.ports import FakeLibrary, make_document


@pytest.mark.parametrize(
    ("question", "negated"),
    [
        ("Which losses are not covered?", True),
        ("Who can't enter the vault?", True),
        ("Which trees are excluded from felling?", True),
        ("Wer hat keinen Schlüssel?", True),
        ("Wo ist das Parken verboten?", True),
    ],
)
def test_questions_that_care(question: str, negated: bool) -> None:
    asked = read_question(question)
    assert (asked.matters, asked.is_negated) == (True, negated)


@pytest.mark.parametrize(
    "question",
    [
        "How heavy is the crane?",
        "Is the roof not insured?",  # "it is insured" is an answer as well
        "Aspirin does not thin the blood of cats.",
        "What is due no later than May?",
        "Which doors have no. 5 on them?",
        "Wer kommt nicht später als zehn Uhr?",
        "What does NO do to a vessel?",
        "",
    ],
)
def test_questions_that_do_not(question: str) -> None:
    assert not read_question(question).matters


@pytest.mark.parametrize(
    ("question", "text", "negates"),
    [
        ("Which losses are not covered?", "Losses by theft are not covered.", True),
        ("Which losses are not covered?", "Losses by hail are covered. The fee is not due in May.", False),
        ("Which losses are not covered?", "Excluded are losses by theft.", True),
        ("Which losses are not covered?", "Losses by theft are not excluded.", False),
        ("Which losses are not covered?", "The harbour opens at six.", None),
        ("Which bills were not paid?", "Two bills were unpaid in May.", True),
        ("Welche Urkunden wurden nicht beglaubigt?", "Sie kamen ohne Beglaubigung an.", True),
        ("Wer haftet nicht für Koffer?", "Der Pächter haftet für Koffer, aber nicht für Schirme.", False),
    ],
)
def test_what_a_passage_says(question: str, text: str, negates: bool | None) -> None:
    assert states_negation(text, read_question(question)) is negates


TEXTS = ("All losses by hail are covered in full.", "Losses by theft are not covered.", "Losses are told to the office.", "The crane is red.")


def library() -> FakeLibrary:
    return FakeLibrary([make_document(f"d{number}", f"/l/{number}.txt", "T", [("H", text)]) for number, text in enumerate(TEXTS)])


def retrieval() -> Retrieval:
    scores = (0.9, 0.8, 0.7, 0.6)
    return Retrieval(
        candidates=[Candidate(chunk_id=chunk.id, document_id=chunk.document_id, score=scores[chunk.id - 1]) for chunk in library().chunk_list]
    )


def ask(text: str, **more: object) -> RetrievalRequest:
    return RetrievalRequest(text=text, strategy=STRATEGIES["hybrid"]).model_copy(update=more)


@pytest.mark.parametrize(
    ("request_", "order"),
    [
        (ask("Which losses are not covered?"), [2, 1, 3, 4]),
        (ask("covered losses", query_plan=QueryPlan(original="Welche losses sind nicht covered?")), [2, 1, 3, 4]),
    ],
)
async def test_passages_are_told_apart(request_: RetrievalRequest, order: list[int]) -> None:
    told = await NegationStage(library(), 0.1).tell_apart(request_, retrieval())
    assert [each.chunk_id for each in told.candidates] == order
    assert told.reports[-1].stage == STAGE


@pytest.mark.parametrize(
    ("request_", "weight"),
    [
        (ask("How are losses told?"), 0.1),
        (ask("Which losses are covered?"), 0.1),
        (ask("Which losses are not covered?"), 0.0),
        (ask("Which losses are not covered?", without=["negation"]), 0.1),
    ],
)
async def test_other_searches_stay_as_they_are(request_: RetrievalRequest, weight: float) -> None:
    assert await NegationStage(library(), weight).tell_apart(request_, retrieval()) == retrieval()


async def test_nothing_moves_where_nobody_says_the_opposite() -> None:
    found = await NegationStage(library(), 0.1).tell_apart(ask("Which cranes are not red?"), retrieval())
    assert found.candidates == retrieval().candidates
