"""Runs the tests, and the few that fail once more, alone: `python -m scripts.run_tests [options of pytest]`.

Some of the six thousand tests wait for real processes, files and browsers, several at a time on two cores. One that fails, and passes when it runs
alone, is named as UNSTABLE: a fault to be mended, in the test or in the product, but no reason that nothing lands. One that fails twice fails the
run. Where more than MOST fail nothing is tried again, nor where CI skipped what it can run. See docs/decisions/0016.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

MOST = 3  # failing tests that are tried again
_FAILED = Path(".pytest_cache/v/cache/lastfailed")


def run_tests(options: Sequence[str], call: Callable[[Sequence[str]], int], failed: Callable[[], list[str]]) -> int:
    """The exit status: of pytest, or 0 where all that failed passed alone. `call` runs pytest with arguments, `failed` are the ids of what failed."""
    status = call(["--cache-clear", *options])
    names = failed() if status == 1 else []
    if not 1 <= len(names) <= MOST:
        return status
    sys.stdout.write(f"\n{len(names)} failed; tried once more, alone:\n")
    status = call(names)
    if status == 0:
        sys.stdout.write("".join(f"UNSTABLE {name}: it failed beside the others and passed alone. Mend it.\n" for name in names))
    return status


def last_failed(path: Path = _FAILED) -> list[str]:
    """The ids of the tests that failed in the last run; a module that could not be read is one of them."""
    return list(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else []


def _pytest(arguments: Sequence[str]) -> int:
    return subprocess.call([sys.executable, "-m", "pytest", *arguments])


if __name__ == "__main__":
    sys.exit(run_tests(sys.argv[1:], _pytest, last_failed))
