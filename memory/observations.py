"""Feedback becomes observations: what a person clicked, opened, praised or corrected, with where each leg of that run had put it."""

from __future__ import annotations

import hashlib
from typing import Any, get_args

from core.memory import Episode, Observation
from core.ports import FeedbackRecord, StoredObservation
from core.runs import Trace
from core.search import StrategyName

# What a sign is worth. A click may be curiosity, an opened citation was worth reading, a thumb is meant.
REWARDS = {"click": 0.3, "open_citation": 0.5, "thumbs_up": 1.0, "thumbs_down": -1.0, "reask": -0.5, "correction": -0.5}
_ABOUT_THE_RUN = {"thumbs_up": "thumb", "thumbs_down": "thumb"}  # the later thumb takes the place of the earlier


def observation_from_feedback(record: FeedbackRecord, trace: Trace, episode: Episode | None) -> StoredObservation | None:
    """Return the observation that a feedback makes; None where it tells nothing of retrieval: an unknown kind, or a run without results."""
    result = _meant_result(record, trace)
    reward = REWARDS.get(record.kind)
    if reward is None or result is None:
        return None
    lexical, dense, fusion, rerank = (_stage_rank(result, stage) for stage in ("lexical", "dense", "fusion", "rerank"))
    document_id = str(result["id"])
    observation = Observation(
        user_id=record.user_id,
        trace_id=record.trace_id,
        kind=record.kind,
        strategy=strategy_of(trace, episode),
        lexical_rank=lexical,
        dense_rank=dense,
        fusion_rank=fusion,
        rerank_rank=rerank,
        document_id=document_id,
        reward=reward,
        observed_at=record.created_at,
    )
    return StoredObservation(
        observation_id(record, document_id),
        observation,
        session_id=_text_or_none(trace.request.get("session_id")),
        conversation_id=trace.conversation_id,
    )


def observation_id(record: FeedbackRecord, document_id: str) -> str:
    """Return the observation's id: the same sign on the same result of a run is one observation, however often it is given."""
    kind = _ABOUT_THE_RUN.get(record.kind, record.kind)
    about = "" if kind == "thumb" and record.result_id is None else document_id
    parts = "\0".join((record.tenant, record.user_id, record.trace_id, kind, about))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _meant_result(record: FeedbackRecord, trace: Trace) -> dict[str, Any] | None:
    """Return the result that is meant: the one that is named, else the first that the answer cites, else the first."""
    results = [each for each in trace.response.get("results") or [] if isinstance(each, dict) and each.get("id")]
    named = record.result_id if record.result_id is not None else next(iter(cited_documents(trace)), None)
    found = next((each for each in results if each["id"] == named), None)
    if found is None and record.result_id is not None:
        return None
    return found or (results[0] if results else None)


def cited_documents(trace: Trace) -> list[str]:
    """Return the documents that the answer cites, in reading order."""
    cited = trace.response.get("citations") or []
    return list(dict.fromkeys(str(each["document_id"]) for each in cited if isinstance(each, dict) and each.get("document_id")))


def _stage_rank(result: dict[str, Any], leg: str) -> int | None:
    stage = (result.get("stages") or {}).get(leg)
    return int(stage["rank"]) if isinstance(stage, dict) and stage.get("rank") else None


def strategy_of(trace: Trace, episode: Episode | None) -> StrategyName:
    """Return the strategy as the episode has it, else as the node that chose it wrote it into the trace."""
    written = next((node.writes.get("strategy") for node in trace.nodes if node.node == "choose_strategy"), None)
    named = (episode.search_strategy if episode else "", written.get("name") if isinstance(written, dict) else "")
    known: tuple[StrategyName, ...] = get_args(StrategyName)
    return next((name for name in known if name in named), "hybrid")


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
