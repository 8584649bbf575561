"""Chunks against fixed windows on Chroma's chunking evaluation: `python -m benchmarks.chunking`

Each question takes the nearest chunks (cosine of the default embedder) out of the chunks of all five texts: five of them, or small to big the
five passages that three times as many chunks make. What is measured stands in `evaluation/chunking_metrics.py`; where a window begins moves a figure
of recall by about .02, so `--windows 256 251 246 241` prints means over several sizes. The texts have no titles and no headings that are marked,
so no chunk has a prefix here. A window of 400 tokens is longer than the model reads (256); it is listed because everybody lists it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.machine import data_folder, describe, print_table
from benchmarks.models import add_embedder_option, open_embedder
from core.documents import Block, BlockKind, ExtractedDocument, Metadata, PageUnit, Section, StoredChunk
from core.ports import Embedder
from evaluation.chunking_metrics import ChunkFit, chunk_fit, mean_chunk_fit, precision_omega
from ingestion.chunking.chunker import ChunkLimits, chunk_document
from retrieval.passage_assembly import OVERFETCH, group_runs
from settings import SearchSettings

PASSAGES_TAKEN = 5
_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*")
_PASSAGE_TOKENS = SearchSettings().passage_tokens
Span = tuple[int, int]


Splitter = Callable[[str, Embedder], list[Span]]
# The chunks of all texts in order, each with the name of its text, and their rows from the nearest on.
Choice = Callable[[Sequence[StoredChunk], Sequence[int]], list[tuple[str, Span]]]

Reorder = Callable[[Sequence[int], NDArray[np.float32]], list[int]]


def structured_splitter(tokens: int, overlap: float = 0.0) -> Splitter:
    def split(text: str, embedder: Embedder) -> list[Span]:
        blocks = tuple(Block(BlockKind.PARAGRAPH, match.start(), match.end()) for match in _PARAGRAPH.finditer(text))
        document = ExtractedDocument(text, blocks, (Section((), 0, len(text)),), (), (), PageUnit.NONE, Metadata(), "benchmark")
        chunks = chunk_document(document, "", ChunkLimits(tokens, tokens * 16, overlap), embedder.token_spans)
        return [(piece.start, piece.end) for piece in chunks]

    return split


def fixed_splitter(tokens: int) -> Splitter:
    """Every `tokens` tokens, wherever that is."""

    def split(text: str, embedder: Embedder) -> list[Span]:
        spans = embedder.token_spans(text)
        return [(int(spans[start][0]), int(spans[min(start + tokens, len(spans)) - 1][1])) for start in range(0, len(spans), tokens)]

    return split


def choose_nearest(count: int) -> Choice:
    return lambda chunks, ranked: [_text_and_span(chunks[row]) for row in ranked[:count]]


def choose_windows(chunks: Sequence[StoredChunk], ranked: Sequence[int]) -> list[tuple[str, Span]]:
    """The product's passages: windows round what matched."""
    runs = group_runs([chunks[row] for row in ranked[: OVERFETCH * PASSAGES_TAKEN]], _PASSAGE_TOKENS, PASSAGES_TAKEN)[:PASSAGES_TAKEN]
    return [(run[0].document_id, (run[0].start, run[-1].end)) for run in runs]


def _text_and_span(chunk: StoredChunk) -> tuple[str, Span]:
    return chunk.document_id, (chunk.start, chunk.end)


