"""One test over all nodes and all prompts: what has to hold for each of them."""

from __future__ import annotations

import inspect
from functools import partial
from pathlib import Path
from string import Template
from typing import Any

import pytest

from agents.comparison import model_wording
from agents.general_answer import agent as general
from agents.query_classifier import agent as athena
from agents.query_routing import agent as routing
from agents.summarization import agent as summarization
from core.prompts import load_prompt, prompt_files
from core.runs import AGENTS, ZEUS
from core.structured_output import render_messages
from orchestration.dependencies import Dependencies
from orchestration.node_adapter import NodeRow
from orchestration.nodes import ROWS
from orchestration.state import State
from orchestration.zeus import build_graph
from tests.support.nodes import make_run
from tests.support.ports import make_dependencies

REPOSITORY = Path(__file__).resolve().parents[2]
TESTED_BY = {
    "classify": "test_classifier", "choose_strategy": "test_strategy", "quality_check": "test_critic", "explain": "test_explanation",
    "score_confidence": "test_confidence", "general_answer": "test_agents_general", "clarify": "test_agents_general",
    "attached_documents": "test_document_agents", "plan": "test_planner", "hop": "test_bridging", "join_hops": "test_planner",
    "correct": "test_retrieval_controller", "analyze": "test_comparison", "summarize": "test_summarization", "expand_graph": "test_graph_extraction",
}  # fmt: skip
GIVEN = {"request", "query", "hop_query", "memory_used"}  # by the run, by the router that sends a hop, by every node
WRITING = {"history", "passages", "question"}  # what answers.generative.cited_writer supplies
SUPPLIED = {
    "query_classifier": {"history", "question"}, "general_answer": {"question"}, "query_routing": {"question"},
    "writer": WRITING, summarization.PROMPT: WRITING, model_wording.PROMPT: WRITING,
}  # fmt: skip


@pytest.fixture(params=ROWS, ids=lambda row: row.name)
def row(request: pytest.FixtureRequest) -> NodeRow:
    assert isinstance(request.param, NodeRow)
    return request.param


def test_its_name_is_its_own(row: NodeRow) -> None:
    assert [other.name for other in ROWS].count(row.name) == 1


def test_it_reads_and_writes_declared_keys(row: NodeRow) -> None:
    assert set(row.reads) | set(row.writes) <= set(State.__annotations__)


def test_what_it_reads_is_written_before(row: NodeRow) -> None:
    """By a node from which this one can be reached."""
    edges = build_graph(make_dependencies).get_graph().edges
    before = {row.name}
    while found := {edge.source for edge in edges if edge.target in before} - before:
        before |= found
    written = {key for other in ROWS if other.name in before for key in other.writes}
    assert set(row.reads) <= written | GIVEN


def test_its_agent_stands_in_the_table(row: NodeRow) -> None:
    assert row.agent in AGENTS


def test_it_reaches_the_ports_that_its_row_names(row: NodeRow) -> None:
    """And not all that the graph is built from."""
    bound = row.bind(make_dependencies(), make_run(), print)
    node: Any = bound.func if isinstance(bound, partial) else bound
    ports: dict[str, Any] = bound.keywords if isinstance(bound, partial) else {}
    parameters = list(inspect.signature(node).parameters.values())
    assert inspect.iscoroutinefunction(node)
    assert parameters[0].name == "state"
    assert {each.name for each in parameters[1:] if each.kind is each.KEYWORD_ONLY} == set(ports) == {each.name for each in parameters[1:]}
    assert not any(isinstance(port, Dependencies) for port in ports.values())


def test_it_has_words_for_people(row: NodeRow) -> None:
    assert row.action[0].isupper()
    assert row.progress_text[0].isupper()


def test_an_optional_one_says_what_is_missing_without_it(row: NodeRow) -> None:
    assert row.is_optional == bool(row.loss_text)
    assert not row.loss_text or row.loss_text.endswith(".")


def test_it_stands_in_the_graph(row: NodeRow) -> None:
    assert row.name in build_graph(make_dependencies).get_graph().nodes


def test_it_is_in_the_page_about_a_questions_way(row: NodeRow) -> None:
    page = (REPOSITORY / "docs" / "how-a-question-travels.md").read_text(encoding="utf-8")
    assert f"`{row.name}`" in page
    assert row.agent.name in page


def test_its_agent_has_unit_tests(row: NodeRow) -> None:
    if row.agent is ZEUS and row.name not in TESTED_BY:
        assert (REPOSITORY / "tests" / "graph" / "test_zeus.py").is_file()  # Zeus's own steps are tested where they run
    else:
        assert (REPOSITORY / "tests" / "unit" / f"{TESTED_BY.get(row.name, f'test_{row.name}')}.py").is_file()


def test_every_prompt_has_a_name_of_its_own() -> None:
    names = [file.name for file in prompt_files()]
    assert len(names) == len(set(names)) >= len(SUPPLIED)


def test_every_agents_prompt_is_a_file() -> None:
    files = {file.name.removesuffix(".md") for file in prompt_files()}
    assert {athena.PROMPT, routing.PROMPT, general.PROMPT, "writer", summarization.PROMPT, model_wording.PROMPT} == set(SUPPLIED)
    assert set(SUPPLIED) <= files


@pytest.mark.parametrize("name", SUPPLIED)
def test_placeholders_equal_the_supplied_variables(name: str) -> None:
    prompt = load_prompt(name)
    assert prompt.variables() == SUPPLIED[name]
    instruction, divider, _ = prompt.text.partition("\n---\n")
    assert divider
    assert not Template(instruction).get_identifiers()  # a person's words never stand among the instructions
    assert len(prompt.sha) == 16


def test_a_question_with_dollars_is_only_data() -> None:
    messages = render_messages(load_prompt("general_answer"), {"question": "what costs $history and ${question}?"})
    assert [message.role for message in messages] == ["system", "user"]
    assert messages[1].content == "what costs $history and ${question}?"
