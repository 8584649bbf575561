"""Questions for yes or no with the short documents that decide them, or do not (yes_no_cases.toml)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from core.answers import Evidence
from core.documents import BlockKind
from tests.support.evidence import evidence

_CASES = Path(__file__).with_name("yes_no_cases.toml")


class YesNoCase(NamedTuple):
    """A question, the passages that are found for it, and what is right: "yes", "no" or "none"."""

    half: str
    question: str
    evidence: list[Evidence]
    right: str


def read_cases(half: str) -> list[YesNoCase]:
    """Return the cases of a half; each question is asked over its own document and the two behind it, as a search brings others, too."""
    documents = [row for row in tomllib.loads(_CASES.read_text(encoding="utf-8"))["documents"] if row["half"] == half]
    passages = [_passage(row["title"], row["text"].strip(), place) for place, row in enumerate(documents)]
    return [
        YesNoCase(half, question, [passages[(place + step) % len(passages)] for step in range(min(3, len(passages)))], right)
        for place, row in enumerate(documents)
        for question, right in row["questions"]
    ]


def _passage(title: str, text: str, place: int) -> Evidence:
    """Return a text as one passage with its blocks: headings behind "# ", lists behind "- ", tables where each line has a " | "."""
    blocks: list[tuple[BlockKind, int, int]] = []
    whole = ""
    for part in text.split("\n\n"):
        kind = BlockKind.HEADING if part.startswith("# ") else BlockKind.LIST_ITEM if part.startswith("- ") else BlockKind.PARAGRAPH
        kind = BlockKind.TABLE if all(" | " in line for line in part.splitlines()) else kind
        body = part.removeprefix("# ")
        start = len(whole) + (2 if whole else 0)
        whole = f"{whole}\n\n{body}" if whole else body
        blocks.append((kind, start, start + len(body)))
    return evidence(whole, document=f"document-{place}", title=title, blocks=blocks)
