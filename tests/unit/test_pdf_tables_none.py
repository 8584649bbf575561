"""Pages that hold no table, though they look a little like one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ingestion.readers.pdf.tables.page_headers import RunningHeads
from ingestion.readers.pdf.tables.table_filter import Surroundings, is_table
from ingestion.readers.pdf.tables.table_model import PageWord, TableGrid
from tests.support.pdf_files import line_operators, text_operator
from tests.support.table_pages import PROSE, find_page_tables, row_operators, rows_operators, rule_operator

LEFT = ["Reports were heard from the four groups", "and the treasurer gave an account of all", "that had been spent in the year before it"] * 8
RIGHT = [
    "The hall was let to the choir for a season",
    "whose concerts had filled it twice a month",
    "and brought in more than had been hoped for",
] * 8


def prose() -> list[str]:
    return line_operators(72, 700, [PROSE] * 30, size=9)


def two_columns_of_prose() -> list[str]:
    return line_operators(60, 700, LEFT, size=10) + line_operators(320, 700, RIGHT, size=10)


def contents() -> list[str]:
    titles = ["Introduction", "Methods of the survey", "Results", "Discussion", "Conclusions", "References"]
    return [
        op
        for index, title in enumerate(titles)
        for op in row_operators([72, 100, 500], 700 - 18 * index, [f"{index + 1}.", title, str(3 + 7 * index)])
    ]


def contents_with_leaders() -> list[str]:
    return line_operators(72, 700, [f"Chapter {n} of the book {'.' * (60 - n)} {n * 11}" for n in range(1, 12)])


def contents_in_two_columns() -> list[str]:
    return [op for x in (60, 320) for op in line_operators(x, 700, [f"Chapter {n} {'.' * 30} {n * 11}" for n in range(1, 14)], size=9)]


def bullets() -> list[str]:
    items = ["apples from the orchard", "pears", "quinces of two kinds", "medlars", "plums and damsons", "cherries"]
    return rows_operators([72, 90], 700, [["•", item] for item in items])


def bullets_in_two_columns() -> list[str]:
    return rows_operators([72, 90, 320, 338], 700, [["•", f"question {n} of the review", "•", f"remark {n} to be made"] for n in range(1, 9)])


def numbered_steps() -> list[str]:
    return rows_operators(
        [72, 110], 700, [[f"{n}.", f"Loosen the {part} and set it aside"] for n, part in enumerate(("cover", "belt", "wheel", "spring", "pin"), 1)]
    )


def index() -> list[str]:
    return rows_operators([72, 320], 700, [[f"anchorage, {n}", f"mooring, {n + 50}"] for n in range(3, 20)])


def chart() -> list[str]:
    axis = [op for n in range(6) for op in row_operators([80], 400 + 50 * n, [str(20 * n)])]
    labels = row_operators([120, 200, 280, 360, 440], 380, ["1990", "1995", "2000", "2005", "2010"])
    curves = [f"110 {400 + 20 * n} m 200 {500 - 10 * n} 300 {420 + 30 * n} 450 {600 - 20 * n} c S" for n in range(6)]
    return axis + labels + curves + row_operators([470], 560, ["north"]) + row_operators([470], 500, ["south"])


def chart_on_a_net() -> list[str]:
    net = [rule_operator(100, 400 + 40 * n, 400, 400 + 40 * n) for n in range(6)] + [
        rule_operator(100 + 60 * n, 400, 100 + 60 * n, 600) for n in range(6)
    ]
    line = " ".join(f"{100 + 2 * n} {450 + n * n / 150:.2f} l" for n in range(1, 140))
    labels = row_operators([104, 230, 290, 350], 405, ["low", "1.5", "2.5", "x"]) + row_operators([104, 350], 565, ["y", "high"])
    return [*net, f"100 450 m {line} S", *labels]


def axis_without_curves() -> list[str]:
    return rows_operators(
        [80, 160, 420],
        640,
        [["100", "", ""], ["80", "", "north"], ["60", "", ""], ["40", "", "south"], ["20", "", ""], ["0", "spring", "autumn"]],
        40,
    )


def form() -> list[str]:
    labels = [
        ["Name:", "Jane Roe", "Born:", "Leeds"],
        ["Street:", "Mill Lane 4", "Town:", "York"],
        ["Phone:", "555 0199", "Fax:", "none"],
        ["Trade:", "joiner", "Since:", "May"],
    ]
    return rows_operators([72, 150, 320, 400], 700, labels)


def formulas() -> list[str]:
    return rows_operators(
        [150, 200, 240, 300, 360], 700, [["x", "=", "a + b", "+", "c"], ["y", "=", "a - b", "+", "d"], ["z", "=", "2 a", "+", "c + d"]], 24
    )


def diagram() -> list[str]:
    arrows = [f"{x} 600 m {x + 25} 630 l {x + 50} 590 l S" for x in range(100, 420, 60)]
    return arrows + rows_operators(
        [90, 230, 380], 640, [["Input", "", "Output"], ["", "Filter", ""], ["Reader", "", "Writer"], ["", "Queue", "Store"]], 30
    )


def paragraphs_beside_their_titles() -> list[str]:
    sections = [(f"4.{n}", f"Scope of part {n}", "The reports of all working groups are heard before it adjourns") for n in range(1, 8)]
    body = [
        op
        for n, (number, title, said) in enumerate(sections)
        for op in row_operators([72, 220, 250], 690 - 40 * n, [f"{number} {title}", "(1)", said])
    ]
    more = [
        op for n in range(7) for op in row_operators([220, 250], 676 - 40 * n, ["(2)", "Whatever else was said is kept with the papers of the year"])
    ]
    return [rule_operator(72, 715, 560, 715), rule_operator(72, 705, 560, 705), *body, *more, rule_operator(72, 380, 560, 380)]


def letter() -> list[str]:
    head = row_operators([72, 400], 720, ["Cooperative of the Vale", "6 April 2016"]) + row_operators(
        [72, 400], 704, ["12 Mill Lane, York", "Our mark 77/b"]
    )
    return (
        head
        + line_operators(72, 640, [PROSE] * 8, size=9)
        + row_operators([72, 320], 480, ["Jane Roe", "John Doe"])
        + row_operators([72, 320], 464, ["Chair", "Treasurer"])
    )


def drawn_box() -> list[str]:
    return (
        [rule_operator(72, y, 540, y) for y in (720, 500)]
        + [rule_operator(x, 720, x, 500) for x in (72, 540)]
        + line_operators(90, 690, [PROSE] * 6, size=8)
    )


def chart_in_a_ruled_frame() -> list[str]:
    frame = [rule_operator(72, y, 372, y) for y in (700, 600, 500)] + [rule_operator(x, 500, x, 700) for x in (72, 222, 372)]
    curve = "80 510 m 150 790 200 420 240 600 c 280 780 320 520 365 690 c S"
    return [*frame, curve, *rows_operators([80, 230], 650, [["Output", "Demand"], ["1.0", "2.0"]], 100)]


def stepped_line_in_a_ruled_frame() -> list[str]:
    frame = [rule_operator(72, y, 372, y) for y in (700, 600, 500)] + [rule_operator(x, 500, x, 700) for x in (72, 222, 372)]
    steps = " ".join(f"{80 + 9 * n} {510 + 6 * n} l {89 + 9 * n} {510 + 6 * n} l" for n in range(30))
    return [*frame, f"80 510 m {steps} S", *rows_operators([80, 230], 650, [["Output", "Demand"], ["1.0", "2.0"]], 100)]


def one_sign_over_and_over() -> list[str]:
    return rows_operators([100, 140, 180, 220, 260], 700, [["*"] * 5] * 5)


def fractions() -> list[str]:
    return rows_operators(
        [100, 160, 220, 300], 700, [["=", "0z", "0) 0z", "0)"], ["", "c(a", "+ b + d(c", "+ d"], ["", "(aa0", "+ bc0 )z", "+ bd0"]], 13
    )


def page_between_head_and_foot_rules() -> list[str]:
    head = [*row_operators([72, 400], 750, ["page 2", "2.3 Terminal responses"]), *(rule_operator(72, y, 560, y) for y in (765, 740, 60))]
    parts = [(f"2.3.{n}", f"({n})", "The reports of all four groups are heard before it adjourns") for n in range(1, 6)]
    body = [op for n, part in enumerate(parts) for op in row_operators([72, 180, 210], 700 - 60 * n, part)]
    more = [op for n in range(5) for op in line_operators(210, 686 - 60 * n, ["and whatever else was said is kept with the papers"] * 2)]
    return [*head, *body, *more]


def lists_of_two_columns_of_text() -> list[str]:
    items = [f"({n}) Substance of the list {'.' * 20} {9000 + 37 * n}" for n in range(1, 9)]
    return [*line_operators(60, 700, [*items, *LEFT], size=9), *line_operators(320, 700, [*items, *RIGHT], size=9)]


@pytest.mark.parametrize(
    "page",
    [
        chart_in_a_ruled_frame,
        stepped_line_in_a_ruled_frame,
        one_sign_over_and_over,
        fractions,
        page_between_head_and_foot_rules,
        lists_of_two_columns_of_text,
        prose,
        two_columns_of_prose,
        contents,
        contents_with_leaders,
        contents_in_two_columns,
        bullets,
        bullets_in_two_columns,
        numbered_steps,
        index,
        chart,
        chart_on_a_net,
        axis_without_curves,
        form,
        formulas,
        diagram,
        letter,
        paragraphs_beside_their_titles,
        drawn_box,
    ],
    ids=lambda page: page.__name__,
)
def test_no_table(page: Callable[[], list[str]]) -> None:
    assert find_page_tables(page()) == []


def test_a_page_of_figures_and_words_without_columns() -> None:
    assert find_page_tables([text_operator(72, 700, "Total 1,204.50"), text_operator(72, 650, "and 13 more")]) == []


def test_a_line_that_says_which_page_it_is_on_is_a_running_head() -> None:
    head = [PageWord(word, 72 + 60 * place, 30, 110 + 60 * place, 42) for place, word in enumerate(["page", "8", "2.3", "Terminals"])]
    last = [PageWord(word, 72 + 60 * place, 700, 110 + 60 * place, 712) for place, word in enumerate(["Item", "2", "5.25"])]
    assert [word.text for word in RunningHeads().strip_running_heads([*head, *last], 14)] == ["Item", "2", "5.25"]


def test_boxes_above_one_another_are_no_heading() -> None:
    boxes = [
        ["Session 18", "", "Ordinary sitting"],
        ["Base", "", "More than half"],
        ["Chair", "", "The eldest"],
        ["Act", "", "Second"],
        ["", "Known", ""],
    ]
    votes = [["Present", "217", "129"], ["Absent", "40", "12"]]
    around = Surroundings(is_framed=True, lines=[], crooked_boxes=[])
    assert not is_table(TableGrid([*boxes, *votes], [], (0, 0, 100, 100), heading_rows=5), around)
    assert is_table(TableGrid([*boxes[-2:], *votes], [], (0, 0, 100, 100), heading_rows=2), around)


def test_only_a_line_whose_one_number_grows_with_the_pages_is_a_running_head() -> None:
    def on_page(number: int, last: list[str]) -> list[PageWord]:
        head = [PageWord(word, 72 + 60 * place, 30, 110 + 60 * place, 42) for place, word in enumerate(["leaf", str(number + 7), "2.3", "Terminals"])]
        return [*head, *(PageWord(word, 72 + 60 * place, 700, 110 + 60 * place, 712) for place, word in enumerate(last))]

    running = RunningHeads()
    assert len(running.strip_running_heads(on_page(1, ["Item", "1", "4.50"]), 1)) == 7
    assert [word.text for word in running.strip_running_heads(on_page(2, ["Item", "2", "5.25"]), 2)] == ["Item", "2", "5.25"]
    assert [word.text for word in running.strip_running_heads(on_page(5, ["Item", "2", "5.25"]), 5)] == ["Item", "2", "5.25"]
    assert running.strip_running_heads([], 6) == []
    for number in range(7, 200):
        running.strip_running_heads([PageWord(f"{'x' * number}{number}", 72, 30, 100, 42)], number)
    assert len(running.strip_running_heads(on_page(200, []), 200)) == 4  # forgotten since
