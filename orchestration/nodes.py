"""The nodes of Zeus: one table of rows, and under it the function of each. An agent is given only what it needs."""

from __future__ import annotations

from functools import partial
from typing import Any

from agents.adaptive_retriever import StrategyChoice, choose_strategy
from agents.clarification import clarify
from agents.confidence_scorer import Verdict, score_confidence
from agents.critic import Case, criticise
from agents.explanation import Journey, explain
from agents.general_answer import answer_about_system, answer_general
from agents.query_classifier import Athena, Classified, classify
from core.answers import Answer
from core.documents import Document
from core.ports import ChatModel, Turn
from core.runs import ATHENA, DIOGENES, HERMES, PROTEUS, SOCRATES, THEMIS, ZEUS
from core.search import Candidate, Degradation, Filters, Intent, Passage, Retrieval, RetrievalRequest
from orchestration.adapter import Done, Row, Tools
from orchestration.answering import answer_from, prompts_of
from orchestration.evidence import Gathered, gather, open_sections, results_of
from orchestration.folders import find_folder
from orchestration.response import build_response, counted, filters_in_words
from orchestration.state import ModelState, Recalled, State


# ------------------------------------------------------------------------------------------------------------------- context
async def load_context(state: State, tools: Tools) -> Done:
    """The conversation's earlier turns, else the session's, and whether a model answers."""
    query, deps = state["query"], tools.deps
    history, tier = await _history(query.conversation_id, query.session_id, tools)
    model, degraded = await _model_state(deps.model, required=deps.options.model_required)
    turns = counted(len(history), "earlier turn") if history else "No earlier turns"
    attached = len(state["request"].attached_documents or [])
    asked_of = f"; asking only {counted(attached, 'attached document')}" if attached else ""
    voice = f"{model.name} writes" if model.available else "no language model"
    return Done(
        {"query": query.model_copy(update={"history": history}), "model": model, "recalled": Recalled(tier, len(history))},
        f"{turns}; {voice}{asked_of}.",
        degraded,
    )


async def _history(conversation_id: str | None, session_id: str | None, tools: Tools) -> tuple[list[tuple[str, str]], str]:
    if conversation_id:
        _, turns = await tools.deps.conversations.get(tools.run.tenant, conversation_id)
        if turns:
            return [_pair(turn) for turn in turns[-tools.deps.options.history_turns :]], "conversation"
    if session_id:
        entries = await tools.deps.sessions.recall(tools.run.tenant, session_key(tools.run.user_id, session_id))
        return [(str(entry.get("query", "")), str(entry.get("answer", ""))) for entry in entries], "session" if entries else ""
    return [], ""


def _pair(turn: Turn) -> tuple[str, str]:
    return turn.query, str(turn.response.get("answer", ""))


def session_key(user_id: str, session_id: str) -> str:
    """Two people of one tenant never share a session, though they name it alike."""
    return f"{len(user_id)}:{user_id}:{session_id}"


async def _model_state(model: ChatModel | None, *, required: bool) -> tuple[ModelState, tuple[Degradation, ...]]:
    if model is None:
        return ModelState(), ()
    available, reason = await model.available()
    lost = (Degradation(part="model", reason=reason),) if required and not available else ()
    return ModelState(model.name, available), lost


# ------------------------------------------------------------------------------------------------------------------- reading the question
async def classify_question(state: State, tools: Tools) -> Done:
    query, options = state["query"], tools.deps.options
    if not options.classifier_enabled:
        plain = Classified(intent=Intent.DOCUMENT_SEARCH, confidence=1.0, rule="disabled", search_text=query.text, filters=query.filters)
        return Done({"classification": plain}, "The classifier is switched off; the documents are searched.", skipped=True)
    llm = tools.deps.model if options.use_llm_fallback and state["model"].available else None
    athena = Athena(llm=llm, now=tools.deps.now(), find_folder=partial(find_folder, tools.deps.library), threshold=options.confidence_threshold)
    found = await classify(query, athena=athena)
    return Done({"classification": found}, _reading(found, query.filters), tuple(found.degraded), tokens=found.tokens, prompts=found.prompts)


def _reading(found: Classified, given: Filters) -> str:
    parts = [f"{found.intent.replace('_', ' ').capitalize()} ({found.confidence:.2f}, {found.rule}). {found.reasoning}"]
    parts += [f"Read as “{found.read_as}”."] if found.read_as else []
    parts += [f"Only {filters_in_words(found.filters)}."] if found.filters != given and not found.filters.is_empty() else []
    parts += [f"{note}." for note in found.notes]
    specialist = {Intent.COMPARISON: "comparing", Intent.SUMMARIZATION: "summarising", Intent.ANALYSIS: "analysing"}.get(found.intent)
    parts += [f"The agent for {specialist} is not there yet: the documents are searched."] if specialist else []
    return " ".join(parts)


