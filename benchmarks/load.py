"""A server under load: 300 streams of answers and 1,500 half-open sockets, and how long /health takes meanwhile. `python -m benchmarks.load`

A real server in its own process over the sample library, with keys of 30 persons; everything on loopback. The sockets send a part of a request's
head and stay; while new ones come the streams ask their questions, and whoever is told to wait waits as long as Retry-After says and asks again,
for two minutes at most. Then the same where the system allows the server 400 open files (`ulimit -n 400`). Ends by itself after at most four minutes
a run.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.machine import describe, percentile, print_table
from tests.support.load_clients import Address, HalfOpen, HealthWatch, LoadOutcome, ask_all
from tests.support.serving import ROOT, ServedVantage

STREAMS, SOCKETS, PERSONS, FILES = 300, 1500, 30, 400
_PATIENCE, _SECONDS, _LONGEST = 120.0, 60.0, 240.0
_SETTLE_SECONDS = 15.0  # seconds after which every half-open socket has been given up
_KEYS = [f"load-benchmark-{number:02}" for number in range(PERSONS)]


def questions() -> list[str]:
    """As many as there are streams, from those of the sample library."""
    known = json.loads((ROOT / "examples" / "questions.json").read_text(encoding="utf-8"))["questions"]
    return [known[number % len(known)]["question"] for number in range(STREAMS)]


async def put_load(address: Address, sockets: HalfOpen) -> LoadOutcome:
    """Put the load on and wait for its end: half of the sockets are there before the first question, the others come meanwhile."""
    await asyncio.to_thread(sockets.open, SOCKETS // 2)
    more = asyncio.create_task(asyncio.to_thread(sockets.open, SOCKETS - SOCKETS // 2))
    async with asyncio.timeout(_LONGEST):
        asked = await ask_all(address, questions(), _KEYS, patience=_PATIENCE, seconds=_SECONDS)
    await more
    return asked


def measure_load(folder: Path, files: int) -> tuple[list[object], bool]:
    """One row of the table, and whether the promises were kept."""
    keys = json.dumps([f"{key}:default:person-{number}" for number, key in enumerate(_KEYS)])
    served = ServedVantage(folder / "home", {"VANTAGE_SERVER__API_KEYS": keys}, open_files=files).start("--with-sample")
    try:
        address, sockets = Address.of(served.url), HalfOpen(Address.of(served.url))
        before, started = served.count_descriptors(), time.monotonic()
        with HealthWatch(address, _KEYS[0]) as health:
            asked = asyncio.run(put_load(address, sockets))
        taken = time.monotonic() - started
        time.sleep(max(0.0, _SETTLE_SECONDS - taken))
        outcomes = sockets.outcomes()
        sockets.close()
        time.sleep(1.0)
        after = served.count_descriptors()
    finally:
        served.stop()
    times = [f"{1000 * percentile(health.seconds, share):.0f}" for share in (0.5, 0.95, 1.0)]
    refused = f"{asked.told[429]} / {asked.told[503]}"
    lost = asked.dropped + asked.hung + asked.other.total()
    row: list[object] = [
        files or "as it is",
        len(health.seconds),
        *times,
        health.statuses.total() - health.statuses[200],
        asked.served,
        refused,
        asked.waiting,
        lost,
    ]
    row += [f"{outcomes['told']} / {outcomes['dropped']} / {outcomes['held']}", f"{before} / {after}", f"{taken:.0f}"]
    kept = max(health.seconds) < 1 and health.statuses.total() == health.statuses[200] and asked.served + asked.waiting == STREAMS and not lost
    return row, kept and not outcomes["held"] and not has_leaked(before, after)


def has_leaked(before: int, after: int) -> bool:
    """Whether descriptors were left behind: a database connection or two of the pool may have been opened."""
    return after > before + 16


def main() -> int:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    rows, kept = [], True
    for files in (0, FILES):
        with tempfile.TemporaryDirectory(prefix="vantage-load-") as folder:
            row, well = measure_load(Path(folder), files)
        rows.append(row)
        kept = kept and well
    sys.stdout.write(f"{describe()}; {STREAMS} streams of {PERSONS} persons, {SOCKETS} half-open sockets; ms of /health\n\n")
    head = ["open files", "/health asked", "p50", "p95", "max", "not 200", "answered", "told to wait, 429 / 503", "waiting at the end", "lost"]
    print_table([*head, "half-open: told / dropped / held", "descriptors before / after", "seconds"], rows)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
