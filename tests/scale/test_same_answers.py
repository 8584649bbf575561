"""The same demo on the default settings and on PostgreSQL, Redis and OpenSearch: the sample library, asked the same questions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from bootstrap import SAMPLE
from tests.support.databases import postgres_database, postgres_server
from tests.support.opensearch_server import NoOpenSearchError, options_of, shared_server
from tests.support.redis_server import redis_server
from tests.support.sample_library import serve_sample
from tests.support.serving import ServedVantage

pytestmark = [pytest.mark.scale, pytest.mark.integration, pytest.mark.timeout(2400)]
ASKED = 10
COMPARED = ("status", "intent", "answer_kind", "answer", "lead", "count", "degraded")
# What a busy machine would leave out of one answer and not of the other: the answers are compared, not how fast the machine is.
UNHURRIED = {"VANTAGE_GRAPH__WAIT_SECONDS": "60", "VANTAGE_AGENTS__CORRECTION__BUDGET_MS": "60000", "VANTAGE_SEARCH__RERANK__BUDGET_MS": "60000"}


def demo_questions() -> list[str]:
    """Return questions of every kind that the file has, spread over it."""
    entries = json.loads((SAMPLE.parent / "questions.json").read_text(encoding="utf-8"))["questions"]
    answerable = [each for each in entries if each["kind"] not in {"system", "general"}]
    return [each["question"] for each in answerable[:: len(answerable) // ASKED]][:ASKED]


@pytest.fixture(scope="module")
def scale_settings() -> Iterator[dict[str, str]]:
    """The settings for three servers that are started here."""
    with ExitStack() as stack:
        try:
            store = stack.enter_context(postgres_database(stack.enter_context(postgres_server())))
            redis = stack.enter_context(redis_server())
            search = options_of(shared_server(), "demo")
        except (FileNotFoundError, NoOpenSearchError) as missing:
            pytest.skip(str(missing))
        yield {
            **UNHURRIED,
            "VANTAGE_STORAGE__URL": store,
            "VANTAGE_MEMORY__SESSION__REDIS_URL": redis,
            "VANTAGE_SEARCH__ENGINE": "opensearch",
            "VANTAGE_OPENSEARCH__HOST": search.host,
            "VANTAGE_OPENSEARCH__PORT": str(search.port),
            "VANTAGE_OPENSEARCH__INDEX_NAME": search.index_name,
        }


def run_demo(served: ServedVantage) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Return what /health says of the parts, and the answers in one session."""
    with served.client() as client:
        parts = client.get("/health", params={"thorough": "true"}).raise_for_status().json()["parts"]
        answers = []
        for question in demo_questions():
            asked = {"query": question, "session_id": "demo"}
            answer = client.post("/search", json=asked).raise_for_status().json()
            shown = {name: answer[name] for name in COMPARED}
            cited = [(each["filename"], each["quote"]) for each in answer["citations"]]
            answers.append({"question": question, **shown, "cited": cited, "first": [each["filename"] for each in answer["results"][:1]]})
        assert client.get("/memory/local").raise_for_status().json()["session"]["total"] == ASKED
    return {each["name"]: f"{each['state']}: {each['detail']}" for each in parts}, answers


def test_the_same_demo_has_the_same_answers(tmp_path: Path, scale_settings: dict[str, str]) -> None:
    default = serve_sample(tmp_path / "default", UNHURRIED)
    try:
        _, expected = run_demo(default)
    finally:
        default.stop()
    scaled = ServedVantage(tmp_path / "scale", scale_settings, start_seconds=1200).start("--with-sample")  # it answers once all is indexed
    try:
        parts, answers = run_demo(scaled)
    finally:
        scaled.stop()
    assert parts["store"].startswith("ok: postgresql")
    assert "OpenSearch" in parts["index"]
    assert parts["session memory"].startswith("ok: Redis at")
    for answer, wanted in zip(answers, expected, strict=True):
        assert answer == wanted
    assert len(answers) == ASKED
    assert sum(each["status"] == "success" for each in answers) >= ASKED // 2
