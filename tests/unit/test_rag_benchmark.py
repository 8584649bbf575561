"""What `vantage rag` reads of a CSV file, and which strategies it knows."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from commands.rag_commands import make_options
from commands.rag_parser import strategy_names
from commands.search_choices import RAG_STRATEGIES, STRATEGIES
from core.errors import InvalidInput
from core.search_schemas import SearchRequest
from evaluation.table_documents import make_row_set, read_text_rows


def test_a_row_is_a_document_and_its_question_is_answered_by_it(tmp_path: Path) -> None:
    path = tmp_path / "house.csv"
    path.write_text('body,question,title\n"The sauna, at last,\nis warm.",When is it warm?,Sauna\nNo dogs.,,\nNo dogs.,Dogs?,\n,Empty?,\n')
    rows = read_text_rows(path, "body")
    assert [(row.id, row.text, row.title, row.question) for row in rows] == [
        ("row000001", "The sauna, at last,\nis warm.", "Sauna", "When is it warm?"),
        ("row000002", "No dogs.", "", ""),
    ]
    made = make_row_set("house", rows, tmp_path / "set", 50, 0)
    assert [(question.text, dict(question.grades)) for question in made.questions] == [("When is it warm?", {"row000001": 1.0})]
    assert made.corpus is not None
    assert len(made.corpus.read_text().splitlines()) == 2


def test_rows_without_questions_get_some(tmp_path: Path) -> None:
    path = tmp_path / "house.csv"
    path.write_text("text\nThe night porter locks the eastern gate at half past ten.\nThe boiler in the cellar was replaced by Haldane Heating.\n")
    made = make_row_set("house", read_text_rows(path, "text"), tmp_path / "set", 10, 0)
    assert {document for question in made.questions for document in question.grades} <= {"row000001", "row000002"}
    assert all(question.is_judged for question in made.questions)


@pytest.mark.parametrize(
    ("text", "column", "said"), [("text,a\n", "body", "no column 'body'; it has text, a"), ("text\n\n", "text", "no text in its column")]
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, column: str, said: str) -> None:
    (tmp_path / "house.csv").write_text(text)
    with pytest.raises(InvalidInput, match=said):
        read_text_rows(tmp_path / "house.csv", column)


@pytest.mark.parametrize(
    ("named", "said"), [("basic,bm42", "no strategy 'bm42'. There are basic, hybrid"), ("raptors", "no strategy 'raptors'"), (" ,", "no strategy")]
)
def test_an_unknown_strategy_lists_those_that_there_are(named: str, said: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=said):
        strategy_names(named)


def test_every_strategy_is_a_request_that_the_api_takes() -> None:
    assert set(STRATEGIES) <= set(RAG_STRATEGIES)
    assert strategy_names("basic, hybrid,basic") == ("basic", "hybrid")
    for name in RAG_STRATEGIES:
        how = make_options(name, 5)
        SearchRequest.model_validate({"query": "?", "strategy": how.strategy, "pipeline": how.pipeline, "without": list(how.without)})
    assert make_options("raptor", 5).pipeline == "raptor"
    assert make_options("basic", 5) != make_options("hybrid", 5) != make_options("graphrag", 5)
