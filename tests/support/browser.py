"""The page's own tests in headless Chromium, run from Python: where the browser is, and how a file of ui/e2e is run."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.serving import ROOT

UI = ROOT / "ui"
SECONDS = 600
# The first is the engine without the windows that nobody sees: three quarters of the processor time.
_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> str:
    """Where Chromium is, with everything else that a browser test needs."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _BROWSERS)), "")
    if not found:
        pytest.skip("no Chromium here: install it (Debian: chromium, or chromium-headless-shell) or name it in CHROMIUM")
    if not _node():
        pytest.skip("no Node here: `make run` installs one into .venv when the system has none")
    if not (UI / "dist" / "index.html").is_file() or not (UI / "node_modules" / "playwright-core").is_dir():
        pytest.skip("the page is not built: run `python3 scripts/setup.py page`")
    return found


def _node() -> Path | None:
    beside = ROOT / ".venv" / "bin" / "node"
    system = shutil.which("node")
    return Path(system) if system else beside if beside.exists() else None


def run_in_browser(suite: str, browser: str, **settings: str) -> None:
    """Run one file of ui/e2e in headless Chromium; what it printed is the failure's message."""
    node = _node()
    assert node is not None
    command = [str(node), "node_modules/vitest/vitest.mjs", "run", "--config", "vitest.e2e.config.ts", suite]
    environment = {**os.environ, "CHROMIUM": browser, "CI": "1", "NO_COLOR": "1", **settings}
    done = subprocess.run(command, cwd=UI, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, f"{done.stdout[-8000:]}\n{done.stderr[-2000:]}"
