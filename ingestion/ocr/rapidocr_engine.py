"""Recognises text by RapidOCR's models (PP-OCRv6 small) on OpenVINO: find the lines of a picture, then read each."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from ingestion.ocr.line_boxes import normalise_picture, text_boxes
from ingestion.ocr.networks import Tensor, load_classifier, load_detector, load_reader, thread_count
from ingestion.ocr.recognizer import Picture, Points, RecognizedLine, as_picture, check_deadline
from ingestion.ocr.word_spacing import text_and_words

_HEIGHT = 48
_UPRIGHT_WIDTH = 192
_WIDTHS = (160, 320, 480, 720, 1080, 1600, 2400, 3840)  # of strips; one at a time is as fast as several
_LONGEST = 1_600


class RapidRecognizer:
    """Implements `ingestion.ocr.recognizer.Recognizer`. Construction takes about half a second and 150 MB."""

    name = "rapidocr"

    def __init__(self, threads: int = 0) -> None:
        count = thread_count(threads)
        self._detector = load_detector(count)
        self._classifier = load_classifier(count)
        self._reader, self._characters = load_reader(count)

    def boxes(self, picture: Picture, longest: int = _LONGEST) -> list[Points]:
        """Return the boxes in which lines stand."""
        found = text_boxes(picture, self._detector, longest)
        self._detector.release_memory()
        return found

    def recognize(self, picture: Picture, deadline: float) -> list[RecognizedLine]:
        return self.read_boxes(picture, self.boxes(picture), deadline)

    def read_boxes(self, picture: Picture, boxes: Sequence[Points], deadline: float) -> list[RecognizedLine]:
        """Return the lines in `boxes`; those without any character are left out."""
        strips = [cut_out_line(picture, box) for box in boxes]
        lines: list[RecognizedLine] = []
        # By width: kernels are made anew whenever it changes.
        for place in sorted(range(len(strips)), key=lambda place: strips[place].shape[1]):
            check_deadline(deadline)
            image = strips[place]
            padded = np.zeros((1, 3, _HEIGHT, _padded_width(image.shape[1])), np.float32)
            padded[0, :, :, : image.shape[1]] = normalise_picture(image)
            certainties, indices = self._reader(padded)
            steps, confidence = self._decode_ctc(indices[0, :, 0], certainties[0, :, 0])
            text, words = text_and_words(image, steps)
            if text:
                lines.append(RecognizedLine(text, boxes[place], confidence, words))
        self._reader.release_memory()
        return lines

    def upside_down_share(self, picture: Picture, boxes: Sequence[Points]) -> float:
        """Return the share of lines in `boxes` that stand on their head, in the classifier's opinion; 0 without any."""
        if not boxes:
            return 0.0
        batch = np.zeros((len(boxes), 3, _HEIGHT, _UPRIGHT_WIDTH), np.float32)
        for place, box in enumerate(boxes):
            image = cut_out_line(picture, box)[:, :_UPRIGHT_WIDTH]
            batch[place, :, :, : image.shape[1]] = normalise_picture(image)
        return float((self._classifier(batch)[0].argmax(axis=1) == 1).mean())

    def _decode_ctc(self, indices: NDArray[np.int64], certainties: Tensor) -> tuple[list[tuple[int, str]], float]:
        """Decode by connectionist temporal classification: repetitions are one character, index 0 is none. Each character comes with its step."""
        kept = indices != 0
        kept[1:] &= indices[1:] != indices[:-1]
        steps = [(int(step), self._characters[indices[step]]) for step in np.flatnonzero(kept)]
        return steps, float(certainties[kept].mean()) if steps else 0.0


def cut_out_line(picture: Picture, box: Points) -> Picture:
    """Return the line in `box`, laid flat, 48 pixels high. What is half again as high as wide is turned: its text runs upwards."""
    width = max(1, round(float(max(np.linalg.norm(box[0] - box[1]), np.linalg.norm(box[2] - box[3])))))
    height = max(1, round(float(max(np.linalg.norm(box[0] - box[3]), np.linalg.norm(box[1] - box[2])))))
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(box, flat)
    image = as_picture(cv2.warpPerspective(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE, flags=cv2.INTER_CUBIC))
    if height >= 1.5 * width:
        image = np.rot90(image)
    return _scale_to_height(image)


def _scale_to_height(image: Picture) -> Picture:
    height, width = image.shape[:2]
    wide = min(_WIDTHS[-1], max(8, round(width * _HEIGHT / height)))
    return as_picture(cv2.resize(image, (wide, _HEIGHT), interpolation=cv2.INTER_LINEAR if height < 2 * _HEIGHT else cv2.INTER_AREA))


def _padded_width(width: int) -> int:
    return next(wide for wide in _WIDTHS if wide >= width)
