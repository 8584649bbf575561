"""The mean vector of a centred embedder: `python -m training.embedding_mean [--passages 400] [--write]`

The mean of the model's unit sentence vectors over passages of ten kinds (reviews, posts, articles, contracts, tales, papers, tables …), the same
number of each, each kind with the same weight. Printed is how much it depends on the choice: the cosine between the means of two halves, and between
each kind's own mean and that of the other nine. `--write` replaces the file that ships.

The texts are those of the folder `reader` (see its README for sources and licences); VANTAGE_DATA names the folder that holds it.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.machine import data_folder, print_table
from retrieval.embedders.openvino_embedder import ComputeOptions, OpenVinoEmbedder
from retrieval.embedders.transformer_models import GRANITE

TARGET = Path(__file__).resolve().parent.parent / "retrieval" / "embedders" / "data" / GRANITE.mean
SEED, CHARACTERS = 11, 1000  # of a passage: about what a chunk holds
KINDS = {
    "reviews": ("squadshifts_amazon_reviews", "context"),
    "posts": ("squadshifts_reddit", "context"),
    "articles": ("squadshifts_new_wiki", "context"),
    "web answers": ("nq_qed", "context"),
    "contracts": ("cuad", "context"),
    "tales": ("fairytaleqa", "context"),
    "papers": ("covid_qa", "context"),
    "tables": ("wikitablequestions", "context"),
    "annual reports": ("tatqa", "context"),
    "health pages": ("medquad_relevance", "positive"),
}


def passages(path: Path, field: str) -> Iterator[str]:
    """Yield each text of a file once, from its beginning, cut where a long one would be cut into chunks."""
    seen = set()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            text = " ".join(json.loads(line)[field].split())
            if text[:200] not in seen:
                seen.add(text[:200])
                yield text[:CHARACTERS]


async def embed_passages(embedder: OpenVinoEmbedder, folder: Path, count: int) -> dict[str, NDArray[np.float32]]:
    """Return kind -> unit vectors [count or fewer, dimension] of passages drawn by chance."""
    found = {}
    for kind, (name, field) in KINDS.items():
        every = list(passages(folder / f"{name}.jsonl.gz", field))
        drawn = random.Random(SEED).sample(every, min(count, len(every)))
        found[kind] = (await embedder.embed_passages(drawn)).vectors
    return found


def cosine(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


async def run(folder: Path, count: int, *, write: bool) -> None:
    embedder = OpenVinoEmbedder(replace(GRANITE, mean=""), ComputeOptions("f32"))
    found = await embed_passages(embedder, folder, count)
    means = {kind: rows.mean(axis=0) for kind, rows in found.items()}
    mean = np.mean(list(means.values()), axis=0).astype(np.float32)
    halves = [np.mean([rows[part::2].mean(axis=0) for rows in found.values()], axis=0) for part in (0, 1)]
    rows = []
    for kind, own in means.items():
        others = np.mean([other for name, other in means.items() if name != kind], axis=0)
        rows.append((kind, len(found[kind]), f"{np.linalg.norm(own):.3f}", f"{cosine(own, others):.4f}"))
    print_table(("kind", "passages", "length of its mean", "cosine with the mean of the other nine"), rows)
    print(f"\nlength of the mean {np.linalg.norm(mean):.3f}; cosine between the means of two halves {cosine(*halves):.5f}")
    if write:
        np.save(TARGET, mean)
        print(f"written: {TARGET}")
    await embedder.close()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--passages", type=int, default=400, help="of each kind")
    parser.add_argument("--write", action="store_true", help="replace the vector that ships")
    chosen = parser.parse_args()
    folder = data_folder() / "reader"
    if not folder.is_dir():
        sys.stderr.write(f"skipped: {folder} is not there (set VANTAGE_DATA)\n")
        return 0
    asyncio.run(run(folder, chosen.passages, write=chosen.write))
    return 0


if __name__ == "__main__":
    sys.exit(main())
