"""Requests for documents of `benchmarks.finding_library`, with the files that are meant: what `python -m benchmarks.finding_documents` asks.

They were written before any of them was asked. The files were found by other means than the product's: the kinds by the files' suffixes, the words by
a regular expression over the whole extracted text, the days by the files' own, what they are about by reading them. `wanted` must all be listed,
`allowed` may be, nothing else; both are file names, with * for any characters. Nothing wanted: there is no such document, and that must be said.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Group = Literal["kind", "name", "topic", "date", "mention"]


class Wanted(NamedTuple):
    request: str
    wanted: str = ""
    allowed: str = ""


_TABLES = "*.xlsx *.xls *.csv"
_SLIDES = "*.pptx *.ppt *.odp"
_LOREM = "code_and_formula.pdf pdflatex-image.pdf picture_classification.pdf loremipsum-flat.pdf"
_ICDAR = "eu-007.pdf eu-008.pdf eu-014.pdf eu-021.pdf us-004.pdf us-010.pdf us-012.pdf us-029.pdf us-035a.pdf us-039.pdf us-040.pdf"
_LAST_WEEK = "csv-too-many-columns.csv stanley-cups.csv table-multi-row-column-cells-actual.csv example-10k-1p.html table_03.html"
_OF_2012 = (
    "missing_rels_item.pptx cht-charts.pptx ph-populated-placeholders.pptx shp-common-props.pptx txt-font-props.pptx sld-notes.pptx shp-shapes.pptx "
    "tbl-cell.pptx cht-datalabels.pptx txt-text-frame.pptx txt-text.pptx"
)
_OF_2013 = (
    f"{_ICDAR} sydney_disclosure_contract.pdf frx_2012_disclosure.pdf campaign_donors.pdf argentina_diputados_voting_record.pdf "
    "docx_list_resumed_numbering.docx tbl-having-applied-style.docx fake.doc"
)
_CHANGED_JUNE_2026 = "odf_presentation_01.odp odf_presentation_02.odp text_document_01.odt text_document_03.odt date_quoted_format.xlsx"

FIRST: dict[Group, tuple[Wanted, ...]] = {
    "kind": (
        Wanted("my PDFs", "*.pdf"),
        Wanted("show me all the spreadsheets", _TABLES),
        Wanted("can you list the excel files please", "*.xlsx *.xls"),
        Wanted("csv files", "*.csv"),
        Wanted("which presentations do we have?", _SLIDES),
        Wanted("i need the word documents", "*.docx *.doc", "*.odt *.rtf"),
        Wanted("Wo sind meine E-Mails?", "*.eml *.msg"),
        Wanted("zeig mir alle Präsentationen", _SLIDES),
        Wanted("show me web pages", "*.html"),
        Wanted("any pictures in here?", "image001.jpg google.png"),
        Wanted("list teh powerpoint files", "*.pptx *.ppt", "*.odp"),
        Wanted("are there any contracts?", "sydney_disclosure_contract.pdf"),
        Wanted("do we have invoices or receipts", "kvp_data_example.html", "movie-theater-booking-2024.pdf"),
        Wanted("Gibt es Handbücher?", "npe_issue_206.pdf", "embedded-images.pdf"),
        Wanted("all cvs"),
        Wanted("Show me my leases"),
    ),
    "name": (
        Wanted("find the file eng_spa_mult", "eng_spa_mult.ppt eng_spa_mult.rtf"),
        Wanted("show me wiki_duck.html", "wiki_duck.html"),
        Wanted("where is the linnsequencer poster", "poster.pdf"),
        Wanted("open the stanley cups csv", "stanley-cups.csv"),
        Wanted("the hexagon programmer's manual", "npe_issue_206.pdf"),
        Wanted("can u find the mexican towns pdf", "mexican_towns.pdf"),
        Wanted("find the teams chat", "teams_chat.docx"),
        Wanted("the forest laboratories disclosure report please", "frx_2012_disclosure.pdf"),
        Wanted("Where's the Seattle General Hospital report?", "MEDRPT-2024-PAT-3847_medical_report_scan.pdf"),
        Wanted("which file is called grouped images", "docx_grouped_images.docx"),
        Wanted("documents named shared formula", "shared_formula_reversed.xlsx shared_formula_simple.xlsx"),
        Wanted("Could you show me the sample presentation?", "sample-presentation.pptx"),
        Wanted("Zeige mir die Datei mit dem Namen merge_cells", "merge_cells.xlsx"),
        Wanted('the mail "Google Account password changed"', "email-no-utf8-2014-03-17.111517.eml"),
        Wanted("find the email titled Test Email Message", "test_outlook_msg.msg"),
        Wanted("do I have a file called budget2026?"),
    ),
    "topic": (
        Wanted("Show me the spreadsheet about ducks", "xlsx_05_table_with_title.xlsx"),
        Wanted("documents about mercury", "us-039.pdf us-040.pdf"),
        Wanted("what do we have on HIV?", "background_lines_1.pdf", "eu-021.pdf"),
        Wanted("anything about natural gas in the mediterranean?", "chevron-page.pdf"),
        Wanted("do you have something on gun background checks", "nics-background-checks-2015-11-rotated.pdf"),
        Wanted("find me the presentation on multi-agent LLM applications", "test.pptx"),
        Wanted("files about human rights", "eng_spa.xlsx eng_spa_mult.ppt eng_spa_mult.rtf"),
        Wanted("emails about sponsorship", "email-replace-mime-encodings-error-5.eml"),
        Wanted("Welche Dateien handeln von Enten?", "wiki_duck.html xlsx_05_table_with_title.xlsx", "word_sample.docx docx_lists.docx"),
        Wanted("find the linzensoep recipe", "2400dpi.pdf"),
        Wanted("which documents are about the school board", "cupertino_usd_4-6-16.pdf", "eu-014.pdf"),
        Wanted("pdfs on corrosion", "embedded-images-tables.pdf"),
        Wanted("Unterlagen über Datenschutz"),
        Wanted("documents about volcanoes"),
        Wanted("show me everything about server electricity use", "spanning_cells.pdf"),
        Wanted("my emails about the AWS conference", "email-replace-mime-encodings-error-3.eml"),
    ),
    "date": (
        Wanted("documents from 2013", _OF_2013),
        Wanted("Documents from Q2 2024", "example_01.html example_02.html eng_spa_mult.ppt eng_spa_mult.rtf test_mskanji.csv"),
        Wanted("everything from last week", _LAST_WEEK),
        Wanted("pdfs from march 2024", "line-char-render-example.pdf"),
        Wanted("presentations from November 2012", _OF_2012),
        Wanted(
            "emails since 2023",
            "email-replace-mime-encodings-error-2.eml email-with-image.eml fake-encrypted.msg test_outlook_msg.msg mime-multi-to-cc-bcc.eml "
            "email-inline-content-disposition.eml",
        ),
        Wanted("what files do i have from before 2010", "ExcelTables.xlsx spanning_cells.pdf footnotes.docx"),
        Wanted("spreadsheets changed in 2017", "issues.xlsx column_width.xlsx"),
        Wanted("the oldest pdf", "spanning_cells.pdf"),
        Wanted("Dokumente aus dem Jahr 2017", "nics-background-checks-2015-11-rotated.pdf column_width.xlsx poster.pdf"),
        Wanted("mails from october 2022", "email-replace-mime-encodings-error-3.eml"),
        Wanted("files between 2018 and 2020", "embedded-images-tables.pdf sct-first-page-hdrftr.docx normal_4pages.pdf"),
        Wanted("E-Mails von gestern"),
        Wanted("pdf files dated april 2013", _ICDAR),
        Wanted("Dateien von letzter Woche", _LAST_WEEK),
        Wanted("files modified in June 2026", _CHANGED_JUNE_2026),
    ),
    "mention": (
        Wanted("which documents mention Berlin?", "email-replace-mime-encodings-error-5.eml empty_shared_string_value.xlsx"),
        Wanted(
            'Which files contain the phrase "lorem ipsum"?',
            f"{_LOREM} fake.doc odf_presentation_02.odp text_document_01.odt",
            "semicolon-delimited.csv",
        ),
        Wanted("documents that mention Docling", "docx_grouped_images.docx docx_lists.docx kvp_data_example.html ocr_test_rotated_180.pdf"),
        Wanted(
            "list every PDF that contains the word insurance",
            "MEDRPT-2024-PAT-3847_medical_report_scan.pdf normal_4pages.pdf sydney_disclosure_contract.pdf",
        ),
        Wanted("which file names Steve Canny", "comments-rich-para.docx"),
        Wanted('find "human beings are born free"', "eng_spa.xlsx eng_spa_mult.ppt eng_spa_mult.rtf"),
        Wanted("emails mentioning google", "email-no-utf8-2014-03-17.111517.eml email-replace-mime-encodings-error-4.eml"),
        Wanted("Welche Dokumente erwähnen James Bond?", "teams_chat.docx"),
        Wanted("in which documents does the word firearms occur?", "nics-background-checks-2015-11-rotated.pdf us-029.pdf"),
        Wanted("where is wikipedia mentioned", "wiki_duck.html"),
        Wanted("any file with the word 'equation'", "table_with_equations.docx us-040.pdf"),
        Wanted('Welche PDFs enthalten "Lorem ipsum"?', _LOREM),
        Wanted("documents containing zeppelin"),
        Wanted("which spreadsheets mention Alice", "empty_shared_string_value.xlsx"),
        Wanted("show me files where San Diego is named", "frx_2012_disclosure.pdf"),
        Wanted("does any document mention Karlshavn"),
    ),
}

# Written after the first had been mended, in other words.
FRESH: dict[Group, tuple[Wanted, ...]] = {
    "kind": (
        Wanted("gimme every powerpoint", "*.pptx *.ppt", "*.odp"),
        Wanted("are there any invoices from 2019"),
        Wanted("Hast du irgendwelche Tabellen?", _TABLES),
        Wanted("show images", "image001.jpg google.png"),
    ),
    "name": (
        Wanted("I'm looking for the file word_sample.docx", "word_sample.docx"),
        Wanted("is there a document titled Wild Duck Observations", "xlsx_05_table_with_title.xlsx"),
        Wanted("pull up the cupertino agenda", "cupertino_usd_4-6-16.pdf"),
        Wanted("Öffne die Präsentation AutoGen", "test.pptx"),
    ),
    "topic": (
        Wanted("got anything on firearms?", "nics-background-checks-2015-11-rotated.pdf us-029.pdf"),
        Wanted("reports dealing with students", "eu-021.pdf", "eu-014.pdf us-012.pdf"),
        Wanted("Dokumente zum Thema mercury", "us-039.pdf us-040.pdf"),
        Wanted("the email regarding intellectual property", "email-replace-mime-encodings-error-4.eml"),
    ),
    "date": (
        Wanted("what came in last week?", _LAST_WEEK),
        Wanted("which pdfs were created in 2017", "nics-background-checks-2015-11-rotated.pdf poster.pdf"),
        Wanted("documents older than 2010", "ExcelTables.xlsx spanning_cells.pdf footnotes.docx"),
        Wanted(
            "Welche E-Mails sind aus 2022?",
            "email-replace-mime-encodings-error-3.eml email-replace-mime-encodings-error-4.eml email-replace-mime-encodings-error-5.eml "
            "fake-email-b64.eml",
        ),
    ),
    "mention": (
        Wanted("every document with the phrase 'quantum computer'"),
        Wanted(
            "files that have the word hyperlink in them",
            "par-rendered-page-breaks.docx comments-rich-para.docx unit_test_formatting.docx with_japanese.pptx",
        ),
        Wanted("Dokumente mit dem Wort Docling", "docx_grouped_images.docx docx_lists.docx kvp_data_example.html ocr_test_rotated_180.pdf"),
        Wanted("which emails talk about a password", "email-no-utf8-2014-03-17.111517.eml"),
    ),
}

# Written after the fresh ones had been mended, too.
LATER: dict[Group, tuple[Wanted, ...]] = {
    "kind": (
        Wanted("I want to see every Excel sheet we own", "*.xlsx *.xls"),
        Wanted("which of my files are slides?", _SLIDES),
        Wanted("Bitte alle PDF-Dateien auflisten", "*.pdf"),
        Wanted("emails or web pages", "*.eml *.msg *.html"),
    ),
    "name": (
        Wanted("ExcelTables.xlsx", "ExcelTables.xlsx"),
        Wanted("can you pull the doc titled 'Grouped images' for me", "docx_grouped_images.docx"),
        Wanted("where did i put the movie theater booking?", "movie-theater-booking-2024.pdf"),
        Wanted("Suche die Datei campaign_donors.pdf", "campaign_donors.pdf"),
    ),
    "topic": (
        Wanted("what documents discuss corrosion?", "embedded-images-tables.pdf"),
        Wanted("any spreadsheets related to switchboards?", "xlsx_07_gap_tolerance_.xlsx"),
        Wanted("Gibt es etwas über Corrosion?", "embedded-images-tables.pdf"),
        Wanted("show me whatever we have about dinosaurs"),
    ),
    "date": (
        Wanted("stuff from 2016", "cupertino_usd_4-6-16.pdf superscript.pdf background_lines_1.pdf issues.xlsx 2400dpi.pdf npe_issue_206.pdf"),
        Wanted("the oldest spreadsheet", "ExcelTables.xlsx"),
        Wanted("word documents written in 2023", "par-rendered-page-breaks.docx par-hlink-frags.docx blk-inner-content.docx"),
        Wanted("PDFs vom Dezember 2018", "embedded-images-tables.pdf"),
    ),
    "mention": (
        Wanted("list anything that talks about James Bond", "teams_chat.docx"),
        Wanted("which pdfs have the word hexagon", "npe_issue_206.pdf"),
        Wanted('"Natural gas" - which file says that?', "chevron-page.pdf"),
        Wanted("Zeig mir Dateien, die das Wort Boston enthalten", "image001.jpg"),
    ),
}
