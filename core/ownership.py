"""Ownership of documents: a tenant's library is everybody's in the tenant, a person's own holds what only that person may see.

Everything that is derived from documents (text, passages, vectors, tables, names, references) carries the name of one library, in the place of the
tenant. A person's own has the name "tenant:person": what is written under it stays apart from the tenant's by that alone, and whatever asks for one
library exactly does not see the other. What reads for a person asks for both, by `libraries_read`.
"""

from __future__ import annotations

LIBRARY_SEPARATOR = ":"  # stands in no tenant's and no person's name: it parts them in an API key


def personal_library(tenant: str, person: str | None) -> str:
    """Return the name of a person's own library, read together with the tenant's; without a person the tenant's."""
    return tenant if person is None else f"{tenant}{LIBRARY_SEPARATOR}{person}"


def shared_library(library: str) -> str:
    """Return the tenant's library, for a person's own and for itself."""
    return library.partition(LIBRARY_SEPARATOR)[0]


def libraries_read(library: str) -> tuple[str, ...]:
    """Return every library that is read under this name: the own one first, then the tenant's."""
    shared = shared_library(library)
    return (library,) if library == shared else (library, shared)


def library_folder(library: str) -> str:
    """Return the name of the folder that a library's uploads are kept in. Neither a tenant nor a person has a "%" in its name, so it is nobody
    else's."""
    return library.replace(LIBRARY_SEPARATOR, "%3A")
