"""The embedding model of the library: which one it is, and the switch to another while questions are asked."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from server.auth import AppServices, identify
from server.schemas import EmbedderOut, EmbedderRequest

router = APIRouter(prefix="/embedder", tags=["system"], dependencies=[Depends(identify)])


@router.get("")
async def read_embedder(services: AppServices) -> EmbedderOut:
    """The model that the library is searched by, the better one if there is one, and how far a switch is."""
    return await services.embedder.state()


@router.post("", status_code=202)
async def switch_embedder(body: EmbedderRequest, services: AppServices) -> EmbedderOut:
    """Switch to another model in the background, for the whole library. Questions go on by the present one until the other one is complete."""
    return await services.embedder.switch(body.model)
