"""The settings of a running server: read, changed while it runs, and still so after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from settings_page import PAGE_FILE
from tests.support.serving import ServedVantage, read_health, wait_for_job

QUESTION = "Where does the lanterrn hang?"
TEXT = "The lantern hangs in the shed behind the pantry. The shed is painted green."


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVantage]:
    folder = tmp_path_factory.mktemp("settings")
    (folder / "docs").mkdir()
    (folder / "docs" / "shed.txt").write_text(TEXT, encoding="utf-8")
    served = ServedVantage(folder / "home", {"VANTAGE_ANSWERS__MAX_WORDS": "200", "VANTAGE_OLLAMA__BASE_URL": "http://127.0.0.1:9"}).start()
    try:
        with served.client() as client:
            job = client.post("/index", json={"path": str(folder / "docs")}).raise_for_status().json()
            wait_for_job(client, job["id"])
        yield served
    finally:
        served.stop()


def setting(client: httpx.Client, key: str) -> dict[str, Any]:
    shown = client.get("/settings").raise_for_status().json()["settings"]
    return next(dict(each) for each in shown if each["key"] == key)


def change(client: httpx.Client, **values: object) -> httpx.Response:
    return client.patch("/settings", json={"values": {name.replace("__", "."): value for name, value in values.items()}})


def corrected(client: httpx.Client) -> list[str]:
    """What the misspelt word of the question was read as."""
    answer = client.post("/search", json={"query": QUESTION}).raise_for_status().json()
    return [each["meant"] for each in answer["spelling"]]


def test_a_change_holds_at_once_and_after_a_restart(served: ServedVantage) -> None:
    with served.client() as client:
        assert corrected(client) == ["lantern"]
        change(client, search__spelling=False, search__cross_language="never").raise_for_status()
        assert corrected(client) == []
        assert setting(client, "search.cross_language")["active"] == "auto"
    served.stop()
    served.start()
    with served.client() as client:
        assert setting(client, "search.spelling")["source"] == "page"
        assert corrected(client) == []
        assert setting(client, "search.cross_language")["active"] == "never"
        change(client, search__spelling=None, search__cross_language=None).raise_for_status()
        assert corrected(client) == ["lantern"]
    assert not (served.home / PAGE_FILE).exists()


def test_a_feature_is_switched_at_once_seen_in_health_traced_and_kept(served: ServedVantage) -> None:
    def switch(client: httpx.Client, **features: bool | None) -> httpx.Response:
        return client.patch("/settings/features", json={"features": features})

    with served.client() as client:
        assert corrected(client) == ["lantern"]
        shown = {each["name"]: each for each in switch(client, spelling=False).raise_for_status().json()["features"]}
        assert (shown["spelling"]["enabled"], shown["spelling"]["source"]) == (False, "tenant")
        answer = client.post("/search", json={"query": QUESTION}).raise_for_status().json()
        assert answer["spelling"] == []
        traced = client.get(f"/traces/{answer['trace_id']}").raise_for_status().json()["features"]
        assert (traced["spelling"], traced["rerank"]) == (False, True)
        assert setting(client, "search.spelling")["active"] is False
        assert [switch(client, nothing=True).status_code, switch(client, watching=False).status_code] == [422, 409]
    served.stop()
    served.start()
    with served.client() as client:
        assert corrected(client) == []
        report = {each["name"]: each for each in read_health(client)["features"]}
        assert (report["spelling"]["enabled"], report["spelling"]["why"]) == (False, "search.spelling is false")
        assert (report["language_model"]["enabled"], report["language_model"]["running"]) == (True, False)
        switch(client, spelling=None).raise_for_status()
        assert corrected(client) == ["lantern"]
    assert not (served.home / PAGE_FILE).exists()


def test_what_cannot_be_changed_says_why_and_stays(served: ServedVantage) -> None:
    with served.client() as client:
        refused = [change(client, answers__max_sentences=0), change(client, server__port=1), change(client, answers__max_words=50)]
        assert [answer.status_code for answer in refused] == [422, 422, 409]
        assert "VANTAGE_ANSWERS__MAX_WORDS" in refused[2].json()["detail"]
        assert client.patch("/settings", json={"values": {}}).status_code == 422
        assert setting(client, "answers.max_sentences")["source"] == "default"


def test_without_ollama_the_models_say_what_is_wrong(served: ServedVantage) -> None:
    with served.client() as client:
        found = client.get("/settings/models").raise_for_status().json()
        assert (found["reachable"], found["models"]) == (False, [])
        assert "http://127.0.0.1:9" in found["detail"]
        tested = client.post("/settings/models/test", json={"model": "qwen3-vl:8b"}).raise_for_status().json()
        assert (tested["answered"], tested["model"]) == (False, "qwen3-vl:8b")
        assert client.post("/settings/models/test", json={}).status_code == 409  # ollama.enabled is off in tests


def test_the_file_is_for_its_owner_alone(served: ServedVantage) -> None:
    with served.client() as client:
        change(client, storage__jobs_days=30).raise_for_status()
        assert (served.home / PAGE_FILE).stat().st_mode & 0o777 == 0o600
        change(client, storage__jobs_days=None).raise_for_status()
