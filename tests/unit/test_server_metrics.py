"""How runs are counted for Prometheus, and where their numbers come from."""

from __future__ import annotations

from tests.support.server_metrics import make_metrics, make_trace


async def test_a_run_that_asked_back_is_counted_twice_and_no_node_is() -> None:
    metrics = make_metrics()
    asked, ended = make_trace("clarification_needed", "classify", "clarify"), make_trace("success", "classify", "clarify", "retrieve")
    metrics.count_run(asked, asked.nodes)
    metrics.count_run(ended, ended.nodes[2:])
    text = (await metrics.render()).decode()
    for line in (
        'vantage_stage_seconds_count{stage="classify"} 1.0',
        'vantage_stage_seconds_sum{stage="retrieve"} 0.5',
        'vantage_stages_total{outcome="ok",stage="clarify"} 1.0',
        'vantage_runs_total{degraded="no",status="clarification_needed"} 1.0',
        'vantage_runs_total{degraded="no",status="success"} 1.0',
    ):
        assert f"\n{line}\n" in text


async def test_the_time_of_each_reranking_by_the_graph_is_told() -> None:
    metrics, asked = make_metrics(), make_trace("success", "retrieve", "rerank")
    reports = [{"stage": "fusion", "duration_ms": 9000.0}, {"stage": "graph_rerank", "duration_ms": 4.0}]
    metrics.count_run(asked.model_copy(update={"reports": reports}), asked.nodes)
    metrics.count_run(asked, [])
    text = (await metrics.render()).decode()
    for line in (
        'vantage_graph_rerank_seconds_bucket{le="0.005"} 1.0',
        'vantage_graph_rerank_seconds_bucket{le="0.0025"} 0.0',
        "vantage_graph_rerank_seconds_count 1.0",
    ):
        assert f"\n{line}\n" in text


async def test_what_is_looked_up_is_told_as_it_is() -> None:
    text = (await make_metrics().render()).decode()
    for line in (
        "vantage_documents 3.0",
        'vantage_ledger_files{state="failed"} 1.0',
        'vantage_ledger_files{state="quarantined"} 0.0',
        'vantage_jobs{kind="index",state="running"} 1.0',
        "vantage_runs_running 1.0",
        'vantage_workers{state="busy"} 2.0',
        'vantage_cache_lookups_total{cache="document_texts",result="miss"} 2.0',
        'vantage_cache_lookups_total{cache="model_replies",result="hit"} 6.0',
        'vantage_model_calls_total{outcome="ok"} 3.0',
        'vantage_model_calls_total{outcome="failed"} 1.0',
        'vantage_model_tokens_total{direction="input"} 700.0',
    ):
        assert f"\n{line}\n" in text
