"""From chosen units to lines that can be read alone: marks and connectives left out, pronouns given their subject, rows put into words; and their
order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from answers.extractive.page_breaks import is_cut_by_page
from answers.finders.named_lists import joined_names, without_strays
from answers.questions.question_parts import asks_more, normalise_text
from answers.scoring.unit_scores import Question, ScoredUnit, header_of
from answers.scoring.unit_selection import Bounds
from answers.units.answer_units import CONTEXT_ROLES, Role
from answers.units.leading_marks import mark_length
from answers.units.line_kinds import ends_as_label, is_salutation
from answers.units.row_wording import cell_places, cells_of, describe_row
from answers.units.sentence_subjects import goes_on_from_heading, lacks_subject, name_before, title_is_subject, title_of
from core.answers import Evidence
from core.documents import BlockKind
from core.language.question_wording import name_alone
from core.language.sentences import opens_mid_thought, word_count

LONGEST_ITEM = 20  # words; a list of longer ones is no list to show whole
LONGEST_SENTENCE_BEFORE = 30  # words of a sentence that is quoted along with the one that needs its subject
SHORT_ITEM = 5

LinePlace = tuple[int, int, int]

_CONNECTIVE = re.compile(
    r"(?:However|Therefore|Thus|Hence|Also|Moreover|Furthermore|Additionally|In addition|In contrast|By contrast|On the other hand|Nevertheless|"
    r"Nonetheless|Consequently|As a result|Accordingly|Meanwhile|Instead|Similarly|Likewise|Besides|For example|For instance|In fact|Indeed|Then|"
    r"And|But|So|Finally|Jedoch|Allerdings|Daher|Deshalb|Außerdem|Dennoch|Ferner|Zudem|Sin embargo|Además|Por lo tanto|Por tanto|No obstante|"
    r"Asimismo|Cependant|Toutefois|De plus|Par conséquent),\s+"
)
_LABEL_MARKS = re.compile(r"^[#*_\s]*(?:\d{1,3}(?:\.\d{1,3})*[.)]?\s+)?|[\s*_:：]+$")


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One line of the answer: the span [start:end] of its document, what stands in front when it is shown, its paragraph and score.

    `lex` is the question's share that its unit holds, 0 for a line that another one brought along. `wording`, where it is not empty, is shown behind
    the prefix in place of the quote: a row of a table as a sentence, a sentence without its "However, "."""

    source: int
    start: int
    end: int
    prefix: str
    kind: BlockKind
    score: float
    paragraph: int = 0
    lex: float = 0.0
    wording: str = ""


@dataclass(slots=True)
class _LineState:
    """What the answer holds so far: `done_ids` units, `tables` whose header stands there, the last line, and the words that are left."""

    chosen: dict[int, ScoredUnit]
    rows: dict[tuple[int, int], int]
    room: int
    done_ids: set[int] = field(default_factory=set)
    tables: set[tuple[int, int]] = field(default_factory=set)
    last_unit: ScoredUnit | None = None


