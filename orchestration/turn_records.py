"""The turn of a run in its conversation: stored when the question is asked, and again with what became of it."""

from __future__ import annotations

import logging
import uuid
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from agents.query_classifier.followups import asks_for_more
from core.errors import Conflict, InvalidInput, NotFound, VantageError
from core.ports import ConversationStore, Turn, TurnState
from core.search_schemas import SearchRequest, SearchResponse
from orchestration.events import RunRecord
from orchestration.response import add_degradation

log = logging.getLogger(__name__)
# What is kept elsewhere (the words, the conversation) or says nothing about what was asked.
_UNSTORED_FIELDS = {"query", "conversation_id", "session_id", "user_id", "stream_status", "replaces"}


@dataclass(frozen=True, slots=True)
class TurnPlace:
    """The place of a run's turn in its conversation. `was_answered`: an earlier answer stands there, and stays until there is another one."""

    conversation_id: str
    turn_id: str
    asked_at: datetime
    was_answered: bool = False


async def find_place(
    conversations: ConversationStore, tenant: str, request: SearchRequest, owner: str | None, asked_at: datetime
) -> TurnPlace | None:
    """Return where the turn of a run belongs; None outside of a conversation.

    Raises:
        NotFound: the conversation, or the run that is to be replaced, is unknown, or another person's.
        Conflict: the question that is to be replaced is being answered.
        InvalidInput: a run is to be replaced outside of a conversation.
    """
    if not request.conversation_id:
        if request.replaces:
            raise InvalidInput("`replaces` names a run of a conversation: send `conversation_id` with it.")
        return None
    _, turns = await conversations.get(tenant, request.conversation_id, user_id=owner)
    if not request.replaces:
        return TurnPlace(request.conversation_id, uuid.uuid4().hex, asked_at)
    for turn in turns:
        if turn.trace_id == request.replaces:
            if turn.state == "running":
                raise Conflict("This question is being answered. Wait for its answer, or stop it first.")
            return TurnPlace(request.conversation_id, turn.id, turn.created_at, was_answered=turn.state == "answered")
    raise NotFound("The question that is to be asked again is not in this conversation. It may have been deleted.")


async def earlier_turns(conversation_id: str, *, conversations: ConversationStore, run: RunRecord, most: int) -> list[Turn]:
    """Return the answered turns before the run's own, or before that of the run that is asked again: the last `most`, with the list that they go on
    with."""
    _, turns = await conversations.get(run.tenant, conversation_id)
    own = {run.id, run.replay_of, run.request.replaces}
    end = next((place for place, turn in enumerate(turns) if turn.trace_id in own), len(turns))
    answered = [turn for turn in turns[:end] if turn.state == "answered"]
    first = max(0, len(answered) - most)
    while first > 0 and asks_for_more(answered[first].query):
        first -= 1  # "more" goes on with a list, however far back it began
    return answered[first:]


class TurnRecorder:
    """The recorder of the turn of one run. Without a place nothing is stored."""

    def __init__(self, conversations: ConversationStore, record: RunRecord, place: TurnPlace | None) -> None:
        self._conversations, self._record, self._place = conversations, record, place

    @property
    def place(self) -> TurnPlace | None:
        return self._place

    async def begin(self) -> None:
        """Store the question, which is there from now on, whatever happens. Where that cannot be stored it is answered all the same, and the end says
        what was not kept."""
        if self._place is not None and not self._place.was_answered:
            await self._try_to_store("running", {})

    async def end(self, state: TurnState, response: SearchResponse) -> SearchResponse:
        """Store the turn with its answer. Returns the response, which says where it could not be stored."""
        error = await self._try_to_store(state, response.model_dump(mode="json"))
        if self._place is not None and error is None:
            self._place = replace(self._place, was_answered=False)
        return response if error is None else add_degradation(response, "conversation", f"{error} This turn is not part of the conversation.")

    async def fail(self, problem: dict[str, Any]) -> None:
        """Store the turn with the reason why it failed; an earlier answer stays instead."""
        if self._place is not None and not self._place.was_answered:
            await self._try_to_store("failed", {}, problem)

    async def _try_to_store(self, state: TurnState, response: dict[str, Any], problem: dict[str, Any] | None = None) -> VantageError | None:
        """Store the turn; return what kept it from being stored, else None."""
        record, place = self._record, self._place
        if place is None:
            return None
        asked = record.request.model_dump(mode="json", exclude_defaults=True, exclude=_UNSTORED_FIELDS)
        turn = Turn(place.turn_id, record.request.query, place.asked_at, record.id, response, state, asked, problem or {})
        try:
            await self._conversations.append_turn(record.tenant, place.conversation_id, turn)
        except VantageError as error:
            log.warning("The turn of run %s was not stored: %s", record.id, error)
            return error
        return None
