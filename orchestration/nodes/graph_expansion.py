"""Expanding the graph: Apollo between the strategy and the search."""

from __future__ import annotations

from agents.graph_expansion.agent import GraphQuestion, expand_graph
from core.graph import GraphExpansion
from core.ports import KnowledgeGraph
from core.search import Degradation, RetrievalRequest
from core.search_pipelines import PIPELINES
from orchestration.node_adapter import NodeResult
from orchestration.response import format_count
from orchestration.state import State

_SHOWN = 4  # names in the step's sentence


async def add_graph_expansion(state: State, *, graph: KnowledgeGraph | None, tenant: str) -> NodeResult:
    """Find the question's entities in the knowledge graph, and the passages they lead to as a leg of the search.

    A strategy that gives the graph no weight still gets the expansion to show; the search then leaves the leg out.
    """
    if graph is None:
        return NodeResult({}, "There is no knowledge graph in this library.", _report_missing(state, "switched off (graph.enabled)"), skipped=True)
    if "graph" in state["request"].without:
        return NodeResult({}, "Left out, as this run was asked to.", skipped=True)
    asked, found, hops = state["retrieval_request"], state["classification"], _hops(state)
    sought = GraphQuestion(text=found.search_text, names=[*found.entities, *found.quoted], tenant=tenant, filters=asked.filters, hops=hops)
    expansion = await expand_graph(sought, graph=graph)
    if not expansion.original_entities:
        counts = await graph.counts(tenant)
        titles = await graph.titles(tenant, found.search_text) if asked.strategy.feedback > 0 else {}
        writes = {"retrieval_request": disable_feedback(asked)} if titles else {}
        lost = () if counts.entities else _report_missing(state, "empty (it fills as folders are indexed)")
        return NodeResult(writes, _explain_no_entity(counts.entities), lost, skipped=True)
    return NodeResult(
        {"expansion": expansion, "retrieval_request": disable_feedback(asked).model_copy(update={"graph_hits": expansion.hits})},
        _describe_expansion(expansion, hops, weight=asked.strategy.graph),
    )


def _report_missing(state: State, why: str) -> tuple[Degradation, ...]:
    """Return what a run lacks whose pipeline is one of the graph; to the others the graph is an addition."""
    if not PIPELINES[state["request"].pipeline].graph:
        return ()
    return (Degradation(part="graph", reason=f"The knowledge graph is {why}: the question was searched without it."),)


def disable_feedback(asked: RetrievalRequest) -> RetrievalRequest:
    """Search without feedback for a question that names what the library knows, be it in small letters: what is found first must not lead away from
    that name.
    """
    return asked.model_copy(update={"strategy": asked.strategy.model_copy(update={"feedback": 0.0})})


def _explain_no_entity(entities: int) -> str:
    if not entities:
        return "The knowledge graph is empty: it fills as folders are indexed."
    return f"The question names nothing of the {format_count(entities, 'name')} in the knowledge graph."


def _hops(state: State) -> int:
    """Return the strategy's hops; at least one where the question explores, or is taken apart."""
    strategy, plan = state["strategy"], state.get("plan")
    explores = strategy.name == "exploratory" or (plan is not None and plan.complexity == "complex")
    return max(strategy.hops, 1 if explores else 0)


def _describe_expansion(expansion: GraphExpansion, hops: int, *, weight: float) -> str:
    names = list(dict.fromkeys(f"{match.entity.name}{_describe_match(match.how, match.matched)}" for match in expansion.original_entities))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    parts = [f"Known: {', '.join(names[:_SHOWN])}{more}."]
    if hops:
        related = [each.entity.name for each in expansion.expanded_entities]
        within = f"{format_count(len(related), 'related name')} within {format_count(hops, 'hop')}"
        parts.append(f"{within}{': ' + ', '.join(related[:_SHOWN]) if related else ''}.")
    documents = len({hit.document_id for hit in expansion.hits})
    parts.append(f"{format_count(len(expansion.hits), 'passage')} in {format_count(documents, 'document')}")
    return " ".join(parts) + ("." if weight > 0 else "; this strategy searches without them.")


def _describe_match(how: str, matched: str) -> str:
    return "" if how == "exact" else f" (for “{matched}”)"
