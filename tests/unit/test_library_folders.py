"""The folders of a library that its themes are told by: where documents lie, with what is too small put together."""

from __future__ import annotations

import pytest

from core.communities import DocumentPlace
from graph.communities.library_folders import find_folders, least_documents


def places(root: str, *folders: tuple[str, int], collection: str = "default", member: bool = False) -> list[DocumentPlace]:
    """So many documents in each folder below a root."""
    return [
        DocumentPlace(f"{root}{folder}{number}", "/".join(part for part in (root, folder, f"{number}.txt") if part), root, collection, member)
        for folder, count in folders
        for number in range(count)
    ]


def told(*found: list[DocumentPlace], library: str = "acme") -> list[tuple[str, int]]:
    return [(each.name, len(each.document_ids)) for each in find_folders(library, [place for each in found for place in each])]


@pytest.mark.parametrize(("total", "least"), [(0, 2), (3, 2), (16, 2), (17, 3), (64, 8), (100, 10), (3412, 59), (10_000, 100)])
def test_a_folder_counts_from_an_eighth_or_half_the_library_by_the_logarithm(total: int, least: int) -> None:
    assert least_documents(total) == least


def test_the_top_folders_of_a_root_are_told_apart_with_what_lies_below_them() -> None:
    assert told(places("/share", ("contracts/2024", 6), ("contracts/2025", 6), ("minutes", 5), ("recipes", 3))) == [
        ("contracts", 12), ("minutes", 5), ("recipes", 3),
    ]  # fmt: skip


def test_a_library_in_one_folder_has_none_to_tell_apart() -> None:
    assert told(places("/share", ("", 20))) == [("share", 20)]
    assert told(places("/share", ("a/b/c", 20))) == [("share", 20)]
    assert told(places("/share", *((f"f{number}", 1) for number in range(40)))) == [("share", 40)]
    assert told() == []


def test_a_folder_that_holds_all_but_a_few_is_looked_into() -> None:
    assert told(places("/share", ("data/law", 30), ("data/med", 20), ("old", 1), ("", 1))) == [("law", 30), ("med", 20)]


def test_what_is_left_of_a_root_is_told_as_its_rest() -> None:
    small = (("a", 2), ("b", 2), ("c", 2), ("", 4))
    assert told(places("/share", ("law", 30), ("med", 20), *small)) == [("law", 30), ("med", 20), ("the rest of share", 10)]


def test_one_folder_beside_files_does_not_part_a_root() -> None:
    assert told(places("/share", ("law", 30), ("a", 2), ("b", 2), ("c", 2), ("", 4))) == [("share", 40)]
    assert told(places("/share", ("", 3), ("older", 3))) == [("share", 6)]


def test_roots_are_told_apart_and_small_ones_as_their_collection() -> None:
    single = [places(f"/mail/{number}.eml", ("", 1), collection="post") for number in range(6)]
    assert told(places("/law", ("", 20)), places("/med", ("", 9)), *single) == [("law", 20), ("med", 9), ("post", 6)]
    unnamed = [places(f"/mail/{number}.eml", ("", 1)) for number in range(6)]
    assert told(places("/law", ("", 20)), places("/med", ("", 9)), *unnamed) == [("law", 20), ("med", 9)]


def test_a_collection_of_one_root_bears_its_name() -> None:
    found = told(places("/mnt/a17", ("", 9), collection="statutes"), places("/mnt/b", ("", 8)), places("/mnt/c", ("x", 5), ("y", 5), collection="z"))
    assert found == [("statutes", 9), ("b", 8), ("x", 5), ("y", 5)]


def test_folders_of_one_name_are_told_with_what_lies_above() -> None:
    assert told(places("/one", ("docs", 9), ("more", 9)), places("/two", ("docs", 8), ("less", 8))) == [
        ("more", 9), ("one/docs", 9), ("less", 8), ("two/docs", 8),
    ]  # fmt: skip


def test_a_document_in_two_folders_counts_once() -> None:
    twice = [DocumentPlace("same", f"/share/{folder}/same.txt", "/share", "default") for folder in ("a", "b")]
    found = find_folders("acme", [*twice, *places("/share", ("a", 4), ("b", 4))])
    assert [(each.name, len(each.document_ids)) for each in found] == [("a", 5), ("b", 4)]


def test_archives_are_folders_and_uploads_are_called_so() -> None:
    mails = places("/share", ("mails.zip!", 8), member=True)
    assert told(places("/share", ("law", 9)), mails, places("/home/uploads/acme", ("", 7))) == [("law", 9), ("mails.zip", 8), ("uploads", 7)]


def test_windows_paths_have_folders() -> None:
    rows = [DocumentPlace(f"{name}{number}", f"C:\\share\\{name}\\{number}.txt", "C:\\share", "default") for name in "ab" for number in range(4)]
    assert [each.name for each in find_folders("acme", rows)] == ["a", "b"]


def test_of_very_many_folders_the_eight_largest_are_told() -> None:
    found = told(places("/share", *((f"f{number:02}", 20 + number) for number in range(12))))
    assert [name for name, _ in found] == [f"f{number:02}" for number in range(11, 3, -1)]
