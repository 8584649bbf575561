"""What there is to tell of each folder of a library, found in its graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.communities import DocumentPlace, ThemeSurvey
from graph.communities.library_communities import CommunityOptions, LibraryCommunities
from graph.graph_view import GraphView
from tests.support.communities import MemoryCommunities
from tests.support.graphs import MemoryGraphStore, make_paragraphs
from tests.unit.test_terms_and_themes import BOATS, KILN


def place(folder: str, document_id: str) -> DocumentPlace:
    return DocumentPlace(document_id, f"/share/{folder}/{document_id}.txt", "/share", "default")


async def survey(folders: Mapping[str, Sequence[tuple[str, str]]], *, apart: bool = True) -> tuple[ThemeSurvey, LibraryCommunities]:
    """Index each folder's documents; all lie in one folder where they are not `apart`."""
    store, read = MemoryGraphStore(), [(folder, *each) for folder, documents in folders.items() for each in documents]
    for _, document_id, text in read:
        store.put_document(document_id, make_paragraphs(text), document_id)

    async def count(tenant: str) -> int:
        return len(read)

    kept = MemoryCommunities(store, [place(folder if apart else "all", document_id) for folder, document_id, _ in read])
    library = LibraryCommunities(GraphView(store), store, kept, CommunityOptions(enabled="on"), count)
    await library.refresh("default")
    return await library.survey_themes("default", limit=40), library


async def test_each_folder_has_its_own_themes_with_sentences_of_its_documents() -> None:
    found, _ = await survey({"kilns": KILN, "boats": BOATS})
    assert {each.name: each.documents for each in found.folders} == {"kilns": 2, "boats": 2}
    for folder in found.folders:
        assert len(folder.themes) == 1
        theme = folder.themes[0]
        assert folder.name[:-1] in {word.rstrip("s") for said in theme.citations for word in said.document_id.split()}
        assert {found.folder_of[said.document_id] for said in theme.citations} == {folder.name}
        assert found.held[theme.id] == {each.name: theme.documents if each is folder else 0 for each in found.folders}


async def test_a_theme_of_two_folders_is_of_neither_and_counts_for_both() -> None:
    found, _ = await survey({"east": [KILN[0], BOATS[0]], "west": [KILN[1], BOATS[1]]})
    shared = [each for each in found.page.communities if each.documents == 2]
    assert [found.held[each.id] for each in shared] == [{"east": 1, "west": 1}]
    assert shared[0].id not in {theme.id for folder in found.folders for theme in folder.themes}


async def test_a_library_in_one_folder_is_surveyed_as_it_is_listed() -> None:
    found, library = await survey({"kilns": KILN, "boats": BOATS}, apart=False)
    assert found == ThemeSurvey(await library.list_communities("default", themes=True, limit=40))


async def test_an_empty_library_has_no_folders() -> None:
    found, _ = await survey({})
    assert (found.page.communities, found.folders) == ([], ())
