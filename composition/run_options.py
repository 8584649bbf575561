"""The settings that the graph needs, out of all of them."""

from __future__ import annotations

from agents.strategy.agent import STRATEGIES
from core.language.document_vocabularies import read_vocabularies
from core.search import Strategy
from orchestration.dependencies import Options
from settings import Settings


def make_run_options(settings: Settings) -> Options:
    """Return the options of the graph as the settings have them."""
    hybrid, semantic, classifier = settings.search.hybrid, settings.search.semantic, settings.agents.classifier
    return Options(
        hybrid=Strategy(name="hybrid", lexical=hybrid.bm25_weight, dense=hybrid.vector_weight, min_score=settings.search.min_score),
        semantic=STRATEGIES["semantic"].model_copy(update={"lexical": semantic.bm25_weight, "dense": semantic.vector_weight}),
        feedback=settings.search.feedback.weight,
        vocabularies=read_vocabularies(settings.search.routing.vocabulary_file),
        routes=settings.search.routing.weight > 0,
        not_found_below=settings.answers.not_found_below,
        classifier_enabled=classifier.enabled,
        use_llm_fallback=classifier.use_llm_fallback,
        confidence_threshold=classifier.confidence_threshold,
        rerank_enabled=settings.search.rerank.enabled,
        model_required=bool(settings.llm.model) or settings.ollama.enabled == "on",
        max_query_characters=settings.server.max_query_characters,
        max_questions=settings.server.max_questions,
        max_questions_per_person=settings.server.max_questions_per_person,
        history_turns=settings.memory.session.window_size,
        attached_wait_seconds=settings.agents.attached.wait_seconds,
        correction_enabled=settings.agents.correction.enabled,
        correction_max_tries=settings.agents.correction.max_tries,
        correction_budget_ms=settings.agents.correction.budget_ms,
        model_seconds=settings.llm.seconds_per_question,
    )
