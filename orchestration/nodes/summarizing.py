"""Thoth's step: the documents that are meant, in their own sentences or written by a model from them."""

from __future__ import annotations

from dataclasses import replace

from agents.summarization import agent
from agents.summarization.documents import find_documents
from agents.summarization.length import length_of, to_condense
from agents.unit_citations import QuotedAnswer
from core.answers import Answer
from orchestration.adapter import Done, Tools
from orchestration.nodes.searching import document_search
from orchestration.quoted_answers import Prepared, answer_quoted, answered_instead, available, sources_for, task_asked
from orchestration.response import counted
from orchestration.rewrite_with_model import Rewrite
from orchestration.state import State


async def summarize(state: State, tools: Tools) -> Done:
    """Where nothing can be summed up the documents are searched like for any other question."""
    question, sources = task_asked(state), sources_for(state, tools)
    choice, length = await find_documents(question, state["retrieval"], sources=sources), length_of(question)
    summary = await agent.summarize(choice, length, sources=sources)
    if not summary.documents:
        return answered_instead(await document_search(state, tools), "No text to sum up was found, so the question is answered as written.")
    prepared = Prepared(summary.quoted, summary.names)
    if (writer := available(tools.deps.summary_writer, state)) is not None:
        tools.tell(f"Writing the summary of {summary.names}")
        material = (await agent.summarize(choice, to_condense(length), sources=sources)).quoted
        task = agent.task_of(question, length, len(summary.documents))
        quoted = QuotedAnswer(summary.quoted.answer, [*summary.quoted.passages, *material.passages])
        rewrite = Rewrite(writer, task, material.answer, "The summary is made of the documents' own sentences.")
        prepared = Prepared(quoted, summary.names, rewrite)
    done = await answer_quoted(prepared, state, tools, sources)
    answer: Answer = done.writes["answer"]
    return replace(done, writes={**done.writes, "summary": answer.text}, details=_in_words(summary.names, answer))


def _in_words(names: str, answer: Answer) -> str:
    words = sum(len(sentence.text.split()) for sentence in answer.sentences)
    by = "" if answer.generated_by == "extractive" else f", written by {answer.generated_by}"
    return f"{names}: {counted(len(answer.sentences), 'sentence')}, {counted(words, 'word')}{by}."
