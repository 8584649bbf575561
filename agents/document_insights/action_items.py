"""Action items of a document, by rules: tables and lists of actions, open boxes, labelled lines, requests and duties, with who and by when.

English in full; the plainest forms of German, French and Spanish.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.text.document_lines import MOST_CHARACTERS, DocumentLine
from core.documents import BlockKind, ExtractedDocument, Table
from core.insights import ActionItem
from core.language.months import MONTH
from core.language.numbers import number_words
from core.language.weekdays import WEEKDAY
from core.language.word_files import join_alternatives
from core.lazy_patterns import compile_when_used

_MONTH = f"(?:{MONTH})"
_DAY = f"(?:{WEEKDAY})"
_DATE = rf"""
    (?:
          (?:{_DAY},?\s+)?\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?{_MONTH}\b\.?(?:,?\s+(?:de\s+)?\d{{4}})?
        | {_MONTH}\b\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}})?
        | \d{{4}}-\d\d-\d\d
        | \d{{1,2}}[./]\d{{1,2}}[./](?:\d{{4}}|\d\d)\b
        | (?:the\s+)?end\s+of\s+(?:the\s+)?\w+(?:\s+\d{{4}})?
        | (?:next\s+|this\s+|coming\s+)?{_DAY}
        | (?:next|this)\s+(?:week|month|quarter|year)
        | {_MONTH}\b\s+\d{{4}}
        | Q[1-4](?:\s+\d{{4}})?
        | tomorrow|today
    )
