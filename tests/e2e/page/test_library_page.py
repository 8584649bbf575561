"""The library's page over a real server whose folder changes: `ui/e2e/library.e2e.ts`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.browser import browser, run_in_browser
from tests.support.library_files import PASSWORD, write_files
from tests.support.serving import ServedVantage, index_and_wait

__all__ = ["browser"]

pytestmark = [pytest.mark.integration, pytest.mark.slow]


def test_the_library_and_its_watcher_in_the_page(browser: str, tmp_path: Path) -> None:
    """Reasons, passwords, tables, archives and scans with citations that open at the right place; what changes on the disk is followed."""
    folder = tmp_path / "harbour"
    write_files(folder)
    served = ServedVantage(tmp_path / "home").start()
    try:
        with served.client() as client:
            index_and_wait(client, str(folder))
        given = {"VANTAGE_LIBRARY_URL": served.url, "VANTAGE_LIBRARY_FOLDER": str(folder), "VANTAGE_LIBRARY_PASSWORD": PASSWORD}
        run_in_browser("e2e/library", browser, **given)
    finally:
        served.stop()
