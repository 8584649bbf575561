"""A worker's clock counts the time that it had, not the time in which other programs had the processor."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time

import pytest

from ingestion.workers import worker_handle
from ingestion.workers.worker_handle import process_stopwatch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how long a process waited for a processor")
BUSY = "while True: pass"


def _started(code: str, *, nice: int = 0) -> subprocess.Popen[bytes]:
    """On one and the same processor."""
    processor = min(os.sched_getaffinity(0))
    line = f"import os; os.sched_setaffinity(0, {{{processor}}}); os.nice({nice}); print(1, flush=True)\n{code}"
    process = subprocess.Popen([sys.executable, "-c", line], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.read(1)
    return process


def _share_that_counts(code: str) -> float:
    processes = [_started(BUSY), _started(BUSY), _started(code, nice=19)]
    try:
        started, spent = time.monotonic(), process_stopwatch(processes[-1].pid)
        time.sleep(1.5)
        return spent() / (time.monotonic() - started)
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def test_what_others_took_does_not_count() -> None:
    assert _share_that_counts(BUSY) < 0.5


@pytest.mark.parametrize(("ready", "least", "most"), [(True, 0.0, 0.1), (False, 0.2, math.inf)])
def test_a_wait_that_lasts_does_not_count_either(ready: bool, least: float, most: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system counts a wait when it is over. Until then nothing of such a process changes, as of one that sleeps."""
    monkeypatch.setattr(worker_handle, "_read_schedule", lambda _process: worker_handle._Schedule(1.0, 2.0))
    monkeypatch.setattr(worker_handle, "_is_ready_to_run", lambda _process: ready)
    spent = process_stopwatch(os.getpid())
    time.sleep(0.2)
    assert least <= spent() < most


def test_sleeping_counts() -> None:
    """So that a reader that hangs is ended, however busy the machine is."""
    assert _share_that_counts("import time; time.sleep(60)") > 0.5


def test_a_process_that_is_gone_had_all_the_time() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert process_stopwatch(process.pid)() >= 0.0
