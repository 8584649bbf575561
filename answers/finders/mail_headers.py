"""Who wrote a mail, to whom and when, who got a copy, and what is attached: for "Who sent the mail about the crane?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from core.claim_words import label_words
from core.language.mail_lines import DAY_LABELS
from core.language.question_wording import strip_politeness

_MAIL = r"(?:(?:the|an?|this|that|his|her|their|our|my|die|eine|seine|ihre)\s+(?:[\w-]+\s+){0,2}?)?(?:e-?mail|mail|message|nachricht)\b"
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
_OF_MAIL = r"(?=.*\b(?:e-?mail|mail|message|nachricht)\b)"
_BLIND_COPIES = rf"(?:to\s+)?(?:who(?:m|\s+all)?|which\s+\w+|wer|an\s+wen)\b{_OF_MAIL}.*\b(?:blind[-\s]?cop(?:y|ied)|bcc\w*|blindkopie)\b"
_COPIES = rf"(?:to\s+)?(?:who(?:m|\s+all)?|which\s+\w+|wer|an\s+wen)\b{_OF_MAIL}.*\b(?:copied|(?:in|a)\s+copy|cc(?:['’]?d)?|in\s+kopie)\b"
_ATTACHED = (
    rf"(?:(?:what|which)\s+(?:\w+\s+){{0,2}}?(?:is|are|was|were|came)\s+(?:attached|sent)\s+(?:to|with)|"
    rf"(?:(?:what|which)\s+(?:are|were)\s+)?(?:the\s+)?(?:names?\s+of\s+(?:the\s+)?)?(?:attach(?:ments?|ed)|(?:\w+\s+)?(?:files?|documents?)\s+(?:that\s+(?:is|are|was|were)\s+)?"
    rf"(?:attached|sent))|welche\s+(?:dateien|anhänge|anlagen))\b{_OF_MAIL}"
)
# The recipient before the sender: "Who was the mail sent to?".
_ASKED = tuple(
    (re.compile(rf"^\W*(?:{question})", re.IGNORECASE), re.compile(rf"^\W*(?:{label})\s*:[ \t]*(?P<value>\S[^\n]*)", re.IGNORECASE | re.MULTILINE))
    for question, label in (
        (_BLIND_COPIES, "bcc"),
        (_COPIES, "cc"),
        (_ATTACHED, "attachments|anlagen|anhänge"),
        (_RECIPIENT, "to|an"),
        (_SENDER, "from|von|de"),
        (_DAY, DAY_LABELS),
        (_SUBJECT, "subject|betreff"),
    )
)
_HEAD = re.compile(r"^\W*(?:from|von|de)\s*:[ \t]*\S", re.IGNORECASE | re.MULTILINE)
_ADDRESS = re.compile(r"\s*[<\[(]\s*(?:mailto:)?[^<>\[\]()\s]+@[^<>\[\]()\s]+\s*[>\])]\s*$")
_IDLE = label_words(
    "mail email message nachricht sent send wrote written write about with subject from regarding concerning geschickt gesendet geschrieben attached "
    "attachment attachments file files document documents name names copied copy blind blind-copied cc bcc people person got get received"
)
# Who wrote to whom: "Alice Holm's mail to Bob", "the mail from Alice to Bob".
_WRITER = re.compile(r"(?P<owner>(?:\b[A-ZÀ-Þ][\w-]*\s?)+)['’]s?\s+(?:e-?mail|mail|message)\b|\bfrom\s+(?P<source>(?:[A-ZÀ-Þ][\w-]*\s?)+)")
_ADDRESSEE = re.compile(r"\bto\s+(?P<name>(?:[A-ZÀ-Þ][\w-]*\s?)+)")
_FROM_LINE, _TO_LINE = (re.compile(rf"^\W*(?:{label})\s*:(?P<value>[^\n]*)", re.IGNORECASE | re.MULTILINE) for label in ("from|von|de", "to|an"))
_LEAST_NAMED = 0.6  # of the words by which the question calls the mail
_QUOTES = " \t'\"“”"


def mail_header(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the asked line of the head of the mail that the question speaks of; None where no mail has most of its words, or two have as many."""
    asked = strip_politeness(question.text)
    label = next((label for pattern, label in _ASKED if pattern.match(asked)), None)
    mail = _find_mail(asked, units) if label is not None else ""
    if label is None or not mail:
        return None
    found = next(_values(label, mail, units), None)
    if found is None:
        return None
    text = units[found.unit].unit.text[found.start : found.end]
    return RuleAnswer(text, (found,), SURE_CHANCE, "span")


def _find_mail(asked: str, units: Sequence[ScoredUnit]) -> str:
    """Return the document with a mail's head that holds most of the words by which a question calls it, of those the one between the people whom it
    names; empty where none does, or two do alike."""
    called = label_words(asked) - _IDLE
    said: dict[str, frozenset[str]] = {}
    heads: dict[str, str] = {}
    for unit in units:
        said[unit.document] = said.get(unit.document, unit.names) | label_words(unit.unit.text)
        heads[unit.document] = f"{heads.get(unit.document, '')}\n{unit.unit.text}"
    mails = {unit.document for unit in units if _HEAD.search(unit.unit.text) is not None}
    held = sorted(((len(called & said[each]), _count_people(asked, heads[each]), each) for each in mails), reverse=True)
    if not held or not called or held[0][0] < _LEAST_NAMED * len(called) or (len(held) > 1 and held[1][:2] == held[0][:2]):
        return ""
    return held[0][2]


def _count_people(asked: str, head: str) -> int:
    """Return how many words of the names of writer and addressee in the question stand in those lines of a mail's head."""
    writer, addressees = _WRITER.search(asked), _ADDRESSEE.findall(asked)
    named = ((writer and (writer["owner"] or writer["source"]), _FROM_LINE), (addressees and addressees[-1], _TO_LINE))
    return sum(len(label_words(name) & label_words(line["value"])) for name, pattern in named if name and (line := pattern.search(head)) is not None)


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
