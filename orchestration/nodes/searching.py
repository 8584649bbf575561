"""Searching: the legs, the rerank, and the answer composed of what they found."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from agents.reasoning_planner import resolved_question, together_asked
from core.answers import Answer
from core.memory import MemoryUsed, Recollection
from core.reasoning import Attempt
from core.search import Candidate, Degradation, Intent, Passage, Retrieval, StageReport
from orchestration.adapter import Done, Tools
from orchestration.answering import Asked, answer_from, prompts_of, stream_text
from orchestration.calculating import Worked, beside, worked_out
from orchestration.changed_clauses import CHANGES, with_changes
from orchestration.documents_found import documents_found
from orchestration.evidence import Gathered, gather, open_sections, results_of
from orchestration.nodes.recalling import MEMORY, note_answer, notes_beside
from orchestration.response import counted
from orchestration.state import State

_JUDGED = 5  # candidates whose best passage says how good a try is
_LONG = 25  # words
_READ_ABOVE = 0.07  # of the least probability of an answer: below it the passages are not even read for one
TASKS = frozenset({Intent.COMPARISON, Intent.SUMMARIZATION, Intent.ANALYSIS})


async def retrieve(state: State, tools: Tools) -> Done:
    found = await tools.deps.retriever.retrieve(state["retrieval_request"])
    documents = len({candidate.document_id for candidate in found.candidates})
    details = f"{counted(len(found.candidates), 'passage')} from {counted(documents, 'document')}."
    return Done({"retrieval": found}, details if found.candidates else "Nothing found.", tuple(found.degraded))


async def rerank(state: State, tools: Tools) -> Done:
    """Reorder, then weigh the try: where it is weak, Sisyphus may try again."""
    before, started = state["retrieval"], time.perf_counter()
    if not tools.deps.options.rerank_enabled or "rerank" in state["request"].without or not before.candidates:
        details = "Switched off." if before.candidates else "Nothing to reorder."
        return Done(await _weighed(state, before, tools, started), details, skipped=True)
    after = await tools.deps.retriever.rerank(state["retrieval_request"], before)
    moved = sum(old.chunk_id != new.chunk_id for old, new in zip(before.candidates, after.candidates, strict=False))
    first = "the first stays" if after.candidates and after.candidates[0].chunk_id == before.candidates[0].chunk_id else "another is first"
    writes = await _weighed(state, after, tools, started)
    return Done(writes, f"{moved} of {len(after.candidates)} changed places; {first}.", _new(before, after))


async def _weighed(state: State, found: Retrieval, tools: Tools, started: float) -> dict[str, Any]:
    """The try with its quality: the chance that what was found answers. One that seems weak is looked at once more with the share of the question
    that its best passage covers, which costs a reading of the first passages."""
    options, request = tools.deps.options, state["request"]
    quality = tools.deps.probability(signals_of(state, found)) if found.candidates else 0.0
    tried = state.get("attempts", [])
    if found.candidates and (tried or quality < options.correct_below):
        head = found.model_copy(update={"candidates": found.candidates[:_JUDGED]})
        _, seen = await tools.deps.retriever.passages(state["retrieval_request"], head, 1)
        found = found.model_copy(update={"signals": seen.signals})
        quality = tools.deps.probability(signals_of(state, found))
    searched = [node.duration_ms for node in tools.run.nodes if node.node == "retrieve"][-1:]
    attempt = Attempt(
        request=state["retrieval_request"],
        retrieval=found,
        quality=quality,
        change=state.get("change", ""),
        duration_ms=round(sum(searched) + (time.perf_counter() - started) * 1000, 3),
    )
    wanted = options.correction_enabled and "correct" not in request.without and not _goes_on_in_steps(state)
    enough = quality >= options.correct_below and not tried  # among several tries Sisyphus chooses, and says which
    return {"retrieval": found, "quality": quality, "attempts": [*tried, attempt], "settled": enough or not wanted}


def _new(before: Retrieval, after: Retrieval) -> tuple[Degradation, ...]:
    return tuple(each for each in after.degraded if each not in before.degraded)


def _goes_on_in_steps(state: State) -> bool:
    """A question that is asked in steps is weak as a whole: its hops come first, and nothing is corrected before them."""
    return bool("plan" in state and state["plan"].sub_queries)


async def document_search(state: State, tools: Tools) -> Done:
    """Passages, the evidence that they are, and the answer; where the evidence is too weak the answer says so and the nearest are shown."""
    before, sought = state["retrieval"], state["classification"].documents
    if sought is not None and (listed := await documents_found(sought, state, tools)) is not None:
        return listed
    passages, after = await _passages(state, tools)
    if resolved(state):
        after = after.model_copy(update={"signals": before.signals})  # the chain's, as Odysseus joined them
    gathered = await gather(passages, tools.run.library, tools.deps.library)
    worked = await worked_out(_whole(state), [each.passage for each in gathered.evidence], gathered, tools)
    if worked is not None and worked.calculations:
        return await _worked(worked, state, after, gathered, tools)
    kept = [evidence.passage for evidence in gathered.evidence]
    results = results_of(kept, gathered.documents, state["request"].top_k)
    tools.run.state |= {"retrieval": after, "passages": kept, "evidence": gathered.evidence, "results": results}  # kept if the run stops here
    answer, degraded = await _answer(state, after, gathered, tools)
    if worked is not None and answer.found:
        answer = beside(answer, worked)
        stream_text(f"\n\n{worked.answer.text}", tools)
    answer, used = _with_memory(answer, state, tools)
    writes = {
        "passages": kept,
        "retrieval": after,
        "evidence": gathered.evidence,
        "results": results,
        "sections": open_sections(results, gathered, answer),
        "answer": answer,
    }
    lost = (*_new(before, after), *answer.degraded, *degraded)
    prompts = prompts_of(tools.deps.writer, answer)
    return Done(writes, _composed(answer, len(kept), gathered.lost), lost, tokens=answer.tokens, prompts=prompts, memory_used=used)


async def computed_from_table(state: State, tools: Tools) -> Done | None:
    """The answer to a task that one table holds ("analyse the average freight per carrier"); None where none does."""
    passages, found = await _passages(state, tools)
    gathered = await gather(passages, tools.run.library, tools.deps.library)
    worked = await worked_out(_whole(state), [each.passage for each in gathered.evidence], gathered, tools)
    asks = worked is not None and worked.calculations and worked.calculations[0].operation != "lookup"
    return await _worked(worked, state, found, gathered, tools) if worked is not None and asks else None


async def _worked(worked: Worked, state: State, found: Retrieval, gathered: Gathered, tools: Tools) -> Done:
    """An answer that was computed from a table: its document first, the rows that it rests on among the passages."""
    stream_text(worked.answer.text, tools)
    cited = {citation.document_id for citation in worked.answer.citations}
    passages = [evidence.passage for evidence in gathered.evidence]
    rows = await gather(worked.passages, tools.run.library, tools.deps.library)
    kept = sorted(passages, key=lambda each: each.document_id not in cited) + [each.passage for each in rows.evidence]
    results = results_of(kept, gathered.documents, state["request"].top_k)
    writes = {
        "passages": kept,
        "retrieval": found,
        "evidence": [*gathered.evidence, *rows.evidence],
        "results": results,
        "sections": open_sections(results, gathered, worked.answer),
        "answer": worked.answer,
        **({"calculations": worked.calculations} if worked.calculations else {}),
    }
    _, used = _with_memory(worked.answer, state, tools)
    return Done(writes, worked.details, memory_used=used)


def _whole(state: State) -> str:
    """The question with all its words: how many, in total and which year count here."""
    return resolved(state) or state["classification"].read_as or state["query"].text


def _with_memory(answer: Answer, state: State, tools: Tools) -> tuple[Answer, tuple[MemoryUsed, ...]]:
    """A note answers where the documents are silent, and stands beside their answer where they speak."""
    recollection, near = state.get("memory", Recollection()), tools.deps.options.note_answers_above
    if answer.found:
        return answer, notes_beside(recollection, near)
    noted = note_answer(recollection, near)
    if noted is None:
        return answer, ()
    tools.run.token(noted[0].text)
    return noted[0], (noted[1],)


async def _passages(state: State, tools: Tools) -> tuple[list[Passage], Retrieval]:
    request, found = state["retrieval_request"], state["retrieval"]
    limit = max(request.top_k, tools.deps.options.answer_passages)
    nearest = found if found.candidates else found.model_copy(update={"candidates": _dropped(found)})
    if not nearest.candidates:
        return [], found
    passages, after = await tools.deps.retriever.passages(request, nearest, limit)
    if tools.deps.references is None or not request.use_links or not request.filters.is_empty():
        return passages, after
    passages, numbers = await with_changes(passages, tools.run.library, tools.deps.library, tools.deps.references)
    return passages, _with_changes_told(after, len(passages), numbers) if numbers else after


def _with_changes_told(found: Retrieval, passages: int, numbers: Sequence[str]) -> Retrieval:
    note = f"What changes clause {' and '.join(numbers)} is read, too."
    report = StageReport(
        stage=CHANGES, entered=passages - len(numbers), left=passages, duration_ms=0.0, parameters={"clauses": len(numbers)}, note=note
    )
    return found.model_copy(update={"reports": [*found.reports, report]})


def _dropped(found: Retrieval) -> list[Candidate]:
    """What the minimum let go: shown as the nearest when nothing else is left."""
    dropped = {each.chunk_id: each for report in found.reports if report.stage != "required" for each in report.dropped}
    ordered = sorted(dropped.values(), key=lambda each: -each.score)
    return [Candidate(chunk_id=each.chunk_id, document_id=each.document_id, score=each.score) for each in ordered[:10]]


async def _answer(state: State, found: Retrieval, gathered: Gathered, tools: Tools) -> tuple[Answer, tuple[Degradation, ...]]:
    question = _asked(state)
    signals, options = signals_of(state, found), tools.deps.options
    told_long = len(question.split()) >= _LONG  # the search's signals say little of a question that tells more than it asks
    least = options.not_found_below * _READ_ABOVE * (not told_long)
    if not gathered.evidence or not state["retrieval"].candidates or tools.deps.probability(signals) < least:
        return tools.deps.not_found_answer(question, gathered.evidence), ()
    hops = state.get("hops", [])
    parts = together_asked(state["plan"], hops) if "plan" in state else ()
    asked = Asked(question, parts or (question,), next((made.bridge for made in hops if made.bridge), "") if parts else "")
    changes = next((report.left - report.entered for report in found.reports if report.stage == CHANGES), 0)
    first = gathered.evidence[: min(options.answer_passages, len(gathered.evidence) - changes)]
    read = [*first, *gathered.evidence[len(gathered.evidence) - changes :]]
    return await answer_from(asked, read, state, tools, signals)


def resolved(state: State) -> str:
    """The question that is left once the steps of a plan have found their names; "" where there is none."""
    return resolved_question(state["plan"], state.get("hops", [])) if "plan" in state else ""


def _asked(state: State) -> str:
    """What is answered: the searched words, or the whole question where the search left out its task ("compare …")."""
    if left := resolved(state):
        return left
    found = state["classification"]
    return (found.read_as or state["query"].text) if found.intent in TASKS else found.search_text


def signals_of(state: State, found: Retrieval) -> dict[str, float]:
    """The signals that can be judged: no single passage covers a comparison, so a task over several passages goes without the coverage."""
    many = state["classification"].intent in TASKS
    return {name: value for name, value in found.signals.items() if not (many and name == "coverage")}


def _composed(answer: Answer, passages: int, lost: int) -> str:
    changed = f" {lost} left out: their documents changed meanwhile." if lost else ""
    if answer.generated_by == MEMORY:
        return f"{counted(passages, 'passage')} read; none answers the question, but a note of yours does.{changed}"
    if not answer.found:
        return f"{counted(passages, 'passage')} read; none answers the question.{changed}"
    by = "quoted" if answer.generated_by == "extractive" else f"written by {answer.generated_by}"
    sentences, citations = counted(len(answer.sentences), "sentence"), counted(len(answer.citations), "citation")
    return f"{counted(passages, 'passage')} read; {sentences} {by}, {citations}.{changed}"
