"""schemathesis against the app's own schema: whatever is sent, the server answers, and never with a 5xx."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sample_library import serve_sample
from tests.support.serving import read_health

# For each of some eighty operations and each of the ways in which requests are made up; VANTAGE_TEST_EXAMPLES makes up more of them.
EXAMPLES = os.environ.get("VANTAGE_TEST_EXAMPLES", "8")


@pytest.mark.slow
def test_no_request_breaks_the_server(tmp_path: Path) -> None:
    served = serve_sample(tmp_path / "home")
    executable = Path(sys.executable).parent / "st"
    command = [
        str(executable), "run", f"{served.url}/openapi.json", "--checks", "not_a_server_error,response_schema_conformance,content_type_conformance",
        "--max-examples", EXAMPLES, "--seed", "20261120", "--request-timeout", "30", "--suppress-health-check", "all",
        "--exclude-path-regex", "events$", "--continue-on-failure",
    ]  # fmt: skip
    environ = {**os.environ, "SCHEMATHESIS_COVERAGE": "false"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environ, timeout=500, check=False)
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
        with served.client() as client:
            assert read_health(client)["live"] is True
    finally:
        served.stop()
