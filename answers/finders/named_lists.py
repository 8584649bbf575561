"""A list that is asked for by its name: the rows or items under "Defects", for "What are the defects of crane C2?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from answers.finders.key_paths import asks_for_path
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.answers import Evidence
from core.language.content_words import stems
from core.language.content_words import tokens as words_of
from core.language.related_words import other_forms, similar_words
from core.language.stems import stem

LEAST_MEMBERS, MOST_MEMBERS = 2, 12  # members of a list that is shown
# "When …", "How many …", "Which pump is …" ask for one thing.
_ASKS_FOR_ONE = re.compile(
    r"^\W*(?:(?:(?:by|until|till|since|from)\s+)?when|how|why|where|whose|is|are|was|were|does|did|do|can|could|may|must|has|have|will|who\b(?!\s+(?:are|were)\b)|"
    r"what\s+(?:is|was)\b|(?:what|which)\s+\w+\s+(?:is|was|has)\b|wann|wie|warum|wo|wessen|ist|sind|hat|kann|wer\b(?!\s+sind\b))\b",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"\b[^\W\d_]{3,}(?<!s)s\b", re.IGNORECASE)
_NUMBERING = re.compile(r"^\W*(?:(?:section|chapter|clause|article|part)\s+)?(?:\d+(?:\.\d+)*\.?|[ivx]+\.|[a-z]\))\s+", re.IGNORECASE)
_MARK = re.compile(r"\s*(?:\(?\d{1,3}[.)]|[•●▪·–—*-])\s")
_ARTICLE = re.compile(r"^\W*(?:the|its|our|their|an?|der|die|das|den|dem)\s+", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:,|/|&|\band\b|\bund\b)\s*", re.IGNORECASE)
_TERMS = frozenset({"term", "terms", "condition", "conditions", "rules", "rule", "details", "arrangements", "bedingungen"})
_NAME_PART = r"[A-ZÀ-Þ](?:[\w-]|['’](?=[A-ZÀ-Þ]))+"  # "O’Brien", and of "Ann's" the name alone
_FULL_NAME = re.compile(rf"(?<=[\w,] )(?P<name>{_NAME_PART}(?:\s+{_NAME_PART})+)")
_ONE_NAME = re.compile(rf"(?<=[\w,] )(?P<name>{_NAME_PART})")
# What the list of what is to be done may be called, and asked for by: "What are Ann's tasks?" under "Actions".
_TO_DO = frozenset(map(stem, "action task todo".split()))
_TASKS_OF = re.compile(
    r"^\W*(?:(?:what|which)\s+(?:are|were)|list|show(?:\s+me)?)\s+(?:all\s+)?(?:[^?]+['’]s?|the)\s+(?:open\s+)?(?:tasks|actions|to-?dos|action\s+(?:items|points))\b",
    re.IGNORECASE,
)
_ASKS_TO_DO = re.compile(
    r"^\W*what\s+(?:(?:does|did)\s+[^?]+?\s+(?:have|need|still\s+have)\s+to|(?:must|should|shall|will)\s+[^?]+?(?:\s+still)?|(?:has|have|is|are)\s+[^?]+?(?:\s+got)?\s+to)"
    r"\s+do(?:\s+(?:next|now|by|until|before)\b[^?]*)?\W*$",
    re.IGNORECASE,
)
_IDLE = frozenset(
    {"current", "list", "main", "all", "our", "overview", "present", "key", "known", "aktuell", "liste", "schedule", "annex", "appendix", "table"}
)


def asked_list(question: Question, units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return the members of the list whose name is asked for, in their order; none where one thing is asked for, or no list is called so.

    Its name is the heading or label that it stands under: one in the plural, of which every word is the question's. Of several lists the one that
    holds most of the question.
    """
    if _ASKS_FOR_ONE.search(question.text) or asks_for_path(question.text) or not question.idf:
        return []
    best: tuple[float, list[ScoredUnit]] = (0.0, [])
    for name, members in _lists(units):
        if LEAST_MEMBERS <= len(members) <= MOST_MEMBERS and _is_asked(question, name):
            held = name.terms.union(name.names, *(member.terms for member in members))
            best = max(best, (question.share(held), members), key=lambda pair: pair[0])
    return _of_named(question, best[1])


