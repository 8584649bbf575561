"""The dashboard asks for metrics and labels that the server has: each query is compared with what it exposes."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from core.runs import Outcome
from tests.support.server_metrics import make_metrics, make_trace

ROOT = Path(__file__).resolve().parents[2]
DASHBOARD = json.loads((ROOT / "docs" / "grafana-dashboard.json").read_text(encoding="utf-8"))
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
QUERIES = [target["expr"] for panel in PANELS for target in panel["targets"]]
_SELECTOR = re.compile(r"([a-z_]+)\{([^}]*)\}")
_OF_PROMETHEUS = {"job", "instance", "le"}  # labels that it adds


async def exposed() -> dict[str, dict[str, set[str]]]:
    """Metric -> label -> the values that a busy server shows of it."""
    metrics = make_metrics()
    metrics.count_request("GET", "/health", 200, 0.1)
    trace = make_trace("success", "classify")
    metrics.count_run(trace, [node.model_copy(update={"outcome": outcome}) for node in trace.nodes for outcome in Outcome])
    metrics.count_run(make_trace("success").model_copy(update={"degraded": [{"part": "plan", "reason": "slow"}]}), [])
    found: dict[str, dict[str, set[str]]] = defaultdict(dict)
    for family in text_string_to_metric_families((await metrics.render()).decode()):
        for sample in family.samples:
            for label, value in sample.labels.items():
                found[sample.name].setdefault(label, set()).add(value)
            found[sample.name].setdefault("", set())
    return found


@pytest.mark.parametrize("query", QUERIES)
async def test_each_query_is_about_what_is_exposed(query: str) -> None:
    known = await exposed()
    selectors = _SELECTOR.findall(query)
    assert selectors
    for metric, conditions in selectors:
        assert metric in known
        for label, value in re.findall(r'([a-z_]+)=~?"([^"]*)"', conditions):
            if label != "job":
                assert set(value.split("|")) & (known[metric][label] | {"queued", "running"}), (metric, label, value)
    labels = {label for metric, _ in selectors for label in known[metric]} | _OF_PROMETHEUS
    for group in re.findall(r"by \(([^)]*)\)", query):
        assert {label.strip() for label in group.split(",")} <= labels


async def test_every_metric_of_ours_is_on_it() -> None:
    asked = {metric for query in QUERIES for metric, _ in _SELECTOR.findall(query)}
    families = {re.sub("_(bucket|sum|count|total|created)$", "", name) for name in await exposed() if name.startswith("vantage_")}
    assert {re.sub("_(bucket|sum|count|total)$", "", name) for name in asked if name.startswith("vantage_")} == families


def test_legends_name_labels_that_the_query_keeps() -> None:
    for panel in PANELS:
        for target in panel["targets"]:
            kept = {label.strip() for group in re.findall(r"by \(([^)]*)\)", target["expr"]) for label in group.split(",")} | {"instance"}
            assert set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])) <= kept


def test_panels_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert not cells & taken, panel["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
