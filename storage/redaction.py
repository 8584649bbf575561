"""Stored answers and runs without the words of documents that were deleted: ids, file names and structure stay, so that the page still opens.

What is about a deleted document (it bears its id, or cites it alone or beside others) loses its words; what is about another document keeps them.
Of the rest a text goes where it repeats one that went, names who the document names, or shares QUOTE_WORDS in a row with it. What a person typed
stays, unless it copies COPY_WORDS in a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from core.answers import AnswerSentence
from core.cited_answers import cited_text
from storage.quoted_words import QuotedWords

DELETED_TEXT = "this source was deleted"
QUOTE_WORDS, COPY_WORDS, NAME_WORDS = 4, 8, 20  # words in a row; a name is looked for as a whole
_SHORTEST = 3  # characters of a text that went, for it to be looked for elsewhere
# Texts that are not the document's words, or that a reader of the stored value needs.
_KEPT_FIELDS = frozenset(
    "id document_id trace_id conversation_id file_path filename file_type doc_type document_type kind state status language generated_by support "
    "page_unit created_at modified_at sentiment complexity entity_type relationship_type operation label ended node agent".split()
)
_EMPTIED_FIELDS = frozenset({"keywords", "section", "highlight", "key_concepts", "entities", "explained_by"})


@dataclass(frozen=True, slots=True)
class DeletedContent:
    """Deleted documents of one tenant: their ids, the words in a row by which a quote is known (`copies`: in what a person typed), and the names
    that stand in them."""

    ids: frozenset[str]
    quotes: QuotedWords = field(default_factory=lambda: QuotedWords((), QUOTE_WORDS))
    copies: QuotedWords = field(default_factory=lambda: QuotedWords((), COPY_WORDS))
    names: QuotedWords = field(default_factory=lambda: QuotedWords((), NAME_WORDS))


@dataclass(frozen=True, slots=True)
class _Redaction:
    """The parts that go out of one answer: the numbers of its citations of deleted documents, and the texts that went with them."""

    deleted: DeletedContent
    query: str
    citations: frozenset[int]
    texts: tuple[str, ...]


def redact_query(query: str, gone: DeletedContent) -> str:
    return DELETED_TEXT if gone.copies.occur_in(query) else query


def redact_response(response: dict[str, Any], query: str, gone: DeletedContent) -> dict[str, Any]:
    """Return the response as stored, without the words of what is gone; an equal one where it holds none."""
    return _apply_redaction(response, _find_redaction(response, query, gone))


def redact_trace(stored: dict[str, Any], query: str, gone: DeletedContent) -> dict[str, Any]:
    """Return `core.runs.Trace` as stored (`request`, `response`, `nodes`, `moves`, …), redacted."""
    response = stored.get("response") or {}
    loss = _find_redaction(response, query, gone)
    rest = {name: _redact_value(value, loss) for name, value in stored.items() if name != "response"}
    if loss.citations or _names_any(stored, gone.ids):
        rest["nodes"] = [_strip_graph(node) if isinstance(node, dict) else node for node in rest.get("nodes", [])]
    return {**{name: rest.get(name) for name in stored}, "response": _apply_redaction(response, loss) if response else response}


def _find_redaction(response: Mapping[str, Any], query: str, gone: DeletedContent) -> _Redaction:
    citations = [each for each in _dicts_under(response, "citations") if each.get("document_id") in gone.ids]
    cited = frozenset(each["number"] for each in citations if isinstance(each.get("number"), int))
    lead = response.get("lead")
    texts = [str(each.get("quote", "")) for each in citations]
    texts += [text for each in _citing_parts(response, cited) for text in _document_texts(each)]
    texts += [str(lead.get("text", ""))] if isinstance(lead, dict) and lead.get("citation") in cited else []
    known = dict.fromkeys(text.casefold().strip() for text in texts)
    return _Redaction(gone, query.strip(), cited, tuple(text for text in known if len(text) >= _SHORTEST))


def _citing_parts(response: Mapping[str, Any], cited: frozenset[int]) -> list[dict[str, Any]]:
    """Return the sentences, cells and steps of reasoning that hang on these citations."""
    comparison = response.get("comparison_result")
    rows = _dicts_under(comparison, "rows") if isinstance(comparison, dict) else []
    cells = [cell for row in rows for cell in _dicts_under(row, "cells")]
    reasoning = response.get("reasoning")
    steps = _dicts_under(reasoning, "reasoning_trace") if isinstance(reasoning, dict) else []
    found = [each for each in (*_dicts_under(response, "answer_sentences"), *cells) if _cites_any(each, cited)]
    return [*found, *({"found": each.get("found", "")} for each in steps if _cites_any(each, cited))]


def _apply_redaction(response: dict[str, Any], loss: _Redaction) -> dict[str, Any]:
    touched = bool(loss.citations) or _names_any(response, loss.deleted.ids)
    found = {name: _redact_value(value, loss) for name, value in response.items() if name not in {"answer", "lead"}}
    lost_lead = _loses_lead(response.get("lead"), loss, touched=touched)
    if touched:
        found |= {name: empty for name, empty in (("graph_expansion", None), ("suggested_followups", [])) if response.get(name)}
    if loss.citations and response.get("summary"):
        found["summary"] = DELETED_TEXT
    answer = response.get("answer")
    if isinstance(answer, str):
        found["answer"] = _redact_answer(response, found, loss, lost_lead=lost_lead)
    return {name: None if name == "lead" and lost_lead else found.get(name, response[name]) for name in response}


def _loses_lead(lead: Any, loss: _Redaction, *, touched: bool) -> bool:
    if not isinstance(lead, dict):
        return False
    return lead.get("citation") in loss.citations or (touched and _quotes_deleted(str(lead.get("text", "")), loss))


def _redact_answer(response: Mapping[str, Any], found: Mapping[str, Any], loss: _Redaction, *, lost_lead: bool) -> str:
    """Return the answer's text: made anew of its sentences where one of them, or the lead in front, went."""
    before, sentences = response.get("answer_sentences") or [], found.get("answer_sentences") or []
    answer = str(response["answer"])
    if not before:
        return DELETED_TEXT if _quotes_deleted(answer, loss) else answer
    if before == sentences and not lost_lead:
        return answer
    lead = response.get("lead")
    front = f"{lead['text']} [" if isinstance(lead, dict) and not lost_lead else None
    kept = answer.partition("\n\n")[0] + "\n\n" if front and answer.startswith(front) else ""
    try:
        return kept + cited_text([AnswerSentence.model_validate(each) for each in sentences])
    except ValidationError:  # of an earlier version, which wrote sentences otherwise
        return DELETED_TEXT


