"""Memory: how fast one person's memories are searched, what of a conversation is found again, and what is offered. `python -m benchmarks.memory`

Speed: 10,000 episodes and 2,000 notes of one person in SQLite, asked through the manager as a run asks; the texts are LoCoMo's turns where the
data is there, else made up. Recall: LoCoMo's evidence turns, each question asked of its own conversation. Offers: episodes made of one question
for every other paragraph of XQuAD; asked again in its bare words, asked something else of the same paragraph, and asked of paragraphs that
memory knows nothing of: the threshold is set so that about one of twenty of the last is offered anything.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks import conversations
from benchmarks.machine import data_folder, describe, percentile, print_table
from benchmarks.models import add_embedder_option, open_embedder
from core.language.sentences import split_sentences
from core.memory import Episode, Note
from core.ports import Embedder, MemoryChange, MemoryQuestion, MemoryVector, StoredEpisode, StoredNote
from memory.episodic import relevance, text_to_embed
from memory.in_process_session import InProcessSessionMemory
from memory.line_index import DEFAULT_WEIGHTS, LineIndex, LineWeights, MemoryLine, TermAnalyser
from memory.manager import OFFER_RELEVANCE, MemoryBackends, TieredMemory
from memory.memory_dependencies import MemoryOptions
from memory.procedural import learn_preferences
from retrieval.analysis import prepare_question_text, text_analyser
from storage.database import open_database
from storage.sql_memory import SqlMemory
from storage.sql_traces import SqlTraces

_THEN = datetime(2026, 1, 1, tzinfo=UTC)
_ROUNDS = 300
VARIANTS = {
    "words alone (BM25)": LineWeights(1, 0, 0, 0, 0, 0),
    "meaning alone": LineWeights(0, 1, 0, 0, 0, 0),
    "both": DEFAULT_WEIGHTS._replace(neighbour=0, next_but_one=0, session=0, speaker=0),
    "the recipe": DEFAULT_WEIGHTS,
}


def make_analyser() -> TermAnalyser:
    analyser = text_analyser()
    return lambda text: analyser.analyze(prepare_question_text(text))


# ---------------------------------------------------------------------------------------------------------------- speed
def _make_texts(count: int) -> list[str]:
    if conversations.is_available():
        rows = (data_folder() / "locomo" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
        found = [str(json.loads(row)["text"]) for row in rows]
        return [found[place % len(found)] for place in range(count)]
    rng = np.random.default_rng(5)
    words = ["".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), size=int(rng.integers(2, 10)))) for _ in range(5000)]
    return [" ".join(words[rank] for rank in rng.zipf(1.3, size=25) % len(words)) for _ in range(count)]


def _make_memories(episodes: int, notes: int, embedder: Embedder) -> MemoryChange:
    """Rows with vectors that are random: how long a search takes does not depend on what they mean."""
    rng = np.random.default_rng(7)
    texts = _make_texts(2 * episodes + notes)

    def embedded() -> MemoryVector:
        vector = rng.normal(size=embedder.dimension)
        return MemoryVector(embedder.name, (vector / np.linalg.norm(vector)).astype(np.float16))

    kept = [
        StoredEpisode(
            Episode(
                episode_id=f"e{place}",
                user_id="ann",
                session_id=f"s{place // 10}",
                query=texts[2 * place],
                intent="document_search",
                response=texts[2 * place + 1],
                timestamp=_THEN + timedelta(minutes=place),
            ),
            embedded(),
        )
        for place in range(episodes)
    ]
    told = [
        StoredNote(Note(id=f"n{place}", user_id="ann", content=text, source="remember", created_at=_THEN, updated_at=_THEN), embedded())
        for place, text in enumerate(texts[2 * episodes :])
    ]
    return MemoryChange(episodes=kept, notes=told)


async def measure_speed(home: Path, embedder: Embedder, terms: TermAnalyser, count: int) -> list[list[str]]:
    """Rows of the table: the first recall, which reads everything, then p50 and p95 with and without the question's embedding."""
    database = open_database(home)
    store = SqlMemory(database)
    await store.apply_change("default", "ann", _make_memories(count, count // 5, embedder))
    reached = MemoryBackends(store, InProcessSessionMemory(), SqlTraces(database), embedder, terms, learn_preferences)
    memory = TieredMemory(reached, MemoryOptions(), lambda: _THEN)
    began = time.perf_counter()
    await memory.recall(MemoryQuestion("default", "ann", "the first question"))
    first = time.perf_counter() - began
    whole, embedding, processor = [], [], []
    for text in _make_texts(_ROUNDS):
        began = time.perf_counter()
        await embedder.embed_query(f"{text} …")  # another text: the embedder keeps the vectors of questions
        embedding.append((time.perf_counter() - began) * 1000)
        began, spent = time.perf_counter(), time.process_time()
        await memory.recall(MemoryQuestion("default", "ann", text))
        whole.append((time.perf_counter() - began) * 1000)
        processor.append((time.process_time() - spent) * 1000)
    await memory.close()
    await database.close()
    rest = [max(0.0, all_of_it - part) for all_of_it, part in zip(whole, embedding, strict=True)]
    rows = [[f"the first recall, {count:,} episodes and {count // 5:,} notes read", f"{first * 1000:.0f} ms", ""]]
    for name, times in (
        ("recall", whole),
        ("recall without the question's embedding", rest),
        ("the question's embedding", embedding),
        ("recall, time of the processor", processor),
    ):
        rows.append([name, f"{percentile(times, 0.5):.1f} ms", f"{percentile(times, 0.95):.1f} ms"])
    return rows


# ---------------------------------------------------------------------------------------------------------------- offers
class OfferShares(NamedTuple):
    """A kind of question: how many, the share that is offered anything, and the share that is offered the right episode."""

    kind: str
    questions: int
    anything: float
    right: float


async def measure_offers(embedder: Embedder, terms: TermAnalyser, threshold: float) -> list[OfferShares]:
    folder = data_folder() / "xquad"
    corpus = {row["id"]: row["text"] for row in map(json.loads, (folder / "corpus.en.jsonl").read_text(encoding="utf-8").splitlines())}
    queries = {row["id"]: row for row in map(json.loads, (folder / "queries.en.jsonl").read_text(encoding="utf-8").splitlines())}
    asked: dict[str, list[str]] = defaultdict(list)
    for row in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question, paragraph, _ = row.split("\t")
        if question in queries:
            asked[paragraph].append(question)
    known, foreign = sorted(asked)[::2], sorted(asked)[1::2]
    index = LineIndex(embedder.dimension, terms)
    for place, paragraph in enumerate(known):
        query = queries[asked[paragraph][0]]
        line = MemoryLine(
            paragraph, paragraph, f"{query['text']}\n{_sentence_with_answer(corpus[paragraph], query['answers'])}", _THEN + timedelta(hours=place)
        )
        index.put_line(line, (await embedder.embed_passages([text_to_embed(line, None)])).vectors[0])
    kinds = {
        "the same in bare words": [(_content_words(queries[asked[each][0]]["text"], terms), each) for each in known],
        "else of the same paragraph": [(queries[question]["text"], each) for each in known for question in asked[each][1:3]],
        "of what memory does not know": [(queries[question]["text"], "") for each in foreign for question in asked[each][:2]],
    }
    return [await _count_offers(kind, pairs, index, embedder, threshold) for kind, pairs in kinds.items()]


async def _count_offers(kind: str, pairs: list[tuple[str, str]], index: LineIndex, embedder: Embedder, threshold: float) -> OfferShares:
    anything = right = 0
    for text, wanted in pairs:
        found = [each.id for each in index.search(text, await embedder.embed_query(text), 12) if relevance(each) >= threshold][:3]
        anything += bool(found)
        right += wanted in found
    return OfferShares(kind, len(pairs), anything / len(pairs), right / len(pairs))


def _sentence_with_answer(text: str, answers: list[str]) -> str:
    """The sentence with the answer, as the composer would have quoted it."""
    sentences = [text[start:end] for start, end in split_sentences(text)]
    return next((each for each in sentences if any(answer in each for answer in answers)), sentences[0])


def _content_words(text: str, terms: TermAnalyser) -> str:
    return " ".join(word for word in re.findall(r"\w+", text) if terms(word))


async def main(count: int, model: str) -> None:
    embedder, terms = open_embedder(model), make_analyser()
    sys.stdout.write(f"{describe()}; {embedder.name} in {embedder.precision}\n\n")
    with tempfile.TemporaryDirectory() as folder:
        print_table(("one person's memory", "p50", "p95"), await measure_speed(Path(folder), embedder, terms, count))
    if conversations.is_available():
        found = await conversations.load(embedder)
        rows = [(name, conversations.measure(found, terms, weights)) for name, weights in VARIANTS.items()]
        shown = [[name, f"{each.at_5:.3f}", f"{each.at_10:.3f}", f"{each.words:.0f}"] for name, each in rows]
        sys.stdout.write("\n")
        print_table((f"LoCoMo, {len(found.asked)} questions", "R@5", "R@10", "words of ten turns"), shown)
    else:
        sys.stdout.write("\nLoCoMo: skipped, its folder is not there (set VANTAGE_DATA)\n")
    if (data_folder() / "xquad" / "corpus.en.jsonl").is_file():
        sys.stdout.write("\n")
        shown = [
            [
                f"{threshold:.2f}{' (used)' if threshold == OFFER_RELEVANCE else ''}",
                each.kind,
                str(each.questions),
                f"{each.anything:.3f}",
                f"{each.right:.3f}",
            ]
            for threshold in (0.4, OFFER_RELEVANCE, 0.6)
            for each in await measure_offers(embedder, terms, threshold)
        ]
        print_table(("offered from", "asked", "questions", "offered anything", "offered the right episode"), shown)
    await embedder.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=10_000, help="of the one person whose memory is searched")
    add_embedder_option(parser)
    chosen = parser.parse_args()
    asyncio.run(main(chosen.episodes, chosen.embedder))
