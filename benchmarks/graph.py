"""The knowledge graph measured: what the rules read and how fast, which names resolve, and how long the view and Apollo take.

`python -m benchmarks.graph [--misses]`; `--memory` prints the memory of the view alone, and walks over a made library. Sentences of the NER sets are
read one by one, as documents of a line; the pairs of the entity-resolution sets are compared by title or name alone.
"""

from __future__ import annotations

import asyncio
import gc
import json
import pickle
import random
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agents.graph_expansion.agent import GraphQuestion, expand_graph
from benchmarks.machine import data_folder, describe, percentile
from core.documents import ExtractedDocument
from core.graph import EntityType
from core.ports.graph_store import StoredGraph
from graph.extraction import extract_graph
from graph.graph_view import GraphView
from graph.normalisation import MIN_SIMILARITY, key_of, similarity, token_of, tokens_in
from graph.written_names import unpack_name
from ingestion.readers.base.document_builder import DocumentBuilder
from tests.support.graphs import MemoryGraphStore

CHUNK = 1_100  # characters of 256 tokens, about
PERSON, ORGANIZATION, LOCATION = EntityType.PERSON, EntityType.ORGANIZATION, EntityType.LOCATION
GOLD: dict[str, EntityType | None] = {
    "person": PERSON, "politician": PERSON, "organisation": ORGANIZATION, "politicalparty": ORGANIZATION, "corporation": ORGANIZATION,
    "location": LOCATION, "country": LOCATION,
}  # fmt: skip
NER = ("crossner_politics_test", "wnut17_dev", "wnut17_test")
RESOLUTION = {"dblp-acm.test": "title", "textual_abt-buy.test": "name"}
MULTIHOP = ("hipporag_hotpotqa_train100", "hipporag_musique_train100")

Span = tuple[int, int]


class NameScore(NamedTuple):
    right: int
    found: int
    wanted: int

    def __str__(self) -> str:
        precision, recall = self.right / max(1, self.found), self.right / max(1, self.wanted)
        return f"{precision:>8.3f}{recall:>8.3f}{2 * precision * recall / max(1e-9, precision + recall):>8.3f}"


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def make_page(title: str, text: str) -> ExtractedDocument:
    builder = DocumentBuilder("benchmark")
    if title:
        builder.heading(" ".join(title.split()))
    builder.paragraph(text or "-")
    return builder.build()


# ---------------------------------------------------------------------------------------------------------------- extraction
def gold_spans(row: dict[str, Any]) -> dict[Span, str]:
    starts, place = [], 0
    for token in row["tokens"]:
        starts.append(place)
        place += len(token) + 1
    ends = [start + len(token) for start, token in zip(starts, row["tokens"], strict=True)]
    return {(starts[each["start"]], ends[each["end"] - 1]): each["type"] for each in row["entities"]}


def found_spans(text: str) -> dict[Span, EntityType]:
    document = make_page("", text)
    named = (
        each for each in extract_graph(document, "a.txt", "").entities if each.entity_type in (PERSON, ORGANIZATION, LOCATION, EntityType.CONCEPT)
    )
    return {span: each.entity_type for each in named for span in each.mentions}


def measure_names(path: Path, *, misses: bool) -> tuple[NameScore, dict[EntityType, NameScore]]:
    """Exact spans whatever their type, and exact spans with the type for those types that the rules tell apart."""
    right = found = wanted = 0
    typed: dict[EntityType, Counter[str]] = {kind: Counter() for kind in (PERSON, ORGANIZATION, LOCATION)}
    for row in rows(path):
        gold, seen = gold_spans(row), found_spans(row["text"])
        right, found, wanted = right + len(gold.keys() & seen.keys()), found + len(seen), wanted + len(gold)
        for span, kind in seen.items():
            if kind in typed:
                typed[kind]["found"] += 1
                typed[kind]["right"] += GOLD.get(gold.get(span, "")) is kind
        for name in gold.values():
            if kind_of := GOLD.get(name):
                typed[kind_of]["wanted"] += 1
        if misses and gold.keys() != seen.keys():
            texts = [sorted(row["text"][a:b] for a, b in some) for some in (gold.keys() - seen.keys(), seen.keys() - gold.keys())]
            print(f"    missed {texts[0]}, invented {texts[1]}")
    return NameScore(right, found, wanted), {kind: NameScore(each["right"], each["found"], each["wanted"]) for kind, each in typed.items()}


