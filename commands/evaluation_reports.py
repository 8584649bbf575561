"""Runs, comparisons and diversity as text on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commands.terminal_text import escape_line
from evaluation.paired_bootstrap import LEVEL
from evaluation.run_comparison import RunComparison
from evaluation.stored_runs import EvaluationRun
from evaluation.text_diversity import Diversity

_LONGEST_QUESTION = 90


def format_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return columns, the first to the left, figures to the right."""
    cells = [list(head), *(list(row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]).rstrip() for row in cells
    ]
    return "".join(f"{line}\n" for line in lines)


def format_run(run: EvaluationRun) -> str:
    """Return the measures of a run, its diversity and the times of its stages."""
    found, how = run.diversity(), f", pipeline {run.pipeline}" if run.pipeline != "auto" else ""
    lines = [
        f"{escape_line(run.set_name)}: {len(run.questions)} questions, {len(run.judged)} judged, {run.documents} documents"
        f" · strategy {run.strategy}{how} · {run.embedder}\n\n"
    ]
    lines += [format_table(tuple(means := run.means()), [[f"{value:.3f}" for value in means.values()]]), "\n"] if run.judged else []
    lines += [f"{name.replace('_', ' ')}: {value if isinstance(value, int) else f'{value:.3f}'}\n" for name, value in run.refusals().items()]
    asked = sum(question.asked_back for question in run.questions)
    lines += [f"asked back: {asked} (searched as written)\n"] if asked else []
    lines += [f"degraded: {each}\n" for each in sorted({each for question in run.questions for each in question.degraded})]
    lines += [f"diversity: {found.unique} of {found.total} retrieved texts are different ({found.ratio:.3f})\n\n", format_times(run), "\n"]
    return "".join(lines)


def format_times(run: EvaluationRun) -> str:
    rows = [[step, f"{times['mean']:.1f}", f"{times['p95']:.1f}", f"{times['questions']:.0f}"] for step, times in run.stage_times().items()]
    return format_table(("step", "ms mean", "ms p95", "questions"), rows)


def format_run_lines(comparisons: Mapping[str, RunComparison], runs: Sequence[EvaluationRun]) -> str:
    """Return a line for each stage that was left out: what its absence did to each measure."""
    if not comparisons:
        return ""
    names = list(next(iter(comparisons.values())).measures)
    rows = [["whole", *(f"{runs[0].means()[name]:.3f}" for name in names), ""]]
    for stage, found in comparisons.items():
        first = found.measures[names[0]]
        rows.append([f"without {stage}", *(f"{found.measures[name].after:.3f}" for name in names), f"{first.low:+.3f} to {first.high:+.3f}"])
    return format_table(("", *names, f"{names[0]}, {LEVEL:.0%}"), rows) + "\n"


def format_comparison(before: EvaluationRun, after: EvaluationRun, found: RunComparison) -> str:
    """Return a table of the measures and the questions that moved most."""
    rows = [
        [name, f"{each.before:.3f}", f"{each.after:.3f}", f"{each.difference:+.3f}", f"{each.low:+.3f} to {each.high:+.3f}"]
        for name, each in found.measures.items()
    ]
    head = f"before: {before.id}\nafter:  {after.id}\n{found.questions} questions in common\n\n"
    table = format_table(("measure", "before", "after", "difference", f"{LEVEL:.0%} interval"), rows)
    if not found.moved:
        return f"{head}{table}\nNo question moved.\n"
    moved = [f"{each.change:+.3f}  {each.before:.3f} → {each.after:.3f}  {_shorten(each.text)}  [{escape_line(each.id)}]\n" for each in found.moved]
    return f"{head}{table}\nWhat moved most, by {found.moved_by}:\n" + "".join(moved)


def format_diversity(found: Diversity) -> str:
    return (
        f"texts retrieved: {found.total}, different: {found.unique}, ratio {found.ratio:.3f}\n"
        f"identical_sets_percentage: {found.identical_sets_percentage:.2f} ({found.identical_sets} of {found.pairs} pairs of questions)\n"
    )


def _shorten(text: str) -> str:
    line = escape_line(" ".join(text.split()))
    return line if len(line) <= _LONGEST_QUESTION else line[: _LONGEST_QUESTION - 1] + "…"
