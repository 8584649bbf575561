"""The features as rows: whether each is switched on, by what, and why one that is on cannot run."""

from __future__ import annotations

from collections.abc import Sequence

from server.schemas import Part
from server.settings_schemas import FeatureOut
from settings import Settings, find_source, settings_of_tenant
from settings_features import BY_NAME, FEATURES, Feature, read_flags, read_setting
from settings_page import SWITCHABLE, dotted_names

_OF_GRAPH = frozenset({"graph", "links", "graph_rerank", "communities"})


def feature_rows(settings: Settings, tenant: str, parts: Sequence[Part], passages: int) -> list[FeatureOut]:
    """Return a row for each feature as the tenant has it; `parts` are those of /health, `passages` are in the library."""
    own = settings_of_tenant(settings, tenant)
    switched = set(dotted_names(settings.layers.tenants.get(tenant, {})))
    flags, of_server = read_flags(own), read_flags(settings)
    # What is off for the server, and on for this tenant, is told to be off among the parts.
    states = {part.name: part for part in parts}
    idle = {each.name: part for each in FEATURES if (part := states.get(each.part)) and (part.state != "off" or of_server[each.name])}
    rows = []
    for feature in FEATURES:
        why = _explain_off(feature, own, flags) or _explain_idle(feature, own, idle.get(feature.name), passages)
        source = find_source(own, feature.setting)
        rows.append(
            FeatureOut(
                name=feature.name,
                setting=feature.setting,
                effect=feature.effect,
                enabled=flags[feature.name],
                running=not why,
                why=why,
                default=read_setting(Settings(home=settings.home), feature.setting) != feature.off,
                source="tenant" if source == "page" and feature.setting in switched else source,
                switch="now" if feature.setting in SWITCHABLE else "start",
            )
        )
    return rows


def _explain_off(feature: Feature, settings: Settings, flags: dict[str, bool]) -> str:
    if flags[feature.name]:
        return ""
    value = read_setting(settings, feature.setting)
    if value == feature.off:
        return f"{feature.setting} is {str(value).lower()}"
    needed = next(BY_NAME[name] for name in feature.needs if not flags[name])
    return f"it needs {needed.name}, which is off ({needed.setting})"


def _explain_idle(feature: Feature, settings: Settings, part: Part | None, passages: int) -> str:
    """Return why a feature that is on does nothing now, "" where it works."""
    if feature.name in _OF_GRAPH and passages > settings.graph.max_passages:
        return f"the library has {passages:,} passages, more than graph.max_passages ({settings.graph.max_passages:,})"
    return part.detail if part is not None and part.state != "ok" else ""
