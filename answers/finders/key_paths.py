"""Values of JSON, YAML and TOML by the path of their keys: "limits.chamber_a.max", or its words ("the server's port", "max of chamber a").

Such a file is read as lines of "key.path: value" and as tables of objects that are alike (`ingestion.readers.text.json_files`); both are asked here,
and so are the constants of code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from answers.units.row_wording import cell_places, cells_of
from core.language.content_words import stems

_STEP = r"[A-Za-z_][\w-]*(?:\[\d+\])*"
_PATH_PATTERN = re.compile(rf"(?<![\w/@.-]){_STEP}(?:\.{_STEP})+(?![\w/@-])|(?<![\w/@.-]){_STEP}\[\d+\](?:\.{_STEP})*(?![\w/@-])")
_KEYED_VALUE = re.compile(rf"^(?P<path>(?:\[\d+\]\.)?{_STEP}(?:\.{_STEP})*):\s+(?P<value>\S.*)$", re.DOTALL)
_KEY_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_INDEXED = re.compile(r"^(?P<list>[\w.-]+)\[(?P<number>\d+)\]\.(?P<key>[\w-]+)$")
_CONSTANT = re.compile(
    r"^[ \t]*(?:(?:const|final|export|public|static)\s+)*(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\s*(?::[^=\n]+)?="
    r"\s*(?P<value>[^\s#;][^#;\n]*?)\s*(?=[#;]|$)",
    re.MULTILINE,
)
_LEAST_PATH_WORDS = 2  # words of a path that a question in words names
_SYNONYMS = {"maximum": "max", "minimum": "min", "temperature": "temp", "number": "count", "address": "host"}
_ASKING_STEMS = stems("what which who when where how much many is are was the value key setting configured set of for current")


def asks_for_path(question: str) -> bool:
    """Return whether a path of keys is written out in a question: "contacts[1].phone"."""
    return _PATH_PATTERN.search(question) is not None


def value_at_path(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the value whose key path is asked for, letter for letter or by its words; None where no path, or several with other values, fit."""
    keyed = [(place, match) for place, unit in enumerate(units) if unit.unit.choosable and (match := _KEYED_VALUE.match(unit.unit.text)) is not None]
    asked = _PATH_PATTERN.search(question.text)
    if asked is not None:
        return _require_agreement([_span(place, match) for place, match in keyed if _ends_with(match["path"], asked.group())], units) or _cell(
            asked.group(), units
        )
    return _find_by_words(question.text, keyed, units) or _constant(question.text, units)


def _ends_with(path: str, asked: str) -> bool:
    return f".{path}".lower().endswith(f".{asked}".lower())


def _span(place: int, match: re.Match[str]) -> UnitSpan:
    return UnitSpan(place, *match.span("value"))


def _require_agreement(found: Sequence[UnitSpan], units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the value where all that were found say the same."""
    said = {units[each.unit].unit.text[each.start : each.end].strip() for each in found}
    return RuleAnswer(said.pop(), (found[0],), SURE_CHANCE, "span") if len(said) == 1 else None


def _find_by_words(text: str, keyed: Sequence[tuple[int, re.Match[str]]], units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the value of the path that holds every word of the question that is not its document's name, two of them at least; of several the
    shortest."""
    wanted = _stems(text) - _ASKING_STEMS
    fitting = []
    for place, match in keyed:
        own = _stems(" ".join(_KEY_PARTS.findall(match["path"])))
        rest = wanted - stems(" ".join(units[place].names))
        named = wanted & own
        if len(named) >= _LEAST_PATH_WORDS and rest <= own and "." in match["path"]:
            fitting.append((len(own - wanted), _span(place, match)))
    least = min((extra for extra, _ in fitting), default=0)
    return _require_agreement([span for extra, span in fitting if extra == least], units)


def _constant(text: str, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return what code gives a constant whose every word the question has: "Z_CRITICAL = 2.33", for "What is the Z value for critical parts?"."""
    wanted = _stems(text)
    fitting = []
    for place, unit in enumerate(units):
        for match in _CONSTANT.finditer(unit.unit.text):
            own = _stems(match["name"].replace("_", " "))
            if len(own) >= _LEAST_PATH_WORDS and own <= wanted:
                fitting.append((-len(own), _span(place, match)))
    most = min((named for named, _ in fitting), default=0)
    return _require_agreement([span for named, span in fitting if named == most], units)


def _stems(text: str) -> frozenset[str]:
    """Return the stems of words and single letters: "chamber a" is a key, too."""
    plain = [_SYNONYMS.get(word, word) for word in re.findall(r"[^\W_]+", text.lower().replace("'s", ""))]
    return stems(" ".join(plain)) | {word for word in plain if len(word) == 1 and word not in {"i"}}


def _cell(asked: str, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the cell of "contacts[1].phone": of that row, counted from 0, of the table under the list's name (its first row alone carries the
    name)."""
    path = _INDEXED.match(asked)
    if path is None:
        return None
    name = path["list"].rpartition(".")[2].lower()
    opening = {(unit.unit.source, unit.unit.header) for unit in units if unit.unit.role is Role.ROW and unit.unit.lead_in.strip().lower() == name}
    if len(opening) != 1:
        return None
    rows = [(place, unit) for place, unit in enumerate(units) if unit.unit.role is Role.ROW and (unit.unit.source, unit.unit.header) in opening]
    if int(path["number"]) >= len(rows):
        return None
    place, unit = rows[int(path["number"])]
    header = next(
        (
            other.unit
            for other in units
            if other.unit.role is Role.HEADER
            and (other.unit.source, other.unit.start, other.unit.end) == (unit.unit.source, *(unit.unit.header or (-1, -1)))
        ),
        None,
    )
    columns = [cell.lower() for cell in cells_of(header.text)] if header is not None else []
    column = columns.index(path["key"].lower()) if path["key"].lower() in columns else len(columns)
    cells = cell_places(unit.unit.text)
    if column >= len(cells) or unit.unit.text[slice(*cells[column])].strip() == "":
        return None
    return RuleAnswer(unit.unit.text[slice(*cells[column])], (UnitSpan(place, *cells[column]),), SURE_CHANCE, "cell")
