"""Every view of the page, over a scripted server: apart from the other files, as a file is run by one process and these are the longest."""

from __future__ import annotations

import pytest

from tests.support.browser import ALL_SECONDS, browser, verdicts

__all__ = ["browser", "verdicts"]

pytestmark = [pytest.mark.integration, pytest.mark.slow, pytest.mark.timeout(ALL_SECONDS)]

SUITES = (
    # Every view, menu and dialog: light, dark, on a phone, at 200 %.
    "e2e/views",
    # Every view in German: no English text is left, axe finds nothing, nothing is wider than its room, with most and with least of it.
    "e2e/german",
)


@pytest.mark.parametrize("suite", SUITES)
def test_every_view_of_the_page(suite: str, verdicts: dict[str, str]) -> None:
    """Each file by itself; what its tests complained of is the failure's message."""
    assert not verdicts[suite], verdicts[suite]
