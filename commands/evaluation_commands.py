"""`vantage eval`: how well the search finds what a set of questions asks for, and what a change does to that."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from commands.evaluation_library import open_library
from commands.evaluation_measuring import MeasuringOptions, measure_set
from commands.evaluation_reports import format_comparison, format_diversity, format_run, format_run_lines
from commands.exit_codes import DONE, NOTHING_FOUND
from evaluation.evaluation_sets import CORPUS, QUERIES, EvaluationSet, load_set
from evaluation.run_comparison import RunComparison, compare_runs
from evaluation.stored_runs import EvaluationRun, StoredRuns, make_run_id
from settings import Settings, load_settings

FOLDER = "evaluation"


@dataclass(frozen=True, slots=True)
class SetChoice:
    """A set as it was named: a path, or a name in VANTAGE_HOME/evaluation/sets. `cache` is the folder for the library of its documents."""

    named: str
    queries: str = QUERIES
    corpus: str = CORPUS
    cache: Path | None = None

    def load(self, settings: Settings) -> EvaluationSet:
        path, kept = Path(self.named).expanduser(), sets_folder(settings) / self.named
        return load_set(kept if not path.exists() and kept.is_dir() else path, queries=self.queries, corpus=self.corpus)


def runs_folder(settings: Settings) -> Path:
    return settings.home / FOLDER / "runs"


def sets_folder(settings: Settings) -> Path:
    return settings.home / FOLDER / "sets"


async def run_evaluation(config: Path | None, choice: SetChoice, options: MeasuringOptions, ablated: list[str], *, as_json: bool) -> int:
    """Measure a set, and again without each of the `ablated` stages. Each is kept as a run."""
    settings = load_settings(config)
    chosen, stored = choice.load(settings), StoredRuns(runs_folder(settings))
    options = replace(options, answers=options.answers or chosen.tells_answerable)
    runs: list[EvaluationRun] = []
    async with open_library(config, chosen, choice.cache, warm=options.answers, quiet=as_json) as library:
        for each in [options, *(replace(options, without=(*options.without, stage)) for stage in ablated)]:
            run = await measure_set(library, chosen, each, quiet=as_json)
            run = run.model_copy(update={"id": make_run_id(chosen.name, run.started_at, stored.ids())})
            stored.save(run)
            runs.append(run)
    comparisons = {stage: compare_runs(runs[0], run) for stage, run in zip(ablated, runs[1:], strict=True) if runs[0].judged}
    if as_json:
        _print_json({**runs[0].summary(), "ablations": {stage: _comparison_json(found) for stage, found in comparisons.items()}})
    else:
        sys.stdout.write(format_run(runs[0]) + format_run_lines(comparisons, runs) + f"Kept as {runs[0].id} in {stored.folder}.\n")
    return DONE


async def compare_evaluations(config: Path | None, before: str, after: str, *, as_json: bool) -> int:
    """Compare two kept runs over the same questions."""
    stored = StoredRuns(runs_folder(load_settings(config)))
    one, other = stored.load(before), stored.load(after)
    found = compare_runs(one, other)
    if as_json:
        _print_json({"before": one.id, "after": other.id, **_comparison_json(found)})
    else:
        sys.stdout.write(format_comparison(one, other, found))
    return DONE


async def show_diversity(config: Path | None, named: str, *, as_json: bool) -> int:
    """Say how many different texts a kept run retrieved."""
    run = StoredRuns(runs_folder(load_settings(config))).load(named)
    found = run.diversity()
    if as_json:
        _print_json({"run": run.id, **found.as_json()})
    else:
        sys.stdout.write(f"{run.id}\n{format_diversity(found)}")
    return DONE


async def list_evaluations(config: Path | None, *, as_json: bool) -> int:
    """List the kept runs, oldest first, each with its first measure."""
    stored = StoredRuns(runs_folder(load_settings(config)))
    runs = [stored.load(each) for each in stored.ids()]
    if as_json:
        _print_json([run.summary() for run in runs])
        return DONE
    for run in runs:
        name, value = next(iter(run.means().items()), ("", 0.0))
        how = f" ({run.pipeline})" if run.pipeline != "auto" else ""
        how += "".join(f", without {stage}" for stage in run.without) + "".join(f", {key} {value}" for key, value in run.settings.items())
        sys.stdout.write(f"{run.id}  {len(run.questions)} questions  {name} {value:.3f}  {run.strategy}{how}\n")
    if not runs:
        sys.stderr.write("No run is kept yet: vantage eval run SET.\n")
    return DONE if runs else NOTHING_FOUND


def _comparison_json(found: RunComparison) -> dict[str, Any]:
    return asdict(found)


def _print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
