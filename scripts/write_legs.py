"""Copy what others know of the legs: `python -m scripts.write_legs` writes the tables that follow from `retrieval.leg_table`.

`core/leg_names.py` is for agents, orchestration and API, which import nothing of retrieval; `ui/src/traces/legTable.ts` has the page's words. A leg
that is new or gone changes the API, too: `make types` writes its schema.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from core.legs import LegDescription
from retrieval.leg_table import LEGS
from scripts.generated_tables import format_python, format_row

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "core" / "leg_names.py"
PAGE_TABLE = ROOT / "ui" / "src" / "traces" / "legTable.ts"
_HEAD = '''"""The names and words of all legs of the search. Generated from `retrieval.leg_table` by `python -m scripts.write_legs`: do not edit."""

from __future__ import annotations

from typing import Literal

from core.legs import LegDescription

'''
_PAGE_HEAD = """// The legs of the search. Generated from retrieval/leg_table.py by `python -m scripts.write_legs`: do not edit.
import { mark } from "../text/language";

export const legs = [
"""


def format_product_table(legs: Sequence[LegDescription]) -> str:
    """Return the text of `core/leg_names.py`, formatted as `make check` wants it."""
    names = ", ".join(json.dumps(leg.name) for leg in legs)
    rows = "".join(f"    {format_row(leg, LegDescription)},\n" for leg in legs)
    return format_python(f"{_HEAD}LegName = Literal[{names}]\n\nLEGS: tuple[LegDescription, ...] = (\n{rows})\n", TABLE)


def format_page_table(legs: Sequence[LegDescription]) -> str:
    """Return the text of the page's table: names in their order, with the words of charts and of the menu that leaves stages out."""
    rows = "".join(
        f"  {{ name: {_text(leg.name)}, short: {_mark(leg.short)}, word: {_mark(leg.switch)}, what: {_mark(leg.without)} }},\n" for leg in legs
    )
    return f"{_PAGE_HEAD}{rows}] as const;\n"


def _mark(words: str) -> str:
    return f"mark({_text(words)})"


def _text(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


def main() -> int:
    TABLE.write_text(format_product_table(LEGS), encoding="utf-8")
    PAGE_TABLE.write_text(format_page_table(LEGS), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
