"""README's picture is that of today's code, and shows every step and every folder."""

from __future__ import annotations

from scripts.draw_architecture import PICTURE, ROOT, Box, Way, draw_picture, file_way, question_way

_STALE = "Run `python -m scripts.draw_architecture`: steps or folders have changed since."


def test_the_picture_is_that_of_the_code() -> None:
    assert PICTURE.read_text(encoding="utf-8") == draw_picture((question_way(), file_way())), _STALE
    assert f"]({PICTURE.relative_to(ROOT)})" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_arrow_between_folders_goes_down() -> None:
    way = file_way()
    assert way.forward() == list(way.arrows)


def test_an_arrow_back_is_dashed_and_gives_no_row() -> None:
    way = Way("ways", [Box("one", "One", ""), Box("other", "Other", "")], [("one", "other"), ("other", "one")])
    assert way.levels() == {"one": 0, "other": 1}
    assert draw_picture([way]).count('class="back"') == 1
