"""The plan of a search: which kinds of documents a question speaks of, the headings it is answered under, other wordings, its limits and its aim.

By rules. A kind is spoken of by words of its vocabulary; the one with most of them is routed to, if the library has such documents.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from core.language.content_words import tokens
from core.language.document_vocabularies import DocumentVocabulary
from core.language.stems import stem_of_either
from core.language.stop_words import SEARCH_STOP_WORDS
from core.lazy_patterns import compile_when_used
from core.search import Classification, FrozenModel, Intent, QueryConstraints, QueryPlan, QuestionAim, StrategyName

SpokenKind = tuple[DocumentVocabulary, list[str]]  # with its words that are said
CountDocuments = Callable[[str], Awaitable[int]]  # a type of document -> how many the library has
_ADDED_WORDS = 3  # of a kind's vocabulary, in an expanded query
_COMPOUND = 6  # letters of a word by which a German compound that ends in it is known ("Kündigungsklausel")
_EXPLORING = compile_when_used(
    r"\b(?:overview|everything|anything|in\s+general|what\s+(?:kinds?|types?|sorts?)\s+of|tell\s+me\s+(?:more\s+)?about|explore|related\s+to|"
    r"überblick|alles\s+über|allgemein|welche\s+arten|erzähl\w*\s+mir)\b",
    re.IGNORECASE,
)


class PlannedQuestion(FrozenModel):
    """A question as it was written and as it was read, with Athena's reading of it and Proteus's strategy."""

    original: str
    classification: Classification
    strategy: StrategyName = "hybrid"


async def make_query_plan(question: PlannedQuestion, *, vocabularies: Sequence[DocumentVocabulary], count_documents: CountDocuments) -> QueryPlan:
    """Return the plan of a search. Costs a count of documents for each type that the question speaks of, else nothing."""
    text = question.classification.search_text
    spoken = _find_spoken(f"{question.original}\n{text}", vocabularies)
    chosen = await _choose_kinds(spoken, count_documents)
    kinds = _kinds(chosen)
    return QueryPlan(
        original=question.original,
        intent=_read_aim(question, text),
        document_types=list(dict.fromkeys(each for vocabulary, _ in chosen for each in vocabulary.types)),
        expanded_queries=list(dict.fromkeys(_expand(text, vocabulary) for vocabulary, _ in chosen)),
        constraints=_read_constraints(question.classification),
        boost_sections=list(dict.fromkeys(each for vocabulary in vocabularies if vocabulary.kind in kinds for each in vocabulary.sections)),
        kind_words=list(dict.fromkeys(word for _, words in chosen for word in words)),
        reason=_describe_words(chosen),
    )


async def _choose_kinds(spoken: Sequence[SpokenKind], count_documents: CountDocuments) -> list[SpokenKind]:
    """Return the kinds of which most words are said, with those of their types that the library has; a kind of which it has none is none."""
    said = dict.fromkeys(kind for vocabulary, _ in spoken for kind in vocabulary.types)
    held = {kind for kind in said if await count_documents(kind)}
    found = [(replace(vocabulary, types=tuple(each for each in vocabulary.types if each in held)), words) for vocabulary, words in spoken]
    routed = [each for each in found if each[0].types]
    most = max((len(words) for _, words in routed), default=0)
    return [each for each in routed if len(each[1]) == most]


def _read_constraints(found: Classification) -> QueryConstraints:
    limits = found.filters
    return QueryConstraints(
        must_include=found.must,
        must_exclude=found.must_not,
        modified_after=limits.modified_after,
        modified_before=limits.modified_before,
        types=[*limits.doc_types, *limits.file_types],
        collections=[limits.collection] if limits.collection is not None else [],
    )


def _find_spoken(text: str, vocabularies: Sequence[DocumentVocabulary]) -> list[SpokenKind]:
    """Return the vocabularies that have words of the text, with these words."""
    said = tokens(text)
    bare, whole = {stem_of_either(word) for word in said if word not in SEARCH_STOP_WORDS}, f" {' '.join(said)} "  # "not" is no note
    found = [(vocabulary, [word for word in vocabulary.words if _is_said(word, said, bare, whole)]) for vocabulary in vocabularies]
    return [(vocabulary, words) for vocabulary, words in found if words]


def _is_said(word: str, said: Sequence[str], bare: set[str], whole: str) -> bool:
    if " " in word:
        return f" {word} " in whole
    return stem_of_either(word) in bare or (len(word) >= _COMPOUND and any(other.endswith(word) for other in said))


def _read_aim(question: PlannedQuestion, text: str) -> QuestionAim:
    intent = question.classification.intent
    if intent is Intent.COMPARISON:
        return "comparative"
    open_task = intent in {Intent.SUMMARIZATION, Intent.ANALYSIS} or question.strategy == "exploratory"
    return "exploratory" if open_task or _EXPLORING.search(text) is not None else "factual"


def _expand(text: str, vocabulary: DocumentVocabulary) -> str:
    """The question with the first words of the vocabulary that it lacks."""
    said = {stem_of_either(word) for word in tokens(text)}
    added = {stem_of_either(word): word for word in reversed(vocabulary.words)}  # the first of several forms
    fresh = [word for word in vocabulary.words if stem_of_either(word) not in said and added[stem_of_either(word)] == word]
    return " ".join([text, *fresh[:_ADDED_WORDS]])


def _kinds(chosen: Sequence[SpokenKind]) -> list[str]:
    return list(dict.fromkeys(vocabulary.kind for vocabulary, _ in chosen))


def _describe_words(chosen: Sequence[SpokenKind]) -> str:
    return "; ".join(
        f"{kind}: {', '.join(f'“{word}”' for other, words in chosen if other.kind == kind for word in words)}" for kind in _kinds(chosen)
    )
