"""Ranking as a user meets it: files indexed by a server, questions over HTTP, both embedders side by side.

    python -m benchmarks.served_ranking [cranfield scifact hotpotqa musique] [--embedder NAME …] [--chunk-tokens 256] [--homes FOLDER]
        [--no-reader] [--no-feedback]

Each document is a text file with its title in the first line; each question is a POST /search with ten results and nothing else said. Printed are
nDCG@10 and recall@5 of the documents and the share of questions with all gold documents among the first eight, and the first two of these for the
search's first list (its fusion, out of the traces), so that what is lost on the way to the answer is seen; where the set has answers the share that
holds a gold one, and the verdicts that are right (yes, no); the questions that were called "not found" or asked back; passages a second
while indexing; and the server's memory after the last question. A set that says how many hops its questions take gets a row for each number.
`--homes` keeps the indexed libraries between runs. `--no-reader` leaves the reader out: the results depend on it only where a question is asked in
steps, and questions take less time. `--no-feedback` weighs nothing a second time (`search.feedback`).
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
from evaluation.answer_metrics import holds_answer
from evaluation.ranking_metrics import all_relevant_found, ndcg, recall
from retrieval.embedders.transformer_models import MODELS
from tests.support.serving import ServedVantage, wait_for_job

FUSION = "fusion"
LONGEST = 7200.0  # seconds that indexing a set may take


@dataclass(frozen=True)
class ServedAnswer:
    """What came back for one question: the ranked documents, the status, the answer, the milliseconds and the run's id."""

    ranking: list[str]
    status: str
    answer: str
    ms: float
    trace: str = ""


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_grades(path: Path) -> dict[str, dict[str, float]]:
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


def ask(client: httpx.Client, question: str, **more: Any) -> ServedAnswer:
    started = time.perf_counter()
    found = client.post("/search", json={"query": question, "top_k": 10, **more}).raise_for_status().json()
    ms = (time.perf_counter() - started) * 1000
    ranking = [Path(result["filename"]).stem for result in found["results"]]
    return ServedAnswer(ranking, found["status"], found["answer"], ms, found["trace_id"])


def fused_ranking(client: httpx.Client, trace: str) -> list[str]:
    """The documents in the order of the fused search, before anything else moved them."""
    moves = client.get(f"/traces/{trace}").raise_for_status().json()["moves"]
    placed = sorted((move["stages"][FUSION][0], Path(move["label"]).stem) for move in moves if FUSION in move["stages"])
    return list(dict.fromkeys(name for _, name in placed))


def resident_mib(server: ServedVantage) -> float:
    """Resident memory of the server's own process in MiB."""
    return float(psutil.Process(server.process.pid).memory_info().rss) / 2**20 if server.process else 0.0


@dataclass(frozen=True)
class ServedFigures:
    """What a server said of one set: what came back for each question, the search's first list of each, passages a second, and MiB."""

    asked: dict[str, ServedAnswer]
    first: dict[str, list[str]]
    rate: float
    memory: float


def serve(home: Path, folder: Path, queries: Mapping[str, str], settings: dict[str, str]) -> ServedFigures:
    """Index the set's files and ask. The rate is 0 for a home that was there."""
    is_new = not home.exists()
    if is_new:
        write_files(home.parent / "documents", rows(folder / "corpus.jsonl"))
    server = ServedVantage(home, settings).start()
    try:
        with server.client() as client:
            rate = index(client, home.parent / "documents")  # of a home that is kept: what an earlier run did not come to
            asked = {query: ask(client, text) for query, text in queries.items()}
            first = {query: fused_ranking(client, each.trace) for query, each in asked.items()}
        return ServedFigures(asked, first, rate if is_new else 0.0, resident_mib(server))
    finally:
        server.stop()


def measure(name: str, model: str, homes: Path, settings: dict[str, str]) -> list[list[object]]:
    """The set's row, and one for each number of hops where its questions tell it."""
    folder = data_folder() / SHORT_NAMES.get(name, name)
    questions = {str(row["id"]): row for row in rows(folder / "queries.jsonl")}
    judged = read_grades(folder / "qrels.tsv")
    place = homes / f"{name}.{model}.{settings['VANTAGE_INGESTION__CHUNK_TOKENS']}"
    queries = {query: str(questions[query]["text"]) for query in judged}
    found = serve(place / "home", folder, queries, {"VANTAGE_EMBEDDING__MODEL": model, **settings})
    gold = {query: [str(answer) for answer in questions[query].get("answers", [])] for query in found.asked}
    served = [f"{found.rate:.1f}" if found.rate else "", f"{found.memory:.0f}"]
    made: list[list[object]] = [[name, model, *question_figures(found, judged, gold, list(judged)), *served]]
    for hops in sorted({int(questions[query].get("hops", 0)) for query in judged} - {0}):
        alike = [query for query in judged if questions[query].get("hops") == hops]
        made.append([f"{name}, {hops} hops", model, *question_figures(found, judged, gold, alike), "", ""])
    return made


