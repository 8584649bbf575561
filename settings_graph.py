"""The sections for the knowledge graph and for the communities that are found in it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from core.schedule import parse_schedule
from settings_server import Count, Fraction, SettingsSection

_WEIGHT_TOLERANCE = 0.001


class GraphSettings(SettingsSection):
    """The knowledge graph is read with every document. `enabled` false answers questions without it, `links_enabled` false without the links
    of titles and phrases between passages. A library of more than `max_passages` passages is searched without it: in memory it takes
    about 3 MB for a thousand passages, and 15 to 25 more for as long as its themes are found. After a start the first questions wait for it at most
    `wait_seconds`, then they are answered without.

    `use_model` lets the language model add to what the rules find when a document is indexed, a call for about 3,000 characters of its first
    `model_characters`. It is off because a model on this machine takes seconds to minutes for each call: a folder of thousands of files then takes
    hours instead of minutes."""

    enabled: bool = True
    links_enabled: bool = True
    max_passages: Count = 100_000
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


class RaptorSettings(SettingsSection):
    """A tree of summaries over the passages, for requests of the pipeline `raptor`; it is built by `vantage rag build-tree`, which needs the extra
    `raptor`. A group holds about `cluster_size` passages, or groups of the level below, and at most `max_levels` levels are built. Without
    `include_summaries` groups are searched as ever and have no sentences that could be read."""

    enabled: bool = False
    max_levels: Annotated[int, Field(ge=1, le=10)] = 3
    cluster_size: Annotated[int, Field(ge=2, le=1000)] = 10
    include_summaries: bool = True


class QueryRoutingSettings(SettingsSection):
    """Whether a question is answered from passages or from the library as a whole. `enabled` false answers each from passages, those for the themes,
    too. Below `confidence_threshold` the model is asked where `use_llm` is on; `llm_model` names another one than the unified model."""

    enabled: bool = True
    use_llm: bool = False
    llm_model: str = ""
    confidence_threshold: Fraction = 0.7


class LazyRagSettings(SettingsSection):
    """A global question that no overview answers is answered by a summary of the graph's sentences, made when it is asked: of at most `max_entities`
    within `max_hops` relationships of what the question names, with the communities round them where `use_communities` is on. A language model
    rewrites it where one answers; `summary_model` names another one than the unified model."""

    enabled: bool = False
    max_entities: Annotated[int, Field(ge=1, le=500)] = 50
    max_hops: Annotated[int, Field(ge=1, le=4)] = 2
    summary_model: str = ""
    use_communities: bool = True


class DualLevelSettings(SettingsSection):
    """A hybrid question is answered on two levels: by passages, `low_limit` of them, each with its entities, and by `high_limit` communities. The
    weights, which add up to 1, split the sentences between the two and put the themes in order."""

    retrieval_enabled: bool = False
    low_weight: Fraction = 0.6
    high_weight: Fraction = 0.4
    low_limit: Annotated[int, Field(ge=1, le=50)] = 10
    high_limit: Annotated[int, Field(ge=1, le=50)] = 5

    @model_validator(mode="after")
    def _check_weights(self) -> DualLevelSettings:
        if abs(self.low_weight + self.high_weight - 1) > _WEIGHT_TOLERANCE:
            raise ValueError(f"low_weight and high_weight have to add up to 1, and are {self.low_weight} and {self.high_weight}")
        return self


class OntologySettings(SettingsSection):
    """Ontologies are loaded from files, for each tenant; needs the extra `ontologies`. With `auto_type` the entities of the graph get their
    classes."""

    support_enabled: bool = False
    auto_type: bool = False

    @model_validator(mode="after")
    def _check_support(self) -> OntologySettings:
        if self.auto_type and not self.support_enabled:
            raise ValueError("auto_type types entities by ontologies: set support_enabled to true, too, or auto_type to false")
        return self


class GraphRerankerSettings(SettingsSection):
    """A reranker behind the others, by what the knowledge graph says: `episode`, how often what happened in the last `episode_window_days` names what
    a passage mentions; `distance`, how near that is to what the question names; or both. The weights add up to 1. `max_mentions` episodes give 1, a
    distance of `max_distance` relationships gives 0; what more than `hub_share` of the documents name leads nowhere."""

    enabled: bool = False
    type: Literal["episode", "distance", "hybrid"] = "hybrid"
    episode_weight: Fraction = 0.3
    distance_weight: Fraction = 0.3
    original_weight: Fraction = 0.4
    episode_window_days: Annotated[float, Field(gt=0, le=3650, allow_inf_nan=False)] = 30.0
    max_distance: Annotated[int, Field(ge=1, le=10)] = 3
    max_mentions: Annotated[int, Field(ge=1, le=10_000)] = 10
    hub_share: Annotated[float, Field(gt=0, le=1)] = 0.1

    @model_validator(mode="after")
    def _check_weights(self) -> GraphRerankerSettings:
        total = self.episode_weight + self.distance_weight + self.original_weight
        if abs(total - 1) > _WEIGHT_TOLERANCE:
            raise ValueError(f"episode_weight, distance_weight and original_weight have to add up to 1, and sum to {total:g}")
        used = {"episode": self.episode_weight, "distance": self.distance_weight}.get(self.type, 1 - self.original_weight)
        if used <= 0:
            raise ValueError(f"no weight is left for what type {self.type} looks at: take some from original_weight, or set enabled to false")
        return self
