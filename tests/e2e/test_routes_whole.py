"""Every intent, every strategy and every agent on the real application with the sample library, each way compared with a snapshot of its trace.

A snapshot holds nodes, outcomes, counts and files; no times, no raw scores, no ids. VANTAGE_SNAPSHOTS=write renews them.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest

from core.runs import AGENTS
from core.search import Intent, StrategyName
from tests.support.serving import ServedVantage

MEETING = "Operations meeting 2026-10-06.md"
SNAPSHOTS = Path(__file__).parent / "snapshots"
PARALLEL = frozenset({"read", "analyse", "find_insights", "hop"})  # nodes that run for several files or sub-questions at once


@dataclass(frozen=True)
class Case:
    """`attached` are file names of the sample library, or of nothing; `answer` goes on with a run that asks back."""

    query: str
    attached: tuple[str, ...] = ()
    answer: dict[str, object] | None = None
    request: dict[str, object] = field(default_factory=dict)


CASES = {
    "lookup": Case("How large is the deposit for Quay 7 and who holds it?"),
    "comparison": Case("Compare the three offers for reach trucks: total net price."),
    "summarization": Case("Summarise the minutes of the operations meeting of 6 October."),
    "analysis": Case("Analyze the freight costs of 2026"),
    "general_knowledge": Case("What is the capital of Portugal?"),
    "system_meta": Case("How many documents are in my library?"),
    "clarification_answered": Case("it?", answer={"text": "How large is the deposit for Quay 7?"}),
    "clarification_skipped": Case("what about that?", answer={"skip": True}),
    "precise": Case('the exact words "thorough examination" in the crane report'),
    "semantic": Case("Why is the joint of the runway beam corroded?"),
    "exploratory": Case("how is the repair of the crane connected to the lease"),
    "temporal": Case("latest decisions about the cold store alarms in October 2026"),
    "hybrid": Case("landlord share runway joint repair crane threshold lease clause report agent", request={"strategy": "hybrid"}),
    "bridge": Case("Which firm does the landlord's agent for Quay 7 work for?"),
    "sequence": Case("First find who approved the reach trucks, then tell me up to what amount this person may approve an order."),
    "corrected": Case("how many parking spaces for bicycles at Customs House Row"),
    "not_found": Case("Who feeds the zebras of the Averton zoo on Sundays?"),
    "attached_question": Case("Who has to propose new order points, and by when?", (MEETING, "Budget 2026.xlsx", "no such file.pdf")),
    "attached_tasks": Case("What are the action items?", (MEETING,)),
    "attached_summary": Case("Summarise these files", ("Crane C2 examination report.pdf", "Re - Crane C2 at Quay 7.eml")),
    "attached_unreadable": Case("What does it say?", ("no such file.pdf",)),
}


@dataclass(frozen=True)
class Ran:
    """A case's response, and the trace of its run."""

    response: dict[str, Any]
    trace: dict[str, Any]


@pytest.fixture(scope="module")
def ran(sample_server: ServedVantage) -> dict[str, Ran]:
    """Every case once, each asked by a person of its own, so that no memory of one changes another."""
    with sample_server.client() as client:
        documents = {each["filename"]: each["id"] for each in client.get("/documents", params={"limit": 200}).raise_for_status().json()["documents"]}
        return {name: run(client, name, case, documents) for name, case in CASES.items()}


def run(client: httpx.Client, name: str, case: Case, documents: dict[str, str]) -> Ran:
    attached = [documents.get(each, each) for each in case.attached]
    body = {"query": case.query, "user_id": f"routes-{name}", "attached_documents": attached or None, **case.request}
    response = client.post("/search", json=body).raise_for_status().json()
    if case.answer is not None and response["clarification_of"]:
        response = client.post(f"/runs/{response['clarification_of']}/answer", json=case.answer).raise_for_status().json()
    trace = client.get(f"/traces/{response['trace_id']}").raise_for_status().json()
    return Ran(response, trace)


