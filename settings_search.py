"""The settings of the search that several strategies have."""

from __future__ import annotations

from math import isclose
from typing import Annotated

from pydantic import Field, model_validator

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


class StructureWeights(SettingsSection):
    """How much each feature counts; they add up to 1, and what a passage says (`text`) counts most."""

    text: Fraction = 0.4
    parent: Fraction = 0.1
    section_match: Fraction = 0.15
    confidence: Fraction = 0.1
    adjacency: Fraction = 0.1
    document_type: Fraction = 0.1
    recency: Fraction = 0.05

    @model_validator(mode="after")
    def _check_sum(self) -> StructureWeights:
        """Raise ValueError for weights that are no shares, or under which the place of a passage counts more than the passage."""
        weights = self.model_dump()
        if not isclose(sum(weights.values()), 1.0, abs_tol=0.001):
            raise ValueError(f"the weights add up to {sum(weights.values()):.3f}, not to 1")
        if self.text < max(weights.values()):
            raise ValueError(f"text ({self.text}) must weigh at least as much as each of the others")
        return self


class StructureSettings(SettingsSection):
    """A reranker by where a passage stands: headings, neighbours, type and age of its document."""

    enabled: bool = False
    candidates: Annotated[int, Field(ge=1, le=50)] = 20
    feature_weights: StructureWeights = StructureWeights()
