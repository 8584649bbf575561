"""The documents that a question asks for, as a list: which, why, and what each says of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from agents.document_requests.document_selection import MOST_NAMED, ListedDocument, list_documents, list_heading, name_listed, name_part, quoted_span
from agents.document_requests.request_parser import DocumentRequest
from agents.explanation.agent import LISTED_STAGE
from core.answers import Answer, AnswerSentence
from core.cited_answers import CitationNumbers, cite_span, cited_text
from core.documents import BlockKind, Document
from core.errors import NotFound
from core.language.content_words import is_described, stems
from core.ports import DocumentContent, Library, Mention, MentionFinder, Mentions, NearTopic, TopicFinder
from core.search import Filters, Passage, StageScore
from orchestration.events import AnswerStream
from orchestration.evidence import gather_evidence, make_results
from orchestration.node_adapter import NodeResult
from orchestration.response import format_count
from orchestration.state import ListedDocuments, State

MAX_DOCUMENTS = 20_000  # documents of a library that are looked through
_PAGE = 200
_SURE, _ABOUT, _NEAR = 0.95, 0.8, 0.6  # kind, day and words are certain; a topic is judged; what is near in meaning may be near alone
_NOTHING = Mentions({}, is_complete=True)


async def answer_with_documents(
    state: State, *, library: Library, mentions: MentionFinder | None, topics: TopicFinder | None, stream: AnswerStream
) -> NodeResult | None:
    """Return the list as an answer; None where no document is meant: then the question is searched like any other."""
    filters, tenant, sought = state["query"].filters, state["query"].tenant, state["classification"].documents
    if sought is None or ((sought.mentions or sought.topic) and mentions is None):
        return None  # whoever cannot look words up searches for them
    if sought.folder:
        filters = filters.model_copy(update={"path_prefix": state["classification"].filters.path_prefix})
    documents, all_read = await _documents(filters, tenant, library)
    looked = await _match_documents(sought, documents, filters, state, mentions, topics)
    total = len(looked.listed)
    if not total:
        return None if sought.topic or sought.tentative or sought.loose else _answer_none(sought, len(documents))
    start, named = sought.offset or state["request"].offset, sought.number or MOST_NAMED
    if start >= total:
        return _answer_no_more(sought, total)
    shown = looked.listed[start : start + max(named, state["request"].top_k)]
    told = await _read_documents(shown, stems(looked.near.words or sought.topic), tenant, library)
    passages = [passage for _, _, passage in told]
    gathered = await gather_evidence(passages, tenant, library)
    told = told[:named]
    said = list_heading(sought, total, looked.near)
    answer = _answer(f"{said}{name_part(total, start, len(told))}", told, [*looked.notes, *_unread_note(all_read=all_read)])
    stream.show(answer.text)
    writes = {
        "passages": passages,
        "evidence": gathered.evidence,
        "results": make_results(passages, gathered.documents, state["request"].top_k),
        "sections": [],
        "answer": answer,
        "listing": ListedDocuments(total, looked.sure, start, len(told)),
    }
    return NodeResult(writes, f"{said} {format_count(len(documents), 'document')} looked through.")


def _unread_note(*, all_read: bool) -> list[str]:
    return [] if all_read else [f"Only the first {MAX_DOCUMENTS:,} documents of your library were looked through."]


async def _read_documents(
    shown: Sequence[ListedDocument], about: frozenset[str], tenant: str, library: Library
) -> list[tuple[ListedDocument, DocumentContent, Passage]]:
    """Return each document with its text and the passage that is shown of it; those that are gone meanwhile are left out."""
    read = await asyncio.gather(*(_read_excerpt(each, about, tenant, library) for each in shown))
    found = [(each, *made) for each, made in zip(shown, read, strict=True) if made is not None]
    return [(each, content, _passage(each, content, span, rank)) for rank, (each, content, span) in enumerate(found)]


class _DocumentMatches(NamedTuple):
    """The documents that are meant, `near` where their own words for the topic are others, `sure` from 0 to 1."""

    listed: list[ListedDocument]
    near: NearTopic
    notes: list[str]
    sure: float


async def _match_documents(
    sought: DocumentRequest, documents: Sequence[Document], filters: Filters, state: State, finder: MentionFinder | None, topics: TopicFinder | None
) -> _DocumentMatches:
    """Match documents by the words of the request; a topic that no document has in these words by others for it, and by its meaning. What says a
    described topic in other words is listed beside those that have all of its words."""
    tenant = state["query"].tenant
    mentions = await _find_mentions(sought, filters, tenant, finder)
    ranked = list(dict.fromkeys(candidate.document_id for candidate in state["retrieval"].candidates))
    denied = await _find_denied(sought, filters, tenant, finder)
    listed = list_documents(sought, documents, mentions.by_document, ranked, denied=denied.by_document)
    notes = [] if mentions.is_complete and denied.is_complete else ["The words stand in so many passages that not all of them were looked at."]
    described = is_described(sought.topic)
    if topics is None or not sought.topic or sought.tentative or (listed and not described):
        return _DocumentMatches(listed, NearTopic(), notes, _ABOUT if sought.topic else _SURE)
    near = await topics.find_near(tenant, sought.topic, filters, question=state["query"].text)
    if described and not near.words:
        near = NearTopic(mentions=_keep_searched(near.mentions, ranked))
    if not listed:
        return _list_near(sought, documents, near, ranked, notes)
    beside = {} if near.words else near.mentions
    return _DocumentMatches(list_documents(sought, documents, {**beside, **mentions.by_document}, ranked), NearTopic(), notes, _ABOUT)


async def _find_mentions(sought: DocumentRequest, filters: Filters, tenant: str, finder: MentionFinder | None) -> Mentions:
    words = sought.mentions or sought.topic
    if not words or finder is None:
        return _NOTHING
    return await finder.find_mentions(tenant, words, filters, together=bool(sought.mentions))


async def _find_denied(sought: DocumentRequest, filters: Filters, tenant: str, finder: MentionFinder | None) -> Mentions:
    """Return where the words stand that must not."""
    if not sought.without or finder is None:
        return _NOTHING
    return await finder.find_mentions(tenant, sought.without, filters, together=True)


def _list_near(sought: DocumentRequest, documents: Sequence[Document], near: NearTopic, ranked: Sequence[str], notes: list[str]) -> _DocumentMatches:
    """List by other words for the topic, or by its meaning, where no document has its own words."""
    listed = list_documents(sought.model_copy(update={"topic": near.words or sought.topic}), documents, near.mentions, ranked)
    if near.words:
        return _DocumentMatches(listed, near, notes, _ABOUT)
    return _DocumentMatches(listed, near, [*notes, f"No passage has all words of “{sought.topic}”: what is listed is near them in meaning."], _NEAR)


def _keep_searched(near: Mapping[str, Mention], ranked: Sequence[str]) -> dict[str, Mention]:
    """Keep those that the search found as well: in a library of one subject everything lies near a topic in many words."""
    return {document: near[document] for document in ranked if document in near}


def _answer_none(sought: DocumentRequest, looked_through: int) -> NodeResult:
    """Answer that there is no such document: that is an answer, and a certain one."""
    said = f"{list_heading(sought, 0)} {format_count(looked_through, 'document')} of your library looked through."
    return NodeResult(
        {"passages": [], "evidence": [], "results": [], "sections": [], "answer": Answer(text=said, generated_by="none", found=False)}, said
    )


def _answer_no_more(sought: DocumentRequest, total: int) -> NodeResult:
    """Answer that there are no further ones, which is no "not found": the list had an end."""
    said = f"{list_heading(sought, total)} There are no more."
    answer = Answer(text=said, generated_by="extractive")
    listing = ListedDocuments(total, _SURE, total, 0)
    return NodeResult({"passages": [], "evidence": [], "results": [], "sections": [], "answer": answer, "listing": listing}, said)


async def _documents(filters: Filters, tenant: str, library: Library) -> tuple[list[Document], bool]:
    """Return the documents of the library, and whether these are all."""
    found: list[Document] = []
    cursor: str | None = None
    while len(found) < MAX_DOCUMENTS:
        page, _, cursor = await library.list_documents(tenant, filters=filters, limit=_PAGE, cursor=cursor)
        found += page
        if cursor is None:
            return found, True
    return found, False


async def _read_excerpt(each: ListedDocument, about: frozenset[str], tenant: str, library: Library) -> tuple[DocumentContent, tuple[int, int]] | None:
    """Return a document's text and what is quoted of it; None for one that went meanwhile."""
    try:
        content = await library.content(tenant, each.document.id)
    except NotFound:
        return None
    return content, quoted_span(content, each, about)


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


def _answer(said: str, told: Sequence[tuple[ListedDocument, DocumentContent, Passage]], notes: list[str]) -> Answer:
    numbers, sentences = CitationNumbers(), list[AnswerSentence]()
    for each, content, passage in told:
        span = passage.start, passage.end
        number = numbers.assign(cite_span(span, passage, each.document.filename, content.generation, passage.page, passage.section))
        text = f"{name_listed(each)} “{' '.join(passage.content.split())}”"
        sentences.append(AnswerSentence(text=text, citations=[number], support="quoted", score=each.strength, kind=BlockKind.LIST_ITEM))
    return Answer(text=f"{said}\n\n{cited_text(sentences)}", sentences=sentences, citations=numbers.ordered_citations(), notes=notes)
