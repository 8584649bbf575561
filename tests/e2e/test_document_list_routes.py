"""GET /documents over the sample library: narrowed, sorted, in pages; what it does not know is refused with the names that it does."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.serving import wait_for_job

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
