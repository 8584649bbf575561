"""For all tests: in CI nothing may be skipped that CI can run, and byte code is kept."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from typing import Any

import pytest
from hypothesis import settings

from tests.support.warm_start import SHARED, use_warm_starts

# Where the environment forbids byte code, each server, command and worker that a test starts would compile all of Vantage's modules anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

use_warm_starts()

# Collecting makes millions of objects that stay. Looking for garbage among them took two fifths of it; afterwards they are left out of each search.
gc.disable()

# No test asserts wall time. In CI the drawn examples follow from the test alone, so that a verdict follows from the commit; elsewhere each run draws
# others, and VANTAGE_TEST_EXAMPLES=2000 draws more of them: that is how a new property is tried before it is committed.
settings.register_profile("vantage", deadline=None, max_examples=int(os.environ.get("VANTAGE_TEST_EXAMPLES", "100")))
settings.register_profile("ci", settings.get_profile("vantage"), derandomize=True)
settings.load_profile("ci" if os.environ.get("VANTAGE_CI_STRICT") else "vantage")

_PAGE = "tests/e2e/page/"
_LONGEST_FIRST = (_PAGE, "tests/integration/", "tests/e2e/", "tests/contract/", "tests/graph/")
# What CI cannot have: the evaluation data and OpenSearch may be missing beside a checkout, the superuser is refused nothing, and
# LibreOffice is 300 MB.
_EXCUSED = (
    "no evaluation documents",
    "no evaluation data",
    "root may write everywhere",
    "only root may become another account",
    "LibreOffice is not installed",
    "there is no ../shared/opensearch",
)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let one process run all tests of the page, where whole files are given out (`make test`): browsers beside each other starve."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    class OneBrowser(LoadFileScheduling):  # type: ignore[misc]  # untyped
        def _split_scope(self, nodeid: str) -> str:
            return _PAGE if nodeid.startswith(_PAGE) else str(super()._split_scope(nodeid))

    return OneBrowser(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes run the tests, give out what takes longest first, so that they end together: the page, then folder by folder."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: next((place for place, start in enumerate(_LONGEST_FIRST) if item.nodeid.startswith(start)), len(_LONGEST_FIRST)))


def pytest_collection_finish() -> None:
    """Look for garbage again, but not among what was collected."""
    gc.freeze()
    gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    """The process that was asked for the tests makes a folder for all that run them, and takes it away."""
    if not hasattr(config, "workerinput"):
        shared = tempfile.mkdtemp(prefix="vantage-tests-")
        os.environ[SHARED] = shared
        config.add_cleanup(lambda: shutil.rmtree(shared, ignore_errors=True))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With VANTAGE_CI_STRICT a test that was skipped for want of a service or a package fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not os.environ.get("VANTAGE_CI_STRICT"):
        return
    reasons = [
        str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else str(report.longrepr) for report in reporter.stats.get("skipped", [])
    ]
    missing = [reason for reason in reasons if not any(excuse in reason for excuse in _EXCUSED)]
    if missing:
        reporter.write_line(f"CI must not skip what it can run: {sorted(set(missing))}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
