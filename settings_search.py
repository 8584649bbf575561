"""The settings of the search that several strategies have."""

from __future__ import annotations

from settings_server import Fraction, SettingsSection


class LegWeightSettings(SettingsSection):
    """How much the search by meaning and the search by words count in a strategy."""

    vector_weight: Fraction = 0.7
    bm25_weight: Fraction = 0.3


class HybridSettings(LegWeightSettings):
    """The weights of the hybrid strategy. `enabled` false searches by meaning alone, whatever the strategy."""

    enabled: bool = True
