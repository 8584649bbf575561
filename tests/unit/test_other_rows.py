"""Rows of another year's table, and totals of groups, are not told for what is asked."""

from __future__ import annotations

from collections.abc import Mapping

from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from core.answers import Answer, Evidence
from core.documents import BlockKind
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.extractive_answers import compose_answer
from tests.support.word_reader import WordsReader

_TABLE = "\n".join(
    [
        "In thousands of EUR January–June {year}",
        "",
        " | Sales (a) | Operating profit (b) | Depreciation",
        "Ferry lines | {ferry} | 432 | -60",
        "Total | {total} | 7904 | -553",
    ]
)


def _sheet(year: str, ferry: str, total: str) -> Evidence:
    text = _TABLE.format(year=year, ferry=ferry, total=total)
    table = text.index(" | Sales")
    blocks = [(BlockKind.PARAGRAPH, 0, table - 2), (BlockKind.TABLE, table, len(text))]
    return evidence(text, document=year, title="Segments of Marl Ferry", blocks=blocks)


async def _asked(question: str) -> str:
    return (await compose_answer(question, [_sheet("2022", "3167", "45580"), _sheet("2023", "3318", "46293")])).text


async def test_of_two_tables_that_of_the_year_is_told() -> None:
    told = await _asked("What were the total sales of Marl Ferry in the first half of 2023?")
    assert "46293" in told
    assert "45580" not in told


async def test_a_first_column_without_a_name_moves_no_other() -> None:
    """ "Total: operating profit 46293" was told where the sales are 46293."""
    told = await _asked("What were the sales of the ferry lines in 2023?")
    assert "3318" in told
    assert "profit (b) 3318" not in told


async def test_totals_of_groups_say_nothing_of_whom_they_are() -> None:
    rows = [
        "Physician | Purpose | Amount",
        "Orme, Ada | Meals | £51.24",
        "TOTAL | | £51.24",
        "Pike, Jon | Meals | £66.12",
        "Pike, Jon | Speaking fees | £4,700",
        "TOTAL | | £4,766.12",
    ]
    text = "\n".join(rows)
    table = evidence(text, document="fees", title="Payments of Hale Ltd", blocks=[(BlockKind.TABLE, 0, len(text))])
    paid = (await compose_answer("How much did Hale pay Jon Pike for speaking?", [table])).text
    assert "4,700" in paid
    assert "TOTAL" not in paid
    assert "4,766" in (await compose_answer("What is the total that Hale paid?", [table])).text


_CHECKS = "State | Permits | Handguns\n1 | Marl | 15,907 | 50,796\n2 | Osyn | 264,140 | 12,155\n3 | Hale | 93 | 13\n4 | Quay | 10,314 | 15,822"
_MANAGED = "Person | Manager\nJon Pike | Ada Holm\nAda Holm | Ines Okafor\nTom Renn | Ada Holm\nEve Lind | Ines Okafor\nPer Dahl | Ines Okafor"


async def _read(question: str, text: str, words: Mapping[str, float]) -> Answer:
    table = evidence(text, document="table", title="Checks of the regions", blocks=[(BlockKind.TABLE, 0, len(text))])
    composer = ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), OptionalParts(reader=WordsReader(words)))
    return await composer.compose("default", question, [table])


async def test_beside_the_row_that_is_named_no_other_is_told_whatever_the_reader_says() -> None:
    answer = await _read("How many permits did Osyn have?", _CHECKS.replace("State", "No. | State"), {"50,796": 8.0})
    assert answer.lead is not None
    assert (answer.lead.text, answer.lead.kind) == ("264,140", "cell")
    assert "Marl" not in answer.text


async def test_rows_that_hold_the_name_in_another_cell_are_no_others() -> None:
    assert "Jon Pike" in (await _read("Who has Ada Holm as manager?", _MANAGED, {"Jon Pike": 6.0})).text


async def test_where_half_of_the_rows_are_named_none_is() -> None:
    told = (await _read("Did Marl, Osyn or Hale have more permits?", _CHECKS.replace("State", "No. | State"), {"Quay": 8.0})).text
    assert "Quay" in told


async def test_a_row_without_a_name_goes_on_with_the_one_above() -> None:
    text = "State | Cases | Where\nMarl | 4 | Harbour\nOsyn | 11 | Village of\n | | Golham\nHale | 3 | Mill\nQuay | 7 | Yard"
    composer = ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds())
    table = evidence(text, document="table", title="Cases", blocks=[(BlockKind.TABLE, 0, len(text))])
    read = await composer.score_and_read("default", "In which village of Osyn are 11 cases?", [table])
    assert read is not None
    assert [unit.unit.text.split(" | ")[0] for unit in read.units if unit.is_for_another] == ["Marl", "Hale", "Quay"]
