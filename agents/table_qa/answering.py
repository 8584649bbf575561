"""The tables that a question is about, its query carried out over each that fits, and the best answer.

    calculate(parse_table_question("What is the total freight per carrier?"), tables, select) -> [TableAnswer(...)]

What does not fit a table clearly is not computed: the question is then answered from the passages like any other.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from agents.table_qa.conditions import Unclear, Unfit
from agents.table_qa.hands import TableInHand
from agents.table_qa.headings import name_stems
from agents.table_qa.linking import Matching
from agents.table_qa.operations import Operation
from agents.table_qa.plan import Plan, plan_for
from agents.table_qa.queries import carry_out
from agents.table_qa.question import Asked
from agents.table_qa.telling import Calculated, told_unclear
from core.table_queries import Selected, TableQuery
from core.tables import StoredTable
from core.wording import stems

TRUSTED = 0.65  # confidence from which a calculation is given
_WORD_LEFT = 0.8  # confidence of a reading that leaves a word unexplained
_LOOKUP_TRUSTED = 0.92  # a row could also be quoted: a single cell is given only where the column is named wholly
_LIST_TRUSTED = 0.8
_AS_GOOD = 0.03  # of confidence, between tables whose rows are counted
_SHORT = 500  # rows of a table that is looked at without asking whether the question names a column
_LEAST = {Operation.LOOKUP: _LOOKUP_TRUSTED, Operation.LIST: _LIST_TRUSTED}

_OWN_PEOPLE = re.compile(
    r"\b(?:works?|working|employed)\s+(?:here|for\s+us|with\s+us|at\s+our)\b|\bemployees?\b|\bstaff\b|\b(?:people|colleagues)\s+do\s+we\b|\bdo\s+we\s+employ\b|"
    r"\b(?:arbeiten|beschäftigt)\s+(?:hier|bei\s+uns)\b|\bmitarbeite\w*\b",
    re.IGNORECASE,
)
_OUTSIDERS = re.compile(
    r"\b(?:outsid\w*|external|suppliers?|customers?|clients?|visitors?|guests?|contractors?|partners?|contacts|extern\w*|kunden|lieferant\w*)\b",
    re.IGNORECASE,
)

Select = Callable[[TableInHand, TableQuery], Awaitable[Selected]]


@dataclass(frozen=True, slots=True)
class _Reading:
    """The question over one table: the plans that are tried in their order, or the reason why it fits in two ways."""

    hand: TableInHand
    plans: tuple[Plan, ...] = ()
    unclear: str = ""


async def calculate(asked: Asked, tables: Sequence[TableInHand], select: Select) -> list[Calculated]:
    """Return the calculation of the table that the question fits best; several where tables fit equally well, each for itself; [] where none fits."""
    readings = await asyncio.to_thread(_readings, asked, tables)
    found = [each for reading in readings if (each := await _carried_out(asked, reading, select)) is not None]
    sure = [each for each in found if not each.unclear]
    # A table that explains every word and leaves a column open is asked of rather than one that leaves words unexplained.
    is_better = len(sure) < len(found) and all(each.calculation.confidence <= _WORD_LEFT for each in sure)
    chosen = [each for each in found if each.unclear] if is_better else sure or found
    best = max(((each.calculation.confidence, each.named) for each in chosen), default=(0.0, 0))
    if asked.operation is Operation.COUNT and chosen and not any(each.calculation.conditions or each.calculation.column for each in chosen):
        as_good = [each for each in chosen if each.calculation.confidence >= best[0] - _AS_GOOD]  # rows alone: of each table that may be meant
        return _of_own_people(asked, as_good)
    return _nearest_first(asked, [each for each in chosen if (each.calculation.confidence, each.named) == best])


def _nearest_first(asked: Asked, found: Sequence[Calculated]) -> list[Calculated]:
    """Of the tables of one document those first whose caption holds nothing that was not asked: "Cups" before "Cups since 1967"."""
    said = {word.stem for word in asked.words}
    documents = list(dict.fromkeys(each.hand.table.document_id for each in found))
    return sorted(found, key=lambda each: (documents.index(each.hand.table.document_id), len(stems(each.hand.table.caption) - said)))


def _of_own_people(asked: Asked, found: Sequence[Calculated]) -> list[Calculated]:
    """Without the tables of outsiders where those are counted who work here, if another table is left."""
    if not _OWN_PEOPLE.search(asked.text):
        return list(found)
    own = [each for each in found if not _OUTSIDERS.search(" ".join([each.hand.table.caption, *each.hand.table.section[-1:]]))]
    best = max((each.calculation.confidence for each in own), default=0.0)
    return [each for each in own if each.calculation.confidence == best] or list(found)


def _readings(asked: Asked, tables: Sequence[TableInHand]) -> list[_Reading]:
    return [each for hand in tables if (each := _read(asked, hand)) is not None]


def _read(asked: Asked, hand: TableInHand) -> _Reading | None:
    if not hand.facts.rows or not hand.table.columns:
        return None
    found: list[Plan] = []
    for each in (asked, *_otherwise(asked)):
        matching = Matching(each, hand)
        try:
            plan = plan_for(matching)
        except Unfit:
            continue
        except Unclear as reason:
            left, name, _ = matching.unexplained()
            if not (name or left or each.operation in {Operation.LOOKUP, Operation.LIST}):
                return _Reading(hand, unclear=str(reason))
            continue
        if plan.confidence >= _LEAST.get(plan.operation, TRUSTED):
            found.append(plan)
    return _Reading(hand, tuple(found)) if found else None


def _otherwise(asked: Asked) -> list[Asked]:
    """The same question with the operations that are meant where the first does not fit."""
    return [replace(asked, asks=replace(asked.asks, operation=each)) for each in asked.asks.otherwise]


async def _carried_out(asked: Asked, reading: _Reading, select: Select) -> Calculated | None:
    async def run(query: TableQuery) -> Selected:
        return await select(reading.hand, query)

    if reading.unclear:
        return told_unclear(asked.operation, reading.hand, reading.unclear)
    for plan in reading.plans:
        if (found := await carry_out(plan, reading.hand, run)) is not None:
            return found
    return None


def might_hold(asked: Asked, table: StoredTable, names: str) -> bool:
    """Return whether it is worth looking at a table: the question names a column of it, or it computes and the table is short or called so."""
    if asked.operation is not Operation.LOOKUP and table.kept <= _SHORT:
        return True
    words = {word.stem for word in asked.words if not word.plain}
    if any(name_stems(column) & words for column in table.columns):
        return True
    if asked.operation is Operation.LOOKUP and not asked.asks.otherwise:
        return False
    return bool(words & stems(f"{table.caption} {' '.join(table.section)} {re.sub('[_.-]', ' ', names)}"))