def print_names(folder: Path, *, misses: bool) -> None:
    print(f"{'names':<26}{'precision':>10}{'recall':>8}{'F1':>8}")
    for name in NER:
        path = folder / "ner" / f"{name}.jsonl"
        if not path.is_file():
            print(f"{name:<26} skipped: {path} is not there (set VANTAGE_DATA)")
            continue
        every, typed = measure_names(path, misses=misses)
        print(f"{name:<28}{every}")
        for kind, score in typed.items():
            print(f"  {kind.value.lower():<26}{score}")


def print_speed(folder: Path) -> None:
    for name in MULTIHOP:
        path = folder / name / "corpus.jsonl"
        if not path.is_file():
            continue
        documents = [(make_page(row["title"], row["text"]), row["title"]) for row in rows(path)]
        started = time.process_time()
        graphs = [extract_graph(document, "a.txt", title) for document, title in documents]
        seconds = time.process_time() - started
        chunks = sum(len(document.text) for document, _ in documents) / CHUNK
        entities, related = sum(len(each.entities) for each in graphs), sum(len(each.relationships) for each in graphs)
        print(f"{name}: {seconds * 1000 / chunks:.2f} ms of processor time for {CHUNK} characters; {entities / len(graphs):.1f} entities and "
              f"{related / len(graphs):.1f} relationships a document")  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------- resolution
def print_resolution(folder: Path) -> None:
    print(f"{'same thing by name':<26}{'precision':>10}{'recall':>8}{'F1':>8}")
    for name, field in RESOLUTION.items():
        path = folder / "entity_resolution" / f"{name}.jsonl"
        if not path.is_file():
            print(f"{name:<26} skipped: {path} is not there (set VANTAGE_DATA)")
            continue
        right = found = wanted = 0
        for row in rows(path):
            same = similarity(key_of(row["left"][field]), key_of(row["right"][field]), EntityType.CONCEPT) > MIN_SIMILARITY
            right, found, wanted = right + (same and row["match"] == 1), found + same, wanted + (row["match"] == 1)
        print(f"{name:<28}{NameScore(right, found, wanted)}")


# ---------------------------------------------------------------------------------------------------------------- the view
async def print_view(folder: Path) -> None:
    for name in MULTIHOP:
        if not (folder / name / "corpus.jsonl").is_file():
            print(f"{name}: skipped, {folder / name} is not there (set VANTAGE_DATA)")
            continue
        store = MemoryGraphStore()
        passages = 0
        for row in rows(folder / name / "corpus.jsonl"):
            store.put_document(str(row["id"]), make_page(row["title"], row["text"]), row["title"])
            passages += 1
        tracemalloc.start()
        view = GraphView(store)
        counts = await view.counts("default")
        memory = tracemalloc.get_traced_memory()[0] / 1e6
        tracemalloc.stop()
        view, started = GraphView(store), time.perf_counter()
        await view.counts("default")
        seconds = time.perf_counter() - started
        print(f"{name}: {passages} passages, {counts.entities} entities, {counts.relationships} related pairs; view built in "
              f"{seconds:.2f} s, {memory / passages * 1000:.1f} MB for 1,000 passages")  # fmt: skip
        questions = [str(row["text"]) for row in rows(folder / name / "queries.jsonl")]
        for hops in (0, 1, 2):
            taken, known = await measure_expansions(view, questions, hops)
            print(f"  expansion, {hops} hops: p50 {percentile(taken, 0.5):.2f} ms, p95 {percentile(taken, 0.95):.2f} ms; "
                  f"{known / len(questions):.2f} of the questions name something")  # fmt: skip


