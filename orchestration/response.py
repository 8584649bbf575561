"""The search response from what the nodes wrote; also from half of it, when a run was stopped."""

from __future__ import annotations

from typing import Any, Literal

from agents.document_requests.document_selection import MOST_NAMED
from agents.text.query_filters import doc_types_in_words, kinds_in_words
from core.answers import Answer, Confidence
from core.memory import MemoryUsed
from core.search import Degradation, Filters, Intent
from core.search_schemas import AnswerKind, DocumentPage, SearchResponse, SpellingCorrection, Status
from orchestration.events import RunRecord
from orchestration.node_adapter import NodeRow
from orchestration.note_answers import GENERATED_BY_MEMORY
from orchestration.state import ListedDocuments, State

_SEARCH_NODES = ("retrieve", "rerank")
_NO_ANSWER = Answer(text="", generated_by="none", found=False)
_NOT_FOUND = "I did not find this in your documents."


def build_response(state: State, run: RunRecord, *, stopped: bool = False) -> SearchResponse:
    """Return SPEC's response. Times, steps and the routing path are those so far; `complete_response` sets the final ones."""
    answer, classification = _answer_to_show(state, run, stopped=stopped), state.get("classification")
    status = _status(state, stopped=stopped)
    confidence = _confidence(state, answer)
    results = state.get("results", [])
    return SearchResponse(
        status=status,
        response_message=_message(state, status, answer),
        answer=answer.text,
        answer_kind=_kind(state, status),
        lead=answer.lead,
        answer_sentences=answer.sentences,
        spelling=[SpellingCorrection(written=each.written, meant=each.meant) for each in classification.corrections] if classification else [],
        answer_notes=answer.notes if _shows_notes(answer, _kind(state, status)) else [],
        generated_by=answer.generated_by,
        citations=answer.citations,
        results=results,
        count=len(results),
        intent=classification.intent if classification else Intent.DOCUMENT_SEARCH,
        confidence=confidence.value,
        confidence_label=confidence.label,
        confidence_reason=confidence.reason,
        confidence_factors=confidence.factors,
        search_time=0.0,
        total_time=0.0,
        routing_path="",
        steps=[],
        suggested_followups=[*_next_page(state), *confidence.followups],
        degraded=[],
        trace_id=run.id,
        conversation_id=state["query"].conversation_id,
        searched=_search_fields(state, answer),
        **_extras(state),
    )


def complete_response(response: SearchResponse, run: RunRecord, rows: tuple[NodeRow, ...]) -> SearchResponse:
    """Return the response with all steps, times, the route that was taken and everything that did not run."""
    return response.model_copy(
        update={
            "steps": list(run.steps),
            "routing_path": routing_path(run, rows),
            "search_time": round(sum(node.duration_ms for node in run.nodes if node.node in _SEARCH_NODES) / 1000, 4),
            "total_time": round(run.elapsed_seconds(), 4),
            "degraded": list(dict.fromkeys([*response.degraded, *run.state.get("degraded", [])])),
        }
    )


def routing_path(run: RunRecord, rows: tuple[NodeRow, ...]) -> str:
    """Return whom the run passed, each once: "Zeus → Athena → Proteus → Search → Hermes → Themis"."""
    names = {row.name: row.path_name for row in rows}
    return " → ".join(dict.fromkeys(names[node.node] for node in run.nodes if names.get(node.node)))


