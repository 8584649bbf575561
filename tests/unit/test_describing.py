"""What a vision model says of pictures: behind the document's own text, in the model's name; a model that fails costs nothing but that."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import docx
import pytest
from PIL import Image

from core.documents import BlockKind, DocumentFigure, ExtractedDocument, PageUnit, describing_model
from core.errors import ModelUnavailable
from ingestion.chunking.chunker import ChunkLimits, chunk_document
from ingestion.enrichment.image_captions import DescribedFigure, append_descriptions, make_shown_picture
from ingestion.indexing.image_captioner import ImageCaptioner
from ingestion.indexing.indexing_run import OnMember, OnProgress
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.source import ExtractionLimits, OcrLimits
from ingestion.workers.file_walk import FileWalk
from ingestion.workers.worker_protocol import Demand, Extraction
from tests.support.containers import WHOLE_DEMAND, RecordingListener, WalkingReader, zip_bytes
from tests.support.indexing_bench import Bench, bench, file_counts, write_file
from tests.support.ingestion import token_spans
from tests.support.models import ScriptedDescriber
from tests.support.office_files import docx_bytes
from tests.support.pictures import bar_chart, draw_lines, encode_picture

__all__ = ["bench"]

SAID = "A bar chart of rents by year. The bars rise from 2019 to 2024."
GONE = ModelUnavailable("No model answers.")


def report() -> ExtractedDocument:
    """Two pages, each with a heading; the second has the caption of a figure."""
    builder = DocumentBuilder("pdf", page_unit=PageUnit.PAGE)
    builder.page()
    builder.heading("Houses")
    builder.paragraph("There are many houses.")
    builder.page()
    builder.heading("Rents")
    builder.paragraph("They rose.")
    builder.block(BlockKind.CAPTION, "Figure 3: Rents by year")
    builder.heading("Outlook")
    builder.paragraph("They will rise again.")
    return builder.build()


def figure(**changes: Any) -> DocumentFigure:
    return replace(DocumentFigure(0, 2, "Figure 3: Rents by year", b"jpeg", digest="d"), **changes)


# -- where the words go ------------------------------------------------------------------------------------------------------------------


def test_a_description_is_a_section_of_its_own_on_the_page_of_its_picture() -> None:
    before = report()
    after = append_descriptions(before, [DescribedFigure(figure(), SAID), DescribedFigure(figure(page=1, caption=""), "A photo.")], "eye:8b")
    assert after.text.startswith(before.text)
    assert after.blocks[: len(before.blocks)] == before.blocks
    assert after.pages == before.pages
    first, second = after.sections[-2:]
    assert first.path == ("Rents", "Picture on page 2, described by eye:8b")
    assert second.path == ("Houses", "Picture on page 1, described by eye:8b")
    assert (first.page, second.page) == (2, 1)
    described = [block for block in after.blocks if block.kind is BlockKind.DESCRIPTION]
    assert [after.text[block.start : block.end] for block in described] == [SAID, "A photo."]
    assert [block.page for block in described] == [2, 1]
    assert describing_model(first.path) == "eye:8b"
    assert describing_model(before.sections[0].path) == ""


def test_the_promises_of_a_document_hold_with_descriptions() -> None:
    document = append_descriptions(report(), [DescribedFigure(figure(), SAID), DescribedFigure(figure(page=1), "A photo.")], "eye")
    covered = 0
    for block in document.blocks:
        assert block.start >= covered
        assert not document.text[covered : block.start].strip()
        covered = block.end
    assert covered == len(document.text)
    ends = [section.end for section in document.sections]
    assert [section.start for section in document.sections] == [0, *ends[:-1]]
    assert ends[-1] == len(document.text)


def test_no_chunk_holds_words_of_the_file_and_of_the_model() -> None:
    before = report()
    document = append_descriptions(before, [DescribedFigure(figure(), SAID), DescribedFigure(figure(page=1), "A photo.")], "eye")
    chunks = chunk_document(document, "Report", ChunkLimits(), token_spans)
    own = [chunk for chunk in chunks if chunk.end <= len(before.text)]
    others = [chunk for chunk in chunks if chunk.start >= len(before.text)]
    assert len(own) + len(others) == len(chunks)
    assert {chunk.kind for chunk in others} == {BlockKind.DESCRIPTION}
    assert BlockKind.DESCRIPTION not in {chunk.kind for chunk in own}
    assert [(chunk.page, chunk.section[-1]) for chunk in others] == [
        (2, "Picture on page 2, described by eye"),
        (1, "Picture on page 1, described by eye"),
    ]


def test_the_model_is_shown_what_stands_round_the_picture() -> None:
    picture = make_shown_picture(report(), figure(), "Report 2024")
    assert (picture.title, picture.section, picture.caption) == ("Report 2024", "Rents", "Figure 3: Rents by year")
    unknown = make_shown_picture(report(), figure(page=1, caption=""), "Report 2024")
    assert (unknown.section, unknown.caption) == ("Houses", "")


@pytest.mark.parametrize("caption_first", [True, False])
def test_in_a_document_without_pages_the_caption_is_the_block_beside_the_picture(caption_first: bool) -> None:
    builder = DocumentBuilder("docx")
    builder.heading("Rents")
    builder.paragraph("They rose.")
    if caption_first:
        builder.paragraph("Fig. 2 – Rents in euros")
    offset, _ = builder.position
    if not caption_first:
        builder.paragraph("Fig. 2 – Rents in euros")
    builder.paragraph("And so on.")
    builder.heading("Outlook")
    picture = make_shown_picture(builder.build(), DocumentFigure(offset, None, "", b"x"), "T")
    assert (picture.caption, picture.section) == ("Fig. 2 – Rents in euros", "Rents")


# -- in a run ----------------------------------------------------------------------------------------------------------------------------


class LookingReader(WalkingReader):
    """Reads with the product's own readers; `asked` are the files and whether recognition was allowed."""

    def __init__(self, *, describe: bool = True) -> None:
        super().__init__(ExtractionLimits(ocr=OcrLimits(threads=1, describe_images=describe)))
        self.asked: list[tuple[str, bool]] = []
        self._turn = anyio.Lock()  # a process recognises one picture at a time

    async def extract(
        self, path: Path, demand: Demand = WHOLE_DEMAND, *, on_member: OnMember | None = None, on_progress: OnProgress | None = None
    ) -> Extraction:
        self.asked.append((path.name, demand.recognize))
        async with self._turn:
            return await super().extract(path, demand, on_member=on_member, on_progress=on_progress)


