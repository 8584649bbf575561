"""Odysseus: what stays one search, what is cut and how, the model's plans, and the account of the reasoning."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from agents.planner.agent import (
    PlanningRequest,
    PlanReply,
    build_reasoning,
    complexity_of,
    complexity_score,
    fill_placeholders,
    is_needed,
    plan,
    ready_hops,
    reasoning_with_citations,
    resolved_question,
    sound_steps,
)
from agents.planner.decomposition import decompose
from core.answers import Answer, Citation
from core.errors import ModelUnavailable
from core.memory import RecalledMemory
from core.reasoning import Hop, Plan, SubQuery
from core.search import Candidate, Intent, Retrieval
from tests.support.models import ScriptedModel

ONE_SEARCH = [
    "How does a lock with a coded key show that it has been shut?",
    "Where does the club project that it will grow?",
    "rent quay 7",
    "What is the rent of Quay 7?",
    "Who is the landlord's agent?",
    "Who is the landlord's agent for Quay 7?",
    "What's the tenant's employer?",
    "What is Mara Ellison's phone number?",
    "What is the name of the person who signed the lease?",
    "Tell me about the company that delivered the crane.",
    "What are the documents that mention the crane?",
    "How many of the invoices that we sent in March are unpaid?",
    "Which of the suppliers that quoted is cheapest?",
    "rent and deposit of quay 7",
    "What are the start and end dates of the lease?",
    "What do the minutes and the email say about the crane?",
    "How long is the notice period?",
    "How does the alarm work?",
    "When was the last inspection?",
    "can u pls tell me when the lease ends",
    "I was wondering what the deposit might be, if that is written anywhere",
    "Where is the cold store?",
    "Is it true that the crane is out of order?",
    "What happens if the tenant does not pay?",
    "which file has the word torque in it",
    "the",
    "",
    "???",
    "What does clause 4.2 say?",
    "how much is the fish",
    "Research and development budget 2026",
    "What is the capital of France?",
    "Who wrote the crane report?",
    "Who is the boss of the person who approved {sq1}?",
]

BRIDGES: list[tuple[str, list[str]]] = [
    (
        "Which firm does the person who approved the Kestrel quote work for?",
        ["Who is the person who approved the Kestrel quote?", "Which firm does {sq1} work for?"],
    ),
    (
        "Who is the managing director of the firm that the landlord's agent works for?",
        ["Who is the landlord's agent?", "What is the firm that {sq1} works for?", "Who is the managing director of {sq2}?"],
    ),
    (
        "Where is the firm that the landlord's agent works for based?",
        ["Who is the landlord's agent?", "What is the firm that {sq1} works for?", "Where is {sq2} based?"],
    ),
    (
        "When was the director of the film that stars Tom Hanks born?",
        ["What is the film that stars Tom Hanks?", "Who is the director of {sq1}?", "When was {sq2} born?"],
    ),
    (
        "In what county is the city where Harris W. Fawell was born?",
        ["What is the city where Harris W. Fawell was born?", "In what county is {sq1}?"],
    ),
    ("Who is the spouse of the director of Big Eyes?", ["Who is the director of Big Eyes?", "Who is the spouse of {sq1}?"]),
    ("email of the person who approved the kestrel quote", ["Who is the person who approved the kestrel quote?", "Email of {sq1}?"]),
    ("who is the boss of the guy that did the crane inspection", ["Who is the guy that did the crane inspection?", "Who is the boss of {sq1}?"]),
    ("Who is Mara Ellison's employer's managing director?", ["Who is Mara Ellison's employer?", "Who is {sq1}'s managing director?"]),
    (
        "What is the phone number of the person who wrote the crane report?",
        ["Who is the person who wrote the crane report?", "What is the phone number of {sq1}?"],
    ),
    (
        "The person who approved the Norland quote works for which company?",
        ["Who is the person who approved the Norland quote?", "{sq1} works for which company?"],
    ),
    (
        "What currency predated the Euro in the country Signmark is from?",
        ["What is the country Signmark is from?", "What currency predated the Euro in {sq1}?"],
    ),
    (
        "When was the country that produced Fist Power taken by the British?",
        ["What is the country that produced Fist Power?", "When was {sq1} taken by the British?"],
    ),
    ("What kind of plane dropped the bomb on Kenji's birthplace?", ["What is Kenji's birthplace?", "What kind of plane dropped the bomb on {sq1}?"]),
    (
        "Please could you tell me the address of the company which inspected crane C2?",
        ["What is the company which inspected crane C2?", "Please could you tell me the address of {sq1}?"],
    ),
    (
        "Does the supplier that quoted for the trucks deliver to Falmouth?",
        ["Who is the supplier that quoted for the trucks?", "Does {sq1} deliver to Falmouth?"],
    ),
    ("What did the man who inspected the crane recommend?", ["Who is the man who inspected the crane?", "What did {sq1} recommend?"]),
    ("Who owns the company named after Pallas?", ["What is the company named after Pallas?", "Who owns {sq1}?"]),
]

OTHERS: list[tuple[str, str, list[str]]] = [
    ("conjunction", "When does the lease end and who signed it?", ["When does the lease end?", "Who signed the lease?"]),
    (
        "conjunction",
        "When does the lease of Quay 7 end and who signed it?",
        ["When does the lease of Quay 7 end?", "Who signed the lease of Quay 7?"],
    ),
    ("conjunction", "Who signed the lease? When does it end?", ["Who signed the lease?", "When does the lease end?"]),
    ("conjunction", "who is the landlord, and also what is the rent", ["Who is the landlord?", "What is the rent?"]),
    (
        "conjunction",
        "What does the lease of Quay 7 say about the deposit, and who holds it?",
        ["What does the lease of Quay 7 say about the deposit?", "Who holds the deposit?"],
    ),
    (
        "conjunction",
        "Who approved the pumps, and what is her approval limit?",
        ["Who approved the pumps?", "What is {sq1}'s approval limit?"],
    ),
    (
        "conjunction",
        "Which carrier was late, and who did that carrier tell?",
        ["Which carrier was late?", "Who did {sq1} tell?"],
    ),
    ("conjunction", "Who is Ada Holm and what is her extension?", ["Who is Ada Holm?", "What is Ada Holm's extension?"]),
    (
        "conjunction",
        "In the diary of the siege, how many oxen hauled a gun, and how long were these guns?",
        ["In the diary of the siege, how many oxen hauled a gun?", "In the diary of the siege, how long were these guns?"],
    ),
    ("conjunction", "What is Quay 7 and where is it?", ["What is Quay 7?", "Where is Quay 7?"]),
    ("conjunction", "Who approved it? What did it cost? When was it delivered?", ["Who approved it?", "What did it cost?", "When was it delivered?"]),
    (
        "sequence",
        "First find out who signed the lease, then tell me which company he works for",
        ["Who signed the lease?", "Which company {sq1} works for?"],
    ),
    ("sequence", "first look up the landlord's agent and then their address", ["The landlord's agent?", "{sq1}'s address?"]),
    ("sequence", "First list the quotes, then list the invoices", ["The quotes?", "The invoices?"]),
    (
        "sequence",
        "What did the report say before the repair and after the inspection?",
        ["What did the report say before the repair?", "What did the report say after the inspection?"],
    ),
    ("comparison", "compare the Kestrel and Norland quotes", ["the Kestrel quotes", "Norland quotes"]),
    (
        "comparison",
        "compare the price of the Kestrel quote with the Norland quote",
        ["the price of the Kestrel quote", "the price of the Norland quote"],
    ),
    (
        "comparison",
        "What is the difference between policy v1 and v2 on driver training?",
        ["policy v1 on driver training", "policy v2 on driver training"],
    ),
    ("comparison", "How does the Kestrel quote differ from the Pallas quote?", ["the Kestrel quote", "the Pallas quote"]),
    ("comparison", "how do lease a and lease b differ", ["lease a", "lease b"]),
    (
        "comparison",
        "Which plant is larger, the Pterocarya or the Cotula?",
        ["Which plant is larger: the Pterocarya", "Which plant is larger: the Cotula"],
    ),
    ("comparison", "Are Medici and Senet both board games?", ["Medici board games", "Senet board games"]),
    ("comparison", "Kestrel vs Norland delivery time", ["Kestrel delivery time", "Norland delivery time"]),
    (
        "comparison",
        "Do the Kestrel quote and the Pallas quote have the same delivery time?",
        ["the Kestrel quote delivery time", "the Pallas quote delivery time"],
    ),
    ("comparison", "can you compare rent in lease A with lease B pls", ["rent in lease A", "rent in lease B pls"]),
]


@pytest.mark.parametrize("text", ONE_SEARCH)
def test_one_search_is_enough(text: str) -> None:
    assert decompose(text) is None


@pytest.mark.parametrize(("text", "queries"), BRIDGES)
def test_what_is_only_described_is_looked_up_first(text: str, queries: list[str]) -> None:
    found = decompose(text)
    assert found is not None
    assert (found.kind, [each.query for each in found.sub_queries]) == ("bridge", queries)
    for number, each in enumerate(found.sub_queries, start=1):
        assert each.id == f"sq{number}"
        assert each.dependencies == [name for name in ("sq1", "sq2", "sq3") if f"{{{name}}}" in each.query]


@pytest.mark.parametrize(("kind", "text", "queries"), OTHERS)
def test_other_rules(kind: str, text: str, queries: list[str]) -> None:
    found = decompose(text)
    assert found is not None
    assert (found.kind, [each.query for each in found.sub_queries]) == (kind, queries)
    assert all(each.dependencies == (["sq1"] if "{sq1}" in each.query else []) for each in found.sub_queries)


@pytest.mark.parametrize(
    "text", ["\x00", "🜁" * 300, "the person who " * 60, "a's b's " * 200, "and what " * 80, "Who is {sq1}'s {sq9}?", "compare and and and", "?" * 500]
)
def test_odd_text_is_planned_without_harm(text: str) -> None:
    found = decompose(text)
    assert found is None or 2 <= len(found.sub_queries) <= 4


@pytest.mark.parametrize(
    ("text", "score", "complexity"),
    [
        ("rent quay 7", 0, "simple"),
        ("What is the rent?", 1, "moderate"),
        ("compare the Kestrel and Norland quotes", 2, "moderate"),
        ("How does v1 differ from v2, and why did it change?", 4, "complex"),
        ("incomparable comparisons", 0, "simple"),
        ("First this then that and before x or after y", 3, "complex"),
        ("Sandy and Andy", 1, "moderate"),
    ],
)
def test_complexity_is_the_sum_of_spec(text: str, score: int, complexity: str) -> None:
    assert complexity_score(text)[0] == score
    assert complexity_of(score) == complexity


async def test_a_rule_makes_a_plan_and_says_why() -> None:
    found = await plan(PlanningRequest(text="email of the person who approved the kestrel quote"), llm=None)
    assert (found.complexity, found.kind, found.by, found.score) == ("moderate", "bridge", "rules", 0)
    assert "the person who approved the kestrel quote" in found.reason
    simple = await plan(PlanningRequest(text="rent quay 7"), llm=None)
    assert (simple.complexity, simple.sub_queries, simple.reason) == ("simple", [], "One search is enough.")


@pytest.mark.parametrize("intent", [Intent.SUMMARIZATION, Intent.SYSTEM_META, Intent.GENERAL_KNOWLEDGE])
async def test_no_steps_for_what_is_not_searched_in_steps(intent: Intent) -> None:
    found = await plan(PlanningRequest(text="compare the Kestrel and Norland quotes", intent=intent), llm=ScriptedModel())
    assert found.sub_queries == []


async def test_a_past_question_is_a_hint_and_no_more() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    episode = RecalledMemory(tier="episodic", item_id="e", text="Who approved the Kestrel quote?\nMara Ellison.", score=0.9, at=at)
    found = await plan(PlanningRequest(text="Who approved the Kestrel quote?", episodes=[episode]), llm=None)
    assert "You asked something like it before: “Who approved the Kestrel quote?”" in found.reason
    assert found.sub_queries == []
    other = await plan(PlanningRequest(text="Where is the cold store?", episodes=[episode]), llm=None)
    assert "before" not in other.reason


def reply(*queries: tuple[str, str, Sequence[str]], kind: str = "bridge") -> str:
    steps = [{"id": number, "query": query, "purpose": "find it", "dependencies": list(needs)} for number, query, needs in queries]
    return json.dumps({"kind": kind, "reason": "It takes two steps.", "sub_queries": steps})


async def test_the_model_plans_what_no_rule_cuts() -> None:
    text = "Combine what the minutes say about the crane and the yearly budget"
    assert decompose(text) is None
    model = ScriptedModel(reply(("sq1", "minutes crane", []), ("sq2", "budget of {sq1}", [])))
    found = await plan(PlanningRequest(text=text), llm=model)
    assert (found.by, found.kind, [each.query for each in found.sub_queries]) == ("scripted", "bridge", ["minutes crane", "budget of {sq1}"])
    assert found.sub_queries[1].dependencies == ["sq1"]
    assert found.tokens == {"input": 10, "output": 5}
    assert set(found.prompts) == {"reasoning_planner"}


async def test_no_call_for_a_plain_question_or_where_a_rule_applies() -> None:
    model = ScriptedModel()
    await plan(PlanningRequest(text="What is the rent?"), llm=model)
    await plan(PlanningRequest(text="Who signed the lease? When does it end?"), llm=model)
    assert model.calls == []


async def test_a_failing_model_leaves_it_to_the_rules_and_says_so() -> None:
    model = ScriptedModel(ModelUnavailable("The model is down."))
    found = await plan(PlanningRequest(text="Combine the minutes and the yearly budget"), llm=model)
    assert (found.by, found.sub_queries) == ("rules", [])
    assert "The model is down. The rules alone planned the question." in found.degraded[0].reason


@pytest.mark.parametrize(
    "queries",
    [
        [("sq1", "only one", [])],
        [("sq1", "minutes crane", []), ("sq1", "budget", [])],
        [("sq1", "minutes {sq2}", []), ("sq2", "budget", [])],
        [("sq1", "Who did the murder in Paris with the candlestick?", []), ("sq2", "budget", [])],
    ],
)
def test_a_model_that_cannot_be_followed_is_not(queries: list[tuple[str, str, Sequence[str]]]) -> None:
    parsed = PlanReply.model_validate_json(reply(*queries))
    assert sound_steps(parsed, "Combine the minutes of the crane and the yearly budget, only one") == []


# -- following a plan --------------------------------------------------------------------------------------------------------------------


def sub(number: int, query: str, *needs: str) -> SubQuery:
    return SubQuery(id=f"sq{number}", query=query, purpose="find it", priority=number, dependencies=list(needs))


def hop(
    sub_query: SubQuery, *, asked: str = "", bridge: str = "", quality: float = 0.8, citation: Citation | None = None, documents: str = ""
) -> Hop:
    candidates = [Candidate(chunk_id=number, document_id=name, score=0.9) for number, name in enumerate(documents.split(), start=1)]
    return Hop(
        sub_query=sub_query,
        asked=asked or sub_query.query,
        retrieval=Retrieval(candidates=candidates),
        quality=quality,
        bridge=bridge,
        because=f"It says {bridge}." if bridge else "",
        citation=citation,
    )


def cited(number: int, document: str, start: int, end: int) -> Citation:
    return Citation(number=number, document_id=document, generation=1, filename="f", page=None, start=start, end=end, quote="q")


CHAIN = Plan(
    complexity="moderate",
    kind="bridge",
    sub_queries=[
        sub(1, "Who is the agent?"),
        sub(2, "What is the firm of {sq1}?", "sq1"),
        sub(3, "What is the rent?"),
        sub(4, "Who runs {sq2}?", "sq2"),
    ],
)


def test_hops_are_ready_when_what_they_wait_for_is_done() -> None:
    steps = CHAIN.sub_queries
    assert [each.id for each in ready_hops(CHAIN, [])] == ["sq1", "sq3"]
    assert [each.id for each in ready_hops(CHAIN, [hop(steps[0])])] == ["sq2", "sq3"]
    assert [each.id for each in ready_hops(CHAIN, [hop(steps[0]), hop(steps[2]), hop(steps[1])])] == ["sq4"]
    assert ready_hops(CHAIN, [hop(each) for each in steps]) == []
    assert ready_hops(Plan(), []) == []
    assert [is_needed(CHAIN, each) for each in steps] == [True, True, False, False]


def test_placeholders_are_filled_or_described() -> None:
    first = CHAIN.sub_queries[0]
    assert fill_placeholders(CHAIN.sub_queries[1], [hop(first, bridge="Tom Hale")]) == ("What is the firm of Tom Hale?", [])
    assert fill_placeholders(CHAIN.sub_queries[1], [hop(first)]) == ("What is the firm of the agent?", ["sq1"])
    assert fill_placeholders(CHAIN.sub_queries[1], []) == ("What is the firm of?", ["sq1"])


def test_the_question_that_is_left_once_the_names_are_known() -> None:
    chain = Plan(kind="bridge", sub_queries=[sub(1, "Who is the agent?"), sub(2, "Who employs {sq1}?", "sq1")])
    last = hop(chain.sub_queries[1], asked="Who employs Tom Hale?")
    assert resolved_question(chain, [last, hop(chain.sub_queries[0], bridge="Tom Hale")]) == "Who employs Tom Hale?"
    assert resolved_question(chain, [hop(chain.sub_queries[0]), last]) == ""
    assert resolved_question(chain, [hop(chain.sub_queries[0], bridge="Tom Hale")]) == ""
    side_by_side = Plan(kind="comparison", sub_queries=[sub(1, "a"), sub(2, "b")])
    assert resolved_question(side_by_side, [hop(each) for each in side_by_side.sub_queries]) == ""
    assert resolved_question(Plan(), []) == ""


def test_the_reasoning_tells_each_step_with_its_citations() -> None:
    steps = CHAIN.sub_queries
    hops = [
        hop(steps[1], asked="What is the firm of Tom Hale?", quality=0.5),
        hop(steps[0], bridge="Tom Hale", citation=cited(0, "a", 10, 30)),
        hop(steps[2], documents="b c"),
    ]
    told = build_reasoning(CHAIN, hops)
    assert [step.id for step in told.reasoning_trace] == ["sq1", "sq2", "sq3"]
    assert told.confidence == 0.5
    assert told.reasoning_trace[0].found == "Tom Hale: “It says Tom Hale.”"
    assert told.reasoning_trace[1].found.startswith("No name stands clearly")
    assert told.reasoning_trace[2].found == "2 passages found."
    answer = Answer(text="", citations=[cited(1, "a", 0, 12), cited(2, "a", 40, 50), cited(3, "c", 0, 5)])
    numbered = reasoning_with_citations(told, hops, answer)
    assert [step.citations for step in numbered.reasoning_trace] == [[1], [], [3]]
