"""Communities over HTTP, on the sample library: their routes, the refresh as a job, and overviews that are answered from them."""

from __future__ import annotations

import re
import time
from typing import Any

import httpx
import pytest


@pytest.fixture
def refreshed(client: httpx.Client) -> httpx.Client:
    """The sample library with its communities found."""
    job = client.post("/graph/communities/refresh")
    assert job.status_code == 202
    for _ in range(150):
        state = client.get(f"/jobs/{job.json()['id']}").raise_for_status().json()
        if state["finished_at"]:
            assert (state["kind"], state["state"], state["error"]) == ("communities", "done", None)
            return client
        time.sleep(0.2)
    raise AssertionError("the communities were not found within 30 seconds")


def listed(client: httpx.Client, **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/graph/communities", params=query).raise_for_status().json()
    return found


def test_communities_are_described_by_sentences_that_stand_where_they_say(refreshed: httpx.Client) -> None:
    page = listed(refreshed, themes=True)
    assert page["total"] > 3
    assert page["documents"] >= 16  # a scan of the sample is recognised somewhat later
    assert 12 <= page["covered_documents"] <= page["documents"]
    sentences = [(theme, said) for theme in page["communities"] for said in theme["citations"]]
    assert len(sentences) >= page["total"]
    for theme, said in sentences:
        assert len(said["entity_ids"]) <= 2  # the others that it names are terms
        assert set(said["entity_ids"]) <= set(theme["entity_ids"])
    for _, said in sentences[:15]:
        content = refreshed.get(f"/documents/{said['document_id']}/content", params={"start": said["start"], "end": said["end"]}).json()
        assert (content["text"], content["generation"]) == (said["text"], said["generation"])


def test_levels_and_words_restrict_and_each_community_has_an_address(refreshed: httpx.Client) -> None:
    page = listed(refreshed, limit=500)
    assert page["levels"] >= 2
    finest = listed(refreshed, level=0, limit=500)["communities"]
    assert {each["level"] for each in finest} == {0}
    members = [member for each in finest for member in each["entity_ids"]]
    assert len(members) == len(set(members))  # an entity is in one of the finest at most
    by_id = {each["id"]: each for each in page["communities"]}
    for each in page["communities"]:
        for child in each["child_ids"]:
            assert by_id[child]["parent_id"] == each["id"]
            assert set(by_id[child]["entity_ids"]) <= set(each["entity_ids"])
    found = listed(refreshed, q="stannard")["communities"]
    assert found
    assert refreshed.get(f"/graph/communities/{found[0]['id']}").json() == found[0]
    assert listed(refreshed, q="nobody of this name")["total"] == 0
    missing = refreshed.get("/graph/communities/unknown")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    assert refreshed.get("/graph/communities", params={"level": -1}).status_code == 422


@pytest.mark.parametrize("question", ["What are the main themes?", "Fasse alle Dokumente zusammen"])
def test_an_overview_cites_a_sentence_for_each_theme_and_says_what_it_covers(refreshed: httpx.Client, question: str) -> None:
    given = refreshed.post("/search", json={"query": question}).raise_for_status().json()
    assert given["status"] == "success"
    assert re.search(r"cover 1\d of 1[67] documents", given["answer"].splitlines()[0])
    assert len(given["citations"]) >= 4
    for each in given["citations"]:
        content = refreshed.get(f"/documents/{each['document_id']}/content", params={"start": each["start"], "end": each["end"]}).json()
        assert content["text"] == each["quote"]
        assert " ".join(each["quote"].split()) in given["answer"]


def test_risks_are_told_by_a_sentence_of_each_document(refreshed: httpx.Client) -> None:
    given = refreshed.post("/search", json={"query": "What are the main risks?"}).raise_for_status().json()
    assert given["status"] == "success"
    assert re.match(r"\d+ of 1[67] documents speak of risks", given["answer"])
    documents = [each["document_id"] for each in given["citations"]]
    assert len(documents) == len(set(documents)) >= 3
    for each in given["citations"]:
        content = refreshed.get(f"/documents/{each['document_id']}/content", params={"start": each["start"], "end": each["end"]}).json()
        assert content["text"] == each["quote"]
