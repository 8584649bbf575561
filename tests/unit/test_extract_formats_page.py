"""Detection, the page's copy and docs/formats.md follow what the readers declare."""

from __future__ import annotations

import ast
import importlib.util
import re
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import pytest

import ingestion
from core.format_table import FORMATS, FileType
from core.formats import FileKind, Format, Viewer
from ingestion.readers import registry
from scripts.write_formats import PAGE_TABLE, TABLE, declared_formats, format_page_table, format_product_table, reader_modules

_PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
# The first cell of each row of its tables of formats.
_CELLS = [line.split("|")[1] for line in _PAGE.partition("## Where a citation opens")[0].splitlines() if line.startswith("|") and "`." in line]
_ROWS = [frozenset(re.findall(r"`(\.[\w.]+)`", cell)) for cell in _CELLS]
_STALE = "Run `python -m scripts.write_formats`: a reader's FORMATS changed."


def _reads_files(path: Path) -> bool:
    """Whether a module has a public function `extract` that takes a source alone."""
    functions = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)]
    return any(each.name == "extract" and [arg.arg for arg in each.args.args] == ["source"] for each in functions)


def test_the_tables_are_what_the_readers_declare() -> None:
    formats = declared_formats(reader_modules())
    assert format_product_table(formats) == TABLE.read_text(encoding="utf-8"), _STALE
    assert format_page_table(formats) == PAGE_TABLE.read_text(encoding="utf-8"), _STALE


def test_every_reader_declares_its_formats() -> None:
    specs = [importlib.util.find_spec(info.name) for info in walk_packages(ingestion.__path__, "ingestion.")]
    readers = {spec.name for spec in specs if spec is not None and spec.origin is not None and _reads_files(Path(spec.origin))}
    undeclared = readers - {registry.__name__} - {each.reader for each in FORMATS}
    assert not undeclared, "These read files, but no FORMATS in them says which (docs/add-a-format.md)."


def test_every_type_has_one_reader_that_reads() -> None:
    assert set(registry.EXTRACTORS) == set(FileType) == {FileType(each.type) for each in FORMATS}
    for module in registry.EXTRACTORS.values():
        assert callable(importlib.import_module(module).extract)


@pytest.mark.parametrize("declared", [each for each in FORMATS if each.kind is not FileKind.CODE and each.all_suffixes], ids=lambda each: each.name)
def test_the_page_has_one_row_for_each_format(declared: Format) -> None:
    rows = [row for row in _ROWS if row & set(declared.all_suffixes)]
    assert len(rows) == 1, f"docs/formats.md: {declared.title} should stand in the first column of one row"
    assert rows[0] >= set(declared.all_suffixes)


def test_the_page_names_no_suffix_without_a_reader() -> None:
    assert {suffix for row in _ROWS for suffix in row} <= {suffix for each in FORMATS for suffix in each.all_suffixes}


@pytest.mark.parametrize(
    ("second", "same"),
    [
        (Format("a", "A", FileKind.DATA, Viewer.CODE, (".b",)), "name: a"),
        (Format("b", "B", FileKind.DATA, Viewer.CODE, (".b",), (".a",)), "suffix: .a"),
        (Format("b", "B", FileKind.DATA, Viewer.CODE, (".b",), file_names=("afile",)), "file name: afile"),
        (Format("b", "B", FileKind.DATA, Viewer.CODE, (".b",), type="a"), "type with a reader: a"),
    ],
)
def test_two_readers_of_the_same_are_refused(second: Format, same: str) -> None:
    modules = [ModuleType("first"), ModuleType("second")]
    modules[0].__dict__["FORMATS"] = (Format("a", "A", FileKind.DATA, Viewer.CODE, (".a",), file_names=("afile",)),)
    modules[1].__dict__["FORMATS"] = (second,)
    with pytest.raises(ValueError, match=f"declare the same {same}"):
        declared_formats(modules)
