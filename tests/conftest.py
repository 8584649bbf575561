"""For all tests: in CI nothing may be skipped that CI can run."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("vantage", deadline=None)  # no test asserts wall time
settings.load_profile("vantage")

# What CI cannot have: the evaluation data may be missing beside a checkout, and the superuser is refused nothing.
_EXCUSED = ("no evaluation documents", "no evaluation data", "root may write everywhere")


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
