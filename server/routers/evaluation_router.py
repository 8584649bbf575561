"""Measuring: questions that are searched like any other and leave nothing behind."""

from __future__ import annotations

from fastapi import APIRouter

from core.search_schemas import SearchResponse
from server.auth import AppServices, Caller
from server.evaluation_schemas import EvaluationRequest

router = APIRouter(prefix="/evaluation", tags=["evaluation"])


@router.post("/search")
async def measure_search(body: EvaluationRequest, caller: Caller, services: AppServices) -> SearchResponse:
    """Search as POST /search does, without a language model, memory and asking back; no trace of it is kept. One question at a time."""
    return await services.evaluation.search(caller.tenant, body, caller.owner)
