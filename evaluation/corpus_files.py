"""The documents of a set as text files, which are indexed like a person's own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluation.evaluation_sets import read_rows, row_id

NAMES = "names.json"  # the ids of the documents by their file names


def corpus_digest(corpus: Path, how: Mapping[str, Any]) -> str:
    """Return a mark of the documents and of `how` they are indexed: the same for the same."""
    digest = hashlib.sha256(json.dumps(how, sort_keys=True, default=str).encode())
    with corpus.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()[:20]


def write_corpus(corpus: Path, folder: Path) -> dict[str, str]:
    """Write a file for each document, its title in the first line, and return the ids by file name.

    The names are numbers: an id says nothing that a search should find. Blocks. Raises InvalidInput for a row without an id.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names: dict[str, str] = {}
    for number, row in enumerate(read_rows(corpus), start=1):
        name = f"document{number:07}.txt"
        (folder / name).write_text(format_document(row), encoding="utf-8")
        names[name] = row_id(row, corpus)
    return names


def format_document(row: Mapping[str, Any]) -> str:
    """Return the title, a blank line and the text, in which the title is not repeated."""
    title, text = str(row.get("title") or "").strip(), str(row.get("text") or "").strip()
    body = text.removeprefix(title).strip() if title else text
    return f"{title}\n\n{body}\n" if title else f"{body}\n"
