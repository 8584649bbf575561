"""Judging: Diogenes on the answer, Hermes on each result, Themis on how far to trust it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from agents.confidence.agent import ConfidenceSignals, score_confidence
from agents.critic.agent import AnsweredRetrieval, criticise
from agents.explanation.agent import ResultTrace, explain
from core.answers import OPEN_TABLE, Critique
from core.ports import ReferenceStore
from core.search import RetrievalRequest, Strategy
from orchestration.answer_chance import TASK_INTENTS, AnswerChance, judged_signals
from orchestration.node_adapter import NodeResult
from orchestration.note_answers import GENERATED_BY_MEMORY, critique_of_memory
from orchestration.response import format_count
from orchestration.state import State

_COMPUTED_PROBABILITY = 0.95  # how sure an answer is whose every word is explained by its table

_COMPARED_PROBABILITY = 0.7  # of a table of documents side by side most of whose cells are found
_OPEN_TABLE_PROBABILITY = 0.4  # of an answer that says what a table leaves open: shown, and as "low"

# A page behind a list's last one cites nothing, and says so: that is no "not found".
_END_OF_LIST = Critique(
    verdict="answered",
    retrieval_quality=1.0,
    answer_quality=1.0,
    probability_answerable=_COMPUTED_PROBABILITY,
    reasons=["The list has no more documents."],
)


async def quality_check(state: State, *, answerability: AnswerChance) -> NodeResult:
    if state["answer"].generated_by == GENERATED_BY_MEMORY:
        remembered = critique_of_memory(state["answer"].sentences[0].score)
        return NodeResult({"critique": remembered}, f"Weak. {' '.join(remembered.reasons)}")
    if "listing" in state and not state["listing"].named:
        return NodeResult({"critique": _END_OF_LIST}, f"Answered. {' '.join(_END_OF_LIST.reasons)}")
    signals = {**judged_signals(state, state["retrieval"]), **state["answer"].signals}
    case = AnsweredRetrieval(signals=signals, passages=len(state["passages"]), answer=state["answer"])
    critique = await criticise(case, probability=partial(_probability, state, answerability), threshold=answerability.least)
    return NodeResult({"critique": critique}, f"{critique.verdict.replace('_', ' ').capitalize()}. {' '.join(critique.reasons)}")


def _probability(state: State, answerability: AnswerChance, signals: Mapping[str, float]) -> float:
    """Return the chance: what was computed answers as surely as the question fits its table, a list as surely as these are the documents that are
    meant, a summary as far as it has the question's words, a verdict over all sides of a comparison as surely as such a verdict is right, a table of
    documents most of whose cells are found answers, whatever passages the search came upon."""
    fits = [_COMPUTED_PROBABILITY * each.confidence for each in state.get("calculations", [])]
    fits += [state["listing"].sure] if "listing" in state else []
    fits += [state["lazy_rag"].confidence] if "lazy_rag" in state else []
    fits += [state["dual_level"].confidence] if "dual_level" in state else []
    fits += [_OPEN_TABLE_PROBABILITY] if OPEN_TABLE in signals else []
    lead = state["answer"].lead
    fits += [lead.chance] if lead is not None and lead.kind == "verdict" and "comparison" in state else []
    fits += [_COMPARED_PROBABILITY] if "comparison" in state and state["comparison"].is_mostly_filled else []
    return max([answerability.probability(signals), *fits])


async def explain_results(state: State) -> NodeResult:
    cited = [citation.document_id for citation in state["answer"].citations]
    journeys = [
        ResultTrace(document_id=result.id, rank=rank, stages=result.stages, citations=cited.count(result.id))
        for rank, result in enumerate(state["results"], 1)
    ]
    explanations = await explain(journeys)
    results = [
        result.model_copy(update={"why": each.phrase, "why_sentence": each.sentence, "bars": each.bars})
        for result, each in zip(state["results"], explanations, strict=True)
    ]
    return NodeResult(
        {"explanations": explanations, "results": results}, "; ".join(f"{each.filename}: {each.why}" for each in results[:3]) or "No results."
    )


async def score_answer(state: State, *, tenant: str, references: ReferenceStore | None, answerability: AnswerChance, hybrid: Strategy) -> NodeResult:
    results, evidence = state["results"], state.get("evidence", [])
    cited = sorted({citation.document_id for citation in state["answer"].citations})
    relations = await references.relations_between(tenant, cited) if references is not None and len(cited) > 1 else []
    verdict = ConfidenceSignals(
        question=state["classification"].search_text,
        answer=state["answer"],
        critique=state["critique"],
        top_score=results[0].score if results else 0.0,
        sources=len(results),
        dates={each.passage.document_id: each.dated for each in evidence if each.dated},
        titles={each.passage.document_id: each.title for each in evidence},
        relations=relations,
        compares=state["classification"].intent in TASK_INTENTS or "calculations" in state,
        computed="calculations" in state,
        sections=state["sections"],
    )
    confidence = await score_confidence(verdict, answerable=partial(_is_answerable, state["retrieval_request"], answerability, hybrid))
    followups = f" {format_count(len(confidence.followups), 'follow-up')}." if confidence.followups else ""
    return NodeResult({"confidence": confidence}, f"{confidence.value:.2f}, {confidence.label}. {confidence.reason}{followups}")


async def _is_answerable(asked: RetrievalRequest, answerability: AnswerChance, hybrid: Strategy, question: str, document_id: str) -> bool:
    """Asked of the index itself: one of the first three passages is of this document, and it is likely enough to answer."""
    request = RetrievalRequest(text=question, tenant=asked.tenant, filters=asked.filters, strategy=hybrid, top_k=3)
    found = await answerability.retriever.retrieve(request)
    likely = answerability.probability(found.signals) >= answerability.least
    return likely and any(candidate.document_id == document_id for candidate in found.candidates[:3])
