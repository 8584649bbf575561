"""The one node adapter: it tells that a step begins, reads what the row declares, calls, writes, and records how it ended."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from langgraph.errors import GraphInterrupt
from langgraph.runtime import Runtime

from core.errors import VantageError
from core.memory import MemoryUsed
from core.runs import Agent, Outcome, Step, TraceNode
from core.search import Degradation
from orchestration.dependencies import Dependencies
from orchestration.events import RunRecord
from orchestration.state import REDUCERS, STATE_KEYS, State
from orchestration.trace_summary import summarize_value

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NodeResult:
    """What a node hands back: the keys that it writes, what it decided in words, and the parts that did not run as configured."""

    writes: dict[str, Any]
    details: str
    degraded: tuple[Degradation, ...] = ()
    skipped: bool = False
    tokens: dict[str, int] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    memory_used: tuple[MemoryUsed, ...] = ()


@dataclass(frozen=True, slots=True)
class RunContext:
    """The run that a graph call belongs to (langgraph's context_schema). `deps` are what it goes by from beginning to end, though others may be
    put in their place meanwhile; None: those of the moment."""

    run: RunRecord
    deps: Dependencies | None = None


Node = Callable[[State], Awaitable[NodeResult]]
OptionalAnswer = Callable[[State], Awaitable[NodeResult | None]]  # None where it has nothing to answer from
Tell = Callable[[str], None]  # says in words how far a step is, while it still runs
Bind = Callable[[Dependencies, RunRecord, Tell], Node]


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A node of the graph. `bind` gives its function the ports that it needs, and nothing else; `path_name` names it in the routing path (""
    leaves it out); `loss_text` says what is missing when an optional one fails."""

    name: str
    agent: Agent
    action: str
    progress_text: str
    bind: Bind
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    path_name: str = ""
    loss_text: str = ""

    @property
    def is_optional(self) -> bool:
        return bool(self.loss_text)


class GraphNode(Protocol):
    """A node as langgraph calls it."""

    async def __call__(self, state: State, *, runtime: Runtime[RunContext]) -> dict[str, Any]: ...


def make_graph_node(row: NodeRow, deps: Callable[[], Dependencies]) -> GraphNode:
    """Return the row as langgraph calls it."""

    async def node(state: State, *, runtime: Runtime[RunContext]) -> dict[str, Any]:
        return await run_node(row, state, runtime.context.deps or deps(), runtime.context.run)

    node.__name__ = row.name
    return node


async def run_node(row: NodeRow, state: State, deps: Dependencies, run: RunRecord, subject: str = "") -> dict[str, Any]:
    """Run one node and record it. Raises what a required node raises; an optional one that fails is reported as degraded.

    `subject` names the file or sub-question that this passing is about, where one node runs for several.
    """
    if run.stopping:
        raise asyncio.CancelledError
    passage = _NodeRun(row, deps.now, run, subject or _subject(state))
    view = {key: state[key] for key in row.reads if key in state}  # type: ignore[literal-required] # the keys are State's, checked by a test
    try:
        done = await row.bind(deps, run, passage.report_progress)(view)  # type: ignore[arg-type] # a view of State with the declared keys
    except asyncio.CancelledError:
        passage.end(Outcome.CANCELLED, "Stopped.", view, {})
        raise
    except GraphInterrupt as interrupted:
        passage.end(Outcome.OK, _question_back(interrupted), view, {})
        raise
    except Exception as error:
        if not row.is_optional:
            passage.end(Outcome.FAILED, describe_error(error), view, {}, error)
            raise
        log.exception("The optional step %s failed in run %s", row.name, run.id)
        return _record_degradation(row, passage, view, error)
    return _record_writes(row, passage, view, done)


def _question_back(interrupted: GraphInterrupt) -> str:
    """Return what a node asks back, as the step says it."""
    value = interrupted.args[0][0].value if interrupted.args and interrupted.args[0] else {}
    return f"{value.get('message', 'The question is not clear.')} Waits for an answer."


def _subject(state: State) -> str:
    """Return the sub-question, in the state that a parallel hop is sent."""
    return state["hop_query"].query if "hop_query" in state else ""


def describe_error(error: BaseException) -> str:
    """Describe an error for a person: our own say what to do, others are not shown."""
    return str(error) if isinstance(error, VantageError) else "Something went wrong inside Vantage."


def _record_writes(row: NodeRow, passage: _NodeRun, view: Mapping[str, Any], done: NodeResult) -> dict[str, Any]:
    undeclared = set(done.writes) - set(row.writes)
    if undeclared:
        raise KeyError(f"{row.name} wrote {sorted(undeclared)}, which its row does not declare")
    outcome = Outcome.SKIPPED if done.skipped else Outcome.DEGRADED if done.degraded else Outcome.OK
    growth = {"degraded": list(done.degraded), "tokens": done.tokens, "prompts": done.prompts, "memory_used": list(done.memory_used)}
    passage.end(outcome, done.details, view, done.writes)
    return passage.mirror_writes({**done.writes, **{key: value for key, value in growth.items() if value}})


def _record_degradation(row: NodeRow, passage: _NodeRun, view: Mapping[str, Any], error: Exception) -> dict[str, Any]:
    reason = f"{describe_error(error)} {row.loss_text}"
    passage.end(Outcome.DEGRADED, reason, view, {}, error)
    return passage.mirror_writes({"degraded": [Degradation(part=row.name, reason=reason)]})


class _NodeRun:
    """One passing of a run through a node."""

    def __init__(self, row: NodeRow, now: Callable[[], datetime], run: RunRecord, subject: str) -> None:
        self._row, self._run, self._now, self._subject = row, run, now, subject
        self._id = self._run.next_step_id()
        self._started_at = self._now()
        self._clock = time.perf_counter()
        self._run.record_step(self._make_step(row.progress_text, Outcome.RUNNING, None))

    def report_progress(self, progress: str) -> None:
        """Report the step, still running, with how far it is."""
        self._run.record_step(self._make_step(progress, Outcome.RUNNING, None))

    def end(self, outcome: Outcome, details: str, reads: Mapping[str, Any], writes: Mapping[str, Any], error: Exception | None = None) -> None:
        duration = round((time.perf_counter() - self._clock) * 1000, 3)
        self._run.nodes.append(
            TraceNode(
                id=self._id,
                node=self._row.name,
                agent=self._row.agent.label,
                action=self._row.action,
                details=details,
                started_at=self._started_at,
                duration_ms=duration,
                outcome=outcome,
                reads={key: summarize_value(value) for key, value in reads.items()},
                writes={key: summarize_value(value) for key, value in writes.items()},
                error=f"{type(error).__name__}: {describe_error(error)}" if error else None,
                subject=self._subject,
            )
        )
        self._run.record_step(self._make_step(details, outcome, duration))

    def mirror_writes(self, writes: dict[str, Any]) -> dict[str, Any]:
        """Mirror what was written, so that a stopped run has it; the keys that grow are joined as their reducers join them.

        Keys that only a sub-graph has stay there: its branches run at the same time and would overwrite each other's.
        """
        state = self._run.state
        for key, value in writes.items():
            if key in STATE_KEYS:
                state[key] = REDUCERS[key](state[key], value) if key in REDUCERS and key in state else value
        return writes

    def _make_step(self, details: str, outcome: Outcome, duration: float | None) -> Step:
        return Step(
            agent=self._row.agent.label,
            action=self._row.action,
            details=details,
            timestamp=self._now(),
            node=self._row.name,
            id=self._id,
            started_at=self._started_at,
            duration_ms=duration,
            outcome=outcome,
            subject=self._subject,
        )
