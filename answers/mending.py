"""From chosen units to lines that can be read alone: marks and connectives left out, pronouns given their subject, rows told; and their order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from answers.lines import ends_as_label
from answers.lists import without_strays
from answers.marks import mark_length
from answers.questions import asks_more, normalised
from answers.rows import cell_places, cells_of, tell_row
from answers.scoring import Question, ScoredUnit, header_of
from answers.selection import Bounds
from answers.subjects import goes_on_from_heading, lacks_subject, name_before, title_is_subject, title_of
from answers.units import SPEAKING_FOR_OTHERS, Role
from core.answers import Evidence
from core.documents import BlockKind
from core.question_wording import name_alone
from core.sentences import opens_mid_thought, word_count

LONGEST_ITEM = 20  # words; a list of longer ones is no list to tell whole
LONGEST_BEFORE = 30  # words of a sentence that is quoted along with the one that needs its subject
SHORT_ITEM = 5

Place = tuple[int, int, int]

_CONNECTIVE = re.compile(
    r"(?:However|Therefore|Thus|Hence|Also|Moreover|Furthermore|Additionally|In addition|In contrast|By contrast|On the other hand|Nevertheless|"
    r"Nonetheless|Consequently|As a result|Accordingly|Meanwhile|Instead|Similarly|Likewise|Besides|For example|For instance|In fact|Indeed|Then|"
    r"And|But|So|Finally|Jedoch|Allerdings|Daher|Deshalb|Außerdem|Dennoch|Ferner|Zudem|Sin embargo|Además|Por lo tanto|Por tanto|No obstante|"
    r"Asimismo|Cependant|Toutefois|De plus|Par conséquent),\s+"
)
_LABEL_MARKS = re.compile(r"^[#*_\s]*(?:\d{1,3}(?:\.\d{1,3})*[.)]?\s+)?|[\s*_:：]+$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the answer: the span [start:end] of its document, what stands in front when it is shown, its paragraph and score.

    `lex` is the question's share that its unit holds, 0 for a line that another one brought along. `told`, where it is not empty, is shown behind
    the prefix in place of the quote: a row of a table as a sentence, a sentence without its "However, "."""

    source: int
    start: int
    end: int
    prefix: str
    kind: BlockKind
    score: float
    paragraph: int = 0
    lex: float = 0.0
    told: str = ""


@dataclass(slots=True)
class _Telling:
    """What has been told so far: `done` units, `tables` whose header stands there, the last line, and the words that are left."""

    chosen: dict[int, ScoredUnit]
    rows: dict[tuple[int, int], int]
    room: int
    done: set[int] = field(default_factory=set)
    tables: set[tuple[int, int]] = field(default_factory=set)
    last: ScoredUnit | None = None


