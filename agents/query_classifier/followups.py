"""Follow-ups read against the conversation: "and in 2023?" becomes the earlier question about 2023. Rules only, and only where they are sure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from agents.document_requests.request_parser import read_document_request
from agents.query_classifier.antecedents import Turns, antecedent, missing_words, person_in_answer, subject
from agents.query_classifier.elliptical_questions import complete_question
from agents.query_classifier.new_topics import name_new_topic
from agents.text.question_words import PRONOUNS, content_words, find_names, tokens
from core.language.months import ENGLISH_MONTH
from core.language.numbers import NUMBER_WORDS
from core.lazy_patterns import compile_when_used

_OPENER = compile_when_used(
    r"^\s*(?:(?:ok|okay|so|well|hmm)[,\s]+)?(?:and|but|also)?[,\s]*(?:what|how)\s+about\b|^\s*(?:and|but|or|also)\b", re.IGNORECASE
)
_KINDS = (
    compile_when_used(r"\bQ[1-4]\b", re.IGNORECASE),
    compile_when_used(r"\b(?:19|20)\d\d\b"),
    compile_when_used(rf"\b(?:{ENGLISH_MONTH})\b"),
    compile_when_used(r"\b(?:per|by)\s+[a-z]+\b", re.IGNORECASE),
)
# "Is it possible to …" stands for nothing.
_IMPERSONAL = compile_when_used(
    r"""
          \b(?:makes?|take[sn]?)[ ]it\b
        | \b(?:is|was)[ ]it[ ]
          (?:true|possible|allowed|necessary|legal|permitted|required|ok|okay|worth|safe|that|to|a|an|the)\b
        | \bit(?:'s|[ ]is|[ ]was)[ ](?:true|possible|allowed|necessary|that)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FINITE = "do|does|did|is|are|was|were|has|have|had|can|could|may|might|must|should|will|would"
_PERSON = compile_when_used(r"\b(?:he|she|him|his|her|hers)\b", re.IGNORECASE)
_THING = compile_when_used(r"\b(?:it|its|they|them|their|theirs)\b", re.IGNORECASE)
_DEMONSTRATIVE = compile_when_used(
    rf"""
          (?<=\bof[ ])(?:that|this)(?=\s+(?:{_FINITE})\b)|\b(?:that|this|those|these)\s*[?.!]*\s*$
        | (?:(?<=\bdoes[ ])|(?<=\bdid[ ])|(?<=\bdo[ ])|(?<=\bwas[ ])|(?<=\bis[ ]))(?:that|this)\b
          (?!\s+(?:the|a|an|one|our|my)\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WHICH_ONE = compile_when_used(r"^(?P<which>\W*(?:and\s+)?which)\s+(?:one|ones|of\s+(?:them|these|those))\b", re.IGNORECASE)
_HOW_MANY = compile_when_used(r"^\W*how\s+many\b", re.IGNORECASE)
_SEVERAL = compile_when_used(r"\b(?:are|were)\s+(?:the|our|my|your)\b", re.IGNORECASE)  # "What are the hours?": they
_OPENERS = frozenset({"and", "but", "so", "then"})
_POSSESSIVES = frozenset({"his", "her", "its", "their"})
_ASKS_FURTHER = compile_when_used(
    r"\b(?:any(?:thing)?|what|who)\s+(?:else|other|more|another)\b|\bother\s+(?:interesting|important)\b", re.IGNORECASE
)
_QUESTION_OPENING = compile_when_used(
    r"^(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|will|would)\b",
    re.IGNORECASE,
)
_BARE_QUESTION = compile_when_used(
    r"""
        ^\W*(?:and\s+)?(?:(?:since|until|by|for|from|to|at|in|with)\s+)?
        (?:when|where|why|whom?|how\s+(?:long|much|many|often|come)|what\s+for)\W*$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BEFORE_THAT = compile_when_used(r"^\W*(?:(?:and|but|so)\s+)?(?:what\s+(?:about\s+|was\s+it\s+)?)?before\s+(?:that|then)\W*$", re.IGNORECASE)
_ASKS_WHEN = compile_when_used(r"^\W*(?:(?:since|until|till|from|by)\s+)?when\b", re.IGNORECASE)
_LONGEST = 16  # words of a follow-up
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(NUMBER_WORDS)})"
_THINGS = r"(?:documents?|docs?|files?|results?|ones|entries|of\s+(?:them|these|those)|dokumente|dateien|ergebnisse|davon)"
_FURTHER = compile_when_used(
    rf"""
        ^\W*(?:(?:ok|okay|please|pls|and|und|bitte|can\s+you|could\s+you|can\s+i)[\s,]+)*
        (?:(?:show|list|give|see|get|display|load|go\s+to|zeige?|gib|liste)\s+(?:me\s+|us\s+|mir\s+|uns\s+)?)?(?:
              (?P<all>
                    (?:all\s+)?(?:the\s+)?(?:rest|others|remaining(?:\s+ones)?)
                  | (?:all|alle)(?=\s+of\s+them|\W*$|\s+davon)|(?:den\s+|der\s+)?rest|die\s+(?:übrigen|anderen)
              )
            | (?:
                    (?:the\s+|die\s+|der\s+|den\s+)?(?:next|following|further|nächste[nrs]?|weitere[nrs]?)
                    (?:\s+(?:page|seite)|\s+{_COUNT})?
                  | (?:{_COUNT.replace("count", "few")}\s+|some\s+|any\s+|noch\s+)?(?:more|mehr)|(?:are|is)\s+there\s+(?:any\s+)?more
              )
        )(?:\s+{_THINGS})?(?:\s+(?:please|pls|bitte|an|anzeigen|zeigen))?\W*$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_PAGE = 50  # documents that one answer names of "the rest"
_USUAL_PAGE = 10
_LONGEST_FURTHER = 80  # characters
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)  # whether documents are asked for does not hang on the day


def resolve_followup(text: str, history: Turns) -> str:
    """Return `text` as a question that stands alone. `history` holds (question, answer) pairs, oldest first; unchanged where nothing is missing."""
    turns: list[tuple[str, str]] = []
    for question, answer in history[-10:]:
        turns.append((turns[-1][0] if turns and asks_for_more(question) else _resolve_against(question, turns), answer))
    return _resolve_against(text, turns)


class NextPage(NamedTuple):
    """A list goes on: `question` asked for it and stands alone, `offset` of its entries were shown, `number` are wanted."""

    question: str
    offset: int
    number: int


def asks_for_more(text: str) -> int:
    """Return how many further entries of a list are asked for ("more", "the next five", "show me the rest", "weitere"); 0 for any other question."""
    match = _FURTHER.match(text) if len(text) <= _LONGEST_FURTHER else None
    if match is None:
        return 0
    if match["all"]:
        return _LONGEST_PAGE
    count = (match["count"] or match["few"] or "").lower()
    return min(NUMBER_WORDS.get(count) or int(count or _USUAL_PAGE), _LONGEST_PAGE) or _USUAL_PAGE


def next_page(text: str, history: Turns) -> NextPage | None:
    """Return the list that "more" goes on with, where the conversation began with one; None for any other question."""
    number, shown = asks_for_more(text), 0
    if not number:
        return None
    for place in range(len(history) - 1, -1, -1):
        question = history[place][0]
        further = asks_for_more(question)
        if not further:
            return NextPage(resolve_followup(question, history[:place]), shown + _USUAL_PAGE, number)
        shown += further
    return None


def _resolve_against(text: str, turns: Turns) -> str:
    if not turns or len(tokens(text)) > _LONGEST:
        return text
    previous, answer = turns[-1]
    if _BEFORE_THAT.match(text):
        asked = next((question for question, _ in reversed(turns) if _ASKS_WHEN.match(question) is None), "")  # "Since when?" is no matter of its own
        text = "What was it before?" if asked else text
        previous = asked or previous
    if (whole := complete_question(text, previous, answer)) is not None:
        return whole
    if (which := _WHICH_ONE.match(text)) is not None:
        return _resolve_which(text, which, previous)
    if _BARE_QUESTION.match(text):
        return _add_words(text, previous)
    opener = _OPENER.match(text)
    rest = text[opener.end() :].strip(" ,?!.") if opener else ""
    if opener and not _QUESTION_OPENING.match(rest):
        return name_new_topic(rest, turns) or _substitute(rest, previous)
    if not content_words(text) and set(tokens(text)) & PRONOUNS:
        return previous
    return _insert_antecedent(text, turns)


def _resolve_which(text: str, which: re.Match[str], previous: str) -> str:
    """ "Which ones?" after "How many shipments were late?" asks for these shipments; "Which one was chosen?" for one of what was spoken of."""
    rest = text[which.end() :].strip()
    if _HOW_MANY.match(previous) and not content_words(rest):
        return _HOW_MANY.sub("Which", previous, count=1)
    about = subject(previous)
    return f"{which['which']} of {about} {rest}" if about else _add_words(text, previous)


def _add_words(text: str, previous: str) -> str:
    words = missing_words(text, previous)
    return f"{text.rstrip(' ?.!')} ({words})?" if words else text


def _substitute(rest: str, previous: str) -> str:
    """The earlier question with the new time or name in the place of the old one of the same kind; otherwise the new topic with the earlier
    names, or behind the earlier question where that names nobody."""
    if not content_words(rest):
        return previous
    if _asks_for_documents(rest) and _asks_for_documents(previous):
        return rest  # "what about the spreadsheets?" after "show me the PDFs"
    replaced = previous
    for kind in _KINDS:
        new, old = kind.findall(rest), kind.findall(replaced)
        if len(new) == 1 and old:
            replaced = _replace_last(replaced, old[-1], new[0])
    new_names, old_names = find_names(f"for {rest}"), find_names(previous)
    if len(new_names) == 1 and len(old_names) == 1 and replaced == previous:
        return previous.replace(old_names[0], new_names[0])
    if replaced != previous:
        return replaced
    if len(tokens(rest)) > 5:
        return rest  # long enough to stand alone
    return f"{rest} ({', '.join(old_names)})?" if old_names else f"{previous.rstrip(' ?.!')}, {rest}?"


def _insert_antecedent(text: str, turns: Turns) -> str:
    """A pronoun becomes the name or thing that it stands for. Where that is not said the earlier question's words are brought along, and so is a
    name for "anything else?"."""
    person = _PERSON.search(text)
    refers = person or _THING.search(text) or _DEMONSTRATIVE.search(text)
    if refers is None:
        name = antecedent(turns, of_person=False) if _ASKS_FURTHER.search(text) is not None and not find_names(text) else ""
        return f"{text.rstrip(' ?.!')} ({name})?" if name else text
    if _IMPERSONAL.search(text) or (person is None and any(name in text[: refers.start()] for name in find_names(text))):
        return text
    if person is not None:
        name = antecedent(turns, of_person=True)
        read = _replace_pronouns(text, _PERSON, name) if name else _add_words(text, turns[-1][0])
        # "And who does he report to?" after "Who does Ann report to?" asks of whom that was answered with
        asks_the_same = set(tokens(read)) - _OPENERS == set(tokens(turns[-1][0])) - _OPENERS
        other = person_in_answer(*turns[-1]) if asks_the_same else ""
        return _replace_pronouns(text, _PERSON, other) if other else read
    if refers.re is _THING and refers.group().lower() not in {"it", "its"} and _SEVERAL.search(turns[-1][0]) is None:
        name = antecedent(turns, of_person=False)
        if " " in name:
            return _replace_pronouns(text, _THING, name)
    about = subject(turns[-1][0])
    return _replace_pronouns(text, refers.re, about) if about else _add_words(text, turns[-1][0])


def _asks_for_documents(text: str) -> bool:
    sought = read_document_request(text, _ANY_DAY)
    return sought is not None and not sought.tentative


def _replace_pronouns(text: str, pronoun: re.Pattern[str], name: str) -> str:
    """The pronouns of one kind as a name, the first as it stands, "his" as "X's"."""

    def named(match: re.Match[str]) -> str:
        word = match.group().lower()
        owns = word in _POSSESSIVES and re.match(r"\s+\w", text[match.end() :]) is not None
        owns = owns and not (word == "her" and re.match(r"\s+(?:to|in|for|at|on|from|with|and|by|of|about|than|a|the)\b", text[match.end() :]))
        return f"{name}'s" if owns else name

    return pronoun.sub(named, text, count=1)


def _replace_last(text: str, old: str, new: str) -> str:
    head, _, tail = text.rpartition(old)
    return f"{head}{new}{tail}"


_ORDINALS = {
    word: number for number, words in enumerate(("first 1st top", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th"), 1) for word in words.split()
}
_RANKED_RESULT = compile_when_used(
    rf"""
          \b(?:the\s+)?({"|".join(_ORDINALS)}|last)\s+(?:one|result|document|file|hit|source|of\s+(?:them|these|those))\b
        | \b(?:result|document|source)\s*[#]?\s*([1-9])\b(?!\s*[.,]?\d)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_IT_PRONOUN = compile_when_used(r"\b(?:it|this\s+one|that\s+one|this|that)\b(?=\s+(?:with|to|and|against|vs)\b)", re.IGNORECASE)
_THEM_PRONOUN = compile_when_used(
    r"\b(?:compare|contrast|summari[sz]e)\s+(?:all\s+of\s+)?(?:them|these|those|both)\b\s*(?:results|documents|files)?\s*[?.!]*$", re.IGNORECASE
)


def find_referred_results(text: str, last_results: Sequence[str]) -> list[str]:
    """Return the results of the turn before that a question points at by their rank ("the second one", "compare it with the third"), [] for none."""
    if not last_results or len(tokens(text)) > _LONGEST:
        return []
    if _THEM_PRONOUN.search(text):
        return list(last_results[: 2 if "both" in tokens(text) else 5])
    places = [
        len(last_results) if word.lower() == "last" else _ORDINALS.get(word.lower(), 0) or int(digit) for word, digit in _RANKED_RESULT.findall(text)
    ]
    if any(place > len(last_results) for place in places):
        return []
    if places and _IT_PRONOUN.search(text):
        places = [1 if places[0] != 1 else 2, *places]
    return list(dict.fromkeys(last_results[place - 1] for place in places if place <= len(last_results)))
