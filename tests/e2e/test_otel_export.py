"""A server that sends its runs to a collector: what arrives there is the run with its nodes, and no word of it."""

from __future__ import annotations

import gzip
import time
from pathlib import Path
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.support.scripted_http import scripted_server
from tests.support.serving import ServedVantage, index_and_wait


def test_a_collector_gets_the_nodes_of_the_stored_trace(tmp_path: Path) -> None:
    docs, received = tmp_path / "docs", list[bytes]()
    docs.mkdir()
    (docs / "shed.txt").write_text("The quincunx hangs in the shed.", encoding="utf-8")

    def take(_: str, path: str, body: bytes) -> tuple[int, Any]:
        received.append(gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body)
        return (200 if path == "/v1/traces" else 404), {}

    with scripted_server(take) as port:
        settings = {"VANTAGE_TELEMETRY__EXPORTER": "otlp", "VANTAGE_TELEMETRY__ENDPOINT": f"http://127.0.0.1:{port}/v1/traces"}
        server = ServedVantage(tmp_path / "home", settings).start()
        try:
            with server.client() as client:
                index_and_wait(client, str(docs))
                run_id = client.post("/search", json={"query": "Where does the quincunx hang?"}).raise_for_status().json()["trace_id"]
                nodes = [node["node"] for node in client.get(f"/traces/{run_id}").raise_for_status().json()["nodes"]]
            deadline = time.monotonic() + 60
            while len(spans := _spans_of(received)) <= len(nodes) and time.monotonic() < deadline:
                time.sleep(0.05)
        finally:
            server.stop()
    assert {span.trace_id.hex() for span in spans} == {run_id}
    assert [span.name for span in spans] == [*nodes, "run"]
    assert b"quincunx" not in b"".join(received)


def _spans_of(bodies: list[bytes]) -> list[Any]:
    parts = [part for body in bodies for part in ExportTraceServiceRequest.FromString(body).resource_spans]
    return [span for part in parts for scope in part.scope_spans for span in scope.spans]
