"""Collect what the readers declare: `python -m scripts.write_formats` writes the table that the product reads, and the page's copy.

`core/format_table.py` is for detection, agents and server, which import no reader; `ui/src/source/formats.json` says to the page which view shows a
document and which suffixes are of which kind.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import ingestion
from core.formats import FileKind, Format, Viewer
from scripts.generated_tables import format_python, format_row

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "core" / "format_table.py"
PAGE_TABLE = ROOT / "ui" / "src" / "source" / "formats.json"
_HEAD = '''"""Every format that is read. Generated from the readers' declarations by `python -m scripts.write_formats`: do not edit."""

from __future__ import annotations

from enum import StrEnum

from core.formats import FileKind, Format, NameRole, Signature, Viewer


class FileType(StrEnum):
    """The types that detection tells apart; each has one reader."""

'''


def reader_modules() -> Iterator[ModuleType]:
    """Import and yield the modules of ingestion that declare formats."""
    for info in walk_packages(ingestion.__path__, "ingestion."):
        spec = find_spec(info.name)
        if spec is not None and spec.origin is not None and "\nFORMATS = (" in Path(spec.origin).read_text(encoding="utf-8"):
            yield import_module(info.name)


def declared_formats(modules: Iterable[ModuleType]) -> tuple[Format, ...]:
    """Collect the declarations of reader modules, by kind and name; each gets the name of its module.

    Raises:
        ValueError: two formats have one name, one suffix or one file name, or two modules read one type.
    """
    found = [
        replace(each, type=each.type or each.name, parsers=each.parsers or (each.name,), reader=module.__name__)
        for module in modules
        for each in module.FORMATS
    ]
    _check_unique([each.name for each in found], "name")
    _check_unique([suffix for each in found for suffix in each.all_suffixes], "suffix")
    _check_unique([name for each in found for name in each.file_names], "file name")
    _check_unique([kind for kind, _ in {(each.type, each.reader) for each in found}], "type with a reader")
    kinds = list(FileKind)
    return tuple(sorted(found, key=lambda each: (kinds.index(each.kind), each.name)))


def _check_unique(values: list[str], what: str) -> None:
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise ValueError(f"Two readers declare the same {what}: {', '.join(twice)}. Change FORMATS of one of them.")


def format_product_table(formats: tuple[Format, ...]) -> str:
    """Return the text of `core/format_table.py`, formatted as `make check` wants it."""
    types = "".join(f'    {name.upper()} = "{name}"\n' for name in sorted({each.type for each in formats}))
    rows = "".join(f"    {format_row(each, Format)},\n" for each in formats)
    return format_python(f"{_HEAD}{types}\n\nFORMATS: tuple[Format, ...] = (\n{rows})\n", TABLE)


def format_page_table(formats: tuple[Format, ...]) -> str:
    """Return the text of the page's copy: views by suffix and by parser, suffixes by kind, and pictures that a browser draws by itself.

    The page shows as code what it finds in neither list. A parser tells only views that a name may be wrong about: text has its name's.
    """
    shown = [each for each in formats if each.viewer is not Viewer.CODE]
    table = {
        "views": {suffix: each.viewer for each in shown for suffix in each.all_suffixes},
        "parsers": {parser: each.viewer for each in shown if each.viewer is not Viewer.TEXT for parser in each.parsers},
        "kinds": {kind: suffixes_of(kind, formats) for kind in FileKind if kind not in (FileKind.CODE, FileKind.ARCHIVE)},
        "drawnByBrowsers": [suffix for each in shown if each.viewer is Viewer.PICTURE for suffix, _ in each.inline],
    }
    return json.dumps(table, indent=2) + "\n"


def suffixes_of(kind: FileKind, formats: tuple[Format, ...]) -> list[str]:
    return [suffix for each in formats if each.kind is kind for suffix in each.suffixes]


def main() -> int:
    formats = declared_formats(reader_modules())
    TABLE.write_text(format_product_table(formats), encoding="utf-8")
    PAGE_TABLE.write_text(format_page_table(formats), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
