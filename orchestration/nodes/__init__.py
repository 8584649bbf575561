"""The nodes of Zeus: one table of rows; the function of each lies in the module that is named after its part of the way, and reaches the ports that
its row binds to it."""

from __future__ import annotations

from functools import partial

from agents.clarification.agent import find_ambiguity
from agents.lazy_rag.agent import GraphPorts
from agents.overview.agent import OverviewPorts
from agents.planner.hops import find_name
from agents.query_classifier.agent import Athena
from agents.query_classifier.own_company import find_company
from agents.query_routing.agent import QueryRouter
from core.ports import Writer
from core.runs import APOLLO, ARISTOTLE, ATHENA, DAEDALUS, DIOGENES, HERMES, ODYSSEUS, PROTEUS, SISYPHUS, SOCRATES, THEMIS, THOTH, ZEUS
from orchestration.answer_chance import AnswerChance
from orchestration.answer_generation import AnswerPorts
from orchestration.daedalus import StudyContext
from orchestration.dependencies import Dependencies
from orchestration.document_list_answer import answer_with_documents
from orchestration.events import RunRecord
from orchestration.folder_lookup import find_folder
from orchestration.node_adapter import Node, NodeRow
from orchestration.nodes.answer_quality import explain_results, quality_check, score_answer
from orchestration.nodes.answers_from_graph import GraphAnswerPorts, answer_from_graph
from orchestration.nodes.attached_answer import attached_documents, quote_insights, search_files, study_files
from orchestration.nodes.classification import choose_run_strategy, classify_question
from orchestration.nodes.direct_answers import ask_back, general_answer
from orchestration.nodes.document_analysis import analyze
from orchestration.nodes.document_summary import summarize
from orchestration.nodes.graph_expansion import add_graph_expansion
from orchestration.nodes.library_search import (
    PassagePorts,
    Search,
    answer_from_table,
    document_search,
    rerank,
    retrieve,
    search_passages,
    weigh_route,
)
from orchestration.nodes.multi_hop import join_hops, plan_question, run_hop
from orchestration.nodes.respond_and_remember import generate_response, remember
from orchestration.nodes.retrieval_correction import correct
from orchestration.nodes.run_context import load_context
from orchestration.passage_answers import answer_passages
from orchestration.passages import read_passages
from orchestration.quoted_answers import QuotePorts
from orchestration.table_answer import compute_answer, show_computed
from orchestration.turn_records import earlier_turns


def _athena(deps: Dependencies) -> Athena | None:
    options = deps.options
    if not options.classifier_enabled:
        return None
    return Athena(
        llm=deps.model if options.use_llm_fallback else None,
        now=deps.now(),
        find_folder=partial(find_folder, deps.library),
        find_company=partial(find_company, deps.graph) if deps.graph is not None else None,
        threshold=options.confidence_threshold,
        speller=deps.speller,
        translator=deps.translator,
        router=QueryRouter(
            deps.routing_model,
            deps.graph,
            options.routing_enabled,
            options.routing_threshold,
            summarizes=options.lazy_rag is not None,
            has_levels=options.dual_level is not None,
        ),
    )


def _answerability(deps: Dependencies) -> AnswerChance:
    return AnswerChance(deps.retriever, deps.probability, deps.options.not_found_below)


def _search(deps: Dependencies) -> Search:
    return partial(search_passages, retriever=deps.retriever, reranks=deps.options.rerank_enabled)


def _passage_ports(deps: Dependencies, run: RunRecord) -> PassagePorts:
    limit, near = deps.options.answer_passages, deps.options.note_answers_above
    return PassagePorts(
        partial(read_passages, retriever=deps.retriever, library=deps.library, references=deps.references, limit=limit),
        partial(compute_answer, store=deps.tables),
        partial(show_computed, library=deps.library, stream=run, near=near),
    )


def _document_search(deps: Dependencies, run: RunRecord) -> Node:
    least, limit, near = deps.options.not_found_below, deps.options.answer_passages, deps.options.note_answers_above
    writing = AnswerPorts(deps.composer, deps.writer, run, deps.probability, deps.not_found_answer, least, limit)
    return partial(
        document_search,
        find_documents=partial(answer_with_documents, library=deps.library, mentions=deps.mentions, topics=deps.topics, stream=run),
        ports=_passage_ports(deps, run),
        answer=partial(answer_passages, ports=writing, keep=run.state.update, near=near),
        settle_route=partial(weigh_route, threshold=deps.options.routing_threshold),
        answer_from_graph=partial(answer_from_graph, ports=_graph_answers(deps, run)),
    )


def _graph_answers(deps: Dependencies, run: RunRecord) -> GraphAnswerPorts:
    graph = GraphPorts(deps.graph, deps.library, deps.communities) if deps.graph is not None else None
    read = _passage_ports(deps, run).read
    return GraphAnswerPorts(graph, _quotes(deps, run, deps.lazy_writer), read, deps.options.lazy_rag, deps.options.dual_level)


