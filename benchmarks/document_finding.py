"""`python -m benchmarks.document_finding`: requests for documents over a mixed library, over HTTP, and whether exactly the right files are listed.

A request is right where the files of all pages of the list are those that are meant, or where it is said that there is none. Of an answer that is no
list the files of its results count for recall and precision, but the request is not right. `--misses` names what was wrong, `--home` keeps the
library between runs. `--set` asks the `first` requests, the `fresh` ones, written after the first had been mended, or the `later` ones, written after
those.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import httpx

from benchmarks.document_library import copy_files
from benchmarks.document_requests import FIRST_REQUESTS, FRESH_REQUESTS, LATER_REQUESTS, RequestCase
from benchmarks.machine import data_folder, describe, print_table
from benchmarks.served_ranking import index
from tests.support.serving import ServedVantage

_PAGE = 10  # documents that one request asks for
SETS = {"first": FIRST_REQUESTS, "fresh": FRESH_REQUESTS, "later": LATER_REQUESTS}


@dataclass(frozen=True)
class FoundFiles:
    """What came back: the file names of all pages, whether they are a list, and the status."""

    files: frozenset[str]
    listed: bool
    status: str


@dataclass(frozen=True)
class JudgedRequest:
    """`lost` are files that are meant and missing, `wrong` those that are listed and not meant."""

    wanted: RequestCase
    found: FoundFiles
    expected: frozenset[str]
    lost: frozenset[str]
    wrong: frozenset[str]

    @property
    def is_right(self) -> bool:
        if not self.expected:
            return self.found.status == "not_found" or (self.found.listed and not self.found.files)
        return self.found.listed and not self.lost and not self.wrong

    @property
    def is_denied(self) -> bool:
        """Whether it was said that there is none although there is."""
        return bool(self.expected) and self.found.status == "not_found"

    @property
    def recall(self) -> float:
        return 1 - len(self.lost) / len(self.expected) if self.expected else float(self.is_right)

    @property
    def precision(self) -> float:
        return 1 - len(self.wrong) / len(self.found.files) if self.found.files else float(not self.expected)


def list_library(client: httpx.Client) -> list[str]:
    """The names of all documents."""
    names: list[str] = []
    cursor: str | None = None
    while True:
        page = client.get("/documents", params={"limit": 200, **({"cursor": cursor} if cursor else {})}).raise_for_status().json()
        names += [str(each["filename"]) for each in page["documents"]]
        cursor = page["next_cursor"]
        if not cursor:
            return names


def ask(client: httpx.Client, request: str) -> FoundFiles:
    files: set[str] = set()
    offset = 0
    while True:
        body = {"query": request, "use_memory": False, "top_k": _PAGE, **({"offset": offset} if offset else {})}
        said: dict[str, Any] = client.post("/search", json=body).raise_for_status().json()
        page = [str(result["filename"]) for result in said["results"]]
        files |= set(page)
        offset += len(page)
        listed = said["answer_kind"] == "documents"
        if not listed or not page or offset >= said["searched"]["listed"]:
            return FoundFiles(frozenset(files), listed, said["status"])


def match_patterns(patterns: str, names: Iterable[str]) -> frozenset[str]:
    """The names that the patterns stand for. ValueError for a pattern that stands for none: the library is not the one that is meant."""
    names = list(names)
    empty = [each for each in patterns.split() if not any(fnmatchcase(name, each) for name in names)]
    if empty:
        raise ValueError(f"no document of the library is called {', '.join(empty)}")
    return frozenset(name for name in names if any(fnmatchcase(name, each) for each in patterns.split()))


def judge(wanted: RequestCase, found: FoundFiles, names: Sequence[str]) -> JudgedRequest:
    expected, allowed = match_patterns(wanted.wanted, names), match_patterns(wanted.allowed, names)
    shown = found.files if expected or found.listed else frozenset()  # the nearest passages beside "not found" list nothing
    return JudgedRequest(wanted, found, expected, expected - shown, shown - expected - allowed)


def row(name: str, judged: Sequence[JudgedRequest]) -> list[object]:
    there = [each for each in judged if each.expected]
    return [
        name,
        f"{sum(each.is_right for each in judged)} of {len(judged)}",
        f"{sum(each.recall for each in there) / len(there):.3f}",
        f"{sum(each.precision for each in there) / len(there):.3f}",
        sum(each.is_denied for each in judged),
        f"{sum(each.is_right for each in judged if not each.expected)} of {len(judged) - len(there)}",
    ]


def report(judged: dict[str, list[JudgedRequest]], *, misses: bool) -> None:
    for each in (each for group in judged.values() for each in group if misses and not each.is_right):
        how = "listed" if each.found.listed else each.found.status
        sys.stdout.write(f"{each.wanted.request}  ({how})\n    lost {sorted(each.lost)}\n    wrong {sorted(each.wrong)}\n")
    together = [each for group in judged.values() for each in group]
    head = ("asked for by", "the right set", "recall", "precision", "denied though there", "said that there is none")
    print_table(head, [*(row(name, group) for name, group in judged.items()), row("together", together)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", choices=sorted(SETS), default="first")
    parser.add_argument("--home", type=Path, help="a folder that holds the library from an earlier run, or will")
    parser.add_argument("--misses", action="store_true", help="name the requests that were not answered right")
    chosen = parser.parse_args()
    data = data_folder() / "documents"
    if not data.is_dir():
        sys.stdout.write(f"Nothing was asked: {data} is not there.\n")
        return
    sys.stdout.write(f"{describe()}\n\n")
    with tempfile.TemporaryDirectory() as place:
        home = chosen.home or Path(place)
        fresh = not (home / "files").is_dir()
        if fresh:
            copy_files(data, home / "files", datetime.now(UTC))
        server = ServedVantage(home / "home", {}).start()
        try:
            with server.client() as client:
                if fresh:
                    index(client, home / "files")
                names = list_library(client)
                judged = {group: [judge(each, ask(client, each.request), names) for each in asked] for group, asked in SETS[chosen.set].items()}
        finally:
            server.stop()
    sys.stdout.write(f"{len(names)} documents.\n\n")
    report({str(group): each for group, each in judged.items()}, misses=chosen.misses)


if __name__ == "__main__":
    main()