class Mender:
    """Mends one answer. `units` are all scored units in reading order, `chosen` some of them, best first. `words_tell` False: the question is in
    another language, so that a sentence that shares none of its words may be the very one. `lead` (source, start, end) is the answer itself
    where it is known: it is never cut away, and the cell that holds it is told."""

    def __init__(
        self,
        question: Question,
        evidence: Sequence[Evidence],
        units: Sequence[ScoredUnit],
        bounds: Bounds,
        *,
        words_tell: bool = True,
        lead: Place | None = None,
    ) -> None:
        self._words_tell = words_tell
        self._question = question
        self._evidence = evidence
        self._units = units
        self._bounds = bounds
        self._lead = lead
        self._place = {id(unit): place for place, unit in enumerate(units)}
        self._at = {(unit.unit.source, unit.unit.start): unit for unit in reversed(units)}

    def lines(self, chosen: Sequence[ScoredUnit]) -> list[Line]:
        """The lines in the order of the answer, at most `max_words` words where the best line leaves room."""
        rows: dict[tuple[int, int], int] = {}
        for unit in chosen:
            if unit.unit.role is Role.ROW:
                rows[_table(unit)] = rows.get(_table(unit), 0) + 1
        room = self._bounds.max_words - sum(unit.words for unit in chosen)
        telling = _Telling({id(unit): unit for unit in chosen}, rows, room)
        out: list[Line] = []
        for paragraph, group in enumerate(self._grouped(chosen)):
            telling.last = None
            for unit in group:
                if id(unit) in telling.done:
                    continue
                mended = self._mend(unit, telling)
                telling.room -= sum(self._words(line) for line in mended) - unit.words
                out += [replace(line, paragraph=paragraph) for line in mended]
        return out

    def _grouped(self, chosen: Sequence[ScoredUnit]) -> list[list[ScoredUnit]]:
        """A group for each document, in the order of their first choice; the best sentence first, the others by position."""
        groups: dict[str, list[ScoredUnit]] = {}
        for unit in chosen:
            groups.setdefault(unit.document, []).append(unit)
        ordered = [sorted(group, key=lambda unit: unit.unit.start) for group in groups.values()]
        best = chosen[0]
        if best.unit.role is not Role.ROW:  # rows stay in the order of their table
            ordered[0] = [best, *(unit for unit in ordered[0] if unit is not best)]
        return ordered

    def _mend(self, unit: ScoredUnit, telling: _Telling) -> list[Line]:
        telling.done.add(id(unit))
        if unit.unit.role is Role.ROW:
            lines = [self._row(unit, telling)]
        elif unit.unit.group is not None:
            lines = self._listed(unit, telling)
        else:
            lines = [self._sentence(unit, telling)]
        telling.last = unit
        return [*lines, *self._announced(unit, telling, telling.room - sum(self._words(line) for line in lines) + unit.words)]

    # ------------------------------------------------------------------------------------------------------------------ tables
    def _row(self, unit: ScoredUnit, telling: _Telling) -> Line:
        """The one row of a table that answers is told as a sentence; of several the first brings the header in front."""
        line, header = self._plain(unit), self._header(unit)
        table = _table(unit)
        if telling.rows.get(table, 0) <= 1:
            row = unit.unit.text
            whole = asks_more(self._question.text) or name_alone(self._question.text) != ""
            kept = [place for place, span in enumerate(cell_places(row)) if whole or self._is_lead(unit, *span)]
            told = tell_row(cells_of(header), cells_of(row), self._question.words, kept)
            return replace(line, kind=BlockKind.PARAGRAPH, told=told) if told else line
        if table in telling.tables or not header or word_count(header) > telling.room:
            return line
        telling.tables.add(table)
        return replace(line, prefix=f"{header}\n")

    def _header(self, unit: ScoredUnit) -> str:
        return header_of(unit.unit, self._evidence[unit.unit.source])

    def _is_lead(self, unit: ScoredUnit, start: int, end: int) -> bool:
        """Whether [start:end] of a unit's text holds a part of the lead."""
        if self._lead is None or self._lead[0] != unit.unit.source:
            return False
        return unit.unit.start + start < self._lead[2] and self._lead[1] < unit.unit.start + end

    # ------------------------------------------------------------------------------------------------------------------ lists
    def _listed(self, unit: ScoredUnit, telling: _Telling) -> list[Line]:
        """An item with what it stands under. Where the question asks for the label itself, all that the label holds."""
        label = self._at.get((unit.unit.source, unit.unit.group or 0))
        members = self._asked_list(unit, label, telling)
        telling.done.update(id(member) for member in members)
        kind = BlockKind.LIST_ITEM if len(members) > 1 else unit.unit.kind
        lines = [replace(self._unmarked(member), kind=kind) for member in members]
        if label is None or id(label) in telling.done:
            return lines
        if label.unit.role in SPEAKING_FOR_OTHERS:
            return [self._labelled(unit, label, lines[0], telling.room), *lines[1:]]
        needed = opens_mid_thought(self._text(lines[0])) or unit.words <= SHORT_ITEM or len(members) > 1
        if not needed or label.words > telling.room:
            return lines
        telling.done.add(id(label))
        return [self._unmarked(label), *lines]

    def _asked_list(self, unit: ScoredUnit, label: ScoredUnit | None, telling: _Telling) -> list[ScoredUnit]:
        """All items of the list where the question's words are the label's and the item adds none to them; else the item alone."""
        if label is None or not label.covers or (unit.terms & frozenset(self._question.idf)) - label.terms:
            return [unit]
        group = unit.unit.group
        members = without_strays([other for other in self._units if other.unit.group == group and other.unit.source == unit.unit.source])
        fresh = [other for other in members if other is unit or id(other) not in telling.done]
        words = sum(other.words for other in fresh if id(other) not in telling.chosen)
        return fresh if words <= telling.room and max(other.words for other in fresh) <= LONGEST_ITEM else [unit]

    def _labelled(self, unit: ScoredUnit, label: ScoredUnit, line: Line, room: int) -> Line:
        """The label in front of what says too little alone, or lacks the question's words that the label holds."""
        name = _LABEL_MARKS.sub("", " ".join(label.unit.text.split()))
        adds = unit.words <= SHORT_ITEM or bool(label.covers - unit.terms)
        if not adds or not name or normalised(name) in unit.normalised or word_count(name) > room:
            return line
        return replace(line, prefix=f"{name}: ")

    def _announced(self, unit: ScoredUnit, telling: _Telling, room: int) -> list[Line]:
        """What a unit ending in ":" announces: the next units of its passage while there is room."""
        if unit.unit.role in SPEAKING_FOR_OTHERS or not ends_as_label(unit.unit.text):
            return []
        lines: list[Line] = []
        following = self._neighbour(unit, 1)
        if following is not None and following.unit.role is Role.HEADER:
            following = self._neighbour(following, 1)
        while following is not None and following.words <= room and following.unit.role not in SPEAKING_FOR_OTHERS:
            if id(following) in telling.done:
                break
            lines.append(replace(self._unmarked(following), lex=0.0))
            telling.done.add(id(following))
            room -= following.words - (following.words if id(following) in telling.chosen else 0)
            if following.unit.role not in {Role.ITEM, Role.ROW, Role.FIELD}:
                break
            following = self._neighbour(following, 1)
        return lines

    # ------------------------------------------------------------------------------------------------------------------ sentences
    def _sentence(self, unit: ScoredUnit, telling: _Telling) -> Line:
        before = self._neighbour(unit, -1)
        line = self._unmarked(unit)
        if before is not None and before is telling.last:
            return line
        line = self._without_connective(line)
        return self._with_subject(unit, line, before, telling)

    def _plain(self, unit: ScoredUnit) -> Line:
        return Line(unit.unit.source, unit.unit.start, unit.unit.end, "", unit.unit.kind, unit.score, lex=unit.lex)

    def _unmarked(self, unit: ScoredUnit) -> Line:
        """A unit's line from behind its clause number, bullet or mail mark, unless the question asks for that number."""
        line = self._plain(unit)
        if unit.unit.role is Role.ROW or unit.unit.kind is BlockKind.CODE:
            return line
        length = mark_length(unit.unit.text, self._question.text)
        return line if length == 0 or self._is_lead(unit, 0, length) else replace(line, start=line.start + length)

    def _without_connective(self, line: Line) -> Line:
        """The line from behind "However, "; what is then its first word is told with a capital."""
        text = self._text(line)
        match = _CONNECTIVE.match(text)
        if match is None or word_count(text[match.end() :]) < 4:
            return line
        rest = " ".join(text[match.end() :].split())
        return replace(line, start=line.start + match.end(), told=rest[0].upper() + rest[1:] if rest[0].islower() else "")

    def _with_subject(self, unit: ScoredUnit, line: Line, before: ScoredUnit | None, telling: _Telling) -> Line:
        """What a sentence speaks of in front of it: its label, the title, or the sentence before, which is then quoted along.

        So for a sentence without a subject of its own, and for one that shares no word with the question (the title alone)."""
        text = self._text(line)
        if goes_on_from_heading(text):
            return self._from_heading(unit, line, before)
        lacks = lacks_subject(text)
        if opens_mid_thought(text) and line.start == unit.unit.start and self._goes_on_from(unit, before, telling):
            return self._from(before, line, telling)
        label = self._label_of(unit, before, lacks=lacks)
        if label and word_count(label) <= telling.room and normalised(label) not in unit.normalised:
            return replace(line, prefix=f"{label}: ")
        if not lacks and (unit.covers or not self._words_tell or unit.unit.role in {Role.TURN, Role.FIELD}):
            return line
        evidence = self._evidence[unit.unit.source]
        title = title_of(evidence)
        if lacks and not (title and title_is_subject(unit.unit, evidence)):
            if self._can_bring(before, unit, telling):
                return self._from(before, line, telling)
            title = name_before(unit.unit, evidence) or title
        if title and normalised(title) not in unit.normalised and word_count(title) <= telling.room:
            return replace(line, prefix=f"{title}: ")
        return line

    def _from_heading(self, unit: ScoredUnit, line: Line, before: ScoredUnit | None) -> Line:
        """ "is a genus of …" from its heading on, which is its subject; where that stands elsewhere, with the title in front."""
        if before is not None and before.unit.role in {Role.HEADING, Role.LABEL} and unit.unit.lead == before.unit.text:
            mark = _LABEL_MARKS.match(before.unit.text)
            return replace(line, start=before.unit.start + (mark.end() if mark is not None else 0))
        title = title_of(self._evidence[unit.unit.source])
        return replace(line, prefix=f"{title} ") if title else line

    def _label_of(self, unit: ScoredUnit, before: ScoredUnit | None, *, lacks: bool) -> str:
        """The label right above a sentence, or above the paragraph of one without a subject: it names what is spoken of."""
        above = before
        while lacks and above is not None and above.unit.block == unit.unit.block and above.unit.role is Role.SENTENCE:
            above = self._neighbour(above, -1)
        if above is None or above.unit.role is not Role.LABEL or above.unit.text != unit.unit.lead:
            return ""
        return _LABEL_MARKS.sub("", " ".join(above.unit.text.split()))

    def _goes_on_from(self, unit: ScoredUnit, before: ScoredUnit | None, telling: _Telling) -> bool:
        """Whether a unit is the second half of a sentence whose first half can be brought."""
        return before is not None and not re.search(r"[.!?…][\"'”’»)\]]*$", before.unit.text) and self._can_bring(before, unit, telling)

    def _can_bring(self, before: ScoredUnit | None, unit: ScoredUnit, telling: _Telling) -> bool:
        """Whether the sentence before may be quoted along: in the same paragraph, with a subject of its own, not told yet, and short enough."""
        if before is None or before.unit.block != unit.unit.block or before.unit.role is not Role.SENTENCE or id(before) in telling.done:
            return False
        fits = id(before) in telling.chosen or before.words <= min(telling.room, LONGEST_BEFORE)
        return fits and not lacks_subject(before.unit.text)

    def _from(self, before: ScoredUnit | None, line: Line, telling: _Telling) -> Line:
        """The line from the beginning of the sentence before on."""
        if before is None:
            return line
        telling.done.add(id(before))
        telling.room += before.words if id(before) in telling.chosen else 0
        first = self._unmarked(before)
        if goes_on_from_heading(self._text(first)):
            first = self._from_heading(before, first, self._neighbour(before, -1))
        return replace(line, start=first.start, prefix=first.prefix, told="")

    # ------------------------------------------------------------------------------------------------------------------
    def _neighbour(self, unit: ScoredUnit, step: int) -> ScoredUnit | None:
        place = self._place[id(unit)] + step
        if not 0 <= place < len(self._units) or self._units[place].unit.source != unit.unit.source:
            return None
        return self._units[place]

    def _text(self, line: Line) -> str:
        passage = self._evidence[line.source].passage
        return passage.content[line.start - passage.start : line.end - passage.start]

    def _words(self, line: Line) -> int:
        return word_count(line.prefix) + word_count(line.told or self._text(line))


def _table(unit: ScoredUnit) -> tuple[int, int]:
    return unit.unit.source, unit.unit.block
