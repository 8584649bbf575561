"""Tables that stand in PDFs: with lines around their cells and without, with headings over several columns, over several pages."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ingestion.readers.pdf.tables.text_direction import words_in_reading_order
from tests.support.pdf_files import PdfFile, line_operators, text_operator, turned_text
from tests.support.table_pages import (
    PROSE,
    find_file_tables,
    find_page_tables,
    grid_operators,
    row_operators,
    rows_operators,
    rule_operator,
    ruled_table,
)

FIGURES = [
    ["Region", "Sales", "Costs", "Profit"],
    ["North", "1,204.50", "903.10", "301.40"],
    ["South", "874.00", "655.25", "218.75"],
    ["East", "432.10", "380.00", "52.10"],
    ["West", "1,020.00", "799.99", "220.01"],
]
XS = [72, 200, 300, 400]


def test_ruled_cells_with_their_place_and_heading() -> None:
    [table] = find_page_tables([*line_operators(72, 740, [PROSE] * 3, size=9), *ruled_table([72, 200, 300, 400, 500], 640, FIGURES)])
    assert table.rows == FIGURES
    assert (table.page, table.header_rows, table.spans, table.last_page) == (1, 1, [], None)
    assert table.bbox == pytest.approx((72, 792 - 640, 500, 792 - 540), abs=1)
    assert table.boxes == [(1, table.bbox)]


def test_cells_over_several_columns_and_rows() -> None:
    page = [rule_operator(72, y, 372, y) for y in (600, 560, 540, 520, 500)] + [rule_operator(172, 580, 372, 580)]
    page += [rule_operator(x, 600, x, 500) for x in (72, 172, 372)] + [rule_operator(272, 580, 272, 500)]
    page += [text_operator(76, 576, "Region"), text_operator(250, 586, "Sales"), *row_operators([176, 276], 566, ["2023", "2024"])]
    page += rows_operators([76, 176, 276], 546, [["North", "12", "14"], ["South", "8", "9"], ["East", "3", "5"]], 20)
    [table] = find_page_tables(page)
    assert table.rows == [["Region", "Sales", ""], ["", "2023", "2024"], ["North", "12", "14"], ["South", "8", "9"], ["East", "3", "5"]]
    assert sorted(table.spans) == [(0, 0, 2, 1), (0, 1, 1, 2)]
    assert table.header_rows == 2


@pytest.mark.parametrize("sides", [[72, 200, 300, 400, 500], [72, 500]], ids=["with its sides", "one box"])
def test_a_heading_that_is_ruled_apart_belongs_to_the_table_below(sides: list[int]) -> None:
    names = [*grid_operators(sides, [620, 640]), *row_operators([76, 204, 304, 404], 626, FIGURES[0])]
    [table] = find_page_tables([*names, *ruled_table([72, 200, 300, 400, 500], 608, FIGURES[1:])])
    assert (table.rows, table.header_rows) == (FIGURES, 1)
    [alone] = find_page_tables(
        [*names, *line_operators(72, 613, ["Another thing"], size=6), *ruled_table([72, 200, 300, 400, 500], 608, FIGURES[1:])]
    )
    assert alone.rows == FIGURES[1:]


def test_cells_with_rounded_corners_are_cells() -> None:
    def box(left: float, bottom: float, right: float, top: float) -> str:
        return (
            f"0.9 g {left} {bottom + 6} m {left} {top - 6} l {left} {top - 3} {left + 3} {top} {left + 6} {top} c {right - 6} {top} l "
            f"{right - 3} {top} {right} {top - 3} {right} {top - 6} c {right} {bottom} l {left + 6} {bottom} l "
            f"{left + 3} {bottom} {left} {bottom + 3} {left} {bottom + 6} c f 0 g"
        )

    said = [["Grade one", "Cells look a little different"], ["Grade two", "Cells are growing faster"], ["Grade three", "Cells look very different"]]
    boxes = [box(left, 700 - 30 * n, right, 729 - 30 * n) for n in range(3) for left, right in ((72, 199), (200, 400))]
    [table] = find_page_tables([*boxes, *rows_operators([80, 210], 710, said, 30)])
    assert table.rows == said


def test_a_cell_whose_lines_are_not_closed_keeps_its_words() -> None:
    page = ruled_table([72, 200, 300, 400, 500], 640, FIGURES)
    open_at_the_corner = [op for op in page if op != rule_operator(500, 540, 500, 640) and op != rule_operator(72, 540, 500, 540)]
    open_at_the_corner += [rule_operator(500, 565, 500, 640), rule_operator(72, 540, 400, 540)]
    [table] = find_page_tables(open_at_the_corner)
    assert table.rows == FIGURES


def test_columns_by_white_space_alone() -> None:
    [table] = find_page_tables(
        [*line_operators(72, 740, [PROSE] * 2, size=9), *rows_operators(XS, 660, FIGURES), *line_operators(72, 540, [PROSE] * 2, size=9)]
    )
    assert table.rows == FIGURES
    assert table.header_rows == 1


def test_dots_that_lead_to_the_next_column_are_no_text() -> None:
    led = [["Region", "Sales", "Costs"], *[[f"{name} .........", first, second] for name, first, second, _ in FIGURES[1:]]]
    [table] = find_page_tables(rows_operators([72, 200, 300], 660, led))
    assert table.rows == [own[:3] for own in FIGURES]


def test_a_heading_in_the_middle_of_two_columns_spans_them() -> None:
    xs = [72, 200, 280, 360, 440]
    page = row_operators([243, 403], 676, ["2023", "2024"]) + row_operators(xs, 660, ["Region", "Sales", "Costs", "Sales", "Costs"])
    page += rows_operators(
        xs, 644, [[name, *figures] for name, figures in (("North", "10.1 20.2 30.3 40.4".split()), ("South", "1.5 2.5 3.5 4.5".split()))]
    )
    page += row_operators(xs, 612, ["East", "7.1", "8.2", "9.3", "6.4"])
    [table] = find_page_tables(page)
    assert table.rows[:2] == [["Region", "2023", "", "2024", ""], ["", "Sales", "Costs", "Sales", "Costs"]]
    assert (0, 1, 1, 2) in table.spans
    assert (0, 3, 1, 2) in table.spans
    assert table.rows[2] == ["North", "10.1", "20.2", "30.3", "40.4"]


def test_a_piece_of_rule_below_a_heading_shows_what_it_spans() -> None:
    page = [text_operator(205, 676, "Sales"), rule_operator(200, 672, 350, 672), *rows_operators([72, 200, 300, 400], 658, FIGURES)]
    [table] = find_page_tables(page)
    assert (0, 1, 1, 2) in table.spans
    assert table.rows[0][1] == "Sales"


def test_three_rules_frame_a_table_of_words() -> None:
    words = [["Instrument", "Material", "Origin"], ["violin", "spruce and maple", "Cremona"], ["lute", "yew", "Füssen"], ["harp", "maple", "Dublin"]]
    page = [rule_operator(72, y, 500, y) for y in (676, 656, 600)] + rows_operators([72, 220, 380], 662, words)
    [table] = find_page_tables(page)
    assert table.rows == words
    assert table.header_rows == 1


def test_text_in_the_column_beside_a_table_is_no_part_of_it() -> None:
    prose = ["Reports were heard from the four groups", "and the treasurer gave an account of all", "that had been spent in the year before it"] * 6
    small = [["Name", "Sum", "Part"], ["Rent", "120.5", "61.2"], ["Heat", "40.0", "20.3"], ["Water", "36.4", "18.5"]]
    page = line_operators(60, 700, prose, size=9) + [rule_operator(330, y, 550, y) for y in (690, 670, 620)]
    page += rows_operators([330, 430, 500], 676, small) + line_operators(330, 606, ["Table 1: What the house costs", *prose[:8]], size=9)
    [table] = find_page_tables(page)
    assert table.rows == small
    assert table.caption.startswith("Table 1: What the house costs")


def test_a_title_over_rows_below_a_ruled_heading_stays_a_row() -> None:
    page = ruled_table([72, 190, 290, 390, 490], 700, [["Region", "Sales", "Costs", "Profit"], ["(1)", "(2)", "(3)", "(4)"]])
    for number, title in enumerate(("Regions along the coast and the islands", "Regions of the inner and upper country")):
        top = 646 - 80 * number
        page += [text_operator(76, top, title), *rows_operators([76, 194, 294, 394], top - 16, FIGURES[1:4])]
    [table] = find_page_tables(page)
    assert [own[0] for own in table.rows if own[0].startswith("Regions")] == [
        "Regions along the coast and the islands",
        "Regions of the inner and upper country",
    ]
    assert len(table.rows) == 10
    assert all(not table.rows[row][place] for row, column, _, width in table.spans for place in range(column + 1, column + width))


def test_a_ruled_heading_and_unruled_rows_below_are_one_table() -> None:
    sides = [72, 190, 290, 390, 490]
    heading = [["Region", "Sales", "Costs", "Profit"], ["(1)", "(2)", "(3)", "(4)"]]
    page = ruled_table(sides, 700, heading) + rows_operators([76, 194, 294, 394], 646, FIGURES[1:])
    [table] = find_page_tables(page)
    assert table.rows == heading + FIGURES[1:]
    assert table.header_rows == 2


def test_rows_in_one_box_below_ruled_names_stand_in_their_columns() -> None:
    xs, names = [72, 200, 300, 400, 500], ["Payee", "Posted", "What for", "Amount"]
    body = [["Jane Roe", f"0{n}/05/2019", "travel", f"{n}20.68"] for n in range(1, 8)]
    box = [rule_operator(72, 680, 72, 520), rule_operator(500, 680, 500, 520), rule_operator(72, 520, 500, 520)]
    [table] = find_page_tables(
        [*ruled_table(xs, 720, [names, ["", "(day)", "", "(USD)"]], 20), *box, *rows_operators([x + 4 for x in xs[:-1]], 660, body)]
    )
    assert table.rows == [names, ["", "(day)", "", "(USD)"], *body]
    assert table.header_rows == 2


def test_lines_that_go_on_in_the_last_column_stay_in_it() -> None:
    said = [["Line", "Position", "What stands there"], ["1", "01-05", "Code that is required"], ["1", "06", "Letter of the display:"]]
    letters = [
        ["", "", f"{letter} = {name} display"]
        for letter, name in zip("ABCDEF", ("amended", "brief", "closed", "debit", "entity", "form"), strict=True)
    ]
    more = [["1", "07-16", "Number of the account"], ["2", "17", "Type of the file"], ["2", "18-19", "Period of the tax"]]
    [table] = find_page_tables(rows_operators([72, 160, 240], 700, [*said, *letters, *more]))
    assert table.rows == [*said, *letters, *more]
    assert table.spans == []


def test_stacked_tables_with_columns_of_their_own_come_apart() -> None:
    second = [
        ["Title", "Hall", "Seats", "Sold", "Left"],
        ["Aida", "A1", "120", "100", "20"],
        ["Carmen", "B2", "80", "79", "1"],
        ["Tosca", "C3", "60", "2", "58"],
    ]
    page = [
        *rows_operators(XS, 700, FIGURES),
        text_operator(72, 614, "Performances", font="F2"),
        *rows_operators([72, 150, 250, 350, 470], 598, second),
    ]
    tables = find_page_tables(page)
    assert [table.rows for table in tables] == [FIGURES, second]


def test_caption_above_and_below() -> None:
    above = [text_operator(72, 690, "Table 4: Sales and costs by region"), *rows_operators(XS, 664, FIGURES)]
    below = [*ruled_table([72, 200, 300, 400, 500], 700, FIGURES), text_operator(72, 582, "Table 5. Sales and costs, again")]
    assert [table.caption for table in find_page_tables(above, below)] == ["Table 4: Sales and costs by region", "Table 5. Sales and costs, again"]


def test_a_caption_between_two_tables_belongs_to_the_nearer() -> None:
    page = [*ruled_table([72, 200, 300, 400, 500], 700, FIGURES), text_operator(72, 586, "Table 1. The first of two")]
    page += [*ruled_table([72, 200, 300, 400, 500], 560, FIGURES), text_operator(72, 446, "Table 2. The second of two")]
    assert [table.caption for table in find_page_tables(page)] == ["Table 1. The first of two", "Table 2. The second of two"]


@pytest.mark.parametrize("shown", [0, 90, 180, 270])
def test_pages_shown_turned(shown: int) -> None:
    upright = {0: (72, 152, 500, 252), 90: (540, 72, 640, 500), 180: (112, 540, 540, 640), 270: (152, 112, 252, 540)}
    [table] = find_page_tables(ruled_table([72, 200, 300, 400, 500], 640, FIGURES), entries=f"/Rotate {shown}")
    assert table.rows == FIGURES
    assert table.bbox == pytest.approx(upright[shown], abs=1)


def test_a_table_set_sideways() -> None:
    page = [turned_text(90, 100 + 16 * index, 80 + 110 * column, cell) for index, own in enumerate(FIGURES) for column, cell in enumerate(own)]
    [table] = find_page_tables(page)
    assert table.rows == FIGURES
    assert table.bbox[1] > 300  # the lower half of the page as it is shown, where the text begins


def numbered(first: int, last: int) -> list[list[str]]:
    return [[f"Item {number}", f"{number}.50", f"{number * 3}.25", f"{number * 7}"] for number in range(first, last)]


def test_three_pages_become_one_table() -> None:
    heading = ["Name", "Price", "Cost", "Stock"]
    pages = []
    for number, (first, last) in enumerate(pairwise([0, 38, 76, 100])):
        body = ruled_table([72, 200, 300, 400, 500], 740, [heading, *numbered(first, last)], 17)
        pages.append([text_operator(72, 765, "Price list of the cooperative"), *body, text_operator(300, 30, f"{number + 1}")])
    [table] = find_page_tables(*pages)
    assert table.rows == [heading, *numbered(0, 100)]
    assert (table.page, table.last_page, table.header_rows) == (1, 3, 1)
    assert [page for page, _ in table.boxes] == [1, 2, 3]


def test_an_unruled_table_goes_on_without_its_heading() -> None:
    first = rows_operators(XS, 740, [["Name", "Price", "Cost", "Stock"], *numbered(0, 40)])
    [table] = find_page_tables(first, rows_operators(XS, 740, numbered(40, 60)))
    assert len(table.rows) == 61
    assert table.last_page == 2


def test_a_part_with_an_empty_column_less_finds_its_columns() -> None:
    heading = ["Name", "Price", "Cost", "Stock"]
    without_cost = [[name, price, "", stock] for name, price, _, stock in numbered(40, 52)]
    heads = [text_operator(72, 765, "Table 2: Prices"), text_operator(72, 765, "Table 2: Prices (continued)")]
    [table] = find_page_tables(
        [heads[0], *rows_operators(XS, 740, [heading, *numbered(0, 40)])], [heads[1], *rows_operators(XS, 740, [heading, *without_cost])]
    )
    assert table.rows == [heading, *numbered(0, 40), *without_cost]
    assert table.caption == "Table 2: Prices"


def test_columns_in_other_places_are_another_table() -> None:
    moved = rows_operators([72, 140, 208, 276], 740, numbered(40, 60))
    assert len(find_page_tables(rows_operators([72, 220, 330, 440], 740, [["Name", "Price", "Cost", "Stock"], *numbered(0, 40)]), moved)) == 2


def test_tables_with_other_headings_or_text_between_stay_apart() -> None:
    first = rows_operators(XS, 740, [["Name", "Price", "Cost", "Stock"], *numbered(0, 40)])
    other = rows_operators(XS, 740, [["Name", "Weight", "Length", "Width"], *numbered(0, 9)])
    below = line_operators(72, 700, [PROSE] * 3, size=9) + rows_operators(XS, 640, [["Name", "Price", "Cost", "Stock"], *numbered(40, 60)])
    assert len(find_page_tables(first, other)) == 2
    assert len(find_page_tables(first, below)) == 2


def test_a_heading_that_stands_again_is_kept_beside_the_rows() -> None:
    heading = ["Name", "Price", "Cost", "Stock"]
    [table] = find_page_tables(*(ruled_table([72, 200, 300, 400, 500], 740, [heading, *numbered(first, first + 38)], 17) for first in (0, 38)))
    assert table.repeated_headings == {1: ["Name Price Cost Stock"]}


def test_names_of_one_and_of_two_lines_are_one_heading() -> None:
    upper, middle, lower = ["Code", "", "Code", ""], ["", "Name of region", "", "Name of town"], ["Region", "", "Town", ""]
    towns = [[f"0{n}", f"Region of the {name}", f"1{n}", f"Town on the {name}"] for n, name in enumerate(("hill", "lake", "moor", "sea", "wood"))]
    xs = [72, 140, 300, 370]
    heading = [op for index, names in enumerate((upper, middle, lower)) for op in row_operators(xs, 700 - 6.5 * index, names)]
    [table] = find_page_tables([*heading, *rows_operators(xs, 665, towns)])
    assert table.rows == [["Code Region", "Name of region", "Code Town", "Name of town"], *towns]
    assert table.header_rows == 1


def test_a_running_head_between_rules_begins_no_table() -> None:
    def page(number: int) -> list[str]:
        head = [
            rule_operator(72, 770, 540, 770),
            *row_operators([72, 300], 755, [f"page {number + 20}", "2.3 Responses of terminals"]),
            rule_operator(72, 745, 540, 745),
        ]
        title = [
            *row_operators([72, 190], 725, [f"Exhibit 2.3.59-{number * 3}", "(01-18-2005)"]),
            text_operator(72, 710, "Display of the summary"),
            rule_operator(72, 60, 540, 60),
        ]
        return [*head, *title]

    assert [table.page for table in find_page_tables(*(page(number) for number in range(1, 4)))] in ([], [1])


def test_words_from_right_to_left() -> None:
    assert words_in_reading_order(["דוח", "2024", "שנת"]) == ["שנת", "2024", "דוח"]
    assert words_in_reading_order(["12", "percent"]) == ["12", "percent"]
    assert words_in_reading_order(["see", "ג", "ב", "א", "there", "again"]) == ["see", "א", "ב", "ג", "there", "again"]


def test_pages_without_text_are_passed_over() -> None:
    file = PdfFile()
    file.page([])
    file.page(ruled_table([72, 200, 300, 400, 500], 640, FIGURES))
    [table] = find_file_tables(file.bytes())
    assert table.page == 2
