"""Measuring: questions that are searched like any other and leave nothing behind, and the kept runs over sets of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from core.run_inspection import FileExplanation
from core.search_schemas import SearchResponse
from server.auth import AppServices, Caller
from server.evaluation_schemas import (
    EvaluationComparison,
    EvaluationRequest,
    EvaluationRunDetail,
    EvaluationRunList,
    EvaluationSetList,
    RetrievalTest,
    RetrievalTestExplainRequest,
    RetrievalTestRequest,
)

router = APIRouter(prefix="/evaluation", tags=["evaluation"])
RunIdQuery = Annotated[str, Query(min_length=1, max_length=200)]


@router.post("/search")
async def measure_search(body: EvaluationRequest, caller: Caller, services: AppServices) -> SearchResponse:
    """Search as POST /search does, without a language model, memory and asking back; no trace of it is kept. One question at a time."""
    return await services.evaluation.search.ask(caller.tenant, body, caller.owner)


@router.post("/test")
async def run_retrieval_test(body: RetrievalTestRequest, caller: Caller, services: AppServices) -> RetrievalTest:
    """Search a question in one way or in two, without an answer: where each passage stood at each stage, and what differs. Nothing of it is kept."""
    return await services.evaluation.search.test(caller.tenant, body, caller.owner)


@router.post("/explain")
async def explain_retrieval_test(body: RetrievalTestExplainRequest, caller: Caller, services: AppServices) -> FileExplanation:
    """Explain where a file stands in such a search, or at which stage it was dropped and with which score. Nothing of it is kept."""
    return await services.evaluation.search.explain(caller.tenant, body, caller.owner)


@router.get("/runs")
async def list_runs(caller: Caller, services: AppServices, limit: Annotated[int, Query(ge=1, le=500)] = 200) -> EvaluationRunList:
    """The kept runs of `vantage eval run`, newest first: those of the account that serves, to its person alone where there are keys."""
    return await services.evaluation.records.list_runs(caller.tenant, caller.owner, limit)


@router.get("/runs/compare")
async def compare_runs(before: RunIdQuery, after: RunIdQuery, caller: Caller, services: AppServices) -> EvaluationComparison:
    """Two runs over the same questions: the difference of each measure with its interval, and the questions that moved most."""
    return await services.evaluation.records.compare(caller.tenant, caller.owner, before, after)


@router.get("/runs/{evaluation_id}")
async def read_run(evaluation_id: str, caller: Caller, services: AppServices) -> EvaluationRunDetail:
    """One run: its measures, the times of its steps, and the questions that it found least for."""
    return await services.evaluation.records.read_run(caller.tenant, caller.owner, evaluation_id)


@router.get("/sets")
async def list_sets(caller: Caller, services: AppServices) -> EvaluationSetList:
    """The sets that `vantage eval make` made."""
    return await services.evaluation.records.list_sets(caller.tenant, caller.owner)
