"""The rows that the reader is trained on, drawn from the open sets with a share each, and the rows that are held back to look at progress."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from training.reader.near_misses import near_miss

HELD_BACK = 300  # rows that are never trained on
NEAR_MISSES = 0.4  # of the answered rows of PLAIN, where a rule applies
STRAYS = 14_000  # questions over a text that has nothing to do with them: in a library most of what is read is of that kind
STRAY_TABLES = 0.6  # of them over tables, reports and contracts, which the hard negatives lack
LOWERED = 0.2  # of the questions, written as people type them: lower case, no question mark
PLAIN = frozenset({"squad1_train_du_test", "squadshifts_new_wiki", "nq_qed", "squadshifts_amazon_reviews", "squadshifts_reddit", "nq_oracle"})

TABLES = frozenset({"wikitablequestions", "tatqa", "aitqa", "cuad"})

# Rows of one pass, at most. Tales, reviews and posts count for less: their texts are least like documents; contracts have questions from templates.
SHARES = {
    "squad1_train_du_test": 11_500,
    "squadshifts_new_wiki": 7_700,
    "nq_qed": 8_300,
    "nq_oracle": 2_600,
    "squadshifts_amazon_reviews": 4_500,
    "squadshifts_reddit": 4_500,
    "qamr": 6_000,
    "wikitablequestions": 4_000,
    "fairytaleqa": 2_500,
    "tatqa": 1_200,
    "covid_qa": 1_300,
    "cuad": 1_500,
    "multispanqa": 600,
    "aitqa": 450,
    "hardneg_squad1_train_du_test": 5_000,
    "hardneg_squadshifts_new_wiki": 4_000,
    "hardneg_nq_qed": 4_000,
    "hardneg_nq_oracle": 1_000,
    "hardneg_squadshifts_reddit": 1_000,
    "hardneg_squadshifts_amazon_reviews": 1_000,
}


@dataclass(frozen=True, slots=True)
class TrainingRow:
    """A question over one text. `answers` are (start, end) in characters of `context`, none where it does not answer. `relevant` is whether the
    text is about what is asked; None where that is not known (a near miss is)."""

    question: str
    context: str
    answers: tuple[tuple[int, int], ...]
    relevant: bool | None
    source: str


def read_rows(path: Path) -> Iterator[TrainingRow]:
    """Yield the rows of one set whose spans stand in their text."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            context, name = row["context"], path.name.removesuffix(".jsonl.gz")
            spans = tuple((each["start"], each["start"] + len(each["text"])) for each in row["answers"])
            if all(context[start:end] == each["text"] for (start, end), each in zip(spans, row["answers"], strict=True)):
                yield TrainingRow(row["question"], context, spans, bool(spans), name)


def draw_rows(folder: Path, seed: int) -> tuple[list[TrainingRow], list[TrainingRow]]:
    """Return (rows of one pass in a random order, rows held back): equal for an equal seed."""
    rng = random.Random(seed)
    drawn: list[TrainingRow] = []
    held: list[TrainingRow] = []
    for name, count in SHARES.items():
        rows = list(read_rows(folder / f"{name}.jsonl.gz"))
        random.Random(name).shuffle(rows)  # which rows are held back depends on no seed
        back = HELD_BACK if name in {"squad1_train_du_test", "squadshifts_new_wiki"} else 0
        held += rows[:back]
        rest = rows[back:]
        drawn += rng.sample(rest, min(count, len(rest)))
    drawn += [*near_misses(drawn, rng), *strays(drawn, rng)]
    rng.shuffle(drawn)
    return [type_like_search(row) if rng.random() < LOWERED else row for row in drawn], held


def near_misses(rows: Sequence[TrainingRow], rng: random.Random) -> Iterator[TrainingRow]:
    """Yield questions that their text all but answers, made of answered rows."""
    for row in rows:
        if row.source not in PLAIN or not row.answers or rng.random() >= NEAR_MISSES:
            continue
        made = near_miss(row.question, row.context, row.answers, rng)
        if made is not None:
            yield TrainingRow(made.question, made.context, (), None, f"near_miss_{made.rule}")


def strays(rows: Sequence[TrainingRow], rng: random.Random) -> Iterator[TrainingRow]:
    """Yield questions with texts of other questions that do not hold their answers' words."""
    tables = [row for row in rows if row.source in TABLES]
    answered = [row for row in rows if row.answers]
    if not tables or not answered:
        return
    for _ in range(STRAYS):
        asked = rng.choice(answered)
        other = rng.choice(tables if rng.random() < STRAY_TABLES else answered)
        said = [asked.context[start:end].lower() for start, end in asked.answers]
        if other.context != asked.context and not any(each in other.context.lower() for each in said):
            yield TrainingRow(asked.question, other.context, (), False, "stray")


def type_like_search(row: TrainingRow) -> TrainingRow:
    """Return the question as it is typed into a search box."""
    return replace(row, question=row.question.lower().rstrip(" ?"))
