"""Questions in one language, documents in another: `python -m benchmarks.cross_language [english mixed] [--every 4] [--asked zh] [--legs auto]`

Over HTTP on XQuAD's 240 paragraphs, which it has in each language. `measure_english`: English documents asked in German, Spanish, Chinese and
English, with
`search.cross_language` on auto and on never. `measure_mixed`: a third of the paragraphs each in English, German and Spanish, asked in all three.
Printed are
recall@1 and @5 of the paragraph, the share refused ("not found") though the paragraph came first, the share of answers that hold the gold answer as
the document words it, words an answer, and how many English questions came back with another ranking than without the leg. `--every` takes every n-th
question; `--asked` and `--legs` ask in fewer languages and with one setting alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from benchmarks.machine import data_folder, describe, percentile, print_table
from benchmarks.served_ranking import ServedAnswer, ask, index, resident_mib, rows, write_files
from evaluation.answer_metrics import holds_answer
from tests.support.serving import ServedVantage

ASKED_LANGUAGES = ("de", "es", "zh", "en")
MIXED_LANGUAGES = ("en", "de", "es")
LEGS = ("never", "auto")
PREPARED = 600.0  # seconds that the vectors in the background may take
TABLE_HEAD = (
    "documents",
    "asked in",
    "leg",
    "questions",
    "recall@1",
    "recall@5",
    "refused though first",
    "answer holds",
    "words",
    "ms p50 / p95",
    "other ranking",
)


@dataclass(frozen=True)
class CrossLanguageSet:
    """XQuAD: `corpus` and `queries` by language, in the same order; `paragraph` of each question."""

    corpus: dict[str, list[dict[str, Any]]]
    queries: dict[str, list[dict[str, Any]]]
    paragraph: dict[str, str]


def load(folder: Path, every: int) -> CrossLanguageSet:
    paragraph = dict(line.split("\t")[:2] for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:])
    languages = sorted({*ASKED_LANGUAGES, *MIXED_LANGUAGES})
    corpus = {language: rows(folder / f"corpus.{language}.jsonl") for language in languages}
    return CrossLanguageSet(corpus, {language: rows(folder / f"queries.{language}.jsonl")[::every] for language in languages}, paragraph)


def wait_until_prepared(client: httpx.Client) -> float:
    """Wait until the multilingual vectors are there, if they are made at all; returns the seconds."""
    started = time.monotonic()
    while time.monotonic() - started < PREPARED:
        part = next(part for part in client.get("/health").json()["parts"] if part["name"] == "other languages")
        words = part["detail"].split()
        if part["state"] == "off" or ("of" in words and words[words.index("of") - 1] == words[words.index("of") + 1]):
            return time.monotonic() - started
        time.sleep(0.2)
    raise RuntimeError("the multilingual vectors are not complete")


def row(
    names: Sequence[str],
    found: Mapping[str, ServedAnswer],
    chosen: Mapping[str, str],
    gold: Mapping[str, list[str]],
    plain: Mapping[str, ServedAnswer],
) -> list[object]:
    """One line of the table. `chosen` is question id -> paragraph, `plain` what came back without the leg."""
    first = [query for query in found if found[query].ranking[:1] == [chosen[query]]]
    five = sum(chosen[query] in found[query].ranking[:5] for query in found) / len(found)
    refused = sum(found[query].status == "not_found" for query in first) / max(len(first), 1)
    held = sum(holds_answer(found[query].answer, gold[query]) for query in found) / len(found)
    words = sum(len(each.answer.split()) for each in found.values()) / len(found)
    other = str(sum(found[query].ranking != plain[query].ranking for query in found)) if plain else ""
    times = [each.ms for each in found.values()]
    spread = f"{percentile(times, 0.5):.0f} / {percentile(times, 0.95):.0f}"
    figures = [f"{value:.3f}" for value in (len(first) / len(found), five, refused, held)]
    return [*names, len(found), *figures, f"{words:.0f}", spread, other]


def ask_in_language(client: httpx.Client, language: str, data: CrossLanguageSet) -> dict[str, ServedAnswer]:
    return {query["id"]: ask(client, query["text"]) for query in data.queries[language]}


@dataclass(frozen=True)
class BenchmarkChoices:
    """In which languages is asked, and with which settings of the leg."""

    languages: frozenset[str]
    legs: tuple[str, ...]


def measure_english(data: CrossLanguageSet, asking: BenchmarkChoices) -> list[list[object]]:
    gold = {query["id"]: query["answers"] for query in data.queries["en"]}
    plain: dict[str, dict[str, ServedAnswer]] = {}
    table = []
    with tempfile.TemporaryDirectory() as place:
        write_files(Path(place) / "documents", data.corpus["en"])
        for mode in asking.legs:
            server = ServedVantage(Path(place) / "home", {"VANTAGE_SEARCH__CROSS_LANGUAGE": mode}).start()
            try:
                with server.client() as client:
                    index(client, Path(place) / "documents")
                    # English before and after the leg was needed
                    for language in (each for each in ("en", *ASKED_LANGUAGES[:-1], "en") if each in asking.languages):
                        if language != "en":  # nobody is judged by what was answered before the vectors were there
                            ask(client, data.queries[language][0]["text"])
                            wait_until_prepared(client)
                        found = ask_in_language(client, language, data)
                        before = plain.setdefault(language, found) if mode == "never" else plain.get(language, {})
                        if mode == "never" and language == "en" and found is not before:
                            continue
                        table.append(
                            row(("English", language, mode), found, data.paragraph, gold, before if mode == "auto" and language == "en" else {})
                        )
                        sys.stderr.write(f"{' '.join(map(str, table[-1]))}\n")
                    sys.stderr.write(
                        f"memory with the leg on {mode}: {resident_mib(server):.0f} MiB; "
                        f"{wait_until_prepared(client):.0f} s until all vectors were there\n"
                    )
            finally:
                server.stop()
    return table


def measure_mixed(data: CrossLanguageSet, asking: BenchmarkChoices) -> list[list[object]]:
    """Each paragraph once, in one of the languages; every question in all of them."""
    language_of = {each["id"]: MIXED_LANGUAGES[place % len(MIXED_LANGUAGES)] for place, each in enumerate(data.corpus["en"])}
    table = []
    with tempfile.TemporaryDirectory() as place:
        for language in MIXED_LANGUAGES:
            write_files(Path(place) / "documents" / language, [each for each in data.corpus[language] if language_of[each["id"]] == language])
        gold = {
            query["id"]: query["answers"]
            for language in MIXED_LANGUAGES
            for query in data.queries[language]
            if language_of[data.paragraph[query["id"]]] == language
        }
        for mode in asking.legs:
            server = ServedVantage(Path(place) / "home", {"VANTAGE_SEARCH__CROSS_LANGUAGE": mode}).start()
            try:
                with server.client() as client:
                    index(client, Path(place) / "documents")
                    wait_until_prepared(client)
                    for language in (each for each in MIXED_LANGUAGES if each in asking.languages):
                        found = ask_in_language(client, language, data)
                        for same in (True, False):
                            part = {query: each for query, each in found.items() if (language_of[data.paragraph[query]] == language) is same}
                            table.append(
                                row(
                                    ("mixed, the same language" if same else "mixed, another language", language, mode),
                                    part,
                                    data.paragraph,
                                    gold,
                                    {},
                                )
                            )
                            sys.stderr.write(f"{' '.join(map(str, table[-1]))}\n")
            finally:
                server.stop()
    return table


def main(names: Sequence[str], every: int, asking: BenchmarkChoices) -> int:
    folder = data_folder() / "xquad"
    if not (folder / "corpus.zh.jsonl").is_file():
        sys.stderr.write(f"skipped: {folder} is not there (set VANTAGE_DATA)\n")
        return 0
    data = load(folder, every)
    sys.stdout.write(f"{describe()}\n\n")
    parts = {"english": measure_english, "mixed": measure_mixed}
    print_table(TABLE_HEAD, [line for name in names for line in parts[name](data, asking)])
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=["english", "mixed"], choices=["english", "mixed"])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--asked", nargs="+", default=list(ASKED_LANGUAGES), choices=ASKED_LANGUAGES)
    parser.add_argument("--legs", nargs="+", default=list(LEGS), choices=LEGS)
    chosen = parser.parse_args()
    sys.exit(main(chosen.names, chosen.every, BenchmarkChoices(frozenset(chosen.asked), tuple(chosen.legs))))
