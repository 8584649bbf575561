"""Athena: what a question wants, whom and what it names, which files it is restricted to, and the words that are searched.

Rules first, the first match wins, with SPEC's confidences; a rule stands above .8. At the threshold or below the model is asked where there is
one. Two checks of ours come before SPEC's order because they are narrow: questions about the program or the library, and questions without content.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from agents.document_requests.request_parser import DocumentRequest, read_document_request
from agents.german.task_requests import translate_task
from agents.query_classifier.followups import NextPage, find_referred_results, next_page, resolve_followup
from agents.query_classifier.intent_rules import DEFAULT_RULING, DOCUMENTS_RULING, MOST_CHARACTERS, IntentRuling, apply_rules, follow_route
from agents.query_classifier.keyword_questions import expand_keywords, strip_thanks
from agents.query_classifier.kind_limits import KindLimits, find_kind_limits
from agents.query_classifier.own_company import asks_about_company, insert_company
from agents.query_classifier.required_words import find_required_words
from agents.query_classifier.shorthand import expand_shorthand
from agents.query_routing.agent import WORDS_ALONE, QueryRouter, RoutedQuery, route_query
from agents.text.query_filters import FoundFiles, FoundTime, find_files, find_time
from agents.text.question_words import content_words, find_names, quoted_phrases, tokens
from core.errors import ModelUnavailable
from core.ports import ChatModel, QuestionTranslator, Speller, WordCorrection, apply_corrections
from core.prompts import load_prompt
from core.query_routes import QueryRoute
from core.search import Classification, Degradation, Filters, Intent, Query
from core.structured_output import ask_model

PROMPT = "query_classifier"


_EXAMPLE = frozenset({"one short sentence", "…"})  # what the prompt shows in the place of a reason
# What a model may decide. That a question is about no document, or says too little, is left to the rules: a weak model says so of anything, and the
# person would be answered out of nothing, or asked back, with the answer in the library.
_OVER_DOCUMENTS = frozenset({Intent.DOCUMENT_SEARCH, Intent.COMPARISON, Intent.SUMMARIZATION, Intent.ANALYSIS})
FolderFinder = Callable[[str, str], Awaitable[str | None]]  # (tenant, a folder's name) -> its absolute path, None where there is none


class ClassifiedQuery(Classification):
    """A Classification with what it took: how the question was read, whether in another language than it was asked in, the spelling that was
    corrected for it, the documents that are asked for themselves, its scope, the parts that did not run, tokens and the prompts' sha."""

    read_as: str = ""
    is_translated: bool = False
    corrections: tuple[WordCorrection, ...] = ()
    documents: DocumentRequest | None = None
    route: QueryRoute | None = None
    notes: list[str] = Field(default_factory=list)
    degraded: list[Degradation] = Field(default_factory=list)
    tokens: dict[str, int] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)


class ClassifierReply(BaseModel):
    """The shape of the model's reply."""

    model_config = ConfigDict(extra="ignore")
    intent: Intent
    confidence: float = Field(ge=0.0, le=1.0)
    reasoning: str = Field(default="", max_length=300)
    entities: list[Annotated[str, Field(max_length=100)]] = Field(default_factory=list, max_length=20)
    search_text: str = Field(default="", max_length=500)


@dataclass(frozen=True, slots=True)
class Athena:
    """The ports and bounds of Athena. `llm` None: rules alone."""

    llm: ChatModel | None
    now: datetime
    find_folder: FolderFinder | None = None
    find_company: Callable[[str], Awaitable[str]] | None = None
    threshold: float = 0.8
    speller: Speller | None = None
    translator: QuestionTranslator | None = None
    router: QueryRouter = WORDS_ALONE


