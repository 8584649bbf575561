"""The built page in headless Chromium, over a real server: `ui/e2e/product.e2e.ts`, a written answer, and a server that wants a key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.support.browser import browser, run_in_browser
from tests.support.ollama_server import OllamaServer, Script, served_in_a_thread
from tests.support.sample_library import serve_sample
from tests.support.serving import ServedVantage, wait_for_job

__all__ = ["browser"]

KEY = "a-key-that-only-this-test-knows"
# Two sentences that the lease bears out and a long one that nothing does, so that there is time to stop in the middle of it.
WRITTEN = (
    "The deposit is **£80,000**. [1] The Agent holds the deposit in a separate client account. [1] The landlord lives in Reykjavik with two cats and "
    "writes long letters about the weather, the harbour, the price of herring, the neighbours and their boats, the winter that does not end, the "
    "summer that does not begin, and many other things that no lease has ever been known to say anything about, however long it may be."
)

pytestmark = [pytest.mark.integration, pytest.mark.slow]


@pytest.fixture(scope="module")
def empty_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVantage]:
    served = ServedVantage(tmp_path_factory.mktemp("page") / "home").start()
    yield served
    served.stop()


def test_a_person_can_use_the_product(browser: str, empty_server: ServedVantage) -> None:
    """First visit, ask, steps, citation and its mark, stop, retry, upload, index, trace, feedback, keys, theme, phone, axe; then memory and names."""
    run_in_browser("e2e/product", browser, VANTAGE_URL=empty_server.url)
    run_in_browser("e2e/whole", browser, VANTAGE_URL=empty_server.url)


def test_a_written_answer_is_streamed_checked_and_stopped(browser: str, tmp_path: Path) -> None:
    """A scripted model over Ollama's protocol, the real server, the real page."""
    with _scripted_model() as model:
        served = serve_sample(tmp_path / "home", {"VANTAGE_OLLAMA__ENABLED": "auto", "VANTAGE_OLLAMA__BASE_URL": model})
        try:
            with served.client() as client:
                for job in client.get("/jobs").raise_for_status().json()["jobs"]:
                    wait_for_job(client, job["id"])
            run_in_browser("e2e/written", browser, VANTAGE_WRITTEN_URL=served.url)
        finally:
            served.stop()


def test_a_keyed_server_lets_the_page_in_with_its_key(browser: str, tmp_path: Path) -> None:
    """The key opens a session, whose cookie no script can read, and which holds over a reload."""
    served = ServedVantage(tmp_path / "home", {"VANTAGE_SERVER__API_KEYS": f'["{KEY}"]'}).start()
    try:
        run_in_browser("e2e/gate", browser, VANTAGE_KEYED_URL=served.url, VANTAGE_KEYED_KEY=KEY)
    finally:
        served.stop()


def _scripted_model() -> AbstractContextManager[str]:
    """The address of a server that writes the same answer to every question, a word at a time, and takes its time after the second sentence began, so
    that the first one is shown alone on a busy machine too. It lives in a thread with its own loop."""
    words = [f"{word} " for word in WRITTEN.split(" ")]
    second = words.index("holds ")
    return served_in_a_thread(OllamaServer(models=("qwen3-vl:8b",), scripts=[Script(pieces=words, piece_delay=0.08, pauses={second: 3.0})]))
