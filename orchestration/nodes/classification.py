"""Reading the question: Athena's intent and filters, Proteus's strategy."""

from __future__ import annotations

from functools import partial
from typing import Any

from agents.clarification.agent import Ambiguity, Clarification, find_ambiguity
from agents.query_classifier.agent import Athena, ClassifiedQuery, classify
from agents.query_classifier.own_company import find_company
from agents.strategy.agent import StrategyChoice, choose_strategy, personalise
from core.errors import Unavailable
from core.memory import Recollection
from core.ports import KnowledgeGraph
from core.search import Filters, Intent, RetrievalRequest
from orchestration.folder_lookup import find_folder
from orchestration.node_adapter import NodeResult, Tools
from orchestration.response import filters_in_words
from orchestration.state import State


async def classify_question(state: State, tools: Tools) -> NodeResult:
    query, options = state["query"], tools.deps.options
    if not options.classifier_enabled:
        plain = ClassifiedQuery(intent=Intent.DOCUMENT_SEARCH, confidence=1.0, rule="disabled", search_text=query.text, filters=query.filters)
        return NodeResult({"classification": plain}, "The classifier is switched off; the documents are searched.", skipped=True)
    llm = tools.deps.model if options.use_llm_fallback and state["model"].available else None
    athena = Athena(
        llm=llm,
        now=tools.deps.now(),
        find_folder=partial(find_folder, tools.deps.library),
        find_company=partial(_find_own_company, tools.deps.graph) if tools.deps.graph is not None else None,
        threshold=options.confidence_threshold,
        speller=tools.deps.speller if state["request"].correct_spelling else None,
        translator=tools.deps.translator if "multilingual" not in state["request"].without else None,
    )
    found = await classify(query, athena=athena)
    writes: dict[str, Any] = {"classification": found}
    details = _describe_reading(found, query.filters)
    ambiguity = await _ambiguity(found, state, tools)
    if ambiguity is not None:
        asked_back = found.model_copy(update={"intent": Intent.CLARIFICATION_NEEDED, "rule": "ambiguous", "reasoning": ambiguity.message})
        writes = {"classification": asked_back, "ambiguity": ambiguity}
        details = f"{details} {ambiguity.message}"
    return NodeResult(writes, details, tuple(found.degraded), tokens=found.tokens, prompts=found.prompts)


async def _find_own_company(graph: KnowledgeGraph, tenant: str) -> str:
    try:
        return await find_company(graph, tenant)
    except Unavailable:
        return ""  # a graph that cannot be asked is said where Apollo asks it


async def _ambiguity(found: ClassifiedQuery, state: State, tools: Tools) -> Clarification | None:
    """What the question could mean, where it is several things; a person is asked back once in a run."""
    if "reply" in state:
        return None
    graph = tools.deps.graph if found.intent is Intent.DOCUMENT_SEARCH else None
    before = " ".join(part for turn in state["query"].history[-2:] for part in turn)
    asked = Ambiguity(question=found.read_as or state["query"].text, intent=found.intent, filters=found.filters, earlier_text=before)
    try:
        return await find_ambiguity(asked, tenant=tools.run.library, library=tools.deps.library, graph=graph)
    except Unavailable:
        return None  # a graph that cannot be asked is said where Apollo asks it


def _describe_reading(found: ClassifiedQuery, given: Filters) -> str:
    parts = [f"{found.intent.replace('_', ' ').capitalize()} ({found.confidence:.2f}, {found.rule}). {found.reasoning}"]
    parts += [f"Read as “{found.read_as}”."] if found.read_as else []
    parts += [f"Only {filters_in_words(found.filters)}."] if found.filters != given and not found.filters.is_empty() else []
    parts += [f"{note}." for note in found.notes]
    return " ".join(parts)


async def choose_run_strategy(state: State, tools: Tools) -> NodeResult:
    request, found = state["request"], state["classification"]
    requested = None if request.strategy == "auto" else request.strategy
    learned = state.get("memory", Recollection()).preferences
    asked_for = StrategyChoice(text=found.search_text, classification=found, requested=requested)
    chosen = await choose_strategy(asked_for, hybrid=tools.deps.options.hybrid, preferences=learned, feedback=tools.deps.options.feedback)
    moved = None
    if requested is None:
        chosen, moved = personalise(chosen, learned)
    asked = RetrievalRequest(
        text=found.search_text,
        tenant=tools.run.library,
        filters=found.filters,
        strategy=chosen,
        top_k=request.top_k,
        use_hybrid=request.use_hybrid and request.pipeline != "basic",
        diversity_weight=request.diversity_weight,
        mode=request.mode,
        use_links="links" not in request.without,
        without=list(request.without),
        must=found.must,
        must_not=found.must_not,
    )
    weights = f"words {chosen.lexical:.2f}, meaning {chosen.dense:.2f}" + (f", time {chosen.time:.2f}" if chosen.time else "")
    writes = {"strategy": chosen, "retrieval_request": asked}
    return NodeResult(writes, f"{chosen.name.capitalize()}: {weights}. {chosen.reason}", memory_used=(moved,) if moved else ())
