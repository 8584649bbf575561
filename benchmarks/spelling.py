"""`python -m benchmarks.spelling`: what one misspelt word costs a question, over HTTP, with the spelling corrected and without.

100 answerable questions of squad2_500 by lot; of each one content word gets one error (a letter left out, doubled, changed for another, or two
changed over). Printed are the answers that hold a gold one: as asked, misspelt and corrected, misspelt and read letter for letter; and how many
errors were read as the very word, as another, or left. `--number`, `--seed`.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx

from benchmarks.machine import data_folder, describe, print_table
from benchmarks.served_ranking import index, rows, write_files
from core.language.stop_words import SEARCH_STOP_WORDS
from evaluation.answer_metrics import holds_answer
from tests.support.serving import ServedVantage

_WORD = re.compile(r"(?<![\w'-])[^\W\d_]{5,}(?![\w'-])")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def misspell(question: str, lot: random.Random) -> tuple[str, str] | None:
    """The question with one error, and the word that was meant; None where no content word of five letters is in it."""
    words = [match for match in _WORD.finditer(question) if match.group().lower() not in SEARCH_STOP_WORDS]
    if not words:
        return None
    match = lot.choice(words)
    word = match.group()
    at = lot.randrange(1, len(word) - 1)
    kind = lot.choice(("left out", "doubled", "changed", "over"))
    wrong = {
        "left out": word[:at] + word[at + 1 :],
        "doubled": word[:at] + word[at] + word[at:],
        "changed": word[:at] + lot.choice(_LETTERS.replace(word[at].lower(), "")) + word[at + 1 :],
        "over": word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    }[kind]
    return f"{question[: match.start()]}{wrong}{question[match.end() :]}", word


def ask(client: httpx.Client, question: str, *, correct: bool = True) -> dict[str, Any]:
    request = {"query": question, "use_memory": False, "correct_spelling": correct}
    found: dict[str, Any] = client.post("/search", json=request).raise_for_status().json()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--show", action="store_true", help="name the questions that lost their answer")
    chosen = parser.parse_args()
    folder = data_folder() / "squad2_500"
    if not folder.is_dir():
        sys.stdout.write(f"Nothing was asked: {folder} is not there.\n")
        return
    sys.stdout.write(f"{describe()}\n\n")
    lot = random.Random(chosen.seed)
    questions = [row for row in rows(folder / "queries.jsonl") if any(answer.strip() for answer in row.get("answers", []))]
    lot.shuffle(questions)
    counts = {"as asked": 0, "corrected": 0, "letter for letter": 0}
    read = {"the very word": 0, "another": 0, "left": 0}
    asked = 0
    with tempfile.TemporaryDirectory() as place:
        write_files(Path(place) / "documents", rows(folder / "corpus.jsonl"))
        server = ServedVantage(Path(place) / "home", {}).start()
        try:
            with server.client() as client:
                index(client, Path(place) / "documents")
                for row in questions:
                    made = misspell(row["text"], lot)
                    if made is None or asked == chosen.number:
                        continue
                    asked += 1
                    wrong, meant = made
                    told = {
                        "as asked": ask(client, row["text"]),
                        "corrected": ask(client, wrong),
                        "letter for letter": ask(client, wrong, correct=False),
                    }
                    held = {name: holds_answer(found["answer"], row["answers"]) for name, found in told.items()}
                    counts = {name: counts[name] + held[name] for name in counts}
                    fixes = told["corrected"]["spelling"]
                    right = [fix for fix in fixes if fix["meant"].lower() == meant.lower()]
                    read["the very word" if right else "another" if fixes else "left"] += 1
                    if chosen.show and held["as asked"] and not held["corrected"]:
                        sys.stdout.write(f"{wrong}  (meant {meant}; read {fixes})\n")
        finally:
            server.stop()
    print_table(["question", "holds a gold answer"], [[name, f"{count} of {asked}"] for name, count in counts.items()])
    sys.stdout.write("\n")
    print_table(["a misspelt word was read as", ""], [[name, count] for name, count in read.items()])


if __name__ == "__main__":
    main()
