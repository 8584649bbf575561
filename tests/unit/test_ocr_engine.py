"""Recognition of pictures: what is read, in which position, and that nothing is looked up, downloaded or left behind."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import ConfigurationError
from ingestion.ocr import engines
from ingestion.ocr.deskew import set_upright
from ingestion.ocr.engines import rapid_recognizer, read_picture
from ingestion.ocr.line_boxes import _tiles
from ingestion.ocr.networks import TILE, load_reader, thread_count
from ingestion.ocr.rapidocr_engine import RapidRecognizer
from ingestion.ocr.recognizer import Picture, Points, RecognizedLine, TooSlow
from ingestion.ocr.tesseract import _lines
from ingestion.ocr.word_spacing import insert_spaces, to_plain_letters
from ingestion.ocr.writing_systems import is_foreign, packs_for_script, packs_of_languages
from ingestion.readers.base.source import OcrLimits
from tests.support.pictures import LETTER, draw_lines

ROOT = Path(__file__).resolve().parents[2]
LIMITS = OcrLimits(threads=1)


def pixels(picture: Image.Image) -> Picture:
    return np.array(picture.convert("RGB"), np.uint8)


def words(texts: list[str]) -> str:
    return " ".join(texts)


def in_a_minute() -> float:
    return time.monotonic() + 60


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_page_is_read_in_each_of_the_four_positions(degrees: int) -> None:
    reading = read_picture(pixels(draw_lines().rotate(degrees, expand=True)), LIMITS, in_a_minute())
    assert reading.rotation == degrees  # Pillow turns against the clock, a page is set upright with it
    assert (reading.width, reading.height) == draw_lines().size
    assert [piece.text for piece in sorted(reading.pieces, key=lambda piece: piece.top)] == list(LETTER)


@pytest.mark.parametrize("angle", [-6, -2, 3, 8])
def test_a_page_that_stands_askew_is_straightened(angle: int) -> None:
    upright = set_upright(pixels(draw_lines().rotate(angle, expand=True, fillcolor="white")), rapid_recognizer(1), in_a_minute())
    assert upright.rotation == 0
    assert abs(upright.angle) < 0.7
    reading = read_picture(pixels(draw_lines().rotate(angle, expand=True, fillcolor="white")), LIMITS, in_a_minute())
    assert [piece.text for piece in sorted(reading.pieces, key=lambda piece: piece.top)] == list(LETTER)


def test_light_letters_on_a_dark_ground_are_read() -> None:
    reading = read_picture(pixels(draw_lines(dark=True)), LIMITS, in_a_minute())
    assert [piece.text for piece in sorted(reading.pieces, key=lambda piece: piece.top)] == list(LETTER)


def test_a_blank_picture_and_noise_have_no_text() -> None:
    noise = np.random.default_rng(7).integers(0, 255, (300, 400, 3)).astype(np.uint8)
    for picture in (pixels(Image.new("RGB", (400, 300), "white")), noise, np.zeros((1, 1, 3), np.uint8)):
        assert read_picture(picture, LIMITS, in_a_minute()).pieces == []


def test_a_deadline_that_is_over_ends_the_reading() -> None:
    with pytest.raises(TooSlow):
        read_picture(pixels(draw_lines()), LIMITS, time.monotonic() - 1)


def test_a_picture_larger_than_a_tile_is_put_together_without_seams() -> None:
    text = [f"Line {number} says what line {number} should say." for number in range(1, 31)]
    tall = draw_lines(text, (1500, 1500), 24)
    reading = read_picture(pixels(tall), LIMITS, in_a_minute())
    assert [piece.text for piece in sorted(reading.pieces, key=lambda piece: piece.top)] == text


@pytest.mark.parametrize("length", [1, 100, TILE[0], TILE[0] + 1, 1000, 5000])
def test_tiles_cover_each_side_once_and_stay_inside(length: int) -> None:
    tiles = _tiles(length, TILE[0])
    assert tiles[0][1] == 0
    assert tiles[-1][2] == length
    for (start, low, high), following in zip(tiles, [*tiles[1:], None], strict=True):
        assert start <= low < high <= start + TILE[0]
        assert start == 0 or start + TILE[0] <= length
        assert following is None or following[1] == high


def test_lines_below_the_least_confidence_are_left_out() -> None:
    assert read_picture(pixels(draw_lines()), OcrLimits(threads=1, min_confidence=1.0), in_a_minute()).pieces == []


# -- scripts and Tesseract ----------------------------------------------------------------------------------------------------------------


def test_the_model_knows_the_scripts_that_the_documentation_names() -> None:
    _, characters = load_reader(1)
    known = set(characters)
    assert set("ÄÖÜßéèêëçñåøæœłńžšřőűțșğıþð€£§") <= known
    assert set("中文字かなカナαβγ") <= known
    for missing in "жאعहกกអ한ა":
        assert missing not in known


def test_languages_in_other_scripts_have_packs() -> None:
    assert packs_of_languages(["ru", "de", "xx"]) == ("rus", "deu")
    assert is_foreign("rus")
    assert not is_foreign("deu")
    assert packs_for_script("Cyrillic", {"ukr", "eng", "script/Cyrillic"}) == ("ukr", "script/Cyrillic")
    assert packs_for_script("Latin", {"eng"}) == ()


def test_tesseract_that_is_asked_for_and_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "installed_packs", frozenset)
    with pytest.raises(ConfigurationError, match="Tesseract is not installed"):
        read_picture(pixels(draw_lines()), OcrLimits(engine="tesseract", threads=1), in_a_minute())
    monkeypatch.setattr(engines, "installed_packs", lambda: frozenset({"eng"}))
    with pytest.raises(ConfigurationError, match="no language pack rus"):
        read_picture(pixels(draw_lines()), OcrLimits(engine="tesseract", languages=("ru",), threads=1), in_a_minute())


def test_tesseract_is_chosen_where_it_is_surer_of_a_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """The choice alone: what Tesseract reads is in the integration tests."""

    class Scripted:
        def __init__(self, packs: tuple[str, ...]) -> None:
            assert packs == ("rus",)

        def recognize(self, picture: Picture, deadline: float) -> list[RecognizedLine]:
            return [RecognizedLine("Аренда офиса", np.array([[0, 0], [9, 0], [9, 3], [0, 3]], np.float32), 0.93)]

    monkeypatch.setattr(engines, "installed_packs", lambda: frozenset({"rus", "osd"}))
    monkeypatch.setattr(engines, "script_of", lambda picture, deadline: "Cyrillic")
    monkeypatch.setattr(engines, "TesseractRecognizer", Scripted)
    assert read_picture(pixels(draw_lines()), LIMITS, in_a_minute()).engine == "rapidocr"

    def reads_little(self: RapidRecognizer, picture: Picture, boxes: list[Points], deadline: float) -> list[RecognizedLine]:
        return [RecognizedLine("415 .", boxes[0], 0.9)]

    monkeypatch.setattr(RapidRecognizer, "read_boxes", reads_little)
    reading = read_picture(pixels(draw_lines()), LIMITS, in_a_minute())
    assert (reading.engine, reading.is_doubtful, [piece.text for piece in reading.pieces]) == ("tesseract", False, ["Аренда офиса"])
    monkeypatch.setattr(engines, "installed_packs", frozenset)
    reading = read_picture(pixels(draw_lines()), LIMITS, in_a_minute())
    assert (reading.engine, reading.is_doubtful) == ("rapidocr", True)


def test_words_of_tesseract_become_lines_parted_at_wide_gaps() -> None:
    head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    rows = (
        '5\t1\t1\t1\t1\t1\t10\t10\t50\t20\t96.0\tTotal\n5\t1\t1\t1\t1\t2\t70\t10\t40\t20\t90.0\tsum\n5\t1\t1\t1\t1\t3\t400\t10\t40\t20\t80.0\t12"\n'
    )
    lines = _lines(head + "4\t1\t1\t1\t1\t0\t10\t10\t430\t20\t-1\t\n" + rows)
    assert [line.text for line in lines] == ["Total sum", '12"']
    assert lines[0].box.tolist() == [[10, 10], [110, 10], [110, 30], [10, 30]]
    assert lines[0].confidence == pytest.approx((96 * 5 + 90 * 3) / 800)
    assert _lines("") == []


# -- letters and spaces -------------------------------------------------------------------------------------------------------------------


def test_look_alikes_of_the_chinese_script_become_latin_letters() -> None:
    assert to_plain_letters("Chapter Ⅲ，（a）") == "Chapter III,(a)"
    assert to_plain_letters("x² ½ … ™") == "x² ½ … ™"


def strip_of(words: list[str], gap: int) -> tuple[Picture, list[tuple[int, str]]]:
    """Blocks of ink for letters, three steps each, with `gap` pixels between words; the steps of their letters."""
    image = np.full((48, 3000, 3), 255, np.uint8)
    steps, x = [], 8
    for word in words:
        for letter in word:
            image[8:40, x : x + 18] = 0
            steps.append(((x + 9) // 8, letter))
            x += 22
        x += gap - 4
    return image[:, : x + 8], steps


def test_a_blank_as_wide_as_a_space_parts_words_that_the_network_ran_together() -> None:
    assert insert_spaces(*strip_of(["Happy", "New", "Year", "2003"], 16)) == "Happy New Year 2003"


def test_blanks_between_letters_and_behind_commas_are_no_spaces() -> None:
    assert insert_spaces(*strip_of(["Happy", "New"], 5)) == "HappyNew"
    assert insert_spaces(*strip_of(["4,", "150"], 10)) == "4,150"
    assert insert_spaces(*strip_of(["中文", "字"], 20)) == "中文字"


def test_a_space_that_the_network_sees_in_a_number_must_be_in_the_picture() -> None:
    for gap, text in ((8, "4,150"), (20, "4, 150")):
        image, steps = strip_of(["4,", "150"], gap)
        assert insert_spaces(image, [*steps[:2], (steps[2][0] - 1, " "), *steps[2:]]) == text


# -- no network, nothing left behind ------------------------------------------------------------------------------------------------------


def test_recognition_opens_no_connection_and_leaves_no_file(tmp_path: Path) -> None:
    """In a process of its own, whose sockets raise and whose home is empty before and after."""
    program = """
import socket, sys, time
def refuse(*arguments, **options):
    raise AssertionError("a socket was opened")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = socket.create_connection = refuse
import numpy as np
from PIL import Image
from ingestion.readers.base.source import OcrLimits
from ingestion.ocr.engines import read_picture
from tests.support.pictures import draw_lines
reading = read_picture(np.array(draw_lines(), np.uint8), OcrLimits(threads=1), time.monotonic() + 60)
assert len(reading.pieces) == 3
loaded = {"rapidocr", "requests", "onnxruntime", "openvino_telemetry"} & {name for name, module in sys.modules.items() if module is not None}
assert not loaded, loaded
"""
    environment = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "TMPDIR": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []


def test_half_of_the_cores_compute_unless_the_settings_say_otherwise() -> None:
    assert thread_count(3) == 3
    assert thread_count(0) >= 1
