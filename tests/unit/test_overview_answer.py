"""Overviews: the themes of a library with a cited sentence of each, and how much of it they cover."""

from __future__ import annotations

from typing import Any

from agents.general_answer.agent import answer_about_system
from agents.overview.agent import describe_themes
from core.communities import Community, CommunityCitation, CommunityPage, RefreshResult
from core.errors import NotFound, Unavailable
from core.ports import JobRecord
from tests.support.ports import sample_library


def theme(name: str, documents: int, *texts: str) -> Community:
    cited = [
        CommunityCitation(document_id=f"{name}{place}", generation=1, filename=f"{name}.txt", page=None, start=0, end=len(text), text=text)
        for place, text in enumerate(texts)
    ]
    return Community(
        id=name, name=name, level=0, entity_ids=["a"], entity_count=1, members=[], summary=" ".join(texts), keywords=["rent", "notice"],
        parent_id=None, child_ids=[], citations=cited, documents=documents, generated_by="rules", stale=False,
    )  # fmt: skip


class FakeCommunities:
    """core.ports.Communities over a list of themes."""

    def __init__(self, themes: list[Community], *, stale: bool = False, fails: bool = False) -> None:
        self.themes, self.stale, self.fails, self.ensured = themes, stale, fails, 0

    async def ensure_current(self, tenant: str) -> None:
        self.ensured += 1
        if self.fails:
            raise Unavailable("The knowledge graph is still being loaded.")

    async def list_communities(self, tenant: str, **query: Any) -> CommunityPage:
        return CommunityPage(
            communities=self.themes, total=len(self.themes), levels=1, stale=self.stale, refreshed_at=None, smaller_groups=0,
            smaller_group_entities=0, covered_documents=4, documents=5,
        )  # fmt: skip

    async def get(self, tenant: str, community_id: str) -> Community:
        raise NotFound(community_id)

    async def refresh(self, tenant: str) -> RefreshResult:
        raise NotImplementedError

    async def queue_refresh(self, tenant: str) -> JobRecord:
        raise NotImplementedError


async def test_each_theme_has_a_sentence_that_is_cited_and_the_coverage_is_told() -> None:
    themes = [theme("Lease", 3, "Rent | 900", "The rent is\n900 pounds."), theme("Cranes", 2, "Crane C2 has a crack."), theme("Alone", 1, "Nobody.")]
    answer = await describe_themes("default", FakeCommunities(themes, stale=True), "By kinds.")
    assert answer is not None
    assert answer.text.splitlines()[0] == "Your documents have 3 themes, of which 2 are told here. Together they cover 4 of 5 documents:"
    assert "- Lease (rent, notice), 3 documents: “The rent is 900 pounds.” [1]" in answer.text
    assert "Alone" not in answer.text
    assert answer.text.endswith("\n\nBy kinds.")
    assert [(each.number, each.document_id, each.quote) for each in answer.citations] == [
        (1, "Lease1", "The rent is\n900 pounds."),
        (2, "Cranes0", "Crane C2 has a crack."),
    ]
    assert [each.citations for each in answer.sentences] == [[], [1], [2]]
    assert "found anew" in answer.notes[0]


async def test_themes_of_one_document_count_where_there_are_no_others() -> None:
    answer = await describe_themes("default", FakeCommunities([theme("Alone", 1, "Nobody.")]))
    assert answer is not None
    assert answer.text.startswith("Your documents have 1 theme. It covers 4 of 5 documents:\n\n- Alone (rent, notice), 1 document:")


async def test_without_themes_the_library_is_told_by_kinds() -> None:
    library = sample_library()
    by_kinds = await answer_about_system("What are the main themes?", tenant="default", library=library, model_name=None)
    for communities in (FakeCommunities([]), FakeCommunities([theme("Silent", 3)]), FakeCommunities([theme("Lost", 3, "Said.")], fails=True)):
        given = await answer_about_system("What are the main themes?", tenant="default", library=library, model_name=None, communities=communities)
        assert given == by_kinds
        assert communities.ensured == 1


async def test_questions_about_the_library_in_numbers_ask_for_no_themes() -> None:
    communities = FakeCommunities([theme("Lease", 3, "The rent is 900 pounds.")])
    await answer_about_system("How many PDFs are indexed?", tenant="default", library=sample_library(), model_name=None, communities=communities)
    assert communities.ensured == 0
