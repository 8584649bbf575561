"""What a run computes from the tables at hand: rows outside the passages, other generations, tables too long, and the page of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from agents.table_qa.candidate_tables import CandidateTable
from benchmarks.table_answers import MadeTableStore, take_in_hand
from benchmarks.table_questions import TABLES, MadeTable, parse_rows
from core.documents import Document, ExtractedDocument, Metadata, Page, PageUnit
from core.ports import DocumentContent
from core.search import Passage
from core.table_queries import QueryResult, TableFacts, TableQuery
from core.tables import StoredTable, TableWithRows
from orchestration.evidence import GatheredEvidence
from orchestration.table_answer import ComputedAnswer, compute_from_tables

ORDERS = take_in_hand(TABLES["orders"], "orders").whole
TEXT = "".join(f"{' | '.join(row)}\n" for row in TABLES["orders"].rows)


@dataclass
class OneTable:
    """A store of one table, which counts how often it is asked what the table holds."""

    table: TableWithRows
    read: int = 0

    def __post_init__(self) -> None:
        self._rows = MadeTableStore([self.table])

    async def tables(self, tenant: str, document_id: str) -> list[StoredTable]:
        return [self.table]

    async def rows(self, tenant: str, document_id: str, ordinal: int, *, first: int = 0, limit: int = 1000) -> TableWithRows:
        return self.table

    async def facts(self, tenant: str, table: StoredTable) -> TableFacts:
        self.read += 1
        return self._rows.facts_now(table)

    async def execute_query(self, tenant: str, table: StoredTable, query: TableQuery) -> QueryResult:
        return await self._rows.select(CandidateTable(table, self._rows.facts_now(table)), query)

    async def tables_at(self, tenant: str, places: Sequence[tuple[str, int, int]]) -> list[StoredTable]:
        return [self.table]


async def worked(
    question: str, store: OneTable | None, generation: int = 1, pages: tuple[Page, ...] = (), text: str = TEXT, said: str = ""
) -> ComputedAnswer | None:
    document = ExtractedDocument(text, (), (), (), pages, PageUnit.PAGE, Metadata(), "csv")
    about = Document.model_construct(id="orders", filename="Orders 2025.csv", title="Orders 2025", doc_type="", file_type=".csv", paths=[])
    gathered = GatheredEvidence([], {"orders": about}, {"orders": DocumentContent("orders", generation, text, document)}, 0)
    row = ORDERS.body[0]
    passage = Passage(
        content=said or text[row.start : row.end], section=[], document_id="orders", start=row.start, end=row.end, chunks=[1], page=None, anchor=1,
        anchor_score=0.8, coherence_score=1.0,
    )  # fmt: skip

    return await compute_from_tables(question, [passage], gathered, tenant="default", store=cast(Any, store))


async def test_rows_outside_the_passages_become_passages_and_are_cited() -> None:
    found = await worked("How many orders are open?", OneTable(ORDERS))
    assert found is not None
    assert [each.quote.split(" | ")[0] for each in found.answer.citations] == ["1042", "1045", "1048", "1052"]
    assert all(TEXT[each.start : each.end] == each.quote for each in found.answer.citations)
    assert [(each.start, each.end) for each in found.passages] == [(each.start, each.end) for each in found.answer.citations]
    assert found.answer.text.startswith("Number of rows of Orders 2025.csv where “Status” is “open”: 4 of 12. [1][2][3][4]")
    assert [sentence.support for sentence in found.answer.sentences] == ["supported", *["quoted"] * 4]


async def test_a_figure_that_a_document_states_is_not_computed() -> None:
    store = OneTable(ORDERS)
    assert await worked("How many open orders are there?", store, said="Open orders: 7 Late orders: 2") is None
    assert store.read == 0
    for other in ("Orders: 7", "Open orders: see below", "Open orders of March: 7"):
        assert await worked("How many open orders are there?", OneTable(ORDERS), said=other) is not None


async def test_a_table_of_another_generation_is_not_computed_with() -> None:
    store = OneTable(ORDERS)
    assert await worked("How many orders are open?", store, generation=2) is None
    assert store.read == 0


async def test_a_table_of_which_not_all_rows_are_kept_is_said_and_not_computed_with() -> None:
    store = OneTable(ORDERS.model_copy(update={"kept": 200_000, "rows": 260_000}))
    found = await worked("What is the total amount of the orders?", store)
    assert found is not None
    assert (found.calculations, store.read) == ([], 0)
    assert "260,000 rows, of which the first 200,000 are kept" in found.answer.text
    assert await worked("What is the amount of order 1046?", store) is None


async def test_questions_without_a_calculation_read_no_table() -> None:
    store = OneTable(ORDERS)
    assert await worked("Why are the orders late?", store) is None
    assert await worked("What is the capital of Peru?", store) is None
    assert await worked("How many orders are open?", None) is None
    assert store.read == 0


async def test_a_row_on_a_later_page_is_cited_there() -> None:
    middle = ORDERS.body[6].start
    table = ORDERS.model_copy(update={"page": 1, "last_page": 2})
    found = await worked("How many orders are open?", OneTable(table), pages=(Page(1, "1", 0, middle), Page(2, "2", middle, len(TEXT))))
    assert found is not None
    assert [each.page for each in found.answer.citations] == [1, 1, 2, 2]


async def test_what_is_unclear_is_said_with_the_header_cited() -> None:
    claims = take_in_hand(TABLES["claims"], "orders").whole.model_copy(update={"end": len(TEXT)})
    found = await worked("What is the total amount?", OneTable(claims))
    assert found is not None
    assert found.calculations == []
    assert "Two columns fit “amount” equally" in found.answer.text
    assert [(each.start, each.number) for each in found.answer.citations] == [(0, 1)]


async def test_a_count_of_none_is_an_answer_and_cites_the_header() -> None:
    found = await worked("How many orders are above 90,000 EUR?", OneTable(ORDERS))
    assert found is not None
    assert found.answer.text.startswith("Number of rows of Orders 2025.csv where “Amount (EUR)” is above 90,000 EUR: 0 of 12. [1]")
    assert [each.quote.splitlines()[0] for each in found.answer.citations] == [TEXT.splitlines()[0]]


async def test_a_table_over_three_pages_is_added_up_once_and_each_row_opens_on_its_page() -> None:
    made = MadeTable(
        "Orders 2025.csv",
        parse_rows("""
