"""POST /evaluation/test and /evaluation/explain: two ways of searching one question side by side, of which nothing is kept."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

DEPOSIT = "How large is the deposit for Quay 7 and who holds it?"


def ask(client: httpx.Client, left: dict[str, Any], right: dict[str, Any] | None = None, query: str = DEPOSIT, top_k: int = 5) -> dict[str, Any]:
    body = {"query": query, "top_k": top_k, "left": left, "right": right}
    found: dict[str, Any] = client.post("/evaluation/test", json=body).raise_for_status().json()
    return found


def test_two_settings_stand_side_by_side_with_every_stage(client: httpx.Client) -> None:
    found = ask(client, {"strategy": "hybrid"}, {"strategy": "hybrid", "weights": {"lexical": 1, "dense": 0}, "without": ["rerank"]})
    left, right = found["left"], found["right"]
    assert [share["leg"] for share in left["shares"]] == ["lexical", "dense"]
    assert sum(share["share"] for share in left["shares"]) == pytest.approx(1, abs=0.001)
    assert {share["leg"]: share["share"] for share in right["shares"]} == {"lexical": 1.0, "dense": 0.0}
    first = left["results"][0]
    assert {"fusion", "rerank", "passages"} <= first["stages"].keys()
    assert "rerank" not in right["results"][0]["stages"]
    assert (right["strategy"]["lexical"], right["strategy"]["dense"]) == (1.0, 0.0)
    assert first["id"] in {shift["document_id"] for shift in found["results"]}
    assert any(move["stages"].get("lexical") for move in left["moves"])
    assert {"lexical", "fusion", "rerank"} <= {report["stage"] for report in left["reports"]}
    assert "The right run skipped rerank." in found["differences"]


def test_one_setting_stands_alone_and_nothing_is_kept(client: httpx.Client) -> None:
    before = [client.get(path).json() for path in ("/traces", "/conversations")]
    found = ask(client, {"pipeline": "basic"})
    assert (found["right"], found["differences"], found["results"]) == (None, [], [])
    assert {share["leg"]: share["share"] for share in found["left"]["shares"]} == {"dense": 1.0}
    assert client.post("/evaluation/explain", json={"query": DEPOSIT, "setting": {}, "document": "Budget 2026.xlsx"}).status_code == 200
    assert [client.get(path).json() for path in ("/traces", "/conversations")] == before


def test_time_weighs_and_finds_nothing_itself(client: httpx.Client) -> None:
    found = ask(client, {"weights": {"lexical": 0.5, "dense": 0.5, "time": 1}})
    time = next(share for share in found["left"]["shares"] if share["leg"] == "time")
    assert (time["share"], time["found"], time["results"]) == (0.5, None, None)


def test_a_question_without_a_search_says_so(client: httpx.Client) -> None:
    left = ask(client, {}, query="How many documents are in my library?")["left"]
    assert (left["strategy"], left["shares"], left["moves"]) == (None, [], [])


def test_a_file_is_explained_in_the_setting_that_was_tested(client: httpx.Client) -> None:
    asked = {"query": DEPOSIT, "top_k": 5, "document": "Quay 7 warehouse lease.pdf"}
    shown = client.post("/evaluation/explain", json={**asked, "setting": {"strategy": "hybrid"}}).json()
    assert (shown["shown"], shown["rank"]) == (True, 1)
    gone = client.post("/evaluation/explain", json={**asked, "document": "Budget 2026.xlsx", "setting": {"without": ["dense"]}}).json()
    assert (gone["shown"], gone["fell_at"] is not None, gone["sentence"] != "") == (False, True, True)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"weights": {"lexical": 0, "dense": 0, "time": 1}}, "give one a weight above 0"),
        ({"weights": {"lexical": 1.5, "dense": 0}}, "less than or equal to 1"),
        ({"weights": {"lexical": 1}}, "dense"),
        ({"weights": {"lexical": 1, "dense": 1, "colour": 1}}, "colour"),
        ({"settings": {"server.port": 1}}, "server.port cannot be set for one question"),
        ({"without": ["lexical", "dense", "graph"]}, "Every leg of the search is left out"),
        ({"strategy": "raptor"}, "strategy"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_in_words(client: httpx.Client, setting: dict[str, Any], said: str) -> None:
    refused = client.post("/evaluation/test", json={"query": DEPOSIT, "left": setting})
    assert (refused.status_code, said in refused.text) == (422, True), refused.text
