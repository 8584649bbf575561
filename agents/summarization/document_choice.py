"""The documents that a summary is about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.sources.source_documents import SourceDocuments, ids_of
from agents.summarization.summary_length import strip_length
from agents.text.document_names import KINDS, is_of_kind, name_stems, singular, title_without_version, version_order
from agents.text.question_words import content_words, tokens
from core.documents import Document
from core.language.content_words import stems
from core.language.stems import stem
from core.search import Retrieval

_MOST_DOCUMENTS = 6
_ALL_DOCUMENTS = re.compile(
    r"\b(?:all|every|each|any|whole)\b(?:\s+(?:of\s+)?(?:the|my|our|these|those))?(?:\s+\w+){0,2}\s+(?:about|on|concerning|regarding|mention\w*|from)\b|\ball\b",
    re.I,
)
_TASK_WORDS = frozenset(
    "summarize summarise summary summaries sum up overview gist recap key main important points point takeaways ideas short brief briefly long "
    "detailed quick "
    "sentence sentences words word nutshell boil down version document documents file files tl dr tldr bullet bullets lines".split()
)
# Words for one kind of document, whatever its title says: the minutes are those of the meeting.
_KIND_SYNONYMS = tuple(
    frozenset(stem(word) for word in words.split())
    for words in ("minutes meeting", "offer quote quotation bid", "presentation slides deck", "lease tenancy", "policy guideline rules", "cv resume")
)


@dataclass(frozen=True, slots=True)
class DocumentChoice:
    """The documents to sum up. `topic` is what the question calls them; `by_name`: no search brought any of them, only their names did."""

    documents: list[Document]
    topic: str = ""
    by_name: bool = False


async def find_documents(question: str, retrieval: Retrieval, *, sources: SourceDocuments) -> DocumentChoice:
    """Choose the documents that the question means, among the documents of `retrieval`, of a search for the question's topic alone, and of a library
    that is small enough."""
    topic = topic_of(question)
    likely, found = await sources.find_likely(retrieval, (topic,) if topic else ())
    ranked = list(dict.fromkeys([*ids_of(retrieval), *found.get(topic, [])]))
    chosen = choose_documents(question, likely, ranked, given=bool(sources.request.filters.document_ids))
    return DocumentChoice(chosen, topic, by_name=not any(document.id in ranked for document in chosen))


def topic_of(question: str) -> str:
    """Return the question's words without those of the task: what names the documents."""
    return " ".join(word for word in tokens(strip_length(question)) if word not in _TASK_WORDS)


def choose_documents(question: str, documents: Sequence[Document], ranked: Sequence[str], *, given: bool = False) -> list[Document]:
    """Return the documents to sum up, best first, out of `documents`; `ranked` are the ids that the search found, best first.

    All that are `given` (attached, or filtered to); those that the question names by title, file name or kind; several where it asks for "all" or in
    the plural; else the one that the search put first.
    """
    if given:
        return list(documents[:_MOST_DOCUMENTS])
    place = {document_id: rank for rank, document_id in enumerate(ranked)}
    ordered = sorted(documents, key=lambda document: place.get(document.id, len(place)))
    group = _group(question)
    if group is not None:
        kind = [document for document in ordered if (is_of_kind(document, group) if group else document.id in place)]
        if len(kind) > 1 or _ALL_DOCUMENTS.search(question):
            return kind[:_MOST_DOCUMENTS]
    named = _best_named(ordered, stems(topic_of(question)))
    return named or (ordered[:1] if ranked else [])


def _best_named(ordered: Sequence[Document], wanted: frozenset[str]) -> list[Document]:
    """Return the newest version of the document whose name has most of the wanted words, at least half of them."""
    shares = {document.id: len(wanted & _name_words(document)) / len(wanted) if wanted else 0.0 for document in ordered}
    best = max(shares.values(), default=0.0)
    if best < 0.5:
        return []
    named = [document for document in ordered if shares[document.id] == best]
    first = next((document for document in named if _opens_with(document, wanted)), named[0])
    return [max((document for document in named if title_without_version(document) == title_without_version(first)), key=version_order)]


def _name_words(document: Document) -> frozenset[str]:
    """The words that a document can be called by: of its title, file name and kind, and others for the same kind."""
    own = name_stems(document)
    return own.union(*(kin for kin in _KIND_SYNONYMS if kin & own))


def _opens_with(document: Document, wanted: frozenset[str]) -> bool:
    """Return whether a title begins with a word of the question: "the lease" is the "Lease of …", not the "Amendment to the lease of …"."""
    return next(iter(content_words(document.title)), "") != "" and stem(content_words(document.title)[0]) in wanted


def _group(question: str) -> str | None:
    """The noun of a plural ("the offers", "all documents about …"), "" for documents of any kind; None where one is meant."""
    for word in tokens(question):
        if word.endswith("s") and singular(word) in KINDS and singular(word) != word:
            noun = singular(word)
            return "" if KINDS[noun] == "" else noun
    return "" if re.search(r"\b(?:all|everything)\b", question, re.IGNORECASE) else None
