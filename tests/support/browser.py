"""The page's own tests in headless Chromium, run from Python: where the browser is, and how a file of ui/e2e is run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.serving import ROOT

UI = ROOT / "ui"
SECONDS = 600
# The first is the engine without the windows that nobody sees: three quarters of the processor time.
_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


# A module that uses `verdicts` has tests with a parameter `suite`. The first of them waits for all of them.
ALL_SECONDS = 1800


@pytest.fixture(scope="module")
def verdicts(browser: str, request: pytest.FixtureRequest) -> dict[str, str]:
    """What went wrong in each file of ui/e2e that the module's chosen tests name as their parameter `suite`; run in one go."""
    own = [item for item in request.session.items if item.path == request.path and isinstance(item, pytest.Function)]
    return run_all_in_browser([str(item.callspec.params["suite"]) for item in own if hasattr(item, "callspec")], browser)


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
    done = _run_files([suite], browser, settings)
    assert done.returncode == 0, _printed(done)


def run_all_in_browser(suites: Sequence[str], browser: str) -> dict[str, str]:
    """Run files of ui/e2e and return what went wrong in each. Starting vitest takes two processor seconds: this starts it once for all of them."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        done = _run_files(suites, browser, {}, "--reporter=default", "--reporter=json", f"--outputFile.json={report}")
        results = json.loads(report.read_text())["testResults"] if report.is_file() else []
    complaints = {suite: _failures_of(suite, results) for suite in suites}
    passed = {str(result["name"]).partition("/ui/")[2].removesuffix(".e2e.ts") for result in results if result["status"] == "passed"}
    if done.returncode and passed.issuperset(suites):  # an error outside of every test, as of a promise that nobody waited for
        passed.clear()
    return {suite: "" if suite in passed else complaints[suite] or _printed(done) for suite in suites}


def _failures_of(suite: str, results: list[dict[str, Any]]) -> str:
    """What the tests of a file complained of, and what the file itself did."""
    own = [result for result in results if str(result["name"]).endswith(f"/{suite}.e2e.ts")]
    tests = [test for result in own for test in result["assertionResults"] if test["failureMessages"]]
    lines = [f"{test['fullName']}: {message}" for test in tests for message in test["failureMessages"]]
    return "\n".join([*lines, *(str(result["message"]) for result in own if result.get("message"))])


def _run_files(suites: Sequence[str], browser: str, settings: Mapping[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    node = _node()
    assert node is not None
    command = [
        str(node),
        "node_modules/vitest/vitest.mjs",
        "run",
        "--config",
        "vitest.e2e.config.ts",
        *options,
        *(f"{suite}.e2e.ts" for suite in suites),
    ]
    environment = {**os.environ, "CHROMIUM": browser, "CI": "1", "NO_COLOR": "1", **settings}
    return subprocess.run(
        command, cwd=UI, env=environment, capture_output=True, text=True, timeout=SECONDS if len(suites) == 1 else ALL_SECONDS, check=False
    )


def _printed(done: subprocess.CompletedProcess[str]) -> str:
    return f"{done.stdout[-8000:]}\n{done.stderr[-2000:]}"
