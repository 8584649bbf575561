"""`vantage tune`: settings of the search that suit the library, chosen on one half of a set and accepted only where the other half improves."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from commands.client import Client, OpenOptions, connect
from commands.evaluation_commands import FOLDER, SetChoice
from commands.evaluation_library import EvaluationLibrary, open_library
from commands.evaluation_measuring import MeasuringOptions, measure_questions
from commands.evaluation_reports import format_table
from commands.exit_codes import DONE, NOTHING_FOUND
from commands.silver_command import make_from_library
from core.errors import InvalidInput
from evaluation.evaluation_sets import EvaluationQuestion, EvaluationSet
from evaluation.paired_bootstrap import PairedDifference
from evaluation.tuning import KEYS, TuningResult, Values, choose_settings, split_halves
from settings import Settings, load_settings

RECORD = "tuning.json"
_SILVER = "silver (made now)"


@dataclass(frozen=True, slots=True)
class TuneOptions:
    """`named` is a set; empty: one of `count` questions is made of the library. `apply` keeps what was accepted."""

    named: str = ""
    count: int = 100
    seed: int = 0
    apply: bool = False
    cache: Path | None = None


async def tune(config: Path | None, options: TuneOptions, *, as_json: bool) -> int:
    """Choose, judge, and say what came of it; with `apply` keep it as the settings page would."""
    settings = load_settings(config)
    own = EvaluationSet(_SILVER, ())
    chosen = SetChoice(options.named, cache=options.cache).load(settings) if options.named else own
    if options.apply and chosen.corpus is not None:
        raise InvalidInput("This set brings documents of its own: what suits them says nothing about your library. Leave --apply out.")
    async with open_library(config, chosen, options.cache, warm=False, quiet=as_json) as library:
        if chosen is own:
            chosen = await make_from_library(library.client, _SILVER, count=options.count, seed=options.seed, quiet=as_json)
        result, current = await _choose(library, chosen, options, quiet=as_json)
        kept = options.apply and result.is_accepted
        if kept:
            await _apply(library.client, settings, chosen.name, result, current)
    if as_json:
        sys.stdout.write(json.dumps({"set": chosen.name, **_as_json(result), "applied": kept}, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(format_tuning(chosen.name, result, current) + _verdict(result, applied=kept))
    return DONE


async def show_tuning(config: Path | None, *, as_json: bool) -> int:
    """Show what was chosen, and when. Exit code 3 where nothing was."""
    record = read_record(load_settings(config))
    if as_json:
        sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
    elif record is None:
        sys.stderr.write("Nothing was tuned: the settings are the defaults, or your own. `vantage tune --apply` tunes them.\n")
    else:
        sys.stdout.write(f"Tuned at {record['at'][:16].replace('T', ' ')} on {record['set']}:\n")
        sys.stdout.write(_format_values(record["values"], record["current"]) + _format_halves(record["halves"]))
    return DONE if record is not None else NOTHING_FOUND


async def undo_tuning(config: Path | None, *, as_json: bool) -> int:
    """Set back what tuning changed to what the page had, or to nothing of its own. Exit code 3 where nothing was tuned."""
    settings = load_settings(config)
    record = read_record(settings)
    if record is None:
        sys.stderr.write("Nothing was tuned; there is nothing to undo.\n")
        return NOTHING_FOUND
    async with connect(config, OpenOptions(routers=("settings",))) as client:
        await _change(client, record["page"])
    _record_file(settings).unlink()
    if as_json:
        sys.stdout.write(json.dumps({"undone": record["values"]}, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(f"Undone: {', '.join(record['values'])}.\n")
    return DONE


def read_record(settings: Settings) -> dict[str, Any] | None:
    """Return what the last tuning wrote down, None where there was none or it was undone."""
    file = _record_file(settings)
    if not file.is_file():
        return None
    record: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return record


async def _choose(library: EvaluationLibrary, chosen: EvaluationSet, options: TuneOptions, *, quiet: bool) -> tuple[TuningResult, dict[str, Any]]:
    """Return the result and the settings that hold now."""
    rows = {row["key"]: row for row in (await library.client.get("/settings"))["settings"] if row["key"] in KEYS}
    current = {key: row["active"] for key, row in rows.items()}
    fixed = frozenset(key for key, row in rows.items() if row["source"] in {"environment", "flag"})
    halves = dict(zip(("first", "second"), split_halves([each for each in chosen.questions if each.is_judged], options.seed), strict=True))

    async def measure(values: Values, half: str) -> list[float]:
        return await _measure(library, halves[half], values, note=f"{half} half: {_one_line(values) or 'as it is'}", quiet=quiet)

    return await choose_settings(current, measure, fixed), current


async def _measure(library: EvaluationLibrary, questions: list[EvaluationQuestion], values: Values, *, note: str, quiet: bool) -> list[float]:
    how = MeasuringOptions(settings=dict(values))
    measured = await measure_questions(library, questions, how, quiet=quiet, note=note)
    return [question.scores[f"ndcg@{how.k}"] for question in measured]


async def _apply(client: Client, settings: Settings, name: str, result: TuningResult, current: Values) -> None:
    """Keep the values as the page does, with what the page had before, so that it can be undone: also the first of several tunings."""
    before = read_record(settings)
    rows = {row["key"]: row for row in (await client.get("/settings"))["settings"]}
    page = {key: rows[key]["value"] if rows[key]["source"] == "page" else None for key in result.values}
    await _change(client, result.values)
    record = {
        "at": datetime.now(UTC).isoformat(),
        "set": name,
        "values": {**(before["values"] if before else {}), **result.values},
        "current": {**dict(current), **(before["current"] if before else {})},
        "page": {**page, **(before["page"] if before else {})},
        "halves": _as_json(result)["halves"],
    }
    file = _record_file(settings)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


async def _change(client: Client, values: Mapping[str, Any]) -> None:
    await client.patch("/settings", {"values": dict(values)})


def format_tuning(name: str, result: TuningResult, current: Values) -> str:
    """Return what was tried on the first half and what both halves say of the best of it."""
    rows = [["as it is", "", f"{result.first.before:.3f}"]]
    rows += [[tried.group, _one_line(tried.values) or "as it is", f"{tried.mean:.3f}"] for tried in result.tried]
    head = f"{name}: nDCG@10 on the first half of the questions\n\n"
    table = "".join(f"{group:15} {mean}  {values}".rstrip() + "\n" for group, values, mean in rows)
    if not result.values:
        return f"{head}{table}\n"
    return f"{head}{table}\nBest there:\n{_format_values(result.values, current)}{_format_halves(_as_json(result)['halves'])}"


def _verdict(result: TuningResult, *, applied: bool) -> str:
    if not result.values:
        return "Nothing was better on the first half: the settings stay as they are.\n"
    if not result.is_accepted:
        return "Refused: on the other half the difference may be chance. The settings stay as they are.\n"
    return "Accepted and kept. `vantage tune --undo` takes it back.\n" if applied else "Accepted. `vantage tune --apply` would keep it.\n"


def _format_values(values: Values, current: Values) -> str:
    return "".join(f"  {key}: {current.get(key)} → {value}\n" for key, value in values.items())


def _format_halves(halves: Mapping[str, Mapping[str, float] | None]) -> str:
    rows = [
        [name, f"{each['before']:.3f}", f"{each['after']:.3f}", f"{each['low']:+.3f} to {each['high']:+.3f}"]
        for name, each in (("chosen on", halves["first"]), ("judged on", halves["second"]))
        if each is not None
    ]
    return "\n" + format_table(("the halves", "before", "after", "95% interval"), rows) + "\n"


def _one_line(values: Values) -> str:
    """Return the values on one line; the four weights are one share."""
    shown = {key: value for key, value in values.items() if not key.endswith("_weight")}
    words = next((value for key, value in values.items() if key.endswith(".bm25_weight")), None)
    said = [f"{key.removeprefix('search.')} {value}" for key, value in shown.items()]
    return ", ".join([*said, *([f"words {words}"] if words is not None else [])])


def _as_json(result: TuningResult) -> dict[str, Any]:
    def half(found: PairedDifference | None) -> dict[str, float] | None:
        return asdict(found) if found is not None else None

    return {
        "values": result.values,
        "accepted": result.is_accepted,
        "halves": {"first": half(result.first), "second": half(result.second)},
        "tried": [asdict(each) for each in result.tried],
    }


def _record_file(settings: Settings) -> Path:
    return settings.home / FOLDER / RECORD
