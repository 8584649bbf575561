"""Several searches for one question: Odysseus's plan, its hops side by side or one after the other, and what they bring together."""

from __future__ import annotations

from collections.abc import Sequence

from agents.planner.agent import PlanningRequest, build_reasoning, fill_placeholders, is_needed, plan, ready_hops
from agents.planner.hops import CLUE_PASSAGES, FindName, merge_hops
from agents.planner.search_plan import PlannedQuestion, make_query_plan
from core.language.document_vocabularies import DocumentVocabulary
from core.memory import Recollection
from core.ports import ChatModel, Library
from core.reasoning import Hop, Plan
from core.search import Filters, QueryPlan, Retrieval
from orchestration.answer_chance import AnswerChance
from orchestration.node_adapter import NodeResult
from orchestration.nodes.library_search import Search
from orchestration.response import format_count
from orchestration.state import State


async def plan_question(
    state: State, *, llm: ChatModel | None, vocabularies: Sequence[DocumentVocabulary], library: Library, enabled: bool = True
) -> NodeResult:
    """Plan what is searched for, and whether one search is enough. A simple question costs next to nothing."""
    if not enabled:
        return NodeResult({"plan": Plan(reason="Switched off: one search.")}, "Switched off (agents.planner.enabled): one search.", skipped=True)
    if "plan" in state["request"].without:
        return NodeResult({"plan": Plan(reason="Left out: one search.")}, "Left out for this run: one search.", skipped=True)
    found = state["classification"]
    planning = PlanningRequest(text=found.search_text, intent=found.intent, episodes=state.get("memory", Recollection()).episodes)
    planned = await plan(planning, llm=llm if state["model"].available else None)
    asked = state["retrieval_request"]

    async def count_documents(kind: str) -> int:
        _, total, _ = await library.list_documents(asked.tenant, filters=Filters(doc_types=[kind]), limit=1)
        return total

    question = PlannedQuestion(original=state["query"].text, classification=found, strategy=asked.strategy.name)
    search_plan = await make_query_plan(question, vocabularies=vocabularies, count_documents=count_documents)
    writes = {
        "plan": Plan.model_validate(planned.model_dump(include=set(Plan.model_fields))),
        "retrieval_request": asked.model_copy(update={"query_plan": search_plan}),
    }
    details = f"{_describe_plan(planned)} {_describe_search(search_plan)}"
    skipped = planned.complexity == "simple" and not planned.sub_queries
    return NodeResult(writes, details, tuple(planned.degraded), skipped=skipped, tokens=planned.tokens, prompts=planned.prompts)


def _describe_plan(found: Plan) -> str:
    what = f"{found.complexity.capitalize()} ({found.score}"
    what += f": {', '.join(found.indicators)})" if found.indicators else ")"
    if not found.sub_queries:
        return f"{what}. {found.reason}"
    steps = "; ".join(f"{each.id} “{each.query}”" for each in found.sub_queries)
    return f"{what}, {found.kind}, {format_count(len(found.sub_queries), 'step')}: {steps}. {found.reason}"


def _describe_search(made: QueryPlan) -> str:
    """Tell the aim, what the question speaks of, and its limits."""
    said = [f"The question is {made.intent}."]
    if made.document_types:
        headings = f", under headings such as {', '.join(made.boost_sections[:3])}" if made.boost_sections else ""
        said.append(f"It speaks of documents of the kind {', '.join(made.document_types)} ({made.reason}){headings}.")
    return " ".join(said)


# -- one hop -----------------------------------------------------------------------------------------------------------------------------


async def run_hop(state: State, *, search: Search, answerability: AnswerChance, find: FindName) -> NodeResult:
    """Ask one sub-query as the question itself is asked: with its filters, its strategy and the same stages."""
    sub_query, planned = state["hop_query"], state["plan"]
    asked, missing = fill_placeholders(sub_query, state.get("hops", []))
    request = state["retrieval_request"].model_copy(update={"text": asked, "graph_hits": [], "question": ""})
    found = await search(request, request.without)
    if found.candidates:  # how much of the step's question its best passage covers: a step is judged as a question is
        found = await answerability.with_coverage(request, found, CLUE_PASSAGES)
    needed = is_needed(planned, sub_query)
    bridge, lost = await find(request.tenant, asked, found.candidates) if needed and found.candidates else (None, ())
    quality = round(answerability.probability(found.signals), 4) if found.candidates else 0.0
    made = Hop(
        sub_query=sub_query,
        asked=asked,
        retrieval=found,
        quality=quality,
        bridge=bridge.name if bridge else "",
        because=bridge.sentence if bridge else "",
        citation=bridge.citation if bridge else None,
    )
    return NodeResult({"hops": [made]}, _describe_hop(made, missing, needed=needed), (*found.degraded, *lost))


def _describe_hop(made: Hop, missing: Sequence[str], *, needed: bool) -> str:
    documents = len({candidate.document_id for candidate in made.retrieval.candidates})
    found = f"{format_count(len(made.retrieval.candidates), 'passage')} from {format_count(documents, 'document')}" if documents else "nothing found"
    parts = [f"“{made.asked}”: {found}."]
    parts += [f"{' and '.join(missing)} found no name, so the description was searched instead."] if missing else []
    parts += [f"It is {made.bridge}: “{made.because}”" if made.bridge else "No name stands out in it."] if needed else []
    return " ".join(parts)


# -- bringing together -------------------------------------------------------------------------------------------------------------------


async def join_hops(state: State) -> NodeResult:
    """Join what the steps found: where steps remain, which come next; at the end the passages of all steps in one list, and the account of the
    reasoning.
    """
    planned, hops = state["plan"], state.get("hops", [])
    following = ready_hops(planned, hops)
    if following:
        return NodeResult({}, f"Next: {'; '.join(f'{each.id} “{fill_placeholders(each, hops)[0]}”' for each in following)}")
    before = state.get("retrieval", Retrieval())
    after = merge_hops(before, hops)
    reasoning = build_reasoning(planned, hops)
    came = len({candidate.chunk_id for candidate in after.candidates} - {candidate.chunk_id for candidate in before.candidates})
    named = [made.bridge for made in hops if made.bridge]
    through = f" by way of {', '.join(named)}" if named else ""
    return NodeResult(
        {"retrieval": after, "reasoning": reasoning}, f"{format_count(len(hops), 'step')} brought {format_count(came, 'new passage')}{through}."
    )
