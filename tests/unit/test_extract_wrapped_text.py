"""Text that was broken at a width becomes paragraphs again; code, tables and verses stay as they are. Forms keep label and value together."""

from __future__ import annotations

import pytest

from core.documents import ExtractedDocument
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract

LAW = """\
          HARBOUR DUES ACT

SEC. 12. DUES FOR VESSELS THAT LIE AT ANCHOR.

    (a) In General.--The harbour master shall collect from the owner of
each vessel that lies at anchor for more than nine days a due of not
less than 4,000 crowns, as provided in section 7 of the Harbour Act
(9 H.C. 14), unless the vessel is in distress.
    (b) Exceptions.--
            ``(1) No due is collected from a hospital ship, nor from one
        that carries pilgrims to the islands.
            ``(2) Half of the due is collected from a vessel whose owner
        lives in the harbour town and fishes from it.

Sec. 1. Short title.
Sec. 2. Reports of the harbour master to the council of the town and
           to the guild of pilots.
Sec. 3. Penalties.
"""


def read(text: str, name: str) -> ExtractedDocument:
    return extract(Source(text.encode(), name))


def blocks(document: ExtractedDocument) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


@pytest.mark.parametrize(("name", "before", "behind"), [("act.txt", "", ""), ("act.html", "<html><body><pre>", "</pre></body></html>")])
def test_lines_broken_at_a_width_are_joined(name: str, before: str, behind: str) -> None:
    found = blocks(read(before + LAW + behind, name))
    assert [text for kind, text in found if kind == "heading"] == ["HARBOUR DUES ACT", "SEC. 12. DUES FOR VESSELS THAT LIE AT ANCHOR."]
    lines = [line for _, text in found for line in text.split("\n")]
    assert (
        "(a) In General.--The harbour master shall collect from the owner of each vessel that lies at anchor for more than nine days a due of not "
        "less than 4,000 crowns, as provided in section 7 of the Harbour Act (9 H.C. 14), unless the vessel is in distress."
    ) in lines
    assert "``(1) No due is collected from a hospital ship, nor from one that carries pilgrims to the islands." in lines
    assert lines[-3:] == [
        "Sec. 1. Short title.",
        "Sec. 2. Reports of the harbour master to the council of the town and to the guild of pilots.",
        "Sec. 3. Penalties.",
    ]


def test_a_mail_is_joined_and_its_short_lines_stay() -> None:
    body = (
        "Dear Ms Torv,\n\nthank you for your letter of 3 May. We have looked at the three boats\nthat you named and can "
        "offer you the largest of them for the whole of\nJune, with a skipper who knows the western sounds and speaks\nNorwegian. "
        "The price includes fuel for\nforty hours; what you use beyond that is charged by the litre, and the\nboat has to be back on "
        "the last day of the month before noon.\n\nKind regards\nOle Brandt\nQuay 7\n"
    )
    found = blocks(read(f"From: ole@boats.example\nSubject: Boats\n\n{body}", "a.eml"))
    assert any("offer you the largest of them for the whole of June, with a skipper who knows" in text for _, text in found)
    assert found[-1][1] == "Kind regards\nOle Brandt\nQuay 7"


def test_long_addresses_behind_the_words_of_a_link_are_links_and_no_text() -> None:
    address = "https://click.harbour.example/" + "QmVydGggMTcgQg" * 6
    body = f"<{address}0>\nBook a berth <{address}1> before 3 May.\nSee <https://harbour.example/map>.\n\n<{address}2>\n"
    document = read(f"From: dock@harbour.example\nSubject: Berths\n\n{body}", "a.eml")
    assert blocks(document)[1:] == [
        ("paragraph", "Book a berth before 3 May.\nSee <https://harbour.example/map>."),
        ("paragraph", f"<{address}2>"),
    ]
    assert [(document.text[link.start : link.end], link.target[-1]) for link in document.links[-1:]] == [("Book a berth", "1")]


CODE = """\
def tide(hour, harbour, moon, sun, wind, pressure, season, year, century):
    level = harbour.level + moon.pull(hour) + sun.pull(hour) - wind.drag
    return level if season else level * pressure

class Harbour:
    def __init__(self, level, walls, gates, boats, dues, masters, guilds):
        self.level = level
        self.walls = walls
        self.gates = gates

    def open(self, gate, hour, master, boats, dues, guilds, tide, level):
        gate.open(hour) if master.agrees(gate, hour) else gate.stay(hour)
        return boats
"""
TABLE = """\
Harbour            Boats     Dues collected     Master in office
Skagen               141             12,000     Ms Ellen Brogaard
Thyborøn              88              9,400     Mr Nils Overgaard
Hirtshals            203             31,900     Ms Karla Vestergård
Hanstholm            164             28,300     Mr Jens Peter Kold
Esbjerg              412             77,100     Ms Anna Marie Holm
"""
VERSES = (
    "The boats go out at break of day\nAnd few of them come home to stay,\nThe tide comes in and takes away\nThe nets that in the harbour lay.\n" * 3
)


@pytest.mark.parametrize("text", [CODE, TABLE, VERSES])
def test_code_tables_and_verses_keep_their_lines(text: str) -> None:
    found = blocks(read(f"<html><body><p>See</p><pre>{text}</pre></body></html>", "a.html"))
    assert found[1:] == [("code", text.strip("\n"))]
    read_lines = [line for _, block in blocks(read(text, "a.txt")) for line in block.split("\n")]
    assert len(read_lines) == len([line for line in text.split("\n") if line.strip()])


def test_terms_and_fields_stand_before_what_they_say() -> None:
    page = (
        "<h1>Mooring</h1><dl><dt>Berth</dt><dd>17 B</dd><dt>Depth:</dt><dd>4.2 m</dd>"
        "<dt>Pilot</dt><dd>Brings you in.</dd><dt>Rules</dt><dd><ul><li>no fires</li></ul></dd></dl>"
        "<div><div>1</div><span class='form-label'>Skipper</span> <span class='form-value'>Asta Lund</span></div>"
        "<div><div class='label'>Crew</div><div class='value'>3</div></div><p>2</p><p>Two paragraphs.</p>"
    )
    assert blocks(read(page, "a.html")) == [
        ("heading", "Mooring"),
        ("paragraph", "Berth: 17 B"),
        ("paragraph", "Depth: 4.2 m"),
        ("paragraph", "Pilot"),
        ("paragraph", "Brings you in."),
        ("paragraph", "Rules"),
        ("list_item", "• no fires"),
        ("list_item", "1. Skipper: Asta Lund"),
        ("paragraph", "Crew: 3"),
        ("paragraph", "2"),
        ("paragraph", "Two paragraphs."),
    ]
