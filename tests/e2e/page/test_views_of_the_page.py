"""Every view of the page, over a scripted server: apart from the other files, as a file is run by one process and these are the longest."""

from __future__ import annotations

import pytest

from tests.support.browser import browser, run_in_browser

__all__ = ["browser"]

pytestmark = [pytest.mark.integration, pytest.mark.slow]


def test_axe_finds_nothing_in_any_view(browser: str) -> None:
    """Every view, menu and dialog: light, dark, on a phone, at 200 %."""
    run_in_browser("e2e/views", browser)


def test_the_german_page_is_whole_and_has_room(browser: str) -> None:
    """Every view in German: no English text is left, axe finds nothing, nothing is wider than its room, with most and with least of it."""
    run_in_browser("e2e/german", browser)
