"""The routes that search nothing: the library's own state, general knowledge, and asking back."""

from __future__ import annotations

from typing import Any

from agents.clarification import clarify
from agents.general_answer import answer_about_system, answer_general
from core.documents import Document
from core.search import Intent
from orchestration.adapter import Done, Tools
from orchestration.response import counted
from orchestration.state import State


async def general_answer(state: State, tools: Tools) -> Done:
    """The library's real state, or general knowledge by the model; without one the documents are searched instead (`preface`)."""
    question, model = state["query"].text, state["model"]
    if state["classification"].intent is Intent.SYSTEM_META:
        name = model.name if model.available else None
        given = await answer_about_system(question, tenant=tools.run.tenant, library=tools.deps.library, model_name=name)
        return Done({"answer": given.answer}, "Answered from the library's state.")
    given = await answer_general(question, llm=tools.deps.model if model.available else None, tell=tools.run.token)
    writes: dict[str, Any] = {"answer": given.answer}
    if given.offers_documents:
        writes["preface"] = given.answer.text
        tools.run.rewrite()
    details = "No model for general knowledge: the documents are searched." if given.offers_documents else f"Answered by {given.answer.generated_by}."
    return Done(writes, details, tuple(given.answer.degraded), tokens=given.tokens, prompts=given.prompts)


async def ask_back(state: State, tools: Tools) -> Done:
    documents = await _some_documents(tools)
    asked = await clarify(state["query"].text, documents=documents)
    return Done({"clarification": asked}, f"{counted(len(asked.questions), 'choice')} from the library.")


async def _some_documents(tools: Tools) -> list[Document]:
    chunks = await tools.deps.library.sample_chunks(tools.run.tenant, 12)
    found = await tools.deps.library.documents(tools.run.tenant, list(dict.fromkeys(chunk.document_id for chunk in chunks)))
    return list(found.values())
