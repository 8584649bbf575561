"""Thoth with a model over real HTTP, in the whole graph: what the trace keeps of it, how it breaks, and what a stop leaves."""

from __future__ import annotations

import asyncio

import pytest

from answers.generative.cited_writer import CitedWriter
from answers.scoring.unit_vectors import UnitVectors
from core.prompts import load_prompt
from core.runs import Outcome, Trace
from core.search_schemas import SearchRequest, SearchResponse
from llm.model_middleware import TokenCounts, wrap_model
from llm.ollama import OllamaChatModel, OllamaOptions
from orchestration.run_registry import Runs
from orchestration.zeus import Options, Zeus
from tests.support.evidence import CountingEmbedder, WordIndex
from tests.support.ollama_server import OllamaServer, Script, ollama_server
from tests.support.ports import make_dependencies
from tests.support.stores import MemoryTraces

QUESTION = "Summarise the Halden lease in two sentences"
PIECES = ("The tenant must give six months of written notice ", "[1]. ", "The yearly rent is 48,000 euros ", "[3].")


async def ask(server: OllamaServer, *, stop: bool = False) -> tuple[SearchResponse, Trace]:
    client = OllamaChatModel(OllamaOptions(base_url=server.url, name="test-model", timeout=10, first_token_seconds=5.0))
    model = wrap_model(client, TokenCounts())
    writer = CitedWriter(model, load_prompt("summarization"), UnitVectors(CountingEmbedder()), WordIndex())
    deps = make_dependencies(model=model, summary_writer=writer, options=Options(use_llm_fallback=False))
    runs = Runs(Zeus(deps))
    try:
        run_id = await runs.start(SearchRequest(query=QUESTION), "default", "ann")
        if stop:
            async for event in runs.events("default", run_id):
                if event.kind == "token":
                    await runs.cancel("default", run_id)
                    break
        response = await runs.result("default", run_id)
    finally:
        await client.close()
    assert isinstance(deps.traces, MemoryTraces)
    return response, await deps.traces.get("default", run_id)


async def test_the_trace_keeps_the_prompt_and_the_tokens() -> None:
    async with ollama_server(scripts=[Script(pieces=PIECES)]) as server:
        response, trace = await ask(server)
    assert (response.generated_by, response.summary, response.degraded) == ("test-model", response.answer, [])
    assert [sentence.support for sentence in response.answer_sentences] == ["supported", "supported"]
    assert [each.document_id for each in response.citations] == ["lease", "lease"]
    assert (trace.prompts, trace.tokens) == ({"summarization": load_prompt("summarization").sha}, {"input": 11, "output": 5})
    assert "Length: at most 90 words, in 2 sentences." in server.requests[-1]["messages"][1]["content"]


@pytest.mark.parametrize("script", [Script(status=500, error="no memory"), Script(pieces=PIECES, drop_after=2), Script(pieces=("§§ %% ##",))])
async def test_a_model_that_breaks_leaves_the_quotes_and_is_said(script: Script) -> None:
    async with ollama_server(scripts=[script]) as server:
        response, trace = await ask(server)
    assert (response.generated_by, response.status) == ("extractive", "success")
    assert {sentence.support for sentence in response.answer_sentences} == {"quoted"}
    assert [each.part for each in response.degraded] == ["model"]
    assert response.degraded[0].reason.endswith("The summary is made of the documents' own sentences.")
    assert next(node for node in trace.nodes if node.node == "summarize").outcome is Outcome.DEGRADED


async def test_a_stop_while_the_model_writes_keeps_what_was_found() -> None:
    pieces = ("".join(PIECES[:3]), PIECES[3])  # the first sentence is whole, the second is not
    async with ollama_server(scripts=[Script(pieces=pieces, piece_delay=30.0)]) as server:
        response, _ = await asyncio.wait_for(ask(server, stop=True), 20)
    assert response.status == "stopped"
    assert response.answer.startswith("The tenant must give six months")
    assert [result.id for result in response.results] == ["lease"]
