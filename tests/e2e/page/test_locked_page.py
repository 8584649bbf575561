"""A document in a locked archive, in the page: its pages and the file itself are shown once the password is given again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.browser import browser, run_in_browser
from tests.support.library_files import PASSWORD
from tests.support.locked_files import locked_zip
from tests.support.office_files import paragraph_lines, pdf_bytes
from tests.support.serving import ServedVantage, wait_for_job

__all__ = ["browser"]

pytestmark = [pytest.mark.integration, pytest.mark.slow]


def test_a_document_in_a_locked_archive_asks_for_the_password_again(browser: str, tmp_path: Path) -> None:
    folder = tmp_path / "safe"
    folder.mkdir()
    lines = ["The safe of the lighthouse opens with the number 4410.", "Only the keeper of the light knows it."]
    (folder / "papers.zip").write_bytes(locked_zip("safe.pdf", pdf_bytes([paragraph_lines(lines)]), PASSWORD))
    served = ServedVantage(tmp_path / "home").start()
    try:
        with served.client() as client:
            job = client.post("/index", json={"path": str(folder), "password": PASSWORD}).raise_for_status().json()
            wait_for_job(client, job["id"])
        run_in_browser("e2e/locked", browser, VANTAGE_LOCKED_URL=served.url, VANTAGE_LOCKED_PASSWORD=PASSWORD)
        assert PASSWORD.encode() not in (served.home.parent / "home.log").read_bytes()
    finally:
        served.stop()