def _quotes(deps: Dependencies, run: RunRecord, writer: Writer | None) -> QuotePorts:
    return QuotePorts(deps.library, deps.retriever, deps.options.hybrid, writer, run, run.state.update)


ROWS: tuple[NodeRow, ...] = (
    NodeRow("load_context", ZEUS, "Loading Context", "Recalling the conversation",
        lambda deps, run, _: partial(
            load_context, turns=partial(earlier_turns, conversations=deps.conversations, run=run, most=deps.options.history_turns),
            memory=deps.memory, llm=deps.model, model_required=deps.options.model_required, tenant=run.tenant),
        reads=("request", "query"), writes=("query", "model", "recalled", "memory"), path_name="Zeus"),
    NodeRow("attached_documents", DAEDALUS, "Studying the Attached Files", "Handing the files to the three who study them",
        lambda deps, run, _: partial(
            attached_documents, study=partial(study_files, library=deps.library, context=StudyContext(deps, run)),
            quote=partial(quote_insights, library=deps.library, stream=run),
            search=partial(search_files, search=_search(deps), answer=_document_search(deps, run), keep=run.state.update),
            hybrid=deps.options.hybrid, keep=run.state.update),
        reads=("request", "query", "model", "memory"),
        writes=("attached", "classification", "strategy", "retrieval_request", "retrieval", "passages", "evidence", "results", "sections", "answer"),
        path_name="Daedalus"),
    NodeRow("classify", ATHENA, "Analyzing Intent", "Reading the question",
        lambda deps, run, _: partial(
            classify_question, athena=_athena(deps),
            find_ambiguity=partial(find_ambiguity, tenant=run.library, library=deps.library, graph=deps.graph)),
        reads=("request", "query", "model", "reply"), writes=("classification", "route", "ambiguity"), path_name="Athena"),
    NodeRow("choose_strategy", PROTEUS, "Choosing Strategy", "Weighing words and meaning",
        lambda deps, run, _: partial(choose_run_strategy, tenant=run.library, user_id=run.user_id, options=deps.options),
        reads=("request", "memory", "classification"), writes=("strategy", "retrieval_request"), path_name="Proteus"),
    NodeRow("plan", ODYSSEUS, "Planning", "Looking whether one search is enough",
        lambda deps, *_: partial(
            plan_question, llm=deps.model, vocabularies=deps.options.vocabularies, library=deps.library, enabled=deps.options.planner_enabled
        ),
        reads=("request", "query", "model", "memory", "classification", "strategy", "retrieval_request"), writes=("plan", "retrieval_request"),
        path_name="Odysseus",
        loss_text="The question is searched as written."),
    NodeRow("expand_graph", APOLLO, "Expanding the Graph", "Looking up names and what they are related to",
        lambda deps, run, _: partial(add_graph_expansion, graph=deps.graph, tenant=run.library),
        reads=("request", "classification", "strategy", "retrieval_request", "plan"), writes=("expansion", "retrieval_request"), path_name="Apollo",
        loss_text="The search goes on without the graph."),
    NodeRow("retrieve", ZEUS, "Searching", "Searching the documents",
        lambda deps, *_: partial(retrieve, retriever=deps.retriever),
        reads=("retrieval_request",), writes=("retrieval",), path_name="Search"),
    NodeRow("rerank", ZEUS, "Reranking", "Reading the best passages again",
        lambda deps, run, _: partial(
            rerank, retriever=deps.retriever, answerability=_answerability(deps), options=deps.options, passed=run.nodes),
        reads=("request", "classification", "retrieval_request", "retrieval", "plan", "attempts", "change"),
        writes=("retrieval", "quality", "attempts", "settled"), path_name="Search", loss_text="The order is that of the first search."),
    NodeRow("correct", SISYPHUS, "Trying Again", "Looking for a better way to ask",
        lambda deps, *_: partial(
            correct, answerability=_answerability(deps), library=deps.library, llm=deps.model, graph=deps.graph, options=deps.options),
        reads=("request", "query", "model", "classification", "strategy", "retrieval_request", "attempts"),
        writes=("retrieval", "retrieval_request", "quality", "attempts", "change", "settled"), path_name="Sisyphus",
        loss_text="The answer is made from the first search."),
    NodeRow("hop", ODYSSEUS, "Taking a Step", "Asking a part of the question",
        lambda deps, *_: partial(
            run_hop, search=_search(deps), answerability=_answerability(deps),
            find=partial(find_name, library=deps.library, graph=deps.graph, reader=deps.reader)),
        reads=("request", "query", "model", "classification", "strategy", "retrieval_request", "retrieval", "plan", "hops", "hop_query"),
        writes=("hops",), path_name="Odysseus", loss_text="The answer does without this step."),
    NodeRow("join_hops", ODYSSEUS, "Joining the Steps", "Bringing the steps together",
        lambda *_: join_hops,
        reads=("plan", "hops", "retrieval", "retrieval_request"), writes=("retrieval", "reasoning"), path_name="Odysseus",
        loss_text="The answer is made from the first search."),
    NodeRow("document_search", ZEUS, "Composing the Answer", "Reading the passages",
        lambda deps, run, _: _document_search(deps, run),
        reads=("request", "query", "model", "memory", "classification", "route", "retrieval_request", "retrieval", "plan", "hops"),
        writes=("route", "lazy_rag", "dual_level", "retrieval", "passages", "evidence", "results", "sections", "answer", "calculations", "listing"),
        path_name="Search"),
    NodeRow("analyze", ARISTOTLE, "Comparing", "Setting the documents side by side",
        lambda deps, run, _: partial(
            analyze, comparison=_quotes(deps, run, deps.comparison_writer), findings=_quotes(deps, run, deps.summary_writer),
            compute=partial(answer_from_table, ports=_passage_ports(deps, run)), search=_document_search(deps, run),
            answerability=_answerability(deps)),
        reads=("request", "query", "model", "memory", "classification", "route", "strategy", "retrieval_request", "retrieval"),
        writes=("route", "lazy_rag", "dual_level", "comparison", "retrieval", "passages", "evidence", "results", "sections", "answer", "calculations",
                "listing"),
        path_name="Aristotle"),
    NodeRow("summarize", THOTH, "Summarising", "Looking for the sentences that carry it",
        lambda deps, run, tell: partial(summarize, ports=_quotes(deps, run, deps.summary_writer), search=_document_search(deps, run), tell=tell),
        reads=("request", "query", "model", "memory", "classification", "route", "strategy", "retrieval_request", "retrieval"),
        writes=("route", "lazy_rag", "dual_level", "summary", "retrieval", "passages", "evidence", "results", "sections", "answer", "calculations",
                "listing"),
        path_name="Thoth"),
    NodeRow("general_answer", ZEUS, "Answering", "Looking beyond the documents",
        lambda deps, run, _: partial(
            general_answer, llm=deps.model, library=deps.library, overviews=OverviewPorts(deps.communities, deps.mentions, deps.graph),
            has_memory=deps.memory is not None, stream=run),
        reads=("request", "query", "model", "classification", "route"), writes=("answer", "preface", "to_remember"), path_name="General"),
    NodeRow("clarify", SOCRATES, "Asking Back", "Looking for what could be meant",
        lambda deps, *_: partial(ask_back, library=deps.library),
        reads=("query", "classification", "ambiguity"), writes=("clarification", "reply", "query", "classification"), path_name="Socrates"),
    NodeRow("quality_check", DIOGENES, "Checking Quality", "Testing answer and evidence",
        lambda deps, *_: partial(quality_check, answerability=_answerability(deps)),
        reads=("classification", "retrieval", "passages", "answer", "calculations", "listing", "comparison", "lazy_rag", "dual_level"),
        writes=("critique",)),
    NodeRow("explain", HERMES, "Explaining Results", "Tracing each result's way",
        lambda *_: explain_results,
        reads=("answer", "results"), writes=("explanations", "results"), path_name="Hermes", loss_text="The results are shown without reasons."),
    NodeRow("score_confidence", THEMIS, "Scoring Confidence", "Weighing the evidence",
        lambda deps, run, _: partial(
            score_answer, tenant=run.library, references=deps.references, answerability=_answerability(deps), hybrid=deps.options.hybrid),
        reads=("classification", "retrieval_request", "results", "evidence", "sections", "answer", "critique", "calculations"),
        writes=("confidence",), path_name="Themis",
        loss_text="The confidence is the bare probability, without follow-ups."),
    NodeRow("generate_response", ZEUS, "Preparing the Response", "Putting the answer together",
        lambda deps, run, _: partial(generate_response, run=run, library=deps.library),
        reads=("request", "query", "recalled", "classification", "route", "retrieval", "passages", "results", "answer", "preface", "clarification",
               "critique", "explanations", "confidence", "expansion", "reasoning", "hops", "comparison", "summary", "calculations", "listing",
               "attached", "lazy_rag", "dual_level", "memory_used", "change", "to_remember", "retrieval_request"),
        writes=("response",)),
    NodeRow("remember", ZEUS, "Remembering", "Keeping this turn",
        lambda deps, run, _: partial(remember, run=run, memory=deps.memory),
        reads=("request", "query", "strategy", "expansion", "hops", "answer", "to_remember", "response"), writes=(),
        loss_text="This run is missing from memory."),
)  # fmt: skip
