"""Sets in every layout that is read, and what is said of one that is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import InvalidInput
from evaluation.corpus_files import corpus_digest, write_corpus
from evaluation.evaluation_sets import EvaluationSet, load_set


def write_rows(path: Path, *rows: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def graded(found: EvaluationSet) -> dict[str, dict[str, float]]:
    return {question.id: dict(question.grades) for question in found.questions}


def test_beir_s_layout(tmp_path: Path) -> None:
    write_rows(tmp_path / "corpus.jsonl", {"_id": "a", "title": "Herons", "text": "Herons nest in alders."})
    write_rows(tmp_path / "queries.jsonl", {"_id": "1", "text": "Where do herons nest?"}, {"_id": "2", "text": "Of another split"})
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n")
    (tmp_path / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\n2\ta\t1\n")
    found = load_set(tmp_path)
    assert graded(found) == {"1": {"a": 2.0, "b": 0.0}}
    assert (found.name, found.corpus, found.tells_answerable) == (tmp_path.name, tmp_path / "corpus.jsonl", False)


def test_the_layout_with_plain_ids_answerability_and_passages(tmp_path: Path) -> None:
    write_rows(
        tmp_path / "queries.jsonl",
        {"id": 7, "text": "Where do herons nest?", "is_impossible": False, "references": [{"content": "nest in alders"}]},
        {"id": 8, "text": "Where do penguins nest?", "is_impossible": True},
    )
    (tmp_path / "qrels.tsv").write_text("query-id\tdoc-id\tgrade\n7\ta\t1\n")
    found = load_set(tmp_path)
    assert graded(found) == {"7": {"a": 1.0}, "8": {}}
    assert [(question.answerable, question.passages) for question in found.questions] == [(True, ("nest in alders",)), (False, ())]
    assert (found.corpus, found.tells_answerable) == (None, True)


def test_trec_s_four_columns_and_files_of_another_name(tmp_path: Path) -> None:
    write_rows(tmp_path / "queries.de.jsonl", {"id": "1", "text": "Wo nisten Reiher?"})
    write_rows(tmp_path / "corpus.en.jsonl", {"id": "a", "text": "Herons nest in alders."})
    (tmp_path / "qrels.tsv").write_text("1 0 a 1\n")
    found = load_set(tmp_path, queries="queries.de.jsonl", corpus="corpus.en.jsonl")
    assert (graded(found), found.corpus) == ({"1": {"a": 1.0}}, tmp_path / "corpus.en.jsonl")


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_csv_file_merges_lines_that_ask_the_same(tmp_path: Path, separator: str) -> None:
    lines = [("Question", "File", "Passage"), ("Where do herons nest?", "birds.md", "in alders"), ("Where do herons nest?", "ponds.md", "")]
    lines += [("Who feeds the zebras?", "", "")]
    path = tmp_path / "own.csv"
    path.write_text("\n".join(separator.join(line) for line in lines), encoding="utf-8-sig")
    found = load_set(path)
    assert graded(found) == {"q1": {"birds.md": 1.0, "ponds.md": 1.0}, "q2": {}}
    assert [(question.answerable, question.passages) for question in found.questions] == [(True, ("in alders",)), (False, ())]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "queries.jsonl does not exist"),
        ({"queries.jsonl": '{"id": "1", "text": "?"}\n'}, "needs qrels.tsv"),
        ({"queries.jsonl": '{"text": "?"}\n', "qrels.tsv": "q\td\tg\n"}, "a row without an id"),
        ({"queries.jsonl": "{\n", "qrels.tsv": "q\td\tg\n"}, "line 1, is no JSON"),
        ({"queries.jsonl": '{"id": "1", "text": "?"}\n', "qrels.tsv": "q\td\tg\n1\ta\tgood\n"}, "line 2: a question's id"),
        ({"queries.jsonl": '{"id": "1", "text": "?"}\n', "qrels.tsv": "q\td\tg\n2\ta\t1\n"}, "judges none of its questions"),
    ],
)
def test_what_is_wrong_with_a_folder_is_said(tmp_path: Path, files: dict[str, str], said: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(InvalidInput, match=said):
        load_set(tmp_path)


def test_what_is_wrong_with_a_csv_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("text,label\nherons,bird\n")
    with pytest.raises(InvalidInput, match="needs a column question"):
        load_set(tmp_path / "own.csv")
    with pytest.raises(InvalidInput, match="does not exist"):
        load_set(tmp_path / "other.csv")


def test_documents_become_files_whose_names_say_nothing(tmp_path: Path) -> None:
    write_rows(tmp_path / "corpus.jsonl", {"_id": "a/b", "title": "Herons", "text": "Herons nest in alders."}, {"_id": "c", "text": "Newts swim."})
    names = write_corpus(tmp_path / "corpus.jsonl", tmp_path / "files")
    assert list(names.values()) == ["a/b", "c"]
    assert [(tmp_path / "files" / name).read_text() for name in names] == ["Herons\n\nnest in alders.\n", "Newts swim.\n"]
    same, other = (corpus_digest(tmp_path / "corpus.jsonl", {"chunk_tokens": size}) for size in (256, 128))
    assert same == corpus_digest(tmp_path / "corpus.jsonl", {"chunk_tokens": 256}) != other
