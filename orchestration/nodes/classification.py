"""Reading the question: Athena's intent and filters, Proteus's strategy."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from agents.clarification.agent import Ambiguity, Clarification
from agents.query_classifier.agent import Athena, ClassifiedQuery, classify
from agents.strategy.agent import StrategyChoice, choose_strategy, personalise
from core.errors import Unavailable
from core.memory import Recollection
from core.search import Degradation, Filters, Intent, RetrievalRequest
from core.search_pipelines import PIPELINES
from orchestration.dependencies import Options
from orchestration.node_adapter import NodeResult
from orchestration.response import filters_in_words
from orchestration.state import State

_SCOPE_UNREAD = "The classifier is switched off (agents.classifier.enabled), so the scope that was asked for was not taken."
FindAmbiguity = Callable[[Ambiguity], Awaitable[Clarification | None]]


async def classify_question(state: State, *, athena: Athena | None, find_ambiguity: FindAmbiguity) -> NodeResult:
    """Without Athena every question is one to the documents."""
    query, request = state["query"], state["request"]
    if athena is None:
        plain = ClassifiedQuery(intent=Intent.DOCUMENT_SEARCH, confidence=1.0, rule="disabled", search_text=query.text, filters=query.filters)
        lost = (Degradation(part="router", reason=_SCOPE_UNREAD),) if request.scope != "auto" else ()
        return NodeResult({"classification": plain}, "The classifier is switched off; the documents are searched.", lost, skipped=True)
    llm = athena.llm if state["model"].available else None
    speller = athena.speller if request.correct_spelling else None
    translator = athena.translator if "multilingual" not in request.without else None
    router = replace(
        athena.router,
        scope=request.scope,
        prefers_levels=PIPELINES[request.pipeline].graph,
        llm=athena.router.llm if state["model"].available else None,
    )
    found = await classify(query, athena=replace(athena, llm=llm, speller=speller, translator=translator, router=router))
    writes: dict[str, Any] = {"classification": found, **({"route": found.route} if found.route is not None else {})}
    details = _describe_reading(found, query.filters)
    ambiguity = await _ambiguity(found, state, find_ambiguity)
    if ambiguity is not None:
        asked_back = found.model_copy(update={"intent": Intent.CLARIFICATION_NEEDED, "rule": "ambiguous", "reasoning": ambiguity.message})
        writes |= {"classification": asked_back, "ambiguity": ambiguity}
        details = f"{details} {ambiguity.message}"
    return NodeResult(writes, details, tuple(found.degraded), tokens=found.tokens, prompts=found.prompts)


async def _ambiguity(found: ClassifiedQuery, state: State, find: FindAmbiguity) -> Clarification | None:
    """Return what the question could mean, where it is several things; a person is asked back once in a run."""
    if "reply" in state:
        return None
    before = " ".join(part for turn in state["query"].history[-2:] for part in turn)
    asked = Ambiguity(question=found.read_as or state["query"].text, intent=found.intent, filters=found.filters, earlier_text=before)
    try:
        return await find(asked)
    except Unavailable:
        return None  # a graph that cannot be asked is said where Apollo asks it


def _describe_reading(found: ClassifiedQuery, given: Filters) -> str:
    parts = [f"{found.intent.replace('_', ' ').capitalize()} ({found.confidence:.2f}, {found.rule}). {found.reasoning}"]
    parts += [f"Read as “{found.read_as}”."] if found.read_as else []
    parts += [f"Only {filters_in_words(found.filters)}."] if found.filters != given and not found.filters.is_empty() else []
    parts += [f"{note}." for note in found.notes]
    route = found.route
    if route is not None and (route.by != "rules" or (route.query_type != "local" and route.signals)):  # passages are the ordinary way
        parts.append(f"Scope: {route.query_type} ({route.confidence:.2f}). {route.reasoning}")
    return " ".join(parts)


async def choose_run_strategy(state: State, *, tenant: str, user_id: str, options: Options) -> NodeResult:
    request, found = state["request"], state["classification"]
    requested = None if request.strategy == "auto" else request.strategy
    learned = state.get("memory", Recollection()).preferences
    asked_for = StrategyChoice(text=found.search_text, classification=found, requested=requested)
    chosen = await choose_strategy(asked_for, hybrid=options.hybrid, semantic=options.semantic, preferences=learned, feedback=options.feedback)
    moved = None
    if options.weights:
        chosen = chosen.model_copy(
            update={**options.weights, "prefer_recent": False, "reason": f"{chosen.reason} The weights are those of the request."}
        )
    elif requested is None:
        chosen, moved = personalise(chosen, learned)
    asked = RetrievalRequest(
        text=found.search_text,
        tenant=tenant,
        filters=found.filters,
        strategy=chosen,
        top_k=request.top_k,
        use_hybrid=request.use_hybrid,
        diversity_weight=request.diversity_weight,
        mode=request.mode,
        use_links="links" not in request.without,
        use_tree=PIPELINES[request.pipeline].tree,
        without=list(request.without),
        must=found.must,
        must_not=found.must_not,
        user_id=user_id if request.use_memory and "memory" not in request.without else "",
    )
    weights = f"words {chosen.lexical:.2f}, meaning {chosen.dense:.2f}" + (f", time {chosen.time:.2f}" if chosen.time else "")
    writes = {"strategy": chosen, "retrieval_request": asked}
    return NodeResult(writes, f"{chosen.name.capitalize()}: {weights}. {chosen.reason}", memory_used=(moved,) if moved else ())
