"""The settings that were made on the page: VANTAGE_HOME/page-settings.yaml, below the environment and above config.yaml (docs/decisions/0027)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from core.errors import ConfigurationError
from settings_sources import read_config_file

PAGE_FILE = "page-settings.yaml"
Source = Literal["default", "config.yaml", "page", "environment", "flag"]
TakesEffect = Literal["now", "start"]

# What may be changed on the page, and when it takes effect: at once, or when the server starts the next time.
CHANGEABLE: Mapping[str, TakesEffect] = {
    "answers.max_words": "now",
    "answers.max_sentences": "now",
    "search.spelling": "now",
    "search.fusion": "now",
    "search.hybrid.bm25_weight": "now",
    "search.hybrid.vector_weight": "now",
    "search.semantic.bm25_weight": "now",
    "search.semantic.vector_weight": "now",
    "search.rerank.enabled": "now",
    "search.rerank.weight": "now",
    "storage.traces_days": "now",
    "storage.traces_mb": "now",
    "storage.conversations_days": "now",
    "storage.feedback_days": "now",
    "storage.episodes_days": "now",
    "storage.jobs_days": "now",
    "storage.uploads_days": "now",
    "ollama.enabled": "start",
    "ollama.unified_model.name": "start",
    "memory.enabled": "start",
    "memory.agentic_memory.enabled": "start",
    "search.cross_language": "start",
    "ingestion.ocr.languages": "start",
}

# What the search goes by, and may be measured with other values of (`POST /evaluation/search`).
TUNABLE = frozenset(
    {
        "search.fusion",
        "search.hybrid.bm25_weight",
        "search.hybrid.vector_weight",
        "search.semantic.bm25_weight",
        "search.semantic.vector_weight",
        "search.feedback.weight",
        "search.rerank.enabled",
        "search.rerank.candidates",
        "search.rerank.weight",
    }
)


def read_page_values(home: Path) -> dict[str, Any]:
    """Return the values of the file; nothing where there is none. Raises ConfigurationError for a key that the page does not set."""
    path = home / PAGE_FILE
    if not path.is_file():
        return {}
    values = read_config_file(path)
    unknown = sorted(set(dotted_names(values)) - set(CHANGEABLE))
    if unknown:
        raise ConfigurationError(f"{path} sets {', '.join(unknown)}, which the page cannot set. Move these lines to config.yaml, or delete them.")
    return values


def dotted_names(values: Mapping[str, Any], before: str = "") -> Iterator[str]:
    """Yield the dotted names of the values in nested sections."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from dotted_names(value, f"{before}{name}.")
        else:
            yield f"{before}{name}"


def find_value(values: Mapping[str, Any], key: str) -> Any:
    """Return the value of a dotted name. Raises KeyError where there is none."""
    found: Any = values
    for part in key.split("."):
        if not isinstance(found, Mapping):
            raise KeyError(key)
        found = found[part]
    return found


def nest_values(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return {"answers.max_words": 80} as {"answers": {"max_words": 80}}."""
    values: dict[str, Any] = {}
    for key, value in flat.items():
        *sections, last = key.split(".")
        place = values
        for section in sections:
            place = place.setdefault(section, {})
        place[last] = value
    return values


def variable_name(key: str) -> str:
    """Return the variable that sets it: VANTAGE_ANSWERS__MAX_WORDS."""
    return "VANTAGE_" + key.upper().replace(".", "__")


def config_line(key: str, value: str) -> str:
    """Return the lines to write into config.yaml, one section a line."""
    *sections, last = key.split(".")
    lines = [f"{'  ' * depth}{section}:" for depth, section in enumerate(sections)]
    return "\n".join([*lines, f"{'  ' * len(sections)}{last}: {value}"])
