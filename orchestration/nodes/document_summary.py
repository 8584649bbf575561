"""Thoth's step: the documents that are meant, in their own sentences or written by a model from them."""

from __future__ import annotations

from dataclasses import replace

from agents.sources.unit_citations import QuotedAnswer
from agents.summarization import agent
from agents.summarization.document_choice import find_documents
from agents.summarization.summary_length import length_of, source_length
from core.answers import Answer
from orchestration.node_adapter import Node, NodeResult, Tell
from orchestration.quoted_answers import PreparedAnswer, QuotePorts, answer_quoted, english_task, make_sources, prefix_details, usable_writer
from orchestration.response import format_count
from orchestration.rewrite_with_model import Rewrite
from orchestration.state import State


async def summarize(state: State, *, ports: QuotePorts, search: Node, tell: Tell) -> NodeResult:
    """Sum documents up. Where nothing can be summed up the documents are searched like for any other question."""
    question, sources = english_task(state), make_sources(state, ports)
    choice, length = await find_documents(question, state["retrieval"], sources=sources), length_of(question)
    summary = await agent.summarize(choice, length, sources=sources)
    if not summary.documents:
        return prefix_details(await search(state), "No text to sum up was found, so the question is answered as written.")
    prepared = PreparedAnswer(summary.quoted_answer, summary.names)
    if (writer := usable_writer(ports.writer, state)) is not None:
        tell(f"Writing the summary of {summary.names}")
        material = (await agent.summarize(choice, source_length(length), sources=sources)).quoted_answer
        task = agent.task_of(question, length, len(summary.documents))
        quoted = QuotedAnswer(summary.quoted_answer.answer, [*summary.quoted_answer.passages, *material.passages])
        rewrite = Rewrite(writer, task, material.answer, "The summary is made of the documents' own sentences.")
        prepared = PreparedAnswer(quoted, summary.names, rewrite)
    done = await answer_quoted(prepared, state, ports, sources)
    answer: Answer = done.writes["answer"]
    return replace(done, writes={**done.writes, "summary": answer.text}, details=_describe_summary(summary.names, answer))


def _describe_summary(names: str, answer: Answer) -> str:
    words = sum(len(sentence.text.split()) for sentence in answer.sentences)
    by = "" if answer.generated_by == "extractive" else f", written by {answer.generated_by}"
    return f"{names}: {format_count(len(answer.sentences), 'sentence')}, {format_count(words, 'word')}{by}."
