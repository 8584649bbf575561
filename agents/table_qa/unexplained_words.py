"""The words of a question that nothing in a table explains: how many they are, and whether one of them cannot be passed over."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.table_qa.operations import Operation
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.table_question import QuestionWord, words_of
from agents.table_qa.table_vocabulary import GENERIC, KINDS, PEOPLE, UNITS_OF_WORDS
from core.language.content_words import stems
from core.language.related_words import similar_words

# "In the campus attacks report", "in the Head Start Impact Study".
_SOURCE = re.compile(
    r"""
        \b(?:in|from|by|on|of)\s+(?:the\s+|its\s+|a\s+)?(?P<name>(?:(?!(?:in|from|by|on|of|for|the|and|to|with|at)\b)[\w'’.-]+\s+){0,6}?
        (?:report|study|survey|census|questionnaire|guide|bulletin|yearbook|paper|article|review|assessment|statistics))\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PREPOSITIONS = frozenset("under among within unter innerhalb".split())
_LEAST_INITIALS, _MOST_INITIALS = 3, 6
_MOST_PLACED = 3  # words that say of what the table is: how many of them there are tells nothing
_RESTRICTION = re.compile(r"\b(?:of|for|from|in|at|by|to|with|on|among|per|inside|within)\s+(?:(?:the|a|an|our|my|all|their|its)\s+)?$", re.I)


def _restricts(matching: TableMatch, word: QuestionWord) -> bool:
    """Return whether the word says of what ("of the moon", "the latest epoch"): that cannot be passed over."""
    end = matching.question.request.extreme_end
    led = bool(end) and end <= word.start and not matching.question.text[end : word.start].strip()
    start = word.start
    for at in range(matching.words.index(word) - 1, -1, -1):  # "of unpaid invoices": what is explained in front of it belongs to it
        before = matching.words[at]
        if at in matching.free_places or before.is_plain or before.end + 1 != start:
            break
        start = before.start
    return led or bool(_RESTRICTION.search(matching.question.text[:start]))


def _ends_a_name(matching: TableMatch, word: QuestionWord) -> bool:
    """Return whether a common word is a part of a name of which only the beginning was found ("Halcyon Lines")."""
    before = next((other for other in matching.words if other.end + 1 == word.start), None)
    return (
        word.is_name
        and not word.text.isupper()
        and before is not None
        and before.is_name
        and matching.words.index(before) not in matching.free_places
    )


def _is_kind(matching: TableMatch, word: QuestionWord) -> bool:
    """Return whether a word that may be a verb says of what kind the next one is: "travel costs"."""
    behind = next((other for other in matching.words if other.start == word.end + 1), None)
    return word.text.casefold() in KINDS and behind is not None and not behind.is_plain


def unexplained_words(matching: TableMatch, around: frozenset[str] | None = None) -> tuple[list[QuestionWord], bool, int]:
    """Return the free words that nothing explains, whether one of them is a name, a number or a restriction ("of the moon"), and how many only
    the habit of asking explains, or the text `around` the table, at most three of these; None: that may not explain any."""
    left = _words_without_name(matching)
    strange = [word for word in left if word.stem not in GENERIC or _ends_a_name(matching, word) or _is_kind(matching, word)]
    usual = len(left) - len(strange)
    placed = [word for word in strange if _is_placed_or_source(matching, word, around)]
    rest = [word for word in strange if word not in placed]
    strange = [word for word in rest if not (_leads_to_known(matching, word, rest) or _are_initials(matching, word, around or frozenset()))]
    fatal = any(word.is_name or _restricts(matching, word) for word in strange)
    return strange, fatal, usual + min(len(placed), _MOST_PLACED)


def _is_placed_or_source(matching: TableMatch, word: QuestionWord, around: frozenset[str] | None) -> bool:
    return around is not None and (_is_placed(matching, word, around) or _names_source(matching, word))


def _names_source(matching: TableMatch, word: QuestionWord) -> bool:
    """Return whether a word is of what a question calls the document ("in the campus attacks report"), and the document has it."""
    spans = (match.span("name") for match in _SOURCE.finditer(matching.question.text))
    return any(start <= word.start and word.end <= end for start, end in spans) and matching.candidate.is_mentioned(word.text)


def _leads_to_known(matching: TableMatch, word: QuestionWord, strange: Sequence[QuestionWord]) -> bool:
    """Return whether a preposition stands in front of what is explained: "under the best practice scenario", "among employees"."""
    if word.text.casefold() not in _PREPOSITIONS:
        return False
    behind = next((each for each in matching.words[matching.words.index(word) + 1 :] if not each.is_plain), None)
    return behind is not None and behind not in strange and not behind.text[0].isdigit()


def _are_initials(matching: TableMatch, word: QuestionWord, around: frozenset[str]) -> bool:
    """Return whether capitals are those of words one behind the other over the table: "VET" of "vocational education and training"."""
    if not (_LEAST_INITIALS <= len(word.text) <= _MOST_INITIALS and word.text.isalpha() and word.text.isupper()) or word.stem in around:
        return False
    over = " ".join([matching.candidate.table.caption, *matching.candidate.table.section, matching.candidate.title])
    for text in (over, matching.candidate.surroundings):
        initials = "".join(each.text[0] for each in words_of(text) if not each.is_plain).casefold()
        if word.text.casefold() in initials:
            return len(word.text) > _LEAST_INITIALS or text is over
    return False


def _words_without_name(matching: TableMatch) -> list[QuestionWord]:
    """The free words that neither the names of the table and its columns have nor a time that is asked for."""
    known = matching.context_stems | frozenset(name for names in matching.name_stems for name in names)
    known |= PEOPLE if matching.names_people else frozenset()
    left = [matching.words[at] for at in sorted(matching.free_places) if not _sayings_of(matching, at) & known]
    return [word for word in left if not _is_in_a_time(matching, word)]


def _sayings_of(matching: TableMatch, at: int) -> set[str]:
    """What a word may be written as in the names of a table, and the unit that says it: "yearly consumption" of a table in "kWh/year"."""
    said = matching.words[at].text.casefold()
    return {said, *matching.stems_at(at), *UNITS_OF_WORDS.get(said, ())}


def _is_placed(matching: TableMatch, word: QuestionWord, around: frozenset[str]) -> bool:
    """Return whether a word stands `around` the table, or is the verb of a column's name: "subscribed" over "Subscription date". Where rows are
    compared, what restricts them must be in the table: "the highest sales in Germany"."""
    ranks = matching.question.operation in {Operation.HIGHEST, Operation.LOWEST}
    if word.stem in around:
        return not (ranks and _restricts(matching, word))
    return word.text.islower() and not stems(" ".join(similar_words(word.text))).isdisjoint(frozenset().union(*matching.name_stems))


def _is_in_a_time(matching: TableMatch, word: QuestionWord) -> bool:
    return any(each.span.meets((word.start, word.end)) for each in matching.question.times)
