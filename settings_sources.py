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
# Their values may hold a password or a key: they are shown nowhere.
SECRETS = frozenset({"server.api_keys", "storage.url", "memory.session.redis_url", "opensearch.auth.password"})
# What the environment has for these is the value itself: a password may look like a number, or like anything else that YAML reads.
_PLAIN_TEXT = frozenset({"opensearch.auth.username", "opensearch.auth.password"})
# The loader in C is fifty times as fast, and each command reads the file; both make plain values only.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESERVED = {"VANTAGE_HOME", "VANTAGE_CONFIG", "VANTAGE_DATA", "VANTAGE_URL"}
_NO_LARGER_CHUNKS = "larger chunks are no longer stored, passages are always windows round what matched. Remove this setting"
_REMOVED = dict.fromkeys(("search.parents", "ingestion.chunk_levels", "ingestion.larger_overlap"), _NO_LARGER_CHUNKS)


class SettingsLayers(BaseModel):
    """The values of each source, as nested sections; a later one overrides those before it. `tenants` is what each tenant switched for itself: over
    the page, and for nobody else."""

    model_config = ConfigDict(frozen=True)
    file: dict[str, Any] = Field(default_factory=dict)
    page: dict[str, Any] = Field(default_factory=dict)
    tenants: dict[str, dict[str, Any]] = Field(default_factory=dict)
    environment: dict[str, Any] = Field(default_factory=dict)
    flags: dict[str, Any] = Field(default_factory=dict)

    def of_tenant(self, tenant: str) -> SettingsLayers:
        """Return the layers with what the tenant switched as if the page had set it."""
        page = deepcopy(self.page)
        merge_values(page, self.tenants.get(tenant, {}))
        return self.model_copy(update={"page": page})

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
        values = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506  (a safe loader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} is not valid YAML: {_explain_yaml(error)}. Mend it, or move it away to use the defaults.") from error
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
        place[key] = text if ".".join([*sections, key]) in _PLAIN_TEXT else _value(text)
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


def _explain_problem(item: ErrorDetails) -> str:
    if not item["loc"]:
        return item["msg"].removeprefix("Value error, ")  # of several settings together: what was given holds all of them, secrets, too
    name = ".".join(str(part) for part in item["loc"])
    return f"{name}: {_REMOVED.get(name, item['msg'].removeprefix('Value error, '))}{_advise(item)}{_show_value(item)}"


def _show_value(item: ErrorDetails) -> str:
    """Return what was given, in brackets; nothing where it may hold a secret: one in a place that is not known, a whole section, or a login."""
    value, key = item["input"], ".".join(str(part) for part in item["loc"])
    may_be_secret = any(f"{key}.".startswith(f"{secret}.") or f"{secret}.".startswith(f"{key}.") for secret in SECRETS)
    if may_be_secret or item["type"] == "extra_forbidden" or not isinstance(value, str | int | float | bool | None) or "@" in str(value):
        return ""
    return f" (got {value!r})"


def _advise(item: ErrorDetails) -> str:
    return ": put it in quotes" if item["type"] == "string_type" and isinstance(item["input"], int | float) else ""


def _explain_yaml(error: yaml.YAMLError | UnicodeDecodeError) -> str:
    """Return what is wrong and where, without the line itself: it may hold a secret."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return "it is no text in UTF-8" if isinstance(error, UnicodeDecodeError) else type(error).__name__
    return f"{getattr(error, 'problem', '') or 'it cannot be read'}, in line {mark.line + 1}, column {mark.column + 1}"
