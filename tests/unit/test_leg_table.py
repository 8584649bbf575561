"""The tables follow the rows of `retrieval.leg_table`, and the rows name each other rightly."""

from __future__ import annotations

from typing import get_args

import pytest

from agents.explanation.agent import ResultTrace, phrase_of
from core import leg_names
from core.legs import LegDescription
from core.search import StageScore, Strategy
from core.search_schemas import STAGES
from retrieval.leg_table import LEGS
from scripts.write_legs import PAGE_TABLE, TABLE, format_page_table, format_product_table

_STALE = "Run `python -m scripts.write_legs`: a row of retrieval/leg_table.py changed."


def test_the_tables_are_what_the_rows_say() -> None:
    assert format_product_table(LEGS) == TABLE.read_text(encoding="utf-8"), _STALE
    assert format_page_table(LEGS) == PAGE_TABLE.read_text(encoding="utf-8"), _STALE


def test_every_leg_has_one_name_that_requests_know() -> None:
    names = [leg.name for leg in LEGS]
    assert len(set(names)) == len(names)
    assert get_args(leg_names.LegName) == tuple(names) == STAGES[: len(names)]


def test_what_is_replaced_is_a_leg_before() -> None:
    for place, leg in enumerate(LEGS):
        assert not leg.replaces or leg.replaces in {each.name for each in LEGS[:place]}


def test_weights_are_those_of_the_strategy() -> None:
    strategy = Strategy(name="hybrid", lexical=0.25, dense=0.5, graph=0.125)
    weights = {leg.name: leg.weight(strategy) for leg in LEGS if not leg.replaces}
    assert weights | {"lexical": 0.25, "dense": 0.5, "graph": 0.125} == weights


@pytest.mark.parametrize("leg", [leg for leg in LEGS if leg.bar not in {"lexical", "dense"}], ids=lambda leg: leg.name)
def test_what_one_leg_found_is_told_by_its_words(leg: LegDescription) -> None:
    journey = ResultTrace(document_id="d", rank=1, stages={leg.name: StageScore(rank=2, score=0.5)})
    assert phrase_of(journey) == f"found {leg.found_by}"