def _redact_value(value: Any, loss: _Redaction) -> Any:
    """Return a stored value with every text in it looked at."""
    match value:
        case str():
            return DELETED_TEXT if _must_go(value, loss) else value
        case list():
            return [_redact_value(each, loss) for each in value]
        case dict():
            return _redact_fields(value, loss)
        case _:
            return value


def _redact_fields(value: dict[str, Any], loss: _Redaction) -> dict[str, Any]:
    about = {each for name in ("document_id", "id") if isinstance(each := value.get(name), str)}
    if about & loss.deleted.ids or (loss.citations and _cites_any(value, loss.citations)):
        return {name: _strip_field(name, each, value) for name, each in value.items()}
    if _cites_others(value):
        return value
    walked = {name: _redact_value(each, loss) for name, each in value.items()}
    _strip_sides(walked, {place for place, side in enumerate(_dicts_under(value, "sides")) if side.get("document_id") in loss.deleted.ids})
    return walked


def _strip_sides(comparison: dict[str, Any], sides: Set[int]) -> None:
    """Take the words out of the cells of these sides of a comparison."""
    for row in _dicts_under(comparison, "rows") if sides else []:
        row["cells"] = [_strip_words(cell) if place in sides and isinstance(cell, dict) else cell for place, cell in enumerate(row.get("cells", []))]


def _cites_others(value: Mapping[str, Any]) -> bool:
    """Return a result, a citation or a sentence of documents that are there: it may say what the deleted one said, too."""
    cites = isinstance(value.get("citations"), list) and bool(value["citations"]) and "text" in value
    return cites or bool(value.get("document_id")) or ("id" in value and "passages" in value)


def _strip_words(value: Any) -> Any:
    """Return a document without its words; a title becomes the file's name."""
    match value:
        case dict():
            return {name: _strip_field(name, each, value) for name, each in value.items()}
        case list():
            return [_strip_words(each) for each in value]
        case str():
            return DELETED_TEXT if value else value
        case _:
            return value


def _strip_field(name: str, each: Any, holder: Mapping[str, Any]) -> Any:
    if name in _KEPT_FIELDS:
        return each
    if name in _EMPTIED_FIELDS:
        return None if name == "highlight" else []
    if name == "title" and each:
        return holder.get("filename") or DELETED_TEXT
    return _strip_words(each)


def _strip_graph(node: dict[str, Any]) -> dict[str, Any]:
    """Strip what the knowledge graph found, which names people and firms of documents: single names, which no run of words would tell."""
    return {**node, "details": DELETED_TEXT, "writes": {}} if node.get("node") == "expand_graph" and node.get("writes") else node


def _must_go(text: str, loss: _Redaction) -> bool:
    shown = text.strip().partition("… (")[0]  # a digest cuts what is long
    if shown and loss.query.startswith(shown):
        return loss.deleted.copies.occur_in(loss.query)
    return _quotes_deleted(text, loss)


def _quotes_deleted(text: str, loss: _Redaction) -> bool:
    folded = text.casefold()
    return any(each in folded for each in loss.texts) or loss.deleted.names.occur_in(text) or loss.deleted.quotes.occur_in(text)


def _cites_any(value: Mapping[str, Any], cited: frozenset[int]) -> bool:
    numbers = value.get("citations")
    return isinstance(numbers, list) and any(isinstance(each, int) and each in cited for each in numbers)


def _dicts_under(value: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = value.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _document_texts(value: Any) -> list[str]:
    """Return the texts of a sentence, a cell or a step, without those that are no words of a document."""
    if isinstance(value, str):
        return [value]
    return [text for name, each in value.items() if name not in _KEPT_FIELDS for text in _document_texts(each)] if isinstance(value, dict) else []


def _names_any(value: Any, ids: frozenset[str]) -> bool:
    match value:
        case str():
            return value in ids
        case list():
            return any(_names_any(each, ids) for each in value)
        case dict():
            return any(_names_any(each, ids) for each in value.values())
        case _:
            return False
