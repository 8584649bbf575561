"""Runs of several servers over one library: each tells the others of its own, and follows, stops and goes on with theirs.

The store holds what is true; notices say when to look at it, and whoever waits for one looks once a second anyway.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from core.background_tasks import cancel_task
from core.errors import Conflict, NotFound, Unavailable, VantageError
from core.ports import ConversationStore, NoticeBus, SharedRun, SharedRunState, SharedRunStore, StopReason, TraceStore, Turn
from core.runs import Event, Trace
from orchestration.live_run import LiveRun, problem_body, restore_run, turn_place

log = logging.getLogger(__name__)
_LOOKS = 1.0  # seconds between two looks of who waits for a notice
_BATCH = 0.05  # seconds for which events are gathered before they are written
_MARKS = 5.0  # seconds between two marks that somebody reads a run
_SILENT_LOOKS = 3  # looks after which a server that did not beat between them is taken for dead
_UNSEEN = 10_000  # more events than a server can have shown its own readers before it died without storing them
_STOP_SECONDS = 5.0  # until a run elsewhere has stopped
_RUN, _GONE = "run ", "gone "


@dataclass(frozen=True, slots=True)
class SharedStores:
    """`traces` and `conversations` are the library's, for what is to be said of a run whose server is gone."""

    runs: SharedRunStore
    conversations: ConversationStore
    traces: TraceStore


@dataclass(slots=True)
class _Share:
    """What the others know of a run that is conducted here."""

    live: LiveRun
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    sent: int = 0
    is_settling: bool = False
    task: asyncio.Task[None] | None = None


