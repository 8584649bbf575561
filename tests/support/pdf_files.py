"""PDFs written by hand, object by object: what tests of the PDF reader need and no library writes (columns, hidden text, forms, pictures)."""

from __future__ import annotations

from collections.abc import Sequence

RED_PIXEL = b"\xc0\x20\x20"


def text_operator(x: float, y: float, words: str, *, size: float = 11, font: str = "F1", before: str = "") -> str:
    """A line of text at (x, y from the bottom); `before` are operators for it alone ("3 Tr", "1 1 1 rg")."""
    escaped = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"q BT {before} /{font} {size} Tf {x} {y} Td ({escaped}) Tj ET Q"


def line_operators(x: float, top: float, words: Sequence[str], *, size: float = 11, font: str = "F1") -> list[str]:
    """Lines of text one below the other."""
    return [text_operator(x, top - 1.2 * size * number, line, size=size, font=font) for number, line in enumerate(words)]


def turned_text(degrees: int, x: float, y: float, words: str, *, size: float = 11) -> str:
    """Text that runs in another direction (0, 90, 180, 270 counter-clockwise)."""
    matrix = {0: "1 0 0 1", 90: "0 1 -1 0", 180: "-1 0 0 -1", 270: "0 -1 1 0"}[degrees]
    return f"BT /F1 {size} Tf {matrix} {x} {y} Tm ({words}) Tj ET"


class PdfFile:
    """A PDF in the making; pages are 612 x 792 points. Fonts: F1 Helvetica, F2 Helvetica-Bold, F3 Times-Italic, and those of `font`."""

    def __init__(self) -> None:
        self._objects: list[bytes] = [b"", b""]  # the catalogue and the list of pages
        self._pages: list[int] = []
        self._catalogue = ""
        self._resources = ""
        self._fonts = ""
        for name, base in (("F1", "Helvetica"), ("F2", "Helvetica-Bold"), ("F3", "Times-Italic")):
            self.font(name, f"<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding /WinAnsiEncoding >>")

    def add(self, content: str | bytes) -> int:
        """Another object; its number."""
        self._objects.append(content if isinstance(content, bytes) else content.encode("cp1252"))
        return len(self._objects)

    def stream(self, data: str | bytes, entries: str = "") -> int:
        data = data if isinstance(data, bytes) else data.encode("cp1252")
        return self.add(f"<< {entries} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream")

    def font(self, name: str, dictionary: str) -> None:
        self._fonts += f" /{name} {self.add(dictionary)} 0 R"

    def cid_font(self, name: str, widths: dict[int, int], letters: dict[int, str]) -> None:
        """A font of glyphs with two-byte numbers; `letters` are what each stands for ("" for nothing of its own)."""
        mapped = "\n".join(f"<{code:04x}> <{value.encode('utf-16-be').hex()}>" for code, value in letters.items())
        to_unicode = self.stream(
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
            f"1 begincodespacerange <0000> <ffff> endcodespacerange {len(letters)} beginbfchar\n{mapped}\nendbfchar endcmap end end"
        )
        descriptor = self.add(
            "<< /Type /FontDescriptor /FontName /Made /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 "
            "/CapHeight 700 /StemV 80 >>"
        )
        given = " ".join(f"{code} [{width}]" for code, width in widths.items())
        descendant = self.add(
            f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Made /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
            f"/FontDescriptor {descriptor} 0 R /DW 600 /W [{given}] >>"
        )
        face = f"/Type /Font /Subtype /Type0 /BaseFont /Made /Encoding /Identity-H /ToUnicode {to_unicode} 0 R"
        self.font(name, f"<< {face} /DescendantFonts [{descendant} 0 R] >>")

    def picture(self, name: str) -> None:
        """A picture of one red pixel for `name` Do."""
        number = self.stream(RED_PIXEL, "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8")
        self._resources += f" /{name} {number} 0 R"

    def photo(self, name: str, jpeg: bytes, size: tuple[int, int]) -> None:
        """A JPEG in colours for `name` Do."""
        facts = f"/Type /XObject /Subtype /Image /Width {size[0]} /Height {size[1]} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode"
        self._resources += f" /{name} {self.stream(jpeg, facts)} 0 R"

    def page(self, operators: Sequence[str], entries: str = "") -> int:
        """Another page; `entries` are more of its dictionary ("/Rotate 90", "/Annots [...]"). Its object's number."""
        contents = self.stream("\n".join(operators))
        resources = f"/Resources << /Font << {self._fonts} >> /XObject << {self._resources} >> >>"
        number = self.add(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {resources} /Contents {contents} 0 R {entries} >>")
        self._pages.append(number)
        return number

    def catalogue(self, entries: str) -> None:
        self._catalogue += " " + entries

    def bytes(self) -> bytes:
        kids = " ".join(f"{number} 0 R" for number in self._pages)
        self._objects[0] = f"<< /Type /Catalog /Pages 2 0 R {self._catalogue} >>".encode("cp1252")
        self._objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(self._pages)} >>".encode()
        output = bytearray(b"%PDF-1.7\n")
        offsets = []
        for number, content in enumerate(self._objects, start=1):
            offsets.append(len(output))
            output += b"%d 0 obj\n" % number + content + b"\nendobj\n"
        start = len(output)
        output += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        output += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        output += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, start)
        return bytes(output)


def one_page(operators: Sequence[str], entries: str = "") -> bytes:
    file = PdfFile()
    file.page(operators, entries)
    return file.bytes()
