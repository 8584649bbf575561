"""What the settings page is sent and sends."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from core.search_schemas import Schema
from settings_page import Source


class SettingOut(Schema):
    """One setting. `value` is what holds from the next start on, `active` what holds now. `change` says whether the page can change it:
    `now`, `start` (it takes effect at the next start) or `file` (config.yaml or the environment alone: `line` is what to write, `environment` the
    variable). A secret is only told to be set. `kind` is the JSON type; `choices` are the only values, `minimum` and `maximum` its bounds."""

    key: str
    kind: Literal["integer", "number", "boolean", "string", "array", "secret"]
    value: Any
    active: Any
    default: Any
    source: Source
    change: Literal["now", "start", "file"]
    environment: str
    line: str
    choices: list[str] | None
    minimum: float | None
    maximum: float | None


class FeatureOut(Schema):
    """A feature as the caller's tenant has it. `enabled`: it is switched on, with what it needs; `running`: it can work now, else `why` says what is
    missing. `source` is where its `setting` is set, `tenant` for a switch of the tenant's own. `switch` now: PATCH /settings/features changes it."""

    name: str
    setting: str
    effect: str
    enabled: bool
    running: bool
    why: str
    default: bool
    source: Source | Literal["tenant"]
    switch: Literal["now", "start"]


class FeatureList(Schema):
    features: list[FeatureOut]


class FeatureSwitches(Schema):
    """Names of features with true or false for the caller's tenant; null takes back what the tenant switched."""

    features: Annotated[dict[str, bool | None], Field(min_length=1, max_length=100)]


class KeyHolder(Schema):
    """A person who has keys; the keys themselves are never shown."""

    tenant: str
    person: str
    role: str
    keys: int


class SettingsOut(Schema):
    """`may_change` is False for a caller who cannot change settings; `why_not` says why. `keys` is null where no API keys exist, and for members."""

    may_change: bool
    why_not: str
    config_file: str
    settings: list[SettingOut]
    keys: list[KeyHolder] | None


class SettingsChange(Schema):
    """Dotted names with their new values; null takes back what the page set."""

    values: Annotated[dict[str, Any], Field(min_length=1, max_length=50)]


class LanguageModelsOut(Schema):
    """The models that Ollama has; `detail` says why there are none where it does not answer."""

    reachable: bool
    models: list[str]
    detail: str


class ModelTestRequest(Schema):
    """`model` empty: the one that the settings name."""

    model: Annotated[str, Field(max_length=200)] = ""


class ModelTestOut(Schema):
    """Reply of the model to one short request and the seconds that it took, or the reason why there is none."""

    model: str
    answered: bool
    seconds: float
    reply: str
    detail: str
