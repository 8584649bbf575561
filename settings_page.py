"""The settings that were made on the page: VANTAGE_HOME/page-settings.yaml, below the environment and above config.yaml (docs/decisions/0027), with
what each tenant switched for itself (0046).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from core.errors import ConfigurationError
from settings_features import FEATURES
from settings_sources import read_config_file

PAGE_FILE = "page-settings.yaml"
TENANTS = "tenants"  # the section of the file with what each tenant switched
Source = Literal["default", "config.yaml", "page", "environment", "flag"]
TakesEffect = Literal["now", "start"]

# What may be changed on the page, and when it takes effect: at once, or when the server starts the next time.
CHANGEABLE: Mapping[str, TakesEffect] = {
    "answers.max_words": "now",
    "answers.max_sentences": "now",
    "search.fusion": "now",
    "search.hybrid.bm25_weight": "now",
    "search.hybrid.vector_weight": "now",
    "search.semantic.bm25_weight": "now",
    "search.semantic.vector_weight": "now",
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
    "search.cross_language": "start",
    "ingestion.ocr.languages": "start",
    **{feature.setting: "now" for feature in FEATURES if feature.switch == "now" and not feature.is_opened},
}
# What a tenant may switch for itself.
SWITCHABLE = frozenset(feature.setting for feature in FEATURES if feature.switch == "now")

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


def read_page_values(home: Path) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the values of the file, and those of each tenant; nothing where there is no file. Raises ConfigurationError for a key that the page, or
    a tenant, does not set.
    """
    path = home / PAGE_FILE
    if not path.is_file():
        return {}, {}
    values = read_config_file(path)
    tenants = values.pop(TENANTS, {})
    if not isinstance(tenants, dict) or not all(isinstance(own, dict) for own in tenants.values()):
        raise ConfigurationError(f"{path}: `{TENANTS}` must hold a section for each tenant.")
    unknown = sorted(set(dotted_names(values)) - set(CHANGEABLE))
    if unknown:
        raise ConfigurationError(f"{path} sets {', '.join(unknown)}, which the page cannot set. Move these lines to config.yaml, or delete them.")
    for tenant, own in tenants.items():
        if others := sorted(set(dotted_names(own)) - SWITCHABLE):
            raise ConfigurationError(f"{path} sets {', '.join(others)} for the tenant {tenant}, which a tenant cannot set. Delete these lines.")
    return values, {str(tenant): own for tenant, own in tenants.items()}


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
