"""The folders of a library that a person would speak of: where its documents lie, with what is too small put together."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence, Set

from core.communities import DocumentPlace, LibraryFolder
from core.ownership import library_folder

MOST_FOLDERS = 8  # as many as themes are told
_UNNAMED = "default"  # the collection of what is indexed without one: nobody speaks of it
Placed = tuple[tuple[str, ...], str]  # the folders that a document lies in, below its root, and its id
_Held = tuple[tuple[str, ...], list[str]]  # the parts of a folder's path, and its documents


def least_documents(total: int) -> int:
    """Return how many of `total` documents make a folder one to speak of: one in eight, for eight themes are told, or half of the library by the
    logarithm, by which themes are weighed, too; one document is no share.
    """
    return max(2, math.ceil(min(total / MOST_FOLDERS, math.sqrt(total))))


def find_folders(library: str, places: Sequence[DocumentPlace]) -> list[LibraryFolder]:
    """Return the folders that hold a real share of the documents, the largest first, no document in two of them: the top folders of each root, what
    is left of a root as its rest, and what is left of roots, or a collection's only root, as their collection. A library that lies in one folder has
    none or one.
    """
    by_root = _group_by_root(places)
    least = least_documents(sum(map(len, by_root.values())))
    roots_of = Counter(collection for collection, _ in by_root)
    found: list[_Held] = []
    left: defaultdict[str, list[str]] = defaultdict(list)
    for (collection, root), placed in sorted(by_root.items()):
        own = _root_parts(library, root)
        parts, rest = _divide(placed, least)
        found += [((*own, *below), held) for below, held in parts]
        if len(rest) >= least and parts:
            found.append(((*own[:-1], f"the rest of {own[-1]}"), rest))
        elif len(rest) >= least and (collection == _UNNAMED or roots_of[collection] > 1):
            found.append((own, rest))
        elif collection != _UNNAMED:
            left[collection] += rest
    found += [((collection,), held) for collection, held in sorted(left.items()) if len(held) >= least]
    names = _name_all([parts for parts, _ in found])
    folders = [LibraryFolder(name, frozenset(held)) for name, (_, held) in zip(names, found, strict=True)]
    return sorted(folders, key=lambda each: (-len(each.document_ids), each.name))[:MOST_FOLDERS]


def places_within(places: Sequence[DocumentPlace], among: Set[str] | None, folder: str | None) -> list[DocumentPlace]:
    """Return the places of the documents `among` in a folder, where a question is limited to these: of a document that lies elsewhere, too, that
    place is left out.
    """
    inside = [each for each in places if among is None or each.document_id in among]
    return [each for each in inside if folder is None or _is_under(each.path, folder)]


def _is_under(path: str, folder: str) -> bool:
    separator = _separator_of(folder)
    trimmed = folder.rstrip(separator)
    return path == (trimmed or separator) or path.startswith(trimmed + separator)


def _group_by_root(places: Sequence[DocumentPlace]) -> dict[tuple[str, str], list[Placed]]:
    """Return (collection, root) -> its documents; one that lies in several places counts once, at its first."""
    first = {each.document_id: each for each in reversed(places)}
    found: defaultdict[tuple[str, str], list[Placed]] = defaultdict(list)
    for each in first.values():
        found[each.collection, each.root].append((_folders_below(each), each.document_id))
    return found


def _divide(placed: Sequence[Placed], least: int) -> tuple[list[_Held], list[str]]:
    """Return the folders of a root that hold `least` documents, where it first has two such, and the documents outside of them."""
    base, large = _find_parting([folders for folders, _ in placed], least)
    inside: dict[str, list[str]] = {name: [] for name in large}
    rest: list[str] = []
    for folders, document_id in placed:
        is_below = folders[: len(base)] == base and len(folders) > len(base)
        inside.get(folders[len(base)] if is_below else "", rest).append(document_id)
    return [((*base, name), held) for name, held in inside.items()], rest


def _find_parting(placed: Sequence[tuple[str, ...]], least: int) -> tuple[tuple[str, ...], list[str]]:
    """Return the folder in which a root first has two folders of `least` documents, and these; none where it has no such. A folder that holds all
    but a few is looked into; one beside files and small folders does not part a root.
    """
    base: tuple[str, ...] = ()
    while True:
        below = [each for each in placed if each[: len(base)] == base]
        counts = Counter(each[len(base)] for each in below if len(each) > len(base))
        large = sorted(name for name, count in counts.items() if count >= least)
        if len(large) != 1:
            return base, large
        if len(below) - counts[large[0]] >= least:
            return base, []
        base = (*base, large[0])


def _folders_below(place: DocumentPlace) -> tuple[str, ...]:
    """Return the folders between a root and a file of it; an archive or mailbox with other files in it is one of them."""
    separator = _separator_of(place.path)
    above = place.root.rstrip(separator) + separator
    inside = place.path[len(above) :].split(separator) if place.path.startswith(above) else []
    return tuple(each.removesuffix("!") if place.is_member else each for each in inside[:-1])


def _separator_of(path: str) -> str:
    return "\\" if "\\" in path and "/" not in path else "/"


def _root_parts(library: str, root: str) -> tuple[str, ...]:
    """Return the parts of a root's path; the folder of uploads bears the library's name, and the one above says what it is."""
    parts = tuple(each for each in root.split(_separator_of(root)) if each) or (root,)
    return parts[:-1] if len(parts) > 1 and parts[-1] == library_folder(library) else parts


def _name_all(paths: Sequence[tuple[str, ...]]) -> list[str]:
    """Return the last part of each path, with as many before it as tell it from the others."""
    lengths = [1] * len(paths)
    while True:
        names = ["/".join(parts[-length:]) for parts, length in zip(paths, lengths, strict=True)]
        same = [place for place, name in enumerate(names) if names.count(name) > 1 and lengths[place] < len(paths[place])]
        if not same:
            return names
        for place in same:
            lengths[place] += 1
