"""From chosen units to lines that can be read alone: connectives left out, pronouns given their subject, tables their header row; and their order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from answers.questions import normalised
from answers.scoring import Question, ScoredUnit
from answers.selection import Bounds
from answers.units import Role
from core.answers import Evidence
from core.documents import BlockKind
from core.sentences import word_count

LONGEST_TITLE = 8

_CONNECTIVE = re.compile(
    r"(?:However|Therefore|Thus|Hence|Also|Moreover|Furthermore|Additionally|In addition|In contrast|By contrast|On the other hand|Nevertheless|"
    r"Nonetheless|Consequently|As a result|Accordingly|Meanwhile|Instead|Similarly|Likewise|Besides|For example|For instance|In fact|Indeed|Then|"
    r"And|But|So|Finally|Jedoch|Allerdings|Daher|Deshalb|Außerdem|Dennoch|Ferner|Zudem|Sin embargo|Además|Por lo tanto|Por tanto|No obstante|"
    r"Asimismo|Cependant|Toutefois|De plus|Par conséquent),\s+"
)
_PRONOUN = re.compile(
    r"[\"'“‘(]*(?:He|She|It|They|His|Her|Hers|Its|Their|Theirs|This|These|Those|That|Such|Er|Sie|Es|Dies|Diese[rsmn]?|Ihre?|Seine?|Él|Ella|Ellos|Ellas|Esto|"
    r"Est[ae]s?|Il|Elle|Ils|Elles|Ce|Cette|Ces)\b"
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the answer: the span [start:end] of its document, what stands in front when it is shown, its paragraph and score.

    `lex` is the question's share that its unit holds, 0 for a line that another one brought along."""

    source: int
    start: int
    end: int
    prefix: str
    kind: BlockKind
    score: float
    paragraph: int = 0
    lex: float = 0.0


class Mender:
    """Mends one answer. `units` are all scored units in reading order, `chosen` some of them, best first. `words_tell` False: the question is in
    another language, so that a sentence that shares none of its words may be the very one."""

    def __init__(
        self, question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit], bounds: Bounds, *, words_tell: bool = True
    ) -> None:
        self._words_tell = words_tell
        self._question = question
        self._evidence = evidence
        self._units = units
        self._bounds = bounds
        self._place = {id(unit): place for place, unit in enumerate(units)}

    def lines(self, chosen: Sequence[ScoredUnit]) -> list[Line]:
        """The lines in the order of the answer, at most `max_words` words where the best line leaves room."""
        room = self._bounds.max_words - sum(unit.words for unit in chosen)
        out: list[Line] = []
        taken = {id(unit) for unit in chosen}
        for paragraph, group in enumerate(self._grouped(chosen)):
            headers: set[tuple[int, int]] = set()
            for unit in group:
                mended = self._mend(unit, taken, room, headers)
                room -= sum(self._words(line) for line in mended) - unit.words
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

    def _mend(self, unit: ScoredUnit, taken: set[int], room: int, headers: set[tuple[int, int]]) -> list[Line]:
        line = Line(unit.unit.source, unit.unit.start, unit.unit.end, "", unit.unit.kind, unit.score, lex=unit.lex)
        before = self._neighbour(unit, -1)
        if unit.unit.role is Role.ROW:
            return [*self._header(unit, room, headers), line]
        if before is None or id(before) not in taken:
            line = self._without_connective(line)
            line = self._with_subject(unit, line, before, room)
        return [line, *self._announced(unit, taken, room - self._words(line) + unit.words)]

    def _header(self, unit: ScoredUnit, room: int, headers: set[tuple[int, int]]) -> list[Line]:
        """The table's header row, once, where there is room for it."""
        span = unit.unit.header
        if span is None or span in headers:
            return []
        headers.add(span)
        line = Line(unit.unit.source, *span, "", BlockKind.TABLE, unit.score)
        return [] if self._words(line) > room else [line]

    def _without_connective(self, line: Line) -> Line:
        match = _CONNECTIVE.match(self._text(line))
        return line if match is None or word_count(self._text(line)[match.end() :]) < 4 else replace(line, start=line.start + match.end())

    def _with_subject(self, unit: ScoredUnit, line: Line, before: ScoredUnit | None, room: int) -> Line:
        """ "Title: " in front of a sentence that starts with a pronoun or shares no word with the question, else the sentence before it."""
        pronoun = _PRONOUN.match(self._text(line)) is not None
        if not pronoun and (unit.covers or not self._words_tell or unit.unit.role is Role.TURN):
            return line
        title = self._title(unit)
        if title and normalised(title) not in unit.normalised and word_count(title) <= room:
            return replace(line, prefix=f"{title}: ")
        if pronoun and not title and before is not None and before.words <= room and before.unit.role is Role.SENTENCE:
            return replace(line, start=before.unit.start)
        return line

    def _title(self, unit: ScoredUnit) -> str:
        """The document's title where it is one: short, and not a file's name."""
        title = " ".join(self._evidence[unit.unit.source].title.replace("_", " ").split())
        is_name = not any(letter.isalpha() for letter in title) or re.search(r"\.\w{2,4}$", title)
        return "" if is_name or word_count(title) > LONGEST_TITLE else title

    def _announced(self, unit: ScoredUnit, taken: set[int], room: int) -> list[Line]:
        """What a unit ending in ":" announces: the next units of its passage while there is room."""
        if not unit.unit.text.rstrip("*_ ").endswith((":", "：")):
            return []
        lines: list[Line] = []
        following = self._neighbour(unit, 1)
        while following is not None and following.words <= room and following.unit.role is not Role.HEADING and id(following) not in taken:
            lines.append(Line(following.unit.source, following.unit.start, following.unit.end, "", following.unit.kind, following.score))
            taken.add(id(following))
            room -= following.words
            if following.unit.role not in {Role.ITEM, Role.ROW, Role.HEADER}:
                break
            following = self._neighbour(following, 1)
        return lines

    def _neighbour(self, unit: ScoredUnit, step: int) -> ScoredUnit | None:
        place = self._place[id(unit)] + step
        if not 0 <= place < len(self._units) or self._units[place].unit.source != unit.unit.source:
            return None
        return self._units[place]

    def _text(self, line: Line) -> str:
        passage = self._evidence[line.source].passage
        return passage.content[line.start - passage.start : line.end - passage.start]

    def _words(self, line: Line) -> int:
        return word_count(line.prefix) + word_count(self._text(line))
