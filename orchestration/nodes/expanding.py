"""Expanding the graph: Apollo between the strategy and the search."""

from __future__ import annotations

from agents.graph_rag import Sought, expand
from core.graph import GraphExpansion
from core.search import RetrievalRequest
from orchestration.adapter import Done, Tools
from orchestration.response import counted
from orchestration.state import State

_SHOWN = 4  # names in the step's sentence


async def expand_graph(state: State, tools: Tools) -> Done:
    """The question's entities in the knowledge graph, and the passages they lead to as a leg of the search.

    A strategy that gives the graph no weight still gets the expansion to show; the search then leaves the leg out.
    """
    graph = tools.deps.graph
    if graph is None:
        return Done({}, "There is no knowledge graph in this library.", skipped=True)
    if "graph" in state["request"].without:
        return Done({}, "Left out, as this run was asked to.", skipped=True)
    asked, found, hops = state["retrieval_request"], state["classification"], _hops(state)
    sought = Sought(text=found.search_text, names=[*found.entities, *found.quoted], tenant=tools.run.library, filters=asked.filters, hops=hops)
    expansion = await expand(sought, graph=graph)
    if not expansion.original_entities:
        counts = await graph.counts(tools.run.library)
        titles = await graph.titles(tools.run.library, found.search_text) if asked.strategy.feedback > 0 else {}
        return Done({"retrieval_request": naming(asked)} if titles else {}, _nobody(counts.entities), skipped=True)
    return Done(
        {"expansion": expansion, "retrieval_request": naming(asked).model_copy(update={"graph_hits": expansion.hits})},
        _told(expansion, hops, weight=asked.strategy.graph),
    )


def naming(asked: RetrievalRequest) -> RetrievalRequest:
    """The search of a question that names what the library knows, be it in small letters: what is found first must not lead away from that name."""
    return asked.model_copy(update={"strategy": asked.strategy.model_copy(update={"feedback": 0.0})})


def _nobody(entities: int) -> str:
    if not entities:
        return "The knowledge graph is empty: it fills as folders are indexed."
    return f"The question names nothing of the {counted(entities, 'name')} in the knowledge graph."


def _hops(state: State) -> int:
    """The strategy's hops; at least one where the question explores, or is taken apart."""
    strategy, plan = state["strategy"], state.get("plan")
    explores = strategy.name == "exploratory" or (plan is not None and plan.complexity == "complex")
    return max(strategy.hops, 1 if explores else 0)


def _told(expansion: GraphExpansion, hops: int, *, weight: float) -> str:
    names = list(dict.fromkeys(f"{match.entity.name}{_how(match.how, match.matched)}" for match in expansion.original_entities))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    parts = [f"Known: {', '.join(names[:_SHOWN])}{more}."]
    if hops:
        related = [each.entity.name for each in expansion.expanded_entities]
        within = f"{counted(len(related), 'related name')} within {counted(hops, 'hop')}"
        parts.append(f"{within}{': ' + ', '.join(related[:_SHOWN]) if related else ''}.")
    documents = len({hit.document_id for hit in expansion.hits})
    parts.append(f"{counted(len(expansion.hits), 'passage')} in {counted(documents, 'document')}")
    return " ".join(parts) + ("." if weight > 0 else "; this strategy searches without them.")


def _how(how: str, matched: str) -> str:
    return "" if how == "exact" else f" (for “{matched}”)"
