"""Who wrote a mail, to whom and when: the lines of its head, for "Who sent the mail about the crane?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from core.claim_words import label_words
from core.language.mail_lines import DAY_LABELS
from core.language.question_wording import strip_politeness

_MAIL = r"(?:the\s+|an?\s+|this\s+|that\s+|die\s+|eine\s+)?(?:e-?mail|mail|message|nachricht)\b"
_SENDER = (
    rf"who\s+(?:sent|wrote|has\s+(?:sent|written)|is\s+the\s+sender\s+of)\s+{_MAIL}|from\s+whom\s+(?:is|was|came|did)\s+{_MAIL}|"
    rf"who\s+(?:is|was|did)\s+{_MAIL}.*\s(?:from|sent\s+by|written\s+by)\W*$|wer\s+hat\s+{_MAIL}|von\s+wem\s+(?:ist|war|kommt|kam|stammt)\s+{_MAIL}"
)
_RECIPIENT = (
    rf"(?:to\s+whom|who)\s+(?:was|did|is)\s+{_MAIL}(?=.*\b(?:to|sent|addressed)\b)|who\s+(?:got|received)\s+{_MAIL}|"
    rf"an\s+wen\s+(?:ging|ist|war|wurde)\s+{_MAIL}"
)
_DAY = (
    rf"(?:when|on\s+what\s+(?:day|date))\s+(?:was|did\s+(?:\w+\s+){{1,3}}(?:send|write))\s+{_MAIL}|"
    rf"wann\s+(?:wurde\s+|hat\s+(?:\w+\s+){{1,3}}|kam\s+){_MAIL}"
)
_SUBJECT = rf"what\s+(?:is|was)\s+the\s+subject\s+(?:line\s+)?of\s+{_MAIL}|was\s+(?:ist|war)\s+der\s+betreff\s+(?:der\s+)?{_MAIL}"
# The recipient before the sender: "Who was the mail sent to?".
_ASKED = tuple(
    (re.compile(rf"^\W*(?:{question})", re.IGNORECASE), re.compile(rf"^\W*(?:{label})\s*:[ \t]*(?P<value>\S[^\n]*)", re.IGNORECASE | re.MULTILINE))
    for question, label in (
        (_RECIPIENT, "to|an"),
        (_SENDER, "from|von|de"),
        (_DAY, DAY_LABELS),
        (_SUBJECT, "subject|betreff"),
    )
)
_HEAD = re.compile(r"^\W*(?:from|von|de)\s*:[ \t]*\S", re.IGNORECASE | re.MULTILINE)
_ADDRESS = re.compile(r"\s*[<\[(]\s*(?:mailto:)?[^<>\[\]()\s]+@[^<>\[\]()\s]+\s*[>\])]\s*$")
_IDLE = label_words(
    "mail email message nachricht sent send wrote written write about with subject from regarding concerning geschickt gesendet geschrieben"
)
_LEAST_NAMED = 0.6  # of the words by which the question calls the mail
_QUOTES = " \t'\"“”"


def mail_header(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the asked line of the head of the mail that the question speaks of; None where no mail has most of its words, or two have as many."""
    asked = strip_politeness(question.text)
    label = next((label for pattern, label in _ASKED if pattern.match(asked)), None)
    mail = _find_mail(label_words(asked) - _IDLE, units) if label is not None else ""
    if label is None or not mail:
        return None
    found = next(_values(label, mail, units), None)
    if found is None:
        return None
    text = units[found.unit].unit.text[found.start : found.end]
    return RuleAnswer(text, (found,), SURE_CHANCE, "span")


def _find_mail(called: frozenset[str], units: Sequence[ScoredUnit]) -> str:
    """Return the document with a mail's head that holds most of the words; empty where none does, or another holds as many."""
    said: dict[str, frozenset[str]] = {}
    for unit in units:
        said[unit.document] = said.get(unit.document, unit.names) | label_words(unit.unit.text)
    mails = {unit.document for unit in units if _HEAD.search(unit.unit.text) is not None}
    held = sorted(((len(called & words), document) for document, words in said.items() if document in mails), reverse=True)
    if not held or not called or held[0][0] < _LEAST_NAMED * len(called) or (len(held) > 1 and held[1][0] == held[0][0]):
        return ""
    return held[0][1]


def _values(label: re.Pattern[str], mail: str, units: Sequence[ScoredUnit]) -> Iterator[UnitSpan]:
    """Yield the values behind the label in a mail, in their order, a name without the address behind it."""
    for place, unit in enumerate(units):
        if unit.document != mail:
            continue
        for line in label.finditer(unit.unit.text):
            value = line["value"].rstrip()
            named = _ADDRESS.sub("", value).strip(_QUOTES) or value
            start = line.start("value") + value.index(named)
            yield UnitSpan(place, start, start + len(named))
