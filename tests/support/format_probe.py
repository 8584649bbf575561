"""Print what a product that has just got a format knows of its suffix: `python -m tests.support.format_probe .srt`, run in a copy."""

from __future__ import annotations

import json
import sys

from agents.document_requests.document_kinds import kind_at_start
from core.format_table import FORMATS


def _find_suffixes(words: str) -> list[str]:
    found = kind_at_start(words)
    return list(found[0].file_types) if found else []


def main() -> int:
    suffix = sys.argv[1]
    told = {words: _find_suffixes(words) for words in (f"{suffix[1:]} files", "text files")}
    viewers = [each.viewer for each in FORMATS if suffix in each.suffixes]
    sys.stdout.write(json.dumps({**told, "viewers": viewers}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
