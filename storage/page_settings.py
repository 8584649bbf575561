"""The file in which the settings that were changed on the page are kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from settings_page import PAGE_FILE, TENANTS
from storage.disk import disk_error
from storage.home import write_atomically

_HEAD = "# Written by the page of Vantage. The environment beats these lines, and they beat config.yaml.\n"


def write_page_settings(home: Path, values: Mapping[str, Any], tenants: Mapping[str, Any]) -> None:
    """Replace the file at once; without values, of no tenant either, it goes. Raises StorageFull, Unavailable. Blocks."""
    path = home / PAGE_FILE
    content = {**values, **({TENANTS: dict(tenants)} if tenants else {})}
    try:
        if content:
            write_atomically(path, _HEAD + yaml.safe_dump(content, sort_keys=True, allow_unicode=True))
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise disk_error(error, str(path)) from error