class Decontextualizer:
    """The step that makes the lines of one answer readable alone. `units` are all scored units in reading order, `chosen` some of them, best first.
    `words_tell` False: the question is in another language, so that a sentence that shares none of its words may be the very one. `lead` (source,
    start, end) is the answer itself where it is known: it is never cut away, and the cell that holds it is always shown."""

    def __init__(
        self,
        question: Question,
        evidence: Sequence[Evidence],
        units: Sequence[ScoredUnit],
        bounds: Bounds,
        *,
        words_tell: bool = True,
        lead: LinePlace | None = None,
    ) -> None:
        self._words_tell = words_tell
        self._question = question
        self._evidence = evidence
        self._units = units
        self._bounds = bounds
        self._lead = lead
        self._place = {id(unit): place for place, unit in enumerate(units)}
        self._at = {(unit.unit.source, unit.unit.start): unit for unit in reversed(units)}

    def make_lines(self, chosen: Sequence[ScoredUnit]) -> list[AnswerLine]:
        """Return the lines in the order of the answer, at most `max_words` words where the best line leaves room."""
        rows: dict[tuple[int, int], int] = {}
        for unit in chosen:
            if unit.unit.role is Role.ROW:
                rows[_table(unit)] = rows.get(_table(unit), 0) + 1
        room = self._bounds.max_words - sum(unit.words for unit in chosen)
        state = _LineState({id(unit): unit for unit in chosen}, rows, room)
        out: list[AnswerLine] = []
        for paragraph, group in enumerate(self._group_by_document(chosen)):
            state.last_unit = None
            for unit in group:
                if id(unit) in state.done_ids:
                    continue
                unit_lines = self._lines_of_unit(unit, state)
                state.room -= sum(self._count_words(line) for line in unit_lines) - unit.words
                out += [replace(line, paragraph=paragraph) for line in unit_lines]
        return out

    def _group_by_document(self, chosen: Sequence[ScoredUnit]) -> list[list[ScoredUnit]]:
        """Return a group for each document, in the order of their first choice; the best sentence first, the others by position."""
        groups: dict[str, list[ScoredUnit]] = {}
        for unit in chosen:
            groups.setdefault(unit.document, []).append(unit)
        ordered = [sorted(group, key=lambda unit: unit.unit.start) for group in groups.values()]
        best = chosen[0]
        if best.unit.role is not Role.ROW:  # rows stay in the order of their table
            ordered[0] = [best, *(unit for unit in ordered[0] if unit is not best)]
        return ordered

    def _lines_of_unit(self, unit: ScoredUnit, state: _LineState) -> list[AnswerLine]:
        state.done_ids.add(id(unit))
        if id(unit) not in self._place:  # a member of a list that is told by its name
            return [replace(self._plain_line(unit), kind=BlockKind.LIST_ITEM)]
        if unit.unit.role is Role.ROW:
            lines = [self._row_line(unit, state)]
        elif unit.unit.list_group is not None:
            lines = self._item_lines(unit, state)
        else:
            lines = [*self._half_line(unit, -1, state), self._sentence_line(unit, state), *self._half_line(unit, 1, state)]
        state.last_unit = unit
        return [*lines, *self._announced_lines(unit, state, state.room - sum(self._count_words(line) for line in lines) + unit.words)]

    # ------------------------------------------------------------------------------------------------------------------ tables
    def _row_line(self, unit: ScoredUnit, state: _LineState) -> AnswerLine:
        """Return the line of a row: the one row of a table that answers as a sentence; of several the first brings the header in front."""
        line, header = self._plain_line(unit), self._header(unit)
        table = _table(unit)
        if state.rows.get(table, 0) <= 1:
            row = unit.unit.text
            whole = asks_more(self._question.text) or name_alone(self._question.text) != ""
            kept = [place for place, span in enumerate(cell_places(row)) if whole or self._is_lead(unit, *span)]
            wording_text = describe_row(cells_of(header), cells_of(row), self._question.words, kept)
            return replace(line, kind=BlockKind.PARAGRAPH, wording=wording_text) if wording_text else line
        if table in state.tables or not header or word_count(header) > state.room:
            return line
        state.tables.add(table)
        return replace(line, prefix=f"{header}\n")

    def _header(self, unit: ScoredUnit) -> str:
        return header_of(unit.unit, self._evidence[unit.unit.source])

    def _is_lead(self, unit: ScoredUnit, start: int, end: int) -> bool:
        """Return whether [start:end] of a unit's text holds a part of the lead."""
        if self._lead is None or self._lead[0] != unit.unit.source:
            return False
        return unit.unit.start + start < self._lead[2] and self._lead[1] < unit.unit.start + end

    # ------------------------------------------------------------------------------------------------------------------ lists
    def _item_lines(self, unit: ScoredUnit, state: _LineState) -> list[AnswerLine]:
        """Return an item with what it stands under. Where the question asks for the label itself, all that the label holds."""
        label = self._at.get((unit.unit.source, unit.unit.list_group or 0))
        members = self._choose_items(unit, label, state)
        state.done_ids.update(id(member) for member in members)
        kind = BlockKind.LIST_ITEM if len(members) > 1 else unit.unit.kind
        lines = [replace(self._strip_marks(member), kind=kind) for member in members]
        if label is None or id(label) in state.done_ids:
            return lines
        if label.unit.role in CONTEXT_ROLES:
            return [self._add_label(unit, label, lines[0], state.room), *lines[1:]]
        needed = opens_mid_thought(self._line_text(lines[0])) or unit.words <= SHORT_ITEM or len(members) > 1
        if not needed or label.words > state.room:
            return lines
        state.done_ids.add(id(label))
        return [self._strip_marks(label), *lines]

    def _choose_items(self, unit: ScoredUnit, label: ScoredUnit | None, state: _LineState) -> list[ScoredUnit]:
        """Return all items of the list where the question's words are the label's and the item adds none to them; else the item alone."""
        if label is None or not label.covered_terms or (unit.terms & frozenset(self._question.idf)) - label.terms or self._asks_for_one_of(label):
            return [unit]
        group = unit.unit.list_group
        members = without_strays([other for other in self._units if other.unit.list_group == group and other.unit.source == unit.unit.source])
        fresh = [other for other in members if other is unit or id(other) not in state.done_ids]
        words = sum(other.words for other in fresh if id(other) not in state.chosen)
        return fresh if words <= state.room and max(other.words for other in fresh) <= LONGEST_ITEM else [unit]

    def _asks_for_one_of(self, label: ScoredUnit) -> bool:
        """Whether a label names several things, each item under it one of them, and the question not all: "Delivery, payment and warranty"."""
        return len(joined_names(label.unit.text)) > 1 and not label.terms <= self._question.idf.keys()

    def _add_label(self, unit: ScoredUnit, label: ScoredUnit, line: AnswerLine, room: int) -> AnswerLine:
        """Return the label in front of what says too little alone, or lacks the question's words that the label holds."""
        name = _LABEL_MARKS.sub("", " ".join(label.unit.text.split()))
        adds = unit.words <= SHORT_ITEM or bool(label.covered_terms - unit.terms)
        if not adds or not name or normalise_text(name) in unit.normalised_text or word_count(name) > room:
            return line
        return replace(line, prefix=f"{name}: ")

    def _announced_lines(self, unit: ScoredUnit, state: _LineState, room: int) -> list[AnswerLine]:
        """Return what a unit ending in ":" announces: the next units of its passage while there is room."""
        if unit.unit.role in CONTEXT_ROLES or not ends_as_label(unit.unit.text):
            return []
        lines: list[AnswerLine] = []
        following = self._neighbour(unit, 1)
        while following is not None and (following.unit.role is Role.HEADER or is_salutation(following.unit.text)):
            following = self._neighbour(following, 1)
        while following is not None and following.words <= room and following.unit.role not in CONTEXT_ROLES:
            if id(following) in state.done_ids:
                break
            lines.append(replace(self._strip_marks(following), lex=0.0))
            state.done_ids.add(id(following))
            room -= following.words - (following.words if id(following) in state.chosen else 0)
            if following.unit.role not in {Role.ITEM, Role.ROW, Role.FIELD}:
                break
            following = self._neighbour(following, 1)
        return lines

    # ------------------------------------------------------------------------------------------------------------------ sentences
    def _sentence_line(self, unit: ScoredUnit, state: _LineState) -> AnswerLine:
        before = self._neighbour(unit, -1)
        line = self._strip_marks(unit)
        if before is not None and before is state.last_unit:
            return line
        line = self._strip_connective(line)
        return self._add_subject(unit, line, before, state)

    def _half_line(self, unit: ScoredUnit, step: int, state: _LineState) -> list[AnswerLine]:
        """Return the other half of a sentence that the end of a page cuts, the one before (-1) or behind (1), where it is not told yet."""
        other = self._neighbour(unit, step)
        if other is None or id(other) in state.done_ids:
            return []
        first, second = (other, unit) if step < 0 else (unit, other)
        if not is_cut_by_page(first.unit, second.unit, self._evidence[unit.unit.source]):
            return []
        state.done_ids.add(id(other))
        state.last_unit = other if step < 0 else state.last_unit
        return [replace(self._strip_marks(other), lex=0.0)]

    def _plain_line(self, unit: ScoredUnit) -> AnswerLine:
        return AnswerLine(unit.unit.source, unit.unit.start, unit.unit.end, "", unit.unit.kind, unit.score, lex=unit.lex)

    def _strip_marks(self, unit: ScoredUnit) -> AnswerLine:
        """Return a unit's line from behind its clause number, bullet or mail mark, unless the question asks for that number."""
        line = self._plain_line(unit)
        if unit.unit.role is Role.ROW or unit.unit.kind is BlockKind.CODE:
            return line
        length = mark_length(unit.unit.text, self._question.text)
        return line if length == 0 or self._is_lead(unit, 0, length) else replace(line, start=line.start + length)

    def _strip_connective(self, line: AnswerLine) -> AnswerLine:
        """Return the line from behind "However, "; what is then its first word is shown with a capital."""
        text = self._line_text(line)
        match = _CONNECTIVE.match(text)
        if match is None or word_count(text[match.end() :]) < 4:
            return line
        rest = " ".join(text[match.end() :].split())
        return replace(line, start=line.start + match.end(), wording=rest[0].upper() + rest[1:] if rest[0].islower() else "")

    def _add_subject(self, unit: ScoredUnit, line: AnswerLine, before: ScoredUnit | None, state: _LineState) -> AnswerLine:
        """Return the line with what its sentence speaks of in front: its label, the title, or the sentence before, which is then quoted along.

        So for a sentence without a subject of its own, and for one that shares no word with the question (the title alone).
        """
        text = self._line_text(line)
        if goes_on_from_heading(text):
            return self._start_at_heading(unit, line, before)
        lacks = lacks_subject(text)
        if opens_mid_thought(text) and line.start == unit.unit.start and self._continues(unit, before, state):
            return self._start_at_sentence(before, line, state)
        label = self._label_of(unit, before, lacks=lacks)
        if label and word_count(label) <= state.room and normalise_text(label) not in unit.normalised_text:
            return replace(line, prefix=f"{label}: ")
        if not lacks and (unit.covered_terms or not self._words_tell or unit.unit.role in {Role.TURN, Role.FIELD}):
            return line
        evidence = self._evidence[unit.unit.source]
        title = title_of(evidence)
        if lacks and not (title and title_is_subject(unit.unit, evidence)):
            if self._can_quote_along(before, unit, state):
                return self._start_at_sentence(before, line, state)
            title = name_before(unit.unit, evidence) or title
        if title and normalise_text(title) not in unit.normalised_text and word_count(title) <= state.room:
            return replace(line, prefix=f"{title}: ")
        return line

    def _start_at_heading(self, unit: ScoredUnit, line: AnswerLine, before: ScoredUnit | None) -> AnswerLine:
        """Return "is a genus of …" from its heading on, which is its subject; where that stands elsewhere, with the title in front."""
        if before is not None and before.unit.role in {Role.HEADING, Role.LABEL} and unit.unit.lead_in == before.unit.text:
            mark = _LABEL_MARKS.match(before.unit.text)
            return replace(line, start=before.unit.start + (mark.end() if mark is not None else 0))
        title = title_of(self._evidence[unit.unit.source])
        return replace(line, prefix=f"{title} ") if title else line

    def _label_of(self, unit: ScoredUnit, before: ScoredUnit | None, *, lacks: bool) -> str:
        """Return the label right above a sentence, or above the paragraph of one without a subject: it names what is spoken of."""
        above = before
        while lacks and above is not None and above.unit.block == unit.unit.block and above.unit.role is Role.SENTENCE:
            above = self._neighbour(above, -1)
        if above is None or above.unit.role is not Role.LABEL or above.unit.text != unit.unit.lead_in:
            return ""
        return _LABEL_MARKS.sub("", " ".join(above.unit.text.split()))

    def _continues(self, unit: ScoredUnit, before: ScoredUnit | None, state: _LineState) -> bool:
        """Return whether a unit is the second half of a sentence whose first half can be brought."""
        return before is not None and not re.search(r"[.!?…][\"'”’»)\]]*$", before.unit.text) and self._can_quote_along(before, unit, state)

    def _can_quote_along(self, before: ScoredUnit | None, unit: ScoredUnit, state: _LineState) -> bool:
        """Return whether the sentence before may be quoted along: in the same paragraph, with a subject of its own, not quoted yet, and short
        enough."""
        if before is None or before.unit.block != unit.unit.block or before.unit.role is not Role.SENTENCE or id(before) in state.done_ids:
            return False
        fits = id(before) in state.chosen or before.words <= min(state.room, LONGEST_SENTENCE_BEFORE)
        return fits and not lacks_subject(before.unit.text)

    def _start_at_sentence(self, before: ScoredUnit | None, line: AnswerLine, state: _LineState) -> AnswerLine:
        """Return the line from the beginning of the sentence before on."""
        if before is None:
            return line
        state.done_ids.add(id(before))
        state.room += before.words if id(before) in state.chosen else 0
        first = self._strip_marks(before)
        if goes_on_from_heading(self._line_text(first)):
            first = self._start_at_heading(before, first, self._neighbour(before, -1))
        return replace(line, start=first.start, prefix=first.prefix, wording="")

    # ------------------------------------------------------------------------------------------------------------------
    def _neighbour(self, unit: ScoredUnit, step: int) -> ScoredUnit | None:
        place = self._place[id(unit)] + step
        if not 0 <= place < len(self._units) or self._units[place].unit.source != unit.unit.source:
            return None
        return self._units[place]

    def _line_text(self, line: AnswerLine) -> str:
        passage = self._evidence[line.source].passage
        return passage.content[line.start - passage.start : line.end - passage.start]

    def _count_words(self, line: AnswerLine) -> int:
        return word_count(line.prefix) + word_count(line.wording or self._line_text(line))


def _table(unit: ScoredUnit) -> tuple[int, int]:
    return unit.unit.source, unit.unit.block
