"""What a person uploads is that person's: no other key of the tenant finds a trace of it, by whatever route; and no upload replaces another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from tests.e2e.test_owners import TENANTS, asking
from tests.support.serving import ServedVantage, read_health, wait_for_job

ANN, BOB, CY, EVE = ("a" * 20, "b" * 20, "c" * 20, "e" * 20)
SECRET = "Hortensia Quillfeather earns 84,711 pounds a month. The Quillfeather file is kept by Barnaby Oakwhistle of Zimmerlein Ltd."
BOBS = "Bob's own list: buy nineteen lanterns before Friday."
SHARED = "The spade hangs in the shed behind the pantry. The shed is painted green."
WORDS = ("Quillfeather", "Oakwhistle", "Zimmerlein", "84,711", "secret")


class Team(NamedTuple):
    served: ServedVantage
    secret: str  # the id of ann's document
    path: str
    job: str
    docs: Path


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    folder = tmp_path_factory.mktemp("uploads")
    (folder / "docs").mkdir()
    (folder / "docs" / "shed.txt").write_text(SHARED, encoding="utf-8")
    keys = f"['{ANN}:acme:ann', '{BOB}:acme:bob', '{CY}:other:cy', '{EVE}:acme:eve:admin']"
    settings = {"VANTAGE_SERVER__API_KEYS": keys, "VANTAGE_INGESTION__ROOTS": f"['{folder / 'docs'}']", "VANTAGE_ONTOLOGY__SUPPORT_ENABLED": "true"}
    served = ServedVantage(folder / "home", settings).start()
    try:
        with asking(served.url, BOB) as bob, asking(served.url, ANN) as ann:
            wait_for_job(bob, bob.post("/index", json={"path": str(folder / "docs")}).raise_for_status().json()["id"])
            sent = upload(ann, "secret.txt", SECRET)
            upload(bob, "secret.txt", BOBS)
            (secret,) = ann.get("/documents", params={"text": "secret"}).json()["documents"]
        yield Team(served, secret["id"], sent["files"][0], sent["job"]["id"], folder / "docs")
    finally:
        served.stop()


def upload(client: httpx.Client, name: str, text: str) -> dict[str, Any]:
    sent: dict[str, Any] = client.post("/upload", files=[("files", (name, text.encode()))]).raise_for_status().json()
    assert wait_for_job(client, sent["job"]["id"])["state"] == "done"
    return sent


def test_the_person_lists_reads_finds_and_asks_about_it(team: Team) -> None:
    with asking(team.served.url, ANN) as ann:
        assert {each["filename"] for each in ann.get("/documents").json()["documents"]} == {"shed.txt", "secret.txt"}
        assert ann.get(f"/documents/{team.secret}/content").json()["text"] == SECRET
        assert ann.get(f"/documents/{team.secret}/file").text == SECRET
        assert "Hortensia Quillfeather" in {each["entity"]["name"] for each in ann.get(f"/documents/{team.secret}/entities").json()["entities"]}
        assert read_health(ann)["library"]["documents"] == 2
        assert [line["path"] for line in ann.get("/ledger", params={"text": "secret"}).json()["lines"]] == [team.path]
        assert "84,711" in ann.post("/search", json={"query": "How much does Hortensia Quillfeather earn?"}).json()["answer"]
        assert "shed" in ann.post("/search", json={"query": "Where does the spade hang?"}).json()["answer"]
        for asked in (team.secret, team.path, "secret.txt"):
            found = ann.post("/search", json={"query": "How much does Hortensia Quillfeather earn?", "attached_documents": [asked]}).json()
            assert "84,711" in found["answer"], asked
            assert ann.post(f"/traces/{found['trace_id']}/replay", json={"without": ["rerank"]}).status_code == 200
            told = ann.post("/explain", json={"trace_id": found["trace_id"], "document": team.secret}).json()
            assert told["shown"], told


@pytest.mark.parametrize("key", [BOB, CY, EVE], ids=["same tenant", "other tenant", "admin"])
def test_every_route_about_a_document_or_job_is_404_for_others(team: Team, key: str) -> None:
    ids = {"document_id": team.secret, "job_id": team.job, "page": "1", "ordinal": "0", "entity_id": "1", "community_id": "1", "ontology_id": "1"}
    with asking(team.served.url, key) as other:
        for route in TENANTS:
            method, path = route.split(" ")
            assert other.request(method, path.format(**ids)).status_code == 404, route
        calls: tuple[tuple[str, str, dict[str, Any]], ...] = (
            ("GET", "/ledger/file", {"params": {"path": team.path}}),
            ("POST", "/ledger/file", {"data": {"path": team.path}}),
            ("POST", "/ledger/retry", {"json": {"path": team.path}}),
            ("POST", "/ledger/exclude", {"json": {"path": team.path}}),
            ("DELETE", "/ledger/exclude", {"params": {"path": team.path}}),
            ("DELETE", "/ledger/roots", {"params": {"path": str(Path(team.path).parent)}}),
            ("POST", "/watcher/disable", {"json": {"path": str(Path(team.path).parent)}}),
        )
        for method, path, given in calls:
            assert other.request(method, path, **given).status_code == 404, path
        for named in (team.secret, team.path):
            body = {"query": "Who keeps the file?", "setting": {}, "document": named}
            assert other.post("/evaluation/explain", json=body).raise_for_status().json()["fell_at"] == "not_indexed", named
        for path in (team.path, str(Path(team.path).parent), str(Path(team.path).parent.parent)):
            assert other.post("/index", json={"path": path}).status_code == 403


@pytest.mark.parametrize("key", [BOB, CY, EVE], ids=["same tenant", "other tenant", "admin"])
def test_no_listing_and_no_answer_shows_others_a_word_of_it(team: Team, key: str) -> None:
    with asking(team.served.url, key) as other:
        lists = ("/documents", "/ledger", "/ledger/summary", "/ledger/folders", "/jobs", "/watcher/status", "/graph/entities", "/starters", "/health")
        for path in (
            *lists,
            f"/ledger?under={team.path}",
            f"/ledger/folders?under={Path(team.path).parent}",
            f"/ledger?root={Path(team.path).parent}",
        ):
            shown = other.get(path).raise_for_status().text
            assert not any(word in shown for word in (*WORDS[:4], team.secret, team.path, "acme%3Aann")), path
        questions = (
            "How much does Hortensia Quillfeather earn?",
            "Who is Barnaby Oakwhistle?",
            "Show me everything about Zimmerlein",
            "Who keeps the Quillfeather file?",
            "What is in the file secret.txt?",
            "Which documents are in my library?",
            "How much does Hortensia Quilfeather earn?",
        )
        for question in questions:
            answer = other.post("/search", json={"query": question, "use_memory": False}).raise_for_status().json()
            tested = other.post("/evaluation/test", json={"query": question, "left": {}}).raise_for_status().json()["left"]
            told = str({name: value for name, value in answer.items() if name not in {"query", "steps", "spelling", "routing_path"}})
            told += str({name: value for name, value in tested.items() if name != "text"})
            asked = {word for word in WORDS if word in question}
            assert team.secret not in told, question
            assert not any(word in told for word in WORDS[:4] if word not in asked), (question, told)
            assert "earns" not in told, question


@pytest.mark.parametrize("key", [BOB, CY, EVE], ids=["same tenant", "other tenant", "admin"])
def test_it_cannot_be_attached_by_others(team: Team, key: str) -> None:
    with asking(team.served.url, key) as other:
        for asked in (team.secret, team.path):
            found = other.post("/search", json={"query": "How much does Hortensia earn?", "attached_documents": [asked]}).raise_for_status().json()
            assert "84,711" not in str(found), asked
            assert [file["state"] for file in found["insights"]["files"]] == ["failed"]
        filtered = {"query": "How much does Hortensia earn?", "filters": {"document_ids": [team.secret]}}
        assert "84,711" not in str(other.post("/search", json=filtered).raise_for_status().json())


def test_uploads_of_one_name_are_two_files_of_two_persons(team: Team) -> None:
    with asking(team.served.url, BOB) as bob:
        (own,) = bob.get("/documents", params={"text": "secret"}).json()["documents"]
        assert bob.get(f"/documents/{own['id']}/content").json()["text"] == BOBS
        assert own["file_path"] != team.path
        again = upload(bob, "secret.txt", "A third text about a harbour crane.")
        assert Path(again["files"][0]).name == "secret (2).txt"
        assert Path(own["file_path"]).read_text() == BOBS
    assert Path(team.path).read_text() == SECRET


def test_a_copy_of_a_shared_document_is_a_document_of_ones_own(team: Team) -> None:
    with asking(team.served.url, ANN) as ann, asking(team.served.url, BOB) as bob:
        (shared,) = bob.get("/documents", params={"text": "shed"}).json()["documents"]
        upload(ann, "shed.txt", SHARED)
        found = {each["id"]: each for each in ann.get("/documents", params={"text": "shed"}).json()["documents"]}
        assert len(found) == 2
        assert bob.get(f"/documents/{shared['id']}").json()["paths"] == [str(team.docs / "shed.txt")]
        (own,) = set(found) - {shared["id"]}
        assert ann.delete(f"/documents/{own}").status_code == 200
        assert bob.get(f"/documents/{shared['id']}").status_code == 200
        assert not Path(found[own]["file_path"]).exists()  # the upload was hers alone, and went with its document
        assert (team.docs / "shed.txt").read_text() == SHARED


def test_deleting_takes_the_words_out_of_the_persons_runs(team: Team) -> None:
    """The document lies in the person's own library, the run that quotes it in the tenant."""
    with asking(team.served.url, ANN) as ann:
        upload(ann, "orchid.txt", "The orchid lamp of the glasshouse hangs behind the zebra calendar.\n")
        found = ann.post("/search", json={"query": "Where does the orchid lamp hang?"}).raise_for_status().json()
        assert "zebra" in found["answer"]
        assert "zebra" in ann.get(f"/traces/{found['trace_id']}").text
        (document,) = {citation["document_id"] for citation in found["citations"]}
        assert ann.delete(f"/documents/{document}").status_code == 200
        after = ann.get(f"/traces/{found['trace_id']}")
        assert after.status_code == 200
        assert "zebra" not in after.text
        assert "this source was deleted" in after.text


def test_the_person_takes_it_back(team: Team) -> None:
    with asking(team.served.url, ANN) as ann:
        folder = str(Path(team.path).parent)
        assert ann.post("/watcher/disable", json={"path": folder}).status_code == 200
        assert ann.post("/ledger/exclude", json={"path": team.path}).json()["documents"] == 1
        assert [each["path"] for each in ann.get("/ledger/exclusions").json()["exclusions"]] == [team.path]
        back = ann.delete("/ledger/exclude", params={"path": team.path}).raise_for_status().json()
        wait_for_job(ann, back["job_id"])
        (again,) = ann.get("/documents", params={"text": "secret"}).json()["documents"]
        assert ann.delete(f"/documents/{again['id']}").status_code == 200
        assert ann.get(f"/documents/{again['id']}").status_code == 404
