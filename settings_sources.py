"""The sources of settings: the file that is found, the environment, and how a mistake in them is reported."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from core.errors import ConfigurationError

PREFIX = "VANTAGE_"
_RESERVED = {"VANTAGE_HOME", "VANTAGE_CONFIG", "VANTAGE_DATA", "VANTAGE_URL"}
_NO_LARGER_CHUNKS = "larger chunks are no longer stored, passages are always windows round what matched. Remove this setting"
_REMOVED = dict.fromkeys(("search.parents", "ingestion.chunk_levels", "ingestion.larger_overlap"), _NO_LARGER_CHUNKS)


class SettingsLayers(BaseModel):
    """The values of each source, as nested sections; a later one overrides those before it."""

    model_config = ConfigDict(frozen=True)
    file: dict[str, Any] = Field(default_factory=dict)
    page: dict[str, Any] = Field(default_factory=dict)
    environment: dict[str, Any] = Field(default_factory=dict)
    flags: dict[str, Any] = Field(default_factory=dict)

    def merge_all(self) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for layer in (self.file, self.page, self.environment, self.flags):
            merge_values(values, deepcopy(layer))
        return values


def find_config_file(config: Path | None, environ: Mapping[str, str], home: Path, folder: Path) -> Path | None:
    named = config or (Path(environ["VANTAGE_CONFIG"]) if environ.get("VANTAGE_CONFIG") else None)
    if named is not None:
        if not named.is_file():
            raise ConfigurationError(f"The settings file {named} does not exist. Name an existing file with --config or VANTAGE_CONFIG.")
        return named
    return next((path for path in (folder / "config.yaml", home / "config.yaml") if path.is_file()), None)


def read_config_file(path: Path) -> dict[str, Any]:
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} is not valid YAML: {error}. Mend it, or move it away to use the defaults.") from error
    if values is None:
        return {}
    if not isinstance(values, dict) or "home" in values or {"config_file", "layers"} & set(values):
        raise ConfigurationError(f"{path} must hold sections such as `search:`; the folder is set by VANTAGE_HOME alone.")
    return {section: content for section, content in values.items() if content is not None}  # a section whose lines are all comments


def read_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """Return VANTAGE_A__B__C=value as {"a": {"b": {"c": value}}}; values are read as YAML so that numbers and lists work."""
    found: dict[str, Any] = {}
    for name, text in environ.items():
        if not name.startswith(PREFIX) or name in _RESERVED or "__" not in name:
            continue
        *sections, key = name[len(PREFIX) :].lower().split("__")
        place = found
        for section in sections:
            place = place.setdefault(section, {})
        place[key] = _value(text)
    return found


def _value(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return text


def merge_values(into: dict[str, Any], values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        if isinstance(value, Mapping):
            inner = into.setdefault(key, {})
            if isinstance(inner, dict):
                merge_values(inner, value)
                continue
        into[key] = value


def explain_error(error: ValidationError, path: Path | None) -> str:
    where = f"{path} or the environment" if path else "the environment or a flag"
    return f"Settings from {where} cannot be used: " + "; ".join(_explain_problem(item) for item in error.errors())


def _explain_problem(problem: ErrorDetails) -> str:
    if not problem["loc"]:
        return problem["msg"].removeprefix("Value error, ")  # of several settings together: what was given holds all of them, secrets, too
    name = ".".join(str(part) for part in problem["loc"])
    return f"{name}: {_REMOVED.get(name, problem['msg'])} (got {problem['input']!r})"
