"""Documents that a question names ("Kestrel"), and sentences elsewhere that speak of another thing of that kind ("Pallas delivers in six weeks")."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from answers.questions import named_documents, normalised, title_key
from core.answers import Evidence

_SMALL = re.compile(r"(?<![\w@./-])[^\W\d_A-Z]\w*(?![\w@]|[.-]\w)")  # words in lower case that are no part of an address
_INSIDE = re.compile(r"(?<=[a-zß-öø-ÿ,] )[A-ZÀ-Þ][^\W\d_]+")
_BEGINNING = 3  # words that hold what a sentence speaks of
LEAST_NAME = 4  # letters of a word that names a document


@dataclass(frozen=True, slots=True)
class NamedThings:
    """`documents` are named by the question, by `names` (lower case); `others` maps the names of the documents that are not to these,
    `proper` are words that have a capital inside sentences and nowhere none."""

    documents: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    others: tuple[tuple[str, str], ...] = ()
    proper: frozenset[str] = frozenset()

    def left_for_another(self, text: str, evidence: Evidence) -> bool:
        """Whether a text speaks of another thing than the question: it begins with the name of another document's, or with another name beside
        sentences about what the question names."""
        document, said = evidence.passage.document_id, normalised(text).split()
        if not self.names or document in self.documents or self.names & frozenset(said) or not said:
            return False
        if any(name in said[:_BEGINNING] for name, owner in self.others if owner != document):
            return True
        beside = not self.names.isdisjoint(normalised(evidence.passage.content).split())
        return beside and len(said[0]) >= LEAST_NAME and said[0] in self.proper


def document_words(evidence: Evidence) -> frozenset[str]:
    """The words of a document's title and file name, in lower case."""
    return frozenset(normalised(f"{evidence.title} {evidence.filename.rpartition('.')[0]}".replace("_", " ")).split())


def named_things(question: str, evidence: Sequence[Evidence]) -> NamedThings:
    """What the question (`normalised`) names of these documents. A name is a word that one document alone has in its title or file name and that is
    written with a capital wherever it stands."""
    titles = {each.passage.document_id: (title_key(each.title), document_words(each)) for each in evidence}
    documents = named_documents(question, titles)
    if not documents:
        return NamedThings()
    owners = Counter(word for _, words in titles.values() for word in words)
    small = frozenset(word for each in evidence for word in _SMALL.findall(each.passage.content))
    owned = [
        (word, document)
        for document, (_, words) in titles.items()
        for word in sorted(words)
        if owners[word] == 1 and len(word) >= LEAST_NAME and word.isalpha() and word not in small
    ]
    names = frozenset(word for word, document in owned if document in documents and f" {word} " in question)
    others = tuple((word, document) for word, document in owned if document not in documents and f" {word} " not in question)
    inside = frozenset(word.lower() for each in evidence for word in _INSIDE.findall(each.passage.content))
    return NamedThings(documents, names, others, inside - small)
