"""What a command costs where no server runs: `python -m benchmarks.start_time [--runs 5]`

Processor seconds (user and system) are what counts: they depend little on what else the machine does; the seconds that a person waits stand beside
them. Each command runs in a process of its own over the sample library, once more than it is counted: that run leaves the bytecode of all modules,
as a person's first run does, in a folder of the benchmark's own, whatever PYTHONDONTWRITEBYTECODE says.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import describe, print_table
from tests.support.serving import ROOT, make_environment, run_vantage

QUESTION = "How much notice must we give to leave Quay 7?"
_IMPORTS = "import cli, commands.question_commands, commands.client, composition.early_models, api"
_KEEP_COMPILED = {"VANTAGE_EMBEDDING__KEEP_COMPILED": "true"}


@dataclass(frozen=True, slots=True)
class CommandCost:
    """Seconds of the processor, and until the end."""

    processor: float
    whole: float


def measure_command(home: Path, arguments: list[str], settings: dict[str, str]) -> CommandCost:
    """Run `python ARGUMENTS` to its end. Raises RuntimeError where it fails."""
    own = {**make_environment(home, **settings), "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(home.parent / "bytecode")}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([sys.executable, *arguments], env=own, cwd=ROOT, capture_output=True, text=True, check=False)
    whole, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr[-500:]}")
    return CommandCost(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, whole)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=5)
    runs = options.parse_args().runs
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory(prefix="vantage-starting-") as folder:
        home = Path(folder) / "home"
        run_vantage(home, "index", "sample", timeout=600.0).check_returncode()
        ask = ["-m", "cli", "ask", QUESTION]
        measures: list[tuple[str, Callable[[], CommandCost]]] = [
            ("importing all of it", lambda: measure_command(home, ["-c", _IMPORTS], {})),
            ("`vantage status`", lambda: measure_command(home, ["-m", "cli", "status"], {})),
            ("`vantage ask`", lambda: measure_command(home, ask, _KEEP_COMPILED)),
            ("the same, `embedding.keep_compiled: false`", lambda: measure_command(home, ask, {})),
        ]
        for name, measure in measures:
            costs = [measure() for _ in range(runs + 1)][1:]
            processor, whole = ([getattr(cost, kind) for cost in costs] for kind in ("processor", "whole"))
            spread = f"{min(processor):.2f} to {max(processor):.2f}"
            rows.append([name, f"{statistics.median(processor):.2f}", spread, f"{statistics.median(whole):.1f}", f"{os.getloadavg()[0]:.0f}"])
    sys.stdout.write(f"{describe()}; no server; medians of {runs} runs\n\n")
    print_table(["", "processor s", "from, to", "s until the end", "load"], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
