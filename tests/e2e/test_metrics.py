"""`/metrics` after a question and an indexing job: the numbers are those of the trace and of the ledger, and no label says whose or about what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.serving import ServedVantage, index_and_wait, read_health

MEMBER, ADMIN = "m" * 20, "a" * 20
QUESTION = "Where does the quincunx hang?"
Labels = tuple[tuple[str, str], ...]


class Watched(NamedTuple):
    url: str
    trace: dict[str, Any]
    ledger: dict[str, int]
    samples: dict[tuple[str, Labels], float]

    def value(self, name: str, **labels: str) -> float:
        return self.samples[name, tuple(sorted(labels.items()))]

    def total(self, name: str) -> float:
        return sum(value for (each, _), value in self.samples.items() if each == name)


def asking(url: str, key: str = "") -> httpx.Client:
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"} if key else {}, timeout=60.0, trust_env=False, verify=False)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("metrics")
    docs = folder / "docs"
    docs.mkdir()
    (docs / "shed.txt").write_text("The quincunx hangs in the shed behind the pantry.", encoding="utf-8")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing of a document")
    settings = {"VANTAGE_SERVER__API_KEYS": f"['{MEMBER}:acme:ann', '{ADMIN}:acme:eve:admin']", "VANTAGE_INGESTION__ROOTS": f"['{docs}']"}
    server = ServedVantage(folder / "home", settings).start()
    try:
        with asking(server.url, ADMIN) as client:
            index_and_wait(client, str(docs))
            found = client.post("/search", json={"query": QUESTION}).raise_for_status().json()
            client.get("/documents/unknown-one")
            client.get("/no-such-address/quincunx")
            trace = client.get(f"/traces/{found['trace_id']}").raise_for_status().json()
            ledger = read_health(client)["library"]
            text = client.get("/metrics").raise_for_status().text
            lines = client.get("/ledger").raise_for_status().json()["lines"]
        samples = {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }
        states = {line["state"]: sum(each["state"] == line["state"] for each in lines) for line in lines}
        yield Watched(server.url, trace, {**states, "documents": ledger["documents"], "chunks": ledger["chunks"]}, samples)
    finally:
        server.stop()


def test_each_stage_took_what_the_trace_says(watched: Watched) -> None:
    for stage in {node["node"] for node in watched.trace["nodes"]}:
        passings = [node for node in watched.trace["nodes"] if node["node"] == stage]
        assert watched.value("vantage_stage_seconds_count", stage=stage) == len(passings)
        assert watched.value("vantage_stage_seconds_sum", stage=stage) == pytest.approx(sum(node["duration_ms"] for node in passings) / 1000)
        assert watched.value("vantage_stages_total", stage=stage, outcome=passings[0]["outcome"]) >= 1
    assert watched.total("vantage_stage_seconds_count") == len(watched.trace["nodes"])
    degraded = "yes" if watched.trace["degraded"] else "no"
    assert watched.value("vantage_runs_total", status=watched.trace["status"], degraded=degraded) == watched.total("vantage_runs_total") == 1
    assert watched.value("vantage_run_seconds_sum", status=watched.trace["status"]) == pytest.approx(watched.trace["duration_ms"] / 1000)


def test_the_library_is_what_ledger_and_health_say(watched: Watched) -> None:
    assert watched.value("vantage_ledger_files", state="indexed") == watched.ledger["indexed"] == 1
    assert watched.total("vantage_ledger_files") == 2
    assert (watched.value("vantage_documents"), watched.value("vantage_chunks")) == (watched.ledger["documents"], watched.ledger["chunks"])
    assert watched.value("vantage_jobs", kind="index", state="done") == 1
    assert watched.value("vantage_workers", state="busy") == watched.value("vantage_runs_running") == watched.value("vantage_streams_open") == 0
    assert watched.value("vantage_workers", state="limit") >= 1
    assert watched.total("vantage_model_calls_total") == 0  # there is no model


def test_requests_are_counted_by_the_route_s_pattern(watched: Watched) -> None:
    assert watched.value("vantage_requests_total", method="POST", route="/search", status="200") == 1
    assert watched.value("vantage_requests_total", method="GET", route="/documents/{document_id}", status="404") == 1
    assert watched.value("vantage_requests_total", method="GET", route="other", status="404") == 1
    assert watched.value("vantage_request_seconds_sum", route="/search") >= watched.trace["duration_ms"] / 1000


def test_no_label_says_whose_or_about_what(watched: Watched) -> None:
    values = {value.lower() for _, labels in watched.samples for _, value in labels}
    told = ("quincunx", "acme", "eve", "ann", "shed", "docs", watched.trace["id"], watched.url.rpartition(":")[2])
    assert not [value for value in values for word in told if word in value.split("/") or word == value]
    assert len({(name, labels) for name, labels in watched.samples if not name.endswith("_bucket")}) < 300


def test_with_keys_an_administrator_s_is_needed(watched: Watched) -> None:
    for key, status in (("", 401), (MEMBER, 403), (ADMIN, 200)):
        with asking(watched.url, key) as client:
            assert client.get("/metrics").status_code == status


def test_on_loopback_without_keys_no_key_is_asked_for(tmp_path: Path) -> None:
    server = ServedVantage(tmp_path / "home").start()
    try:
        with server.client() as client:
            reply = client.get("/metrics").raise_for_status()
        assert reply.headers["content-type"].startswith("text/plain")
        assert 'vantage_ledger_files{state="indexed"} 0.0' in reply.text
    finally:
        server.stop()
