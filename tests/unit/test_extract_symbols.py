"""Code under the names of what it defines, and large files of text that are read piece by piece."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.documents import ExtractedDocument
from core.errors import LimitExceeded, Malformed
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.registry import extract


def _read(text: str, name: str) -> ExtractedDocument:
    return extract(Source(text.encode(), name))


@pytest.mark.parametrize(
    ("name", "text", "symbols"),
    [
        ("a.py", "import os\n\n@cache\ndef add(a):\n    return a\n\nclass Box(list):\n    x = 1\n", ["", "add", "class Box"]),
        ("a.go", "package main\n\nfunc (b *Box) Size() int {\n\treturn 1\n}\n\ntype Box struct {\n\tx int\n}\n", ["", "Size", "Box"]),
        ("a.rs", "use x;\n\npub fn size<T>(a: T) -> u32 {\n    1\n}\n\nimpl Box {\n}\n", ["", "size", "impl Box"]),
        ("a.sql", "create table if not exists users (id int);\n\nCREATE VIEW v AS select 1;\n", ["users", "v"]),
        ("a.ts", "export default async function load(x: string) {\n}\n\nexport interface Shape {\n}\n", ["load", "interface Shape"]),
    ],
)
def test_definitions_name_their_sections(name: str, text: str, symbols: list[str]) -> None:
    assert [" ".join(section.path) for section in _read(text, name).sections] == symbols


def test_a_long_class_is_cut_before_its_methods() -> None:
    methods = "".join(f"\n    # number {n}\n    @property\n    def method_{n}(self):\n" + "        work()\n" * 12 for n in range(30))
    document = _read("class Box:\n    x = 1\n" + methods, "a.py")
    assert [section.path for section in document.sections] == [("class Box",), *[("class Box", f"method_{n}") for n in range(30)]]
    for block in document.blocks[1:]:
        assert document.text[block.start : block.end].startswith("    # number")


def test_methods_of_java_have_no_word_before_them() -> None:
    methods = "".join(
        f"\n    @Override\n    public String m{n}(String s) throws E {{\n        for (int i = 0; i < 3; i++) {{\n        }}\n    }}\n"
        for n in range(12)
    )
    paths = [section.path for section in _read(f"package a;\n\npublic class Box {{\n    int x;\n{methods}}}\n", "a.java").sections]
    assert paths == [(), ("class Box",), *[("class Box", f"m{n}") for n in range(12)]]


# -- large files -------------------------------------------------------------------------------------------------------------------------


def _large(path: Path, **limits: Any) -> ExtractedDocument:
    """The file as the worker gives a large one: by its path, with its first bytes."""
    return extract(Source(path.read_bytes()[:100], path.name, ExtractionLimits(**limits), path=path))


def test_a_large_csv_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("n,m\n" + "".join(f"{n},ü\n" for n in range(5_000)), encoding="utf-8")
    assert len(_large(path).tables[0].rows) == 5_001
    cut = _large(path, cells=200)
    assert cut.warnings == ("Only the first 100 of 5,001 rows of 2 columns were read.",)


def test_rows_of_a_very_large_csv_are_counted_by_their_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingestion.readers.text.delimited_files._COUNTED", 1_000)
    path = tmp_path / "a.csv"
    path.write_text("n,m\n" + "1,2\n" * 50_000, encoding="utf-8")
    assert "rows of 2 columns" in _large(path, cells=200).warnings[0]
    assert "of about " in _large(path, cells=200).warnings[0]


def test_a_line_without_end_is_never_in_memory_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('a,b\n"' + "x" * 100_000, encoding="utf-8")
    with pytest.raises(Malformed, match="cannot be read"):
        _large(path, characters=10_000)
    path.write_text("x" * 100_000, encoding="utf-8")
    with pytest.raises(LimitExceeded, match="no table"):
        _large(path, characters=10_000)


@pytest.mark.parametrize(
    ("name", "line"), [("a.txt", "words and words\n"), ("a.jsonl", '{"a": 1, "b": "x"}\n'), ("a.py", "x = 1\n"), ("a.md", "words\n\n")]
)
def test_other_large_texts_are_read_from_their_path_and_cut(tmp_path: Path, name: str, line: str) -> None:
    path = tmp_path / name
    path.write_text(line * 2_000, encoding="utf-8")
    assert not _large(path).warnings
    assert _large(path, characters=1_000, cells=50).warnings