def question_figures(
    found: ServedFigures, judged: Mapping[str, Mapping[str, float]], gold: Mapping[str, Sequence[str]], queries: Sequence[str]
) -> list[object]:
    """The columns of a row that these questions alone decide."""
    asked = {query: found.asked[query] for query in queries}
    rankings = {query: each.ranking for query, each in asked.items()}
    whole = [all_relevant_found(ranking, judged[query], 8) for query, ranking in rankings.items()]
    times = [each.ms for each in asked.values()]
    return [
        len(queries),
        *ranking_figures(rankings, judged),
        f"{sum(whole) / max(len(whole), 1):.3f}",
        *ranking_figures({query: found.first[query] for query in queries if found.first[query]}, judged),
        *answer_figures(asked, {query: gold[query] for query in queries}),
        sum(each.status == "not_found" for each in asked.values()),
        sum(each.status == "clarification_needed" for each in asked.values()),
        f"{percentile(times, 0.5):.0f} / {percentile(times, 0.95):.0f}",
    ]


def ranking_figures(rankings: Mapping[str, Sequence[str]], judged: Mapping[str, Mapping[str, float]]) -> tuple[str, str]:
    """nDCG@10 and recall@5, over the questions that have a ranking."""
    gains = [ndcg(ranking, judged[query], 10) for query, ranking in rankings.items()]
    recalls = [recall(ranking, judged[query], 5) for query, ranking in rankings.items()]
    return f"{sum(gains) / max(len(gains), 1):.3f}", f"{sum(recalls) / max(len(recalls), 1):.3f}"


def answer_figures(asked: Mapping[str, ServedAnswer], gold: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """The share of answers that hold a gold one, of those that are no yes or no; and how many verdicts are right."""
    judged = {query: answers for query, answers in gold.items() if answers}
    verdicts = {query for query, answers in judged.items() if {answer.lower() for answer in answers} <= {"yes", "no"}}
    found = [holds_answer(asked[query].answer, answers) for query, answers in judged.items() if query not in verdicts]
    right = sum(asked[query].answer.lower().startswith(judged[query][0].lower()) for query in verdicts)
    return (f"{sum(found) / len(found):.3f}" if found else "", f"{right} of {len(verdicts)}" if verdicts else "")


def main(names: Sequence[str], models: Sequence[str], homes: Path, settings: dict[str, str]) -> int:
    sys.stdout.write(f"{describe()}\n\n")
    table: list[list[object]] = []
    for name in names:
        if not (data_folder() / SHORT_NAMES.get(name, name) / "corpus.jsonl").is_file():
            sys.stderr.write(f"{name}: skipped, its folder is not in {data_folder()} (set VANTAGE_DATA)\n")
            continue
        for model in models:
            made = measure(name, model, homes, settings)
            sys.stderr.writelines(f"{' '.join(map(str, row))}\n" for row in made)
            table += made
    head = (
        "set",
        "embedder",
        "questions",
        "nDCG@10",
        "recall@5",
        "all gold @8",
        "first list: nDCG@10",
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
    parser.add_argument("--homes", type=Path, help="a folder that keeps the indexed libraries")
    parser.add_argument("--no-reader", action="store_true")
    parser.add_argument("--no-feedback", action="store_true")
    chosen = parser.parse_args()
    chosen_settings = {"VANTAGE_INGESTION__CHUNK_TOKENS": str(chosen.chunk_tokens)}
    if chosen.no_reader:
        chosen_settings["VANTAGE_ANSWERS__READER_ENABLED"] = "false"
    if chosen.no_feedback:
        chosen_settings["VANTAGE_SEARCH__FEEDBACK__WEIGHT"] = "0"
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(main(chosen.names, chosen.embedder, chosen.homes or Path(temporary), chosen_settings))
