"""Long runs that look for what short tests do not meet: `python -m scripts.soak watcher --operations 10000 --seed 1`.

Exits 1 where something differs.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from scripts.soak_watcher import SoakPlan, SoakReport, soak

_SHOWN = 60


def build_parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m scripts.soak", description="Soaks: minutes to hours.")
    parts = top.add_subparsers(dest="part", required=True, metavar="PART")
    watcher = parts.add_parser("watcher", help="random changes in folders that a server watches, with kills; the end compared with a fresh index")
    watcher.add_argument("--operations", type=int, default=10_000)
    watcher.add_argument("--seed", type=int, default=1)
    watcher.add_argument("--kills", type=int, help="stops of the server, two thirds of them kill -9 (default: one for 500 operations)")
    watcher.add_argument("--folder", type=Path, help="an empty folder to work in, which is kept (default: a temporary one)")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    options = build_parser().parse_args(arguments)
    plan = SoakPlan(options.operations, options.seed, options.kills if options.kills is not None else max(1, options.operations // 500))
    started = time.monotonic()

    def say(text: str) -> None:
        sys.stderr.write(f"[{time.monotonic() - started:7.1f} s] {text}\n")

    if options.folder is not None:
        options.folder.mkdir(parents=True, exist_ok=True)
        return print_soak_report(plan, soak(options.folder.resolve(), plan, say))
    with tempfile.TemporaryDirectory(prefix="vantage-soak-") as place:
        return print_soak_report(plan, soak(Path(place).resolve(), plan, say))


def print_soak_report(plan: SoakPlan, report: SoakReport) -> int:
    out = sys.stdout
    counts = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in sorted(report.operations.items(), key=lambda each: -each[1]))
    out.write(f"{sum(report.operations.values())} operations (seed {plan.seed}) in {report.seconds_taken:.0f} s, {report.starts} starts: {counts}\n")
    out.write(f"{report.lines} ledger lines, {report.documents} documents at the end\n")
    if report.probes:
        median, worst = statistics.median(report.probes), report.probes[-1]
        out.write(f"answerable after the last write while idle: median {median:.2f} s, worst {worst:.2f} s of {len(report.probes)}\n")
    out.write(f"{len(report.differences)} differences from a fresh index\n")
    for line in report.differences[:_SHOWN]:
        out.write(f"  {line}\n")
    return 1 if report.differences else 0


if __name__ == "__main__":
    sys.exit(main())