class SharedRuns:
    """`name` is this server's, and never another's. It says every `beat_seconds` that it lives. `open` it before a run begins."""

    def __init__(self, name: str, stores: SharedStores, notices: NoticeBus, beat_seconds: float = 10.0, keep_seconds: float = 600.0) -> None:
        self.name, self._stores, self._runs, self._notices = name, stores, stores.runs, notices
        self._beat_seconds, self._keep = beat_seconds, timedelta(seconds=keep_seconds)
        self._shares: dict[str, _Share] = {}
        self._wakers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._servers: dict[str, tuple[int, int]] = {}  # of each server its beats, and how often no more were seen
        self._tasks: set[asyncio.Task[None]] = set()
        self._looking: asyncio.Task[None] | None = None
        self.forgotten: Callable[[str], None] = lambda _: None  # is told of each run that is to be kept no longer
        self.looked: Callable[[Collection[str]], Awaitable[None]] | None = None  # is told, after each look, which servers live
        notices.subscribe(self._receive)

    @property
    def servers(self) -> int:
        """How many servers live, as of the last look."""
        return max(1, len(self._servers))

    async def open(self) -> None:
        """Say that this server lives. Raises Unavailable."""
        self._note_beats(await self._runs.beat(self.name))
        self._looking = asyncio.create_task(self._look_after(), name="shared-runs")

    async def close(self) -> None:
        """Sign off. Every run has ended by now."""
        await cancel_task(self._looking)
        for task in [*self._tasks, *(share.task for share in self._shares.values())]:
            await cancel_task(task)
        try:
            await self._runs.remove_server(self.name)
        except VantageError as error:
            log.warning("The other servers take this one for dead in a while: %s", error)

    def _receive(self, notice: str) -> None:
        if notice.startswith(_RUN):
            for wake in self._wakers.get(notice.removeprefix(_RUN), ()):
                wake.set()
        elif notice.startswith(_GONE):
            self.forgotten(notice.removeprefix(_GONE))

    async def _tell(self, run_id: str) -> None:
        await self._notices.publish(f"{_RUN}{run_id}")

    @contextmanager
    def _woken(self, run_id: str, wake: asyncio.Event) -> Iterator[None]:
        self._wakers[run_id].add(wake)
        try:
            yield
        finally:
            self._wakers[run_id].discard(wake)
            if not self._wakers[run_id]:
                del self._wakers[run_id]

    # ---------------------------------------------------------------------------------------------------------- runs of this server
    async def begin(self, live: LiveRun, most: int) -> None:
        """Tell of a run that begins. Raises TooMany where the person has `most` already, on all servers together."""
        await self._runs.begin(live.share(self.name, "running"), most)
        self._start_share(live)

    def _start_share(self, live: LiveRun, sent: int = 0) -> None:
        share = self._shares[live.record.id] = _Share(live, sent=sent)
        live.record.log.listener = share.wake.set
        share.task = asyncio.create_task(self._send_events(share), name=f"share-{live.record.id}")

    async def _send_events(self, share: _Share) -> None:
        """Store the run's events as they come, and stop it where somebody wants that elsewhere, or another server took its end in hand."""
        live, run_id, marks_at = share.live, share.live.record.id, asyncio.get_running_loop().time() + _MARKS
        with self._woken(run_id, share.wake):
            while not share.is_settling:
                share.wake.clear()
                with _say_unavailable(run_id):
                    await self._send(share)
                    if live.is_read and asyncio.get_running_loop().time() > marks_at:
                        await self._runs.mark_followed(run_id)
                        marks_at = asyncio.get_running_loop().time() + _MARKS
                await _wait(share.wake, _LOOKS)
                await asyncio.sleep(0 if share.is_settling else _BATCH)

    async def _send(self, share: _Share) -> None:
        run_id, events = share.live.record.id, share.live.record.log.read_after(share.sent)
        standing = await self._runs.append(run_id, self.name, events)
        share.sent += len(events)
        if events:
            await self._tell(run_id)
        if standing.stop == "person" and share.live.can_stop:
            share.live.halt()
        elif not standing.is_ours or standing.stop == "unread":
            share.live.halt(is_abandoned=True)

    async def settle(self, live: LiveRun, done: dict[str, Any], checkpoint: bytes = b"") -> None:
        """Store how a run ended, or what it waits for, with its last event. Raises nothing: what cannot be stored now is stored later."""
        share, record = self._shares.pop(live.record.id), live.record
        share.is_settling = True
        share.wake.set()
        if share.task is not None:
            await asyncio.wait({share.task})
        record.log.listener = None
        events = record.log.read_after(share.sent)
        last = Event(id=share.sent + len(events) + 1, kind="done", data=done)
        shared = live.share(self.name, "over" if live.choices is None else "waiting")
        if not await self._settle(shared, [*events, last], checkpoint):
            self._start(self._settle_later(shared, [*events, last], checkpoint))

    async def _settle(self, shared: SharedRun, events: list[Event], checkpoint: bytes) -> bool:
        """Return whether there is nothing left to do."""
        with _say_unavailable(shared.id):
            await self._runs.settle(shared, events, checkpoint)
            await self._tell(shared.id)
            return True
        return False

    async def _settle_later(self, shared: SharedRun, events: list[Event], checkpoint: bytes) -> None:
        while not await self._settle(shared, events, checkpoint):  # noqa: ASYNC110  (nobody tells when the store is back)
            await asyncio.sleep(_LOOKS)

    # --------------------------------------------------------------------------------------------------------------- runs of others
    async def find(self, tenant: str, run_id: str, user_id: str | None = None) -> SharedRun:
        """Raises NotFound."""
        return await self._runs.get(tenant, run_id, user_id)

    async def follow(self, tenant: str, run_id: str, after: int = 0) -> AsyncIterator[Event]:
        """Yield the events of a run that another server conducts, or did, as they come. A store that is away is waited for."""
        await self._runs.get(tenant, run_id)
        wake, marks_at, position = asyncio.Event(), 0.0, max(0, after)
        with self._woken(run_id, wake), suppress(NotFound):  # it may be forgotten meanwhile
            while True:
                wake.clear()
                events: list[Event] = []
                state: SharedRunState = "running"
                with _say_unavailable(run_id):
                    events, state = await self._runs.read_events(run_id, position)
                    if state == "running" and asyncio.get_running_loop().time() > marks_at:
                        await self._runs.mark_followed(run_id)
                        marks_at = asyncio.get_running_loop().time() + _MARKS
                for event in events:
                    yield event
                    position = event.id
                if state != "running":
                    return
                await _wait(wake, _LOOKS)

    async def request_stop(self, tenant: str, run_id: str, user_id: str | None = None) -> bool:
        """Have the server stop a run that conducts it. False where it is over, or waits. Raises NotFound."""
        if (await self._runs.get(tenant, run_id, user_id)).state != "running":
            return False
        await self._ask_to_stop(run_id, "person")
        return True

    async def _ask_to_stop(self, run_id: str, reason: StopReason) -> None:
        await self._runs.request_stop(run_id, reason)
        await self._tell(run_id)

    def stop_if_unread(self, tenant: str, run_id: str, seconds: float) -> None:
        """Have a run stopped that nobody reads, on any server, for so long from now on."""
        self._start(self._stop_if_unread(tenant, run_id, seconds))

    async def _stop_if_unread(self, tenant: str, run_id: str, seconds: float) -> None:
        with _say_unavailable(run_id), suppress(NotFound):
            before = (await self._runs.get(tenant, run_id)).follows
            await asyncio.sleep(seconds)
            found = await self._runs.get(tenant, run_id)
            if (found.state, found.follows) == ("running", before):
                await self._ask_to_stop(run_id, "unread")

    async def stop_elsewhere(self, tenant: str, *, user_id: str | None, conversation_id: str | None) -> None:
        """Stop a person's runs, or those in a conversation, on other servers, and wait for some seconds until they are stored."""
        ids = {each.id for each in await self._runs.list_running() if _belongs(each, tenant, user_id, conversation_id) and each.server != self.name}
        for run_id in ids:
            await self._ask_to_stop(run_id, "person")
        deadline = asyncio.get_running_loop().time() + _STOP_SECONDS
        while ids and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(2 * _BATCH)
            ids &= {each.id for each in await self._runs.list_running()}

    async def take_over(self, shared: SharedRun, most: int) -> LiveRun:
        """Go on with a run that waits, whichever server began it. Raises Conflict where it waits no more, TooMany as `begin` does."""
        events, _ = await self._runs.read_events(shared.id, 0)
        live = restore_run(shared, events, self._stores.conversations)
        checkpoint = await self._runs.take(shared.id, self.name, most)
        if checkpoint is None:
            raise Conflict("This run does not wait for an answer. Ask the question again.")
        live.checkpoint = checkpoint
        self._start_share(live, len(events))
        return live

    async def forget(self, tenant: str, *, user_id: str | None, document_ids: Collection[str], run_id: str | None) -> None:
        """Keep no longer what is over, on any server."""
        for gone in await self._runs.forget(tenant, user_id=user_id, document_ids=document_ids, run_id=run_id):
            await self._notices.publish(f"{_GONE}{gone}")

    # ------------------------------------------------------------------------------------------------------------- servers that die
    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(self._beat_seconds)
            try:
                with _say_unavailable("of other servers"):
                    await self._look()
            except Exception:  # whatever it was: a server that no longer says that it lives is taken for dead
                log.exception("This server could not look after the others' runs")

    async def _look(self) -> None:
        running = await self._runs.list_running()  # first: a server that is new beats before it has any
        self._note_beats(await self._runs.beat(self.name))
        await self._end_orphans(running)
        await self._runs.prune(datetime.now(UTC) - self._keep)
        if self.looked is not None:
            await self.looked(self._servers.keys())

    def _note_beats(self, beats: Mapping[str, int]) -> None:
        """Count for how many looks a server was silent. Looks are counted and not time: while the store was away nobody could beat."""
        before = self._servers
        self._servers = {name: (count, before[name][1] + 1 if name in before and before[name][0] == count else 0) for name, count in beats.items()}

    async def _end_orphans(self, running: Sequence[SharedRun]) -> None:
        dead = {name for name, (_, silent) in self._servers.items() if silent >= _SILENT_LOOKS}
        for run in running:
            if run.server in dead or run.server not in self._servers:
                await self._break_off(run)
        for name in dead:
            await self._runs.remove_server(name)
            self._servers.pop(name)

    async def _break_off(self, run: SharedRun) -> None:
        """Say of a run whose server is gone that it broke off: to its readers, in its conversation and in its trace."""
        problem = problem_body(Unavailable("The server that was answering this question is gone. Ask it again."), run.id)
        await self._interrupt_turn(run, problem)
        await self._keep_trace(run, problem["detail"])
        last = (await self._runs.read_events(run.id, 0))[0]
        number = (last[-1].id if last else 0) + _UNSEEN
        ends = [("error", problem), ("done", {"run_id": run.id, "status": "failed"})]
        events = [Event(id=number + place, kind=kind, data=data) for place, (kind, data) in enumerate(ends, 1)]  # type: ignore[arg-type]
        if await self._runs.settle(replace(run, state="over"), events):
            log.warning("Run %s broke off: its server %s is gone", run.id, run.server)
            await self._tell(run.id)

    async def _interrupt_turn(self, run: SharedRun, problem: dict[str, Any]) -> None:
        place = turn_place(run)
        if place is None:
            return
        with suppress(NotFound):  # the conversation was deleted meanwhile
            _, turns = await self._stores.conversations.get(run.tenant, place.conversation_id)
            for turn in turns:
                if turn.trace_id == run.id and turn.state == "running":
                    ended = Turn(turn.id, turn.query, turn.created_at, run.id, turn.response, "interrupted", turn.request, problem)
                    await self._stores.conversations.append_turn(run.tenant, place.conversation_id, ended)

    async def _keep_trace(self, run: SharedRun, reason: str) -> None:
        """Store a trace of what is known, unless the run's server still stored its own."""
        with suppress(NotFound):
            if (await self._stores.traces.get(run.tenant, run.id)).status != "clarification_needed":
                return
        request = run.details["request"]
        took = (datetime.now(UTC) - run.started_at).total_seconds() * 1000
        await self._stores.traces.save(
            Trace(
                id=run.id,
                tenant=run.tenant,
                user_id=run.user_id,
                conversation_id=run.conversation_id or None,
                query=request["query"],
                status="failed",
                started_at=run.started_at,
                duration_ms=round(took, 3),
                generated_by="none",
                routing_path="",
                request=request,
                response={},
                nodes=[],
                moves=[],
                degraded=[{"part": "server", "reason": reason}],
                replay_of=run.details["replay_of"],
            )
        )

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


@contextmanager
def _say_unavailable(what: str) -> Iterator[None]:
    """Go on where the store does not answer: it is asked again."""
    try:
        yield
    except Unavailable as error:
        log.warning("Run %s: %s", what, error)


def _belongs(run: SharedRun, tenant: str, user_id: str | None, conversation_id: str | None) -> bool:
    if run.tenant != tenant:
        return False
    return (user_id is not None and run.user_id == user_id) or (conversation_id is not None and run.conversation_id == conversation_id)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