METHODS: Mapping[str, tuple[Callable[[int], Splitter], Choice]] = {
    "fixed windows, 200 tokens": (lambda _: fixed_splitter(200), choose_nearest(PASSAGES_TAKEN)),
    "fixed windows, 400 tokens": (lambda _: fixed_splitter(400), choose_nearest(PASSAGES_TAKEN)),
    "Vantage (the default)": (structured_splitter, choose_nearest(PASSAGES_TAKEN)),
    "Vantage, half as long": (lambda tokens: structured_splitter(tokens // 2), choose_nearest(PASSAGES_TAKEN)),
    "Vantage, a tenth repeated": (lambda tokens: structured_splitter(tokens, 0.1), choose_nearest(PASSAGES_TAKEN)),
    "fixed windows, 200 tokens, 15 of them": (lambda _: fixed_splitter(200), choose_nearest(OVERFETCH * PASSAGES_TAKEN)),
    "small to big: five windows round 15 matches": (structured_splitter, choose_windows),
}


@dataclass(frozen=True)
class ChunkingQuestion:
    corpus: str
    text: str
    expected: list[Span]


def rows(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def questions(folder: Path) -> list[ChunkingQuestion]:
    return [
        ChunkingQuestion(row["corpus_id"], row["text"], [(each["start_index"], each["end_index"]) for each in row["references"]])
        for row in rows(folder / "queries.jsonl")
    ]


class ChunkingBench:
    """The texts and questions with their vectors; what was cut and embedded once is kept."""

    def __init__(self, texts: Mapping[str, str], asked: list[ChunkingQuestion], queries: NDArray[np.float32], embedder: Embedder) -> None:
        self.texts, self.asked, self._queries, self._embedder = texts, asked, queries, embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    async def measure(self, split: Splitter, choose: Choice, reorder: Reorder | None = None) -> list[float]:
        """Chunks, their characters, characters read, recall, precision, IoU, precision omega. `reorder` puts the nearest in another order."""
        chunks = self.cut_texts(split)
        ranked = np.argsort(-(self._queries @ (await self.encode_chunks(chunks)).T), axis=1)[:, :50]
        taken = [choose(chunks, reorder(row.tolist(), query) if reorder else row.tolist()) for row, query in zip(ranked, self._queries, strict=True)]
        mean = mean_chunk_fit([_question_fit(question, found) for question, found in zip(self.asked, taken, strict=True)])
        own = {name: [(each.start, each.end) for each in chunks if each.document_id == name] for name in self.texts}
        omega = float(np.mean([precision_omega(question.expected, own[question.corpus]) for question in self.asked]))
        length = float(np.mean([chunk.end - chunk.start for chunk in chunks]))
        read = float(np.mean([sum(end - start for _, (start, end) in found) for found in taken]))
        return [len(chunks), length, read, mean.recall, mean.precision, mean.iou, omega]

    def cut_texts(self, split: Splitter) -> list[StoredChunk]:
        chunks: list[StoredChunk] = []
        for name, text in self.texts.items():
            spans = split(text, self._embedder)
            counts = [len(self._embedder.token_spans(text[start:end])) for start, end in spans]
            chunks += [_make_stored_chunk(len(chunks) + place, name, place, span, counts[place], text) for place, span in enumerate(spans)]
        return chunks

    async def encode_chunks(self, chunks: Sequence[StoredChunk]) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(chunk.text for chunk in chunks) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, (await self._embedder.embed_passages(new)).vectors, strict=True))
        return np.stack([self._vectors[chunk.text] for chunk in chunks])


def _make_stored_chunk(number: int, name: str, ordinal: int, span: Span, tokens: int, text: str) -> StoredChunk:
    return StoredChunk(
        id=number,
        document_id=name,
        generation=1,
        ordinal=ordinal,
        start=span[0],
        end=span[1],
        page=None,
        section=[],
        kind=BlockKind.PARAGRAPH,
        tokens=tokens,
        prefix="",
        text=text[slice(*span)],
    )


def _question_fit(question: ChunkingQuestion, taken: Sequence[tuple[str, Span]]) -> ChunkFit:
    """Chunks of other texts were read in vain: they lie where no passage is."""
    far = 10**9
    spans = [span if name == question.corpus else (span[0] + far, span[1] + far) for name, span in taken]
    return chunk_fit(question.expected, spans)


async def main(sizes: Sequence[int], model: str) -> int:
    folder = data_folder() / "chunking_eval"
    if not (folder / "corpus.jsonl").is_file():
        sys.stderr.write(f"chunking: skipped, {folder} is not there (set VANTAGE_DATA)\n")
        return 0
    texts = {row["id"]: row["text"] for row in rows(folder / "corpus.jsonl")}
    asked = questions(folder)
    embedder = open_embedder(model)
    bench = ChunkingBench(texts, asked, np.stack([await embedder.embed_query(question.text) for question in asked]), embedder)
    lines = []
    for name, (make, choose) in METHODS.items():
        figures = np.mean(
            [await bench.measure(make(tokens), choose) for tokens in (sizes if "Vantage" in name or "small" in name else sizes[:1])], axis=0
        )
        lines.append([name, *(f"{value:.0f}" for value in figures[:3]), *(f"{value:.3f}" for value in figures[3:])])
    await embedder.close()
    sys.stdout.write(f"{describe()}\n{len(asked)} questions, windows of {', '.join(map(str, sizes))} tokens\n\n")
    print_table(["method", "chunks", "characters", "characters read", "recall", "precision", "IoU", "precision omega"], lines)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--windows", nargs="+", type=int, default=[256])
    add_embedder_option(parser)
    chosen = parser.parse_args()
    sys.exit(asyncio.run(main(chosen.windows, chosen.embedder)))
