"""`python -m benchmarks.wiki_tables`: questions of people over tables of Wikipedia (WikiTableQuestions): right, wrong, or left to the passages.

Each question is asked of its own table alone, which has no caption and no file name. Asked are 300 drawn by lot (`--number`, `--seed`); right is an
answer whose value or named rows hold the cell that is known. `--misses` names the wrong ones.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from agents.table_qa.result_wording import TableAnswer
from benchmarks.machine import data_folder
from benchmarks.table_answers import ask, take_in_hand
from benchmarks.table_questions import MadeTable


def draw_rows(path: Path, number: int, seed: int) -> list[dict[str, Any]]:
    """So many rows of the file, by lot."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    random.Random(seed).shuffle(rows)
    return rows[:number]


def make_table(context: str) -> MadeTable:
    """The table of a context: a line for each row, cells parted by bars, short rows filled up."""
    rows = [tuple(cell.strip() for cell in line.split(" | ")) for line in context.split("\n")]
    width = len(rows[0])
    return MadeTable("", tuple((*row, *[""] * width)[:width] for row in rows))


def holds_known_cell(found: TableAnswer, known: list[str]) -> bool:
    """Whether the value, or what the sentence says behind its colon, holds a known cell."""
    said = [found.calculation.value, found.calculation.sentence.split(" where ")[0].partition(":")[2], found.calculation.sentence.rpartition("(")[2]]
    said.append(found.calculation.sentence.rpartition(": ")[2])
    plain = [text.casefold().replace(",", "") for text in said]
    return any(cell.casefold().replace(",", "").strip().rstrip(".") in text for cell in known for text in plain)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--misses", action="store_true", help="name the wrong ones")
    chosen = parser.parse_args()
    path = data_folder() / "reader" / "wikitablequestions.jsonl.gz"
    if not path.exists():
        sys.stdout.write(f"Nothing was asked: {path} is not there.\n")
        return
    counts: Counter[str] = Counter()
    for row in draw_rows(path, chosen.number, chosen.seed):
        found = [each for each in ask(row["question"], [take_in_hand(make_table(row["context"]))]) if not each.is_ambiguous]
        known = [answer["text"] for answer in row["answers"]]
        verdict = "declined" if not found else "right" if holds_known_cell(found[0], known) else "wrong"
        counts[verdict] += 1
        if chosen.misses and verdict == "wrong":
            sys.stdout.write(f"{row['question']}\n    wanted {known}; said {found[0].calculation.sentence}\n")
    sys.stdout.write(f"of {chosen.number} questions: {counts['right']} right, {counts['wrong']} wrong, {counts['declined']} declined\n")


if __name__ == "__main__":
    main()