async def classify(query: Query, *, athena: Athena) -> ClassifiedQuery:
    """Return the intent with its confidence, entities, filters and the text to search. Never fails for want of a model: rules stand in and it says
    so."""
    page = await _page_of_list(query, athena)
    head, corrections, is_translated = await _normalise_question(
        page.question if page is not None else query.text[:MOST_CHARACTERS], query.tenant, athena
    )
    before = query.history if page is None else []
    history = [(await _translate(question, query.tenant, athena) or question, answer) for question, answer in before]
    resolved = resolve_followup(head, history)
    text = await _insert_company(resolved, query.tenant, athena) + query.text[MOST_CHARACTERS:]
    task = translate_task(text)
    asked = query.text if is_translated and resolved == head else task  # a question that was translated says most of its scope as it was asked
    routed = await route_query(asked[:MOST_CHARACTERS], query.tenant, router=athena.router)
    ruling, sought = follow_route(apply_rules(task), routed.route.aspect), _find_document_request(text, athena.now)
    if sought is not None and page is not None:
        sought = sought.model_copy(update={"offset": page.offset, "number": page.number})
    if (
        sought is not None
        and not sought.tentative
        and (ruling.intent is Intent.DOCUMENT_SEARCH or (ruling.rule == "system" and sought.is_restricted))
    ):
        ruling = DOCUMENTS_RULING
    described = await _classify_by_rules(query, text, ruling, athena)
    if ruling is DEFAULT_RULING and sought is None:
        described = described.model_copy(update={"search_text": expand_keywords(described.search_text)})
    by_rules = described.model_copy(
        update={
            "documents": sought if ruling is DOCUMENTS_RULING or (sought and sought.tentative and ruling.intent is Intent.DOCUMENT_SEARCH) else None,
            "corrections": corrections,
            "is_translated": is_translated and resolved == head,  # a follow-up says too little in its own words
            "route": routed.route,
        }
    )
    if athena.llm is None or ruling.confidence > athena.threshold:
        return _add_costs(by_rules, routed)
    return _add_costs(await _ask_model(query, by_rules, athena.llm), routed)


def _add_costs(found: ClassifiedQuery, routed: RoutedQuery) -> ClassifiedQuery:
    """Return the result with what the router took, too."""
    tokens = {name: found.tokens.get(name, 0) + routed.tokens.get(name, 0) for name in {**found.tokens, **routed.tokens}}
    lost = [*found.degraded, *routed.degraded]
    return found.model_copy(update={"tokens": tokens, "prompts": {**found.prompts, **routed.prompts}, "degraded": lost})


async def _insert_company(text: str, tenant: str, athena: Athena) -> str:
    """The question with the name of the library's own company for "the company", where it asks about nothing else and one stands out."""
    if athena.find_company is None or not asks_about_company(text):
        return text
    name = await athena.find_company(tenant)
    return insert_company(text, name) if name else text


async def _page_of_list(query: Query, athena: Athena) -> NextPage | None:
    """Return what "more" asks for behind a list of documents; None for any other question, or behind another answer."""
    page = next_page(query.text[:MOST_CHARACTERS], query.history)
    if page is None:
        return None
    asked = await _translate(page.question, query.tenant, athena) or page.question
    return page if _find_document_request(asked, athena.now) is not None else None


class _NormalisedQuestion(NamedTuple):
    text: str
    corrections: tuple[WordCorrection, ...] = ()
    is_translated: bool = False


async def _normalise_question(asked: str, tenant: str, athena: Athena) -> _NormalisedQuestion:
    """The question in English where it can be read so, else with its short forms written out and its spelling corrected."""
    english = await _translate(asked, tenant, athena)
    if english:
        return _NormalisedQuestion(english, is_translated=True)
    head = expand_shorthand(asked)
    corrections = _keep_content_corrections(await athena.speller.corrections(tenant, head), head, athena.now) if athena.speller is not None else ()
    return _NormalisedQuestion(apply_corrections(head, corrections), corrections)


async def _translate(text: str, tenant: str, athena: Athena) -> str:
    return await athena.translator.translate_to_english(tenant, text) if athena.translator is not None else ""


