"""A written answer through the real client over real HTTP: the whole way from the model's lines to checked citations."""

from __future__ import annotations

import asyncio

import pytest

from answers.generative.cited_writer import CitedWriter
from answers.scoring.unit_vectors import UnitVectors
from core.answers import Answer
from core.errors import ModelUnavailable
from core.prompts import load_prompt
from llm.model_middleware import TokenCounts, wrap_model
from llm.ollama import OllamaChatModel, OllamaOptions
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.ollama_server import OllamaServer, Script, ollama_server

MILL = evidence("The mill was sold to the town in 2021. It stands by the river.", document="mill", title="Mill")


async def answer(server: OllamaServer, *, first: float = 5.0) -> tuple[list[str], Answer]:
    model = OllamaChatModel(OllamaOptions(base_url=server.url, name="test-model", timeout=10, first_token_seconds=first))
    writer = CitedWriter(wrap_model(model, TokenCounts()), load_prompt("writer"), UnitVectors(CountingEmbedder()), WordIndex())
    pieces: list[str] = []
    try:
        async for piece in writer.write("default", "When was the mill sold?", [], [MILL]):
            if isinstance(piece, Answer):
                return pieces, piece
            pieces.append(piece)
    finally:
        await model.close()
    raise AssertionError("no answer came")


async def test_the_answer_streams_and_is_checked() -> None:
    async with ollama_server(scripts=[Script(pieces=["The mill was sold ", "to the town ", "in 2021 [1]. ", "It has a golden roof [1]."])]) as server:
        pieces, written = await answer(server)
    assert pieces == ["The mill was sold to the town in 2021. [1]"]
    assert [sentence.support for sentence in written.sentences] == ["supported"]
    assert "roof" not in written.text
    assert written.citations[0].quote == "The mill was sold to the town in 2021."
    assert written.generated_by == "test-model"
    assert written.tokens == {"input": 11, "output": 5}
    sent = server.requests[0]["messages"]
    assert [message["role"] for message in sent] == ["system", "user"]
    assert MILL.passage.content in sent[1]["content"]


@pytest.mark.parametrize(
    "script",
    [
        Script(status=500, error="no memory"),
        Script(status=404, error="no model"),
        Script(first_delay=30),
        Script(drop_after=1),
        Script(malformed="{{{{"),
        Script(pieces=()),
        Script(pieces=("<think>I wonder", " and wonder")),
        Script(pieces=["again and again and again it goes "] * 200),
    ],
    ids=["500", "404", "slow", "dropped", "malformed", "empty", "only-thoughts", "loop"],
)
async def test_whatever_goes_wrong_is_model_unavailable(script: Script) -> None:
    async with ollama_server(scripts=[script]) as server:
        with pytest.raises(ModelUnavailable) as caught:
            await answer(server, first=0.3)
    assert "Traceback" not in str(caught.value)
    assert len(str(caught.value)) > 20


async def test_cancelling_the_answer_hangs_up() -> None:
    async with ollama_server(scripts=[Script(piece_delay=30)]) as server:
        task = asyncio.create_task(answer(server))
        await asyncio.wait_for(server.asked.wait(), 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.disconnected.wait(), 30)
