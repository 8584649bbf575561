"""Sets of questions with the documents that answer them: a folder in the layout of BEIR, one of its kin, or a CSV file about the own library."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.errors import InvalidInput

CORPUS, QUERIES = "corpus.jsonl", "queries.jsonl"
_QUESTION = ("question", "query")
_DOCUMENT = ("document", "file", "filename", "file_path", "title")
_PASSAGE = ("passage", "text", "answer_passage")


@dataclass(frozen=True, slots=True)
class EvaluationQuestion:
    """A question. `grades` are the documents that answer it, by id or name, with their grade (above 0: relevant); `passages` texts that do.
    `answerable` None: the set does not say. `rule` and `source` say how a question was made, and from what."""

    id: str
    text: str
    grades: Mapping[str, float] = field(default_factory=dict)
    passages: tuple[str, ...] = ()
    answerable: bool | None = None
    rule: str = ""
    source: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_judged(self) -> bool:
        return any(grade > 0 for grade in self.grades.values())


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """`corpus` is the file with the documents, None where the set is about the own library."""

    name: str
    questions: tuple[EvaluationQuestion, ...]
    corpus: Path | None = None

    @property
    def tells_answerable(self) -> bool:
        """Return whether some of its questions are known to have no answer."""
        return any(question.answerable is False for question in self.questions)


def load_set(path: Path, *, queries: str = QUERIES, corpus: str = CORPUS) -> EvaluationSet:
    """Load a folder or a CSV file. Raises InvalidInput that says what is missing, and where."""
    if path.is_dir():
        return _load_folder(path, path / queries, path / corpus)
    if not path.is_file():
        raise InvalidInput(
            f"{path} does not exist. Name a folder with {CORPUS}, {QUERIES} and qrels, or a CSV file with the columns question and file."
        )
    try:
        return EvaluationSet(path.stem, tuple(_read_csv(path)))
    except (csv.Error, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read as CSV: {error}.") from error


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines. Raises InvalidInput with the line that is none."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise InvalidInput(f"{path}, line {number}, is no JSON: {error}.") from error
            if not isinstance(row, dict):
                raise InvalidInput(f"{path}, line {number}, is no JSON object.")
            yield row


def row_id(row: Mapping[str, Any], path: Path) -> str:
    """Return the id of a row: `_id` in BEIR, `id` elsewhere. Raises InvalidInput for neither."""
    found = row.get("_id", row.get("id"))
    if found is None:
        raise InvalidInput(f"{path} has a row without an id: {json.dumps(row, ensure_ascii=False)[:120]}")
    return str(found)


def _load_folder(folder: Path, queries: Path, corpus: Path) -> EvaluationSet:
    if not queries.is_file():
        raise InvalidInput(f"{queries} does not exist. A set is a folder with {CORPUS}, {QUERIES} and qrels/test.tsv or qrels.tsv.")
    grades = read_grades(_find_grades(folder))
    questions = []
    for row in read_rows(queries):
        question = _make_question(row, row_id(row, queries))
        if question.id in grades or question.answerable is False:  # others of BEIR's queries belong to another split
            questions.append(replace(question, grades=grades.get(question.id, {})))
    if not questions:
        raise InvalidInput(f"{folder} judges none of its questions: do the ids of {queries.name} stand in its qrels?")
    return EvaluationSet(folder.resolve().name, tuple(questions), corpus if corpus.is_file() else None)


def _find_grades(folder: Path) -> Path:
    """Return qrels.tsv, qrels/test.tsv, or the only file in qrels. Raises InvalidInput."""
    for path in (folder / "qrels.tsv", folder / "qrels" / "test.tsv"):
        if path.is_file():
            return path
    found = sorted((folder / "qrels").glob("*.tsv"))
    if len(found) != 1:
        there = ", ".join(path.name for path in found) or "none"
        raise InvalidInput(f"{folder} needs qrels.tsv, qrels/test.tsv, or one file in qrels; there is {there}.")
    return found[0]


def read_grades(path: Path) -> dict[str, dict[str, float]]:
    """Return the grades by question and document, of three columns under a head, or of four as trec_eval has them."""
    found: dict[str, dict[str, float]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        cells = line.split("\t") if "\t" in line else line.split()
        if not cells or (number == 1 and not _is_number(cells[-1])):
            continue
        if len(cells) not in {3, 4} or not _is_number(cells[-1]):
            raise InvalidInput(f"{path}, line {number}: a question's id, a document's id and a grade are expected, separated by tabs.")
        found.setdefault(cells[0], {})[cells[-2]] = float(cells[-1])
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _make_question(row: Mapping[str, Any], name: str) -> EvaluationQuestion:
    answerable = row.get("answerable")
    if answerable is None and "is_impossible" in row:
        answerable = not row["is_impossible"]
    return EvaluationQuestion(
        id=name,
        text=str(row.get("text") or row.get("query") or ""),
        passages=tuple(_read_passages(row)),
        answerable=answerable,
        rule=str(row.get("rule", "")),
        source=row.get("source") or {},
    )


def _read_passages(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts that answer: strings, or objects that hold one (MultiHop-RAG's facts)."""
    for name in ("passages", "references", "evidence_list"):
        for each in row.get(name) or ():
            text = each if isinstance(each, str) else next((each[key] for key in ("content", "fact", "text") if each.get(key)), "")
            if text:
                yield str(text)


def _read_csv(path: Path) -> Iterator[EvaluationQuestion]:
    """Yield the questions, one for all lines that ask the same. One without a document is known to have no answer."""
    text = path.read_text(encoding="utf-8-sig")
    first = text.partition("\n")[0]
    lines = list(csv.DictReader(text.splitlines(), delimiter=";" if first.count(";") > first.count(",") else ","))
    columns = [_find_column(lines[0] if lines else {}, names) for names in (_QUESTION, _DOCUMENT, _PASSAGE)]
    asked, named, told = columns
    if asked is None or named is None:
        raise InvalidInput(f"{path} needs a column question and a column file (or document, or title), and a line below them.")
    merged: dict[str, tuple[dict[str, float], list[str]]] = {}
    for line in lines:
        question, document, passage = ((line.get(column) or "").strip() if column else "" for column in (asked, named, told))
        if question:
            grades, passages = merged.setdefault(question, ({}, []))
            grades |= {document: 1.0} if document else {}
            passages += [passage] if passage else []
    for number, (question, (grades, passages)) in enumerate(merged.items(), start=1):
        yield EvaluationQuestion(f"q{number}", question, grades, tuple(passages), answerable=bool(grades))


def _find_column(line: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    known = {str(column).strip().casefold(): column for column in line if column}
    return next((known[name] for name in names if name in known), None)