def _find_document_request(text: str, now: datetime) -> DocumentRequest | None:
    """The request for documents that a text is; the folder that it names is no part of what they are about."""
    files = find_files(text)
    folders = [span for span in files.spans if files.folder and files.folder in text[slice(*span)]]
    if not folders:
        return read_document_request(text, now)
    start, end = folders[0]
    sought = read_document_request(f"{text[:start]} {text[end:]}", now)
    return sought.model_copy(update={"folder": files.folder}) if sought is not None else None


def _keep_content_corrections(corrections: tuple[WordCorrection, ...], text: str, now: datetime) -> tuple[WordCorrection, ...]:
    """Of a request for documents the words that say which are not misspelt, whatever the library has: "pdfs", "letzter Woche"."""
    sought = _find_document_request(text, now) if corrections else None
    if sought is None or sought.tentative:
        return corrections
    said = set(tokens(f"{sought.topic} {sought.name} {sought.mentions}"))
    return tuple(each for each in corrections if each.written.lower() in said)


async def _classify_by_rules(query: Query, resolved: str, ruling: IntentRuling, athena: Athena) -> ClassifiedQuery:
    text, head = resolved, resolved[:MOST_CHARACTERS]
    required = find_required_words(head)
    limits = find_kind_limits(required.text)
    text, head = limits.text + text[MOST_CHARACTERS:], limits.text
    files, time = find_files(head), find_time(head, athena.now)
    notes: list[str] = [f"Only passages with “{phrase}”" for phrase in required.must] + [
        f"No passages with “{phrase}”" for phrase in required.must_not
    ]
    notes += limits.notes
    folder = await _folder(query.tenant, files.folder, athena.find_folder, notes)
    filters = _merge_filters(_limit_kinds(query.filters, limits), files, time, folder)
    meant = find_referred_results(query.text[:MOST_CHARACTERS], query.last_results)
    if meant and not query.filters.document_ids:
        filters = filters.model_copy(update={"document_ids": meant})
        notes.append(
            f"“{query.text[:60].strip()}” is read as about {'that result' if len(meant) == 1 else f'{len(meant)} results'} of the turn before"
        )
    return ClassifiedQuery(
        intent=ruling.intent,
        confidence=ruling.confidence,
        rule=ruling.rule,
        reasoning=ruling.reasoning,
        entities=find_names(head),
        quoted=quoted_phrases(head),
        filters=filters,
        time=time.time if time else None,
        search_text=_search_text(text, files, time, keep_folder=folder is None),
        read_as=resolved if resolved != query.text else "",
        must=required.must,
        must_not=required.must_not,
        notes=notes,
    )


async def _folder(tenant: str, name: str, find: FolderFinder | None, notes: list[str]) -> str | None:
    if not name or find is None:
        return None
    path = await find(tenant, name)
    if path is None:
        notes.append(f"There is no folder “{name}” in the library, so all folders are searched")
    return path


def _limit_kinds(given: Filters, limits: KindLimits) -> Filters:
    """The request's own filters win over the words."""
    doc_types, file_types = given.doc_types or limits.doc_types, given.file_types or limits.file_types
    return given.model_copy(update={"doc_types": doc_types, "file_types": file_types})


def _merge_filters(given: Filters, files: FoundFiles, time: FoundTime | None, folder: str | None) -> Filters:
    """The request's own filters win over the words."""
    changes: dict[str, object] = {}
    if files.file_types and not given.file_types:
        changes["file_types"] = list(files.file_types)
    if folder and not given.path_prefix:
        changes["path_prefix"] = folder
    if time and time.of_files and given.modified_after is None and given.modified_before is None:
        changes |= {"modified_after": time.after, "modified_before": time.before}
    return given.model_copy(update=changes) if changes else given


