"""The documents that a question asks for, as a list: which, why, and what each says of it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from agents.document_requests.document_selection import MOST_NAMED, ListedDocument, day_of, list_documents
from agents.document_requests.request_parser import DocumentRequest
from agents.explanation.agent import LISTED_STAGE
from core.answers import Answer, AnswerSentence, Citation
from core.cited_answers import CitationNumbers, cited_text
from core.documents import BlockKind, Document
from core.errors import NotFound
from core.language.content_words import is_described, stems
from core.language.language_clues import LANGUAGE_NAMES
from core.language.sentences import split_sentences
from core.ports import DocumentContent, Mention, Mentions, NearTopic
from core.search import Filters, Passage, StageScore
from orchestration.answer_generation import stream_text
from orchestration.evidence import gather_evidence, make_results
from orchestration.node_adapter import NodeResult, Tools
from orchestration.response import format_count
from orchestration.state import ListedDocuments, State

MAX_DOCUMENTS = 20_000  # documents of a library that are looked through
_PAGE = 200
_SURE, _ABOUT, _NEAR = (
    0.95,
    0.8,
    0.6,
)  # kind, day and words are certain; what a document is about is judged; what is near in meaning may be near alone
_EXCERPT_CHARACTERS = 180  # characters
_CONTEXT_CHARACTERS = 60  # characters in front of a mention
_NOTHING = Mentions({}, is_complete=True)


async def answer_with_documents(request: DocumentRequest, state: State, tools: Tools) -> NodeResult | None:
    """Return the list as an answer; None where no document is meant: then the question is searched like any other."""
    filters = state["query"].filters
    if request.folder:
        filters = filters.model_copy(update={"path_prefix": state["classification"].filters.path_prefix})
    if (request.mentions or request.topic) and tools.deps.mentions is None:
        return None  # whoever cannot look words up searches for them
    documents, all_read = await _documents(filters, tools)
    looked = await _match_documents(request, documents, filters, state, tools)
    listed = looked.listed
    if not listed:
        return None if request.topic or request.tentative or request.loose else _answer_none(request, len(documents))
    start, named = request.offset or state["request"].offset, request.number or MOST_NAMED
    if start >= len(listed):
        return _answer_no_more(request, len(listed))
    shown = listed[start : start + max(named, state["request"].top_k)]
    about = stems(looked.near.words or request.topic)
    read = await asyncio.gather(*(_read_excerpt(each, about, tools) for each in shown))
    excerpts = [(each, *found) for each, found in zip(shown, read, strict=True) if found is not None]
    passages = [_passage(each, content, span, rank) for rank, (each, content, span) in enumerate(excerpts)]
    gathered = await gather_evidence(passages, tools.run.library, tools.deps.library)
    notes = looked.notes + ([] if all_read else [f"Only the first {MAX_DOCUMENTS:,} documents of your library were looked through."])
    excerpts = excerpts[:named]
    said = list_heading(request, len(listed), looked.near)
    answer = _answer(said, ListPart(len(listed), start), excerpts, notes)
    stream_text(answer.text, tools)
    writes = {
        "passages": passages,
        "evidence": gathered.evidence,
        "results": make_results(passages, gathered.documents, state["request"].top_k),
        "sections": [],
        "answer": answer,
        "listing": ListedDocuments(len(listed), looked.sure, start, len(excerpts)),
    }
    return NodeResult(writes, f"{said} {format_count(len(documents), 'document')} looked through.")


class _DocumentMatches(NamedTuple):
    """The documents that are meant, `near` where their own words for the topic are others, `sure` from 0 to 1."""

    listed: list[ListedDocument]
    near: NearTopic
    notes: list[str]
    sure: float


async def _match_documents(request: DocumentRequest, documents: Sequence[Document], filters: Filters, state: State, tools: Tools) -> _DocumentMatches:
    """Return the documents by the words of the request; a topic that no document has in these words by others for it, and by its meaning. What says a
    described topic in other words is listed beside those that have all of its words."""
    tenant, words, mentions = tools.run.library, request.mentions or request.topic, _NOTHING
    if words and tools.deps.mentions is not None:
        mentions = await tools.deps.mentions.find_mentions(tenant, words, filters, together=bool(request.mentions))
    ranked = list(dict.fromkeys(candidate.document_id for candidate in state["retrieval"].candidates))
    listed = list_documents(request, documents, mentions.by_document, ranked)
    notes = [] if mentions.is_complete else ["The words stand in so many passages that not all of them were looked at."]
    if (listed and not is_described(request.topic)) or not request.topic or request.tentative or tools.deps.topics is None:
        return _DocumentMatches(listed, NearTopic(), notes, _ABOUT if request.topic else _SURE)
    near = await tools.deps.topics.find_near(tenant, request.topic, filters, question=state["query"].text)
    if is_described(request.topic) and not near.words:
        near = NearTopic(mentions=_keep_searched(near.mentions, ranked))
    if listed:
        beside = {} if near.words else near.mentions
        return _DocumentMatches(list_documents(request, documents, {**beside, **mentions.by_document}, ranked), NearTopic(), notes, _ABOUT)
    listed = list_documents(request.model_copy(update={"topic": near.words or request.topic}), documents, near.mentions, ranked)
    if near.words:
        return _DocumentMatches(listed, near, notes, _ABOUT)
    return _DocumentMatches(listed, near, [*notes, f"No passage has all words of “{request.topic}”: what is listed is near them in meaning."], _NEAR)


def _keep_searched(near: Mapping[str, Mention], ranked: Sequence[str]) -> dict[str, Mention]:
    """Return those that the search found as well: in a library of one subject everything lies near a topic in many words."""
    return {document: near[document] for document in ranked if document in near}


def _answer_none(request: DocumentRequest, looked_through: int) -> NodeResult:
    """Return the answer that there is no such document, which is an answer, and a certain one."""
    said = f"{list_heading(request, 0)} {format_count(looked_through, 'document')} of your library looked through."
    return NodeResult(
        {"passages": [], "evidence": [], "results": [], "sections": [], "answer": Answer(text=said, generated_by="none", found=False)}, said
    )


def _answer_no_more(request: DocumentRequest, total: int) -> NodeResult:
    """Return the answer that there are no further ones, which is no "not found": the list had an end."""
    said = f"{list_heading(request, total)} There are no more."
    answer = Answer(text=said, generated_by="extractive")
    listing = ListedDocuments(total, _SURE, total, 0)
    return NodeResult({"passages": [], "evidence": [], "results": [], "sections": [], "answer": answer, "listing": listing}, said)


async def _documents(filters: Filters, tools: Tools) -> tuple[list[Document], bool]:
    """Return the documents of the library, and whether these are all."""
    found: list[Document] = []
    cursor: str | None = None
    while len(found) < MAX_DOCUMENTS:
        page, _, cursor = await tools.deps.library.list_documents(tools.run.library, filters=filters, limit=_PAGE, cursor=cursor)
        found += page
        if cursor is None:
            return found, True
    return found, False


async def _read_excerpt(each: ListedDocument, about: frozenset[str], tools: Tools) -> tuple[DocumentContent, tuple[int, int]] | None:
    """Return a document's text and what is quoted of it; None for one that went meanwhile."""
    try:
        content = await tools.deps.library.content(tools.run.library, each.document.id)
    except NotFound:
        return None
    return content, _choose_excerpt(content, each, about)


