"""What one server's memory does while it answers: its resident size after every hundred short questions. `python -m benchmarks.server_memory`

A real server in its own process over the sample library, asked one question after the other over HTTP (`--questions`, 1,500). Each is one of the
sample's questions with a number behind it, so that no answer is that of a question before; with `--memory` they are remembered as one person's, too.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil

from benchmarks.machine import describe, print_table
from tests.support.serving import ROOT, ServedVantage

_EVERY = 100


def ask_on(served: ServedVantage, count: int, *, remembered: bool) -> tuple[list[list[object]], Counter[str]]:
    """Ask so many questions; return a row for every hundred, and how often each status came."""
    known = [each["question"] for each in json.loads((ROOT / "examples" / "questions.json").read_text(encoding="utf-8"))["questions"]]
    process = psutil.Process(served.process.pid if served.process is not None else None)
    rows: list[list[object]] = [[0, _megabytes(process), process.num_threads(), ""]]
    seen = Counter[str]()
    with served.client() as client:
        began = time.monotonic()
        for number in range(1, count + 1):
            asked = {"query": f"{known[number % len(known)].rstrip('?')} ({number})?", "use_memory": remembered}
            seen[client.post("/search", json=asked, timeout=120).raise_for_status().json()["status"]] += 1
            if number % _EVERY == 0:
                rows.append([number, _megabytes(process), process.num_threads(), f"{time.monotonic() - began:.0f}"])
                print(*rows[-1], flush=True)
    return rows, seen


def _megabytes(process: psutil.Process) -> int:
    return round(process.memory_info().rss / 1e6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=1500)
    parser.add_argument("--memory", action="store_true", help="remember the questions")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vantage-memory-") as made:
        served = ServedVantage(Path(made) / "home").start("--with-sample")
        try:
            rows, seen = ask_on(served, chosen.questions, remembered=chosen.memory)
        finally:
            served.stop()
    print(describe())
    print_table(["questions", "MB", "threads", "seconds"], rows)
    print(f"statuses: {dict(seen)}")


if __name__ == "__main__":
    main()