def outline(ran: Ran) -> dict[str, Any]:
    """What must not change unseen. A correction has a budget of milliseconds, so what it found last depends on the machine: it is left out. Of the
    results the first and their number stand: those behind it may be equally good, and then come in the order in which they were indexed."""
    response = ran.response
    corrected = any(node["node"] == "correct" for node in ran.trace["nodes"])
    return {
        "status": response["status"],
        "intent": response["intent"],
        "strategy": strategy_of(ran),
        "path": response["routing_path"],
        "nodes": nodes_of(ran.trace),
        "first": "corrected" if corrected else next((each["filename"] for each in response["results"]), ""),
        "results": "corrected" if corrected else len(response["results"]),
        "cited": sorted({each["filename"] for each in response["citations"]}),
        "counts": {
            "citations": len(response["citations"]),
            "sentences": len(response["answer_sentences"]),
            "followups": len(response["suggested_followups"]),
            "attached": len((response["insights"] or {}).get("files", [])),
            "rows": len((response["comparison_result"] or {}).get("rows", [])),
        },
        "generated_by": response["generated_by"],
        "degraded": sorted(each["part"] for each in response["degraded"]),
    }


def nodes_of(trace: dict[str, Any]) -> list[list[str]]:
    """(node, agent, outcome, subject) in order; nodes that ran at the same time stand sorted, for they end in any order. Of several tries the first
    correction stands for all."""
    found = [[node["node"], node["agent"], node["outcome"], node["subject"]] for node in trace["nodes"]]
    first = next((place for place, node in enumerate(found) if node[0] == "correct"), len(found))
    found = found[: first + 1] + [node for node in found[first + 1 :] if node[0] not in {"correct", "retrieve", "rerank"}]
    ordered: list[list[str]] = []
    together: list[list[str]] = []
    for node in found:
        if node[0] in PARALLEL:
            together.append(node)
            continue
        ordered += [*sorted(together), node]
        together = []
    return ordered + sorted(together)


def strategy_of(ran: Ran) -> str:
    """The strategy of the last choice in this run; "" where nothing was searched."""
    chosen = [node["writes"]["strategy"]["name"] for node in ran.trace["nodes"] if "strategy" in node["writes"]]
    return str(chosen[-1]) if chosen else ""


@pytest.mark.parametrize("name", CASES)
def test_the_way_of_each_question(ran: dict[str, Ran], name: str) -> None:
    path = SNAPSHOTS / f"{name}.json"
    text = json.dumps(outline(ran[name]), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("VANTAGE_SNAPSHOTS") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{name} changed; look at the difference, then run with VANTAGE_SNAPSHOTS=write"


@pytest.mark.parametrize("name", CASES)
def test_every_way_ends_in_remember_and_tells_its_steps(ran: dict[str, Ran], name: str) -> None:
    found = ran[name]
    assert found.trace["nodes"][-1]["node"] == "remember"
    assert [step["node"] for step in found.response["steps"]] == [node["node"] for node in found.trace["nodes"]]
    assert all(step["details"].strip() for step in found.response["steps"])
    assert {step["outcome"] for step in found.response["steps"]} <= {"ok", "skipped", "degraded"}


@pytest.mark.parametrize("name", CASES)
def test_every_citation_is_exact(ran: dict[str, Ran], name: str, client: httpx.Client) -> None:
    for each in ran[name].response["citations"]:
        span = {"start": each["start"], "end": each["end"]}
        assert client.get(f"/documents/{each['document_id']}/content", params=span).raise_for_status().json()["text"] == each["quote"]


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_every_agent_is_reached(ran: dict[str, Ran], agent: Any) -> None:
    assert agent.label in {step["agent"] for found in ran.values() for step in found.response["steps"]}


@pytest.mark.parametrize("intent", Intent)
def test_every_intent_is_reached(ran: dict[str, Ran], intent: Intent) -> None:
    classified = {node["writes"]["classification"]["intent"] for found in ran.values() for node in found.trace["nodes"] if node["node"] == "classify"}
    assert intent.value in classified


@pytest.mark.parametrize("strategy", get_args(StrategyName))
def test_every_strategy_is_reached(ran: dict[str, Ran], strategy: str) -> None:
    assert strategy in {strategy_of(found) for found in ran.values()}
