"""Themes of a part of a library: told as if it held nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from core.communities import Community, DocumentPlace, ThemeSurvey
from core.search import EVERYTHING, Filters
from graph.communities.library_communities import CommunityOptions, LibraryCommunities
from graph.communities.library_folders import places_within
from graph.graph_view import GraphView
from tests.support.communities import MemoryCommunities
from tests.support.graphs import MemoryGraphStore, make_paragraphs
from tests.unit.test_terms_and_themes import BOATS, KILN

# Who is in it as others write it; a thing that only one other document names; a term that all documents together share too often to be one.
LOUD = (
    "loud",
    "SOLLEN WORKS LTD wrote to PETRA LUND about the tin whistle. The tin whistle of PETRA LUND was blown by SOLLEN WORKS LTD. A tin whistle it is.",
)
MIXED = ("mixed", "Petra Lund hired Sollen Works Ltd for the harbour ferry. The harbour ferry pleased Petra Lund and Sollen Works Ltd.")
EVERYONE = (*KILN, *BOATS, LOUD, MIXED)
WHOLE_DIVISION = CommunityOptions(enabled="on", divided_while_asked=0)


async def open_library(documents: Sequence[tuple[str, str]], options: CommunityOptions | None = None) -> LibraryCommunities:
    store = MemoryGraphStore()
    for document_id, text in documents:
        store.put_document(document_id, make_paragraphs(text), document_id)

    async def count(tenant: str) -> int:
        return len(documents)

    places = [DocumentPlace(name, f"/share/{name.split()[0]}/{name}.txt", "/share", "default") for name, _ in documents]
    library = LibraryCommunities(GraphView(store), store, MemoryCommunities(store, places), options or CommunityOptions(enabled="on"), count)
    await library.refresh("default")
    return library


def only(documents: Sequence[tuple[str, str]]) -> Filters:
    return Filters(document_ids=[name for name, _ in documents])


async def survey(library: LibraryCommunities, filters: Filters = EVERYTHING) -> ThemeSurvey:
    return await library.survey_themes("default", limit=40, filters=filters)


def told(survey: ThemeSurvey) -> list[Any]:
    """What a person may be told of it."""

    def of(theme: Community) -> tuple[Any, ...]:
        said = [(each.document_id, each.start, each.text) for each in theme.citations]
        return theme.name, theme.documents, theme.keywords, [each.name for each in theme.members], said

    page, folders = survey.page, [(each.name, each.documents, [of(theme) for theme in each.themes]) for each in survey.folders]
    return [[of(each) for each in page.communities], folders, page.total, page.covered_documents, page.documents, sorted(survey.folder_of.items())]


@pytest.mark.parametrize("part", [KILN, BOATS, (*KILN, *BOATS), (MIXED, BOATS[0]), (LOUD, KILN[0]), EVERYONE])
async def test_a_part_is_told_as_if_the_library_held_nothing_else(part: Sequence[tuple[str, str]]) -> None:
    found = await survey(await open_library(EVERYONE), only(part))
    assert found.page.communities
    assert told(found) == told(await survey(await open_library(part)))


@pytest.mark.parametrize("options", [CommunityOptions(enabled="on"), WHOLE_DIVISION], ids=["divided anew", "as the whole is divided"])
async def test_nothing_of_the_other_documents_is_told(options: CommunityOptions) -> None:
    library = await open_library(EVERYONE, options)
    assert "whistle" in str(told(await survey(library)))
    for part in (KILN, BOATS, (*KILN, MIXED)):
        names = {name for name, _ in part}
        found = await survey(library, only(part))
        themes = [*found.page.communities, *(theme for folder in found.folders for theme in folder.themes)]
        assert themes
        assert bool(found.note) == (options is WHOLE_DIVISION)
        assert {said.document_id for theme in themes for said in theme.citations} <= names
        assert all(theme.documents <= len(part) for theme in themes)
        assert {folder.name for folder in found.folders} <= {name.split()[0] for name in names}
        assert found.page.covered_documents <= found.page.documents == len(part)
        assert not any(word in str(told(found)) for word in ("whistle", "SOLLEN", "LUND"))
        words = " ".join(text for _, text in part).lower()
        assert all(term in words for theme in themes for term in theme.name.lower().split(", "))


async def test_where_no_document_is_within_the_limits_there_are_no_themes() -> None:
    found = await survey(await open_library(EVERYONE), Filters(document_ids=["nobody's"]))
    assert (found.page.communities, found.page.total, found.page.covered_documents, found.page.documents, found.folders) == ([], 0, 0, 0, ())


def test_a_document_that_lies_in_another_folder_too_is_told_of_the_one_that_is_asked_of() -> None:
    places = [
        DocumentPlace(name, f"/share/{folder}/{name}.txt", "/share", "default") for folder, name in (("archive", "a"), ("boats", "a"), ("boats", "b"))
    ]
    assert places_within(places, None, None) == places
    assert places_within(places, {"a", "b"}, "/share/boats") == places_within(places, {"a", "b"}, "/share/boats/") == places[1:]
    assert places_within(places, {"b"}, None) == places_within(places, None, "/share/boats/b.txt") == places[2:]
    assert places_within(places, {"a"}, "/share/boat") == []
    assert places_within(places, {"b"}, "/") == places[2:]
