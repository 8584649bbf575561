"""Who or what something is that a question only names: by the line under its name, what is said behind it, and the label in front of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agents.query_classifier.own_company import asks_about_company, find_company, insert_company
from core.documents import BlockKind
from core.graph import Entity, EntityPage, EntityType
from core.language.question_wording import name_alone
from core.ports import KnowledgeGraph
from core.search import Candidate
from retrieval.literal_matches import promote_lone_names
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text
from tests.support.indexes import stored_chunk

FIRMS = """Firms that we work with

Skua Yards

Boat builders in Marl. They keep our two barges afloat.

Alder Freight

Daily collection from Pier 4 at 16:30."""
_HEADINGS = ("Firms that we work with", "Skua Yards", "Alder Freight")
LISTED = evidence(
    FIRMS,
    document="firms",
    title="Firms",
    blocks=[(BlockKind.HEADING, FIRMS.index(each), FIRMS.index(each) + len(each)) for each in _HEADINGS],
)
LEASE = evidence("Landlord: Elver Estates LLP, North Mole.\n\nTenant: Marrow Chandlers Ltd, 3 Quay Row.", document="lease", title="Lease of Pier 4")
LETTER = evidence("To: Marrow Chandlers Ltd, Quay Row\n\nWe build what Marrow Chandlers wants of us.", document="letter", title="Letter")


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Tell me about Skua Yards", "Skua Yards"),
        ("What does Skua & Sons do?", "Skua & Sons"),
        ("Who is Ada Holm?", "Ada Holm"),
        ("Was macht Skua Yards?", "Skua Yards"),
        ("What does Skua Yards charge?", ""),
        ("Tell me about the rent", ""),
    ],
)
def test_what_is_named_alone(question: str, name: str) -> None:
    assert name_alone(question) == name


@pytest.mark.parametrize("question", ["Tell me about Skua Yards", "What does Skua Yards do?", "Who is Skua Yards?"])
async def test_what_stands_under_the_name(question: str) -> None:
    answer = await compose_answer(question, [LETTER, LISTED])
    assert lead_text(answer) == "Boat builders in Marl."
    assert "barges" in answer.text
    assert "collection" not in answer.text


async def test_the_label_in_front_of_the_name_but_not_whom_a_letter_goes_to() -> None:
    assert lead_text(await compose_answer("Who is Marrow Chandlers?", [LETTER, LEASE])).startswith("Tenant: Marrow Chandlers Ltd")
    assert not lead_text(await compose_answer("Who is Marrow Chandlers?", [LETTER])).startswith("To:")


async def test_an_office_is_asked_for_its_holder() -> None:
    rows = "Name | Role | Site\nAda Holm | Finance Director | Pier 4"
    people = evidence(rows, document="people", title="People", blocks=[(BlockKind.TABLE, 0, len(rows))])
    labelled = evidence("Approver: Finance Director, up to £100,000", document="limits", title="Limits")
    assert lead_text(await compose_answer("Who is Finance Director?", [people, labelled])) == "Ada Holm"


async def test_the_only_row_about_somebody_is_told_and_not_those_that_name_him_elsewhere() -> None:
    rows = "Name | Role | Reports to\nMia Lund | Managing Director | the board\nAda Holm | Warden | Mia Lund\nJon Ake | 7 | Mia Lund"
    people = evidence(rows, document="people", title="People", blocks=[(BlockKind.TABLE, 0, len(rows))])
    answer = await compose_answer("Who is Mia Lund?", [people])
    assert lead_text(answer) == "Managing Director"
    assert "Ada Holm" not in answer.text
    assert lead_text(await compose_answer("Who is Jon Ake?", [people])) == ""  # a figure says nothing of who he is


def test_the_chunk_where_the_name_has_a_line_of_its_own_is_read() -> None:
    texts = [
        "S1 | Skua Yards | sea",
        "S2 | Skua Yards | road",
        "S3 | Skua Yards | sea",
        "To: Skua Yards\nDear Ada",
        "Skua Yards\nBoat builders.",
        "Builder: Skua Yards Ltd, Marl",
    ]
    chunks = {number: stored_chunk(number, "a", number, (0, text)) for number, text in enumerate(texts)}
    ranked = [Candidate(chunk_id=number, document_id="a", score=1 - number / 10, stages={}) for number in range(6)]
    assert [each.chunk_id for each in promote_lone_names("Tell me about Skua Yards", ranked, chunks, 3)] == [0, 5, 4, 1, 2, 3]
    assert promote_lone_names("What does Skua Yards charge?", ranked, chunks, 3) == ranked
    assert promote_lone_names("Tell me about Skua Yards", ranked[:4], chunks, 3) == ranked[:4]
    assert promote_lone_names("Tell me about Skua Yards", ranked, chunks, 2) == ranked


# ------------------------------------------------------------------------------------------------------------------------------ the company
@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Tell me about the company", "Tell me about Skua Yards"),
        ("What does our company do?", "What does Skua Yards do?"),
        ("Who is the firm?", "Who is Skua Yards?"),
        ("What does the company pay for freight?", ""),
        ("Which firm examined the crane?", ""),
    ],
)
def test_the_company_is_called_by_its_name_where_nothing_else_is_asked(question: str, asked: str) -> None:
    assert insert_company(question, "Skua Yards") == asked
    assert asks_about_company(question) is bool(asked)


class _Firms:
    def __init__(self, **documents: int) -> None:
        self.page = [
            Entity(
                id=name,
                name=name,
                entity_type=EntityType.ORGANIZATION,
                document_ids=[str(number) for number in range(count)],
                created_at=datetime(2026, 1, 1, tzinfo=UTC),
            )
            for name, count in documents.items()
        ]

    async def entities(
        self, tenant: str, *, text: str = "", entity_type: EntityType | None = None, limit: int = 50, cursor: str | None = None
    ) -> EntityPage:
        assert (tenant, entity_type) == ("default", EntityType.ORGANIZATION)
        return EntityPage(entities=self.page, total=len(self.page), next_cursor=None)


@pytest.mark.parametrize(
    ("documents", "name"),
    [({"Skua": 3, "Alder": 9}, "Alder"), ({"Skua": 8, "Alder": 9}, ""), ({"Skua": 2}, ""), ({"Skua": 3}, "Skua"), ({}, "")],
)
async def test_the_company_is_the_one_that_far_more_documents_name(documents: dict[str, int], name: str) -> None:
    graph: KnowledgeGraph = _Firms(**documents)  # type: ignore[assignment]
    assert await find_company(graph, "default") == name
