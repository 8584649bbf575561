"""The writer of a document that a question names: who signs below its regards, or stands under a label for its writer.

"On 22 September Tobias Renn wrote:" in a mail says who wrote the mail that it quotes, not who wrote a report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from answers.finders.labelled_values import is_name
from answers.finders.rule_answer import LIKELY_CHANCE, RuleAnswer, UnitSpan
from answers.questions.named_things import REGARDS
from answers.scoring.unit_scores import Question, ScoredUnit
from core.claim_words import label_words
from core.language.question_wording import strip_politeness

_QUESTION_PATTERN = re.compile(
    r"^\W*(?:who\s+(?!wrote\s+to\b)(?:(?:has\s+|have\s+)?(?:wrote|written|signed|prepared|compiled|drew\s+up|drawn\s+up|drafted)|(?:is|are|was|were)\s+the\s+(?:authors?|writers?)\s+of)\s+(?P<what>[^?]+?)|"
    r"wer\s+hat\s+(?P<was>[^?]+?)\s+(?:geschrieben|verfasst|unterschrieben|erstellt))\W*$",
    re.IGNORECASE,
)
_WRITER_LABEL = re.compile(
    r"^[\s>*•-]*(?:authors?|(?:written|prepared|compiled|drafted|drawn\s+up|recorded|signed)\s+by|examiner|inspector|surveyor|assessor|auditor|"
    r"rapporteur|verfasser(?:in)?|autor(?:in)?|(?:verfasst|erstellt|unterschrieben)\s+von|prüfer(?:in)?|gutachter(?:in)?)\s*[:|]\s*(?P<name>[^,;(|\n]+)",
    re.IGNORECASE,
)
_WRITINGS = label_words(
    "letter mail email report quote quotation offer bid memo minutes note paper document text statement certificate angebot brief bericht"
)
_BELOW = 2  # lines below the regards among which the name stands


def document_writer(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return who wrote the one document that is called so; None where it does not say, or several names are said."""
    asked = _QUESTION_PATTERN.match(strip_politeness(question.text))
    document = _called_document(label_words(asked["what"] or asked["was"]), units) if asked is not None else ""
    own = [place for place, unit in enumerate(units) if unit.document == document] if document else []
    for found in (_signers(own, units), _labelled_writers(own, units)):
        names = {units[span.unit].unit.text[span.start : span.end]: span for span in found}
        if len(names) == 1:
            return RuleAnswer(*(next((name, (span,)) for name, span in names.items())), LIKELY_CHANCE, "name")
    return None


def _called_document(called: frozenset[str], units: Sequence[ScoredUnit]) -> str:
    """Return the only document whose title and file name have every word by which it is called, with or without what kind of writing it is."""
    names = {unit.document: label_words(" ".join(unit.names)) for unit in units}
    for wanted in (called, called - _WRITINGS):
        found = [document for document, words in names.items() if wanted and wanted <= words]
        if len(found) == 1:
            return found[0]
    return ""


def _signers(places: Sequence[int], units: Sequence[ScoredUnit]) -> Iterator[UnitSpan]:
    """Yield the names right below "Yours sincerely" and the like."""
    lines = [(place, start, line) for place in places for start, line in _lines(units[place].unit.text)]
    for at, (_, _, line) in enumerate(lines):
        if REGARDS.match(line) is None or line.lstrip().startswith(">"):
            continue
        for place, start, below in lines[at + 1 : at + 1 + _BELOW]:
            name = below.split(",", maxsplit=1)[0].strip()
            if is_name(name) and label_words(name):
                begin = start + below.index(name)
                yield UnitSpan(place, begin, begin + len(name))
                break


def _lines(text: str) -> Iterator[tuple[int, str]]:
    place = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            yield place, line.rstrip()
        place += len(line)


def _labelled_writers(places: Sequence[int], units: Sequence[ScoredUnit]) -> Iterator[UnitSpan]:
    for place in places:
        found = _WRITER_LABEL.match(units[place].unit.text)
        if found is not None and is_name(name := found["name"].strip(" .")):
            yield UnitSpan(place, found.start("name"), found.start("name") + len(name))