def _choose_excerpt(content: DocumentContent, each: ListedDocument, about: frozenset[str]) -> tuple[int, int]:
    """Return the span of the sentence of the first mention, of a passage about the topic the one with most of its words; else the first words of the
    running text."""
    if each.mention is not None and about and each.mention.end <= len(content.text):
        begin = each.mention.start
        spans = [(begin + start, begin + end) for start, end in split_sentences(content.text[begin : each.mention.end])]
        if spans:
            best = max(spans, key=lambda span: (len(about & stems(content.text[slice(*span)])), min(span[1] - span[0], _CONTEXT_CHARACTERS)))
            return _shorten_span(content.text, *best)
    if each.mention is not None and each.mention.end <= len(content.text):
        line = max(content.text.rfind("\n", 0, each.mention.start) + 1, each.mention.start - _EXCERPT_CHARACTERS)
        for start, end in split_sentences(content.text[line : each.mention.end + _EXCERPT_CHARACTERS]):
            if line + start <= each.mention.start < line + end:
                return _shorten_span(content.text, max(line + start, each.mention.start - _CONTEXT_CHARACTERS), line + end)
        return _shorten_span(content.text, each.mention.start, each.mention.start + _EXCERPT_CHARACTERS)
    block = next(
        (block for block in content.document.blocks if block.kind is BlockKind.PARAGRAPH and block.end - block.start > _CONTEXT_CHARACTERS), None
    )
    start = block.start if block is not None else len(content.text) - len(content.text.lstrip())
    return _shorten_span(content.text, start, block.end if block is not None else len(content.text))


