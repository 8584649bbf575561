"""Questions over tables with heads of two lines, group rows, negative figures and two rows for one name."""

from __future__ import annotations

import pytest

from benchmarks.table_answers import MadeTableInHand, judge_answer, take_in_hand
from benchmarks.table_heads import QUESTIONS, TABLES
from benchmarks.table_questions import TableQuestion

# What is known to be declined: two columns fit, words of another language, a word that the table's names do not have.
_DECLINED = {
    "Farm census Orlau: total area manured on large farms in own tenure?",
    "Welches Tal hatte 2019 den größten Überschuss an Milch?",
    "In which year between 1990 and 2015 were there most road deaths?",
}
_OPEN = [each for each in QUESTIONS if not each.held]


@pytest.fixture(scope="module")
def hands() -> dict[str, MadeTableInHand]:
    return {name: take_in_hand(made, name) for name, made in TABLES.items()}


@pytest.mark.parametrize("asked", _OPEN, ids=[each.question for each in _OPEN])
def test_answers_are_computed_or_left_out(asked: TableQuestion, hands: dict[str, MadeTableInHand]) -> None:
    verdict, said = judge_answer(asked, hands)
    expected = "rightly not computed" if asked.answer is None else "declined" if asked.question in _DECLINED else "right"
    assert verdict == expected, said


def test_a_row_that_numbers_the_columns_is_no_part_of_their_names(hands: dict[str, MadeTableInHand]) -> None:
    names = [column.name for column in hands["road deaths"].whole.columns]
    assert names[3:7] == ["Crashes › Number", "Crashes › Rate", "Deaths › Number", "Deaths › Rate"]


def test_a_merged_cell_names_each_of_its_rows(hands: dict[str, MadeTableInHand]) -> None:
    body = hands["complaints"].whole.body
    assert [(row.cells[0], row.cells[1]) for row in body[:2]] == [("Migraine", "Count"), ("Migraine", "Percentage")]
