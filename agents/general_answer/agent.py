"""Answers that come from no document: about Vantage and its library from their real state, and general knowledge from a model where there is one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import Field

from agents.document_requests.library_overview import overview as tell_kinds
from agents.general_answer.reply_stream import stream_reply
from agents.overview.agent import OverviewPorts, OverviewQuestion, answer_with_overview
from agents.overview.related_names import describe_relations, related_name
from agents.query_classifier.memory_requests import remember_request
from agents.text.query_filters import GROUP_NAMES, GROUPS
from core.answers import Answer
from core.documents import Document, DocumentState
from core.errors import ModelUnavailable
from core.ports import ChatModel, Library
from core.prompts import load_prompt
from core.search import EVERYTHING, Degradation, Filters, FrozenModel
from core.structured_output import render_messages

PROMPT = "general_answer"
NO_MODEL = "No language model is connected, so I can only answer from your documents."
GENERAL_KNOWLEDGE_MARK = "From the model's general knowledge, not from your documents."
NOTHING_WITHIN_LIMITS = "None of your documents is within these limits, so there is nothing to tell of them."
_WITHIN = "within your limits"
NO_PORTS = OverviewPorts()
MOST_DOCUMENTS, _PAGE_SIZE = 5_000, 200  # documents
_COUNT_QUESTION = re.compile(r"\b(?:how\s+many|number\s+of|count|how\s+much)\b", re.IGNORECASE)
_LISTING_QUESTION = re.compile(
    r"\b(?:list|show|which|what)\b.*\b(?:documents?|files?|docs?|pdfs?|folders?|library|index(?:ed)?|collection)\b", re.IGNORECASE
)


class GeneralAnswer(FrozenModel):
    """An answer without citations. `offers_documents`: nothing could be said, so the documents shall be searched instead."""

    answer: Answer
    offers_documents: bool = False
    tokens: dict[str, int] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LibraryState:
    """The library in numbers, counted now. `is_part`: of the documents that a question is limited to; passages and files are not counted then."""

    documents: int
    chunks: int
    files: int
    unreadable: int
    by_group: dict[str, int]
    folders: list[str]
    titles: list[str]
    is_part: bool = False


async def answer_about_system(
    question: str, *, tenant: str, library: Library, model_name: str | None, ports: OverviewPorts = NO_PORTS, overview: OverviewQuestion | None = None
) -> GeneralAnswer:
    """Return what Vantage is, can do and holds, from the real state of the library. `overview`: which one the router saw is asked for, and what the
    question is limited to; what the documents are about is told from their themes, where they have any."""
    limits = overview.filters if overview is not None else EVERYTHING
    if kept := remember_request(question):
        return GeneralAnswer(answer=Answer(text=f"I will remember: {kept.rstrip('.!')}.", generated_by="none"))
    if name := related_name(question):
        return GeneralAnswer(answer=await describe_relations(name, tenant, ports.graph, library, limits))
    if overview is not None and overview.aspect:
        documents, total = await _all_documents(tenant, library, overview.filters)
        if not total and not overview.filters.is_empty():
            return GeneralAnswer(answer=Answer(text=NOTHING_WITHIN_LIMITS, generated_by="none", found=False))
        return GeneralAnswer(answer=await answer_with_overview(overview, library, ports, tell_kinds(documents, total)))
    state = await library_state(tenant, library, limits)
    group = _asked_group(question)
    if _COUNT_QUESTION.search(question) and group:
        text = _count_sentence(state, group)
    elif _COUNT_QUESTION.search(question):
        text = _totals_sentence(state)
    elif _LISTING_QUESTION.search(question) and "model" not in question.lower():
        text = _listing(state, folders="folder" in question.lower())
    else:
        text = _capabilities(state, model_name)
    return GeneralAnswer(answer=Answer(text=text, generated_by="none"))


async def answer_general(question: str, *, llm: ChatModel | None, tell: Callable[[str], None]) -> GeneralAnswer:
    """Answer general knowledge from the model, streamed and marked as such. Without a model nothing is made up: the documents are offered."""
    if llm is None:
        return GeneralAnswer(answer=Answer(text=NO_MODEL, generated_by="none", found=False), offers_documents=True)
    prompt = load_prompt(PROMPT)
    try:
        reply = await stream_reply(llm, render_messages(prompt, {"question": question}), tell)
    except ModelUnavailable as error:
        lost = Degradation(part="model", reason=f"{error} The documents were searched instead.")
        return GeneralAnswer(answer=Answer(text=NO_MODEL, generated_by="none", found=False, degraded=[lost]), offers_documents=True)
    tell(f"\n\n{GENERAL_KNOWLEDGE_MARK}")
    answer = Answer(text=f"{reply.text.strip()}\n\n{GENERAL_KNOWLEDGE_MARK}", generated_by=llm.name, notes=[GENERAL_KNOWLEDGE_MARK])
    return GeneralAnswer(answer=answer, tokens={"input": reply.input_tokens, "output": reply.output_tokens}, prompts={prompt.name: prompt.sha})


async def _all_documents(tenant: str, library: Library, filters: Filters) -> tuple[list[Document], int]:
    """The documents that filters let through, at most MOST_DOCUMENTS, and how many there are."""
    found: list[Document] = []
    cursor: str | None = None
    while True:
        page, total, cursor = await library.list_documents(tenant, filters=filters, limit=_PAGE_SIZE, cursor=cursor)
        found += page
        if cursor is None or len(found) >= MOST_DOCUMENTS:
            return found, total


async def library_state(tenant: str, library: Library, limits: Filters = EVERYTHING) -> LibraryState:
    """Count the library, or the documents within limits, by groups of files, folders and titles."""
    by_group = {group: await _count_types(tenant, library, limits, types) for group, types in GROUPS.items()}
    page, documents, _ = await library.list_documents(tenant, filters=limits, limit=10)
    folders = [root.path for root in await library.roots(tenant)]
    titles = [document.title or document.filename for document in page]
    if not limits.is_empty():
        return LibraryState(documents, chunks=0, files=0, unreadable=0, by_group=by_group, folders=folders, titles=titles, is_part=True)
    totals = await library.totals(tenant)
    unreadable = sum(totals.by_state.get(state, 0) for state in (DocumentState.FAILED, DocumentState.QUARANTINED, DocumentState.SKIPPED))
    return LibraryState(totals.documents, totals.chunks, totals.files, unreadable, by_group, folders, titles)


async def _count_types(tenant: str, library: Library, limits: Filters, types: Sequence[str]) -> int:
    """Count the documents of these types within limits, which may name types themselves."""
    wanted = [each for each in types if not limits.file_types or each in limits.file_types]
    if not wanted:
        return 0
    _, count, _ = await library.list_documents(tenant, filters=limits.model_copy(update={"file_types": wanted}), limit=1)
    return count


def _asked_group(question: str) -> str:
    words = {
        "pdf": r"pdfs?",
        "image": r"images?|photos?|pictures?",
        "spreadsheet": r"spread\s?sheets?|excel\w*|csvs?",
        "word": r"word|docx?",
        "presentation": r"presentations?|slides?|decks?|power\s?points?",
        "mail": r"e-?mails?|mails?",
        "book": r"e-?books?|epubs?",
    }
    return next((group for group, pattern in words.items() if re.search(rf"\b(?:{pattern})\b", question, re.IGNORECASE)), "")


def _number(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}" if count else f"no {many}"


def _is_or_are(count: int) -> str:
    return "is" if count == 1 else "are"


def _count_sentence(state: LibraryState, group: str) -> str:
    count = state.by_group[group]
    of_all = _number(state.documents, "document", "documents")
    return _capitalise_first(
        f"{_number(count, *GROUP_NAMES[group])} {_is_or_are(count)} searchable, of {of_all} {_WITHIN if state.is_part else 'in all'}."
    )


def _totals_sentence(state: LibraryState) -> str:
    kinds = [_number(count, *GROUP_NAMES[group]) for group, count in state.by_group.items() if count]
    documents, passages = _number(state.documents, "document", "documents"), _number(state.chunks, "passage", "passages")
    text = (
        f"{documents}{f' {_WITHIN}' if state.is_part else ''} {_is_or_are(state.documents)} searchable{'' if state.is_part else f', in {passages}'}"
    )
    text += f": {_join_names(kinds)} among them." if kinds else "."
    if state.unreadable:
        left_out = "was" if state.unreadable == 1 else "were"
        text += f" {_number(state.unreadable, 'file', 'files')} could not be read or {left_out} left out; the ledger says why."
    return _capitalise_first(text)


def _listing(state: LibraryState, *, folders: bool) -> str:
    if folders:
        return "Indexed folders: " + "; ".join(state.folders) + "." if state.folders else "No folder is indexed yet."
    if not state.documents:
        return NOTHING_WITHIN_LIMITS if state.is_part else "The library is empty: no folder is indexed yet."
    shown = "; ".join(state.titles)
    more = state.documents - len(state.titles)
    return f"{_totals_sentence(state)} {'The first are' if more > 0 else 'They are'}: {shown}{f', and {more:,} more' if more > 0 else ''}."


def _capabilities(state: LibraryState, model_name: str | None) -> str:
    start = "I answer questions from your own documents and cite the sentence each answer comes from. "
    voice = (
        f"Answers are written by {model_name} and checked against their sources. "
        if model_name
        else "Without a language model I quote your documents word for word. "
    )
    ask = "You can narrow a question by kind of file, folder or time, and open every citation where it stands. "
    return start + voice + ask + (_totals_sentence(state) if state.documents or state.is_part else "The library is empty: index a folder to begin.")


def _join_names(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _capitalise_first(text: str) -> str:
    return text[:1].upper() + text[1:]
