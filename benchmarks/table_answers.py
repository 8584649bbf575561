"""`python -m benchmarks.table_answers`: how many questions over tables are computed right, wrongly, or left to the passages.

All made tables are offered for every question, as a search would that finds too much. A wrong answer is a value that is not the known one, or any
value where nothing may be computed. `--misses` names the questions that are not right.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Engine, create_engine, insert
from sqlalchemy.pool import StaticPool

from agents.table_qa.agent import calculate
from agents.table_qa.candidate_tables import CandidateTable
from agents.table_qa.result_wording import TableAnswer
from agents.table_qa.table_question import parse_table_question
from benchmarks.table_heads import QUESTIONS as HEADS
from benchmarks.table_heads import TABLES as HEAD_TABLES
from benchmarks.table_kinds import QUESTIONS as KINDS
from benchmarks.table_kinds import TABLES as KIND_TABLES
from benchmarks.table_questions import LATER_QUESTIONS, QUESTIONS, TABLES, MadeTable, TableQuestion
from core.documents import ExtractedDocument, Metadata, PageUnit, Section, Table
from core.table_queries import QueryResult, TableFacts, TableQuery
from core.tables import ColumnType, StoredTable, TableRow, TableWithRows
from ingestion.tables.typed_columns import typed_tables
from storage.document_tables import document_tables, table_rows
from storage.schema import metadata
from storage.sql_table_queries import scan_table, select_rows

_TENANT = "default"


class MadeTableStore:
    """Tables in a SQLite database in memory, asked as the library's are."""

    def __init__(self, tables: Sequence[TableWithRows] = ()) -> None:
        self._engine: Engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
        metadata.create_all(self._engine, tables=[document_tables, table_rows], checkfirst=True)
        for table in tables:
            self.add(table)

    def add(self, table: TableWithRows) -> None:
        owner = {"tenant": _TENANT, "document_id": table.document_id, "table": table.ordinal}
        rows = [
            {**owner, "ordinal": row.ordinal, "kind": row.kind.value, "start": row.start, "end": row.end, "cells": row.cells, "typed": row.values}
            for row in table.body
        ]
        with self._engine.begin() as connection:
            if rows:
                connection.execute(insert(table_rows), rows)

    def facts_now(self, table: StoredTable) -> TableFacts:
        with self._engine.connect() as connection:
            return scan_table(connection, *_table_place(table))

    async def select(self, hand: CandidateTable, query: TableQuery) -> QueryResult:
        with self._engine.connect() as connection:
            return select_rows(connection, *_table_place(hand.table), query)

    def close(self) -> None:
        self._engine.dispose()


def _table_place(table: StoredTable) -> tuple[tuple[str, str, int], list[ColumnType]]:
    return (_TENANT, table.document_id, table.ordinal), [column.type for column in table.columns]


@dataclass(frozen=True)
class MadeTableInHand:
    """A made table in hand with the store that holds it and all its rows."""

    hand: CandidateTable
    store: MadeTableStore
    whole: TableWithRows


Verdict = Literal["right", "wrong", "declined", "wrongly computed", "rightly not computed"]


