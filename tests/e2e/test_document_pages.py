"""A list of documents in pages: over HTTP by `offset`, in a conversation by asking for more, on the command line by `--page`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.serving import ServedVantage, index_and_wait, run_vantage

TOTAL = 23


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVantage]:
    place = tmp_path_factory.mktemp("pages")
    folder = place / "docs"
    folder.mkdir()
    for number in range(TOTAL):
        (folder / f"berth {number:02}.csv").write_text(f"berth,metres\nQuay {number},{100 + number}\n", encoding="utf-8")
    (folder / "notice.txt").write_text("The harbour office is closed on Mondays.\n", encoding="utf-8")
    server = ServedVantage(place / "home").start()
    try:
        with server.client() as client:
            index_and_wait(client, str(folder))
        yield server
    finally:
        server.stop()


@pytest.fixture
def client(served: ServedVantage) -> Iterator[httpx.Client]:
    with served.client() as made:
        yield made


def ask(client: httpx.Client, query: str, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.post("/search", json={"query": query, "use_memory": False, **more}).raise_for_status().json()
    return found


def names(found: dict[str, Any]) -> list[str]:
    return [result["filename"] for result in found["results"]]


def test_the_pages_of_a_list_are_all_of_it_and_each_once(client: httpx.Client) -> None:
    seen: list[str] = []
    while len(seen) < TOTAL:
        page = ask(client, "csv files", top_k=5, offset=len(seen))
        assert page["listing"]["total"] == page["searched"]["listed"] == TOTAL
        assert page["listing"]["offset"] == len(seen)
        assert len(page["results"]) == min(5, TOTAL - len(seen))
        seen += names(page)
    assert sorted(seen) == sorted(set(seen))
    assert len(seen) == TOTAL


def test_behind_the_end_there_are_no_more_and_that_is_no_refusal(client: httpx.Client) -> None:
    page = ask(client, "csv files", offset=TOTAL)
    assert (page["status"], page["answer_kind"], page["results"], page["citations"]) == ("success", "documents", [], [])
    assert page["answer"] == "23 CSV files. There are no more."
    assert page["listing"] == {"total": TOTAL, "offset": TOTAL, "named": 0}
    assert page["suggested_followups"] == []
    assert page["confidence_reason"] == "Counted in the library itself."


def test_an_answer_that_is_no_list_has_no_pages(client: httpx.Client) -> None:
    found = ask(client, "When is the harbour office closed?", offset=5)
    assert (found["answer_kind"], found["listing"]) == ("answer", None)
    assert names(found)
    assert client.post("/search", json={"query": "csv files", "offset": -1}).status_code == 422


def test_more_goes_on_with_the_list_of_the_conversation(client: httpx.Client) -> None:
    conversation = client.post("/conversations", json={}).raise_for_status().json()["id"]

    def turn(text: str) -> dict[str, Any]:
        return ask(client, text, conversation_id=conversation)

    first = turn("show me the csv files")
    assert first["answer"].startswith("23 CSV files. The first 10 are:")
    assert first["suggested_followups"][0] == "Show the next 10"
    second = turn(first["suggested_followups"][0])
    assert second["answer"].startswith("23 CSV files. These are 11 to 20:")
    assert second["listing"] == {"total": TOTAL, "offset": 10, "named": 10}
    third = turn("one more")
    assert third["answer"].startswith("23 CSV files. This is 21:")
    assert turn("show me the rest")["listing"] == {"total": TOTAL, "offset": 21, "named": 2}
    cited = [each["filename"] for page in (first, second, third) for each in page["citations"]]
    assert len(set(cited)) == len(cited) == 21
    assert turn("weitere")["answer"] == "23 CSV files. There are no more."
    assert turn("what about the text files?")["listing"]["total"] == 1


def test_a_list_goes_on_however_many_pages_ago_it_began(client: httpx.Client) -> None:
    conversation = client.post("/conversations", json={}).raise_for_status().json()["id"]
    ask(client, "csv files", conversation_id=conversation)
    pages = [ask(client, "one more", conversation_id=conversation) for _ in range(12)]
    assert [page["listing"]["offset"] for page in pages] == list(range(10, 22))


def test_the_command_has_pages(served: ServedVantage) -> None:
    page = run_vantage(served.home, "search", "csv files", "--page", "3", "--top-k", "9")
    assert page.returncode == 0, page.stderr
    assert page.stdout.startswith("19. berth ")
    assert page.stdout.endswith("19 to 23 of 23 documents; --page shows the others.\n")
    behind = run_vantage(served.home, "search", "csv files", "--page", "4", "--top-k", "9")
    assert (behind.returncode, behind.stdout) == (0, "23 CSV files. There are no more.\n")
    words = run_vantage(served.home, "search", "When is the harbour office closed?", "--page", "2")
    assert words.stdout.startswith("1. notice.txt")
    assert "Only a list of documents has pages" in words.stderr
    assert run_vantage(served.home, "search", "csv files", "--page", "0").returncode == 2
