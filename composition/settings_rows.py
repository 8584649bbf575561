"""The settings as rows: what each holds, what it may hold, and where it is set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

import yaml

from server.request_identity import parse_key
from server.settings_schemas import KeyHolder, SettingOut
from settings import Settings, find_source
from settings_page import CHANGEABLE, config_line, find_value, variable_name
from settings_sources import SECRETS

# Names of folders of other tenants.
FOR_ADMINISTRATORS = frozenset({"ingestion.roots", "server.api_keys"})
_HIDDEN = frozenset({"home", "config_file", "layers"})

Kind = Literal["integer", "number", "boolean", "string", "array", "secret"]


def setting_rows(now: Settings, later: Settings) -> list[SettingOut]:
    """Return a row for each setting; `later` is what holds from the next start on."""
    defaults = Settings(home=now.home).model_dump(mode="json")
    active, stored = now.model_dump(mode="json"), later.model_dump(mode="json")
    return [_row(key, schema, later, (find_value(stored, key), find_value(active, key), find_value(defaults, key))) for key, schema in _schemas()]


def key_holders(settings: Settings) -> list[KeyHolder]:
    """Return who has how many keys."""
    known = [parse_key(text) for text in settings.server.api_keys]
    counted = Counter((key.tenant, key.user_id, key.role) for key in known)
    return [KeyHolder(tenant=tenant, person=person, role=role, keys=number) for (tenant, person, role), number in sorted(counted.items())]


def _row(key: str, schema: Mapping[str, Any], settings: Settings, values: tuple[Any, Any, Any]) -> SettingOut:
    value, active, default = (_hide_secrets(key, each) for each in values)
    return SettingOut(
        key=key,
        kind="secret" if key in SECRETS else _kind(schema),
        value=value,
        active=active,
        default=default,
        source=find_source(settings, key),
        change=CHANGEABLE.get(key, "file"),
        environment=variable_name(key),
        line=config_line(key, "…" if key in SECRETS else _yaml(value)),
        choices=[str(choice) for choice in schema["enum"]] if "enum" in schema else None,
        minimum=schema.get("minimum", schema.get("exclusiveMinimum")),
        maximum=schema.get("maximum"),
    )


def _hide_secrets(key: str, value: Any) -> Any:
    """Return a value as the page may show it: a secret only as set, an address without name and password."""
    if key in SECRETS:
        return bool(value)
    if isinstance(value, str) and "://" in value and "@" in urlsplit(value).netloc:
        return value.replace(urlsplit(value).netloc.rpartition("@")[0] + "@", "…@")
    return value


def _kind(schema: Mapping[str, Any]) -> Kind:
    known: dict[str, Kind] = {"integer": "integer", "number": "number", "boolean": "boolean", "array": "array"}
    return known.get(str(schema.get("type")), "string")


def _yaml(value: Any) -> str:
    return yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=1000).removesuffix("\n").removesuffix("\n...")


def _schemas() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (dotted name, JSON schema) of every setting."""
    root = Settings.model_json_schema()
    definitions = root["$defs"]

    def walk(schema: Mapping[str, Any], before: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for name, inner in schema["properties"].items():
            if name in _HIDDEN:
                continue
            found = definitions[inner["$ref"].rpartition("/")[2]] if "$ref" in inner else inner
            if "properties" in found:
                yield from walk(found, f"{before}{name}.")
            else:
                yield f"{before}{name}", found

    yield from walk(root, "")
