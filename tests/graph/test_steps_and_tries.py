"""The nodes of Odysseus and Sisyphus on fake ports: plan, hops and their joining; tries, their budget and the best of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from agents.planner.agent import ready_hops
from agents.planner.hops import merge_hops
from agents.query_classifier.agent import ClassifiedQuery
from agents.strategy.agent import STRATEGIES
from answers.calibration.answerability import not_found_answer
from core.answers import Answer, Evidence
from core.reasoning import Attempt, Hop, Plan, SubQuery
from core.search import Candidate, Filters, Intent, Passage, Query, Retrieval, RetrievalRequest, StageScore
from core.search_schemas import SearchRequest
from orchestration.dependencies import Dependencies
from orchestration.state import ModelState, State
from tests.support.nodes import run_node
from tests.support.ports import FakeLibrary, FakeRetriever, make_dependencies, make_document


def people() -> FakeLibrary:
    quote = make_document("quote", "/library/quote.txt", "Kestrel quote", [("Approval", "The Kestrel quote was approved by Mara Ellison on Monday.")])
    staff = make_document("staff", "/library/staff.txt", "Staff", [("Ellison", "Mara Ellison works for Trevanion and Holt since 2019.")])
    noise = make_document("noise", "/library/noise.txt", "Noise", [("Work", "Which work is done by a firm and which quote is approved is open.")])
    return FakeLibrary([noise, quote, staff])


def state_of(text: str, *, given: Filters | None = None, intent: Intent = Intent.DOCUMENT_SEARCH, **request: Any) -> State:
    query = Query(text=text, filters=given or Filters())
    found = ClassifiedQuery(intent=intent, confidence=0.9, rule="test", search_text=text, filters=query.filters)
    asked = RetrievalRequest(text=text, filters=query.filters, strategy=STRATEGIES["hybrid"], without=request.get("without", []))
    return State(
        request=SearchRequest(query=text, **request),
        query=query,
        model=ModelState(),
        classification=found,
        strategy=asked.strategy,
        retrieval_request=asked,
    )


def with_keys(state: State, **keys: Any) -> State:
    return cast(State, {**state, **keys})


QUESTION = "Which firm does the person who approved the Kestrel quote work for?"


async def run_plan(state: State, deps: Dependencies) -> State:
    state = with_keys(state, **(await run_node("plan", state, deps)).writes, **(await run_node("retrieve", state, deps)).writes)
    while following := ready_hops(state["plan"], state.get("hops", [])):
        joined = await run_node("join_hops", state, deps)
        assert joined.writes == {}
        assert joined.details.startswith("Next: ")
        made = [(await run_node("hop", with_keys(state, hop_query=each), deps)).writes["hops"][0] for each in following]
        state = with_keys(state, hops=[*state.get("hops", []), *made])
    return with_keys(state, **(await run_node("join_hops", state, deps)).writes)


async def test_a_question_of_two_steps() -> None:
    state = await run_plan(state_of(QUESTION), make_dependencies(people()))
    assert [made.asked for made in state["hops"]] == ["Who is the person who approved the Kestrel quote?", "Which firm does Mara Ellison work for?"]
    first = state["hops"][0]
    assert (first.bridge, first.citation and first.citation.document_id) == ("Mara Ellison", "quote")
    assert first.because == "The Kestrel quote was approved by Mara Ellison on Monday."
    documents = [candidate.document_id for candidate in state["retrieval"].candidates[:3]]
    assert {"quote", "staff"} <= set(documents)
    assert state["retrieval"].reports[-1].stage == "hops"
    assert [step.found.split(":")[0] for step in state["reasoning"].reasoning_trace] == ["Mara Ellison", "3 passages found."]
    assert state["reasoning"].kind == "bridge"


async def test_a_missing_bridge_is_said_and_the_description_is_searched() -> None:
    deps = make_dependencies(
        FakeLibrary([make_document("noise", "/library/n.txt", "Noise", [("A", "nothing of it is written here, firm or quote.")])])
    )
    planned = (await run_node("plan", state_of(QUESTION), deps)).writes["plan"]
    state = with_keys(state_of(QUESTION), plan=planned)
    first = await run_node("hop", with_keys(state, hop_query=planned.sub_queries[0]), deps)
    assert "No name stands out in it." in first.details
    second = await run_node("hop", with_keys(state, hops=first.writes["hops"], hop_query=planned.sub_queries[1]), deps)
    assert second.writes["hops"][0].asked == "Which firm does the person who approved the Kestrel quote work for?"
    assert "sq1 found no name, so the description was searched instead." in second.details


async def test_hops_search_as_the_question_is_searched() -> None:
    deps = make_dependencies(people())
    assert isinstance(deps.retriever, FakeRetriever)
    state = state_of(QUESTION, given=Filters(file_types=[".txt"]), without=["rerank", "links"])
    await run_plan(state, deps)
    assert len(deps.retriever.requests) == 3
    for request in deps.retriever.requests[1:]:
        assert (request.filters, request.without, request.graph_hits) == (Filters(file_types=[".txt"]), ["rerank", "links"], [])


async def test_another_tenant_finds_nothing() -> None:
    state = await run_plan(
        with_keys(state_of(QUESTION), retrieval_request=RetrievalRequest(text=QUESTION, tenant="other", strategy=STRATEGIES["hybrid"])),
        make_dependencies(people()),
    )
    assert state["retrieval"].candidates == []
    assert all(made.bridge == "" for made in state["hops"])


async def test_simple_questions_and_left_out_plans_have_no_steps() -> None:
    deps = make_dependencies()
    simple = await run_node("plan", state_of("roof repairs"), deps)
    assert simple.skipped
    assert simple.writes["plan"].sub_queries == []
    assert simple.details.startswith("Simple (0). One search is enough.")
    left_out = await run_node("plan", state_of(QUESTION, without=["plan"]), deps)
    assert (left_out.skipped, left_out.writes["plan"].sub_queries) == (True, [])
    planned = await run_node("plan", state_of(QUESTION), deps)
    assert not planned.skipped
    assert "bridge, 2 steps: sq1 “Who is the person who approved the Kestrel quote?”" in planned.details


def found(*rows: tuple[int, float]) -> Retrieval:
    candidates = [
        Candidate(chunk_id=number, document_id=f"d{number}", score=score, stages={"fusion": StageScore(rank=rank, score=score)})
        for rank, (number, score) in enumerate(rows, start=1)
    ]
    return Retrieval(candidates=candidates, signals={"dense_top1": 0.5, "lexical_ratio": 0.4})


def step(number: int, retrieval: Retrieval, quality: float = 0.5) -> Hop:
    return Hop(
        sub_query=SubQuery(id=f"sq{number}", query="q", purpose="p", priority=number), asked=f"q{number}", retrieval=retrieval, quality=quality
    )


def test_what_steps_bring_is_ordered_by_its_share_of_the_best_in_each_list() -> None:
    original = found((1, 0.9), (2, 0.8), (3, 0.7), (4, 0.6), (5, 0.45))
    joined = merge_hops(original, [step(1, found((10, 0.9), (1, 0.8), (11, 0.3))), step(2, found((20, 0.4), (21, 0.35)))])
    assert [candidate.chunk_id for candidate in joined.candidates] == [1, 20, 10, 2, 21, 3, 4, 5, 11]
    scores = [candidate.score for candidate in joined.candidates]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert joined.candidates[2].stages["hops"].rank == 3
    assert "2: by sq2 “q2”; 3: by sq1 “q1”; 4: by the question itself" in joined.reports[-1].note
    assert merge_hops(original, []) == original
    assert merge_hops(original, [step(1, Retrieval())]) == original
    assert [candidate.chunk_id for candidate in merge_hops(Retrieval(), [step(1, found((7, 0.3)))]).candidates] == [7]


def test_both_sides_of_a_comparison_are_shown_before_the_rest() -> None:
    original = found((1, 0.9), (2, 0.89), (3, 0.88))
    joined = merge_hops(original, [step(1, found((8, 0.9), (2, 0.89))), step(2, found((9, 0.2), (3, 0.19)))])
    assert [candidate.chunk_id for candidate in joined.candidates] == [1, 9, 8, 2, 3]


def test_what_several_lists_hold_comes_before_what_one_holds() -> None:
    joined = merge_hops(found((1, 1.0), (2, 0.92), (3, 0.8)), [step(1, found((5, 0.5), (3, 0.45)))])
    assert [candidate.chunk_id for candidate in joined.candidates] == [1, 5, 3, 2]  # 3: .9 + .2 * .8


def test_the_chain_is_as_sure_as_its_weakest_step() -> None:
    original = found((1, 0.9))
    sure = found((2, 0.9)).model_copy(update={"signals": {"dense_top1": 0.8, "lexical_ratio": 0.7}})
    surer = found((3, 0.9)).model_copy(update={"signals": {"dense_top1": 0.9, "lexical_ratio": 0.9}})
    assert merge_hops(original, [step(1, sure, 0.7), step(2, surer, 0.9)]).signals == {"dense_top1": 0.8, "lexical_ratio": 0.7}
    weak = found((4, 0.2)).model_copy(update={"signals": {"dense_top1": 0.2, "lexical_ratio": 0.75}})
    assert merge_hops(original, [step(1, weak, 0.1), step(2, surer, 0.9)]).signals == {"dense_top1": 0.2, "lexical_ratio": 0.75}
    weaker = found((5, 0.2)).model_copy(update={"signals": {"dense_top1": 0.2, "lexical_ratio": 0.6}})
    assert merge_hops(original, [step(1, weaker, 0.1), step(2, surer, 0.9)]).signals == original.signals
    waiting = step(2, surer, 0.9).model_copy(update={"sub_query": SubQuery(id="sq2", query="{sq1}", purpose="p", dependencies=["sq1"])})
    assert merge_hops(original, [step(1, sure, 0.7), waiting]).signals == original.signals


# -- tries -------------------------------------------------------------------------------------------------------------------------------


async def search(state: State, deps: Dependencies) -> State:
    for name in ("retrieve", "rerank"):
        state = with_keys(state, **(await run_node(name, state, deps)).writes)
    return state


async def run_tries(state: State, deps: Dependencies) -> tuple[State, list[str]]:
    details: list[str] = []
    state = await search(state, deps)
    while not state["settled"]:
        done = await run_node("correct", state, deps)
        details.append(done.details)
        state = with_keys(state, **done.writes)
        if not state["settled"]:
            state = await search(state, deps)
    return state, details


def limited(text: str) -> State:
    """A question whose words were read as a limit to PDF files."""
    state = state_of(text)
    filters = Filters(file_types=[".pdf"])
    return with_keys(
        state,
        classification=state["classification"].model_copy(update={"filters": filters}),
        retrieval_request=state["retrieval_request"].model_copy(update={"filters": filters}),
    )


async def test_a_limit_of_the_words_is_left_out_and_said() -> None:
    state, details = await run_tries(limited("hotels 140 euros night"), make_dependencies())
    assert details[0] == "The search finds 0.25 of 1: too weak. Next: without the limit to PDFs."
    assert state["retrieval_request"].filters == Filters()
    assert state["retrieval"].candidates[0].document_id == "policy"
    assert state["quality"] == 1.0
    assert [attempt.change for attempt in state["attempts"]] == ["", "without the limit to PDFs"]


async def test_the_requests_own_limit_stays() -> None:
    state, details = await run_tries(state_of("hotels 140 euros night", given=Filters(file_types=[".pdf"])), make_dependencies())
    assert all(attempt.request.filters == Filters(file_types=[".pdf"]) for attempt in state["attempts"])
    assert details[-1].startswith("Kept: the search as asked (0.25)")
    assert state["retrieval_request"] == state["attempts"][0].request
    assert {candidate.document_id for candidate in state["retrieval"].candidates} == {"lease"}


async def test_tries_end_with_their_number_and_with_the_time() -> None:
    deps = make_dependencies()
    one = replace(deps, options=replace(deps.options, correction_max_tries=1, correction_budget_ms=60_000.0))
    state, details = await run_tries(state_of("Which xyzzy of the Qwx-7 has the roof anyway?"), one)
    assert len(state["attempts"]) == 2
    assert "1 try made" in details[-1]
    none = replace(deps, options=replace(deps.options, correction_budget_ms=0.0))
    state, details = await run_tries(state_of("Which xyzzy of the Qwx-7 has the roof anyway?"), none)
    assert len(state["attempts"]) == 1
    assert "the budget of 0 ms is spent" in details[-1]


async def test_the_best_of_the_tries_and_not_the_last_is_kept() -> None:
    deps = make_dependencies()
    deps = replace(deps, options=replace(deps.options, correction_max_tries=2))
    state = await search(state_of("tenant roof"), deps)
    request = state["retrieval_request"]
    tries = [
        Attempt(request=request, retrieval=found((1, 0.5)), quality=0.25),
        Attempt(request=request.model_copy(update={"mode": "recall"}), retrieval=found((2, 0.5)), quality=0.4, change="wider"),
        Attempt(request=request.model_copy(update={"text": "zzz"}), retrieval=Retrieval(), quality=0.0, change="other words"),
    ]
    done = await run_node("correct", with_keys(state, attempts=tries, settled=False), deps)
    assert done.writes["settled"]
    assert done.writes["retrieval"].candidates[0].chunk_id == 2
    assert done.writes["retrieval_request"].mode == "recall"
    assert (done.writes["change"], done.writes["quality"]) == ("wider", 0.4)
    report = done.writes["retrieval"].reports[-1]
    assert (report.stage, report.parameters["tries"]) == ("correct", 2)
    assert report.note == "as asked: 0.25; wider: 0.40; other words: 0.00"
    assert done.details.startswith("Kept: wider (0.40 against 0.25); 2 tries made. Tried: as asked: 0.25")


class Weighing(FakeRetriever):
    """Weighs the passage that stands first, as the product does; `turned` brings the best to the second place."""

    turned = False

    async def retrieve(self, request: RetrievalRequest) -> Retrieval:
        found = await super().retrieve(request)
        signals = {"dense_top1": 0.3, "lexical_ratio": 0.3}
        first, second, *others = found.candidates
        turned = [second, first, *others] if self.turned and len(self.requests) == 1 else found.candidates
        return found.model_copy(update={"candidates": turned, "signals": signals})

    async def assemble_passages(self, request: RetrievalRequest, retrieval: Retrieval, limit: int) -> tuple[list[Passage], Retrieval]:
        passages, found = await super().assemble_passages(request, retrieval, limit)
        first = retrieval.candidates[0].score
        return passages, found.model_copy(update={"signals": {**found.signals, "coverage": first}})


def shelves() -> FakeLibrary:
    bodies = ["The amber lamp stands in the hall.", "An amber door.", "The lamp is new.", "A door and a lamp.", "The hall is cold."]
    return FakeLibrary([make_document(f"d{number}", f"/library/{number}.txt", "Sheet", [("Part", body)]) for number, body in enumerate(bodies)])


@pytest.mark.parametrize(
    ("question", "turned", "tries"),
    [
        ("Which zorbled frumious amber lamp qwyx brillig slithy?", False, 0),  # most of its words stand nowhere
        ("Which zorbled frumious amber lamp qwyx?", False, 0),
        ("Which amber lamp hall zorbled qwyx?", True, 1),  # a nearer passage stood second: worth another search
    ],
)
async def test_words_that_stand_nowhere_are_not_searched_again(question: str, turned: bool, tries: int) -> None:
    library = shelves()
    retriever = Weighing(library)
    retriever.turned = turned
    deps = make_dependencies(library)
    options = replace(deps.options, correction_max_tries=1)
    state, details = await run_tries(state_of(question), replace(deps, retriever=retriever, options=options))
    assert len(state["attempts"]) == 1 + tries
    assert len(retriever.requests) == 1 + tries
    assert ("no other passage is nearer" in details[-1]) == (tries == 0)


async def test_a_good_retrieval_is_left_alone() -> None:
    state, details = await run_tries(state_of("yearly rent 48,000 euros"), make_dependencies())
    assert details == []
    assert len(state["attempts"]) == 1


@pytest.mark.parametrize("text", ["🜁🜁🜁", "x", "?" * 40])
async def test_hopeless_questions_come_to_an_end(text: str) -> None:
    state, _ = await run_tries(state_of(text), make_dependencies())
    assert state["settled"]
    assert state["quality"] == 0.0
    assert isinstance(state["retrieval"], Retrieval)
    assert isinstance(state.get("plan", Plan()), Plan)


class QuotesOne:
    """A composer that quotes its sentence where the question has a word, and is silent otherwise."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked: list[str] = []

    async def compose(self, _tenant: str, question: str, evidence: Sequence[Evidence]) -> Answer:
        self.asked.append(question)
        if self.word not in question:
            return not_found_answer(question, evidence)
        return Answer(text="Trevanion and Holt [1]", generated_by="quoted", signals={"dense_top1": 1.0, "coverage": 1.0})


@pytest.mark.parametrize(("word", "text", "notes"), [("approved", "Trevanion and Holt [1]", 1), ("nothing", QUESTION, 0)])
async def test_steps_that_answer_nothing_leave_the_question_as_it_was_asked(word: str, text: str, notes: int) -> None:
    composer = QuotesOne(word)
    deps = replace(make_dependencies(people()), composer=composer)
    state = await run_plan(state_of(QUESTION), deps)
    answer = (await run_node("document_search", state, deps)).writes["answer"]
    assert composer.asked == ["Which firm does Mara Ellison work for?", QUESTION]
    assert text in answer.text
    assert [note for note in answer.notes if "asked in steps" in note and "Mara Ellison" in note] == answer.notes[:notes]
    assert len(answer.notes) == notes
