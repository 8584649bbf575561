"""Documents that a question names ("Kestrel"), and sentences elsewhere that speak of another thing of that kind ("Pallas delivers in six weeks")."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from answers.questions.question_parts import named_documents, normalise_text, title_key
from core.answers import Evidence
from core.language.content_words import stems
from core.language.decision_wording import is_record

_LOWER_CASE_WORD = re.compile(r"(?<![\w@./-])[^\W\d_A-Z]\w*(?![\w@]|[.-]\w)")  # words in lower case that are no part of an address
_INNER_NAME = re.compile(r"(?<=[a-zß-öø-ÿ,] )[A-ZÀ-Þ][^\W\d_]+")
_OF_ONE_PARTY = frozenset({"quote", "invoice"})  # a contract's amendment speaks of the same parties
_VERSION = re.compile(r"\b(?:version|fassung|v)\.?\s*(?P<number>\d{1,3})\b", re.IGNORECASE)
_VERSION_OF = re.compile(rf"{_VERSION.pattern}(?:\s+(?:of|der|des|von)\b)?", re.IGNORECASE)
_VERSION_MARK = re.compile(r"v(?P<number>\d{1,3})")
_RECORD_NAMES = " minutes meeting record protocol"
_LETTERS = frozenset({"email", "letter"})
REGARDS = re.compile(
    r"\W*(?:(?:kind|best|warm|with\s+(?:kind|best))\s+regards|regards|yours\s+\w+|sincerely|best\s+wishes|"
    r"mit\s+freundlichen|freundliche|viele|beste)\b",
    re.IGNORECASE,
)
_QUOTES = re.compile(r"\b(?:wrote|schrieb)\b[^:]*:\s*$", re.IGNORECASE)  # "On 22 September Ada Holm wrote:"
_SIGNATURE = 5  # lines below the regards
_BEGINNING = 3  # words that hold what a sentence speaks of
LEAST_NAME = 4  # letters of a word that names a document


@dataclass(frozen=True, slots=True)
class NamedThings:
    """`documents` are named by the question, by `names` (lower case); `others` maps the names of the documents that are not to these,
    `proper` are words that have a capital inside sentences and nowhere none, `kinds` the kinds of the named documents of which each speaks of a
    party of its own."""

    documents: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    others: tuple[tuple[str, str], ...] = ()
    proper: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()

    def speaker(self, text: str, evidence: Evidence) -> str:
        """Return the title or file name of a document that the question names, the one with the name, before a text that has none of the names; ""
        otherwise."""
        if evidence.passage.document_id not in self.documents or self.names & frozenset(normalise_text(text).split()):
            return ""
        called = [evidence.title, evidence.filename.rpartition(".")[0]]
        return next((each for each in called if self.names & frozenset(normalise_text(each.replace("_", " ")).split())), "")

    def is_about_another(self, text: str, evidence: Evidence) -> bool:
        """Return whether a text speaks of another thing than the question: it begins with the name of another document's, or with another name beside
        sentences about what the question names."""
        document, said = evidence.passage.document_id, normalise_text(text).split()
        if not self.names or document in self.documents or self.names & frozenset(said) or not said:
            return False
        if any(name in said[:_BEGINNING] for name, owner in self.others if owner != document):
            return True
        beside = not self.names.isdisjoint(normalise_text(evidence.passage.content).split())
        if not beside and evidence.doc_type in self.kinds:
            return True  # another firm's offer, where one firm is named
        return beside and len(said[0]) >= LEAST_NAME and said[0] in self.proper


# "C2", "Q3", "RFQ-118"; of words with a number those that number things: "within 24 hours" and "costs 500" name nothing.
_NUMBERED = re.compile(
    r"\b(?P<kind>[A-Z]{1,4})-?(?P<number>\d{1,4})\b|"
    r"\b(?P<word>addendum|aisle|amendment|annex|appendix|article|bay|batch|block|building|chamber|chapter|clause|crane|defect|dock|door|exercise|figure|flat|floor|gate|grade|group|"
    r"hall|house|item|layer|lesson|level|line|lot|machine|module|part|phase|pier|platform|pump|quay|question|room|route|schedule|section|site|stage|step|"
    r"table|tank|team|terminal|track|unit|version|volume|ward|week|zone)\s+(?:no\.?\s*)?(?P<figure>\d{1,3})\b(?![.,:]?\d|\s*%)",
    re.IGNORECASE,
)


def speaks_of_another_number(question: str, text: str) -> bool:
    """Return whether a text names another of numbered things than the question: "crane C1" where "C2" is asked of, "Chamber 2" for "Chamber 1"."""
    asked = _numbered_things(question)
    said = _numbered_things(text) if asked else asked
    kinds = {kind for kind, _ in asked}
    return not asked & said and any(kind in kinds for kind, _ in said)


def without_version(text: str) -> str:
    """Return a text without the version that it names: "version 2 of the policy" is "the policy"."""
    return " ".join(_VERSION_OF.sub(" ", text).split())


def is_of_another_version(question: str, text: str, names: frozenset[str]) -> bool:
    """Return whether one version is asked of ("version 1") and a text, which does not speak of it, is of a document whose `names` hold another
    ("v2")."""
    asked = {match["number"] for match in _VERSION.finditer(question)}
    own = {match["number"] for name in names if (match := _VERSION_MARK.fullmatch(name)) is not None}
    return len(asked) == 1 and bool(own) and asked.isdisjoint(own) and not any(match["number"] in asked for match in _VERSION.finditer(text))


@lru_cache(maxsize=64)  # the question's are asked for with every unit
def _numbered_things(text: str) -> frozenset[tuple[str, str]]:
    found = [match for match in _NUMBERED.finditer(text) if match["word"] or match["kind"].isupper()]
    return frozenset((match["kind"] or match["word"].lower(), match["number"] or match["figure"]) for match in found)


def document_words(evidence: Evidence) -> frozenset[str]:
    """Return the words of a document's title and file name, in lower case."""
    return frozenset(normalise_text(f"{evidence.title} {evidence.filename.rpartition('.')[0]}".replace("_", " ")).split())


