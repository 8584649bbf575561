"""Between a page's own coordinates (origin below left, before any turn) and the page turned clockwise (origin above left)."""

from __future__ import annotations

from ingestion.readers.pdf.tables.table_model import Box


def turn_point(x: float, y: float, box: Box, rotation: int) -> tuple[float, float]:
    """Turn a point of the page's own coordinates to the page turned clockwise by `rotation` degrees; `box` is left, bottom, right, top."""
    left, bottom, right, top = box
    match rotation:
        case 90:
            return y - bottom, x - left
        case 180:
            return right - x, y - bottom
        case 270:
            return top - y, right - x
        case _:
            return x - left, top - y


def _turn_point_back(x: float, y: float, box: Box, rotation: int) -> tuple[float, float]:
    left, bottom, right, top = box
    match rotation:
        case 90:
            return y + left, x + bottom
        case 180:
            return right - x, y + bottom
        case 270:
            return right - y, top - x
        case _:
            return x + left, top - y


def box_as_shown(place: Box, box: Box, rotation: int, shown: int) -> Box:
    """Turn a box of the page turned by `rotation` to the page turned by `shown`."""
    corners = [turn_point(*_turn_point_back(x, y, box, rotation), box, shown) for x, y in ((place[0], place[1]), (place[2], place[3]))]
    xs, ys = sorted(x for x, _ in corners), sorted(y for _, y in corners)
    return xs[0], ys[0], xs[1], ys[1]


def turned_page_size(box: Box, rotation: int) -> tuple[float, float]:
    """Return width and height of the page turned by `rotation`."""
    width, height = box[2] - box[0], box[3] - box[1]
    return (height, width) if rotation in (90, 270) else (width, height)
