"""The nodes of Zeus: one table of rows; the function of each lies in the module that is named after its part of the way."""

from __future__ import annotations

from core.runs import APOLLO, ARISTOTLE, ATHENA, DAEDALUS, DIOGENES, HERMES, ODYSSEUS, PROTEUS, SISYPHUS, SOCRATES, THEMIS, THOTH, ZEUS
from orchestration.adapter import Row
from orchestration.nodes.answering_otherwise import ask_back, general_answer
from orchestration.nodes.attached import attached_documents
from orchestration.nodes.comparing import analyze
from orchestration.nodes.context import load_context
from orchestration.nodes.correcting import correct
from orchestration.nodes.ending import generate_response, remember
from orchestration.nodes.expanding import expand_graph
from orchestration.nodes.judging import explain_results, quality_check, score
from orchestration.nodes.planning import hop, join_hops, plan_question
from orchestration.nodes.reading import choose, classify_question
from orchestration.nodes.searching import document_search, rerank, retrieve
from orchestration.nodes.summarizing import summarize

ROWS: tuple[Row, ...] = (
    Row("load_context", ZEUS, "Loading Context", "Recalling the conversation", load_context,
        reads=("request", "query"), writes=("query", "model", "recalled", "memory"), via="Zeus"),
    Row("attached_documents", DAEDALUS, "Studying the Attached Files", "Handing the files to the three who study them", attached_documents,
        reads=("request", "query", "model", "memory"),
        writes=("attached", "classification", "strategy", "retrieval_request", "retrieval", "passages", "evidence", "results", "sections", "answer"),
        via="Daedalus"),
    Row("classify", ATHENA, "Analyzing Intent", "Reading the question", classify_question,
        reads=("request", "query", "model", "reply"), writes=("classification", "ambiguity"), via="Athena"),
    Row("choose_strategy", PROTEUS, "Choosing Strategy", "Weighing words and meaning", choose,
        reads=("request", "memory", "classification"), writes=("strategy", "retrieval_request"), via="Proteus"),
    Row("plan", ODYSSEUS, "Planning", "Looking whether one search is enough", plan_question,
        reads=("request", "query", "model", "memory", "classification", "strategy"), writes=("plan",), via="Odysseus",
        without="The question is searched as written."),
    Row("expand_graph", APOLLO, "Expanding the Graph", "Looking up names and what they are related to", expand_graph,
        reads=("request", "classification", "strategy", "retrieval_request", "plan"), writes=("expansion", "retrieval_request"), via="Apollo",
        without="The search goes on without the graph."),
    Row("retrieve", ZEUS, "Searching", "Searching the documents", retrieve,
        reads=("retrieval_request",), writes=("retrieval",), via="Search"),
    Row("rerank", ZEUS, "Reranking", "Reading the best passages again", rerank,
        reads=("request", "classification", "retrieval_request", "retrieval", "plan", "attempts", "change"),
        writes=("retrieval", "quality", "attempts", "settled"), via="Search", without="The order is that of the first search."),
    Row("correct", SISYPHUS, "Trying Again", "Looking for a better way to ask", correct,
        reads=("request", "query", "model", "classification", "strategy", "retrieval_request", "attempts"),
        writes=("retrieval", "retrieval_request", "quality", "attempts", "change", "settled"), via="Sisyphus",
        without="The answer is made from the first search."),
    Row("hop", ODYSSEUS, "Taking a Step", "Asking a part of the question", hop,
        reads=("request", "query", "model", "classification", "strategy", "retrieval_request", "retrieval", "plan", "hops", "hop_query"),
        writes=("hops",), via="Odysseus", without="The answer does without this step."),
    Row("join_hops", ODYSSEUS, "Joining the Steps", "Bringing the steps together", join_hops,
        reads=("plan", "hops", "retrieval", "retrieval_request"), writes=("retrieval", "reasoning"), via="Odysseus",
        without="The answer is made from the first search."),
    Row("document_search", ZEUS, "Composing the Answer", "Reading the passages", document_search,
        reads=("request", "query", "model", "memory", "classification", "retrieval_request", "retrieval", "plan", "hops"),
        writes=("retrieval", "passages", "evidence", "results", "sections", "answer", "calculations", "listing"), via="Search"),
    Row("analyze", ARISTOTLE, "Comparing", "Setting the documents side by side", analyze,
        reads=("request", "query", "model", "memory", "classification", "strategy", "retrieval_request", "retrieval"),
        writes=("comparison", "retrieval", "passages", "evidence", "results", "sections", "answer", "calculations", "listing"), via="Aristotle"),
    Row("summarize", THOTH, "Summarising", "Looking for the sentences that carry it", summarize,
        reads=("request", "query", "model", "memory", "classification", "strategy", "retrieval_request", "retrieval"),
        writes=("summary", "retrieval", "passages", "evidence", "results", "sections", "answer", "calculations", "listing"), via="Thoth"),
    Row("general_answer", ZEUS, "Answering", "Looking beyond the documents", general_answer,
        reads=("request", "query", "model", "classification"), writes=("answer", "preface", "to_remember"), via="General"),
    Row("clarify", SOCRATES, "Asking Back", "Looking for what could be meant", ask_back,
        reads=("query", "classification", "ambiguity"), writes=("clarification", "reply", "query", "classification"), via="Socrates"),
    Row("quality_check", DIOGENES, "Checking Quality", "Testing answer and evidence", quality_check,
        reads=("classification", "retrieval", "passages", "answer", "calculations", "listing"), writes=("critique",)),
    Row("explain", HERMES, "Explaining Results", "Tracing each result's way", explain_results,
        reads=("answer", "results"), writes=("explanations", "results"), via="Hermes", without="The results are shown without reasons."),
    Row("score_confidence", THEMIS, "Scoring Confidence", "Weighing the evidence", score,
        reads=("classification", "retrieval_request", "results", "evidence", "sections", "answer", "critique", "calculations"),
        writes=("confidence",), via="Themis",
        without="The confidence is the bare probability, without follow-ups."),
    Row("generate_response", ZEUS, "Preparing the Response", "Putting the answer together", generate_response,
        reads=("request", "query", "recalled", "classification", "retrieval", "passages", "results", "answer", "preface", "clarification",
               "critique", "explanations", "confidence", "expansion", "reasoning", "hops", "comparison", "summary", "calculations", "listing",
               "attached", "memory_used", "change", "to_remember", "retrieval_request"),
        writes=("response",)),
    Row("remember", ZEUS, "Remembering", "Keeping this turn", remember,
        reads=("request", "query", "strategy", "expansion", "hops", "answer", "to_remember", "response"), writes=(),
        without="This run is missing from memory."),
)  # fmt: skip
