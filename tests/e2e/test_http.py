"""The HTTP contract on the real application with the sample library."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.serving import ROOT, ServedVantage, index_and_wait, parse_events, read_health, wait_for_job

QUESTIONS = json.loads((ROOT / "examples" / "questions.json").read_text(encoding="utf-8"))["questions"]
LOOKUPS = [item for item in QUESTIONS if item["kind"] == "lookup"]
ALWAYS = (
    "status response_message answer generated_by citations results count intent confidence confidence_factors search_time total_time routing_path "
    "steps suggested_followups degraded trace_id"
).split()


def ask(client: httpx.Client, query: str, **more: object) -> dict[str, Any]:
    found: dict[str, Any] = client.post("/search", json={"query": query, **more}).raise_for_status().json()
    return found


@pytest.fixture(scope="module")
def answers(sample_server: ServedVantage) -> dict[str, dict[str, Any]]:
    """Each question of the sample library -> what it was answered, once for all tests of them."""
    with sample_server.client() as client:
        return {item["question"]: ask(client, item["question"]) for item in QUESTIONS}


def bare(text: str) -> str:
    """Letter case, white space and thousands separators aside (examples/questions.json, "about")."""
    return re.sub(r"(?<=\d),(?=\d{3})|\s", "", text).casefold()


def assert_citations_are_exact(client: httpx.Client, response: dict[str, Any]) -> None:
    for item in response["citations"]:
        content = client.get(f"/documents/{item['document_id']}/content", params={"start": item["start"], "end": item["end"]}).json()
        assert content["text"] == item["quote"]
        assert content["generation"] == item["generation"]


def test_a_lookup_is_answered_and_cited(client: httpx.Client) -> None:
    question = LOOKUPS[0]
    response = ask(client, question["question"])
    assert [name for name in ALWAYS if name not in response] == []
    assert response["status"] == "success"
    assert response["citations"]
    assert "[1]" in response["answer"]
    assert response["generated_by"] == "extractive"
    assert response["routing_path"].startswith("Zeus → Athena → Proteus → Odysseus → Apollo → Search")
    assert response["count"] == len(response["results"]) <= 5
    assert len({item["id"] for item in response["results"]}) == len(response["results"])
    assert all(0 <= item["score"] <= 1 for item in response["results"])
    assert_citations_are_exact(client, response)


def test_every_quote_of_every_question_is_its_span(client: httpx.Client, answers: dict[str, dict[str, Any]]) -> None:
    cited = 0
    for response in answers.values():
        assert_citations_are_exact(client, response)
        cited += bool(response["citations"])
    assert cited >= 0.6 * len(QUESTIONS)


def test_lookups_find_their_answer(answers: dict[str, dict[str, Any]]) -> None:
    """A floor, so that a broken composer is noticed; the questions are paraphrased on purpose and 12 of 20 were answered when this was written."""
    found = 0
    for item in LOOKUPS:
        response = answers[item["question"]]
        shown = response["answer"] + " ".join(citation["quote"] for citation in response["citations"])
        found += all(bare(text) in bare(shown) for text in item["answer_contains"])
    assert found >= 0.5 * len(LOOKUPS), f"{found} of {len(LOOKUPS)}"


def test_the_stream_has_the_same_steps_and_answer_as_the_response(client: httpx.Client) -> None:
    question = LOOKUPS[1]["question"]
    streamed = client.post("/search/stream", json={"query": question})
    events = parse_events(streamed.text)
    assert [number for number, _, _ in events] == [str(number) for number in range(1, len(events) + 1)]
    kinds = [kind for _, kind, _ in events]
    assert kinds[0] == "run"
    assert kinds[-2:] == ["answer", "done"]
    answer = next(data for _, kind, data in events if kind == "answer")
    ended = [data for _, kind, data in events if kind == "step" and data["outcome"] != "running"]
    assert answer["steps"] == ended
    again = ask(client, question)
    assert answer["answer"] == again["answer"]
    assert [step["node"] for step in answer["steps"]] == [step["node"] for step in again["steps"]]


def test_stream_status_false_sends_no_steps(client: httpx.Client) -> None:
    events = parse_events(client.post("/search/stream", json={"query": LOOKUPS[0]["question"], "stream_status": False}).text)
    assert {kind for _, kind, _ in events} - {"token"} == {"run", "sources", "answer", "done"}


def test_a_run_is_read_on_after_the_last_event(client: httpx.Client) -> None:
    events = parse_events(client.post("/search/stream", json={"query": LOOKUPS[0]["question"]}).text)
    run_id = events[0][2]["run_id"]
    rest = parse_events(client.get(f"/runs/{run_id}/events", headers={"Last-Event-ID": events[3][0]}).text)
    assert rest == events[4:]


def test_every_run_is_a_trace(client: httpx.Client) -> None:
    response = ask(client, LOOKUPS[0]["question"])
    trace = client.get(f"/traces/{response['trace_id']}").raise_for_status().json()
    assert trace["query"] == LOOKUPS[0]["question"]
    assert [node["node"] for node in trace["nodes"]][: len(response["steps"])] == [step["node"] for step in response["steps"]]
    assert trace["moves"]
    assert response["trace_id"] in [line["id"] for line in client.get("/traces").json()["traces"]]


def test_what_is_not_in_the_library_is_not_made_up(answers: dict[str, dict[str, Any]]) -> None:
    missing = [item for item in QUESTIONS if item["kind"] == "not_in_library"]
    said = [answers[item["question"]]["status"] for item in missing]
    assert said.count("not_found") >= len(missing) / 2, said


def test_attached_documents_restrict_the_search(client: httpx.Client) -> None:
    document = client.get("/documents", params={"limit": 1}).json()["documents"][0]
    response = ask(client, "What is this about?", attached_documents=[document["id"]])
    assert {item["id"] for item in response["results"]} <= {document["id"]}


def test_a_conversation_keeps_its_turns(client: httpx.Client) -> None:
    made = client.post("/conversations", json={"title": "Lease"}).json()
    ask(client, LOOKUPS[0]["question"], conversation_id=made["id"])
    detail = client.get(f"/conversations/{made['id']}").json()
    assert [turn["query"] for turn in detail["items"]] == [LOOKUPS[0]["question"]]
    assert client.patch(f"/conversations/{made['id']}", json={"title": "Renamed"}).json()["title"] == "Renamed"
    trace_id = detail["items"][0]["trace_id"]
    assert client.delete(f"/conversations/{made['id']}").status_code == 204
    assert client.get(f"/conversations/{made['id']}").status_code == 404
    assert client.get(f"/traces/{trace_id}").status_code == 404


def test_feedback_is_stored_for_known_runs_only(client: httpx.Client) -> None:
    trace_id = ask(client, LOOKUPS[0]["question"])["trace_id"]
    assert client.post("/feedback", json={"trace_id": trace_id, "kind": "thumbs_up"}).json()["stored"] is True
    assert client.post("/feedback", json={"trace_id": "unknown", "kind": "thumbs_up"}).status_code == 404


def test_starters_can_be_asked(client: httpx.Client) -> None:
    starters = client.get("/starters").json()["starters"]
    assert len(starters) >= 4
    assert len({item["intent"] for item in starters}) == len(starters)
    lookup = next(item for item in starters if item["intent"] == "document_search")
    assert ask(client, lookup["question"])["status"] == "success"


def test_health_names_every_part(client: httpx.Client) -> None:
    health = client.get("/health").json()
    assert (health["live"], health["ready"]) == (True, True)
    assert {"embedder", "index", "store", "language model"} <= {part["name"] for part in health["parts"]}
    assert health["library"]["chunks"] == health["library"]["vectors"] > 0


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/search", {"query": ""}, 422),
        ("POST", "/search", {"query": " \x00\x07 "}, 422),
        ("POST", "/search", {"query": "a" * 200_000}, 413),
        ("POST", "/search", {"query": "x", "conversation_id": "unknown"}, 404),
        ("POST", "/search", {"query": "x", "surprise": 1}, 422),
        ("POST", "/index", {"path": "/no/such/folder"}, 422),
        ("POST", "/index", {"path": "relative"}, 422),
        ("GET", "/documents/unknown", None, 404),
        ("GET", "/documents/unknown/content", None, 404),
        ("GET", "/documents/unknown/file", None, 404),
        ("DELETE", "/documents/unknown", None, 404),
        ("GET", "/jobs/unknown", None, 404),
        ("GET", "/jobs/unknown/events", None, 404),
        ("GET", "/traces/unknown", None, 404),
        ("GET", "/runs/unknown/events", None, 404),
        ("POST", "/runs/unknown/cancel", {}, 404),
        ("GET", "/nothing/here", None, 404),
    ],
)
def test_bad_input_is_a_problem_document(client: httpx.Client, method: str, path: str, body: dict[str, object] | None, status: int) -> None:
    response = client.request(method, path, json=body)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert problem["detail"]
    assert "Traceback" not in response.text


@pytest.mark.parametrize(
    "query", ["𝔘𝔫𝔦𝔠𝔬𝔡𝔢 😀 \U0010fffd", "قانون الإيجار", "租赁期限是多久？", '"unbalanced ((( AND OR NOT :/\\', "é" * 5000, "\u202eright to left"]
)
def test_any_text_can_be_asked(client: httpx.Client, query: str) -> None:
    assert client.post("/search", json={"query": query}).status_code == 200


def test_a_foreign_page_is_refused(client: httpx.Client) -> None:
    assert client.get("/health", headers={"Origin": "https://elsewhere.example"}).status_code == 403
    assert client.get("/health", headers={"Host": "elsewhere.example"}).status_code == 403


def test_index_edit_move_delete(tmp_path: Path) -> None:
    """The life of a folder: indexed, unchanged, edited, moved, a twin, deleted, and nothing left behind."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "one.md").write_text("# Boiler\n\nThe boiler was serviced by Adebayo Plumbing on 4 May 2026.\n")
    (folder / "two.txt").write_text("The gate code of the depot is changed on the first Monday of every month.\n")
    (folder / "empty.txt").write_text("")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing follows")
    served = ServedVantage(tmp_path / "home").start()
    try:
        with served.client() as client:
            job = index_and_wait(client, str(folder))
            assert (job["files_indexed"], job["files_total"]) == (2, 4)
            reasons = {Path(line["path"]).name: line["reason"] for line in client.get("/ledger").json()["lines"]}
            assert set(reasons) == {"one.md", "two.txt", "empty.txt", "broken.pdf"}
            assert reasons["empty.txt"]
            assert reasons["broken.pdf"]
            again = index_and_wait(client, str(folder))
            assert (again["files_indexed"], again["files_unchanged"], again["chunks"]) == (0, 2, 0)

            before = ask(client, "Who serviced the boiler?")["citations"][0]
            assert "Adebayo" in before["quote"]
            (folder / "one.md").write_text("# Boiler\n\nThe boiler was serviced by Okafor Heating on 9 June 2026.\n")
            index_and_wait(client, str(folder))
            after = ask(client, "Who serviced the boiler?")["citations"][0]
            assert "Okafor" in after["quote"]
            assert (after["document_id"], after["generation"]) == (before["document_id"], before["generation"] + 1)

            (folder / "one.md").rename(folder / "moved.md")
            (folder / "twin.txt").write_bytes((folder / "two.txt").read_bytes())
            index_and_wait(client, str(folder))
            moved = client.get(f"/documents/{before['document_id']}").json()
            assert moved["filename"] == "moved.md"
            twin = next(item for item in client.get("/documents").json()["documents"] if item["id"] != before["document_id"])
            assert {Path(path).name for path in twin["paths"]} == {"two.txt", "twin.txt"}

            (folder / "moved.md").unlink()
            index_and_wait(client, str(folder))
            assert client.get(f"/documents/{before['document_id']}").status_code == 404
            client.delete(f"/documents/{twin['id']}").raise_for_status()
            health = read_health(client)["library"]
            assert (health["documents"], health["chunks"], health["vectors"]) == (0, 0, 0)
            assert ask(client, "Who serviced the boiler?")["status"] == "not_found"
    finally:
        served.stop()


