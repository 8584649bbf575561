"""Rows of a CSV file as documents, with questions about them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import InvalidInput
from evaluation.corpus_files import format_document
from evaluation.evaluation_sets import CORPUS, EvaluationQuestion, EvaluationSet
from evaluation.silver_set import make_silver_set
from evaluation.silver_sources import SourceDocument

_QUESTION, _TITLE = "question", "title"


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row: its text, and its title and question where the file has such columns."""

    id: str
    text: str
    title: str = ""
    question: str = ""


def read_text_rows(path: Path, column: str) -> list[TextRow]:
    """Read the rows that have a text; of the same text the first. Raises InvalidInput that names the columns where there is none of that name."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    lines = csv.DictReader(text.splitlines(keepends=True))
    if column not in (lines.fieldnames or ()):
        raise InvalidInput(f"{path} has no column {column!r}; it has {', '.join(lines.fieldnames or ()) or 'none'}. Name one with --text-column.")
    rows: dict[str, TextRow] = {}
    for number, line in enumerate(lines, start=1):
        said = (line[column] or "").strip()
        if said and said not in rows:
            rows[said] = TextRow(f"row{number:06}", said, (line.get(_TITLE) or "").strip(), (line.get(_QUESTION) or "").strip())
    if not rows:
        raise InvalidInput(f"{path} has no text in its column {column!r}.")
    return list(rows.values())


def make_row_set(name: str, rows: list[TextRow], folder: Path, count: int, seed: int) -> EvaluationSet:
    """Write the documents of the rows into `folder`, and return a set with their own questions, or with ones that are made of their texts."""
    folder.mkdir(parents=True, exist_ok=True)
    corpus = folder / CORPUS
    corpus.write_text("".join(json.dumps({"id": row.id, "title": row.title, "text": row.text}) + "\n" for row in rows), encoding="utf-8")
    questions = tuple(_own_questions(rows))[:count]
    return EvaluationSet(name, questions or _make_questions(name, rows, count, seed), corpus)


def _own_questions(rows: list[TextRow]) -> Iterator[EvaluationQuestion]:
    """Yield the questions of the rows, one for all rows that ask the same."""
    asked: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.question:
            asked.setdefault(row.question, {})[row.id] = 1.0
    for number, (question, grades) in enumerate(asked.items(), start=1):
        yield EvaluationQuestion(f"q{number}", question, grades)


def _make_questions(name: str, rows: list[TextRow], count: int, seed: int) -> tuple[EvaluationQuestion, ...]:
    documents = [SourceDocument(row.id, row.id, row.title, format_document({"title": row.title, "text": row.text})) for row in rows]
    return tuple(question for question in make_silver_set(name, documents, count, seed).questions if question.is_judged)
