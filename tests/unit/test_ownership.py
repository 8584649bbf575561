"""Which libraries are read under which name, and that no two of them share a folder."""

from __future__ import annotations

import pytest

from core.errors import ConfigurationError
from core.ownership import libraries_read, library_folder, personal_library, shared_library
from server.request_identity import Identity, parse_key


def test_a_person_reads_their_own_library_and_the_tenants() -> None:
    own = personal_library("acme", "ann")
    assert libraries_read(own) == (own, "acme")
    assert shared_library(own) == shared_library("acme") == "acme"
    assert libraries_read("acme") == ("acme",)


def test_nobody_reads_the_library_of_another_person_or_tenant() -> None:
    libraries = [personal_library(tenant, person) for tenant in ("acme", "other") for person in ("ann", "bob", "acme", None)]
    for library in libraries:
        assert set(libraries_read(library)) & set(libraries) == {library, shared_library(library)}
    assert len({library_folder(library) for library in libraries}) == len(libraries)


def test_without_a_key_there_is_one_library() -> None:
    assert Identity("default", "local", has_key=False).library == "default"
    assert Identity("acme", "ann", has_key=True).library == "acme:ann"


@pytest.mark.parametrize("names", ["a/b:ann", "..:ann", "acme:a%3Ab", "acme:ann\n", "ac\\me:ann"])
def test_a_name_that_could_mean_another_folder_is_refused(names: str) -> None:
    with pytest.raises(ConfigurationError, match=r"server\.api_keys"):
        parse_key(f"{'k' * 20}:{names}")
