"""A reader that finds the words that it is told to find, and a store of what documents say of each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from core.claim_precedence import Relation
from core.errors import NotFound, Unavailable
from core.ports import AnswerSpan, PassageReading
from core.references import DocumentReferences, Reference


class WordsReader:
    """core.ports.AnswerReader: finds the first place of each of `words` in a passage, with its score. `asked` are the questions and passages."""

    def __init__(self, words: Mapping[str, float]) -> None:
        self._words = dict(words)
        self.asked: list[tuple[str, list[str]]] = []

    @property
    def name(self) -> str:
        return "words"

    async def read_passages(self, question: str, passages: Sequence[str]) -> tuple[PassageReading, ...]:
        self.asked.append((question, list(passages)))
        return tuple(self._reading(passage) for passage in passages)

    def _reading(self, passage: str) -> PassageReading:
        found = [
            AnswerSpan(passage.index(words), passage.index(words) + len(words), score) for words, score in self._words.items() if words in passage
        ]
        found.sort(key=lambda span: -span.score)
        likely = 1 / (1 + math.exp(-found[0].score)) if found else 0.0
        return PassageReading(tuple(found), likely, likely)

    async def close(self) -> None: ...


class LostReader(WordsReader):
    """Cannot be used."""

    async def read_passages(self, question: str, passages: Sequence[str]) -> tuple[PassageReading, ...]:
        raise Unavailable("The reader's weights are missing.")


class FixedRelations:
    """core.ports.ReferenceStore: the given relations, of one tenant."""

    def __init__(self, relations: Iterable[Relation] = (), tenant: str = "default") -> None:
        self._relations, self._tenant = list(relations), tenant

    async def references(self, tenant: str, document_id: str) -> DocumentReferences:
        if tenant != self._tenant or not any(document_id in {each.document_id, each.other_id} for each in self._relations):
            raise NotFound(f"There is no document {document_id}.")
        made = [(each, self._reference(each)) for each in self._relations]
        return DocumentReferences(
            document_id=document_id,
            refers_to=[reference for relation, reference in made if relation.document_id == document_id],
            referred_by=[reference for relation, reference in made if relation.other_id == document_id],
        )

    @staticmethod
    def _reference(relation: Relation) -> Reference:
        return Reference(
            kind=relation.kind,
            document_id=relation.document_id,
            filename=f"{relation.document_id}.txt",
            generation=1,
            start=0,
            end=1,
            page=None,
            text="",
            target=relation.other_id,
            target_document_id=relation.other_id,
            target_filename=f"{relation.other_id}.txt",
        )

    async def relations_between(self, tenant: str, document_ids: Sequence[str]) -> list[Relation]:
        among = set(document_ids)
        return [each for each in self._relations if tenant == self._tenant and {each.document_id, each.other_id} <= among]
