"""Daedalus: the sub-graph that studies attached documents. Each goes through Prometheus, Hypatia and Mnemosyne by itself, all at the same time.

study ×N (read → analyse → find_insights) → collect
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, cast

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from agents.attached.agent import Material, Prometheus
from core.insights import AttachedFile, AttachedReport
from core.runs import HYPATIA, MNEMOSYNE, PROMETHEUS, Outcome
from orchestration.daedalus_nodes import StudyPorts, analyse_document, failed_file, find_insights, read_document
from orchestration.dependencies import Dependencies
from orchestration.events import RunRecord
from orchestration.node_adapter import NodeRow, run_node

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

MAX_PARALLEL = 8  # documents that are studied at once; the others wait for their turn


@dataclass(frozen=True, slots=True)
class StudyContext:
    """The run that a study belongs to (langgraph's context_schema), and what it goes by."""

    deps: Dependencies
    run: RunRecord


class StudyState(TypedDict, total=False):
    """One document's way. `asked` is its id, path or name, `name` what a person calls it; `files` holds what is known of it so far, under `asked`."""

    asked: str
    name: str
    answering: bool
    material: Material
    files: Annotated[dict[str, AttachedFile], operator.or_]


class StudyOutput(TypedDict):
    files: Annotated[dict[str, AttachedFile], operator.or_]


class DaedalusState(TypedDict, total=False):
    """`asked` maps the documents, in the order in which they were attached, to their names; `answering` says that a language model answers."""

    asked: dict[str, str]
    answering: bool
    files: Annotated[dict[str, AttachedFile], operator.or_]
    report: AttachedReport


STUDY_ROWS: tuple[NodeRow, ...] = (
    NodeRow("read", PROMETHEUS, "Reading", "Reading the file",
        lambda deps, run, tell: partial(
            read_document, tenant=run.library, prometheus=Prometheus(deps.library, deps.attachments, deps.options.attached_wait_seconds, tell)),
        reads=("asked",), writes=("material", "files"), loss_text="The other files are answered from."),
    NodeRow("analyse", HYPATIA, "Analyzing the Document", "Looking at kind, structure and tone",
        lambda deps, run, _: partial(analyse_document, ports=StudyPorts(run.library, deps.graph, deps.model, deps.insights)),
        reads=("asked", "answering", "material", "files"), writes=("files",), loss_text="The file is answered from without its analysis."),
    NodeRow("find_insights", MNEMOSYNE, "Keeping What Matters", "Looking for points, tasks and questions",
        lambda deps, run, _: partial(find_insights, ports=StudyPorts(run.library, deps.graph, deps.model, deps.insights)),
        reads=("asked", "answering", "material", "files"), writes=("files",), loss_text="The file is answered from without its insights."),
)  # fmt: skip


@cache
def compile_daedalus() -> CompiledStateGraph[DaedalusState, StudyContext, DaedalusState, DaedalusState]:
    """Compile the sub-graph; it holds nothing of a run, which comes as the context."""
    graph = StateGraph(DaedalusState, context_schema=StudyContext)
    graph.add_node("study", compile_study())
    graph.add_node("collect", _collect)
    graph.add_conditional_edges(START, _send_documents, ["study", "collect"])
    graph.add_edge("study", "collect")
    graph.add_edge("collect", END)
    return graph.compile(name="daedalus", checkpointer=False)


@cache
def compile_study() -> CompiledStateGraph[StudyState, StudyContext, StudyState, StudyOutput]:
    """Compile one document's way through the three agents."""
    graph = StateGraph(StudyState, context_schema=StudyContext, output_schema=StudyOutput)
    for row in STUDY_ROWS:
        graph.add_node(row.name, _node(row), input_schema=StudyState)
    graph.add_edge(START, "read")
    graph.add_conditional_edges("read", _route_after_reading)
    graph.add_edge("analyse", "find_insights")
    graph.add_edge("find_insights", END)
    return graph.compile(name="study", checkpointer=False)


def _node(row: NodeRow) -> Any:
    """Return the row as langgraph calls it, with its step under the file's name; what is known of the file is mirrored for a run that is stopped."""

    async def node(state: StudyState, *, runtime: Runtime[StudyContext]) -> dict[str, Any]:
        run, asked = runtime.context.run, state["asked"]
        written = await run_node(row, cast(Any, state), runtime.context.deps, run, subject=state["name"])
        known: dict[str, AttachedFile] = written.get("files", {})
        if known:
            before: AttachedReport | None = run.state.get("attached")
            others = [each for each in before.files if each.document_id != known[asked].document_id] if before else []
            run.state["attached"] = make_report([*others, known[asked]], run)
        return written

    node.__name__ = row.name
    return node


async def _send_documents(state: DaedalusState) -> list[Send] | Literal["collect"]:
    return [Send("study", {"asked": asked, "name": name, "answering": state["answering"]}) for asked, name in state["asked"].items()] or "collect"


async def _route_after_reading(state: StudyState) -> Literal["analyse", "__end__"]:
    return "analyse" if "material" in state else "__end__"


async def _collect(state: DaedalusState, *, runtime: Runtime[StudyContext]) -> dict[str, Any]:
    """Return the files in the order in which they were attached, each document once; one whose reader broke down is failed."""
    known = state.get("files", {})
    files = [known.get(asked) or failed_file(asked, name) for asked, name in state["asked"].items()]
    return {"report": make_report(list({file.document_id: file for file in files}.values()), runtime.context.run)}


def make_report(files: list[AttachedFile], run: RunRecord) -> AttachedReport:
    """Report the files with who worked on them and what each said."""
    rows = {row.name: row for row in STUDY_ROWS}
    passed = [node for node in run.nodes if node.node in rows and node.outcome is not Outcome.CANCELLED]
    return AttachedReport(
        files=files,
        agents_used=list(dict.fromkeys(node.agent for node in passed)),
        thinking_steps=[f"{rows[node.node].agent.name}, {node.subject}: {node.details}" for node in passed],
    )
