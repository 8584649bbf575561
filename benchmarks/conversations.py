"""LoCoMo's conversations as the episodic tier would hold them: lines of sessions with speaker and date. `data_folder()/locomo`."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.machine import data_folder
from core.language.sentences import word_count
from core.ports import Embedder
from memory.episodic import text_to_embed
from memory.line_index import DEFAULT_WEIGHTS, LineIndex, LineWeights, MemoryLine, TermAnalyser


@dataclass(frozen=True)
class ConversationQuestion:
    """A question with the lines that hold its answer; `conversation` is the only one that is searched."""

    text: str
    conversation: str
    evidence: frozenset[str]


@dataclass(frozen=True)
class ConversationSet:
    """Lines by conversation in their order, each with its vector; questions with theirs."""

    lines: dict[str, list[MemoryLine]]
    vectors: dict[str, NDArray[np.float32]]
    asked: list[ConversationQuestion]
    asked_vectors: NDArray[np.float32] = field(repr=False)


@dataclass(frozen=True)
class ConversationRecall:
    """Shares of the evidence among the first 5 and 10 lines, and the words that ten lines take."""

    at_5: float
    at_10: float
    words: float


def is_available() -> bool:
    return (data_folder() / "locomo" / "corpus.jsonl").is_file()


def read_lines() -> dict[str, list[MemoryLine]]:
    """Return the lines of each conversation in their order."""
    return _lines(_rows(data_folder() / "locomo" / "corpus.jsonl"))


async def load(embedder: Embedder, most: int | None = None) -> ConversationSet:
    """Embed the lines and the questions, of the first `most` conversations where that is given."""
    folder = data_folder() / "locomo"
    lines = dict(list(read_lines().items())[:most])
    vectors = {name: (await embedder.embed_passages(_embedded_texts(each))).vectors for name, each in lines.items()}
    evidence: dict[str, set[str]] = defaultdict(set)
    for row in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question, line, _ = row.split("\t")
        evidence[question].add(line)
    rows = [row for row in _rows(folder / "queries.jsonl") if evidence[row["id"]] and row["conversation"] in lines]
    asked = [ConversationQuestion(row["text"], row["conversation"], frozenset(evidence[row["id"]])) for row in rows]
    return ConversationSet(lines, vectors, asked, np.stack([await embedder.embed_query(each.text) for each in asked]))


def measure(found: ConversationSet, terms: TermAnalyser, weights: LineWeights = DEFAULT_WEIGHTS) -> ConversationRecall:
    """Recall of the evidence over all questions that have any."""
    indexes = {name: _index(lines, found.vectors[name], terms, weights) for name, lines in found.lines.items()}
    words = {line.id: word_count(line.lexical_text) for lines in found.lines.values() for line in lines}
    at_5, at_10, taken = [], [], []
    for asked, vector in zip(found.asked, found.asked_vectors, strict=True):
        ranked = [each.id for each in indexes[asked.conversation].search(asked.text, vector, 10)]
        at_5.append(len(asked.evidence & set(ranked[:5])) / len(asked.evidence))
        at_10.append(len(asked.evidence & set(ranked)) / len(asked.evidence))
        taken.append(sum(words[each] for each in ranked))
    return ConversationRecall(float(np.mean(at_5)), float(np.mean(at_10)), float(np.mean(taken)))


def _index(lines: list[MemoryLine], vectors: NDArray[np.float32], terms: TermAnalyser, weights: LineWeights) -> LineIndex:
    index = LineIndex(vectors.shape[1], terms, weights)
    for line, vector in zip(lines, vectors, strict=True):
        index.put_line(line, vector)
    return index


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _lines(rows: list[dict[str, Any]]) -> dict[str, list[MemoryLine]]:
    """A picture's caption is part of what was said; turns of a session follow one another by a second."""
    found: dict[str, list[MemoryLine]] = defaultdict(list)
    for place, row in enumerate(rows):
        said = f"{row['text']} [image: {row['image_caption']}]" if row.get("image_caption") else row["text"]
        begun = datetime.strptime(row["date_time"].replace(",", ""), "%I:%M %p on %d %B %Y").replace(tzinfo=UTC)
        found[row["conversation"]].append(MemoryLine(row["id"], row["session"], said, begun + timedelta(seconds=place), row["speaker"]))
    return dict(found)


def _embedded_texts(lines: list[MemoryLine]) -> list[str]:
    """Each line with the one before it in its session, as an episode is embedded."""
    previous = [
        before if before is not None and before.group == line.group else None for before, line in zip([None, *lines[:-1]], lines, strict=True)
    ]
    return [text_to_embed(line, before) for line, before in zip(lines, previous, strict=True)]
