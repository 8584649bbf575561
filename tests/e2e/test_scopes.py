"""The scope of a question over HTTP, on the sample library."""

from __future__ import annotations

from typing import Any

import httpx
import pytest


def ask(client: httpx.Client, query: str, **fields: Any) -> dict[str, Any]:
    given: dict[str, Any] = client.post("/search", json={"query": query, **fields}).raise_for_status().json()
    return given


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which topics come up again and again?", "global"),
        ("Who signed the lease for Quay 7?", "local"),
        ("What do all documents say about crane C2?", "hybrid"),
    ],
)
def test_the_response_says_what_the_question_was_read_as(client: httpx.Client, question: str, kind: str) -> None:
    route = ask(client, question)["route"]
    assert route["query_type"] == kind
    assert route["reasoning"]
    assert route["global_weight"] + route["local_weight"] == pytest.approx(1)


def test_topics_in_other_words_are_told_from_the_themes(client: httpx.Client) -> None:
    themes = ask(client, "What are the main themes?")["answer"]
    assert ask(client, "Which topics come up again and again?")["answer"] == themes
    assert ask(client, "Who signed the lease for Quay 7?", scope="global")["answer"] == themes
    assert ask(client, "What are the main themes?", scope="local")["intent"] == "document_search"


def test_an_unknown_scope_is_refused(client: httpx.Client) -> None:
    assert client.post("/search", json={"query": "What is due?", "scope": "galactic"}).status_code == 422
