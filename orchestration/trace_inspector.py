"""Questions about stored runs: the graph they went through, two of them side by side, one asked again, and why a file is where it is."""

from __future__ import annotations

from datetime import timedelta

from core.ownership import personal_library
from core.run_inspection import (
    EventList,
    FileExplanation,
    GraphEdgeOut,
    GraphNodeOut,
    NodeShift,
    ResultShift,
    TraceComparison,
    TraceLine,
    ZeusGraphOut,
)
from core.runs import Event, Outcome, Step, Trace, TraceNode
from core.search import WEIGHTED
from core.search_schemas import SearchRequest, SearchResponse, StageName
from orchestration import daedalus
from orchestration.dependencies import Dependencies
from orchestration.explain_file import explain_file
from orchestration.node_adapter import NodeRow
from orchestration.nodes import ROWS
from orchestration.run_registry import Runs
from orchestration.zeus import Zeus


class TraceInspector:
    """server.services.Inspector over the stored traces. Every id of another tenant, and with a `user_id` of another person, raises NotFound."""

    def __init__(self, zeus: Zeus, runs: Runs) -> None:
        self._zeus, self._runs = zeus, runs

    def graph(self) -> ZeusGraphOut:
        """Return Zeus as compiled, and Daedalus's nodes in the group that hangs on attached_documents."""
        drawn = self._zeus.graph.get_graph()
        rows = {row.name: row for row in ROWS}
        nodes = [_node(name, "zeus", rows.get(name)) for name in drawn.nodes]
        edges = [GraphEdgeOut(source=edge.source, target=edge.target, conditional=edge.conditional) for edge in drawn.edges]
        inner = daedalus.compile_study().get_graph()
        within = {row.name: row for row in daedalus.STUDY_ROWS}
        nodes += [_node(name, "daedalus", row) for name, row in within.items()]
        edges += [
            GraphEdgeOut(source=f"daedalus:{edge.source}", target=f"daedalus:{edge.target}", conditional=edge.conditional)
            for edge in inner.edges
            if edge.source in within and edge.target in within
        ]
        edges.append(GraphEdgeOut(source="attached_documents", target=f"daedalus:{next(iter(within))}", conditional=False))
        return ZeusGraphOut(nodes=nodes, edges=edges, mermaid=drawn.draw_mermaid())

    @property
    def dependencies(self) -> Dependencies:
        """The dependencies that the graph uses now: for a server that compiles the graph for itself, as `langgraph dev` does."""
        return self._zeus.deps

    async def events(self, tenant: str, trace_id: str, user_id: str | None = None) -> EventList:
        """Return the steps of the run as its stream sent them, then sources, answer and done. What was streamed word by word is not kept."""
        trace = await self._zeus.deps.traces.get(tenant, trace_id, user_id=user_id)
        begun: dict[str, object] = {"run_id": trace.id, "trace_id": trace.id, "query": trace.query, "conversation_id": trace.conversation_id}
        found: list[tuple[str, dict[str, object]]] = [("run", begun)]
        found += [("step", step.model_dump(mode="json")) for node in trace.nodes for step in (_started_step(node), _ended_step(node))]
        if trace.response:
            found.append(("sources", {"results": trace.response.get("results", []), "citations": trace.response.get("citations", [])}))
            found.append(("answer", trace.response))
        found.append(("done", {"run_id": trace.id, "status": trace.status}))
        return EventList(events=[Event.model_validate({"id": place, "kind": kind, "data": data}) for place, (kind, data) in enumerate(found, 1)])

    async def compare(self, tenant: str, left: str, right: str, user_id: str | None = None) -> TraceComparison:
        one, other = [await self._zeus.deps.traces.get(tenant, each, user_id=user_id) for each in (left, right)]
        return TraceComparison(
            left=_trace_line(one),
            right=_trace_line(other),
            differences=differences(one, other),
            results=result_shifts(one, other),
            nodes=_node_shifts(one, other),
            same_answer=one.response.get("answer", "") == other.response.get("answer", ""),
        )

    async def replay(self, tenant: str, trace_id: str, without: list[StageName], user_id: str | None = None) -> SearchResponse:
        """Ask the same again, as the same person, without these stages. It joins no conversation and leaves nothing in memory."""
        trace = await self._zeus.deps.traces.get(tenant, trace_id, user_id=user_id)
        request = SearchRequest.model_validate({**trace.request, "without": sorted({*trace.request.get("without", []), *without})})
        run_id = await self._runs.start(request, tenant, trace.user_id, replay_of=trace.id, owner=user_id)
        return await self._runs.result(tenant, run_id)

    async def explain(self, tenant: str, trace_id: str, document: str, user_id: str | None = None) -> FileExplanation:
        with self._zeus.leases.lease() as shared:
            deps = shared.of_tenant(tenant)
            trace = await deps.traces.get(tenant, trace_id, user_id=user_id)
            return await explain_file(deps, trace, document, personal_library(tenant, user_id))


def _node(name: str, group: str, row: NodeRow | None) -> GraphNodeOut:
    if row is None:
        kind = "start" if name == "__start__" else "end"
        return GraphNodeOut.model_validate({"id": name, "kind": kind, "group": group, "symbol": "", "name": "", "title": "", "action": ""})
    return GraphNodeOut(
        id=name if group == "zeus" else f"{group}:{name}",
        kind="node",
        group=group,
        symbol=row.agent.symbol,
        name=row.agent.name,
        title=row.agent.title,
        action=row.action,
    )