Item | Supplier | Amount (EUR)
Bolts | Kestrel | 10.50
Nuts | Pallas | 20.00
Carried forward | | 30.50
Item | Supplier | Amount (EUR)
Brought forward | | 30.50
Rope | Kestrel | (5.25)
Paint | Almadraba | 100.00*
Item | Supplier | Amount (EUR)
Chain | Kestrel | 4.75
Total | | 130.00
"""),
        parser="pdf",
    )
    text = "".join(f"{' | '.join(row)}\n" for row in made.rows)
    second, third = text.index("Item", 5), text.rindex("Item")
    pages = (Page(1, "1", 0, second), Page(2, "2", second, third), Page(3, "3", third, len(text)))
    table = take_in_hand(made, "orders").whole.model_copy(update={"page": 1, "last_page": 3})
    found = await worked("What is the total amount?", OneTable(table), pages=pages, text=text)
    assert found is not None
    (told,) = found.calculations
    assert (told.value, told.rows_used, told.notes) == ("130", 5, ["The table's own total row says the same."])
    cell = await worked("What is the amount of the paint?", OneTable(table), pages=pages, text=text)
    assert cell is not None
    assert (cell.calculations[0].value, cell.calculations[0].operation) == ("100.00*", "lookup")
    assert [(each.page, each.quote) for each in cell.answer.citations] == [(2, "Paint | Almadraba | 100.00*")]
    rows = await worked("What is the total amount of Kestrel?", OneTable(table), pages=pages, text=text)
    assert rows is not None
    assert [(each.page, each.quote.split(" | ")[0]) for each in rows.answer.citations] == [(1, "Bolts"), (2, "Rope"), (3, "Chain")]
    assert rows.calculations[0].value == "10"
