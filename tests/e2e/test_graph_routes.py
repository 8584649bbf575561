"""The knowledge graph over HTTP, on the sample library; and that a key opens one tenant's graph only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from tests.support.serving import ServedVantage, index_and_wait, wait_for_job


def entities(client: httpx.Client, **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/graph/entities", params=query).raise_for_status().json()
    return found


def test_the_entities_of_the_sample_library(client: httpx.Client) -> None:
    people = entities(client, entity_type="PERSON", limit=500)
    names = {each["name"] for each in people["entities"]}
    assert {"Tobias Renn", "Ines Okafor", "Morwenna Pascoe"} <= names
    assert people["total"] == len(people["entities"])
    (firm,) = entities(client, text="trevanion", entity_type="ORGANIZATION")["entities"]
    assert (firm["name"], firm["entity_type"]) == ("Trevanion & Holt", "ORGANIZATION")
    assert entities(client, text="nobody of this name")["entities"] == []
    assert client.get("/graph/entities", params={"entity_type": "SPACESHIP"}).status_code == 422
    assert client.get("/graph/entities", params={"cursor": "nonsense"}).status_code == 422


def test_a_neighbourhood_has_sentences_that_stand_where_they_say(client: httpx.Client) -> None:
    (firm,) = entities(client, text="trevanion", entity_type="ORGANIZATION")["entities"]
    found = client.get(f"/graph/entities/{firm['id']}/neighbourhood", params={"hops": 1}).raise_for_status().json()
    assert found["centre"]["id"] == firm["id"]
    names = {each["id"]: each["name"] for each in found["entities"]}
    works = [each for each in found["relationships"] if each["relationship_type"] == "WORKS_AT" and each["target_id"] == firm["id"]]
    assert "Morwenna Pascoe" in {names[each["source_id"]] for each in works}
    sentences = [sentence for each in found["relationships"] for sentence in each["evidence"]]
    assert sentences
    for each in sentences[:20]:
        content = client.get(f"/documents/{each['document_id']}/content", params={"start": each["start"], "end": each["end"]}).json()
        assert (content["text"], content["generation"]) == (each["text"], each["generation"])
    missing = client.get("/graph/entities/unknown/neighbourhood")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")


def test_what_a_document_mentions(client: httpx.Client) -> None:
    listed = client.get("/documents", params={"text": "Operations meeting"}).json()["documents"]
    found = client.get(f"/documents/{listed[0]['id']}/entities").raise_for_status().json()
    assert found["generated_by"] == "rules"
    mentioned = {each["entity"]["name"]: each for each in found["entities"]}
    tobias = mentioned["Tobias Renn"]
    assert tobias["count"] == len(tobias["mentions"])
    text = client.get(f"/documents/{listed[0]['id']}/content").json()["text"]
    assert {text[each["start"] : each["end"]] for each in tobias["mentions"]} == {"Tobias Renn", "Tobias"}
    assert client.get("/documents/unknown/entities").status_code == 404


def test_removing_a_document_removes_what_only_it_said_and_tenants_never_meet(tmp_path: Path) -> None:
    keys = "['aaaaaaaaaaaaaaaaaaaa:one', 'bbbbbbbbbbbbbbbbbbbb:two']"
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "kept.txt").write_text("We asked Margaret Fenwick about the quay.")
    (folder / "gone.txt").write_text("We asked Margaret Fenwick and Hannah Brodie about the harbour.")
    served = ServedVantage(tmp_path / "home", {"VANTAGE_SERVER__API_KEYS": keys, "VANTAGE_INGESTION__ROOTS": f"['{folder}']"}).start()
    try:
        one, two = (
            httpx.Client(base_url=served.url, headers={"Authorization": f"Bearer {letter * 20}"}, timeout=60.0, trust_env=False, verify=False)
            for letter in "ab"
        )
        with one, two:
            index_and_wait(one, str(folder))
            assert {each["name"] for each in entities(one, entity_type="PERSON")["entities"]} == {"Margaret Fenwick", "Hannah Brodie"}
            assert entities(two)["total"] == 0
            (hannah,) = entities(one, text="brodie")["entities"]
            for path in (f"/graph/entities/{hannah['id']}/neighbourhood", f"/documents/{hannah['document_ids'][0]}/entities"):
                assert one.get(path).status_code == 200
                assert two.get(path).status_code == 404
            (folder / "gone.txt").unlink()
            job = one.post("/index", json={"path": str(folder)}).json()
            wait_for_job(one, job["id"])
            (left,) = entities(one, entity_type="PERSON")["entities"]
            assert (left["name"], left["mentions"], len(left["document_ids"])) == ("Margaret Fenwick", 1, 1)
            assert one.get(f"/graph/entities/{hannah['id']}/neighbourhood").status_code == 404
    finally:
        served.stop()


def test_what_documents_say_of_each_other(client: httpx.Client) -> None:
    listed = client.get("/documents", params={"limit": 100}).raise_for_status().json()["documents"]
    found = [client.get(f"/documents/{each['id']}/references").raise_for_status().json() for each in listed]
    named = [(each["document_id"], reference) for each in found for reference in each["refers_to"] if reference["target_document_id"]]
    assert named
    for source, reference in named:
        back = client.get(f"/documents/{reference['target_document_id']}/references").json()["referred_by"]
        assert (source, reference["start"]) in {(each["document_id"], each["start"]) for each in back}
    assert client.get("/documents/unknown/references").status_code == 404
