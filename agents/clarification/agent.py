"""Socrates: when a question says too little, he asks back with questions that the library can answer."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from pydantic import Field

from agents.clarification.name_bearers import NameBearer, known_bearers, lone_names, speaking_bearers
from agents.clarification.stated_attributes import StatedAttribute, asked_attribute, find_stated_values
from agents.text.document_names import KINDS, distinct_names, is_of_kind, name_stems, title_without_version
from agents.text.question_words import content_words
from core.documents import Document
from core.errors import NotFound
from core.graph import EntityType
from core.language.content_words import stems
from core.ports import KnowledgeGraph, Library
from core.search import Filters, FrozenModel, Intent

_MOST_CHOICES = 4
_MOST_DOCUMENTS = 200  # a larger library is not looked through for what a question could mean
_LEAST_WORD_SHARE = 0.6  # of the question's words in a document that speaks about it
_LEAST_BEARER_SHARE = 0.5  # of them in the passages of each who bears a name: fewer, and the question is not about what is known of them


class Clarification(FrozenModel):
    """A question back: a sentence and the choices, each a whole question; `documents` the ids of those that the choices stand for, if any."""

    message: str
    questions: list[str]
    documents: list[str] = Field(default_factory=list)


async def clarify(question: str, *, documents: Sequence[Document]) -> Clarification:
    """Offer choices from titles, topics and keywords of `documents`, spread over them; none where the library is empty."""
    if not documents:
        return Clarification(message="The library is empty, so there is nothing to search yet. Which folder should be indexed?", questions=[])
    choices = dict.fromkeys(choice for document in documents if (choice := _choice(document)))
    return Clarification(message=f"{_opening_question(question)} Do you mean one of these?", questions=list(choices)[:_MOST_CHOICES])


def _opening_question(question: str) -> str:
    words = question.strip(" \t\n?!.,;:")[:80]
    return f"What does “{words}” refer to?" if words else "What should be searched for?"


def _choice(document: Document) -> str:
    title = document.title or document.filename
    known = set(content_words(title))
    topic = next((word for word in [*document.topics, *document.keywords] if content_words(word) and not set(content_words(word)) <= known), "")
    return f"What does “{title}” say about {topic}?" if topic else f"What is “{title}” about?"


# "the policy", "our quote": one document is meant, and only its kind is said.
_DEFINITE = re.compile(
    rf"\b(?:the|this|that|our|my)\s+(?:(?!of\b|in\b|and\b)\w+\s+)??(?P<noun>{'|'.join(noun for noun, kind in KINDS.items() if kind)})\b(?!\s+of\b)",
    re.IGNORECASE,
)
_CHOICE_WORDS = re.compile(
    r"\b(?:which|compare\w*|difference|cheap\w*|best|all|both|every|each|latest|newest|oldest|current|old|new|vs|versus)\b", re.IGNORECASE
)
# Of these a library holds several that stand beside each other; a report or a letter that names a price states it for another.
_ALTERNATIVES = frozenset({"quote", "contract", "invoice", "policy"})
_KIND_WORDS = frozenset(stem for noun in KINDS for stem in stems(noun))
_CHANGES = re.compile(r"\b(?:amend\w*|addendum|supplement|version|revision|nachtrag)\b", re.IGNORECASE)
_MOST_CHARACTERS = 200_000  # characters of a document that are looked through


class Ambiguity(FrozenModel):
    """What Socrates needs to judge a question before its search: the question as it is read, its intent, the filters that hold already, and what was
    said `earlier_text` it in the conversation."""

    question: str
    intent: Intent
    filters: Filters = Field(default_factory=Filters)
    earlier_text: str = ""


async def find_ambiguity(ambiguity: Ambiguity, *, tenant: str, library: Library, graph: KnowledgeGraph | None = None) -> Clarification | None:
    """Return what to ask back where the question says one thing of several, each of which speaks about what is asked; None where it can be answered.

    Conservative: only "the policy", "our quote" with two to four documents of that kind that the question's other words do not tell apart and that
    hold most of those words; an attribute alone ("What is the price?") of which two to four documents of one kind each state another value; and a
    name alone that several people or firms bear who would each get another answer. Never a comparison, and never what filters have narrowed down to
    one.
    """
    if ambiguity.intent not in {Intent.DOCUMENT_SEARCH, Intent.SUMMARIZATION} or _CHOICE_WORDS.search(ambiguity.question):
        return None
    documents = await _ask_which_document(ambiguity, tenant, library) or await _ask_which_value(ambiguity, tenant, library)
    if documents is not None:
        return documents
    if graph is None or ambiguity.intent is not Intent.DOCUMENT_SEARCH:
        return None
    return await _ask_which_bearer(ambiguity, tenant, library, graph)


async def _ask_which_document(ambiguity: Ambiguity, tenant: str, library: Library) -> Clarification | None:
    match = _DEFINITE.search(ambiguity.question)
    if match is None:
        return None
    noun = match["noun"].lower()
    listed, total, _ = await library.list_documents(tenant, filters=ambiguity.filters, limit=_MOST_DOCUMENTS)
    likely = [document for document in listed if is_of_kind(document, noun)] if total <= _MOST_DOCUMENTS else []
    qualified = stems(match.group()) - stems(noun)  # "the service contract" is none of two leases
    if qualified and not any(qualified & name_stems(document) for document in likely):
        return None
    if not 2 <= len(likely) <= _MOST_CHOICES or any(_opens_with(document, noun) for document in likely):
        return None
    if all(_is_another_edition(one, other) for one, other in combinations(likely, 2)):
        return None  # of one thing: the later one holds
    words = stems(ambiguity.question) - stems(match.group())
    told = [words & name_stems(document) | (stems(match.group()) & name_stems(document)) for document in likely]
    if any(one != other for one in told for other in told):
        return None  # a word of the question is in the name of one and not of another
    speaking = [document for document in likely if await _holds_most_words(document, words, tenant, library)]
    if len(speaking) < 2 or (not words and ambiguity.intent is not Intent.SUMMARIZATION):
        return None
    labels = _labels(speaking)
    questions = [f"{ambiguity.question[: match.end()]} “{label}”{ambiguity.question[match.end() :]}" for label in labels]
    return Clarification(message=f"There are {len(labels)} documents that “{match.group()}” could be. Which one is meant?", questions=questions)


async def _ask_which_value(ambiguity: Ambiguity, tenant: str, library: Library) -> Clarification | None:
    """An attribute that nothing is said of but its name, where several documents of one kind, no versions of each other, state other values."""
    attribute = asked_attribute(ambiguity.question)
    if attribute is None or ambiguity.intent is not Intent.DOCUMENT_SEARCH:
        return None
    listed, total, _ = await library.list_documents(tenant, filters=ambiguity.filters, limit=_MOST_DOCUMENTS)
    kinds = Counter(document.doc_type for document in listed) if total <= _MOST_DOCUMENTS else {}
    for kind in [kind for kind, count in kinds.items() if kind in _ALTERNATIVES and 2 <= count <= _MOST_CHOICES]:
        alike = [document for document in listed if document.doc_type == kind]
        values = [(document, await _values(attribute, document, tenant, library)) for document in alike]
        stating = [document for document, found in values if found]
        different = {found for _, found in values if found}
        if len(stating) < 2 or len(different) < len(stating) or any(_is_version(one, other) for one, other in combinations(stating, 2)):
            continue
        if sum(_is_spoken_of(name, ambiguity.earlier_text) for name in distinct_names(stating)) == 1:
            return None
        names = [document.filename.rpartition(".")[0] or document.filename for document in stating]
        return Clarification(
            message=f"{len(stating)} documents each say something else about the {attribute.name}. Which one is meant?",
            questions=[f"{ambiguity.question.strip().rstrip(' ?.!')} of “{name}”?" for name in names],
            documents=[document.id for document in stating],
        )
    return None


async def _values(attribute: StatedAttribute, document: Document, tenant: str, library: Library) -> frozenset[str]:
    try:
        content = await library.content(tenant, document.id)
    except NotFound:
        return frozenset()
    return await asyncio.to_thread(find_stated_values, attribute, content.text[:_MOST_CHARACTERS])


def _is_version(one: Document, other: Document) -> bool:
    """Return whether two documents are about one thing, so that the later one holds: versions, a contract and its amendment."""
    left, right = title_without_version(one) - _KIND_WORDS, title_without_version(other) - _KIND_WORDS  # "Quotation Q-1" and "Quotation Q-2" are none
    return (bool(left and right) and len(left & right) * 2 >= min(len(left), len(right))) or any(_CHANGES.search(each.title) for each in (one, other))


def _is_another_edition(one: Document, other: Document) -> bool:
    """Return whether two documents are called alike but for their version."""
    return bool(title_without_version(one)) and title_without_version(one) == title_without_version(other)


def _is_spoken_of(name: str, before: str) -> bool:
    return bool(stems(name) & stems(before))


def _opens_with(document: Document, noun: str) -> bool:
    """Return whether a document is the thing itself ("Lease of …"), so that the others only speak of it ("Amendment to the lease of …")."""
    return (content_words(document.title) or [""])[0] == noun


def _labels(documents: Sequence[Document]) -> list[str]:
    """Titles, or file names where two have the same."""
    titles = [document.title or document.filename for document in documents]
    return titles if len(set(titles)) == len(titles) else [document.filename.rpartition(".")[0] or document.filename for document in documents]


async def _holds_most_words(document: Document, words: frozenset[str], tenant: str, library: Library) -> bool:
    """Return whether most of the words stand in the document."""
    try:
        content = await library.content(tenant, document.id)
    except NotFound:
        return False
    held = words & await asyncio.to_thread(stems, content.text[:_MOST_CHARACTERS])
    return len(held) >= _LEAST_WORD_SHARE * len(words)


async def _ask_which_bearer(ambiguity: Ambiguity, tenant: str, library: Library, graph: KnowledgeGraph) -> Clarification | None:
    """A name alone that two and more people, or firms, of the library bear, where each would get another answer."""
    for name in lone_names(ambiguity.question):
        known = await known_bearers(name, ambiguity.question, tenant=tenant, graph=graph)
        if not 2 <= len(known) <= _MOST_CHOICES or any(each.name.lower() in ambiguity.question.lower() for each in known):
            continue
        words = stems(ambiguity.question) - stems(name)
        bearers = await speaking_bearers(known, words, ambiguity.filters, tenant=tenant, graph=graph, library=library)
        if _answers_differ(bearers, words):
            meant = [each.entity.name for each in bearers]
            what = "people" if bearers[0].entity.entity_type is EntityType.PERSON else "organisations"
            questions = [re.sub(rf"\b{re.escape(name)}\b", each, ambiguity.question, count=1) for each in meant]
            return Clarification(message=f"{len(meant)} {what} are called {name}. Which one is meant?", questions=questions)
    return None


def _answers_differ(bearers: Sequence[NameBearer], words: frozenset[str]) -> bool:
    """Return whether the passages of several hold what is asked, and no word of the question (a role, a firm, a subject) is in those of one alone."""
    held = {bearer.words for bearer in bearers}
    return len(bearers) > 1 and len(held) == 1 and len(next(iter(held))) >= _LEAST_BEARER_SHARE * len(words)
