"""Citations in the page open at the right place, on the picture where there is one, in every kind of view: `marks.e2e.ts`, `pane.e2e.ts`."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.support import pane_files
from tests.support.browser import browser, run_in_browser
from tests.support.library_files import PASSWORD
from tests.support.marked_files import write_files
from tests.support.serving import ServedVantage, index_and_wait, wait_for_job

__all__ = ["browser"]

pytestmark = [pytest.mark.integration, pytest.mark.slow]


def test_citations_open_at_the_right_place(browser: str, tmp_path: Path) -> None:
    """A scan, a fax and a picture that do not stand upright, a row of a table drawn column by column, a locked file, mails in an archive; then
    files of every kind, long and wide, with the search in them, their row numbers and the thumbnails of their pages."""
    folder = tmp_path / "port"
    write_files(folder)
    pane_files.write_files(folder / "pane")
    served = ServedVantage(tmp_path / "home").start()
    try:
        with served.client() as client:
            index_and_wait(client, str(folder))
            locked = {"path": str(folder / "vault.pdf"), "password": PASSWORD}
            wait_for_job(client, client.post("/ledger/retry", json=locked).raise_for_status().json()["id"])
        forget_places(tmp_path / "home", "tide.png")
        run_in_browser("e2e/marks", browser, VANTAGE_MARKS_URL=served.url, VANTAGE_MARKS_PASSWORD=PASSWORD)
        run_in_browser("e2e/pane", browser, VANTAGE_PANE_URL=served.url)
    finally:
        served.stop()


def forget_places(home: Path, filename: str) -> None:
    """As a document is that was read before places were kept."""
    database = sqlite3.connect(home / "library.db")
    try:
        with database:
            database.execute("DELETE FROM page_places WHERE document_id IN (SELECT id FROM documents WHERE filename = ?)", (filename,))
    finally:
        database.close()