def _shorten_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return at most so many characters, from the beginning of a word to the end of one, on one line."""
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    line = text.find("\n", start)
    end = min(end, start + _EXCERPT_CHARACTERS, line if line > start else end)
    while end < len(text) and end > start + 1 and text[end - 1].isalnum() and text[end].isalnum():
        end -= 1
    said = text[start:end]
    return start + len(said) - len(said.lstrip()), max(start + len(said.rstrip()), start + 1)


def _passage(each: ListedDocument, content: DocumentContent, span: tuple[int, int], rank: int) -> Passage:
    start, end = span
    section = next((list(found.path) for found in content.document.sections if found.start <= start < found.end), [])
    page = next((found.number for found in content.document.pages if found.start <= start < found.end), None)
    score = 1.0 / (1 + rank)
    return Passage(
        content=content.text[start:end],
        section=section,
        document_id=each.document.id,
        start=start,
        end=end,
        chunks=[],
        page=page,
        anchor=0,
        anchor_score=score,
        coherence_score=1.0,
        stages={LISTED_STAGE: StageScore(rank=rank + 1, score=score)},
    )


class ListPart(NamedTuple):
    """The part of a list of `total` documents that begins at `start`, from 0."""

    total: int
    start: int


def _answer(said: str, part: ListPart, excerpts: Sequence[tuple[ListedDocument, DocumentContent, tuple[int, int]]], notes: list[str]) -> Answer:
    numbers, sentences = CitationNumbers(), list[AnswerSentence]()
    for each, content, (start, end) in excerpts:

        def made(number: int, each: ListedDocument = each, content: DocumentContent = content, start: int = start, end: int = end) -> Citation:
            passage = _passage(each, content, (start, end), 0)
            return Citation(
                number=number,
                document_id=each.document.id,
                generation=content.generation,
                filename=each.document.filename,
                page=passage.page,
                start=start,
                end=end,
                quote=content.text[start:end],
                section=passage.section,
                passage_start=start,
                passage_end=end,
            )

        number = numbers.assign(each.document.id, start, end, made)
        text = f"{_describe_document(each)} “{' '.join(content.text[start:end].split())}”"
        sentences.append(AnswerSentence(text=text, citations=[number], support="quoted", score=each.strength, kind=BlockKind.LIST_ITEM))
    return Answer(
        text=f"{said}{_part_phrase(part, len(excerpts))}\n\n{cited_text(sentences)}",
        sentences=sentences,
        citations=numbers.ordered_citations(),
        notes=notes,
    )


def _part_phrase(part: ListPart, named: int) -> str:
    if part.start:
        last = f" to {part.start + named:,}" if named > 1 else ""
        return f" {'These are' if named > 1 else 'This is'} {part.start + 1:,}{last}:"
    return f" The first {named} are:" if part.total > named else ""


def _describe_document(each: ListedDocument) -> str:
    """Return "Boathouse lease (contract, 22 March 2021): its name says so.", for a listed document."""
    document, day = each.document, day_of(each.document)
    details = [document.doc_type or document.file_type.lstrip("."), f"{day.day} {day:%B %Y}" if day is not None else ""]
    name = document.title or document.filename
    inside = ", ".join([*([document.filename] if document.filename not in {name, ""} else []), *(part for part in details if part)])
    return f"{name} ({inside}): {each.reason}." if each.reason else f"{name} ({inside}):"


def list_heading(request: DocumentRequest, total: int, near: NearTopic | None = None) -> str:
    """Return "3 documents with “Pallas”.", "1 document about “Enten” (“ducks”)." or "2 documents near “plagues” in meaning." as the heading of a
    list."""
    one = _SINGULAR.get(request.kind, re.sub(r"s$", "", request.kind))
    several = _PLURAL.get(request.kind, request.kind)
    if " and " in request.kind:
        one, several = f"document ({request.kind})", f"documents ({request.kind})"
    what = f"No {several}" if total == 0 else f"1 {one}" if total == 1 else f"{total:,} {several}"
    if request.one and total:
        what = f"The {request.order} {one}"
    parts = [f"in {LANGUAGE_NAMES.get(request.language, request.language)}"] if request.language else []
    parts += [f"in the folder {request.folder}"] if request.folder else []
    when = request.when if _BOUND.match(request.when) else f"{'in' if request.changed else 'from'} {request.when}"
    parts += [f"changed {when}" if request.changed else when] if request.when else []
    parts += [_topic_phrase(request.topic, near)] if request.topic else []
    parts += [f"called “{request.name}”"] if request.name else []
    parts += [f"with “{request.mentions}”"] if request.mentions else []
    return f"{' '.join([what, *parts])}."


def _topic_phrase(topic: str, near: NearTopic | None) -> str:
    if near is None or not near.mentions:
        return f"about “{topic}”"
    return f"about “{topic}” (“{near.words}”)" if near.words else f"near “{topic}” in meaning"


_SINGULAR = {"policies": "policy", "minutes": "set of minutes"}
_PLURAL = {"minutes": "sets of minutes"}
_BOUND = re.compile(r"(?:since|after|before|until|between|from|seit|nach|vor|bis|zwischen)\b", re.IGNORECASE)