def word_file(path: Path, *pictures: Image.Image) -> None:
    made = docx.Document()
    made.add_heading("Rents", 1)
    made.add_paragraph("The rents of the houses rose in all of the years.")
    for number, picture in enumerate(pictures, start=1):
        made.add_picture(io.BytesIO(encode_picture(picture)))
        made.add_paragraph(f"Figure {number}: Rents by year", style="Caption")
    path.write_bytes(docx_bytes(made))


def looking(bench: Bench, says: str | Exception = SAID, *, answers: bool = True) -> ScriptedDescriber:
    describer = ScriptedDescriber(says, answers=answers)
    bench.reader, bench.describer = LookingReader(), describer
    return describer


async def texts(bench: Bench) -> dict[str, str]:
    ledger = await bench.ledger()
    return {name: (await bench.library.content("t", line.document_id)).text for name, line in ledger.items() if line.document_id}


async def test_pictures_are_described_when_all_files_are_read_each_once(bench: Bench) -> None:
    word_file(bench.docs / "a.docx", bar_chart(1), bar_chart(2))
    word_file(bench.docs / "b.docx", bar_chart(2))
    write_file(bench.docs / "c.txt", "Minutes of the meeting.")
    describer = looking(bench)
    summary = await bench.run()
    assert file_counts(summary.progress) == {"indexed": 3}
    assert summary.notes == ()
    assert len(describer.shown) == 2
    assert {picture.section for picture in describer.shown} == {"Rents"}
    assert isinstance(bench.reader, LookingReader)
    assert {name for name, recognize in bench.reader.asked[:3] if not recognize} == {"a.docx", "b.docx", "c.txt"}
    found = await texts(bench)
    assert found["a.docx"].count(SAID) == 2
    assert found["b.docx"].count("Picture, described by eye\n" + SAID) == 1
    assert {(line.state, line.reason, line.code) for line in (await bench.ledger()).values()} == {("indexed", "", "")}
    assert file_counts((await bench.run()).progress) == {"unchanged": 3}
    assert len(describer.shown) == 2


async def test_languages_of_sections_stay_with_descriptions(bench: Bench) -> None:
    word_file(bench.docs / "a.docx", bar_chart())
    describer = ScriptedDescriber(SAID)
    extraction = FileWalk(WHOLE_DEMAND, ExtractionLimits(ocr=OcrLimits(threads=1, describe_images=True)), RecordingListener()).read_file(
        bench.docs / "a.docx"
    )
    assert isinstance(extraction, Extraction)
    sections = len(extraction.document.sections)
    named = replace(extraction, profile=replace(extraction.profile, section_languages=("de",) * sections))
    seen = await ImageCaptioner(describer).caption_pictures(named, "Rents")
    assert seen.profile.section_languages == ("de",) * sections + ("",)
    assert len(seen.document.sections) == sections + 1


async def test_off_by_default_no_picture_is_shown_or_even_counted(bench: Bench) -> None:
    word_file(bench.docs / "a.docx", bar_chart(1))
    (bench.docs / "b.png").write_bytes(encode_picture(draw_lines()))
    bench.reader = LookingReader(describe=False)
    await bench.run()
    assert {line.state for line in (await bench.ledger()).values()} == {"indexed"}
    assert not any("described by" in text for text in (await texts(bench)).values())
    assert ("a.docx", True) not in bench.reader.asked


