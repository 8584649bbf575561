"""Chooses the recogniser that reads a picture: RapidOCR's model, or Tesseract where it is installed and knows the script better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.errors import ConfigurationError
from core.recognized_lines import LinePlace
from ingestion.ocr.deskew import UprightPicture, box_size, set_upright
from ingestion.ocr.gutters import split_at_gutters
from ingestion.ocr.layout import TextPiece
from ingestion.ocr.line_places import line_place
from ingestion.ocr.overlaps import separate_boxes
from ingestion.ocr.rapidocr_engine import RapidRecognizer
from ingestion.ocr.recognizer import Picture, Points, RecognizedLine
from ingestion.ocr.tesseract import TesseractRecognizer, installed_packs, script_of
from ingestion.ocr.writing_systems import is_foreign, packs_for_script, packs_of_languages
from ingestion.readers.base.source import OcrLimits

_SURE = 0.82  # mean certainty below which RapidOCR's model may be looking at a script that it does not know
_YIELD = 0.5  # letters for each stretch of a line that is as long as it is high: Latin print has about 2, Chinese 1.2
_ENOUGH = 12  # such stretches that say something about the script


@dataclass(frozen=True, slots=True)
class PictureText:
    """The text of a picture.

    `pieces` are in pixels of the picture turned upright (`rotation` degrees clockwise) and straightened, `width` by `height`; `shown_size` is its
    size before it was straightened, to which the places of the pieces belong. `is_doubtful`: the text is in no script that the engines at hand read.
    """

    pieces: list[TextPiece]
    width: int
    height: int
    rotation: int
    engine: str
    is_doubtful: bool = False
    shown_size: tuple[int, int] = (1, 1)


@cache
def rapid_recognizer(threads: int) -> RapidRecognizer:
    """Return the recogniser that lives as long as the process: loading takes half a second."""
    return RapidRecognizer(threads)


def read_picture(picture: Picture, limits: OcrLimits, deadline: float) -> PictureText:
    """Read the text of a picture in any of the four positions.

    Raises:
        TooSlow: `deadline` (`time.monotonic`) passed.
        ConfigurationError: the settings ask for Tesseract or one of its languages, and it is not installed.
    """
    rapid = rapid_recognizer(limits.threads)
    upright = set_upright(picture, rapid, deadline)
    lines, engine, doubtful = _read_upright(upright, rapid, limits, deadline)
    kept = [line for line in lines if line.confidence >= limits.min_confidence]
    height, width = upright.picture.shape[:2]
    pieces = [_piece(line, line_place(line, upright)) for line in kept]
    return PictureText(pieces, width, height, upright.rotation, engine, doubtful, upright.shown_size)


def _read_upright(upright: UprightPicture, rapid: RapidRecognizer, limits: OcrLimits, deadline: float) -> tuple[list[RecognizedLine], str, bool]:
    if not upright.boxes:
        return [], rapid.name, False
    if packs := _wanted_packs(limits):
        return TesseractRecognizer(packs).recognize(upright.picture, deadline), "tesseract", False
    boxes = split_at_gutters(upright.picture, separate_boxes(upright.picture, upright.boxes))
    lines = rapid.read_boxes(upright.picture, boxes, deadline)
    if not _is_unknown_script(lines, upright.boxes):
        return lines, rapid.name, False
    if limits.engine == "auto" and (packs := packs_for_script(script_of(upright.picture, deadline), installed_packs())):
        others = TesseractRecognizer(packs).recognize(upright.picture, deadline)
        if _count_letters(others) * _mean_confidence(others) > _count_letters(lines) * _mean_confidence(lines):
            return others, "tesseract", False
    return lines, rapid.name, True


def _is_unknown_script(lines: Sequence[RecognizedLine], boxes: Sequence[Points]) -> bool:
    """Return whether the boxes seem to hold a script that the model does not know: it then reads little in them, or is not sure of what it reads."""
    room = sum(max(width, height) / max(1.0, min(width, height)) for width, height in map(box_size, boxes))
    return room >= _ENOUGH and (_count_letters(lines) < _YIELD * room or _mean_confidence(lines) < _SURE)


def _count_letters(lines: Sequence[RecognizedLine]) -> int:
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


def _mean_confidence(lines: Sequence[RecognizedLine]) -> float:
    """Return the mean of the lines' confidences, each weighing as much as it is long."""
    characters = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / characters if characters else 0.0


def _piece(line: RecognizedLine, place: LinePlace) -> TextPiece:
    """Return a line as a piece whose box is set straight about its own middle: a skew of less than a degree is left in the picture."""
    width, height = box_size(line.box)
    x, y = line.box.mean(axis=0).tolist()
    sideways = height >= 1.5 * width and len(line.text) > 1
    return TextPiece(line.text, x - width / 2, y - height / 2, x + width / 2, y + height / 2, sideways, place)
