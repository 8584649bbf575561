"""Hermes: why each result is where it is, from the stages that its best passage went through. A phrase, a sentence and three bars."""

from __future__ import annotations

from collections.abc import Sequence

from core.answers import Explanation, StageMove
from core.leg_names import LEGS
from core.search import FrozenModel, StageScore

LISTED_STAGE = "listed"  # the stage of a document that was asked for itself
WHOLE_READ_STAGE = "read_whole"  # the stage of a passage that no leg found: its document was attached and read from end to end
# Legs find a passage; the stages behind them, in this order, move it. "correct" and "hops" join what another try or a sub-question brought.
FOUND_BY: dict[str, str] = {leg.name: leg.found_by for leg in LEGS}
MOVERS: dict[str, str] = {
    "fusion": "the fusion of the legs", "rerank": "the reranker", "links": "a link from another document", "correct": "a second try",
    "structure": "its place in the document", "graph_rerank": "the knowledge graph",
    "routing": "the kind of document asked for", "negation": "what it negates", "hops": "a sub-question",
    "passages": "its neighbours in the document",
}  # fmt: skip
_MOVING_STAGES = frozenset({"rerank", "links", "structure", "graph_rerank", "routing", "negation", "hops", "correct"})
_NOTABLE_MOVE = 3  # places that are worth a word beside the result
_FRONT_RANKS = 5  # a leg "finds" a passage when it stands this far in front


class ResultTrace(FrozenModel):
    """A result's best passage on its way: where it stood at each stage, the rank at which it is shown, and how often it is cited."""

    document_id: str
    rank: int
    stages: dict[str, StageScore]
    citations: int = 0


async def explain(journeys: Sequence[ResultTrace]) -> list[Explanation]:
    """Return one explanation for each result, in the same order. Bars are relative to the best result shown, in 0..1."""
    best = {bar: max((score.score for journey in journeys if (score := _score(journey, bar))), default=0.0) for bar in _BARS}
    return [
        Explanation(
            document_id=journey.document_id,
            phrase=phrase_of(journey),
            sentence=sentence_of(journey),
            bars=_bars(journey, best),
            moves=moves_of(journey),
        )
        for journey in journeys
    ]


def _bar_legs() -> dict[str, list[str]]:
    """Bar -> the legs that it may show, the one whose score stands in another's place first: in the fusion it does, too."""
    bars: dict[str, list[str]] = {}
    for leg in LEGS:
        if leg.bar:
            legs = bars.setdefault(leg.bar, [])
            legs.insert(0 if leg.replaces else len(legs), leg.name)
    return bars


_BARS = _bar_legs()


def _score(journey: ResultTrace, bar: str) -> StageScore | None:
    return next((journey.stages[leg] for leg in _BARS[bar] if leg in journey.stages), None)


def _bars(journey: ResultTrace, best: dict[str, float]) -> dict[str, float]:
    def bar(name: str, score: StageScore | None) -> float:
        return round(min(1.0, max(0.0, score.score / best[name])), 3) if score and best[name] > 0 else 0.0

    return {name: bar(name, _score(journey, name)) for name in _BARS}


def phrase_of(journey: ResultTrace) -> str:
    """Return the few words beside a result."""
    if WHOLE_READ_STAGE in journey.stages:
        return "attached and read whole"
    if LISTED_STAGE in journey.stages:
        return "one of the documents asked for"
    mover = next((move for move in moves_of(journey) if move.stage in _MOVING_STAGES and move.by >= _NOTABLE_MOVE), None)
    if mover is not None:
        return f"moved up {mover.by} by {MOVERS[mover.stage]}"
    return _describe_legs(journey)


def _describe_legs(journey: ResultTrace) -> str:
    lexical, meaning = _score(journey, "lexical"), _score(journey, "dense")
    if lexical and meaning:
        if lexical.rank <= _FRONT_RANKS and meaning.rank <= _FRONT_RANKS:
            return "matches by wording and meaning"
        return "stronger by words" if lexical.rank < meaning.rank else "stronger by meaning"
    if meaning and "multilingual" in journey.stages:
        return "found across languages"
    if lexical or meaning:
        return "found by its words alone" if lexical else "found by meaning alone"
    return next((f"found {FOUND_BY[leg]}" for leg in FOUND_BY if leg in journey.stages), "beside a passage that was found")


def moves_of(journey: ResultTrace) -> list[StageMove]:
    """Return each stage that the passage went through: legs with the rank at which they found it, the others with the places that they moved it, and
    last from there to the place of the result where another passage of its document, or a document left out, made the difference."""
    found = [StageMove(stage=leg, from_rank=None, to_rank=journey.stages[leg].rank) for leg in FOUND_BY if leg in journey.stages]
    before: int | None = None
    for stage in MOVERS:
        if stage in journey.stages:
            rank = journey.stages[stage].rank
            found.append(StageMove(stage=stage, from_rank=before, to_rank=rank, by=before - rank if before is not None else 0))
            before = rank
    if before is not None and before != journey.rank:
        found.append(StageMove(stage="results", from_rank=before, to_rank=journey.rank, by=before - journey.rank))
    return found


def sentence_of(journey: ResultTrace) -> str:
    """Return the way in one sentence, with ranks and, for every stage that moved it, by how much."""
    if LISTED_STAGE in journey.stages:
        return f"It is one of the documents that were asked for, {_ordinal(journey.stages[LISTED_STAGE].rank)} in the list{_cited_note(journey)}."
    if WHOLE_READ_STAGE in journey.stages:
        return f"It was attached and read whole{_cited_note(journey)}."
    moves = moves_of(journey)
    legs = [f"{_ordinal(move.to_rank)} {FOUND_BY[move.stage]}" for move in moves if move.stage in FOUND_BY]
    way = _join_parts(legs) or "Not found by keyword or meaning search itself"
    if "fusion" in journey.stages:
        way += f", {_ordinal(journey.stages['fusion'].rank)} together"
    for move in moves:
        if move.stage in MOVERS and move.by:
            way += f"; {MOVERS[move.stage]} moved it {'up' if move.by > 0 else 'down'} {abs(move.by)} to {_ordinal(move.to_rank)}"
        elif move.stage in MOVERS and move.from_rank is None and move.stage != "fusion":
            way += f"; {MOVERS[move.stage]} brought it in at {_ordinal(move.to_rank)}"
    return f"{way[:1].upper()}{way[1:]}{_cited_note(journey)}."


def _join_parts(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def _cited_note(journey: ResultTrace) -> str:
    return f"; quoted {journey.citations} time{'' if journey.citations == 1 else 's'}" if journey.citations else "; not quoted"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
