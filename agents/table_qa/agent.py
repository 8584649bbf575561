"""The tables that a question is about, its query carried out over each that fits, and the best answer.

    calculate(parse_table_question("What is the total freight per carrier?"), tables, select) -> [TableAnswer(...)]

What does not fit a table clearly is not computed: the question is then answered from the passages like any other.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from agents.table_qa.candidate_tables import CandidateTable
from agents.table_qa.difference_wording import tell_whether
from agents.table_qa.heading_spellings import spell_as_headings
from agents.table_qa.heading_words import column_stems
from agents.table_qa.operations import Operation, says_sum
from agents.table_qa.plan_execution import execute_plan
from agents.table_qa.query_plan import TablePlan, plan_table_query
from agents.table_qa.result_wording import TableAnswer, tell_ambiguity
from agents.table_qa.row_conditions import AmbiguousQuestion, UnfitTable
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.table_question import TableQuestion
from agents.table_qa.unexplained_words import unexplained_words
from core.language.content_words import stems
from core.table_queries import QueryResult, TableQuery
from core.tables import StoredTable

LEAST_CONFIDENCE = 0.65  # confidence from which a calculation is given
_UNEXPLAINED_CONFIDENCE = 0.8  # confidence of a reading that leaves a word unexplained
_LOOKUP_TRUSTED = 0.92  # a row could also be quoted: a single cell is given only where the column is named wholly
_LIST_TRUSTED = 0.8
_EQUAL_CONFIDENCE = 0.03  # of confidence, between tables whose rows are counted
_MOST_UNNAMED_ROWS = 500  # rows of a table that is looked at without asking whether the question names a column
_LEAST_BY_OPERATION = {Operation.LOOKUP: _LOOKUP_TRUSTED, Operation.LIST: _LIST_TRUSTED}

_OWN_PEOPLE = re.compile(
    r"\b(?:works?|working|employed)\s+(?:here|for\s+us|with\s+us|at\s+our)\b|\bemployees?\b|\bstaff\b|\b(?:people|colleagues)\s+do\s+we\b|\bdo\s+we\s+employ\b|"
    r"\b(?:arbeiten|beschäftigt)\s+(?:hier|bei\s+uns)\b|\bmitarbeite\w*\b",
    re.IGNORECASE,
)
_OUTSIDERS = re.compile(
    r"\b(?:outsid\w*|external|suppliers?|customers?|clients?|visitors?|guests?|contractors?|partners?|contacts|extern\w*|kunden|lieferant\w*)\b",
    re.IGNORECASE,
)

_ASKS_ROWS = re.compile(r"\W*(?:(?:in|on|at|for|to|from)\s+)?(?:who|which|wer|welche[rsnm]?)\b", re.IGNORECASE)
SelectRows = Callable[[CandidateTable, TableQuery], Awaitable[QueryResult]]


@dataclass(frozen=True, slots=True)
class _TablePlans:
    """The question over one table: the plans that are tried in their order, or the reason why it fits in two ways."""

    candidate: CandidateTable
    plans: tuple[TablePlan, ...] = ()
    ambiguity: str = ""


async def calculate(asked: TableQuestion, tables: Sequence[CandidateTable], select: SelectRows) -> list[TableAnswer]:
    """Return the calculation of the table that the question fits best; several where tables fit equally well, each for itself; [] where none fits."""
    readings = await asyncio.to_thread(_plan_tables, asked, tables)
    chosen = _choose_kind([each for reading in readings if (each := await _execute(asked, reading, select)) is not None])
    best = max(((each.calculation.confidence, each.named) for each in chosen), default=(0.0, 0))
    counts_rows = chosen and not any(each.calculation.conditions or each.calculation.column for each in chosen)
    if asked.operation is Operation.COUNT and counts_rows:  # rows alone: of each table that may be meant
        return _prefer_own_people(asked, [each for each in chosen if each.calculation.confidence >= best[0] - _EQUAL_CONFIDENCE])
    return _nearest_first(asked, [each for each in chosen if (each.calculation.confidence, each.named) == best])


def _choose_kind(found: Sequence[TableAnswer]) -> Sequence[TableAnswer]:
    """Return the answers that are sure, or those that fit in two ways: a table that explains every word and leaves a column open is asked of rather
    than one that leaves words unexplained."""
    sure = [each for each in found if not each.is_ambiguous]
    is_better = len(sure) < len(found) and all(each.calculation.confidence <= _UNEXPLAINED_CONFIDENCE for each in sure)
    return [each for each in found if each.is_ambiguous] if is_better else sure or found


def _nearest_first(asked: TableQuestion, found: Sequence[TableAnswer]) -> list[TableAnswer]:
    """Of the tables of one document those first whose caption holds nothing that was not asked: "Cups" before "Cups since 1967"."""
    said = {word.stem for word in asked.words}
    order = list(dict.fromkeys(each.candidate.table.document_id for each in found))
    unasked = [len(stems(each.candidate.table.caption) - said) for each in found]
    ranked = sorted((order.index(each.candidate.table.document_id), unasked[at], at) for at, each in enumerate(found))
    least = dict(reversed([(document, words) for document, words, _ in ranked]))
    return [replace(found[at], is_nearest=words == least[document]) for document, words, at in ranked]


def _prefer_own_people(asked: TableQuestion, found: Sequence[TableAnswer]) -> list[TableAnswer]:
    """Without the tables of outsiders where those are counted who work here, if another table is left."""
    if not _OWN_PEOPLE.search(asked.text):
        return list(found)
    own = [each for each in found if not _OUTSIDERS.search(" ".join([each.candidate.table.caption, *each.candidate.table.section[-1:]]))]
    best = max((each.calculation.confidence for each in own), default=0.0)
    return [each for each in own if each.calculation.confidence == best] or list(found)


def _plan_tables(asked: TableQuestion, tables: Sequence[CandidateTable]) -> list[_TablePlans]:
    return [each for candidate in tables if (each := _plan_table(asked, candidate)) is not None]


def _plan_table(asked: TableQuestion, candidate: CandidateTable) -> _TablePlans | None:
    if not candidate.facts.rows or not candidate.table.columns:
        return None
    found: list[TablePlan] = []
    for each in _list_readings(asked):
        matching = TableMatch(each, candidate)
        try:
            plan = plan_table_query(matching)
        except UnfitTable:
            continue
        except AmbiguousQuestion as reason:
            left, name, _ = unexplained_words(matching)
            if not (name or left or each.operation in {Operation.LOOKUP, Operation.LIST}):
                return _TablePlans(candidate, ambiguity=str(reason))
            continue
        if plan.confidence >= _LEAST_BY_OPERATION.get(plan.operation, LEAST_CONFIDENCE):
            found.append(plan)
    return _TablePlans(candidate, tuple(found)) if found else None


def _list_readings(asked: TableQuestion) -> list[TableQuestion]:
    """The question and what is meant where it does not fit: the same with another operation, or without the relation of two columns."""
    requests = [asked.request, *([asked.request.otherwise] if asked.request.otherwise is not None else [])]
    return [
        replace(asked, request=replace(request, operation=each, otherwise=None))
        for request in requests
        for each in (request.operation, *request.alternatives)
    ]


async def _execute(asked: TableQuestion, reading: _TablePlans, select: SelectRows) -> TableAnswer | None:
    async def run(query: TableQuery) -> QueryResult:
        return await select(reading.candidate, query)

    if reading.ambiguity:
        return tell_ambiguity(asked.operation, reading.candidate, reading.ambiguity)
    for plan in reading.plans:
        found = await execute_plan(plan, reading.candidate, run)
        if found is not None and (not found.is_contradicted or says_sum(asked.text)):  # "how much is the rent" is no sum that the table denies
            return found if asked.checked is None else tell_whether(found, asked.checked, plan.target)
    return None


def may_hold_answer(asked: TableQuestion, table: StoredTable, names: str) -> bool:
    """Return whether it is worth looking at a table: the question names a column of it, or it computes and the table is short or called so."""
    computes = asked.operation is not Operation.LOOKUP or (asked.request.alternatives and _ASKS_ROWS.match(asked.text) is not None)
    if computes and table.kept <= _MOST_UNNAMED_ROWS:
        return True
    spelled = spell_as_headings(asked.words, table.columns, asks_who=asked.asks_who)
    words = {name for word, names in zip(asked.words, spelled, strict=True) if not word.is_plain for name in names}
    if any(column_stems(column) & words for column in table.columns):
        return True
    if asked.operation is Operation.LOOKUP and not asked.request.alternatives:
        return False
    return bool(words & stems(f"{table.caption} {' '.join(table.section)} {re.sub('[_.-]', ' ', names)}"))