_COURTESIES = re.compile(
    r"^\W*(?:(?:please|pls|hi|hello|hey|so|ok|okay|well|um|hmm)\b[\s,]*)*(?:(?:can|could|would)\s+(?:you|u)\s+(?:please\s+|maybe\s+|kindly\s+)?"
    r"(?:tell|show|find|give)\s+(?:me|us)\s+(?:out\s+)?(?:please\s+)?|(?:please\s+)?tell\s+(?:me|us)\s+|i\s+(?:would\s+like|want|need|wanted)\s+to\s+know\s+|i'?d\s+like\s+to\s+know\s+)",
    re.IGNORECASE,
)


_TASK = re.compile(
    r"^\W*(?:(?:please|pls)\s+)?(?:(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+|maybe\s+|kindly\s+)?)?"
    r"(?:i(?:'d|\s+would)?\s+(?:want|need|like)\s+(?:you\s+to\s+)?)?(?:give\s+me\s+|do\s+(?:me\s+)?|make\s+)?"
    r"(?:compare|contrast|summ?ari[sz]e|sum\s+up|brief\s+me\s+on|analy[sz]e|assess|evaluate|examine|"
    r"(?:(?:an?|the)\s+)?(?:\w+\s+)?(?:comparison|summ?ary|overview|gist|recap|analysis)\s+of)\s+",
    re.IGNORECASE,
)


def _search_text(text: str, files: FoundFiles, time: FoundTime | None, *, keep_folder: bool) -> str:
    """The question without courtesies, without the task ("compare …": no document says so) and without the words that became filters; the
    question itself where nothing would be left."""
    spans = [span for span in files.spans if not (keep_folder and "folder" in text[slice(*span)].lower())]
    if time and time.of_files:
        spans.append(time.span)
    kept = text
    for start, end in sorted(spans, reverse=True):
        kept = f"{kept[:start]} {kept[end:]}"
    kept = strip_thanks(re.sub(r"\s+", " ", re.sub(r"\s+([?.!,])", r"\1", _COURTESIES.sub("", _TASK.sub("", kept)))).strip(" ,"))
    return kept if content_words(kept) else text.strip()


async def _ask_model(query: Query, by_rules: ClassifiedQuery, llm: ChatModel) -> ClassifiedQuery:
    prompt = load_prompt(PROMPT)
    history = "\n".join(f"- {question}" for question, _ in query.history[-5:])
    try:
        asked = await ask_model(llm, prompt, {"history": history or "(none)", "question": query.text[:MOST_CHARACTERS]}, ClassifierReply, share=0.25)
    except ModelUnavailable as error:
        return by_rules.model_copy(
            update={"degraded": [Degradation(part="classifier", reason=f"{error} The rules alone decided what the question wants.")]}
        )
    reply = asked.reply
    spent = {"tokens": {"input": asked.input_tokens, "output": asked.output_tokens}, "prompts": {prompt.name: prompt.sha}}
    echoed = reply.reasoning.strip(" .").casefold() in _EXAMPLE  # small models send the prompt's example back
    if reply.intent not in _OVER_DOCUMENTS or reply.confidence < by_rules.confidence or echoed:
        return by_rules.model_copy(update={**spent, "notes": [*by_rules.notes, f"{llm.name} was asked and not followed"]})
    known = query.text.casefold()
    return by_rules.model_copy(
        update={
            **spent,
            "intent": reply.intent,
            "confidence": reply.confidence,
            "rule": "model",
            "by": llm.name,
            "reasoning": reply.reasoning,
            "entities": list(dict.fromkeys([*by_rules.entities, *(name for name in reply.entities if name.casefold() in known)])),
            "search_text": _ground_search_text(reply.search_text, query, by_rules.search_text),
        }
    )


def _ground_search_text(proposed: str, query: Query, fallback: str) -> str:
    """The model's search text only where there is a conversation to resolve, and its words stand there or in the question: a model that adds words
    is not followed, and one that leaves out what is asked ("population Karlshavn") helps neither the search nor the reader."""
    if not query.history:
        return fallback
    known = set(content_words(" ".join([query.text, *(part for pair in query.history for part in pair)])))
    words = content_words(proposed)
    return proposed.strip() if words and sum(word in known for word in words) >= 0.8 * len(words) else fallback
