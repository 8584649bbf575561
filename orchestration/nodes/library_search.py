"""Searching: the legs, the rerank, and the answer composed of what they found."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from agents.planner.agent import find_parallel_questions, resolved_question
from core.answers import Answer
from core.memory import MemoryUsed, Recollection
from core.reasoning import Attempt
from core.search import Candidate, Degradation, Intent, Passage, Retrieval, StageReport
from orchestration.answer_generation import AnswerRequest, answer_from_evidence, stream_text, writing_prompts
from orchestration.changed_clauses import CHANGES_STAGE, add_changing_passages
from orchestration.document_list_answer import answer_with_documents
from orchestration.evidence import GatheredEvidence, gather_evidence, make_results, unquoted_sections
from orchestration.node_adapter import NodeResult, Tools
from orchestration.nodes.note_answers import GENERATED_BY_MEMORY, answer_from_note, find_related_notes
from orchestration.response import format_count
from orchestration.state import State
from orchestration.table_answer import ComputedAnswer, append_reason, compute_answer

_JUDGED_PASSAGES = 5  # candidates whose best passage says how good a try is
_LONG = 25  # words
_MIN_READING_SHARE = 0.07  # of the least probability of an answer: below it the passages are not even read for one
TASK_INTENTS = frozenset({Intent.COMPARISON, Intent.SUMMARIZATION, Intent.ANALYSIS})


async def retrieve(state: State, tools: Tools) -> NodeResult:
    found = await tools.deps.retriever.retrieve(state["retrieval_request"])
    documents = len({candidate.document_id for candidate in found.candidates})
    details = f"{format_count(len(found.candidates), 'passage')} from {format_count(documents, 'document')}."
    return NodeResult({"retrieval": found}, details if found.candidates else "Nothing found.", tuple(found.degraded))


async def rerank(state: State, tools: Tools) -> NodeResult:
    """Reorder, then weigh the try: where it is weak, Sisyphus may try again."""
    before, started = state["retrieval"], time.perf_counter()
    if not tools.deps.options.rerank_enabled or "rerank" in state["request"].without or not before.candidates:
        details = "Switched off." if before.candidates else "Nothing to reorder."
        return NodeResult(await _weigh_attempt(state, before, tools, started), details, skipped=True)
    after = await tools.deps.retriever.rerank(state["retrieval_request"], before)
    moved = sum(old.chunk_id != new.chunk_id for old, new in zip(before.candidates, after.candidates, strict=False))
    first = "the first stays" if after.candidates and after.candidates[0].chunk_id == before.candidates[0].chunk_id else "another is first"
    writes = await _weigh_attempt(state, after, tools, started)
    return NodeResult(writes, f"{moved} of {len(after.candidates)} changed places; {first}.", _new_degradations(before, after))


async def _weigh_attempt(state: State, found: Retrieval, tools: Tools, started: float) -> dict[str, Any]:
    """The try with its quality: the chance that what was found answers. One that seems weak is looked at once more with the share of the question
    that its best passage covers, which costs a reading of the first passages."""
    options, request = tools.deps.options, state["request"]
    quality = tools.deps.probability(judged_signals(state, found)) if found.candidates else 0.0
    tried = state.get("attempts", [])
    if found.candidates and (tried or quality < options.correct_below):
        head = found.model_copy(update={"candidates": found.candidates[:_JUDGED_PASSAGES]})
        _, seen = await tools.deps.retriever.assemble_passages(state["retrieval_request"], head, 1)
        found = found.model_copy(update={"signals": seen.signals})
        quality = tools.deps.probability(judged_signals(state, found))
    searched = [node.duration_ms for node in tools.run.nodes if node.node == "retrieve"][-1:]
    attempt = Attempt(
        request=state["retrieval_request"],
        retrieval=found,
        quality=quality,
        change=state.get("change", ""),
        duration_ms=round(sum(searched) + (time.perf_counter() - started) * 1000, 3),
    )
    wanted = options.correction_enabled and "correct" not in request.without and not _continues_in_steps(state)
    enough = quality >= options.correct_below and not tried  # among several tries Sisyphus chooses, and says which
    return {"retrieval": found, "quality": quality, "attempts": [*tried, attempt], "settled": enough or not wanted}


def _new_degradations(before: Retrieval, after: Retrieval) -> tuple[Degradation, ...]:
    return tuple(each for each in after.degraded if each not in before.degraded)


def _continues_in_steps(state: State) -> bool:
    """A question that is asked in steps is weak as a whole: its hops come first, and nothing is corrected before them."""
    return bool("plan" in state and state["plan"].sub_queries)


async def document_search(state: State, tools: Tools) -> NodeResult:
    """Passages, the evidence that they are, and the answer; where the evidence is too weak the answer says so and the nearest are shown."""
    before, sought = state["retrieval"], state["classification"].documents
    if sought is not None and (listed := await answer_with_documents(sought, state, tools)) is not None:
        return listed
    passages, after = await _passages(state, tools)
    if question_after_hops(state):
        after = after.model_copy(update={"signals": before.signals})  # the chain's, as Odysseus joined them
    gathered = await gather_evidence(passages, tools.run.library, tools.deps.library)
    worked = await compute_answer(_whole_question(state), [each.passage for each in gathered.evidence], gathered, tools)
    if worked is not None and worked.calculations:
        return await _write_computed(worked, state, after, gathered, tools)
    kept = [evidence.passage for evidence in gathered.evidence]
    results = make_results(kept, gathered.documents, state["request"].top_k)
    tools.run.state |= {"retrieval": after, "passages": kept, "evidence": gathered.evidence, "results": results}  # kept if the run stops here
    answer, degraded = await _answer(state, after, gathered, tools)
    if worked is not None and answer.found:
        answer = append_reason(answer, worked)
        stream_text(f"\n\n{worked.answer.text}", tools)
    answer, used = _add_memory(answer, state, tools)
    writes = {
        "passages": kept,
        "retrieval": after,
        "evidence": gathered.evidence,
        "results": results,
        "sections": unquoted_sections(results, gathered, answer),
        "answer": answer,
    }
    lost = (*_new_degradations(before, after), *answer.degraded, *degraded)
    prompts = writing_prompts(tools.deps.writer, answer)
    return NodeResult(
        writes, _describe_answer(answer, len(kept), gathered.lost_passages), lost, tokens=answer.tokens, prompts=prompts, memory_used=used
    )


async def answer_from_table(state: State, tools: Tools) -> NodeResult | None:
    """The answer to a task that one table holds ("analyse the average freight per carrier"); None where none does."""
    passages, found = await _passages(state, tools)
    gathered = await gather_evidence(passages, tools.run.library, tools.deps.library)
    worked = await compute_answer(_whole_question(state), [each.passage for each in gathered.evidence], gathered, tools)
    asks = worked is not None and worked.calculations and worked.calculations[0].operation != "lookup"
    return await _write_computed(worked, state, found, gathered, tools) if worked is not None and asks else None


async def _write_computed(worked: ComputedAnswer, state: State, found: Retrieval, gathered: GatheredEvidence, tools: Tools) -> NodeResult:
    """An answer that was computed from a table: its document first, the rows that it rests on among the passages."""
    stream_text(worked.answer.text, tools)
    cited = {citation.document_id for citation in worked.answer.citations}
    passages = [evidence.passage for evidence in gathered.evidence]
    rows = await gather_evidence(worked.passages, tools.run.library, tools.deps.library)
    kept = sorted(passages, key=lambda each: each.document_id not in cited) + [each.passage for each in rows.evidence]
    results = make_results(kept, gathered.documents, state["request"].top_k)
    writes = {
        "passages": kept,
        "retrieval": found,
        "evidence": [*gathered.evidence, *rows.evidence],
        "results": results,
        "sections": unquoted_sections(results, gathered, worked.answer),
        "answer": worked.answer,
        **({"calculations": worked.calculations} if worked.calculations else {}),
    }
    _, used = _add_memory(worked.answer, state, tools)
    return NodeResult(writes, worked.details, memory_used=used)


def _whole_question(state: State) -> str:
    """The question with all its words: how many, in total and which year count here."""
    return question_after_hops(state) or state["classification"].read_as or state["query"].text


def _add_memory(answer: Answer, state: State, tools: Tools) -> tuple[Answer, tuple[MemoryUsed, ...]]:
    """A note answers where the documents are silent, and stands beside their answer where they speak."""
    recollection, near = state.get("memory", Recollection()), tools.deps.options.note_answers_above
    if answer.found:
        return answer, find_related_notes(recollection, near)
    noted = answer_from_note(recollection, near)
    if noted is None:
        return answer, ()
    tools.run.stream_token(noted[0].text)
    return noted[0], (noted[1],)


async def _passages(state: State, tools: Tools) -> tuple[list[Passage], Retrieval]:
    request, found = state["retrieval_request"], state["retrieval"]
    limit = max(request.top_k, tools.deps.options.answer_passages)
    nearest = found if found.candidates else found.model_copy(update={"candidates": _dropped_candidates(found)})
    if not nearest.candidates:
        return [], found
    passages, after = await tools.deps.retriever.assemble_passages(request, nearest, limit)
    if tools.deps.references is None or not request.use_links or not request.filters.is_empty():
        return passages, after
    passages, numbers = await add_changing_passages(passages, tools.run.library, tools.deps.library, tools.deps.references)
    return passages, _report_changes(after, len(passages), numbers) if numbers else after


def _report_changes(found: Retrieval, passages: int, numbers: Sequence[str]) -> Retrieval:
    note = f"What changes clause {' and '.join(numbers)} is read, too."
    report = StageReport(
        stage=CHANGES_STAGE, entered=passages - len(numbers), left=passages, duration_ms=0.0, parameters={"clauses": len(numbers)}, note=note
    )
    return found.model_copy(update={"reports": [*found.reports, report]})


def _dropped_candidates(found: Retrieval) -> list[Candidate]:
    """What the minimum let go: shown as the nearest when nothing else is left."""
    dropped = {each.chunk_id: each for report in found.reports if report.stage != "required" for each in report.dropped}
    ordered = sorted(dropped.values(), key=lambda each: -each.score)
    return [Candidate(chunk_id=each.chunk_id, document_id=each.document_id, score=each.score) for each in ordered[:10]]


async def _answer(state: State, found: Retrieval, gathered: GatheredEvidence, tools: Tools) -> tuple[Answer, tuple[Degradation, ...]]:
    question = _question_to_answer(state)
    signals, options = judged_signals(state, found), tools.deps.options
    told_long = len(question.split()) >= _LONG  # the search's signals say little of a question that tells more than it asks
    least = options.not_found_below * _MIN_READING_SHARE * (not told_long)
    if not gathered.evidence or not state["retrieval"].candidates or tools.deps.probability(signals) < least:
        return tools.deps.not_found_answer(question, gathered.evidence), ()
    hops = state.get("hops", [])
    parts = find_parallel_questions(state["plan"], hops) if "plan" in state else ()
    asked = AnswerRequest(question, parts or (question,), next((made.bridge for made in hops if made.bridge), "") if parts else "")
    changes = next((report.left - report.entered for report in found.reports if report.stage == CHANGES_STAGE), 0)
    first = gathered.evidence[: min(options.answer_passages, len(gathered.evidence) - changes)]
    read = [*first, *gathered.evidence[len(gathered.evidence) - changes :]]
    return await answer_from_evidence(asked, read, state, tools, signals)


def question_after_hops(state: State) -> str:
    """The question that is left once the steps of a plan have found their names; "" where there is none."""
    return resolved_question(state["plan"], state.get("hops", [])) if "plan" in state else ""


def _question_to_answer(state: State) -> str:
    """What is answered: the searched words, or the whole question where the search left out its task ("compare …")."""
    if left := question_after_hops(state):
        return left
    found = state["classification"]
    return (found.read_as or state["query"].text) if found.intent in TASK_INTENTS else found.search_text


def judged_signals(state: State, found: Retrieval) -> dict[str, float]:
    """The signals that can be judged: no single passage covers a comparison, so a task over several passages goes without the coverage."""
    many = state["classification"].intent in TASK_INTENTS
    return {name: value for name, value in found.signals.items() if not (many and name == "coverage")}


def _describe_answer(answer: Answer, passages: int, lost: int) -> str:
    changed = f" {lost} left out: their documents changed meanwhile." if lost else ""
    if answer.generated_by == GENERATED_BY_MEMORY:
        return f"{format_count(passages, 'passage')} read; none answers the question, but a note of yours does.{changed}"
    if not answer.found:
        return f"{format_count(passages, 'passage')} read; none answers the question.{changed}"
    by = "quoted" if answer.generated_by == "extractive" else f"written by {answer.generated_by}"
    sentences, citations = format_count(len(answer.sentences), "sentence"), format_count(len(answer.citations), "citation")
    return f"{format_count(passages, 'passage')} read; {sentences} {by}, {citations}.{changed}"
