"""`python -m benchmarks.followups`: follow-ups of people read against their conversation, beside how people rewrote them (CANARD, development part).

200 by lot. Of each rewritten question the content words (stems) are counted that the question as Vantage reads it has, too: the mean share, and the
questions that have all of them; beside it the same for the questions as they were typed. The title of the conversation is its first turn.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections.abc import Sequence

from agents.query_classifier.followups import resolve_followup
from agents.text.question_words import content_words
from benchmarks.machine import data_folder, print_table
from core.language.content_words import stems


def split_turns(history: Sequence[str]) -> list[tuple[str, str]]:
    """(question, answer) of title, section, question, answer, question, answer … ."""
    title = history[0].split("(")[0].strip()
    rest = list(history[2:])
    return [(f"Tell me about {title}", ""), *((rest[at], rest[at + 1] if at + 1 < len(rest) else "") for at in range(0, len(rest), 2))]


def covered_share(rewrite: str, question: str) -> float:
    """Of the rewrite's content words those that the question has, by their stems."""
    wanted = stems(" ".join(content_words(rewrite)))
    return len(wanted & stems(question)) / len(wanted) if wanted else 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=3)
    chosen = parser.parse_args()
    path = data_folder() / "reader" / "canard_dev_rewrite.jsonl.gz"
    if not path.exists():
        sys.stdout.write(f"Nothing was read: {path} is not there.\n")
        return
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    random.Random(chosen.seed).shuffle(rows)
    rows = rows[: chosen.number]
    table = []
    for name, read in (
        ("as typed", [str(row["question"]) for row in rows]),
        ("as read", [resolve_followup(row["question"], split_turns(row["history"])) for row in rows]),
    ):
        shares = [covered_share(row["rewrite"], question) for row, question in zip(rows, read, strict=True)]
        table.append([name, f"{sum(shares) / len(shares):.3f}", f"{sum(each == 1.0 for each in shares)} of {len(shares)}"])
    print_table(["question", "share of the rewrite's words", "all of them"], table)


if __name__ == "__main__":
    main()
