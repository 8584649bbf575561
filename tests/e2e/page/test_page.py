"""The built page in headless Chromium, over a real server that starts with an empty library: `ui/e2e/product.e2e.ts`, and the scripted states."""

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
    """The address of a server that writes the same answer to every question, a word at a time. It lives in a thread with its own loop."""
    words = [f"{word} " for word in WRITTEN.split(" ")]
    return served_in_a_thread(OllamaServer(models=("qwen3-vl:8b",), scripts=[Script(pieces=words, piece_delay=0.08)]))


def test_every_state_of_a_conversation_can_be_shown(browser: str) -> None:
    """Streaming, unsupported sentences, a lost connection, a reload, stop, errors, choices, degradation, tables: over a scripted server."""
    run_in_browser("e2e/states", browser)


def test_a_question_that_was_sent_is_kept(browser: str) -> None:
    """Interrupted, running in another window, failed: over a reload, and asked again in its place."""
    run_in_browser("e2e/kept", browser)


def test_conversations_are_found_branched_pinned_exported_and_deleted(browser: str) -> None:
    """An answer made again, a branch, the menu of a conversation, the search in their text, several deleted at once."""
    run_in_browser("e2e/conversations", browser)


def test_waiting_for_the_server_and_for_files(browser: str) -> None:
    """The sign of the server, a run whose server went, a question that waits for its file, taken back, not asked where the file is unreadable."""
    run_in_browser("e2e/reach", browser)


def test_settings_are_shown_changed_and_spoken_in_german(browser: str) -> None:
    """The settings page with its models, what only config.yaml changes, both languages, the notice of a long indexing, axe."""
    run_in_browser("e2e/settings", browser)


def test_memory_is_shown_changed_and_forgotten(browser: str) -> None:
    """Every tier, a note in other words, one line, one conversation, everything; consolidation; what it did to an answer, and its undo."""
    run_in_browser("e2e/memory", browser)


def test_the_specialists_answers_can_be_read(browser: str) -> None:
    """A question back answered in the same run, a comparison, sub-questions, names and terms with what surrounds them."""
    run_in_browser("e2e/answers", browser)


def test_attached_files_show_their_way_and_what_is_in_them(browser: str) -> None:
    """Each file through its three agents; one that cannot be read hurts no other."""
    run_in_browser("e2e/attached", browser)


def test_the_traces_explain_a_run(browser: str) -> None:
    """The lit graph, the timeline, the candidates, why a file is missing, replays, comparisons, the list and its filters: over recorded runs."""
    run_in_browser("e2e/traces", browser)


def test_the_search_is_tested_and_kept_runs_are_compared(browser: str) -> None:
    """Two settings side by side, their movements, why a file is missing; runs over time, one of them, two with their interval."""
    run_in_browser("e2e/evaluation", browser)


def test_a_better_embedding_model_is_offered_and_gets_ready(browser: str) -> None:
    """One line with a button, then how far the switch is, then nothing."""
    run_in_browser("e2e/embedder", browser)


def test_the_list_of_documents_is_sorted_narrowed_and_worked_on(browser: str) -> None:
    """2,000 rows of which those in view are drawn, filters, files not read, several at once, the folder picker, what a question asks."""
    run_in_browser("e2e/lists", browser)


def test_the_source_pane_shows_what_loads_and_long_names(browser: str) -> None:
    """A page that is not drawn yet says so; a long name is shown whole; texts take their own direction."""
    run_in_browser("e2e/source", browser)


def test_axe_finds_nothing_in_any_view(browser: str) -> None:
    """Every view, menu and dialog: light, dark, on a phone, at 200 %."""
    run_in_browser("e2e/views", browser)


def test_the_german_page_is_whole_and_has_room(browser: str) -> None:
    """Every view in German: no English text is left, axe finds nothing, nothing is wider than its room, with most and with least of it."""
    run_in_browser("e2e/german", browser)
