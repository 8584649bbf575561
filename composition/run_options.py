"""The settings that the graph and memory need, out of all of them."""

from __future__ import annotations

from agents.confidence.agent import HIGH
from agents.dual_level.agent import DualLevelOptions
from agents.lazy_rag.agent import LazyOptions
from agents.strategy.agent import STRATEGIES
from core.language.document_vocabularies import read_vocabularies
from core.search import Strategy
from memory.memory_dependencies import MemoryOptions
from memory.notes import NoteOptions
from orchestration.dependencies import Options
from settings import Settings


def make_run_options(settings: Settings) -> Options:
    """Return the options of the graph as the settings have them."""
    hybrid, semantic, classifier = settings.search.hybrid, settings.search.semantic, settings.agents.classifier
    return Options(
        hybrid=Strategy(name="hybrid", lexical=hybrid.bm25_weight, dense=hybrid.vector_weight, min_score=settings.search.min_score),
        semantic=STRATEGIES["semantic"].model_copy(update={"lexical": semantic.bm25_weight, "dense": semantic.vector_weight}),
        feedback=settings.search.feedback.weight if settings.search.feedback.enabled else 0.0,
        vocabularies=read_vocabularies(settings.search.routing.vocabulary_file),
        routes=settings.search.routing.weight > 0,
        not_found_below=settings.answers.not_found_below,
        hybrid_enabled=hybrid.enabled,
        classifier_enabled=classifier.enabled,
        use_llm_fallback=classifier.use_llm_fallback,
        confidence_threshold=classifier.confidence_threshold,
        routing_enabled=settings.query_routing.enabled,
        routing_threshold=settings.query_routing.confidence_threshold,
        lazy_rag=_lazy_options(settings),
        dual_level=_dual_level_options(settings),
        rerank_enabled=settings.search.rerank.enabled,
        model_required=settings.llm.enabled and (bool(settings.llm.model) or settings.ollama.enabled == "on"),
        max_query_characters=settings.server.max_query_characters,
        max_questions=settings.server.max_questions,
        max_questions_per_person=settings.server.max_questions_per_person,
        history_turns=settings.memory.session.window_size,
        attached_wait_seconds=settings.agents.attached.wait_seconds,
        planner_enabled=settings.agents.planner.enabled,
        correction_enabled=settings.agents.correction.enabled,
        correction_max_tries=settings.agents.correction.max_tries,
        correction_budget_ms=settings.agents.correction.budget_ms,
        model_seconds=settings.llm.seconds_per_question,
    )


def _lazy_options(settings: Settings) -> LazyOptions | None:
    lazy_rag = settings.lazy_rag
    return LazyOptions(lazy_rag.max_entities, lazy_rag.max_hops, lazy_rag.use_communities) if lazy_rag.enabled else None


def _dual_level_options(settings: Settings) -> DualLevelOptions | None:
    dual_level = settings.dual_level
    if not dual_level.retrieval_enabled:
        return None
    return DualLevelOptions(dual_level.low_weight, dual_level.high_weight, dual_level.low_limit, dual_level.high_limit)


def make_memory_options(settings: Settings) -> MemoryOptions:
    """Return the options of memory as the settings have them."""
    memory, chosen = settings.memory, settings.memory.agentic_memory
    notes = NoteOptions(
        enabled=chosen.enabled,
        max_keywords=chosen.generation.max_keywords,
        similarity_threshold=chosen.evolution.similarity_threshold,
        max_links=chosen.evolution.max_links_per_note,
        most=chosen.notes_max,
        high_confidence=HIGH,
        from_answers=chosen.from_answers,
    )
    return MemoryOptions(memory.enabled, memory.episodes_max, memory.consolidation_seconds, notes)
