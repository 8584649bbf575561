"""Aristotle's step: a calculation or a trend where an analysis asks for one, else a comparison, else the findings of the documents that are named."""

from __future__ import annotations

from dataclasses import replace

from agents.comparison import model_wording
from agents.comparison.agent import ComparisonAnswer, compare
from agents.comparison.trends import Trend, find_trend
from agents.sources.source_documents import SourceDocuments
from agents.summarization.agent import FINDINGS_LENGTH, QuotedSummary, key_findings, task_of
from agents.summarization.document_choice import topic_of
from core.insights import Comparison
from core.search import Intent
from orchestration.answer_chance import AnswerChance
from orchestration.node_adapter import Node, NodeResult, OptionalAnswer
from orchestration.quoted_answers import PreparedAnswer, QuotePorts, answer_quoted, english_task, make_sources, prefix_details, usable_writer
from orchestration.response import format_count
from orchestration.rewrite_with_model import Rewrite
from orchestration.state import State


async def analyze(
    state: State, *, comparison: QuotePorts, findings: QuotePorts, compute: OptionalAnswer, search: Node, answerability: AnswerChance
) -> NodeResult:
    """Compare documents, or look for trends. Where the question names no two sides that the library knows, the documents are searched like for any
    other question.
    """
    question, found, sources = english_task(state), state["retrieval"], make_sources(state, comparison)
    is_analysis = state["classification"].intent is Intent.ANALYSIS
    if (computed := await compute(state)) is not None:
        return computed
    if is_analysis and (trend := await find_trend(question, found, documents=sources)) is not None:
        return await answer_quoted(PreparedAnswer(trend.quoted_answer, _trend_in_words(trend)), state, comparison, sources)
    if (compared := await compare(question, found, documents=sources)) is not None:
        return await _show_comparison(question, compared, state, comparison, sources)
    if is_analysis and answerability.judge(state, found) >= answerability.least:  # else documents speak of it only in passing
        told = await key_findings(topic_of(state["classification"].search_text), found, sources=sources)
        if told.documents:
            return await _show_findings(question, told, state, findings, sources)
    return prefix_details(await search(state), "Nothing to set side by side was found, so the question is answered as written.")


async def _show_comparison(question: str, compared: ComparisonAnswer, state: State, ports: QuotePorts, sources: SourceDocuments) -> NodeResult:
    """Show the table, which keeps the documents' own words, also where a model tells it; both cite by one numbering."""
    quoted, rewrite = compared.quoted_answer, None
    if (writer := usable_writer(ports.writer, state)) is not None:
        task = model_wording.task_of(question, compared.table)
        rewrite = Rewrite(writer, task, quoted.answer, "The table stands as it is, in the documents' own words.")
    done = await answer_quoted(PreparedAnswer(quoted, _comparison_in_words(compared.table), rewrite), state, ports, sources)
    table, answer = model_wording.merge_citations(compared.table, quoted.answer.citations, done.writes["answer"])
    return replace(done, writes={**done.writes, "comparison": table, "answer": answer})


async def _show_findings(question: str, findings: QuotedSummary, state: State, ports: QuotePorts, sources: SourceDocuments) -> NodeResult:
    answer, rewrite = findings.quoted_answer.answer, None
    if (writer := usable_writer(ports.writer, state)) is not None:
        task = task_of(question, FINDINGS_LENGTH, len(findings.documents))
        rewrite = Rewrite(writer, task, answer, "The findings are the documents' own sentences.")
    details = f"Key findings of {findings.names}: {format_count(len(answer.sentences), 'sentence')} chosen."
    return await answer_quoted(PreparedAnswer(findings.quoted_answer, details, rewrite), state, ports, sources)


def _trend_in_words(trend: Trend) -> str:
    columns = ", ".join(f"“{column.name}”" for column in trend.series)
    return f"{trend.document.filename}: {columns} over {format_count(len(trend.series[0].rows), 'row')}."


def _comparison_in_words(table: Comparison) -> str:
    found = sum(cell.found for row in table.rows for cell in row.cells)
    sides = ", ".join(side.name for side in table.sides)
    return f"{sides}: {format_count(len(table.rows), 'attribute')}, {found} of {format_count(len(table.rows) * len(table.sides), 'cell')} found."
