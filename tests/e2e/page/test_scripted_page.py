"""The states of the page that a real library does not bring about on demand, over a scripted server (`ui/dev/mock-server.mjs`)."""

from __future__ import annotations

import pytest

from tests.support.browser import ALL_SECONDS, browser, verdicts

__all__ = ["browser", "verdicts"]

pytestmark = [pytest.mark.integration, pytest.mark.slow, pytest.mark.timeout(ALL_SECONDS)]

SUITES = (
    # Streaming, unsupported sentences, a lost connection, a reload, stop, errors, choices, degradation, tables: over a scripted server.
    "e2e/states",
    # Interrupted, running in another window, failed: over a reload, and asked again in its place.
    "e2e/kept",
    # An answer made again, a branch, the menu of a conversation, the search in their text, several deleted at once.
    "e2e/conversations",
    # The sign of the server, a run whose server went, a question that waits for its file, taken back, not asked where the file is unreadable.
    "e2e/reach",
    # The settings page with its models, what only config.yaml changes, both languages, the notice of a long indexing, axe.
    "e2e/settings",
    # Every tier, a note in other words, one line, one conversation, everything; consolidation; what it did to an answer, and its undo.
    "e2e/memory",
    # A question back answered in the same run, a comparison, sub-questions, names and terms with what surrounds them.
    "e2e/answers",
    # Each file through its three agents; one that cannot be read hurts no other.
    "e2e/attached",
    # The lit graph, the timeline, the candidates, why a file is missing, replays, comparisons, the list and its filters: over recorded runs.
    "e2e/traces",
    # Two settings side by side, their movements, why a file is missing; runs over time, one of them, two with their interval.
    "e2e/evaluation",
    # One line with a button, then how far the switch is, then nothing.
    "e2e/embedder",
    # 2,000 rows of which those in view are drawn, filters, files not read, several at once, the folder picker, what a question asks.
    "e2e/lists",
    # A page that is not drawn yet says so; a long name is shown whole; texts take their own direction.
    "e2e/source",
)


@pytest.mark.parametrize("suite", SUITES)
def test_the_states_of_the_page(suite: str, verdicts: dict[str, str]) -> None:
    """Each file by itself; what its tests complained of is the failure's message."""
    assert not verdicts[suite], verdicts[suite]
