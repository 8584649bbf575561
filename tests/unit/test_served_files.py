"""Which files are given out: those that were indexed, and nothing that a link leads to."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import pytest

from core.errors import NotFound
from server.file_responses import container_paths, is_plain_file, picture_response, stored_file_response


class _Members:
    """Gives out the name of each member as its bytes, but for those that are gone."""

    async def fetch(self, path: Path, inner: str, target: IO[bytes], password: str = "") -> None:
        if "gone" in inner:
            raise NotFound("It is gone.")
        target.write(inner.encode())

    async def draw_page(self, path: Path, inner: str, page: int, target: IO[bytes]) -> None:
        target.write(f"page {page} of {path.name}, {inner or 'itself'}".encode())


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "docs" / "folder").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    for path in (tmp_path / "docs" / "folder" / "a.txt", tmp_path / "outside" / "a.txt"):
        path.write_text("Words.")
    return tmp_path.resolve() / "docs"


def test_no_link_is_followed_at_the_file_or_above_it(docs: Path) -> None:
    assert is_plain_file(docs / "folder" / "a.txt")
    (docs / "link.txt").symlink_to(docs / "folder" / "a.txt")
    (docs / "swapped").symlink_to(docs.parent / "outside")
    assert not is_plain_file(docs / "link.txt")
    assert not is_plain_file(docs / "swapped" / "a.txt")
    assert not is_plain_file(docs / "folder" / ".." / "folder" / "a.txt")
    assert not is_plain_file(docs / "folder")
    assert not is_plain_file(docs / "none.txt")
    assert not is_plain_file(Path("/a\0b"))


async def test_a_member_is_given_out_of_its_archive_and_the_copy_goes_afterwards(docs: Path) -> None:
    archive = docs / "a.zip"
    archive.write_bytes(b"PK")
    response = await stored_file_response([f"{archive}!/b.eml!/c.pdf"], "c.pdf", _Members())
    assert response is not None
    copy = Path(response.path)
    assert (copy.read_bytes(), response.media_type) == (b"b.eml!/c.pdf", "application/pdf")  # noqa: ASYNC240
    assert response.background is not None
    await response.background()
    assert not copy.exists()  # noqa: ASYNC240
    assert await stored_file_response([f"{archive}!/gone.txt"], "gone.txt", _Members()) is None
    (docs / "link.zip").symlink_to(archive)
    assert await stored_file_response([f"{docs / 'link.zip'}!/b.eml"], "b.eml", _Members()) is None


def test_a_path_with_marks_is_read_in_every_way_it_can_be_meant() -> None:
    assert list(container_paths("/d/a.zip!/b!/c")) == [(Path("/d/a.zip"), "b!/c"), (Path("/d/a.zip!/b"), "c")]
    assert list(container_paths("/d/a.txt")) == []


async def test_a_page_of_a_picture_is_drawn_from_the_first_place_that_is_there(docs: Path) -> None:
    archive = docs / "a.zip"
    archive.write_bytes(b"PK")
    places = [str(docs / "none.tiff"), f"{archive}!/scans/b.tiff", str(docs / "folder" / "a.txt")]
    response = await picture_response(places, 2, _Members())
    assert response is not None
    assert (response.body, response.media_type) == (b"page 2 of a.zip, scans/b.tiff", "image/jpeg")
    assert "sandbox" in response.headers["Content-Security-Policy"]
    response = await picture_response(places[::-1], 1, _Members())
    assert response is not None
    assert response.body == b"page 1 of a.txt, itself"
    (docs / "link.tiff").symlink_to(docs / "folder" / "a.txt")
    assert await picture_response([str(docs / "link.tiff"), str(docs / "none.tiff")], 1, _Members()) is None
