"""A zip of mails and a locked file, over HTTP: asked about, cited, opened, retried."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.containers import LOCKED_ZIP, PASSWORD, mail, zip_bytes
from tests.support.serving import ServedVantage, index_and_wait, run_vantage, wait_for_job

LEASE = "The lease of Halden Street ends on 31 May 2027. Notice is three months, given in writing.\n"
OFFER = "Miller Roofing offers to repair the roof of the boathouse for 12,400 euros, work to begin in April.\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    docs = tmp_path_factory.mktemp("archives") / "docs"
    docs.mkdir()
    mails: dict[str, bytes | str] = {
        "2026/roof.eml": mail("Offer for the roof", "Please find the offer attached.", {"offer.txt": OFFER.encode()}),
        "lease.txt": LEASE,
    }
    (docs / "mails.zip").write_bytes(zip_bytes({**mails, "__MACOSX/._lease.txt": "x"}))
    (docs / "locked.zip").write_bytes(LOCKED_ZIP)
    return docs


@pytest.fixture(scope="module")
def served(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVantage]:
    made = ServedVantage(tmp_path_factory.mktemp("served") / "home").start()
    try:
        with made.client() as client:
            index_and_wait(client, str(folder))
        yield made
    finally:
        made.stop()


@pytest.fixture
def client(served: ServedVantage) -> Iterator[httpx.Client]:
    with served.client() as made:
        yield made


def lines(client: httpx.Client) -> dict[str, dict[str, Any]]:
    found = client.get("/ledger", params={"limit": 500}).raise_for_status().json()["lines"]
    return {line["path"].rpartition("/docs/")[2]: line for line in found}


def test_an_attachment_in_a_zip_is_cited_and_opened(client: httpx.Client) -> None:
    response = client.post("/search", json={"query": "What does Miller Roofing ask for the roof of the boathouse?"}).raise_for_status().json()
    assert "12,400" in response["answer"]
    cited = response["citations"][0]
    document = client.get(f"/documents/{cited['document_id']}").json()
    assert document["filename"] == "offer.txt"
    assert document["file_path"].endswith("docs/mails.zip!/2026/roof.eml!/offer.txt")
    opened = client.get(f"/documents/{cited['document_id']}/file")
    assert opened.text == OFFER
    assert opened.headers["content-disposition"].startswith("inline; filename*=UTF-8''offer.txt")
    assert "sandbox" in opened.headers["content-security-policy"]
    part = client.get(f"/documents/{cited['document_id']}/file", headers={"Range": "bytes=0-5"})
    assert (part.status_code, part.text) == (206, "Miller")


def test_what_lies_in_an_archive_is_in_the_ledger_with_its_container(client: httpx.Client) -> None:
    found = lines(client)
    offer = found["mails.zip!/2026/roof.eml!/offer.txt"]
    assert offer["container"].endswith("mails.zip!/2026/roof.eml")
    assert found["mails.zip!/__MACOSX"]["state"] == "skipped"
    assert client.get("/ledger/file", params={"path": offer["path"]}).text == OFFER


def test_an_archive_is_found_by_what_it_holds(client: httpx.Client) -> None:
    response = client.post("/search", json={"query": "Which ZIP archive holds lease.txt?", "strategy": "precise"}).raise_for_status().json()
    assert "mails.zip" in {result["filename"] for result in response["results"]}


def test_a_member_that_is_gone_is_not_found(client: httpx.Client, folder: Path) -> None:
    document = lines(client)["mails.zip!/lease.txt"]["document_id"]
    whole = (folder / "mails.zip").read_bytes()
    (folder / "mails.zip").write_bytes(zip_bytes({"other.txt": "x"}))
    try:
        assert client.get(f"/documents/{document}/file").status_code == 404
    finally:
        (folder / "mails.zip").write_bytes(whole)


def test_a_locked_member_opens_with_its_password_and_that_is_stored_nowhere(client: httpx.Client, served: ServedVantage) -> None:
    line = lines(client)["locked.zip!/lease.txt"]
    assert (line["state"], line["code"]) == ("failed", "encrypted")
    assert "--password" in line["reason"]
    job = client.post("/ledger/retry", json={"path": line["path"], "password": PASSWORD}).raise_for_status().json()
    assert PASSWORD not in str(job)
    wait_for_job(client, job["id"])
    assert lines(client)["locked.zip!/lease.txt"]["state"] == "indexed"
    with sqlite3.connect(served.home / "library.db") as database:
        kept = "".join(database.iterdump())
    assert PASSWORD not in kept
    assert PASSWORD.encode() not in (served.home.parent / "home.log").read_bytes()
    refused = client.post("/index", json={"path": "", "password": PASSWORD})
    assert refused.status_code == 422
    assert PASSWORD not in refused.text


def test_a_file_in_a_locked_archive_is_opened_with_the_password_in_the_body(client: httpx.Client, served: ServedVantage) -> None:
    line = lines(client)["locked.zip!/lease.txt"]
    document, path = line["document_id"], line["path"]
    for refused in (client.get(f"/documents/{document}/file"), client.post(f"/documents/{document}/file")):
        assert (refused.status_code, refused.json()["code"]) == (422, "encrypted"), refused.text
    wrong = client.post(f"/documents/{document}/file", data={"password": "another"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "encrypted")
    assert "does not open it" in wrong.json()["detail"]
    for address, sent in ((f"/documents/{document}/file", {}), ("/ledger/file", {"path": path})):
        opened = client.post(address, data={"password": PASSWORD, **sent})
        assert opened.text.startswith("The lease of Halden Street")
        assert opened.headers["cache-control"] == "no-store"
        assert "sandbox" in opened.headers["content-security-policy"]
    assert client.get(f"/documents/{document}/file").status_code == 422
    assert client.post("/ledger/file", data={"password": PASSWORD, "path": "/etc/passwd"}).status_code == 404
    long = client.post(f"/documents/{document}/file", data={"password": PASSWORD * 1000})
    assert (long.status_code, PASSWORD in long.text) == (422, False)
    open_one = client.post(f"/documents/{lines(client)['mails.zip!/lease.txt']['document_id']}/file")
    assert open_one.text == LEASE
    assert PASSWORD.encode() not in (served.home.parent / "home.log").read_bytes()


def test_an_upload_takes_a_password(client: httpx.Client) -> None:
    sent = client.post("/upload", files={"files": ("safe.zip", LOCKED_ZIP)}, data={"password": PASSWORD}).raise_for_status().json()
    wait_for_job(client, sent["job"]["id"])
    found = client.get("/ledger", params={"limit": 500, "state": "indexed"}).json()["lines"]
    assert any(line["path"].endswith("uploads/default/safe.zip!/lease.txt") for line in found)


def test_the_command_takes_a_password(folder: Path, tmp_path: Path) -> None:
    done = run_vantage(tmp_path / "home", "index", str(folder / "locked.zip"), "--password", PASSWORD)
    assert done.returncode == 0, done.stderr
    assert "2 indexed" in done.stdout