def _step(node: TraceNode, **fields: object) -> Step:
    known = node.model_dump(include={"agent", "action", "details", "node", "id", "started_at", "subject"})
    return Step.model_validate({**known, **fields})


def _started_step(node: TraceNode) -> Step:
    doing = next((row.progress_text for row in (*ROWS, *daedalus.STUDY_ROWS) if row.name == node.node), node.action)
    return _step(node, details=doing, timestamp=node.started_at, outcome=Outcome.RUNNING)


def _ended_step(node: TraceNode) -> Step:
    return _step(node, timestamp=node.started_at + timedelta(milliseconds=node.duration_ms), duration_ms=node.duration_ms, outcome=node.outcome)


def _trace_line(trace: Trace) -> TraceLine:
    return TraceLine.model_validate(trace.model_dump(include=set(TraceLine.model_fields)))


# ---------------------------------------------------------------------------------------------------------------- comparing
def differences(one: Trace, other: Trace) -> list[str]:
    """Return what differs, in sentences: the question first, then how it was searched, then what came of it."""
    said = []
    if one.query != other.query:
        said.append(f"The questions differ: “{one.query[:120]}” and “{other.query[:120]}”.")
    said += _skip_differences(one, other)
    said += _describe_change("The strategy", _search_setting(one, "name"), _search_setting(other, "name"))
    for leg in WEIGHTED:
        said += _describe_change(f"The weight of the {leg} leg", _search_setting(one, leg), _search_setting(other, leg))
    said += _describe_change("The text that was searched", one.retrieval_request.get("text"), other.retrieval_request.get("text"))
    said += _describe_change("The filters", one.retrieval_request.get("filters"), other.retrieval_request.get("filters"))
    if one.embedder and other.embedder:
        said += _describe_change("The embedding model", one.embedder, other.embedder)
    for name in sorted(one.features.keys() & other.features.keys()):
        said += _describe_change(f"The feature {name}", *(("on" if trace.features[name] else "off") for trace in (one, other)))
    said += _describe_change("The way", one.routing_path, other.routing_path)
    said += _documents(one, other)
    said += _describe_change("The status", one.status, other.status)
    said += _describe_change("The confidence", one.response.get("confidence"), other.response.get("confidence"))
    said += _describe_change("Who answered", one.generated_by, other.generated_by)
    if one.response.get("answer", "") != other.response.get("answer", ""):
        said.append("The answers differ.")
    return said or ["Nothing differs but the times."]


def _skip_differences(one: Trace, other: Trace) -> list[str]:
    before, after = set(one.request.get("without", [])), set(other.request.get("without", []))
    said = [f"The right run skipped {', '.join(sorted(after - before))}."] if after - before else []
    return said + ([f"The left run skipped {', '.join(sorted(before - after))}."] if before - after else [])


def _search_setting(trace: Trace, key: str) -> object:
    return (trace.retrieval_request.get("strategy") or {}).get(key)


def _describe_change(what: str, before: object, after: object) -> list[str]:
    return [] if before == after else [f"{what}: {_format_value(before)} on the left, {_format_value(after)} on the right."]


def _format_value(value: object) -> str:
    if isinstance(value, dict):
        kept = {name: each for name, each in value.items() if each not in (None, [], "")}
        return ", ".join(f"{name} {each}" for name, each in kept.items()) or "none"
    return f"{value:.2f}" if isinstance(value, float) else str(value) if value not in (None, "") else "none"


def _documents(one: Trace, other: Trace) -> list[str]:
    before, after = _places(one), _places(other)
    gained, lost = [after[each][1] for each in after if each not in before], [before[each][1] for each in before if each not in after]
    said = [f"Only on the right: {', '.join(gained)}."] if gained else []
    return said + ([f"Only on the left: {', '.join(lost)}."] if lost else [])


def _places(trace: Trace) -> dict[str, tuple[int, str]]:
    return {str(result["id"]): (rank, str(result["filename"])) for rank, result in enumerate(trace.response.get("results", []), 1)}


def result_shifts(one: Trace, other: Trace) -> list[ResultShift]:
    """Return the documents of both runs with their places in each."""
    before, after = _places(one), _places(other)
    return [
        ResultShift(
            document_id=each,
            filename=(after.get(each) or before[each])[1],
            left_rank=before[each][0] if each in before else None,
            right_rank=after[each][0] if each in after else None,
        )
        for each in dict.fromkeys([*before, *after])
    ]


def _node_shifts(one: Trace, other: Trace) -> list[NodeShift]:
    """Return one line for each node, in the order of the ways; a node that was passed several times has its times added up."""
    names = list(dict.fromkeys([node.node for node in one.nodes] + [node.node for node in other.nodes]))
    return [_node_shift(name, [[node for node in trace.nodes if node.node == name] for trace in (one, other)]) for name in names]


def _node_shift(name: str, passed: list[list[TraceNode]]) -> NodeShift:
    left, right = passed
    return NodeShift(
        node=name,
        agent=(left or right)[0].agent,
        left_ms=round(sum(node.duration_ms for node in left), 3) if left else None,
        right_ms=round(sum(node.duration_ms for node in right), 3) if right else None,
        left_details=left[-1].details if left else "",
        right_details=right[-1].details if right else "",
    )
