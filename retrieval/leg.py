"""What a leg of the search is: how it is run, what it searches with, and what it gives."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.legs import LegDescription
from core.ports import Embedder, Hit, Library, SearchIndex, SummaryTrees
from core.search import Degradation, RetrievalRequest, Strategy
from retrieval.language_crossing import CrossLanguageSearch, LanguageCrossing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class LegSearch:
    """What every leg of one search is given. At most `depth` hits are wanted; `crossing` is None where the search crosses no languages, `trees` None
    where they are switched off."""

    request: RetrievalRequest
    depth: int
    index: SearchIndex
    embedder: Embedder
    cross_language: CrossLanguageSearch | None = None
    crossing: LanguageCrossing | None = None
    trees: SummaryTrees | None = None
    library: Library | None = None

    @property
    def is_reworded(self) -> bool:
        """Return whether the text that is searched for is another one than the person's question."""
        return bool(self.request.question.strip()) and self.request.question != self.request.text


@dataclass(frozen=True, slots=True)
class LegResult:
    """What a leg found: hits, best first, scored by the leg's own measure; `vector` is the question's where it compared meaning, `signals` go to
    critic and Themis, `note` stands in the report, `degraded` says what was not searched."""

    hits: tuple[Hit, ...]
    vector: NDArray[np.float32] | None = None
    signals: Mapping[str, float] = field(default_factory=dict)
    note: str = ""
    degraded: Degradation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg(LegDescription):
    """A row of `retrieval.leg_table`.

    `search` runs beside the other legs; it raises VantageError where it fails, and InvalidInput where the whole search is refused. `weight` is its
    part in the fusion under a strategy. `runs` tells whether a search has this leg (None: each has), `in_dense_search` whether one for meaning alone
    has it. `complete` is called when all have ended and this one found something, with what was found (chunk id -> document id). `note_if_empty`
    stands in the fusion's report where the strategy gives it weight and it found nothing.
    """

    search: Callable[[LegSearch], Awaitable[LegResult]]
    weight: Callable[[Strategy], float]
    runs: Callable[[LegSearch], bool] | None = None
    in_dense_search: bool = False
    complete: Callable[[LegSearch, LegResult, Mapping[int, str]], Awaitable[LegResult]] | None = None
    note_if_empty: str = ""
