"""Silver sets: questions that are made from a library's own documents by rules, so that a search can be measured before anybody judged anything."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import InvalidInput
from evaluation.evaluation_sets import QUERIES, EvaluationQuestion, EvaluationSet
from evaluation.silver_rules import ask_absent_field, ask_absent_name, ask_field, ask_known_item, ask_pair, ask_paraphrase
from evaluation.silver_sources import SourceDocument, SourceSpan, WordCounts, count_words, find_fields, find_sentences

# The share of each kind; what a library does not yield is made up by known items.
_SHARES = {"fields": 0.15, "paraphrases": 0.25, "pairs": 0.15, "unanswerable": 0.15}
_FROM_ONE = 6  # spans of one document, so that a long one does not ask everything
Made = Iterator[EvaluationQuestion]


def make_silver_set(name: str, documents: Sequence[SourceDocument], count: int, seed: int) -> EvaluationSet:
    """Make so many questions, or as many as there can be: the same of the same documents and seed. Raises InvalidInput where there are none."""
    maker = _SilverMaker(sorted(documents, key=lambda each: (each.filename, each.id)), seed)
    chosen: dict[str, EvaluationQuestion] = {}
    for kind, share in _SHARES.items():
        _take(chosen, maker.kinds[kind](), round(count * share))
    _take(chosen, maker.kinds["known items"](), count - len(chosen))
    if not any(question.answerable for question in chosen.values()):
        raise InvalidInput("No question can be made of this library: it has too few whole sentences. Index more documents first.")
    ordered = [replace(question, id=f"s{number:04}") for number, question in enumerate(chosen.values(), start=1)]
    return EvaluationSet(name, tuple(ordered))


def write_silver_set(folder: Path, made: EvaluationSet, about: dict[str, Any]) -> None:
    """Write queries.jsonl, qrels.tsv and made.json, which says how it was made. Blocks."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    rows = [
        {
            "id": question.id,
            "text": question.text,
            "answerable": question.answerable,
            "rule": question.rule,
            "passages": list(question.passages),
            "source": dict(question.source),
        }
        for question in made.questions
    ]
    (folder / QUERIES).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    judged = "".join(f"{question.id}\t{document}\t{grade:g}\n" for question in made.questions for document, grade in question.grades.items())
    (folder / "qrels.tsv").write_text(f"query-id\tdoc-id\tgrade\n{judged}", encoding="utf-8")
    (folder / "made.json").write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _take(chosen: dict[str, EvaluationQuestion], made: Made, wanted: int) -> None:
    """Add so many questions whose words were not asked yet."""
    for _ in range(wanted):
        question = next((each for each in made if each.text not in chosen), None)
        if question is None:
            return
        chosen[question.text] = question


class _SilverMaker:
    """The questions that can be made of some documents, kind by kind."""

    def __init__(self, documents: Sequence[SourceDocument], seed: int) -> None:
        self._documents, self._seed = documents, seed
        self._counts: WordCounts = count_words(documents)
        self.kinds: dict[str, Callable[[], Made]] = {
            "known items": self._known_items,
            "fields": self._fields,
            "paraphrases": self._paraphrases,
            "pairs": self._pairs,
            "unanswerable": self._unanswerable,
        }

    def _known_items(self) -> Made:
        drawn = self._draw("known items")
        for span in self._spread(find_sentences, drawn):
            yield from _kept(ask_known_item(span, self._counts, drawn))

    def _paraphrases(self) -> Made:
        drawn = self._draw("paraphrases")
        for span in self._spread(find_sentences, drawn):
            yield from _kept(ask_paraphrase(span, self._counts, drawn))

    def _fields(self) -> Made:
        drawn = self._draw("fields")
        for span in self._spread(find_fields, drawn):
            yield from _kept(ask_field(span, self._counts, drawn))

    def _pairs(self) -> Made:
        """Names that stand in exactly two documents link them."""
        drawn, known = self._draw("pairs"), {document.id: document for document in self._documents}
        names = [name for name, places in self._counts.names.items() if len(places) == 2]
        drawn.shuffle(names)
        for name in names:
            spans = [_find_sentence(known[place], name) for place in self._counts.names[name]]
            found = [span for span in spans if span is not None]
            if len(found) == 2:
                yield from _kept(ask_pair(name, found, self._counts, drawn))

    def _unanswerable(self) -> Made:
        drawn = self._draw("unanswerable")
        labels = sorted({span.label for document in self._documents for span in find_fields(document)})
        for number, span in enumerate(self._spread(find_sentences, drawn)):
            label = drawn.choice(labels) if labels else ""
            by_field = ask_absent_field(span, label, self._counts, drawn) if label and number % 2 else None
            yield from _kept(by_field or ask_absent_name(span, self._counts, drawn))

    def _draw(self, kind: str) -> random.Random:
        return random.Random(f"{self._seed} {kind}")  # noqa: S311 # no secret: the same seed makes the same set

    def _spread(self, find: Callable[[SourceDocument], Iterator[SourceSpan]], drawn: random.Random) -> Iterator[SourceSpan]:
        """Yield spans in turns: the first of every document, then their second ones."""
        found = [list(find(document)) for document in self._documents]
        for spans in found:
            drawn.shuffle(spans)
        drawn.shuffle(found)
        for turn in range(_FROM_ONE):
            yield from (spans[turn] for spans in found if len(spans) > turn)


def _find_sentence(document: SourceDocument, name: str) -> SourceSpan | None:
    return next((span for span in find_sentences(document) if name in span.text), None)


def _kept(question: EvaluationQuestion | None) -> Made:
    if question is not None:
        yield question
