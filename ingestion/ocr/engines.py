"""Chooses the recogniser that reads a picture: RapidOCR's model, or Tesseract where it is installed and knows the script better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.errors import ConfigurationError
from core.places import LinePlace
from ingestion.extractors.source import OcrLimits
from ingestion.ocr.gutters import parted
from ingestion.ocr.layout import Piece
from ingestion.ocr.overlaps import set_apart
from ingestion.ocr.places import line_place
from ingestion.ocr.rapid import RapidRecognizer
from ingestion.ocr.recognizer import Picture, Points, TextLine
from ingestion.ocr.scripts import is_foreign, packs_for_script, packs_of_languages
from ingestion.ocr.tesseract import TesseractRecognizer, installed_packs, script_of
from ingestion.ocr.upright import Upright, set_upright, size_of

_SURE = 0.82  # mean certainty below which RapidOCR's model may be looking at a script that it does not know
_YIELD = 0.5  # letters for each stretch of a line that is as long as it is high: Latin print has about 2, Chinese 1.2
_ENOUGH = 12  # such stretches that say something about the script


@dataclass(frozen=True, slots=True)
class Reading:
    """The text of a picture.

    `pieces` are in pixels of the picture turned upright (`turned` degrees clockwise) and straightened, `width` by `height`; `shown` is its size
    before it was straightened, to which the places of the pieces belong. `doubtful`: the text is in no script that the engines at hand read.
    """

    pieces: list[Piece]
    width: int
    height: int
    turned: int
    engine: str
    doubtful: bool = False
    shown: tuple[int, int] = (1, 1)


@cache
def rapid_recognizer(threads: int) -> RapidRecognizer:
    """Return the recogniser that lives as long as the process: loading takes half a second."""
    return RapidRecognizer(threads)


def read_picture(picture: Picture, limits: OcrLimits, deadline: float) -> Reading:
    """Read the text of a picture in any of the four positions.

    Raises:
        TooSlow: `deadline` (`time.monotonic`) passed.
        ConfigurationError: the settings ask for Tesseract or one of its languages, and it is not installed.
    """
    rapid = rapid_recognizer(limits.threads)
    upright = set_upright(picture, rapid, deadline)
    lines, engine, doubtful = _read(upright, rapid, limits, deadline)
    kept = [line for line in lines if line.confidence >= limits.min_confidence]
    height, width = upright.picture.shape[:2]
    pieces = [_piece(line, line_place(line, upright)) for line in kept]
    return Reading(pieces, width, height, upright.turned, engine, doubtful, upright.shown)


def _read(upright: Upright, rapid: RapidRecognizer, limits: OcrLimits, deadline: float) -> tuple[list[TextLine], str, bool]:
    if not upright.boxes:
        return [], rapid.name, False
    if packs := _wanted_packs(limits):
        return TesseractRecognizer(packs).recognize(upright.picture, deadline), "tesseract", False
    boxes = parted(upright.picture, set_apart(upright.picture, upright.boxes))
    lines = rapid.read(upright.picture, boxes, deadline)
    if not _is_strange(lines, upright.boxes):
        return lines, rapid.name, False
    if limits.engine == "auto" and (packs := packs_for_script(script_of(upright.picture, deadline), installed_packs())):
        others = TesseractRecognizer(packs).recognize(upright.picture, deadline)
        if _letters(others) * _certainty(others) > _letters(lines) * _certainty(lines):
            return others, "tesseract", False
    return lines, rapid.name, True


def _is_strange(lines: Sequence[TextLine], boxes: Sequence[Points]) -> bool:
    """Return whether the boxes seem to hold a script that the model does not know: it then reads little in them, or is not sure of what it reads."""
    room = sum(max(width, height) / max(1.0, min(width, height)) for width, height in map(size_of, boxes))
    return room >= _ENOUGH and (_letters(lines) < _YIELD * room or _certainty(lines) < _SURE)


def _letters(lines: Sequence[TextLine]) -> int:
    return sum(len(line.text) - line.text.count(" ") for line in lines)


def _wanted_packs(limits: OcrLimits) -> tuple[str, ...]:
    """Return the packs that the settings ask for; () where RapidOCR's model is to read."""
    if limits.engine == "rapidocr":
        return ()
    wanted, installed = packs_of_languages(limits.languages), installed_packs()
    if limits.engine == "auto":
        return tuple(pack for pack in wanted if pack in installed) if any(is_foreign(pack) and pack in installed for pack in wanted) else ()
    if not installed:
        raise ConfigurationError("ingestion.ocr.engine is tesseract and Tesseract is not installed. Install it, or set the engine to auto.")
    missing = [pack for pack in wanted if pack not in installed]
    if missing:
        raise ConfigurationError(f"Tesseract has no language pack {', '.join(missing)}: install it, or change ingestion.ocr.languages.")
    return wanted or (("eng",) if "eng" in installed else tuple(sorted(installed - {"osd"}))[:1])


def _certainty(lines: Sequence[TextLine]) -> float:
    """Return the mean of the lines' confidences, each weighing as much as it is long."""
    characters = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / characters if characters else 0.0


def _piece(line: TextLine, place: LinePlace) -> Piece:
    """Return a line as a piece whose box is set straight about its own middle: a skew of less than a degree is left in the picture."""
    width, height = size_of(line.box)
    x, y = line.box.mean(axis=0).tolist()
    sideways = height >= 1.5 * width and len(line.text) > 1
    return Piece(line.text, x - width / 2, y - height / 2, x + width / 2, y + height / 2, sideways, place)