async def choose(state: State, tools: Tools) -> Done:
    request, found = state["request"], state["classification"]
    requested = None if request.strategy == "auto" else request.strategy
    chosen = await choose_strategy(
        StrategyChoice(text=found.search_text, classification=found, requested=requested), hybrid=tools.deps.options.hybrid
    )
    asked = RetrievalRequest(
        text=found.search_text,
        tenant=tools.run.tenant,
        filters=found.filters,
        strategy=chosen,
        top_k=request.top_k,
        use_hybrid=request.use_hybrid and request.pipeline != "basic",
        diversity_weight=request.diversity_weight,
        mode=request.mode,
    )
    weights = f"words {chosen.lexical:.2f}, meaning {chosen.dense:.2f}" + (f", time {chosen.time:.2f}" if chosen.time else "")
    return Done({"strategy": chosen, "retrieval_request": asked}, f"{chosen.name.capitalize()}: {weights}. {chosen.reason}")


# ------------------------------------------------------------------------------------------------------------------- searching
_TASKS = frozenset({Intent.COMPARISON, Intent.SUMMARIZATION, Intent.ANALYSIS})


async def retrieve(state: State, tools: Tools) -> Done:
    found = await tools.deps.retriever.retrieve(state["retrieval_request"])
    documents = len({candidate.document_id for candidate in found.candidates})
    details = f"{counted(len(found.candidates), 'passage')} from {counted(documents, 'document')}."
    return Done({"retrieval": found}, details if found.candidates else "Nothing found.", tuple(found.degraded))


async def rerank(state: State, tools: Tools) -> Done:
    before = state["retrieval"]
    if not tools.deps.options.rerank_enabled or not before.candidates:
        return Done({}, "Nothing to reorder." if not before.candidates else "Switched off.", skipped=True)
    after = await tools.deps.retriever.rerank(state["retrieval_request"], before)
    moved = sum(old.chunk_id != new.chunk_id for old, new in zip(before.candidates, after.candidates, strict=False))
    first = "the first stays" if after.candidates and after.candidates[0].chunk_id == before.candidates[0].chunk_id else "another is first"
    return Done({"retrieval": after}, f"{moved} of {len(after.candidates)} changed places; {first}.", _new(before, after))


def _new(before: Retrieval, after: Retrieval) -> tuple[Degradation, ...]:
    return tuple(each for each in after.degraded if each not in before.degraded)


async def document_search(state: State, tools: Tools) -> Done:
    """Passages, the evidence that they are, and the answer; where the evidence is too weak the answer says so and the nearest are shown."""
    before = state["retrieval"]
    passages, after = await _passages(state, tools)
    gathered = await gather(passages, tools.run.tenant, tools.deps.library)
    kept = [evidence.passage for evidence in gathered.evidence]
    results = results_of(kept, gathered.documents, state["request"].top_k)
    tools.run.state |= {"retrieval": after, "passages": kept, "evidence": gathered.evidence, "results": results}  # kept if the run stops here
    answer, degraded = await _answer(state, after, gathered, tools)
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
    return Done(writes, _composed(answer, len(kept), gathered.lost), lost, tokens=answer.tokens, prompts=prompts)


async def _passages(state: State, tools: Tools) -> tuple[list[Passage], Retrieval]:
    request, found = state["retrieval_request"], state["retrieval"]
    limit = max(request.top_k, tools.deps.options.answer_passages)
    nearest = found if found.candidates else found.model_copy(update={"candidates": _dropped(found)})
    if not nearest.candidates:
        return [], found
    return await tools.deps.retriever.passages(request, nearest, limit)


def _dropped(found: Retrieval) -> list[Candidate]:
    """What the minimum let go: shown as the nearest when nothing else is left."""
    dropped = {each.chunk_id: each for report in found.reports for each in report.dropped}
    ordered = sorted(dropped.values(), key=lambda each: -each.score)
    return [Candidate(chunk_id=each.chunk_id, document_id=each.document_id, score=each.score) for each in ordered[:10]]


