"""What is odd in real Word files: the text reads as a person sees it with all changes accepted."""

from __future__ import annotations

import docx
import pytest
from docx.oxml import parse_xml

from core.documents import ExtractedDocument
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract
from tests.support.office_files import docx_bytes

_SPACES = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def read(*paragraphs: str) -> ExtractedDocument:
    """A document whose paragraphs hold this."""
    document = docx.Document()
    body = document.element.body
    for inner in paragraphs:
        body.insert(len(body) - 1, parse_xml(f"<w:p {_SPACES}>{inner}</w:p>"))
    return extract(Source(docx_bytes(document), "a.docx"))


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def field(data: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'


def test_a_paragraph_whose_end_was_deleted_runs_into_the_next() -> None:
    deleted = '<w:pPr><w:rPr><w:del w:id="1" w:author="x"/></w:rPr></w:pPr>'
    assert read(f"{deleted}{run('The rent ')}", f"{deleted}{run('is ')}", run("600 euros.")).text == "The rent is 600 euros."
    assert read(run("Before."), f"{deleted}{run('At the end.')}").text == "Before.\n\nAt the end."


def test_changes_are_accepted_and_hidden_text_is_left_out() -> None:
    changed = (
        f'{run("The rent is ")}<w:del w:id="1"><w:r><w:delText>500</w:delText></w:r></w:del><w:ins w:id="2">{run("600")}</w:ins>{run(" euros.")}'
    )
    assert read(changed).text == "The rent is 600 euros."
    hidden = run("nobody sees this ", "<w:vanish/>") + run("shown ", '<w:vanish w:val="0"/>') + run("too", "<w:webHidden/>")
    assert read(hidden).text == "shown too"


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ("<w:checkBox><w:default w:val='1'/></w:checkBox>", "☒ agreed"),
        ("<w:checkBox><w:default w:val='1'/><w:checked w:val='0'/></w:checkBox>", "☐ agreed"),
        ("<w:checkBox><w:checked/></w:checkBox>", "☒ agreed"),
        ("<w:ddList><w:result w:val='1'/><w:listEntry w:val='not'/><w:listEntry w:val='fully'/></w:ddList>", "fully agreed"),
        ("<w:ddList><w:listEntry w:val='not'/><w:listEntry w:val='fully'/></w:ddList>", "not agreed"),
        ("<w:ddList><w:result w:val='99'/><w:listEntry w:val='not'/></w:ddList>", "agreed"),
        ("<w:ddList/>", "agreed"),
        ("<w:textInput/>", "agreed"),
    ],
)
def test_fields_of_forms_show_what_they_are_set_to(data: str, shown: str) -> None:
    assert read(field(data) + run(" agreed")).text == shown
