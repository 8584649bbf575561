"""What `benchmarks/real_files.py` counts, and that its questions can be counted."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.machine import data_folder
from benchmarks.real_files import AskedFile, FileQuestion, fold_text, holds_gold, load_questions, summarise

COUNT = FileQuestion("q1", "developing", "How many?", (("1,234", "1234"), ("cranes",)), "a.pdf", "fact", "en")
VERDICT = FileQuestion("q2", "developing", "Is it?", (("no",),), "a.pdf", "yes_no", "en")
SILENT = FileQuestion("q3", "developing", "Who?", (), "a.pdf", "unanswerable", "en")


def asked(question: FileQuestion, **changed: Any) -> AskedFile:
    made = AskedFile(question, found=True, answer="", lead="", lead_kind="", confidence=0.8, signals={}, cited=[])
    return made._replace(**changed)


@pytest.mark.parametrize(
    ("question", "text", "held"),
    [
        (COUNT, "There are 1 234 Cranes.", True),
        (COUNT, "There are 1,234 ships.", False),
        (COUNT, "There are 11,234 cranes.", False),
        (COUNT, "There are 1,234.5 cranes.", False),
        (VERDICT, "No: it is not.", True),
        (VERDICT, "It is no crane.", False),
    ],
)
def test_an_answer_is_compared_by_its_strings(question: FileQuestion, text: str, held: bool) -> None:
    assert holds_gold(text, question) is held


def test_dashes_quotes_and_spaces_are_folded() -> None:
    assert fold_text("“A – b’s”  12,000") == fold_text('"a - B\'s" 12000')


def test_silence_is_right_where_nothing_is_said() -> None:
    assert asked(SILENT, found=False).is_right
    assert not asked(SILENT, answer="Ada Holm").is_right
    assert not asked(COUNT, found=False, answer="1,234 cranes").is_right


def test_a_verdict_is_read_off_the_lead() -> None:
    assert asked(VERDICT, answer="No. It is not.", lead="No").is_right
    assert not asked(VERDICT, answer="No. It is not.").is_right


def test_a_line_of_the_table() -> None:
    rows = [asked(COUNT, answer="1,234 cranes", lead="1,234"), asked(VERDICT, found=False), asked(SILENT, answer="Ada", confidence=0.3)]
    assert summarise("all", rows) == ["all", 2, 1, 0, 1, 1, "0 of 1", "1 of 1", "0.250"]


def test_every_question_can_be_counted_and_no_file_is_in_both_halves() -> None:
    every = load_questions("")
    assert len({each.id for each in every}) == len(every) == len(load_questions("developing")) + len(load_questions("judging"))
    assert all(bool(each.gold) is (each.kind != "unanswerable") and all(each.gold) for each in every)
    assert not {each.file for each in load_questions("developing")} & {each.file for each in load_questions("judging")}


def test_every_file_is_there() -> None:
    if not (folder := data_folder() / "documents").is_dir():
        pytest.skip("no evaluation documents")
    assert [each.file for each in load_questions("") if not (folder / each.file).is_file()] == []
