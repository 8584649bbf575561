"""Folders of the library by their name: "from the legal folder" becomes an absolute path."""

from __future__ import annotations

from pathlib import PurePath

from core.ports import Library
from core.search import Filters

_PAGES, _PAGE = 5, 200  # documents that are looked through where no folder directly under a root bears the name


async def find_folder(library: Library, tenant: str, name: str) -> str | None:
    """Return the folder with this name (case is ignored): a root, a folder directly under one, else the shallowest that holds a document."""
    wanted = name.strip("/ ").lower()
    roots = [PurePath(root.path) for root in await library.roots(tenant)]
    for root in roots:
        if root.name.lower() == wanted:
            return str(root)
    for root in roots:
        for spelt in dict.fromkeys((name, wanted, wanted.capitalize(), wanted.upper())):
            _, total, _ = await library.list_documents(tenant, filters=Filters(path_prefix=str(root / spelt)), limit=1)
            if total:
                return str(root / spelt)
    return await _find_among_documents(library, tenant, wanted)


async def _find_among_documents(library: Library, tenant: str, wanted: str) -> str | None:
    found: set[PurePath] = set()
    cursor: str | None = None
    for _ in range(_PAGES):
        page, _, cursor = await library.list_documents(tenant, filters=Filters(), limit=_PAGE, cursor=cursor)
        folders = (folder for document in page for path in document.paths for folder in PurePath(path).parents)
        found |= {folder for folder in folders if folder.name.lower() == wanted}
        if cursor is None:
            break
    return str(min(found, key=lambda folder: (len(folder.parts), str(folder)))) if found else None