async def _answer(state: State, found: Retrieval, gathered: Gathered, tools: Tools) -> tuple[Answer, tuple[Degradation, ...]]:
    question = _asked(state)
    silent = not gathered.evidence or tools.deps.probability(_signals(state, found)) < tools.deps.options.not_found_below
    if silent or not state["retrieval"].candidates:
        return tools.deps.not_found_answer(question, gathered.evidence), ()
    return await answer_from(question, gathered.evidence[: tools.deps.options.answer_passages], state, tools)


def _asked(state: State) -> str:
    """What is answered: the searched words, or the whole question where the search left out its task ("compare …")."""
    found = state["classification"]
    return (found.read_as or state["query"].text) if found.intent in _TASKS else found.search_text


def _signals(state: State, found: Retrieval) -> dict[str, float]:
    """The signals that can be judged: no single passage covers a comparison, so a task over several passages goes without the coverage."""
    many = state["classification"].intent in _TASKS
    return {name: value for name, value in found.signals.items() if not (many and name == "coverage")}


def _composed(answer: Answer, passages: int, lost: int) -> str:
    changed = f" {lost} left out: their documents changed meanwhile." if lost else ""
    if not answer.found:
        return f"{counted(passages, 'passage')} read; none answers the question.{changed}"
    by = "quoted" if answer.generated_by == "extractive" else f"written by {answer.generated_by}"
    sentences, citations = counted(len(answer.sentences), "sentence"), counted(len(answer.citations), "citation")
    return f"{counted(passages, 'passage')} read; {sentences} {by}, {citations}.{changed}"


# ------------------------------------------------------------------------------------------------------------------- other routes
async def general_answer(state: State, tools: Tools) -> Done:
    """The library's real state, or general knowledge by the model; without one the documents are searched instead (`preface`)."""
    question, model = state["query"].text, state["model"]
    if state["classification"].intent is Intent.SYSTEM_META:
        name = model.name if model.available else None
        given = await answer_about_system(question, tenant=tools.run.tenant, library=tools.deps.library, model_name=name)
        return Done({"answer": given.answer}, "Answered from the library's state.")
    given = await answer_general(question, llm=tools.deps.model if model.available else None, tell=tools.run.token)
    writes: dict[str, Any] = {"answer": given.answer}
    if given.offers_documents:
        writes["preface"] = given.answer.text
        tools.run.rewrite()
    details = "No model for general knowledge: the documents are searched." if given.offers_documents else f"Answered by {given.answer.generated_by}."
    return Done(writes, details, tuple(given.answer.degraded), tokens=given.tokens, prompts=given.prompts)


async def ask_back(state: State, tools: Tools) -> Done:
    documents = await _some_documents(tools)
    asked = await clarify(state["query"].text, documents=documents)
    return Done({"clarification": asked}, f"{counted(len(asked.questions), 'choice')} from the library.")


async def _some_documents(tools: Tools) -> list[Document]:
    chunks = await tools.deps.library.sample_chunks(tools.run.tenant, 12)
    found = await tools.deps.library.documents(tools.run.tenant, list(dict.fromkeys(chunk.document_id for chunk in chunks)))
    return list(found.values())


# ------------------------------------------------------------------------------------------------------------------- judging
async def quality_check(state: State, tools: Tools) -> Done:
    case = Case(signals=_signals(state, state["retrieval"]), passages=len(state["passages"]), answer=state["answer"])
    critique = await criticise(case, probability=tools.deps.probability, threshold=tools.deps.options.not_found_below)
    return Done({"critique": critique}, f"{critique.verdict.replace('_', ' ').capitalize()}. {' '.join(critique.reasons)}")


async def explain_results(state: State, tools: Tools) -> Done:
    cited = [citation.document_id for citation in state["answer"].citations]
    journeys = [
        Journey(document_id=result.id, rank=rank, stages=result.stages, citations=cited.count(result.id))
        for rank, result in enumerate(state["results"], 1)
    ]
    explanations = await explain(journeys)
    results = [
        result.model_copy(update={"why": each.phrase, "why_sentence": each.sentence, "bars": each.bars})
        for result, each in zip(state["results"], explanations, strict=True)
    ]
    return Done(
        {"explanations": explanations, "results": results}, "; ".join(f"{each.filename}: {each.why}" for each in results[:3]) or "No results."
    )


async def score(state: State, tools: Tools) -> Done:
    results = state["results"]
    verdict = Verdict(
        question=state["classification"].search_text,
        answer=state["answer"],
        critique=state["critique"],
        top_score=results[0].score if results else 0.0,
        sources=len(results),
        sections=state["sections"],
    )
    confidence = await score_confidence(verdict, answerable=partial(_answerable, state["retrieval_request"], tools))
    followups = f" {counted(len(confidence.followups), 'follow-up')}." if confidence.followups else ""
    return Done({"confidence": confidence}, f"{confidence.value:.2f}, {confidence.label}. {confidence.reason}{followups}")


