"""GET /documents over the sample library: narrowed, sorted, in pages; what it does not know is refused with the names that it does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.serving import ServedVantage, wait_for_job

pytestmark = [pytest.mark.integration]


@pytest.fixture
def library(client: httpx.Client) -> httpx.Client:
    for job in client.get("/jobs").raise_for_status().json()["jobs"]:
        wait_for_job(client, job["id"])
    return client


def listed(client: httpx.Client, **query: Any) -> list[dict[str, Any]]:
    """Every document of the list, page by page."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = client.get("/documents", params={**query, "limit": 7, **({"cursor": cursor} if cursor else {})}).raise_for_status().json()
        found += page["documents"]
        cursor = page["next_cursor"]
        if not cursor:
            assert page["total"] == len(found)
            return found


def test_the_documents_are_sorted_and_narrowed(library: httpx.Client) -> None:
    every = listed(library)
    sizes = [each["file_size"] for each in listed(library, sort="size", descending=True)]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == len(every)
    kinds = {each["file_type"] for each in listed(library, file_type=[".pdf", ".XLSX"])}
    assert kinds == {".pdf", ".xlsx"}
    assert [each["id"] for each in listed(library, state=["indexed", "partial"])] == [each["id"] for each in every]
    middle = sorted(each["modified_at"] for each in every if each["modified_at"])[len(every) // 2]
    newer, older = listed(library, modified_after=middle), listed(library, modified_before=middle)
    assert len(newer) + len(older) == len(every)
    assert all(each["modified_at"] >= middle for each in newer)


@pytest.mark.parametrize("query", [{"sort": "colour"}, {"state": "eaten"}, {"modified_after": "yesterday"}, {"limit": 0}])
def test_what_the_list_does_not_know_is_refused(library: httpx.Client, query: dict[str, Any]) -> None:
    answer = library.get("/documents", params=query)
    assert answer.status_code == 422
    assert next(iter(query)) in answer.text


def test_the_folder_picker_looks_where_the_settings_say(library: httpx.Client) -> None:
    begin = library.get("/folders").raise_for_status().json()
    assert begin["above"] is None
    assert [each["path"] for each in begin["folders"]] == [str(Path.home().resolve())]
    assert library.get("/folders", params={"under": "/"}).status_code == 403
    assert library.get("/folders", params={"under": str(Path.home() / "no folder has this name")}).status_code == 404


def test_whoever_has_a_key_is_not_shown_the_disk(tmp_path: Path) -> None:
    key = "k" * 20
    served = ServedVantage(tmp_path / "home", {"VANTAGE_SERVER__API_KEYS": f"['{key}']", "VANTAGE_SERVER__PICKER_ROOTS": f"['{tmp_path}']"}).start()
    try:
        with httpx.Client(base_url=served.url, trust_env=False, verify=False, timeout=30.0) as client:
            assert client.get("/folders").status_code == 401
            answer = client.get("/folders", headers={"Authorization": f"Bearer {key}"})
            assert (answer.status_code, answer.json()["code"]) == (403, "path_not_allowed")
    finally:
        served.stop()
