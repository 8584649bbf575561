"""`vantage rag`: strategies side by side in one table, and how different the texts are that questions bring."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import anyio.to_thread

from commands.evaluation_commands import SetChoice, runs_folder
from commands.evaluation_library import open_library
from commands.evaluation_measuring import MeasuringOptions, measure_set
from commands.evaluation_reports import format_diversity, format_table
from commands.exit_codes import DONE
from commands.search_choices import PIPELINES
from commands.silver_command import make_from_library
from commands.tree_command import wait_for_tree
from evaluation.evaluation_sets import EvaluationSet
from evaluation.stored_runs import EvaluationRun, StoredRuns, make_run_id
from evaluation.table_documents import make_row_set, read_text_rows
from settings import Settings, load_settings

_SILVER = "silver"
_SHOWN = ("ndcg@{k}", "recall@{k}", "mrr", "map", "all-gold@{k}")


@dataclass(frozen=True, slots=True)
class RagOptions:
    """`data` is a CSV file whose `text_column` holds the documents; "" takes the person's library. `count` questions are asked, those of the file or
    the set `named`, or ones that are made with `seed`."""

    data: str = ""
    text_column: str = "text"
    named: str = ""
    strategies: tuple[str, ...] = ("basic", "hybrid", "graphrag")
    k: int = 5
    count: int = 50
    seed: int = 0
    cache: Path | None = None


async def benchmark(config: Path | None, options: RagOptions, *, as_json: bool) -> int:
    """Ask the same questions with each strategy and print one table. Each is kept as a run."""
    runs = await _measure(config, options, quiet=as_json)
    if as_json:
        sys.stdout.write(json.dumps([{"name": name, **run.summary()} for name, run in runs.items()], ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(format_benchmark(runs))
    return DONE


async def analyze_diversity(config: Path | None, options: RagOptions, *, as_json: bool) -> int:
    """Ask questions and say how many of the texts that they bring are different."""
    (run,) = (await _measure(config, options, quiet=as_json)).values()
    found = run.diversity()
    if as_json:
        sys.stdout.write(json.dumps({"run": run.id, **found.as_json()}, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(f"{found.questions} questions brought texts\n{format_diversity(found)}")
    return DONE


async def _measure(config: Path | None, options: RagOptions, *, quiet: bool) -> dict[str, EvaluationRun]:
    """Return a run for each strategy."""
    settings = load_settings(config)
    with tempfile.TemporaryDirectory() as folder:
        chosen = await anyio.to_thread.run_sync(_load, settings, options, Path(folder))
        async with open_library(config, chosen, options.cache, warm=False, quiet=quiet) as library:
            if not chosen.questions:
                chosen = await make_from_library(library.client, _SILVER, count=options.count, seed=options.seed, quiet=quiet)
            chosen = replace(chosen, questions=chosen.questions[: options.count])
            if "raptor" in options.strategies:
                await wait_for_tree(library.client, quiet=quiet)
            runs: dict[str, EvaluationRun] = {}
            for name in options.strategies:
                runs[name] = _keep(settings, await measure_set(library, chosen, make_options(name, options.k), quiet=quiet), name)
    return runs


def make_options(name: str, k: int) -> MeasuringOptions:
    """Return how a strategy searches: by the pipeline of that name, or as Proteus's strategy."""
    return MeasuringOptions(k=k, pipeline=name) if name in PIPELINES else MeasuringOptions(k=k, strategy=name)


def _load(settings: Settings, options: RagOptions, folder: Path) -> EvaluationSet:
    """Return the set; without questions where they are made of the person's library."""
    if options.data:
        path = Path(options.data).expanduser()
        return make_row_set(path.stem, read_text_rows(path, options.text_column), folder, options.count, options.seed)
    return SetChoice(options.named, cache=options.cache).load(settings) if options.named else EvaluationSet(_SILVER, ())


def _keep(settings: Settings, run: EvaluationRun, name: str) -> EvaluationRun:
    stored = StoredRuns(runs_folder(settings))
    kept = run.model_copy(update={"id": make_run_id(f"{run.set_name}-{name}", run.started_at, stored.ids())})
    stored.save(kept)
    return kept


def format_benchmark(runs: dict[str, EvaluationRun]) -> str:
    """Return one table with a row for each strategy."""
    first = next(iter(runs.values()))
    names = [name.format(k=first.k) for name in _SHOWN]
    rows = []
    for name, run in runs.items():
        means, diverse, times = run.means(), run.diversity(), run.stage_times()["whole question"]
        figures = [*(means[each] for each in names), diverse.ratio, diverse.identical_sets_percentage]
        rows.append([name, *(f"{value:.3f}" for value in figures), f"{times['mean']:.0f}", f"{times['p95']:.0f}"])
    head = f"{first.set_name}: {len(first.questions)} questions, {first.documents} documents · {first.embedder}\n\n"
    lost = sorted({each for run in runs.values() for question in run.questions for each in question.degraded})
    table = format_table(("strategy", *names, "diversity", "identical %", "ms mean", "ms p95"), rows)
    return head + table + "".join(f"degraded: {each}\n" for each in lost)