def _of_named(question: Question, members: list[ScoredUnit]) -> list[ScoredUnit]:
    """Return the members that hold the name that the question names, where some do and others do not: "the actions of Ann Low", "Ann's actions"."""
    for pattern in (_FULL_NAME, _ONE_NAME):
        names = [re.compile(rf"\b{re.escape(match['name'])}\b") for match in pattern.finditer(question.text)]
        own = [member for member in members if any(name.search(member.unit.text) for name in names)]
        if own:
            return own
    return members


def tasks_of_somebody(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return what a list of actions has for the one whom the question names: "What are Ann's tasks?", "What does Ann Low have to do?"; none where it
    asks for something else, or no such list names them."""
    if not (_TASKS_OF.match(question.text) or _ASKS_TO_DO.match(question.text)):
        return []
    lists = [members for name, members in _lists(units) if name.terms & _TO_DO and len(name.terms - _IDLE) == 1]
    named = [(members, _of_named(question, members)) for members in lists]
    return next((own for members, own in named if len(own) < len(members)), [])


def without_strays(members: list[ScoredUnit]) -> list[ScoredUnit]:
    """Return the members up to the last numbered one, where the first is numbered: what follows on the page is no item of the list."""
    marked = [at for at, member in enumerate(members) if _MARK.match(member.unit.text)]
    return members[: marked[-1] + 1] if marked and marked[0] == 0 else members


def section_named(topic: str, evidence: Sequence[Evidence], units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return what stands under the heading that the topic is, in its order, for "What does the lease say about insurance?"; none where no heading is
    it."""
    wanted = _heading_key(topic)
    whole = section_of_heading(lambda heading: _heading_key(heading) == wanted, evidence, units) if wanted else []
    return whole or part_of_section(topic, evidence, units)


def part_of_section(topic: str, evidence: Sequence[Evidence], units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return what speaks of the topic under a heading that names several things, the topic among them: of "Delivery, payment and warranty" what is
    said of payment; none where no heading does."""
    wanted = " ".join(word for word in _heading_key(topic).split() if word not in _TERMS)

    def names_topic(heading: str) -> bool:
        parts = joined_names(heading)
        return len(parts) > 1 and wanted in parts

    words = stems(" ".join((wanted, *(other for word in wanted.split() for other in (*similar_words(word), *other_forms(word))))))
    return [unit for unit in section_of_heading(names_topic, evidence, units) if words & stems(unit.unit.text)] if wanted else []


def joined_names(heading: str) -> list[str]:
    """Return the several things that a heading names side by side, in lower case: "delivery", "payment" and "warranty"."""
    return [_heading_key(part) for part in _JOINED.split(_NUMBERING.sub("", heading))]


def section_of_heading(is_wanted: Callable[[str], object], evidence: Sequence[Evidence], units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return what stands under the headings that are wanted, and under those below them in their section, in its order."""
    found: list[ScoredUnit] = []
    under = None  # the source of the heading that was met last, while its section goes on
    for unit in units:
        section = evidence[unit.unit.source].passage.section
        if unit.unit.role is Role.HEADING:
            under = unit.unit.source if is_wanted(unit.unit.text) else None
        elif unit.unit.choosable and (under == unit.unit.source or any(is_wanted(part) for part in section)):
            found.append(unit)
    return sorted(found, key=lambda unit: (unit.document, unit.unit.start))


def _heading_key(text: str) -> str:
    return " ".join(words_of(_NUMBERING.sub("", _ARTICLE.sub("", text))))


def _is_asked(question: Question, name: ScoredUnit) -> bool:
    said = {term for term in name.terms if not term.isdigit()} - _IDLE
    several = {word.casefold() for word in _PLURAL.findall(name.unit.text)}
    named = any({word, f"{word}s", f"{word}es"} & several for word in words_of(question.text.casefold()))  # "exported" asks for no "Exports"
    return bool(said) and said <= question.idf.keys() and named


def _lists(units: Sequence[ScoredUnit]) -> Iterator[tuple[ScoredUnit, list[ScoredUnit]]]:
    """Yield each heading or label with the rows of the table, or the items of the list, that follow it at once."""
    place = 0
    while place < len(units):
        name, place = units[place], place + 1
        if name.unit.role not in {Role.HEADING, Role.LABEL}:
            continue
        members: list[ScoredUnit] = []
        while place < len(units) and units[place].unit.source == name.unit.source:
            unit = units[place]
            if unit.unit.role is not Role.HEADER:
                if unit.unit.role not in {Role.ROW, Role.ITEM, Role.FIELD} or (members and unit.unit.role is not members[0].unit.role):
                    break
                members.append(unit)
            place += 1
        yield name, without_strays(members)
