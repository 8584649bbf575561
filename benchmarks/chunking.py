"""Chunks against fixed windows on Chroma's chunking evaluation: `python -m benchmarks.chunking`

Each question takes the five nearest chunks (cosine of the default embedder) out of the chunks of all five texts; what is measured stands in
`evaluation/chunking.py`. The texts have no titles and no headings that are marked, so no chunk has a prefix here. A window of 400 tokens is
longer than the model reads (256); it is listed because everybody lists it.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.machine import data_folder, describe, print_table
from core.documents import Block, BlockKind, ExtractedDocument, Metadata, PageUnit, Section
from core.ports import Embedder
from evaluation.chunking import Fit, fit, mean_fit
from ingestion.chunker import ChunkLimits, chunk
from retrieval.embedders.minilm import MiniLmEmbedder

TAKEN = 5
_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*")
Span = tuple[int, int]
Splitter = Callable[[str, Embedder], list[Span]]


def structured(tokens: int) -> Splitter:
    def split(text: str, embedder: Embedder) -> list[Span]:
        blocks = tuple(Block(BlockKind.PARAGRAPH, match.start(), match.end()) for match in _PARAGRAPH.finditer(text))
        document = ExtractedDocument(text, blocks, (Section((), 0, len(text)),), (), (), PageUnit.NONE, Metadata(), "benchmark")
        return [(piece.start, piece.end) for piece in chunk(document, "", ChunkLimits(tokens), embedder.token_spans)]

    return split


def fixed(tokens: int) -> Splitter:
    """Every `tokens` tokens, wherever that is."""

    def split(text: str, embedder: Embedder) -> list[Span]:
        spans = embedder.token_spans(text)
        return [(int(spans[start][0]), int(spans[min(start + tokens, len(spans)) - 1][1])) for start in range(0, len(spans), tokens)]

    return split


SPLITTERS: Mapping[str, Splitter] = {
    "Vantage, 256 tokens (the default)": structured(256),
    "Vantage, 128 tokens": structured(128),
    "fixed windows, 200 tokens": fixed(200),
    "fixed windows, 400 tokens": fixed(400),
}


@dataclass(frozen=True)
class Question:
    corpus: str
    text: str
    expected: list[Span]


def rows(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def questions(folder: Path) -> list[Question]:
    return [
        Question(row["corpus_id"], row["text"], [(each["start_index"], each["end_index"]) for each in row["references"]])
        for row in rows(folder / "queries.jsonl")
    ]


async def measure(split: Splitter, texts: Mapping[str, str], asked: list[Question], vectors: NDArray[np.float32], embedder: Embedder) -> list[str]:
    started = time.perf_counter()
    pieces = [(name, span) for name, text in texts.items() for span in split(text, embedder)]
    took = time.perf_counter() - started
    encoded = await embedder.embed_passages([texts[name][start:end] for name, (start, end) in pieces])
    nearest = np.argsort(-(vectors @ encoded.vectors.T), axis=1)[:, :TAKEN]
    fits = [_fit(question, [pieces[place] for place in places]) for question, places in zip(asked, nearest, strict=True)]
    mean = mean_fit(fits)
    length = sum(end - start for _, (start, end) in pieces) / len(pieces)
    return [str(len(pieces)), f"{length:.0f}", f"{mean.recall:.3f}", f"{mean.precision:.3f}", f"{mean.iou:.3f}", f"{len(pieces) / took:.0f}"]


def _fit(question: Question, taken: list[tuple[str, Span]]) -> Fit:
    """Chunks of other texts were read in vain: they lie where no passage is."""
    far = 10**9
    spans = [span if name == question.corpus else (span[0] + far, span[1] + far) for name, span in taken]
    return fit(question.expected, spans)


async def main() -> int:
    folder = data_folder() / "chunking_eval"
    if not (folder / "corpus.jsonl").is_file():
        sys.stderr.write(f"chunking: skipped, {folder} is not there (set VANTAGE_DATA)\n")
        return 0
    texts = {row["id"]: row["text"] for row in rows(folder / "corpus.jsonl")}
    asked = questions(folder)
    embedder = MiniLmEmbedder()
    vectors = np.stack([await embedder.embed_query(question.text) for question in asked])
    lines = [[name, *await measure(split, texts, asked, vectors, embedder)] for name, split in SPLITTERS.items()]
    await embedder.close()
    sys.stdout.write(f"{describe()}\n{len(asked)} questions, {TAKEN} chunks each\n\n")
    print_table(["chunks", "number", "characters", "recall", "precision", "IoU", "cut a second"], lines)
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
