"""The nodes of Zeus: one table of rows; the function of each lies in the module that is named after its part of the way."""

from __future__ import annotations

from core.runs import APOLLO, ARISTOTLE, ATHENA, DAEDALUS, DIOGENES, HERMES, ODYSSEUS, PROTEUS, SISYPHUS, SOCRATES, THEMIS, THOTH, ZEUS
from orchestration.node_adapter import NodeRow
from orchestration.nodes.answer_quality import explain_results, quality_check, score_answer
from orchestration.nodes.attached_answer import attached_documents
from orchestration.nodes.classification import choose_run_strategy, classify_question
from orchestration.nodes.direct_answers import ask_back, general_answer
from orchestration.nodes.document_analysis import analyze
from orchestration.nodes.document_summary import summarize
from orchestration.nodes.graph_expansion import add_graph_expansion
from orchestration.nodes.library_search import document_search, rerank, retrieve
from orchestration.nodes.multi_hop import join_hops, plan_question, run_hop
from orchestration.nodes.respond_and_remember import generate_response, remember
from orchestration.nodes.retrieval_correction import correct
from orchestration.nodes.run_context import load_context

ROWS: tuple[NodeRow, ...] = (
    NodeRow("load_context", ZEUS, "Loading Context", "Recalling the conversation", load_context,
        reads=("request", "query"), writes=("query", "model", "recalled", "memory"), path_name="Zeus"),
    NodeRow("attached_documents", DAEDALUS, "Studying the Attached Files", "Handing the files to the three who study them", attached_documents,
        reads=("request", "query", "model", "memory"),
        writes=("attached", "classification", "strategy", "retrieval_request", "retrieval", "passages", "evidence", "results", "sections", "answer"),
        path_name="Daedalus"),
    NodeRow("classify", ATHENA, "Analyzing Intent", "Reading the question", classify_question,
        reads=("request", "query", "model", "reply"), writes=("classification", "ambiguity"), path_name="Athena"),
    NodeRow("choose_strategy", PROTEUS, "Choosing Strategy", "Weighing words and meaning", choose_run_strategy,
        reads=("request", "memory", "classification"), writes=("strategy", "retrieval_request"), path_name="Proteus"),
    NodeRow("plan", ODYSSEUS, "Planning", "Looking whether one search is enough", plan_question,
        reads=("request", "query", "model", "memory", "classification", "strategy"), writes=("plan",), path_name="Odysseus",
        loss_text="The question is searched as written."),
    NodeRow("expand_graph", APOLLO, "Expanding the Graph", "Looking up names and what they are related to", add_graph_expansion,
        reads=("request", "classification", "strategy", "retrieval_request", "plan"), writes=("expansion", "retrieval_request"), path_name="Apollo",
        loss_text="The search goes on without the graph."),
    NodeRow("retrieve", ZEUS, "Searching", "Searching the documents", retrieve,
        reads=("retrieval_request",), writes=("retrieval",), path_name="Search"),
    NodeRow("rerank", ZEUS, "Reranking", "Reading the best passages again", rerank,
        reads=("request", "classification", "retrieval_request", "retrieval", "plan", "attempts", "change"),
        writes=("retrieval", "quality", "attempts", "settled"), path_name="Search", loss_text="The order is that of the first search."),
    NodeRow("correct", SISYPHUS, "Trying Again", "Looking for a better way to ask", correct,
        reads=("request", "query", "model", "classification", "strategy", "retrieval_request", "attempts"),
        writes=("retrieval", "retrieval_request", "quality", "attempts", "change", "settled"), path_name="Sisyphus",
        loss_text="The answer is made from the first search."),
    NodeRow("hop", ODYSSEUS, "Taking a Step", "Asking a part of the question", run_hop,
        reads=("request", "query", "model", "classification", "strategy", "retrieval_request", "retrieval", "plan", "hops", "hop_query"),
        writes=("hops",), path_name="Odysseus", loss_text="The answer does without this step."),
    NodeRow("join_hops", ODYSSEUS, "Joining the Steps", "Bringing the steps together", join_hops,
        reads=("plan", "hops", "retrieval", "retrieval_request"), writes=("retrieval", "reasoning"), path_name="Odysseus",
        loss_text="The answer is made from the first search."),
    NodeRow("document_search", ZEUS, "Composing the Answer", "Reading the passages", document_search,
        reads=("request", "query", "model", "memory", "classification", "retrieval_request", "retrieval", "plan", "hops"),
        writes=("retrieval", "passages", "evidence", "results", "sections", "answer", "calculations", "listing"), path_name="Search"),
    NodeRow("analyze", ARISTOTLE, "Comparing", "Setting the documents side by side", analyze,
        reads=("request", "query", "model", "memory", "classification", "strategy", "retrieval_request", "retrieval"),
        writes=("comparison", "retrieval", "passages", "evidence", "results", "sections", "answer", "calculations", "listing"),
        path_name="Aristotle"),
    NodeRow("summarize", THOTH, "Summarising", "Looking for the sentences that carry it", summarize,
        reads=("request", "query", "model", "memory", "classification", "strategy", "retrieval_request", "retrieval"),
        writes=("summary", "retrieval", "passages", "evidence", "results", "sections", "answer", "calculations", "listing"), path_name="Thoth"),
    NodeRow("general_answer", ZEUS, "Answering", "Looking beyond the documents", general_answer,
        reads=("request", "query", "model", "classification"), writes=("answer", "preface", "to_remember"), path_name="General"),
    NodeRow("clarify", SOCRATES, "Asking Back", "Looking for what could be meant", ask_back,
        reads=("query", "classification", "ambiguity"), writes=("clarification", "reply", "query", "classification"), path_name="Socrates"),
    NodeRow("quality_check", DIOGENES, "Checking Quality", "Testing answer and evidence", quality_check,
        reads=("classification", "retrieval", "passages", "answer", "calculations", "listing"), writes=("critique",)),
    NodeRow("explain", HERMES, "Explaining Results", "Tracing each result's way", explain_results,
        reads=("answer", "results"), writes=("explanations", "results"), path_name="Hermes", loss_text="The results are shown without reasons."),
    NodeRow("score_confidence", THEMIS, "Scoring Confidence", "Weighing the evidence", score_answer,
        reads=("classification", "retrieval_request", "results", "evidence", "sections", "answer", "critique", "calculations"),
        writes=("confidence",), path_name="Themis",
        loss_text="The confidence is the bare probability, without follow-ups."),
    NodeRow("generate_response", ZEUS, "Preparing the Response", "Putting the answer together", generate_response,
        reads=("request", "query", "recalled", "classification", "retrieval", "passages", "results", "answer", "preface", "clarification",
               "critique", "explanations", "confidence", "expansion", "reasoning", "hops", "comparison", "summary", "calculations", "listing",
               "attached", "memory_used", "change", "to_remember", "retrieval_request"),
        writes=("response",)),
    NodeRow("remember", ZEUS, "Remembering", "Keeping this turn", remember,
        reads=("request", "query", "strategy", "expansion", "hops", "answer", "to_remember", "response"), writes=(),
        loss_text="This run is missing from memory."),
)  # fmt: skip
