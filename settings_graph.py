"""The sections for the knowledge graph and for the communities that are found in it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from core.schedule import parse_schedule
from settings_server import Count, SettingsSection


class GraphSettings(SettingsSection):
    """The knowledge graph is read with every document. `enabled` false answers questions without it, `links_enabled` false without the links
    of titles and phrases between passages. A library of more than `max_passages` passages is searched without it: in memory it takes
    about 20 MB for a thousand passages. After a start the first questions wait for it at most `wait_seconds`, then they are answered without.

    `use_model` lets the language model add to what the rules find when a document is indexed, a call for about 3,000 characters of its first
    `model_characters`. It is off because a model on this machine takes seconds to minutes for each call: a folder of thousands of files then takes
    hours instead of minutes."""

    enabled: bool = True
    links_enabled: bool = True
    max_passages: Count = 30_000
    wait_seconds: Annotated[float, Field(ge=0, le=60)] = 5.0
    use_model: bool = False
    model_characters: Count = 60_000


class CommunitySettings(SettingsSection):
    """`detection_enabled` auto looks for communities once the knowledge graph holds 50 entities. `algorithm` leiden needs the extra `leiden`. Groups
    of fewer than `min_size` entities are counted only; a community is divided at most into `max_levels` levels. Changes are taken in by themselves
    soon after indexing, at the latest at the times of `refresh_schedule` (cron's five fields, local time; empty: never)."""

    detection_enabled: Literal["auto", "on", "off"] = "auto"
    algorithm: Literal["louvain", "leiden"] = "louvain"
    min_size: Annotated[int, Field(ge=2, le=1000)] = 3
    max_levels: Annotated[int, Field(ge=1, le=10)] = 3
    refresh_schedule: str = "0 3 * * 0"

    @field_validator("detection_enabled", mode="before")
    @classmethod
    def _read_yaml_switch(cls, value: object) -> object:
        """Return the word that was written: YAML reads on and off as truth values."""
        return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value

    @field_validator("refresh_schedule")
    @classmethod
    def _check_schedule(cls, value: str) -> str:
        if value.strip():
            parse_schedule(value)
        return value