async def print_hub(documents: int = 4_000) -> None:
    """A firm that every document of a made-up library names, each time with other people: the first expansion after a change, and the next."""
    chance = random.Random(1)

    def name() -> str:
        return "".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(4)).capitalize()

    store = MemoryGraphStore()
    for number in range(documents):
        one, two = f"Mara {name()}", f"Tobias {name()}"
        store.put_document(
            str(number), make_page("", f"{one} works at Trevanion Docks Ltd. {two} joined Trevanion Docks Ltd with {name()} {name()} in Port Elver.")
        )
    view = GraphView(store)
    await view.counts("default")
    for hops in (1, 2):
        store.put_document("changed", make_page("", f"Ines {name()} joined Trevanion Docks Ltd."))
        await view.counts("default")
        taken, _ = await measure_expansions(view, ["Who works at Trevanion Docks Ltd?"] * 9, hops)
        print(f"a name of {documents:,} documents, {hops} hops: first expansion {taken[0]:.1f} ms, then p50 {percentile(taken[1:], 0.5):.1f} ms")


class FreshCopies(MemoryGraphStore):
    """A store that makes what it gives anew, as one in SQL does: what the view keeps of it is counted."""

    async def load(self, tenant: str, document_ids: Sequence[str]) -> list[StoredGraph]:
        return list(pickle.loads(pickle.dumps(await super().load(tenant, document_ids))))


def make_sentences(chance: random.Random, names: Sequence[str]) -> str:
    """Three sentences of two names each, some names far more often than others."""
    pairs = [[names[int(len(names) * chance.random() ** 3)] for _ in range(2)] for _ in range(3)]
    return " ".join(f"{one} Ltd wrote to {other} in Port {one} on 3 May 20{chance.randrange(10, 26)}." for one, other in pairs)


async def print_memory(documents: int) -> None:
    """The view of a made library, a passage a document: memory without what is cached of constant size, loading and walks."""
    chance = random.Random(3)
    names = ["".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(5)).capitalize() for _ in range(documents)]
    store = FreshCopies()
    for number in range(documents):
        store.put_document(str(number), make_page(f"Letter {number}", make_sentences(chance, names)), f"Letter {number}")
    tracemalloc.start()
    view, started = GraphView(store), time.process_time()
    await view.counts("default")
    seconds = time.process_time() - started
    for cached in (key_of, token_of, tokens_in, unpack_name):
        cached.cache_clear()
    gc.collect()
    memory = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    print(f"{documents:,} made passages: {memory / documents * 1000:.2f} MB for 1,000, loaded in {seconds:.1f} s of processor time (traced)")
    taken = [(await measure_expansions(view, [f"What did {name} Ltd write?"], 2))[0][0] for name in names[:200]]
    print(f"  expansion, 2 hops: p50 {percentile(taken, 0.5):.2f} ms, p95 {percentile(taken, 0.95):.2f} ms")


async def measure_expansions(view: GraphView, questions: list[str], hops: int) -> tuple[list[float], int]:
    """Milliseconds of each expansion (promised: 50 to 200), and how many questions named something."""
    taken, known = [], 0
    for question in questions:
        started = time.perf_counter()
        found = await expand_graph(GraphQuestion(text=question, tenant="default", hops=hops), graph=view)
        taken.append((time.perf_counter() - started) * 1000)
        known += bool(found.original_entities)
    return taken, known


async def main(*, misses: bool, memory: bool) -> None:
    if memory:
        for documents in (1_000, 30_000):
            await print_memory(documents)
        return
    folder = data_folder()
    print(f"{describe()}; rules alone, no model\n")
    print_names(folder, misses=misses)
    print_resolution(folder)
    print_speed(folder)
    await print_view(folder)
    await print_hub()


if __name__ == "__main__":
    asyncio.run(main(misses="--misses" in sys.argv[1:], memory="--memory" in sys.argv[1:]))