def test_upload_and_ask(tmp_path: Path) -> None:
    served = ServedVantage(tmp_path / "home").start()
    try:
        with served.client() as client:
            files = [("files", ("../../evil name?.txt", b"The spare key hangs behind the blue door in the pantry.", "text/plain"))]
            sent = client.post("/upload", files=files).raise_for_status().json()
            wait_for_job(client, sent["job"]["id"])
            assert Path(sent["files"][0]).is_relative_to(tmp_path / "home" / "uploads")
            assert "pantry" in ask(client, "Where does the spare key hang?")["answer"]
    finally:
        served.stop()


def test_keys_separate_tenants(tmp_path: Path) -> None:
    keys = "['aaaaaaaaaaaaaaaaaaaa:one', 'bbbbbbbbbbbbbbbbbbbb:two']"
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "secret.txt").write_text("The launch word of the first team is periwinkle.")
    settings = {"VANTAGE_SERVER__API_KEYS": keys, "VANTAGE_INGESTION__ROOTS": f"['{tmp_path / 'docs'}']"}
    served = ServedVantage(tmp_path / "home", settings).start()
    try:
        with served.client() as client:
            assert client.get("/health").status_code == 401
            one, two = ({"Authorization": f"Bearer {letter * 20}"} for letter in "ab")
            job = client.post("/index", json={"path": str(tmp_path / "docs")}, headers=one).raise_for_status().json()
            assert client.post("/index", json={"path": "/etc"}, headers=one).status_code == 403
            assert client.get(f"/jobs/{job['id']}", headers=two).status_code == 404
            with httpx.Client(base_url=served.url, headers=one, trust_env=False, verify=False) as first:
                wait_for_job(first, job["id"])
                found = first.post("/search", json={"query": "What is the launch word?"}).json()
            assert "periwinkle" in found["answer"]
            other = client.post("/search", json={"query": "What is the launch word?"}, headers=two).json()
            assert (other["results"], other["citations"]) == ([], [])
            assert client.post("/session", json={"api_key": "not a key of ours"}).status_code == 401
            assert client.post("/session", json={"api_key": "b" * 20}).status_code == 204
            assert read_health(client)["library"]["documents"] == 0
            assert client.delete("/session").status_code == 204
            assert client.get("/health").status_code == 401
            for path in (f"/documents/{found['results'][0]['id']}", f"/traces/{found['trace_id']}", f"/runs/{found['trace_id']}/events"):
                assert client.get(path, headers=two).status_code == 404
    finally:
        served.stop()


def test_another_address_needs_keys(tmp_path: Path) -> None:
    from tests.support.serving import run_vantage

    refused = run_vantage(tmp_path / "home", "serve", "--host", "0.0.0.0", "--port", "0")
    assert refused.returncode == 1
    assert "api_keys" in refused.stderr
    assert "Traceback" not in refused.stderr
