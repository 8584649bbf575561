"""Runs of Zeus: started, followed by any number of readers, cancelled, finished, and stored."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import TypeAlias

from agents.clarification.agent import Clarification
from core.errors import Cancelled, Conflict, NotFound, Overloaded, TooMany, VantageError
from core.log_context import set_log_context
from core.model_time import limit_model_time
from core.ownership import personal_library
from core.ports import SharedRun
from core.runs import Event, Trace, TraceNode
from core.search import Filters, Query
from core.search_pipelines import apply_pipeline
from core.search_schemas import RunAnswer, SearchRequest, SearchResponse
from orchestration.candidate_trace import trace_candidates
from orchestration.class_filter import resolve_class
from orchestration.dependencies import Dependencies
from orchestration.entered_text import check_question, check_reply
from orchestration.events import RunRecord
from orchestration.evidence import gather_evidence, make_results
from orchestration.live_run import LiveRun, problem_body
from orchestration.node_adapter import RunContext
from orchestration.nodes import ROWS
from orchestration.response import add_degradation, build_response, complete_response, routing_path
from orchestration.run_sharing import SharedRuns
from orchestration.state import ClarificationReply, RunInput, State
from orchestration.turn_records import TurnRecorder, find_place
from orchestration.zeus import Zeus

log = logging.getLogger(__name__)
# Told of a run that ended or asked back, with the nodes that it has passed since it was told last; raises nothing.
RunObserver: TypeAlias = Callable[[Trace, Sequence[TraceNode]], None]
_GRACE = 0.1  # seconds that a stopped graph gets to leave its node before the partial result is made without it


class Runs:
    """Every run of this process by its id, which is its trace's id; with `shared` those of the library's other servers, too. All methods raise
    NotFound for a run of another tenant, and with a `user_id` for one of another person."""

    def __init__(self, zeus: Zeus, observers: Sequence[RunObserver] = (), shared: SharedRuns | None = None) -> None:
        self._zeus, self._shared = zeus, shared
        self.observers = list(observers)
        self._runs: dict[str, LiveRun] = {}
        if shared is not None:
            shared.forgotten = self._drop

    async def start(
        self, request: SearchRequest, tenant: str = "default", user_id: str = "local", *, replay_of: str | None = None, owner: str | None = None
    ) -> str:
        """Begin a run and return its id (32 hex digits). Raises InvalidInput, TooLarge, what `resolve_class` and `find_place` raise (NotFound for a
        conversation that is unknown or not the `owner`'s; None: whoever's it is), TooMany and Overloaded where as many run already as may. With an
        owner the documents of their own are read beside the tenant's.

        `replay_of` names the run that this one asks again: it joins no conversation and leaves nothing in memory.
        """
        deps, request = self._zeus.deps.of_tenant(tenant), apply_pipeline(request)
        if not deps.options.hybrid_enabled:
            request = request.model_copy(update={"use_hybrid": False})
        text = check_question(request.query, deps.options.max_query_characters)
        filters = await resolve_class(request.filters or Filters(), personal_library(tenant, owner), deps.graph)
        self._admit(tenant, user_id)
        record = RunRecord(
            id=uuid.uuid4().hex, tenant=tenant, user_id=user_id, request=request, started_at=deps.now(), replay_of=replay_of, owner=owner
        )
        place = await find_place(deps.conversations, tenant, request, owner, record.started_at)
        self._forget_expired()
        live = LiveRun(record, TurnRecorder(deps.conversations, record, None if replay_of else place))
        if self._shared is not None:
            await self._shared.begin(live, deps.options.max_questions_per_person)
        self._runs[record.id] = live
        query = Query(
            text=text,
            tenant=record.library,
            user_id=user_id,
            conversation_id=request.conversation_id,
            session_id=request.session_id,
            filters=filters,
        )
        live.task = asyncio.create_task(self._conduct(live, {"request": request, "query": query}), name=f"run-{record.id}")
        return record.id

    @property
    def running(self) -> int:
        """How many runs are being answered now."""
        return sum(live.ended_at is None for live in self._runs.values())

    async def require_run(self, tenant: str, run_id: str, user_id: str | None = None) -> None:
        """Check that the run can be followed. Raises NotFound where it cannot."""
        await self._find(tenant, run_id, user_id)

    def events(self, tenant: str, run_id: str, after: int = 0) -> AsyncIterator[Event]:
        """Yield the events with an id above `after`, those to come included, until `done`. Any number of readers, at any time."""
        if self._shared is not None and run_id not in self._runs:
            return self._shared.follow(tenant, run_id, after)
        return self._find_live(tenant, run_id).record.log.follow(after)

    async def result(self, tenant: str, run_id: str) -> SearchResponse:
        """Return the response, once the run is over. Raises what made it fail."""
        live = self._find_live(tenant, run_id)
        live.waiting_callers += 1
        try:
            if live.task is not None:
                await asyncio.shield(live.task)
        finally:
            live.waiting_callers -= 1
        if live.error is not None:
            raise live.error
        if live.response is None:
            raise Cancelled("The server was shut down before the run was over.")
        return live.response

    async def answer(self, tenant: str, run_id: str, given: RunAnswer, user_id: str | None = None) -> None:
        """Go on with a run that asked back. Raises Conflict where it does not wait for an answer, InvalidInput for a choice that is none, TooMany and
        Overloaded as `start`; then it goes on waiting."""
        found = await self._find(tenant, run_id, user_id)
        if found.choices is None:
            raise Conflict("This run does not wait for an answer. Ask the question again.")
        options = self._zeus.deps.options
        reply = check_reply(given, found.choices, options.max_query_characters)
        self._admit(tenant, found.user_id)
        if self._shared is not None and isinstance(found, SharedRun):
            live = self._runs[run_id] = await self._shared.take_over(found, options.max_questions_per_person)
        else:
            live = self._find_live(tenant, run_id)
        live.choices, live.ended_at, live.response = None, None, None
        live.stop, live.record.stopping = asyncio.Event(), False
        live.record.log.reopen()
        live.task = asyncio.create_task(self._conduct(live, reply), name=f"run-{run_id}")

    async def cancel(self, tenant: str, run_id: str, user_id: str | None = None) -> bool:
        """Stop the graph and the model's call now; what was found so far becomes the response, with status "stopped".

        False where the run is over already, or so far on that its answer stands.
        """
        if self._shared is not None and run_id not in self._runs:
            return await self._shared.request_stop(tenant, run_id, user_id)
        live = self._find_live(tenant, run_id, user_id)
        if not live.can_stop:
            return live.ended_at is None and live.stop.is_set()
        live.halt()
        return True

    def stop_if_unread_for(self, tenant: str, run_id: str, seconds: float) -> None:
        """Stop a run that a reader left, where nobody follows or waits for it so many seconds from now."""
        if self._shared is not None:
            self._shared.stop_if_unread(tenant, run_id, seconds)
        else:
            asyncio.get_running_loop().call_later(seconds, self.cancel_if_unread, tenant, run_id)

    def cancel_if_unread(self, tenant: str, run_id: str) -> None:
        """Stop a run that nobody follows or waits for; a run that is over or forgotten is left alone."""
        live = self._runs.get(run_id)
        if live is not None and live.record.tenant == tenant and live.ended_at is None and not live.is_read:
            live.halt(is_abandoned=True)

    async def forget_runs(self, tenant: str, *, user_id: str | None = None, document_ids: Collection[str] = (), run_id: str | None = None) -> None:
        """Keep no longer what is over: the runs of a person, one run, or those that name one of these documents. One that is at work goes on, and
        stores what is left of it."""
        wanted = set(document_ids)

        def goes(live: LiveRun) -> bool:
            record = live.record
            if live.ended_at is None or record.tenant != tenant:
                return False
            return record.user_id == user_id or record.id == run_id or bool(wanted & live.document_ids)

        for each in [each for each, live in self._runs.items() if goes(live)]:
            self._drop(each)
        if self._shared is not None:
            await self._shared.forget(tenant, user_id=user_id, document_ids=wanted, run_id=run_id)

    def _drop(self, run_id: str) -> None:
        """Keep a run no longer that is over, or that another server went on with."""
        if run_id in self._runs and self._runs[run_id].ended_at is not None:
            self._zeus.forget(run_id)
            del self._runs[run_id]

    async def stop_runs(self, tenant: str, *, user_id: str | None = None, conversation_id: str | None = None) -> None:
        """Stop a person's runs, or those in a conversation, and wait until they are stored."""
        all_of = [live for live in self._runs.values() if live.record.tenant == tenant]
        mine = [
            live
            for live in all_of
            if (user_id is not None and live.record.user_id == user_id)
            or (conversation_id is not None and live.record.request.conversation_id == conversation_id)
        ]
        for live in mine:
            live.halt()
        if tasks := [live.task for live in mine if live.task is not None and not live.task.done()]:
            await asyncio.wait(tasks, timeout=5)
        if self._shared is not None:
            await self._shared.stop_elsewhere(tenant, user_id=user_id, conversation_id=conversation_id)

    async def close(self) -> None:
        """Stop every run and wait for their ends."""
        tasks = [live.task for live in self._runs.values() if live.task is not None and not live.task.done()]
        for live in self._runs.values():
            live.halt(is_abandoned=True)
        if tasks:
            await asyncio.wait(tasks, timeout=5)
        if self._shared is not None:
            await self._shared.close()

    async def _find(self, tenant: str, run_id: str, user_id: str | None) -> LiveRun | SharedRun:
        """Return a run of this server, or what is known of another's. Raises NotFound."""
        if self._shared is not None and run_id not in self._runs:
            return await self._shared.find(tenant, run_id, user_id)
        return self._find_live(tenant, run_id, user_id)

    def _find_live(self, tenant: str, run_id: str, user_id: str | None = None) -> LiveRun:
        live = self._runs.get(run_id)
        if live is None or live.record.tenant != tenant or user_id not in (None, live.record.user_id):
            raise NotFound(f"There is no run {run_id}. A run can be followed for some minutes after its end; its trace stays.")
        return live

    def _admit(self, tenant: str, user_id: str) -> None:
        """Check that one more run may start. Raises TooMany where the person has as many questions running as one may have, Overloaded where all
        persons together have."""
        options = self._zeus.deps.options
        running = [live.record for live in self._runs.values() if live.ended_at is None]
        if sum((record.tenant, record.user_id) == (tenant, user_id) for record in running) >= options.max_questions_per_person:
            raise TooMany(
                f"{options.max_questions_per_person} questions of yours are being answered, as many as one person may ask at the same time."
            )
        if len(running) >= options.max_questions:
            raise Overloaded(f"{options.max_questions} questions are being answered, as many as this server takes at the same time.")

    def _forget_expired(self) -> None:
        options, now = self._zeus.deps.options, asyncio.get_running_loop().time()
        over = {run_id: live.ended_at for run_id, live in self._runs.items() if live.ended_at is not None}
        spare = len(self._runs) - options.keep_runs
        for position, (run_id, over_at) in enumerate(over.items()):
            if now - over_at > options.keep_seconds or position < spare:
                del self._runs[run_id]

    async def _conduct(self, live: LiveRun, given: RunInput | ClarificationReply) -> None:
        """Run the graph from here to its end (or to where it asks back) with what is in force now, the embedding model with its vectors."""
        set_log_context(live.record.tenant, live.record.user_id, live.record.id)
        with self._zeus.leases.lease() as shared:
            deps = shared.of_tenant(live.record.tenant)
            live.record.embedder, live.record.features = deps.embedder, deps.features
            await self._conduct_with(live, given, deps)

    async def _conduct_with(self, live: LiveRun, given: RunInput | ClarificationReply, deps: Dependencies) -> None:
        record = live.record
        stopped = asyncio.create_task(live.stop.wait())
        try:
            await self._store_question(live, given)
            if live.checkpoint:  # another server began it
                record.state, live.checkpoint = self._zeus.unpack(record.id, live.checkpoint), b""
            with limit_model_time(deps.options.model_seconds):
                work = asyncio.create_task(self._zeus.conduct(given, RunContext(record, deps)))
            await asyncio.wait({work, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                work.cancel()
                await asyncio.wait({work}, timeout=_GRACE)
                await self._finish(live, await self._partial_response(record, deps))
            elif work.cancelled():
                await self._finish(live, await self._partial_response(record, deps))
            elif (error := work.exception()) is not None:
                await self._fail(live, error)
            elif (asked := work.result()) is not None:
                await self._wait_for_reply(live, asked)
            else:
                await self._finish(live, record.state["response"])
        except Exception as error:
            log.exception("Run %s could not be ended", record.id)
            await self._fail(live, error)
        finally:
            stopped.cancel()
            live.ended_at = asyncio.get_running_loop().time()
            done = {"run_id": record.id, "status": live.response.status if live.response else "failed"}
            if self._shared is not None:
                await self._shared.settle(live, done, self._zeus.pack(record.id) if live.choices is not None else b"")
            record.log.append("done", done)
            record.log.close()
            if live.choices is None:
                record.state.clear()  # the events and the response stay for late readers; what the nodes wrote lies in the trace
                self._zeus.forget(record.id)
            elif self._shared is not None:
                self._drop(record.id)  # it goes on where it is answered

    async def _store_question(self, live: LiveRun, given: RunInput | ClarificationReply) -> None:
        """Store the question before its first event is emitted."""
        await live.turn.begin()
        record = live.record
        if not isinstance(given, ClarificationReply):
            record.state.update(given)
            started = {"run_id": record.id, "trace_id": record.id, "query": record.request.query, "conversation_id": record.request.conversation_id}
            record.log.append("run", started)

    async def _partial_response(self, record: RunRecord, deps: Dependencies) -> SearchResponse:
        state: State = record.state  # type: ignore[assignment] # the mirror holds State's keys
        if "results" not in state and "retrieval" in state and "retrieval_request" in state:
            try:
                await asyncio.wait_for(_quick_results(record, state, deps), timeout=_GRACE)
            except (TimeoutError, VantageError) as error:
                log.warning("Run %s was stopped without its results: %r", record.id, error)
        return build_response(state, record, stopped=True)

    async def _wait_for_reply(self, live: LiveRun, clarification: Clarification) -> None:
        """Publish what the run asks back as its response until it is answered, for as long as a run is kept."""
        record = live.record
        record.state["clarification"] = clarification
        response = build_response(record.state, record).model_copy(update={"clarification_of": record.id})  # type: ignore[arg-type] # State's keys
        await self._finish(live, response)
        del record.state["clarification"]
        live.choices, live.choice_documents = list(clarification.questions), list(clarification.documents)

    async def _finish(self, live: LiveRun, response: SearchResponse) -> None:
        """Store the turn and the trace, then publish. What cannot be stored is said in the response."""
        record = live.record
        response = complete_response(response, record, ROWS)
        interrupted = live.is_abandoned and response.status == "stopped"
        response = await live.turn.end("interrupted" if interrupted else "answered", response)
        response = await self._store_trace(record, response)
        live.response = response
        sent = response.model_dump(mode="json")
        record.log.append("sources", {"results": sent["results"], "citations": sent["citations"]})
        record.log.append("answer", sent)

    async def _store_trace(self, record: RunRecord, response: SearchResponse) -> SearchResponse:
        try:
            await self._keep_trace(record, await self._make_trace(record, response.status, response))
        except VantageError as error:
            log.warning("The trace of run %s was not stored: %s", record.id, error)
            return add_degradation(response, "trace", f"{error} This run cannot be looked at later.")
        return response

    async def _keep_trace(self, record: RunRecord, trace: Trace) -> None:
        passed, record.told_nodes = trace.nodes[record.told_nodes :], len(trace.nodes)
        for observer in self.observers:
            observer(trace, passed)
        await self._zeus.deps.traces.save(trace)

    async def _make_trace(self, record: RunRecord, status: str, response: SearchResponse | None) -> Trace:
        state = record.state
        retrieval = state.get("retrieval")
        return Trace(
            id=record.id,
            tenant=record.tenant,
            user_id=record.user_id,
            conversation_id=record.request.conversation_id,
            query=record.request.query,
            status=status,
            started_at=record.started_at,
            duration_ms=round(record.elapsed_seconds() * 1000, 3),
            generated_by=response.generated_by if response else "none",
            routing_path=routing_path(record, ROWS),
            request=record.request.model_dump(mode="json"),
            response=response.model_dump(mode="json") if response else {},
            nodes=list(record.nodes),
            moves=await trace_candidates(state, record.library, self._zeus.deps.library),
            reports=[report.model_dump(mode="json") for report in retrieval.reports] if retrieval else [],
            degraded=[each.model_dump() for each in state.get("degraded", [])],
            tokens=state.get("tokens", {}),
            prompts=state.get("prompts", {}),
            replay_of=record.replay_of,
            embedder=record.embedder,
            features=dict(record.features),
            retrieval_request=state["retrieval_request"].model_dump(mode="json") if "retrieval_request" in state else {},
        )

    async def _fail(self, live: LiveRun, error: BaseException) -> None:
        """Emit an `error` event without internals, and store a trace with status "failed"."""
        record = live.record
        log.error("Run %s failed", record.id, exc_info=error)
        live.error = error if isinstance(error, Exception) else RuntimeError("the run broke off")
        problem = problem_body(error, record.id)
        await live.turn.fail(problem)
        record.log.append("error", problem)
        try:
            await self._keep_trace(record, await self._make_trace(record, "failed", None))
        except Exception:  # the run's own error was emitted already: a second one may not take the loop down
            log.exception("The trace of the failed run %s was not stored", record.id)


async def _quick_results(record: RunRecord, state: State, deps: Dependencies) -> None:
    """Add the passages found before the stop as results, without an answer."""
    passages, _ = await deps.retriever.assemble_passages(state["retrieval_request"], state["retrieval"], record.request.top_k)
    gathered = await gather_evidence(passages, record.library, deps.library)
    kept = gathered.passages
    record.state |= {"passages": kept, "results": make_results(kept, gathered.documents, record.request.top_k)}
