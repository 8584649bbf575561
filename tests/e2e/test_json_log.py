"""A server that logs as JSON: each line is an object that says whose it is, and nothing of documents and questions is in it."""

from __future__ import annotations

import json
from pathlib import Path

import httpx

from tests.support.serving import ServedVantage, index_and_wait

KEY = "a" * 20


def test_a_question_leaves_a_line_without_its_words(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "shed.txt").write_text("The quincunx hangs in the shed.", encoding="utf-8")
    keys = {"VANTAGE_SERVER__API_KEYS": f"['{KEY}:acme:annabel:admin']", "VANTAGE_INGESTION__ROOTS": f"['{docs}']"}
    server = ServedVantage(tmp_path / "home", {**keys, "VANTAGE_SERVER__LOG_FORMAT": "json"}).start("--json")
    try:
        with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {KEY}"}, timeout=60.0, trust_env=False, verify=False) as client:
            indexed = index_and_wait(client, str(docs))
            found = client.post("/search", json={"query": "Where does the quincunx hang, Balthasar?"}).raise_for_status().json()
    finally:
        server.stop()
    written = server.read_log()
    lines = [json.loads(line) for line in written.splitlines()]
    assert [line["url"] for line in lines if "url" in line] == [server.url]  # what `serve --json` prints
    ended = next(line for line in lines if line.get("message") == "run ended")
    assert (ended["tenant_id"], ended["run_id"], ended["status"]) == ("acme", found["trace_id"], found["status"])
    job = next(line for line in lines if line.get("message") == "job ended")
    assert (job["tenant_id"], job["job_id"], job["state"], job["files_indexed"]) == ("acme", indexed["id"], "done", 1)
    assert len(ended["person"]) == 16
    assert ended["duration_ms"] > 0
    for word in ("quincunx", "Balthasar", "annabel", KEY):
        assert word not in written
