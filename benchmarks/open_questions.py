"""Question sets made of the open rows that the reader was never trained on: what a confidence may be fitted on without looking at a judged set.

"open squad" are the rows that `training.reader.training_rows` holds back, each asked over the paragraphs of all, with near misses made of them by
rule
(`training.reader.near_misses`). "open clapnq" are questions that people judged over passages which search had brought: near misses as they happen.
The reader was trained on the like of those made by rule and tells nearly all of them, as it does not with questions that people wrote; what words
of the question their sentences lack is learned of them all the same.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

from training.reader.near_misses import near_miss
from training.reader.training_rows import HELD_BACK, TrainingRow, read_rows

HELD_BACK_SETS = ("squad1_train_du_test", "squadshifts_new_wiki")
JUDGED_BY_PEOPLE = "clapnq"
MOST, SEED = 180, 11  # questions of a set, answered and unanswered ones apart
HELD_BACK_MOST, NEAR_SEED, TRIES = 200, 5, 8  # rows of each held-back set; times that a near miss is tried which leaves the text as it is
CHARACTERS = 1500  # of a passage


def write_open_sets(reader: Path, target: Path) -> dict[str, Path]:
    """The folders of the sets by their names, in the layout of the retrieval sets. Raises FileNotFoundError where a file of rows is missing."""
    held = [row for name in HELD_BACK_SETS for row in _read_held_back(reader, name)[:HELD_BACK_MOST]]
    held += _make_near_misses(held)
    judged = _draw_rows(list(read_rows(reader / f"{JUDGED_BY_PEOPLE}.jsonl.gz")))
    folders = {"open squad": target / "open_squad", "open clapnq": target / "open_clapnq"}
    for folder, rows in zip(folders.values(), (held, judged), strict=True):
        _write_set(folder, rows)
    return folders


def _read_held_back(reader: Path, name: str) -> list[TrainingRow]:
    """As `training.reader.training_rows.draw_rows` holds them back."""
    rows = list(read_rows(reader / f"{name}.jsonl.gz"))
    random.Random(name).shuffle(rows)
    return rows[:HELD_BACK]


def _make_near_misses(rows: Sequence[TrainingRow]) -> list[TrainingRow]:
    """Questions over the same texts that these all but answer; rules that change the text are left out, as it stands in the library once."""
    rng, found = random.Random(NEAR_SEED), list[TrainingRow]()
    for row in rows:
        for _ in range(TRIES):
            made = near_miss(row.question, row.context, row.answers, rng)
            if made is None:
                break
            if made.context == row.context:
                found.append(TrainingRow(made.question, made.context, (), None, row.source))
                break
    return found


def _draw_rows(rows: Sequence[TrainingRow]) -> list[TrainingRow]:
    """As many answered rows as unanswered ones, drawn with a fixed seed."""
    rng, drawn = random.Random(SEED), list[TrainingRow]()
    for kind in ([row for row in rows if not row.answers], [row for row in rows if row.answers]):
        drawn += rng.sample(kind, min(MOST, len(kind)))
    return drawn


def _write_set(folder: Path, rows: Sequence[TrainingRow]) -> None:
    documents: dict[str, str] = {}
    queries: list[dict[str, object]] = []
    grades = ["query-id\tdoc-id\tgrade"]
    for number, row in enumerate(rows):
        text = row.context[:CHARACTERS]
        answers = [text[start:end] for start, end in row.answers if end <= len(text)]
        if row.answers and not answers:
            continue  # its answer stands behind what is kept of the passage
        document = documents.setdefault(text, f"d{len(documents)}")
        queries.append({"id": f"q{number}", "text": row.question, "answers": answers, "is_impossible": not answers})
        grades.append(f"q{number}\t{document}\t1")
    folder.mkdir(parents=True)
    corpus = [{"id": document, "title": "", "text": text} for text, document in documents.items()]
    for name, lines in (("corpus", corpus), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    (folder / "qrels.tsv").write_text("\n".join(grades) + "\n", encoding="utf-8")