def take_in_hand(made: MadeTable, document_id: str = "made") -> MadeTableInHand:
    """The table as the library would hold it: typed, with the spans of its rows, in a store of its own."""
    text, spans = "", []
    for row in made.rows:
        line = " | ".join(row)
        spans.append((len(text), len(text) + len(line)))
        text += f"{line}\n"
    table = Table(0, len(text), made.rows, tuple(spans), made.header_rows, None, made.caption, made.spans)
    sections = (Section((), 0, len(text)),)
    document = ExtractedDocument(text, (), sections, (table,), (), PageUnit.NONE, Metadata(language=made.language), made.parser)
    (typed,) = typed_tables(document)
    first = typed.header_rows
    body = [
        TableRow(
            ordinal=place,
            start=spans[first + place][0],
            end=spans[first + place][1],
            cells=[typed.merged.get((place, column), cell) for column, cell in enumerate(made.rows[first + place])],
            values=list(values),
            kind=kind,
        )
        for place, (kind, values) in enumerate(zip(typed.kinds, typed.values, strict=True))
    ]
    stored = TableWithRows(
        document_id=document_id,
        generation=1,
        ordinal=0,
        caption=made.caption,
        section=[],
        page=None,
        last_page=None,
        start=0,
        end=len(text),
        header=[list(row) for row in made.rows[:first]],
        columns=list(typed.columns),
        rows=typed.rows,
        kept=len(body),
        spans=[],
        first_row=0,
        body=body,
    )
    store = MadeTableStore([stored])
    bare = StoredTable.model_validate(stored.model_dump(exclude={"first_row", "body"}))
    return MadeTableInHand(CandidateTable(bare, store.facts_now(bare), made.filename, made.filename.rsplit(".", 1)[0]), store, stored)


def ask(question: str, hands: Sequence[MadeTableInHand]) -> list[TableAnswer]:
    """What is computed where all these tables are at hand."""
    stores = {id(each.hand): each.store for each in hands}

    async def select(hand: CandidateTable, query: TableQuery) -> QueryResult:
        return await stores[id(hand)].select(hand, query)

    asked = parse_table_question(question)
    return asyncio.run(calculate(asked, [each.hand for each in hands], select)) if asked is not None else []


def judge_answer(asked: TableQuestion, hands: dict[str, MadeTableInHand]) -> tuple[Verdict, str]:
    found = [each for each in ask(asked.question, list(hands.values())) if not each.is_ambiguous]
    said = "; ".join(" / ".join([each.calculation.sentence, *each.calculation.lines]) for each in found)
    if asked.answer is None:
        return ("wrongly computed" if found else "rightly not computed"), said
    if not found:
        return "declined", said
    only = found[0] if len(found) == 1 else None
    said_as = [only.calculation.value, *only.calculation.lines, only.asked] if only is not None else []
    right = only is not None and only.candidate is hands[asked.table].hand and asked.answer in said_as
    return ("right" if right else "wrong"), said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true", help="name the questions that are not right")
    chosen = parser.parse_args()
    hands = {name: take_in_hand(made, name) for name, made in (TABLES | KIND_TABLES | HEAD_TABLES).items()}
    started = time.process_time()
    counts: dict[str, Counter[str]] = {"open": Counter(), "held back": Counter(), "afterwards": Counter(), "kinds": Counter()}
    counts |= {"heads": Counter(), "heads held": Counter()}
    groups = [(each, "held back" if each.held else "open") for each in QUESTIONS]
    groups += [(each, "afterwards") for each in LATER_QUESTIONS] + [(each, "kinds") for each in KINDS]
    groups += [(each, "heads held" if each.held else "heads") for each in HEADS]
    for asked, held in groups:
        verdict, said = judge_answer(asked, hands)
        counts[held][verdict] += 1
        if chosen.misses and verdict not in {"right", "rightly not computed"}:
            sys.stdout.write(f"{held}, {verdict}: {asked.question}\n    wanted {asked.answer}; said {said or 'nothing'}\n")
    spent = time.process_time() - started
    for name, figures in counts.items():
        asked_for, not_for = figures["right"] + figures["wrong"] + figures["declined"], figures["wrongly computed"] + figures["rightly not computed"]
        sys.stdout.write(
            f"{name:10} of {asked_for} questions over tables: {figures['right']} right, {figures['wrong']} wrong, {figures['declined']} declined; "
            f"of {not_for} that are none: {figures['rightly not computed']} not computed, {figures['wrongly computed']} computed\n"
        )
    sys.stdout.write(f"{len(groups)} questions over {len(hands)} tables: {1000 * spent / len(groups):.1f} ms of processor time a question\n")


if __name__ == "__main__":
    main()
