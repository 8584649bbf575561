"""What goes wrong with OpenSearch is one of core's errors, with what to do; what may be done twice is, and nothing else."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigurationError, StorageFull, Unavailable, VantageError
from retrieval.opensearch import connection
from retrieval.opensearch.connection import OpenSearchClient
from retrieval.opensearch.connection_options import OpenSearchOptions
from retrieval.opensearch.entries import delete_operations, index_operation
from retrieval.search_engines import IndexOptions, open_index
from tests.support.scripted_http import Answer, scripted_server

OPENSEARCH = {"version": {"number": "2.19.1", "distribution": "opensearch"}}
FULL = {"type": "cluster_block_exception", "reason": "index [v] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark]"}
NO_PLUGIN = {"type": "mapper_parsing_exception", "reason": "No handler for type [knn_vector] declared on field [vector]"}
BUSY = {"type": "rejected_execution_exception", "reason": "rejected execution of coordinating operation"}


def _items(body: bytes, outcome: Callable[[str], tuple[int, Any]]) -> dict[str, Any]:
    """The answer to a bulk request whose operations end as `outcome` says of their entries."""
    items = []
    for line in body.decode().splitlines():
        for action, named in json.loads(line).items():
            if action not in {"index", "delete"}:
                continue
            status, error = outcome(named["_id"])
            items.append({action: {"_id": named["_id"], "status": status, **({"error": error} if error else {})}})
    return {"errors": any("error" in each for item in items for each in item.values()), "items": items}


async def _open(port: int, folder: Path) -> None:
    options = OpenSearchOptions("127.0.0.1", port, timeout_seconds=0.5)
    index = await open_index("opensearch", IndexOptions(folder, 8, 0.3, 1000, options))
    await index.close()


def _answers(**said: tuple[int, Any]) -> Answer:
    """OpenSearch with nothing in it, but for what is said of a method."""

    def answer(method: str, path: str, body: bytes) -> tuple[int, Any]:
        return said.get("root", (200, OPENSEARCH)) if path == "/" else said.get(method, (200, {}))

    return answer


NO_MANAGER = {"type": "cluster_block_exception", "reason": "blocked by: [SERVICE_UNAVAILABLE/2/no cluster-manager]"}

STARTS: dict[str, tuple[Answer, type[VantageError], str]] = {
    "another server": (_answers(root=(200, {"version": {"number": "8.1.0"}})), ConfigurationError, "is not OpenSearch"),
    "another service": (_answers(root=(200, ["hello"])), ConfigurationError, "is not OpenSearch"),
    "a page of a proxy": (_answers(root=(200, b"<html>Sign in</html>")), Unavailable, "sends no JSON"),
    "half an answer": (_answers(GET=(200, b'{"vantage-words": {')), Unavailable, "sends no JSON"),
    "no plugin": (_answers(PUT=(400, {"error": NO_PLUGIN})), ConfigurationError, "has no k-NN plugin"),
    "no rights": (_answers(root=(401, {"error": "Unauthorized"})), Unavailable, "refuses the name and password"),
    "too few rights": (_answers(PUT=(403, {"error": {"type": "security_exception", "reason": "no permissions"}})), Unavailable, "refuses the name"),
    "a full disk": (_answers(PUT=(403, {"error": {"root_cause": [FULL], **FULL}})), StorageFull, "accepts no writes"),
    "a failure of its own": (_answers(root=(500, {"error": {"type": "x", "reason": "boom"}})), Unavailable, "failed \\(500\\): x: boom"),
}


@pytest.mark.parametrize("case", STARTS)
async def test_a_start_says_what_is_wrong(tmp_path: Path, case: str) -> None:
    answer, kind, said = STARTS[case]
    with scripted_server(answer) as port:
        with pytest.raises(kind, match=said) as refused:
            await _open(port, tmp_path)
        assert type(refused.value) is kind
        assert f"127.0.0.1:{port}" in str(refused.value)


async def test_another_template_in_the_way_is_named(tmp_path: Path) -> None:
    def answer(method: str, path: str, body: bytes) -> tuple[int, Any]:
        if path.endswith("/_mapping"):
            return 200, {path.split("/")[1]: {"mappings": {"_meta": {"schema": 0}}}}
        return 200, OPENSEARCH if path == "/" else {}

    with scripted_server(answer) as port, pytest.raises(Unavailable, match="another index template is in the way"):
        await _open(port, tmp_path)


async def test_an_answer_that_does_not_come_is_a_time_limit(tmp_path: Path) -> None:
    def answer(method: str, path: str, body: bytes) -> tuple[int, Any]:
        time.sleep(1.5)
        return 200, OPENSEARCH

    with scripted_server(answer) as port, pytest.raises(Unavailable, match=r"did not answer in time.*opensearch\.timeout_seconds"):
        await _open(port, tmp_path)


async def test_only_what_was_turned_away_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_FIRST_PAUSE", 0.01)
    sent: list[list[str]] = []

    def answer(method: str, path: str, body: bytes) -> tuple[int, Any]:
        named = [next(iter(json.loads(line).values()))["_id"] for line in body.decode().splitlines()[::2]]
        sent.append(named)
        if len(sent) == 1:
            return 429, {"error": BUSY}  # the whole request
        return 200, _items(body, lambda entry: (429, BUSY) if len(sent) == 2 and entry in {"1", "3"} else (201, None))

    operations = [index_operation("v", str(number), {"chunk": number}) for number in range(5)]
    with scripted_server(answer) as port:
        client = OpenSearchClient(OpenSearchOptions("127.0.0.1", port))
        await client.bulk(operations)
        await client.close()
    assert sent == [list("01234"), list("01234"), ["1", "3"]]


BULKS: dict[str, tuple[int, Any, type[VantageError], str]] = {
    "no room": (429, BUSY, Unavailable, "no room for more work"),
    "a full disk": (429, FULL, StorageFull, "accepts no writes"),
    "a full disk, older": (403, {**FULL, "reason": "blocked by: [FORBIDDEN/12/index read-only]"}, StorageFull, "accepts no writes"),
    "no cluster manager yet": (503, NO_MANAGER, Unavailable, "no room for more work|failed"),
    "another mapping": (
        400,
        {"type": "strict_dynamic_mapping_exception", "reason": "[x] is not allowed"},
        Unavailable,
        "does not accept what Vantage",
    ),
    "a lost index": (404, {"type": "index_not_found_exception", "reason": "no such index [v]"}, Unavailable, "lost the index"),
}


@pytest.mark.parametrize("case", BULKS)
async def test_an_operation_that_fails_says_why(monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    monkeypatch.setattr(connection, "_FIRST_PAUSE", 0.01)
    monkeypatch.setattr(connection, "PATIENCE_SECONDS", 0.05)
    status, error, kind, said = BULKS[case]

    def answer(method: str, path: str, body: bytes) -> tuple[int, Any]:
        return 200, _items(body, lambda entry: (status, error) if entry == "1" else (201, None))

    with scripted_server(answer) as port:
        client = OpenSearchClient(OpenSearchOptions("127.0.0.1", port))
        with pytest.raises(kind, match=said):
            await client.bulk(index_operation("v", str(number), {}) for number in range(3))
        await client.close()


async def test_what_one_node_does_not_answer_another_is_asked() -> None:
    asked: list[str] = []

    def answer(method: str, path: str, body: bytes) -> tuple[int, Any]:
        asked.append(path)
        return 200, _items(body, lambda entry: (201, None)) if path == "/_bulk" else OPENSEARCH

    with scripted_server(answer) as port:
        client = OpenSearchClient(OpenSearchOptions("127.0.0.1", 9, nodes=(("127.0.0.1", port), ("127.0.0.1", 10))))
        for _ in range(4):
            assert await client.read("GET", "/") == OPENSEARCH
        await client.bulk([index_operation("v", "1", {})])
        await client.close()
    assert asked == ["/"] * 4 + ["/_bulk"]
    client = OpenSearchClient(OpenSearchOptions("127.0.0.1", 9, nodes=(("127.0.0.1", 10),)))
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1:9 \(and 1 more\) does not answer"):
        await client.read("GET", "/")
    await client.close()


async def test_a_cluster_without_a_manager_for_a_moment_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It blocks everything until another node manages it, which is no full disk."""
    monkeypatch.setattr(connection, "_FIRST_PAUSE", 0.01)
    sent: list[str] = []

    def answer(method: str, path: str, body: bytes) -> tuple[int, Any]:
        sent.append(path)
        if len(sent) == 1:
            return 503, {"error": NO_MANAGER}
        return 200, _items(body, lambda entry: (503, NO_MANAGER) if len(sent) == 2 else (201, None))

    with scripted_server(answer) as port:
        client = OpenSearchClient(OpenSearchOptions("127.0.0.1", port))
        await client.bulk([index_operation("v", "1", {})])
        await client.close()
    assert len(sent) == 3


async def test_deleting_what_is_gone_is_no_failure() -> None:
    with scripted_server(lambda method, path, body: (200, _items(body, lambda entry: (404, None)))) as port:
        client = OpenSearchClient(OpenSearchOptions("127.0.0.1", port))
        await client.bulk(delete_operations("v", ["1", "2"]))
        await client.close()
