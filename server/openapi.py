"""`python -m server.openapi` prints the API's schema: the page's types are generated from it, and `make check` compares the two."""

from __future__ import annotations

import json
import sys

from server.app import build_app


def main() -> None:
    """Write the schema to standard output, sorted, so that it changes only when the API does."""
    json.dump(build_app().openapi(), sys.stdout, indent=1, sort_keys=True, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