def format_count(number: int, noun: str) -> str:
    """Return a number with its noun: "1 passage", "2 passages"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def composed_in_words(answer: Answer, passages: int, lost: int) -> str:
    """Return what was read and answered, as the step says it."""
    changed = f" {lost} left out: their documents changed meanwhile." if lost else ""
    if answer.generated_by == GENERATED_BY_MEMORY:
        return f"{format_count(passages, 'passage')} read; none answers the question, but a note of yours does.{changed}"
    if not answer.found:
        return f"{format_count(passages, 'passage')} read; none answers the question.{changed}"
    by = "quoted" if answer.generated_by == "extractive" else f"written by {answer.generated_by}"
    sentences, citations = format_count(len(answer.sentences), "sentence"), format_count(len(answer.citations), "citation")
    return f"{format_count(passages, 'passage')} read; {sentences} {by}, {citations}.{changed}"


def filters_in_words(filters: Filters) -> str:
    """Return the filters in words: "PDFs in /home/a/legal changed since 2024-03-01"."""
    parts = [
        kinds_in_words(filters.file_types)
        if filters.file_types
        else f"documents that mention something of the class {filters.entity_class}"
        if filters.entity_class
        else f"{len(filters.document_ids)} chosen documents"
        if filters.document_ids
        else "files"
    ]
    parts += [doc_types_in_words(filters.doc_types).removeprefix("documents ")] if filters.doc_types else []
    parts += [f"in {', '.join(filters.languages)}"] if filters.languages else []
    parts += [f"of the collection {filters.collection}"] if filters.collection else []
    parts += [f"in {filters.path_prefix}"] if filters.path_prefix else []
    parts += [f"changed since {filters.modified_after:%Y-%m-%d}"] if filters.modified_after else []
    parts += [f"changed before {filters.modified_before:%Y-%m-%d}"] if filters.modified_before else []
    return " ".join(parts)


def _status(state: State, *, stopped: bool) -> Status:
    if stopped:
        return "stopped"
    if "clarification" in state:
        return "clarification_needed"
    critique, answer = state.get("critique"), state.get("answer", _NO_ANSWER)
    return "not_found" if not answer.found or (critique and critique.verdict == "not_found") else "success"


def _kind(state: State, status: Status) -> AnswerKind:
    if status in {"not_found", "clarification_needed"}:
        return "refusal"
    if state.get("calculations"):
        return "computed"
    if "listing" in state:
        return "documents"
    return "comparison" if "comparison" in state else "summary" if "summary" in state else "answer"


def _answer_to_show(state: State, run: RunRecord, *, stopped: bool) -> Answer:
    if "clarification" in state:
        return Answer(text=state["clarification"].message, generated_by="none")
    answer = state.get("answer", _NO_ANSWER)
    if stopped and not answer.found:
        return _unfinished_answer(state, run)
    critique = state.get("critique")
    if answer.found and not (critique and critique.verdict == "not_found"):
        return answer
    said = f"{state['preface']} Your documents do not speak about this." if state.get("preface") else answer.text if not answer.found else ""
    return Answer(text=said or _NOT_FOUND, generated_by="none", found=False, notes=answer.notes, tokens=answer.tokens)


def _shows_notes(answer: Answer, kind: AnswerKind) -> bool:
    """Return whether an answer's notes are said: beside what is quoted and listed, and beside whatever a model wrote from the documents and was
    checked."""
    written = answer.generated_by != "extractive" and bool(answer.sentences)
    return written or (answer.generated_by == "extractive" and kind in {"answer", "documents"})


def _unfinished_answer(state: State, run: RunRecord) -> Answer:
    """Return what had been streamed when the run was stopped: shown, without its citations."""
    text = "".join(run.streamed).strip()
    if not text:
        return _NO_ANSWER
    model = state.get("model")
    by = model.name if model and model.available else "extractive"
    return Answer(text=text, generated_by=by, notes=["Stopped while it was being written: its citations are not listed."])


def _confidence(state: State, answer: Answer) -> Confidence:
    if "confidence" in state:
        return state["confidence"]
    critique, classification = state.get("critique"), state.get("classification")
    if critique:
        likely = critique.probability_answerable
        label: Literal["high", "medium", "low"] = "high" if likely >= 0.75 else "medium" if likely >= 0.45 else "low"
        return Confidence(
            value=round(likely, 3), label=label, reason="The probability that the documents answer.", factors={"probability_answerable": likely}
        )
    if classification and classification.intent is Intent.SYSTEM_META and answer.found and "clarification" not in state:
        return Confidence(value=1.0, label="high", reason="Counted in the library itself.", factors={})
    if classification and classification.intent is Intent.GENERAL_KNOWLEDGE and answer.found:
        return Confidence(value=0.5, label="medium", reason="The model's own knowledge: no document stands behind it.", factors={})
    return Confidence(value=0.0, label="low", reason="Nothing was answered.", factors={})


def _message(state: State, status: Status, answer: Answer) -> str:
    results = state.get("results", [])
    documents = format_count(len(results), "document")
    if status == "stopped":
        return f"Stopped. {documents} had been found." if results else "Stopped before anything was found."
    if "clarification" in state:
        return state["clarification"].message
    if status == "not_found":
        return _not_found_message(state, documents if results else "")
    if "critique" not in state:
        return _message_without_search(state)
    if answer.generated_by == "memory":
        return "Your documents do not speak about this; this is what I remember."
    if "listing" in state:
        listing = state["listing"]
        return f"{format_count(listing.total, 'document')} asked for; the answer names {listing.named or 'no more of them'}."
    preface = f"{state['preface']} " if state.get("preface") else ""
    if state.get("calculations"):
        files = ", ".join(dict.fromkeys(each.filename for each in state["calculations"]))
        return f"{preface}I computed this from a table of {files}; the rows that it rests on are cited.{_unread_files(state)}"
    return f"{preface}{_message_of_quotes(state, answer)}"


def _message_without_search(state: State) -> str:
    if "to_remember" in state:
        return "I keep it as a note of yours; the memory page shows it."
    if state["classification"].intent is Intent.SYSTEM_META:
        return "Here is what I know of your library."
    return "Here is what the model knows; no document was used."


def _message_of_quotes(state: State, answer: Answer) -> str:
    results = state.get("results", [])
    cited = len({citation.document_id for citation in answer.citations})
    speak = "speaks" if len(results) == 1 else "speak"
    differ = f" {' '.join(answer.notes)}" if answer.generated_by == "extractive" and answer.notes else ""
    again = f" The first search was weak, so I searched again ({state['change']})." if state.get("change") else ""
    weak = " It may not be the whole answer: read the sources." if state["critique"].verdict == "weak" else ""
    found = f"I found {format_count(len(results), 'document')} that {speak} about this; the answer quotes {cited}."
    return f"{found}{differ}{again}{_unread_files(state)}{weak}"


def _unread_files(state: State) -> str:
    """Return a sentence about the attached files that could not be read: the others were answered from."""
    failed = [file.filename for file in state["attached"].files if file.state == "failed"] if "attached" in state else []
    return f" Not read: {', '.join(failed)}." if failed else ""


def _not_found_message(state: State, nearest: str) -> str:
    classification = state.get("classification")
    limits = classification.filters if classification else Filters()
    where = f" I looked only at {filters_in_words(limits)}; ask without that limit to widen the search." if not limits.is_empty() else ""
    if classification and (classification.must or classification.must_not):
        demanded = [f"with “{each}”" for each in classification.must] + [f"without “{each}”" for each in classification.must_not]
        where += f" I kept to passages {' and '.join(demanded)}, as you asked."
    shown = f" The nearest passages are from {nearest}." if nearest else " Nothing came near it."
    return f"{state.get('preface') or _NOT_FOUND}{_unread_files(state)}{shown}{where}"


def _search_fields(state: State, answer: Answer) -> dict[str, Any]:
    retrieval = state.get("retrieval")
    if retrieval is None:
        return {}
    entered = max((report.entered for report in retrieval.reports if report.stage == "fusion"), default=len(retrieval.candidates))
    return {
        "passages": max(entered, len(retrieval.candidates)),
        "kept": len(state.get("passages", [])),
        "cited": len(answer.citations),
        "documents": len({candidate.document_id for candidate in retrieval.candidates}),
        **({"listed": state["listing"].total} if "listing" in state else {}),
        **({"sub_queries": len(state["hops"])} if state.get("hops") else {}),
    }


def _next_page(state: State) -> list[str]:
    """Return what to ask for the documents behind those that the answer names."""
    listing = state.get("listing", ListedDocuments())
    left = listing.total - listing.offset - listing.named
    if left <= 0 or not listing.named:
        return []
    return [f"Show the next {min(left, MOST_NAMED)}" if left > 1 else "Show one more"]


def _extras(state: State) -> dict[str, Any]:
    extras: dict[str, Any] = {}
    if "clarification" in state:
        extras["clarification_questions"] = state["clarification"].questions
    if "listing" in state:
        extras["listing"] = DocumentPage(total=state["listing"].total, offset=state["listing"].offset, named=state["listing"].named)
    if "critique" in state:
        critique = state["critique"]
        extras["quality_evaluation"] = {
            "quality_score": round(critique.answer_quality, 4),
            "relevance": round(critique.retrieval_quality, 4),
            "verdict": critique.verdict,
            "reasons": critique.reasons,
        }
    if state["request"].explain and "explanations" in state:
        extras["explanations"] = [each.model_dump() for each in state["explanations"]]
    if state["request"].explain and "retrieval_request" in state:
        extras["query_plan"] = state["retrieval_request"].query_plan
    kept = {"comparison_result": "comparison", "summary": "summary", "insights": "attached", "reasoning": "reasoning", "graph_expansion": "expansion"}
    kept |= {"calculations": "calculations", "route": "route"}
    extras |= {field: state[key] for field, key in kept.items() if key in state}  # type: ignore[literal-required] # State's keys
    for key in ("lazy_rag", "dual_level"):
        if key in state:
            extras[key] = state[key].model_copy(update={"confidence": _confidence(state, state["answer"]).value})
    used = [*_turns_used(state), *state.get("memory_used", [])]
    if used:
        extras["memory_used"] = used
    return extras


def _turns_used(state: State) -> list[MemoryUsed]:
    classification, recalled = state.get("classification"), state.get("recalled")
    if not (recalled and recalled.turns and classification and classification.read_as):
        return []
    return [MemoryUsed(tier="session", used_for=f"{format_count(recalled.turns, 'earlier turn')}: read as “{classification.read_as}”.")]


def add_degradation(response: SearchResponse, part: str, reason: str) -> SearchResponse:
    return response.model_copy(update={"degraded": [*response.degraded, Degradation(part=part, reason=reason)]})
