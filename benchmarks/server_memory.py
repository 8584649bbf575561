"""What one server's memory does while it answers: its resident size after every hundred short questions. `python -m benchmarks.server_memory`

A real server in its own process over 24 small files, asked one question after the other over HTTP (`--questions`, 1,500). No question is asked twice,
so that no answer is one that was remembered; with `--memory` all are remembered as one person's.
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
from tests.support.serving import ServedVantage

_EVERY, _FILES = 100, 24
_ASKED = ("code", "colour", "keeper")


def write_files(folder: Path) -> None:
    folder.mkdir()
    for number in range(_FILES):
        told = f"The code of store {number} is QUARTZ-{number}, its colour is shade {number % 7}. Its keeper, Amos Bolt{number}, is new."
        (folder / f"{number}.md").write_text(f"# Store {number}\n\n{told}\n")


def ask_on(served: ServedVantage, count: int, *, remembered: bool) -> tuple[list[list[object]], Counter[str]]:
    """Ask so many questions; return a row for every hundred, and how often each status came."""
    process = psutil.Process(served.process.pid if served.process is not None else None)
    rows: list[list[object]] = [[0, _megabytes(process), process.num_threads(), ""]]
    seen = Counter[str]()
    with served.client() as client:
        began = time.monotonic()
        for number in range(1, count + 1):
            asked = {
                "query": f"What is the {_ASKED[number % 3]} of store {number % _FILES}, and who wants to know it on day {number}?",
                "use_memory": remembered,
            }
            seen[client.post("/search", json=asked, timeout=120).raise_for_status().json()["status"]] += 1
            if number % _EVERY == 0:
                rows.append([number, _megabytes(process), process.num_threads(), f"{time.monotonic() - began:.0f}"])
                print(*rows[-1], flush=True)
    return rows, seen


def index(served: ServedVantage, folder: Path) -> None:
    with served.client() as client:
        job = client.post("/index", json={"path": str(folder)}).raise_for_status().json()["id"]
        while client.get(f"/jobs/{job}").json()["state"] in ("queued", "running"):
            time.sleep(0.5)


def _megabytes(process: psutil.Process) -> int:
    return round(process.memory_info().rss / 1e6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=1500)
    parser.add_argument("--memory", action="store_true", help="remember the questions")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vantage-memory-") as made:
        write_files(Path(made) / "stores")
        served = ServedVantage(Path(made) / "home", {"VANTAGE_INGESTION__ROOTS": json.dumps([made])}).start()
        try:
            index(served, Path(made) / "stores")
            rows, seen = ask_on(served, chosen.questions, remembered=chosen.memory)
        finally:
            served.stop()
    print(describe())
    print_table(["questions", "MB", "threads", "seconds"], rows)
    print(f"statuses: {dict(seen)}")


if __name__ == "__main__":
    main()