async def test_a_model_that_fails_costs_no_document_and_the_next_run_tries_again(bench: Bench) -> None:
    for number in range(3):
        word_file(bench.docs / f"{number}.docx", bar_chart(number))
    describer = looking(bench, GONE)
    summary = await bench.run()
    assert file_counts(summary.progress) == {"partial": 3}
    assert len(describer.shown) == 2, "given up after two in a row"
    (note,) = summary.notes
    assert note == "eye did not describe 3 pictures; indexing tries again once it answers. What went wrong last: No model answers."
    ledger = await bench.ledger()
    assert {line.code for line in ledger.values()} == {"needs_description"}
    assert ledger["0.docx"].reason.startswith("1 picture is not described yet: No model answers.")
    describer.says = SAID
    assert file_counts((await bench.run()).progress) == {"indexed": 3}
    assert all(SAID in text for text in (await texts(bench)).values())
    assert {line.code for line in (await bench.ledger()).values()} == {""}


async def test_while_the_model_is_not_there_nothing_is_read_twice_and_the_reason_says_so(bench: Bench) -> None:
    word_file(bench.docs / "a.docx", bar_chart())
    describer = looking(bench, answers=False)
    for _ in range(2):
        await bench.run()
    assert isinstance(bench.reader, LookingReader)
    assert bench.reader.asked == [("a.docx", False)]
    assert describer.shown == []
    line = (await bench.ledger())["a.docx"]
    assert (line.state, line.code) == ("partial", "needs_description")
    assert "No model answers at http://localhost:1." in line.reason
    describer.answers = True
    await bench.run()
    assert SAID in (await texts(bench))["a.docx"]


async def test_a_picture_without_a_word_is_found_by_what_is_said_of_it(bench: Bench) -> None:
    (bench.docs / "photo.png").write_bytes(encode_picture(Image.effect_noise((600, 400), 60).convert("RGB")))
    looking(bench)
    assert file_counts((await bench.run()).progress) == {"indexed": 1}
    line = (await bench.ledger())["photo.png"]
    assert line.document_id
    document = (await bench.library.documents("t", [line.document_id]))[line.document_id]
    assert (document.summary, document.state) == (SAID, "indexed")
    assert (await texts(bench))["photo.png"] == f"Picture, described by eye\n{SAID}"


async def test_a_picture_without_a_word_waits_for_a_model_and_rests_when_it_has_nothing_to_say(bench: Bench) -> None:
    (bench.docs / "photo.png").write_bytes(encode_picture(Image.effect_noise((600, 400), 60).convert("RGB")))
    describer = looking(bench, GONE)
    assert file_counts((await bench.run()).progress) == {"skipped": 1}
    line = (await bench.ledger())["photo.png"]
    assert (line.state, line.code) == ("skipped", "needs_description")
    assert "No model answers." in line.reason
    describer.says = ""
    await bench.run()
    assert (await bench.ledger())["photo.png"].code == "nothing_seen"
    shown_before = len(describer.shown)
    await bench.run()
    assert len(describer.shown) == shown_before


async def test_pictures_that_were_empty_before_are_looked_at_once_the_setting_is_on(bench: Bench) -> None:
    (bench.docs / "photo.png").write_bytes(encode_picture(Image.effect_noise((600, 400), 60).convert("RGB")))
    (bench.docs / "icon.png").write_bytes(encode_picture(Image.effect_noise((20, 20), 60).convert("RGB")))
    bench.reader = LookingReader(describe=False)
    assert file_counts((await bench.run()).progress) == {"skipped": 2}
    looking(bench)
    await bench.run()
    assert {name: line.code for name, line in (await bench.ledger()).items()} == {"photo.png": "", "icon.png": "nothing_seen"}
    assert isinstance(bench.reader, LookingReader)
    bench.reader.asked.clear()
    await bench.run()
    assert bench.reader.asked == []


async def test_pictures_in_archives_are_described_and_tried_again(bench: Bench) -> None:
    word_file(bench.home / "a.docx", bar_chart())
    (bench.docs / "a.zip").write_bytes(zip_bytes({"in/a.docx": (bench.home / "a.docx").read_bytes(), "note.txt": b"Minutes of the meeting."}))
    describer = looking(bench, GONE)
    await bench.run()
    assert (await bench.ledger())["a.zip!/in/a.docx"].code == "needs_description"
    describer.says = SAID
    await bench.run()
    assert SAID in (await texts(bench))["a.zip!/in/a.docx"]
    assert {line.code for line in (await bench.ledger()).values()} == {""}


async def test_another_model_describes_again(bench: Bench) -> None:
    word_file(bench.docs / "a.docx", bar_chart())
    looking(bench)
    await bench.run()
    bench.describer = ScriptedDescriber("A drawing of bars.", "other")
    await bench.run()
    text = (await texts(bench))["a.docx"]
    assert "Picture, described by other\nA drawing of bars." in text
    assert SAID not in text


async def test_files_that_were_seen_to_change_are_found_before_their_pictures_are_described(bench: Bench) -> None:
    await bench.run()
    word_file(bench.docs / "a.docx", bar_chart())
    describer = looking(bench)
    summary = await bench.indexer().index_changes("t", [str(bench.docs / "a.docx")], cancelled=anyio.Event())
    assert summary.waiting_paths == (str(bench.docs / "a.docx"),)
    assert describer.shown == []
    assert "The rents of the houses rose" in (await texts(bench))["a.docx"]
    await bench.run()
    assert SAID in (await texts(bench))["a.docx"]
