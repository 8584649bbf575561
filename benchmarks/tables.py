"""Tables found in PDFs: the ICDAR 2013 files under VANTAGE_DATA by cell adjacency, and how often files that have tables, or none, are told apart.

    python -m benchmarks.tables [--documents] [--missing]

The score is that of `icdar.py` in the folder `tools` beside the data, which agrees with the competition's own tool. "Without rules" is the same
files with their drawn lines left out (all, or the vertical ones): the same tables as other writers set them, which nothing was fitted to.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2

from benchmarks.extraction import documents_folder
from ingestion.readers.pdf.line_extraction import read_page
from ingestion.readers.pdf.tables import FoundTable, find_tables
from ingestion.readers.pdf.tables.geometry import read_geometry
from ingestion.readers.pdf.tables.page_tables import find_page_tables
from ingestion.readers.pdf.tables.table_model import PageGeometry

# As measured on the same 30 files by others and by an earlier prototype of ours that was fitted to them.
OTHER_TOOLS = (
    ("prototype (fitted to these files)", ".990 / .992", ".10"),
    ("published results of a deep detector", ".815 / .882", ""),
    ("camelot hybrid", ".819 / .797", ".28"),
    ("img2table, borderless", ".768 / .867", ".5"),
    ("tabula-java guess", ".662 / .743", ".8"),
    ("pdfplumber default", ".575 / .358", ".07"),
)

Change = Callable[[PageGeometry], PageGeometry]


def load_metric() -> Any | None:
    """The module that scores tables; None where it is not there."""
    path = documents_folder().parent.parent / "tools" / "icdar.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location("icdar", path)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    sys.modules["icdar"] = module
    spec.loader.exec_module(module)
    return module


def read_tables(path: Path) -> tuple[list[FoundTable], int, float]:
    """The tables of a file, its pages, and the CPU seconds that finding tables took (without reading the text, which is done anyway)."""
    document = pypdfium2.PdfDocument(path)
    try:
        pages = [read_page(document, number) for number in range(1, len(document) + 1)]
        started = time.process_time()
        tables = find_tables(document, pages)
        return tables, len(pages), time.process_time() - started
    finally:
        document.close()


def _to_scored_table(metric: Any, table: FoundTable) -> Any:
    """A table that goes on over pages has no page of its own: it is held against those of all pages."""
    page = table.page if table.last_page is None else None
    return metric.Table(table.rows, page, table.bbox, [list(span) for span in table.spans])


def _read_changed(metric: Any, path: Path, change: Change) -> list[Any]:
    document = pypdfium2.PdfDocument(path)
    try:
        found = []
        for number in range(1, len(document) + 1):
            grids = find_page_tables(change(read_geometry(document, number)))
            found += [metric.Table(grid.rows, number, None, [list(span) for span in grid.spans]) for grid in grids]
        return found
    finally:
        document.close()


def _remove_rules(geometry: PageGeometry) -> PageGeometry:
    return replace(geometry, strong_rules=[], weak_rules=[])


def _remove_vertical_rules(geometry: PageGeometry) -> PageGeometry:
    return replace(geometry, strong_rules=[rule for rule in geometry.strong_rules if rule.horizontal], weak_rules=[])


def score_competition(metric: Any, folder: Path, *, missing: bool) -> None:
    """Score the competition's files as a whole, by halves, and without their rules."""
    paths = sorted((folder / "pdf_tables_icdar2013").glob("*.pdf"))
    results, pages, seconds = {}, 0, 0.0
    for path in paths:
        tables, count, spent = read_tables(path)
        results[path.name] = [_to_scored_table(metric, table) for table in tables]
        pages, seconds = pages + count, seconds + spent

    def score(found: dict[str, list[Any]]) -> dict[str, Any]:
        scored: dict[str, Any] = metric.evaluate(found, str(folder / "groundtruth"), str(folder / "pdf_tables_icdar2013"))
        return scored

    print(f"ICDAR 2013: {len(paths)} files, {pages} pages, {1000 * seconds / max(1, pages):.1f} ms CPU a page\n")
    print(f"{'':28} {'macro P':>8} {'R':>6} {'F1':>6}   {'micro P':>8} {'R':>6} {'F1':>6} {'found':>8} {'false':>6}")
    documents = score(results)
    _print_row("all", metric, documents)
    for label, start in (("1st, 3rd, 5th … file", 0), ("2nd, 4th, 6th … file", 1)):
        _print_row(label, metric, {name: documents[name] for name in sorted(documents)[start::2]})
    for label, change in (("without vertical rules", _remove_vertical_rules), ("without any rules", _remove_rules)):
        _print_row(label, metric, score({path.name: _read_changed(metric, path, change) for path in paths}))
    print("\nothers on the same files (macro / micro F1, CPU s a page)")
    for name, scores, cost in OTHER_TOOLS:
        print(f"  {name:36} {scores} {cost:>5}")
    if missing:
        for name, scored in sorted(documents.items(), key=lambda item: float(item[1]["f1"])):
            if scored["f1"] < 1:
                print(f"  {name:40} F1 {scored['f1']:.3f}, {scored['found']} of {scored['tables']} found, {scored['false']} false")


def _print_row(label: str, metric: Any, documents: dict[str, Any]) -> None:
    total = metric.summarise(documents)
    macro = f"{total['macro_p']:8.3f} {total['macro_r']:6.3f} {total['macro_f1']:6.3f}"
    micro = f"{total['micro_p']:8.3f} {total['micro_r']:6.3f} {total['micro_f1']:6.3f}"
    print(f"{label:28} {macro}   {micro} {total['found']:4}/{total['tables']:<3} {total['false']:6}")


def score_other_documents(folder: Path) -> None:
    """PDFs whose upstream markdown says how many tables they have: how many are found."""
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["format"] == "pdf" and not row["hostile"]]
    counted = [(row["file"], expected["md_tables"]) for row in rows if "md_tables" in (expected := json.loads(row["expected"] or "{}"))]
    found = [(name, tables, len(read_tables(folder / name)[0])) for name, tables in counted]
    without = [(name, count) for name, tables, count in found if not tables]
    print(f"\nfiles without a table: {len(without)}, tables found there: {sum(count for _, count in without)}")
    for name, tables, count in found:
        if tables != count:
            print(f"  {name}: {count} found, upstream's markdown has {tables}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--documents", action="store_true", help="also count tables in the other PDFs")
    parser.add_argument("--missing", action="store_true", help="print each file that is not read wholly as the annotation says")
    options = parser.parse_args(arguments)
    folder = documents_folder()
    metric = load_metric()
    if metric is None or not (folder / "pdf_tables_icdar2013").exists():
        print(f"skipped: no ICDAR 2013 files at {folder}, or no tools/icdar.py beside the data (set VANTAGE_DATA)")
        return
    score_competition(metric, folder, missing=options.missing)
    if options.documents:
        score_other_documents(folder)


if __name__ == "__main__":
    main()
