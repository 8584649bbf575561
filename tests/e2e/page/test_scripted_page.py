"""The states of the page that a real library does not bring about on demand, over a scripted server (`ui/dev/mock-server.mjs`)."""

from __future__ import annotations

import pytest

from tests.support.browser import browser, run_in_browser

__all__ = ["browser"]

pytestmark = [pytest.mark.integration, pytest.mark.slow]


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
