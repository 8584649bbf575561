"""The benchmark of the confidence: sets of rows that were never trained on, the reliability diagram, coefficients that keep their direction."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from answers.calibration.answerability import COVERAGE_SIGNALS, READER_COEFFICIENTS, READER_SIGNALS, UNSAID, probability
from benchmarks.confidence import (
    ConfidenceRow,
    answer_kind,
    fit_and_print,
    fit_coefficients,
    predicted_chances,
    read_rows,
    reliability_rows,
    report,
    rows_by_kind,
)
from benchmarks.open_questions import HELD_BACK_MOST, HELD_BACK_SETS, JUDGED_BY_PEOPLE, write_open_sets
from core.answers import Answer, Lead
from evaluation.answer_metrics import reliability
from training.reader.training_rows import HELD_BACK

READINGS = (0.1, 0.3, 0.6, 0.9)


def row(name: str, label: str, value: float, *, held: bool, unsaid: bool = False) -> ConfidenceRow:
    signals = {"dense_top1": value, "coverage": value, **dict.fromkeys((*READER_SIGNALS, *COVERAGE_SIGNALS), value)}
    return ConfidenceRow(name, label, held, "span" if value > 0.5 else "sentences", signals | ({UNSAID: 1.0} if unsaid else {}))


def some_rows(name: str) -> list[ConfidenceRow]:
    there = [row(name, "there", value, held=value > 0.2) for value in READINGS for _ in range(5)]
    return there + [row(name, "gone", value, held=False) for value in READINGS[:2] for _ in range(5)]


def written(folder: Path, name: str, rows: Sequence[dict[str, object]]) -> None:
    with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(each)}\n" for each in rows)


def opened(number: int, *, answered: bool = True) -> dict[str, object]:
    context = f"Boat {number} is painted in shade {number}."
    answers = [{"text": f"shade {number}", "start": context.index("shade")}] if answered else []
    return {"question": f"How is boat {number} painted?", "context": context, "answers": answers, "source": "made up"}


@pytest.fixture
def reader(tmp_path: Path) -> Path:
    for name in HELD_BACK_SETS:
        written(tmp_path, name, [opened(number) for number in range(HELD_BACK + 40)])
    written(tmp_path, JUDGED_BY_PEOPLE, [opened(number, answered=number % 3 == 0) for number in range(30)])
    return tmp_path


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_open_sets_hold_rows_that_were_held_back_and_those_that_people_judged(reader: Path, tmp_path: Path) -> None:
    folders = write_open_sets(reader, tmp_path / "made")
    held = lines(folders["open squad"] / "queries.jsonl")
    judged = lines(folders["open clapnq"] / "queries.jsonl")
    answered = [each for each in held if each["answers"]]
    near = [each for each in held if each["is_impossible"]]
    assert len(answered) == 2 * HELD_BACK_MOST
    assert 0 < len(near) <= len(answered)
    assert len(held) == len(answered) + len(near)
    assert not {str(each["text"]) for each in near} & {str(each["text"]) for each in answered}
    assert sum(bool(each["is_impossible"]) for each in judged) == 20
    assert len(judged) == 30
    texts = {str(each["id"]): str(each["text"]) for each in lines(folders["open squad"] / "corpus.jsonl")}
    graded = [line.split("\t")[:2] for line in (folders["open squad"] / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    answers = {str(each["id"]): each["answers"] for each in held}
    assert all(str(answers[query][0]) in texts[document] for query, document in graded if answers[query])  # type: ignore[index]
    again = write_open_sets(reader, tmp_path / "again")
    assert (again["open squad"] / "queries.jsonl").read_bytes() == (folders["open squad"] / "queries.jsonl").read_bytes()


def test_a_missing_file_of_rows_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=HELD_BACK_SETS[0]):
        write_open_sets(tmp_path, tmp_path / "made")


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    path, rows = tmp_path / "rows.jsonl", some_rows("open squad")
    assert read_rows(path) == []
    path.write_text("".join(f"{json.dumps(asdict(each))}\n" for each in rows), encoding="utf-8")
    assert read_rows(path) == rows
    old = [replace(each, signals={name: value for name, value in each.signals.items() if name not in COVERAGE_SIGNALS}) for each in rows]
    path.write_text("".join(f"{json.dumps(asdict(each))}\n" for each in old), encoding="utf-8")
    with pytest.raises(ValueError, match="new file"):
        read_rows(path)


def test_the_diagram_counts_every_judged_question_once() -> None:
    rows = [*some_rows("open squad"), row("open squad", "long", 0.9, held=True)]
    assert sum(int(str(line[2])) for line in reliability_rows(rows)) == len(rows) - 1
    assert [line[0] for line in rows_by_kind(rows)] == ["sentences", "span"]
    assert [(each.low, each.count, each.share) for each in reliability([0.05, 0.12, 0.18, 1.0], [False, True, False, True])] == [
        (0.0, 1, 0.0),
        (0.1, 2, 0.5),
        (0.9, 1, 1.0),
    ]


def test_a_set_without_near_misses_has_no_figure_for_them() -> None:
    rows = some_rows("open squad")
    line = report(rows, [each.chance for each in rows])
    assert line[0] == "open squad"
    assert 0.5 < float(str(line[3])) <= 1.0
    assert line[4] == ""


def test_fitted_coefficients_never_speak_against_an_answer() -> None:
    weights = fit_coefficients(some_rows("open squad"))
    assert all(weight >= 0 for weight in weights[1:])
    assert any(weight > 0 for weight in weights[1:])
    likely = predicted_chances([row("open squad", "there", value, held=True) for value in READINGS], weights)
    assert likely == sorted(likely)


def test_the_shipped_coefficients_are_judged_as_the_product_judges() -> None:
    rows = [*some_rows("squad2_500"), row("squad2_500", "near", 0.6, held=False, unsaid=True)]
    assert predicted_chances(rows, READER_COEFFICIENTS) == pytest.approx([probability(each.signals) for each in rows])


def test_nothing_is_fitted_on_a_judged_set(capsys: pytest.CaptureFixture[str]) -> None:
    fit_and_print(some_rows("squad2_500"))
    assert "Nothing to fit on" in capsys.readouterr().out
    fit_and_print([*some_rows("open squad"), *some_rows("hotpotqa"), *some_rows("squad2_500")])
    assert "READ_COEFFICIENTS = (" in capsys.readouterr().out


def test_the_kind_of_an_answer_is_what_stands_first() -> None:
    lead = Lead(text="£14", kind="cell", citation=1, start=0, end=3, chance=0.5)
    assert answer_kind(Answer(text="£14 [1]", lead=lead)) == "cell"
    assert answer_kind(Answer(text="It costs £14. [1]")) == "sentences"
    assert answer_kind(Answer(text="", found=False)) == "nothing"
