"""What a person asked and was answered, and all that is remembered of it: deleted at once."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from server.auth import AppServices, Caller
from server.schemas import HistoryDeleted

router = APIRouter(prefix="/history", tags=["conversations"])


@router.delete("")
async def delete_history(caller: Caller, services: AppServices, user_id: Annotated[str | None, Query(max_length=200)] = None) -> HistoryDeleted:
    """Delete the caller's conversations, runs, feedback, sessions and memory; without keys the profile's that `user_id` names. Documents stay. A run
    that is at work is stopped first."""
    person = caller.person(user_id)
    await services.runs.stop_runs(caller.tenant, user_id=person)
    deleted = await services.history.delete(caller.tenant, person)
    await services.runs.forget_runs(caller.tenant, user_id=person)
    forgotten = await services.memory.forget(caller.tenant, person)
    await services.history.reclaim_space()
    return HistoryDeleted(
        user_id=person, conversations=deleted.conversations, runs=deleted.runs, feedback=deleted.feedback, remembered=sum(forgotten.removed.values())
    )
