"""Run the benchmarks one after the other: `python -m benchmarks` or `python -m benchmarks engine answers`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# In this order: quick ones first, the machine warm for none of them.
NAMES = (
    "routing",
    "scope",
    "german_wordings",
    "memory",
    "zeus",
    "stop_time",
    "start_time",
    "operations",
    "learning",
    "attached",
    "storage",
    "embedding",
    "engine",
    "indexing",
    "chunking",
    "graph",
    "communities",
    "graph_reranking",
    "summary_tree",
    "extraction",
    "reading_speed",
    "tables",
    "headings",
    "table_answers",
    "wiki_tables",
    "recognition",
    "scifact",
    "served_ranking",
    "cross_language",
    "question_language",
    "spelling",
    "followups",
    "rephrased_questions",
    "multihop",
    "correction",
    "answers",
    "real_files",
    "citations",
    "product",
    "whole_answers",
    "limits",
    "load",
)


def main(chosen: list[str]) -> int:
    """Each in a process of its own, so that memory figures are its own. Returns how many failed."""
    unknown = [name for name in chosen if name not in NAMES]
    if unknown:
        sys.stderr.write(f"no benchmark {', '.join(unknown)}; there are {', '.join(NAMES)}\n")
        return 2
    failed = 0
    for name in chosen or NAMES:
        sys.stdout.write(f"\n## {name}\n\n")
        sys.stdout.flush()
        done = subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=Path(__file__).resolve().parent.parent, check=False)
        failed += done.returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
