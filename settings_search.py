"""The settings of the search that several strategies have."""

from __future__ import annotations

from pydantic import model_validator

from settings_server import Fraction, SettingsSection

SUM_TOLERANCE = 0.001


class LegWeightSettings(SettingsSection):
    """How much the search by meaning and the search by words count in a strategy; together 1."""

    vector_weight: Fraction = 0.7
    bm25_weight: Fraction = 0.3

    @model_validator(mode="after")
    def _check_sum(self) -> LegWeightSettings:
        total = self.vector_weight + self.bm25_weight
        if abs(total - 1.0) > SUM_TOLERANCE:
            raise ValueError(
                f"vector_weight {self.vector_weight:g} and bm25_weight {self.bm25_weight:g} sum to {total:g}, and must sum to 1 (±{SUM_TOLERANCE:g})"
            )
        return self


class HybridSettings(LegWeightSettings):
    """The weights of the hybrid strategy. `enabled` false searches by meaning alone, whatever the strategy."""

    enabled: bool = True
