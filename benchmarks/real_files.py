"""Questions over some 390 real documents: `python -m benchmarks.real_files [--half judging] [--home DIR] [--keep FILE] [--misses]`.

The documents are those of the shared `documents` set that anybody can read (no hostile ones, no protected ones); the questions (`real_files.json`)
were written over them by language models that had not seen the program. Half of the files are for developing: their answers may be read. The answers
of the other half are only counted, so that what is made of the first half is judged on files that nobody looked at. `--keep` writes each response to
FILE (JSON lines, with the factors of its confidence); what FILE holds is not asked again.

Counted are, by comparison of strings: whether the lead and the answer hold what they must, whether nothing is answered where nothing is there, and
how far the shown confidence is from the share that is right.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from benchmarks.machine import data_folder, describe, print_table
from bootstrap import open_services
from core.search_schemas import SearchRequest, SearchResponse
from evaluation.answer_metrics import expected_calibration_error
from server.services import Services
from settings import Settings

QUESTIONS = Path(__file__).with_name("real_files.json")
HIGH = 0.75
_UNREAD = {".json", ".xml", ".gz", ".zip"}  # what is data for programs, and archives, whose members are files of their own

Half = Literal["developing", "judging"]


class FileQuestion(NamedTuple):
    """`gold` are groups of spellings: an answer is right where each group has one of its spellings in it. None: the library does not say."""

    id: str
    half: Half
    question: str
    gold: tuple[tuple[str, ...], ...]
    file: str
    kind: str
    language: str


class AskedFile(NamedTuple):
    """What came back for a question. `signals` are the factors of the confidence."""

    question: FileQuestion
    found: bool
    answer: str
    lead: str
    lead_kind: str
    confidence: float
    signals: dict[str, float]
    cited: list[str]

    @property
    def lead_is_right(self) -> bool:
        return bool(self.lead) and bool(self.question.gold) and holds_gold(self.lead, self.question)

    @property
    def is_right(self) -> bool:
        """Whether the answer holds what it must; where the library does not say it, whether nothing is answered."""
        if not self.question.gold:
            return not self.found
        return self.found and holds_gold(self.lead if self.question.kind == "yes_no" else self.answer, self.question)


def fold_text(text: str) -> str:
    """Letter case, white space, kinds of dashes and quotes, and thousands separators aside."""
    plain = re.sub(r"[‐-―−]", "-", text).translate({0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"'})
    return re.sub(r"\s+", "", re.sub(r"(?<=\d)[, \u00a0\u202f](?=\d{3}\b)", "", plain)).casefold()


def holds_gold(text: str, question: FileQuestion) -> bool:
    """Whether the text holds a spelling of each group; a figure not as a part of a longer one, and a verdict at the beginning."""
    folded = fold_text(text)
    if question.kind == "yes_no":
        return any(folded.startswith(fold_text(each)) for each in question.gold[0])
    return all(any(_stands_in(fold_text(spelling), folded) for spelling in group) for group in question.gold)


def _stands_in(spelling: str, text: str) -> bool:
    before, after = r"(?<![\d.])" if spelling[:1].isdigit() else "", r"(?![\d]|\.\d)" if spelling[-1:].isdigit() else ""
    return re.search(f"{before}{re.escape(spelling)}{after}", text) is not None


def load_questions(half: str) -> list[FileQuestion]:
    """The questions of one half, or of both where `half` is empty."""
    rows: list[dict[str, Any]] = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    every = [FileQuestion(**{**row, "gold": tuple(tuple(group) for group in row["gold"])}) for row in rows]
    return [each for each in every if half in {"", each.half}]


def lay_files(data: Path, folder: Path) -> int:
    """Copy the documents that anybody can read below `folder`, under their own names, and the large and odd ones that questions are about; returns
    how many there are."""
    with (data / "documents" / "manifest.csv").open(encoding="utf-8", newline="") as file:
        asked = {question.file for question in load_questions("")}
        ordinary = [row["file"] for row in csv.DictReader(file) if (not row["hostile"] and not row["password"]) or row["file"] in asked]
    names = [name for name in ordinary if Path(name).suffix.lower() not in _UNREAD]
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copyfile(data / "documents" / name, target)
    return len(names)


async def index_files(services: Services, folder: Path) -> None:
    job = await services.jobs.queue_run("default", str(folder), "default")
    async for record in services.jobs.events("default", job.id):
        if record.state in {"done", "failed", "cancelled"}:
            break


async def ask(services: Services, question: FileQuestion) -> dict[str, Any]:
    """What is kept of a response."""
    run_id = await services.runs.start(SearchRequest(query=question.question, use_memory=False), "default", "benchmark")
    response: SearchResponse = await services.runs.result("default", run_id)
    return {
        "id": question.id,
        "found": response.status == "success" and response.answer_kind != "refusal",
        "answer": response.answer,
        "lead": response.lead.text if response.lead else "",
        "lead_kind": response.lead.kind if response.lead else "",
        "confidence": response.confidence,
        "signals": response.confidence_factors,
        "cited": [citation.filename for citation in response.citations],
        "trace": run_id,
    }


def _read_kept(keep: Path | None) -> dict[str, dict[str, Any]]:
    if keep is None or not keep.is_file():
        return {}
    return {str(row["id"]): row for row in map(json.loads, keep.read_text(encoding="utf-8").splitlines())}


async def collect(questions: Sequence[FileQuestion], place: Path, keep: Path | None) -> list[AskedFile]:
    """Asks what FILE does not hold yet; each answer is written at once."""
    known = _read_kept(keep)
    if any(question.id not in known for question in questions):
        lay_files(data_folder(), place / "documents")
        async with open_services(Settings(home=place / "home")) as services:
            await index_files(services, place / "documents")
            for question in questions:
                if question.id in known:
                    continue
                known[question.id] = row = await ask(services, question)
                if keep is not None:
                    with keep.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row, ensure_ascii=False) + "\n")
    asked = []
    for question in questions:
        row = known[question.id]
        asked.append(AskedFile(question, *(row[name] for name in AskedFile._fields[1:])))
    return asked


def summarise(name: str, asked: Sequence[AskedFile]) -> list[object]:
    """One line of the table."""
    told = [each for each in asked if each.question.gold]
    silent = [each for each in asked if not each.question.gold]
    leads, shown = [each for each in told if each.lead], [each for each in asked if each.found]
    high = [each for each in shown if each.confidence >= HIGH]
    error = expected_calibration_error([each.confidence for each in shown], _judge(shown))
    right = sum(each.lead_is_right for each in leads)
    refused = sum(not each.found for each in told)
    return [
        name, len(told), len(leads), right, sum(_judge(told)), refused, _count_right(silent), _count_right(high), f"{error:.3f}",
    ]  # fmt: skip


def _judge(asked: Sequence[AskedFile]) -> list[bool]:
    return [each.is_right for each in asked]


def _count_right(asked: Sequence[AskedFile]) -> str:
    return f"{sum(_judge(asked))} of {len(asked)}"


def summarise_half(half: Half, asked: Sequence[AskedFile]) -> list[list[object]]:
    """The lines of a half: all of it, then kind by kind; none where nothing of it was asked."""
    own = [each for each in asked if each.question.half == half]
    kinds = dict.fromkeys(each.question.kind for each in own)
    by_kind = [summarise(f"{half}, {kind}", [each for each in own if each.question.kind == kind]) for kind in kinds]
    return [summarise(half, own), *by_kind] if own else []


_HEAD = (
    "",
    "questions with an answer",
    "lead shown",
    "lead right",
    "answer right",
    "refused",
    "not answered, refused",
    "high: right",
    "ECE of answers",
)


def print_misses(asked: Sequence[AskedFile]) -> None:
    for each in asked:
        if each.is_right and (each.lead_is_right or not each.lead):
            continue
        wanted = "; ".join(" / ".join(group) for group in each.question.gold) or "nothing"
        sys.stdout.write(f"\n-- {each.question.id} [{each.question.kind}, {each.question.language}] {each.question.question}\n")
        sys.stdout.write(
            f"   wants {wanted} ({each.question.file})\n   lead {each.lead!r} ({each.lead_kind}), {each.confidence:.2f}\n   {each.answer}\n"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("developing", "judging"), default="", help="only the questions of this half; both otherwise")
    parser.add_argument("--home", type=Path, help="a folder to keep home and documents in between two runs; a new one takes a quarter of an hour")
    parser.add_argument("--keep", type=Path, help="where responses are kept")
    parser.add_argument("--misses", action="store_true", help="print the answers of the developing half that fail")
    options = parser.parse_args()
    if not (data_folder() / "documents" / "manifest.csv").is_file():
        sys.stdout.write(f"skipped: no documents at {data_folder() / 'documents'} (set VANTAGE_DATA)\n")
        return
    sys.stdout.write(f"{describe()}\n\n")
    with tempfile.TemporaryDirectory() as folder:
        asked = asyncio.run(collect(load_questions(options.half), (options.home or Path(folder)).absolute(), options.keep))
    print_table(_HEAD, [row for half in get_args(Half) for row in summarise_half(half, asked)])
    if options.misses:
        print_misses([each for each in asked if each.question.half == "developing"])


if __name__ == "__main__":
    main()
