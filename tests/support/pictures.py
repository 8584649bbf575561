"""Pictures of text, drawn with the font that Pillow brings along, and PDF pages made of them."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

LETTER = (
    "The rent of the Halden office rises to 4,150 kroner in March.",
    "Notice is given in writing, three months ahead of its end.",
    "Signed in Oslo by Marit Lunde for the tenants.",
)


def draw_lines(lines: Sequence[str] = LETTER, size: tuple[int, int] = (1100, 260), points: int = 30, *, dark: bool = False) -> Image.Image:
    """Lines of text on white paper, or white on black."""
    paper, ink = ("black", "white") if dark else ("white", "black")
    picture = Image.new("RGB", size, paper)
    ImageDraw.Draw(picture).multiline_text((40, 40), "\n".join(lines), font=ImageFont.load_default(points), fill=ink, spacing=16)
    return picture


def bar_chart(seed: int = 0, size: tuple[int, int] = (640, 400)) -> Image.Image:
    """Bars without a word; another `seed` is another picture."""
    picture = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(picture)
    for bar in range(6):
        left, top = size[0] * (2 * bar + 1) // 13, size[1] * (10 - bar) // 12 - seed
        draw.rectangle((left, top, left + size[0] // 13, size[1] * 11 // 12), fill=(20, 80 + seed, 180))
    return picture


def encode_picture(picture: Image.Image, form: str = "PNG", **options: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, form, **options)
    return file.getvalue()


def scanned_pdf(pages: Sequence[Image.Image], dpi: float = 150.0) -> bytes:
    """A PDF whose pages are nothing but pictures."""
    file = io.BytesIO()
    pages[0].save(file, "PDF", save_all=True, append_images=list(pages[1:]), resolution=dpi)
    return file.getvalue()
