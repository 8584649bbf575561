"""The row that a question names by its place, of a table with a column that numbers its rows: "Who is called second?", "What does defect 3 cost?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.named_cells import is_column_of_kind
from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.questions.answer_kinds import AnswerKind
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from answers.units.row_wording import cell_places, cells_of
from core.language.content_words import stems
from core.language.numbers import ordinals
from core.language.stems import stem

_ORDINALS = ordinals("en", most=10) | {
    "1st": 1, "2nd": 2, "3rd": 3,
}  # fmt: skip
_NAMED_NUMBER = re.compile(r"\b(?P<noun>[^\W\d_]{3,})\s+(?:no\.?\s*)?(?P<number>\d{1,2})\b(?!\s*(?:%|:|[./]\d))", re.IGNORECASE)
_QUESTION_PATTERN = re.compile(
    rf"\b(?P<ordinal>{'|'.join(_ORDINALS)}|\d{{1,2}}th)\b|\b(?:step|level|stage|rank|position|no\.?|number)\s+(?P<number>\d{{1,2}})\b", re.IGNORECASE
)
_NUMBERS_ROWS = frozenset("step level stage rank position place order priority no nr number item schritt stufe rang platz nummer #".split())
_ASKS_WHO = re.compile(r"\b(?:who|whom|wer|wen)\b", re.IGNORECASE)


def numbered_row(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the cell of the row with that number under the column that the question names by its verb or noun ("call" for "called"); None where no
    table numbers its rows so, several do, or none of its columns is asked for."""
    asked, named = _QUESTION_PATTERN.search(question.text), _NAMED_NUMBER.search(question.text)
    if asked is None and named is None:
        return None
    word = (asked["ordinal"] or "").lower() if asked is not None else ""
    number = int(named["number"]) if asked is None and named is not None else _ORDINALS.get(word, 0) or int(_digits(asked))
    noun = stem(named["noun"].lower()) if asked is None and named is not None else ""
    said = stems(question.text) - {stem(word), noun}
    found: list[UnitSpan] = []
    for place, header in enumerate(units):
        if header.unit.role is Role.HEADER and (span := _cell(question.answer_kind, (number, noun), said, place, units)) is not None:
            found.append(span)
    if len(found) != 1:
        return None
    text = units[found[0].unit].unit.text[found[0].start : found[0].end]
    return RuleAnswer(text, (found[0],), SURE_CHANCE, "name" if _ASKS_WHO.search(question.text) else "cell")


def _digits(asked: re.Match[str] | None) -> str:
    return (asked["number"] or asked["ordinal"].lower().removesuffix("th")) if asked is not None else "0"


def _cell(kind: AnswerKind, row: tuple[int, str], said: frozenset[str], place: int, units: Sequence[ScoredUnit]) -> UnitSpan | None:
    """Return the asked cell of the table under the header at `place`; of "defect 3" in a table that has a column called so."""
    (number, noun), header = row, units[place]
    names = [frozenset(stem(word) for word in re.findall(r"[^\W_]+|#", cell.lower())) for cell in cells_of(header.unit.text)]
    counting = next((column for column, name in enumerate(names) if name & _NUMBERS_ROWS), None)
    asked = [column for column, name in enumerate(names) if name & said and column != counting]
    if not asked:
        asked = [column for column, cell in enumerate(cells_of(header.unit.text)) if is_column_of_kind(kind, cell)]
    if counting is None or len(asked) != 1 or (noun and not any(noun in name for name in names)):
        return None
    for at in range(place + 1, len(units)):
        below = units[at].unit
        if below.role is not Role.ROW or below.source != header.unit.source:
            return None
        cells = cells_of(below.text)
        if counting < len(cells) and cells[counting].rstrip(".") == str(number) and asked[0] < len(cells) and cells[asked[0]]:
            return UnitSpan(at, *cell_places(below.text)[asked[0]])
    return None