"""
_WITHIN = rf"(?:\d+|{join_alternatives(number_words('en'))})\s+(?:\w+\s+){{0,2}}(?:hours?|days?|weeks?|months?|tagen?|wochen|jours|días)"
DUE_DATE = compile_when_used(
    rf"""
        \b(?:
              (?:
                    by|before|until|till|no\s+later\s+than|not\s+later\s+than|on\s+or\s+before|due(?:\s+(?:on|by))?:?
                  | deadline:?|bis(?:\s+zum)?|spätestens(?:\s+am)?|avant\s+le|d'ici\s+(?:au|le)|antes\s+del?
              )\s+(?P<date>(?:the\s+)?{_DATE})
            | (?P<within>(?:within|innerhalb\s+von|sous)\s+{_WITHIN})
        )
    """,
    re.I | re.VERBOSE,
)
_ON_DATE = compile_when_used(rf"\b(?:on|am|le|el)\s+(?P<date>{_DATE})", re.I | re.VERBOSE)

_ACTION_HEADING = compile_when_used(
    r"""
        \b(?:
              actions?(?:\s+(?:items?|points?|list|required))?|next\s+steps?|to[- ]?dos?|tasks?|follow[- ]?ups?
            | open\s+points|aufgaben|maßnahmen|nächste\s+schritte|tareas|próximos\s+pasos|prochaines\s+étapes
        )\b
    """,
    re.I | re.VERBOSE,
)
_LABEL = compile_when_used(
    r"^(?:[-*•]\s*)?(?:\*\*)?(?:action(?:\s+(?:item|point|required))?|to[- ]?do|task|next\s+step|aufgabe|ap)\s*\d*\s*[:–—](?:\*\*)?\s*\S", re.I
)
_TODO = compile_when_used(r"\b(?:TODO|FIXME)\b")
_OPEN_BOX = compile_when_used(r"^(?:[-*+]\s+)?(?:\[\s?\]|☐|□|❏)\s*\S")
_DONE_BOX = compile_when_used(r"^(?:[-*+]\s+)?(?:\[[xX✓]\]|☑|☒|✓|✔)")
_REQUEST = compile_when_used(
    r"""
        (?:^|[.;:]\s+|\b(?:could|can|would)\s+you\s+|,\s*)(?:please|kindly|bitte|veuillez|por\s+favor)\s+
        (?!(?:find|see|note|refer|feel|do\s+not\s+hesitate|don't\s+hesitate|accept|beachten)\b)\w+
    """,
    re.I | re.VERBOSE,
)
_DUTY = compile_when_used(
    r"""
        \b(?:
              must|shall|has\s+to|have\s+to|needs?\s+to|(?:is|are)\s+required\s+to
            | (?:is|are)\s+to\s+be\s+(?!(?:decided|confirmed|determined|agreed|clarified)\b)\w+(?:ed|en|t|de|ne)\b
            | agreed\s+to|undertakes?\s+to|muss|müssen|hat\s+\w+\s+zu|doit|doivent|debe|deben
        )\b
    """,
    re.I | re.VERBOSE,
)
_PLAN = compile_when_used(r"\b(?:will|wird|werden)\s+(?!not\b|nicht\b)\w+|(?<=^)(?!)|^(?:[A-ZÀ-Þ][\w'’.-]+\s+){1,3}(?=to\s+[a-z]{3,})")
_NO_DUTY = compile_when_used(
    r"""
          \b(?:must|shall|may|need)\s+(?:not|never)\b|\b(?:has|have|needs?)\s+not\b
        | \bshall\s+(?:
                mean|be\s+(?:deemed|construed|governed|entitled|binding|interpreted)|have\s+the\s+(?:right|meaning)
              | apply|include|remain|constitute|survive|prevail
          )\b
        | \bmust\s+have\b|\bmuss\s+nicht\b|\bif\s+you\s+(?:must|have\s+to)\b
    """,
    re.I | re.VERBOSE,
)
_IMPERATIVE = compile_when_used(
    r"""
        ^(?:
              add|agree|approve|arrange|ask|assign|book|call|check|choose|clarify|collect|complete|confirm|contact
            | correct|create|decide|define|deliver|discuss|draft|ensure|escalate|file|finali[sz]e|find|fit|fix
            | follow\s+up|get|hand|hire|implement|inform|inspect|install|investigate|invite|issue|launch|make\s+sure
            | meet|move|notify|obtain|order|organi[sz]e|pay|place|plan|prepare|present|propose|provide|publish|purchase
            | raise|record|remind|remove|renew|repair|replace|reply|report|request|resolve|return|review|schedule|send
            | set\s+up|share|sign|submit|talk\s+to|test|train|update|verify|write
        )\b
    """,
    re.I | re.VERBOSE,
)
_OWNER_LABEL = compile_when_used(
    r"\b(?:owner|responsible|assigned\s+to|assignee|verantwortlich|zuständig)\s*[:=]\s*([^,;.()\[\]|]{2,40})|@([\w.-]{2,30})|^[^:]{0,80}\(([A-ZÀ-Þ][\w'’.-]+(?:\s+[A-ZÀ-Þ][\w'’.-]+)?)\)"
)
_NOBODY = frozenset(
    "please kindly if when it they he she we you i this that these those there which who what all any each es sie er wir man il elle on nous".split()
)
_MOST_ITEMS = 12
_EXPLICIT_WEIGHT = 4.0

_TASK_HEADER = compile_when_used(r"^(?:action(?: item| point)?|task|to[- ]?do|measure|maßnahme|aufgabe|tarea|action à mener)[sn]?$", re.I)
_TOPIC_HEADER = compile_when_used(r"^(?:what|was|qué|quoi|description|item|topic|thema)$", re.I)
_OWNER_HEADER = compile_when_used(
    r"^(?:who|owner|responsible|assigned(?: to)?|assignee|lead|person|name|wer|verantwortlich|zuständig|quién|responsable|qui)$", re.I
)
_DUE_HEADER = compile_when_used(
    r"^(?:by|due(?: date)?|when|deadline|date|by when|target(?: date)?|bis(?: wann)?|termin|frist|fällig|cuándo|fecha|quand|échéance)$", re.I
)
_STATUS_HEADER = compile_when_used(r"^(?:status|state|done|stand|estado|statut)$", re.I)
_DONE_STATUS = compile_when_used(r"^(?:done|closed|complete[d]?|finished|yes|x|✓|✔|erledigt|fertig|terminé|hecho)$", re.I)


@dataclass(frozen=True, slots=True)
class _WeightedItem:
    item: ActionItem
    weight: float


def action_items(document: ExtractedDocument, lines: Sequence[DocumentLine], *, code: bool) -> list[ActionItem]:
    """Find at most twelve things to do, in the order of the text: those of tables and lists of actions first, then requests and dated duties, then
    other duties.

    Where a text lists its actions, mere duties beside the list are left out. Of a program only its TODO lines.
    """
    if code:
        return list(_todos(document))[:_MOST_ITEMS]
    found = [*_items_of_tables(document), *(each for line in lines if (each := _item_of_line(line)))]
    explicit = [each for each in found if each.weight >= _EXPLICIT_WEIGHT]
    kept = [each for each in found if each.weight >= 3.0] if len(explicit) >= 3 else found
    best = sorted(kept, key=lambda each: (-each.weight, each.item.start))[:_MOST_ITEMS]
    return sorted((each.item for each in _without_repeats(best)), key=lambda item: item.start)


def _without_repeats(found: Sequence[_WeightedItem]) -> Iterator[_WeightedItem]:
    """Each wording once: a template repeats its own lines."""
    seen: set[str] = set()
    for each in found:
        wording = each.item.text.casefold()
        if wording not in seen:
            seen.add(wording)
            yield each


def _item_of_line(line: DocumentLine) -> _WeightedItem | None:
    text = line.text
    if not 8 <= len(text) <= 500 or _DONE_BOX.match(text):
        return None
    weight = _weight(line)
    if not weight:
        return None
    due = due_in(text) or (_matched_words(_ON_DATE.search(text)) if weight < _EXPLICIT_WEIGHT or _PLAN.search(text) else "")
    return _WeightedItem(ActionItem(**line.to_cited_text().model_dump(), owner=owner_in(text), due=due), weight + (0.5 if due else 0.0))


def _weight(line: DocumentLine) -> float:
    """Return how surely a line is an action: 5 where it says so, 4 under such a heading, 3 for a request or a dated plan, 2 for a duty, 0 for
    none."""
    text = line.text
    if _OPEN_BOX.match(text) or _LABEL.match(text) or _TODO.search(text):
        return 5.0
    if line.section and _ACTION_HEADING.search(line.section[-1]) and line.kind is BlockKind.LIST_ITEM:
        return 4.0
    if text.endswith("?") or _NO_DUTY.search(text):
        return 3.0 if _REQUEST.search(text) else 0.0
    if _REQUEST.search(text):
        return 3.0
    dated = bool(DUE_DATE.search(text))
    if _DUTY.search(text):
        return 3.0 if dated else 2.0
    if line.kind is BlockKind.LIST_ITEM and _IMPERATIVE.match(text):
        return 3.0 if dated else 2.0
    return 3.0 if _PLAN.search(text) and (dated or _ON_DATE.search(text)) and owner_in(text) else 0.0


def due_in(text: str) -> str:
    """Return the date or span of time by which something is due, in the text's words."""
    return _matched_words(DUE_DATE.search(text))


def _matched_words(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    return " ".join(next(value for value in match.groupdict().values() if value).split()).rstrip(".,")


def owner_in(text: str) -> str:
    """Return who has to do it: as a label says, or the short subject in front of the duty ("The tenant shall …", "Priya will …")."""
    labelled = _OWNER_LABEL.search(text)
    if labelled:
        return next(group for group in labelled.groups() if group).strip()
    verb = min((match.start() for match in (_DUTY.search(text), _PLAN.search(text)) if match), default=0)
    subject = re.sub(r"^(?:[-*•]|\[\s?\]|\d+[.)])\s*", "", text[:verb]).strip(" ,:")
    words = subject.split()
    if not 1 <= len(words) <= 5 or "," in subject or words[0].lower() in _NOBODY or not subject[0].isupper():
        return ""
    return subject


def _todos(document: ExtractedDocument) -> Iterator[ActionItem]:
    for match in re.finditer(r"^[^\n]*\b(?:TODO|FIXME)\b[^\n]*$", document.text[:MOST_CHARACTERS], re.M):
        raw = match.group()
        start = match.start() + len(raw) - len(raw.lstrip())
        yield ActionItem(text=" ".join(raw.split()), start=start, end=match.start() + len(raw.rstrip()))


def _items_of_tables(document: ExtractedDocument) -> Iterator[_WeightedItem]:
    for table in document.tables:
        if table.start < MOST_CHARACTERS and table.header_rows and table.rows:
            yield from _items_of_table(document.text, table)


def _items_of_table(text: str, table: Table) -> Iterator[_WeightedItem]:
    header = [" ".join(cell.split()) for cell in table.rows[table.header_rows - 1]]
    what, thing, who, when, state = (
        _column(header, pattern) for pattern in (_TASK_HEADER, _TOPIC_HEADER, _OWNER_HEADER, _DUE_HEADER, _STATUS_HEADER)
    )
    if what is None and who is not None and when is not None:
        what = thing  # "what" alone may head a log: with who and by when it is a list of tasks
    if what is None or (who is None and when is None):
        return
    for row, (start, end) in list(zip(table.rows, table.row_spans, strict=True))[table.header_rows :]:
        cell = _cell(row, what)
        if cell and not _DONE_STATUS.match(_cell(row, state)):
            first, last = _place(text, start, end, cell)
            shown = " ".join(text[first:last].split())
            item = ActionItem(text=shown, start=first, end=last, page=table.page, owner=_cell(row, who), due=_cell(row, when))
            yield _WeightedItem(item, 5.0)


def _column(header: Sequence[str], pattern: re.Pattern[str]) -> int | None:
    return next((place for place, name in enumerate(header) if pattern.match(name.strip(" .:*"))), None)


def _cell(row: Sequence[str], place: int | None) -> str:
    return " ".join(row[place].split()) if place is not None and place < len(row) else ""


def _place(text: str, start: int, end: int, cell: str) -> tuple[int, int]:
    """Return where the cell stands in its row; the row itself where its wording differs."""
    found = re.search(r"\s+".join(re.escape(word) for word in cell.split()), text[start:end])
    if found is None:
        raw = text[start:end]
        return start + len(raw) - len(raw.lstrip()), start + len(raw.rstrip())
    return start + found.start(), start + found.end()
