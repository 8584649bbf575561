"""Ranking as a user meets it: files indexed by a server, questions over HTTP, both embedders side by side.

    python -m benchmarks.served_ranking [cranfield scifact hotpotqa musique] [--embedder NAME …] [--chunk-tokens 256]

Each document is a text file with its title in the first line; each question is a POST /search with ten results and nothing else said. Printed are
nDCG@10 and recall@5 of the documents; where the set has answers the share that holds a gold one, and the verdicts that are right (yes, no); the
questions that were called "not found" or asked back; passages a second while indexing; and the server's memory after the last question.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks.corpora import SHORT_NAMES
from benchmarks.machine import data_folder, describe, percentile, print_table
from evaluation.answers import holds_answer
from evaluation.ranking import ndcg, recall
from retrieval.embedders.transformer_models import MODELS
from tests.support.serving import Served, wait_for_job

LONGEST = 7200.0  # seconds that indexing a set may take


@dataclass(frozen=True)
class Asked:
    """What came back for one question: the ranked documents, the status, the answer and the milliseconds."""

    ranking: list[str]
    status: str
    answer: str
    ms: float


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def grades(path: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        found.setdefault(query, {})[document] = float(grade)
    return found


def write_files(folder: Path, documents: Iterable[dict[str, Any]]) -> None:
    """One text file a document, named by its id."""
    folder.mkdir(parents=True, exist_ok=True)
    for row in documents:
        title, text = row.get("title", "").strip(), row["text"].strip()
        body = text.removeprefix(title).strip() if title else text
        (folder / f"{row['id']}.txt").write_text(f"{title}\n\n{body}\n" if title else f"{body}\n", encoding="utf-8")


def index(client: httpx.Client, folder: Path) -> float:
    """Index a folder; returns passages a second."""
    started = time.perf_counter()
    job = client.post("/index", json={"path": str(folder)}).raise_for_status().json()
    wait_for_job(client, job["id"], LONGEST)
    took = time.perf_counter() - started
    chunks = client.get("/health").json()["library"]["chunks"]
    return float(chunks) / took


def ask(client: httpx.Client, question: str, **more: Any) -> Asked:
    started = time.perf_counter()
    found = client.post("/search", json={"query": question, "top_k": 10, **more}).raise_for_status().json()
    ms = (time.perf_counter() - started) * 1000
    return Asked([Path(result["filename"]).stem for result in found["results"]], found["status"], found["answer"], ms)


def memory(server: Served) -> float:
    """Resident memory of the server's own process in MiB."""
    return float(psutil.Process(server.process.pid).memory_info().rss) / 2**20 if server.process else 0.0


def measure(name: str, model: str, settings: dict[str, str]) -> list[object]:
    folder = data_folder() / SHORT_NAMES.get(name, name)
    questions = {str(row["id"]): row for row in rows(folder / "queries.jsonl")}
    queries = {query: str(row["text"]) for query, row in questions.items()}
    judged = grades(folder / "qrels.tsv")
    with tempfile.TemporaryDirectory() as place:
        write_files(Path(place) / "documents", rows(folder / "corpus.jsonl"))
        server = Served(Path(place) / "home", {"VANTAGE_EMBEDDING__MODEL": model, **settings}).start()
        try:
            with server.client() as client:
                rate = index(client, Path(place) / "documents")
                asked = {query: ask(client, queries[query]) for query in judged}
            used = memory(server)
        finally:
            server.stop()
    gains = [ndcg(asked[query].ranking, grade, 10) for query, grade in judged.items()]
    recalls = [recall(asked[query].ranking, grade, 5) for query, grade in judged.items()]
    silent = sum(each.status == "not_found" for each in asked.values())
    asking = sum(each.status == "clarification_needed" for each in asked.values())
    times = [each.ms for each in asked.values()]
    mean = [f"{sum(values) / len(values):.3f}" for values in (gains, recalls)]
    gold = {query: [str(answer) for answer in questions[query].get("answers", [])] for query in asked}
    return [
        name,
        model,
        len(judged),
        *mean,
        *held(asked, gold),
        silent,
        asking,
        f"{percentile(times, 0.5):.0f} / {percentile(times, 0.95):.0f}",
        f"{rate:.1f}",
        f"{used:.0f}",
    ]


def held(asked: Mapping[str, Asked], gold: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """The share of answers that hold a gold one, of those that are no yes or no; and how many verdicts are right."""
    judged = {query: answers for query, answers in gold.items() if answers}
    verdicts = {query for query, answers in judged.items() if {answer.lower() for answer in answers} <= {"yes", "no"}}
    found = [holds_answer(asked[query].answer, answers) for query, answers in judged.items() if query not in verdicts]
    right = sum(asked[query].answer.lower().startswith(judged[query][0].lower()) for query in verdicts)
    return (f"{sum(found) / len(found):.3f}" if found else "", f"{right} of {len(verdicts)}" if verdicts else "")


def main(names: Sequence[str], models: Sequence[str], settings: dict[str, str]) -> int:
    sys.stdout.write(f"{describe()}\n\n")
    table = []
    for name in names:
        if not (data_folder() / SHORT_NAMES.get(name, name) / "corpus.jsonl").is_file():
            sys.stderr.write(f"{name}: skipped, its folder is not in {data_folder()} (set VANTAGE_DATA)\n")
            continue
        for model in models:
            table.append(measure(name, model, settings))
            sys.stderr.write(f"{' '.join(map(str, table[-1]))}\n")
    head = (
        "set",
        "embedder",
        "questions",
        "nDCG@10",
        "recall@5",
        "gold inside",
        "verdicts",
        "not found",
        "asked back",
        "ms p50 / p95",
        "passages/s indexed",
        "memory MiB",
    )
    print_table(head, table)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=["cranfield", "scifact", "hotpotqa", "musique"])
    parser.add_argument("--embedder", nargs="+", default=[model.name for model in MODELS])
    parser.add_argument("--chunk-tokens", type=int, default=256)
    chosen = parser.parse_args()
    sys.exit(main(chosen.names, chosen.embedder, {"VANTAGE_INGESTION__CHUNK_TOKENS": str(chosen.chunk_tokens)}))
