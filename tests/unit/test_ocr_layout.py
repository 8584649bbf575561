"""Recognised pieces in reading order."""

from __future__ import annotations

from ingestion.ocr.layout import TextPiece, lines_in_order


def piece(text: str, left: float, top: float, width: float, height: float = 12.0) -> TextPiece:
    return TextPiece(text, left, top, left + width, top + height)


def texts(pieces: list[TextPiece]) -> list[str]:
    return [line.text for line in lines_in_order(pieces, 1)]


def prose(name: str, left: float, top: float, count: int, width: float = 230) -> list[TextPiece]:
    return [piece(f"{name} column, line {number} of its text", left, top + 14 * number, width) for number in range(count)]


def test_pieces_of_a_row_are_joined_where_words_are_and_parted_where_cells_are() -> None:
    row = [piece("per month", 150, 101, 60), piece("The rent", 50, 100, 90), piece("4,150", 400, 99, 40)]
    assert texts(row) == ["The rent per month", "4,150"]


def test_columns_are_read_one_after_the_other_below_their_title() -> None:
    title = piece("A title that runs over both of the columns of the page", 60, 20, 480, 18)
    foot = piece("A note that runs over both of the columns at the very end", 60, 300, 480)
    left, right = prose("left", 50, 60, 12), prose("right", 310, 60, 12)
    assert texts([foot, *right, *left, title]) == [title.text, *(p.text for p in left), *(p.text for p in right), foot.text]


def test_three_columns_are_read_in_order() -> None:
    columns = [prose(name, left, 60, 10, 150) for name, left in (("first", 40), ("second", 220), ("third", 400))]
    assert texts([p for row in zip(*columns, strict=True) for p in row]) == [p.text for column in columns for p in column]


def test_cells_of_a_table_are_read_row_by_row() -> None:
    cells = [piece(text, 60 + 150 * column, 50 + 14 * row, 60) for row in range(8) for column, text in enumerate((f"Item {row}", f"{row}.00", "EUR"))]
    assert texts(cells) == [cell.text for cell in cells]


def test_sizes_that_differ_by_the_letters_of_a_line_are_one_and_a_title_stays_larger() -> None:
    lines = lines_in_order(
        [piece("Annual report", 50, 20, 200, 24), *[piece("some words", 50, 60 + 14 * i, 300, 11.5 + i % 3 * 0.5) for i in range(9)]], 3
    )
    assert len({line.size for line in lines[1:]}) == 1
    assert lines[0].size > 1.5 * lines[1].size
    assert {line.page for line in lines} == {3}


def test_what_runs_up_the_page_comes_last() -> None:
    aside = TextPiece("arXiv:2305.03393v1", 10, 100, 24, 400, sideways=True)
    lines = lines_in_order([aside, piece("The text", 50, 50, 100)], 1)
    assert [(line.text, line.sideways) for line in lines] == [("The text", False), (aside.text, True)]


def test_nothing_has_no_lines() -> None:
    assert lines_in_order([], 1) == []