async def _answerable(asked: RetrievalRequest, tools: Tools, question: str, document_id: str) -> bool:
    """Asked of the index itself: one of the first three passages is of this document, and it is likely enough to answer."""
    request = RetrievalRequest(text=question, tenant=asked.tenant, filters=asked.filters, strategy=tools.deps.options.hybrid, top_k=3)
    found = await tools.deps.retriever.retrieve(request)
    likely = tools.deps.probability(found.signals) >= tools.deps.options.not_found_below
    return likely and any(candidate.document_id == document_id for candidate in found.candidates[:3])


# ------------------------------------------------------------------------------------------------------------------- ending
async def generate_response(state: State, tools: Tools) -> Done:
    response = build_response(state, tools.run)
    return Done({"response": response}, response.response_message)


async def remember(state: State, tools: Tools) -> Done:
    """The session's window gains this turn. The conversation's turn and the trace are stored when the run is over, with this very step."""
    query, response = state["query"], state["response"]
    if not query.session_id:
        return Done({}, "No session was named; nothing to keep in it.", skipped=True)
    entry = {
        "query": query.text,
        "answer": response.answer[:1000],
        "intent": response.intent.value,
        "topic": (state["classification"].entities or [""])[0],
        "results": [result.id for result in response.results],
        "trace_id": tools.run.id,
        "at": tools.deps.now().isoformat(),
    }
    await tools.deps.sessions.remember(tools.run.tenant, session_key(tools.run.user_id, query.session_id), entry)
    return Done({}, "Kept in the session.")


ROWS: tuple[Row, ...] = (
    Row("load_context", ZEUS, "Loading Context", "Recalling the conversation", load_context,
        reads=("request", "query"), writes=("query", "model", "recalled"), via="Zeus"),
    Row("classify", ATHENA, "Analyzing Intent", "Reading the question", classify_question,
        reads=("query", "model"), writes=("classification",), via="Athena"),
    Row("choose_strategy", PROTEUS, "Choosing Strategy", "Weighing words and meaning", choose,
        reads=("request", "classification"), writes=("strategy", "retrieval_request"), via="Proteus"),
    Row("retrieve", ZEUS, "Searching", "Searching the documents", retrieve,
        reads=("retrieval_request",), writes=("retrieval",), via="Search"),
    Row("rerank", ZEUS, "Reranking", "Reading the best passages again", rerank,
        reads=("retrieval_request", "retrieval"), writes=("retrieval",), via="Search", without="The order is that of the first search."),
    Row("document_search", ZEUS, "Composing the Answer", "Reading the passages", document_search,
        reads=("request", "query", "model", "classification", "retrieval_request", "retrieval"),
        writes=("retrieval", "passages", "evidence", "results", "sections", "answer"), via="Search"),
    Row("general_answer", ZEUS, "Answering", "Looking beyond the documents", general_answer,
        reads=("query", "model", "classification"), writes=("answer", "preface"), via="General"),
    Row("clarify", SOCRATES, "Asking Back", "Looking for what could be meant", ask_back,
        reads=("query",), writes=("clarification",), via="Socrates"),
    Row("quality_check", DIOGENES, "Checking Quality", "Testing answer and evidence", quality_check,
        reads=("classification", "retrieval", "passages", "answer"), writes=("critique",)),
    Row("explain", HERMES, "Explaining Results", "Tracing each result's way", explain_results,
        reads=("answer", "results"), writes=("explanations", "results"), via="Hermes", without="The results are shown without reasons."),
    Row("score_confidence", THEMIS, "Scoring Confidence", "Weighing the evidence", score,
        reads=("classification", "retrieval_request", "results", "sections", "answer", "critique"), writes=("confidence",), via="Themis",
        without="The confidence is the bare probability, without follow-ups."),
    Row("generate_response", ZEUS, "Preparing the Response", "Putting the answer together", generate_response,
        reads=("request", "query", "recalled", "classification", "retrieval", "passages", "results", "answer", "preface", "clarification",
               "critique", "explanations", "confidence"),
        writes=("response",)),
    Row("remember", ZEUS, "Remembering", "Keeping this turn", remember,
        reads=("query", "classification", "response"), writes=(), without="This turn is missing from the session."),
)  # fmt: skip
