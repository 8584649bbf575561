"""The themes that are told: the largest and those that add most, and something of each folder that holds a real share of the library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.communities import Community, CommunityCitation, FolderThemes, ThemeSurvey

MOST_THEMES = 8
_LEAST_DOCUMENTS = 2  # of a theme that is told before those of a single document
_EXAMPLES = 3  # small subjects that are told of a folder which has no larger theme


@dataclass(frozen=True, slots=True)
class ToldTheme:
    """A theme with the sentence that is told of it, and the folder that this one stands in; "" where that is none to speak of."""

    theme: Community
    said: CommunityCitation
    folder: str = ""


@dataclass(frozen=True, slots=True)
class ThemeChoice:
    """What is told, and the folders that have no large theme, of which small subjects are told at most."""

    told: list[ToldTheme]
    without_large: tuple[str, ...] = ()

    def count(self, folder: str) -> int:
        return sum(each.folder == folder for each in self.told)


def choose_themes(survey: ThemeSurvey) -> ThemeChoice:
    """Return at most eight: those of the page in their order, and in the place of the last ones something of each folder that none of them speaks of,
    where its documents have anything. Where the library lies in one folder, those of the page alone.
    """
    cited = ((each, best_sentence(each.citations)) for each in _choose_of_page(survey.page.communities))
    told = [ToldTheme(each, said, survey.folder_of.get(said.document_id, "")) for each, said in cited]
    small: list[str] = []
    for folder in survey.folders:
        if any(each.folder == folder.name for each in told):
            continue
        own = _themes_of(folder, told)
        if own and _is_large(survey, own[0].theme, folder):
            told = _make_room(told, own[:1])
        elif not _speak_of(folder, told, survey):
            told = _make_room(told, own[: max(1, min(_EXAMPLES, MOST_THEMES // len(survey.folders)))])
            small.append(folder.name)
    return ThemeChoice(told, tuple(small))


def _choose_of_page(themes: Sequence[Community]) -> list[Community]:
    """Return the themes that a document's sentence speaks for, those of several documents first; then one for each document that none of them cites.
    Those of a table's rows only where there are no others.
    """
    cited = [each for each in themes if each.citations]
    told = [each for each in cited if any(map(is_whole_sentence, each.citations))] or cited
    chosen = [each for each in told if each.documents >= _LEAST_DOCUMENTS]
    seen: set[str] = set().union(*map(_cited_documents, chosen))
    for each in told:
        if each not in chosen and not seen & _cited_documents(each):
            chosen.append(each)
            seen |= _cited_documents(each)
    return chosen[:MOST_THEMES]


def _cited_documents(theme: Community) -> set[str]:
    return {said.document_id for said in theme.citations}


def _themes_of(folder: FolderThemes, told: Sequence[ToldTheme]) -> list[ToldTheme]:
    """Return what may be told of a folder and is not told yet, those of several documents first; rows of tables only where there is nothing else."""
    known = {each.theme.id for each in told} | {each.theme.name.casefold() for each in told}
    new = [each for each in folder.themes if each.citations and each.id not in known and each.name.casefold() not in known]
    whole = [each for each in new if any(map(is_whole_sentence, each.citations))] or new
    ordered = sorted(whole, key=lambda each: each.documents < _LEAST_DOCUMENTS)
    return [ToldTheme(each, best_sentence(each.citations), folder.name) for each in ordered]


def _is_large(survey: ThemeSurvey, theme: Community, folder: FolderThemes) -> bool:
    """Return whether a theme stands for a folder: one of eight such would be all of it."""
    return MOST_THEMES * survey.held.get(theme.id, {}).get(folder.name, 0) >= folder.documents


def _speak_of(folder: FolderThemes, told: list[ToldTheme], survey: ThemeSurvey) -> bool:
    """Have a theme that is told say a sentence of the folder, where it is as much the folder's as the library is, and another one speaks of the
    folder that it spoke of; return whether one does. So folders that hold the same subjects are all told of.
    """
    spoken = Counter(each.folder for each in told)
    for place, each in enumerate(told):
        held = survey.held.get(each.theme.id, {}).get(folder.name, 0)
        of_folder = [said for said in each.theme.citations if survey.folder_of.get(said.document_id) == folder.name and is_whole_sentence(said)]
        is_its_own = held * survey.page.documents >= folder.documents * each.theme.documents and _is_large(survey, each.theme, folder)
        if of_folder and is_its_own and (not each.folder or spoken[each.folder] > 1):
            told[place] = replace(each, said=of_folder[0], folder=folder.name)
            return True
    return False


def _make_room(told: Sequence[ToldTheme], new: Sequence[ToldTheme]) -> list[ToldTheme]:
    """Return the themes with the new ones behind, in the place of the last ones that are not the only ones of their folder."""
    kept = list(told)
    for added, each in enumerate(new):
        if len(kept) >= MOST_THEMES:
            droppable = next(_droppable(kept, len(kept) - added), None)
            if droppable is None:
                break
            del kept[droppable]
        kept.append(each)
    return kept


def _droppable(kept: Sequence[ToldTheme], end: int) -> Iterator[int]:
    """Yield the places before `end` of themes that may be left out, the last one first; the first theme, the largest, stays."""
    spoken = Counter(each.folder for each in kept)
    yield from (place for place in range(end - 1, 0, -1) if not kept[place].folder or spoken[kept[place].folder] > 1)


def best_sentence(citations: Sequence[CommunityCitation]) -> CommunityCitation:
    """Return the first whole sentence, else the first one."""
    return next((each for each in citations if is_whole_sentence(each)), citations[0])


def is_whole_sentence(said: CommunityCitation) -> bool:
    return said.text.rstrip("\"'”’»)").endswith((".", "!"))