def called_documents(name: str, evidence: Sequence[Evidence]) -> frozenset[str]:
    """Return the documents that are meant by "Kestrel's quote", "the lease of Quay 7", "the minutes": named by a word of their own, else each whose
    title, file name and kind hold every word of the name."""
    documents = {each.passage.document_id: (title_key(each.title), document_words(each)) for each in evidence}
    if own := named_documents(normalise_text(name), documents):
        return own
    asked = stems(name)
    kinds = {each.passage.document_id: f"{each.doc_type}{_RECORD_NAMES * is_record(f'{each.title} {each.filename}')}" for each in evidence}
    return frozenset(document for document, (_, words) in documents.items() if asked and asked <= stems(f"{' '.join(words)} {kinds[document]}"))


def find_documents_by(who: str, evidence: Sequence[Evidence]) -> frozenset[str]:
    """Return the letters and mails whose sender or signature has every word for somebody: "the agent" for "Trevanion & Holt, agents for Elver
    Estates"."""
    asked = stems(who)
    found = set()
    for each in evidence:
        if each.doc_type in _LETTERS and asked:
            lines = [line for line in each.passage.content.splitlines() if line.strip() and not line.startswith(">")]
            signed = next((place for place, line in enumerate(lines) if REGARDS.match(line)), len(lines))
            below = itertools.takewhile(lambda line: _QUOTES.search(line) is None, lines[signed + 1 : signed + 1 + _SIGNATURE])
            sender_lines = [line for line in lines if line.lower().startswith(("from:", "von:"))] + [*below]
            if asked <= stems(" ".join(sender_lines)):
                found.add(each.passage.document_id)
    return frozenset(found)


def named_things(question: str, evidence: Sequence[Evidence]) -> NamedThings:
    """Return what the question (`normalise_text`) names of these documents. A name is a word that one document alone has in its title or file name
    and that is written with a capital wherever it stands."""
    titles = {each.passage.document_id: (title_key(each.title), document_words(each)) for each in evidence}
    documents = named_documents(question, titles)
    if not documents:
        return NamedThings()
    owners = Counter(word for _, words in titles.values() for word in words)
    small = frozenset(word for each in evidence for word in _LOWER_CASE_WORD.findall(each.passage.content))
    owned = [
        (word, document)
        for document, (_, words) in titles.items()
        for word in sorted(words)
        if owners[word] == 1 and len(word) >= LEAST_NAME and word.isalpha() and word not in small
    ]
    names = frozenset(word for word, document in owned if document in documents and f" {word} " in question)
    others = tuple((word, document) for word, document in owned if document not in documents and f" {word} " not in question)
    inside = frozenset(word.lower() for each in evidence for word in _INNER_NAME.findall(each.passage.content))
    kinds = frozenset(each.doc_type for each in evidence if each.passage.document_id in documents) & _OF_ONE_PARTY
    return NamedThings(documents, names, others, inside - small, kinds)
