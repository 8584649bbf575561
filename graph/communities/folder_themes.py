"""What there is to tell of the folders of a library: the communities that lie mostly in one of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.communities import CommunityCitation, CommunityPage, FolderThemes, LibraryFolder, StoredCommunity, ThemeSurvey
from graph.communities.community_view import CommunityView

_MOST = 12  # communities of a folder that are looked at


@dataclass(frozen=True)
class FolderView:
    """The communities of a library, seen from its folders."""

    view: CommunityView
    folders: tuple[LibraryFolder, ...]

    def choose_all(self) -> list[list[StoredCommunity]]:
        """Return for each folder the communities that may be told of it."""
        return [self._choose(folder.document_ids) for folder in self.folders]

    def _choose(self, inside: frozenset[str]) -> list[StoredCommunity]:
        """Return the themes, and the communities that are divided no further, of which more than half of the documents lie in the folder and a
        sentence stands there: by how many do, by magnitude, times their share. None of them is part of another.
        """
        rated = []
        for each in self.view.standing:
            documents = self.view.documents.get(each.id, set())
            held = len(documents & inside)
            whole_or_finest = each.parent_id is None or not self.view.children.get(each.id)
            if whole_or_finest and 2 * held > len(documents) and any(share.sentences and share.document_id in inside for share in each.shares):
                rated.append((-math.log(1 + held) * held / len(documents), each.id, each))
        chosen: list[StoredCommunity] = []
        themes: set[str] = set()  # that are chosen, or of which a part is
        for _, _, each in sorted(rated, key=lambda row: row[:2]):
            theme = self._theme_of(each)
            if theme not in themes or (each.id != theme and all(other.id != theme for other in chosen)):
                chosen.append(each)
                themes.add(theme)
        return chosen[:_MOST]

    def _theme_of(self, community: StoredCommunity) -> str:
        """Return the id of the theme that a community is part of, or its own."""
        found = community.id
        while (parent := self.view.parents.get(found)) is not None:
            found = parent
        return found

    def survey(
        self, page: CommunityPage, chosen: Sequence[Sequence[StoredCommunity]], citations: Mapping[str, Sequence[CommunityCitation]]
    ) -> ThemeSurvey:
        """Return what a person is told from: the themes of `page`, and those of each folder by the sentences of its documents."""
        folders = []
        for folder, found in zip(self.folders, chosen, strict=True):
            own = {each.id: [said for said in citations.get(each.id, ()) if said.document_id in folder.document_ids] for each in found}
            shown = tuple(self.view.show(each, own) for each in found if own[each.id])
            folders.append(FolderThemes(folder.name, len(folder.document_ids), shown))
        told = [*page.communities, *(each for folder in folders for each in folder.themes)]
        cited = {said.document_id for each in told for said in each.citations}
        folder_of = {document_id: folder.name for folder in self.folders for document_id in folder.document_ids & cited}
        return ThemeSurvey(page, tuple(folders), self._count_held(each.id for each in told), folder_of)

    def _count_held(self, ids: Iterable[str]) -> dict[str, dict[str, int]]:
        documents = self.view.documents
        return {each: {folder.name: len(folder.document_ids & documents.get(each, set())) for folder in self.folders} for each in set(ids)}
