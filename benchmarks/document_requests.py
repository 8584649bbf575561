"""Requests for documents of `benchmarks.document_library`, with the files that are meant: what `python -m benchmarks.document_finding` asks.

They were written before any of them was asked. The files were found by other means than the product's: the kinds by the files' suffixes, the words by
a regular expression over the whole extracted text, the days by the files' own, what they are about by reading them. `wanted` must all be listed,
`allowed` may be, nothing else; both are file names, with * for any characters. Nothing wanted: there is no such document, and that must be said.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Group = Literal["kind", "name", "topic", "date", "mention"]


class RequestCase(NamedTuple):
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

FIRST_REQUESTS: dict[Group, tuple[RequestCase, ...]] = {
    "kind": (
        RequestCase("my PDFs", "*.pdf"),
        RequestCase("show me all the spreadsheets", _TABLES),
        RequestCase("can you list the excel files please", "*.xlsx *.xls"),
        RequestCase("csv files", "*.csv"),
        RequestCase("which presentations do we have?", _SLIDES),
        RequestCase("i need the word documents", "*.docx *.doc", "*.odt *.rtf"),
        RequestCase("Wo sind meine E-Mails?", "*.eml *.msg"),
        RequestCase("zeig mir alle Präsentationen", _SLIDES),
        RequestCase("show me web pages", "*.html"),
        RequestCase("any pictures in here?", "image001.jpg google.png"),
        RequestCase("list teh powerpoint files", "*.pptx *.ppt", "*.odp"),
        RequestCase("are there any contracts?", "sydney_disclosure_contract.pdf"),
        RequestCase("do we have invoices or receipts", "kvp_data_example.html", "movie-theater-booking-2024.pdf"),
        RequestCase("Gibt es Handbücher?", "npe_issue_206.pdf", "embedded-images.pdf"),
        RequestCase("all cvs"),
        RequestCase("Show me my leases"),
    ),
    "name": (
        RequestCase("find the file eng_spa_mult", "eng_spa_mult.ppt eng_spa_mult.rtf"),
        RequestCase("show me wiki_duck.html", "wiki_duck.html"),
        RequestCase("where is the linnsequencer poster", "poster.pdf"),
        RequestCase("open the stanley cups csv", "stanley-cups.csv"),
        RequestCase("the hexagon programmer's manual", "npe_issue_206.pdf"),
        RequestCase("can u find the mexican towns pdf", "mexican_towns.pdf"),
        RequestCase("find the teams chat", "teams_chat.docx"),
        RequestCase("the forest laboratories disclosure report please", "frx_2012_disclosure.pdf"),
        RequestCase("Where's the Seattle General Hospital report?", "MEDRPT-2024-PAT-3847_medical_report_scan.pdf"),
        RequestCase("which file is called grouped images", "docx_grouped_images.docx"),
        RequestCase("documents named shared formula", "shared_formula_reversed.xlsx shared_formula_simple.xlsx"),
        RequestCase("Could you show me the sample presentation?", "sample-presentation.pptx"),
        RequestCase("Zeige mir die Datei mit dem Namen merge_cells", "merge_cells.xlsx"),
        RequestCase('the mail "Google Account password changed"', "email-no-utf8-2014-03-17.111517.eml"),
        RequestCase("find the email titled Test Email Message", "test_outlook_msg.msg"),
        RequestCase("do I have a file called budget2026?"),
    ),
    "topic": (
        RequestCase("Show me the spreadsheet about ducks", "xlsx_05_table_with_title.xlsx"),
        RequestCase("documents about mercury", "us-039.pdf us-040.pdf"),
        RequestCase("what do we have on HIV?", "background_lines_1.pdf", "eu-021.pdf"),
        RequestCase("anything about natural gas in the mediterranean?", "chevron-page.pdf"),
        RequestCase("do you have something on gun background checks", "nics-background-checks-2015-11-rotated.pdf"),
        RequestCase("find me the presentation on multi-agent LLM applications", "test.pptx"),
        RequestCase("files about human rights", "eng_spa.xlsx eng_spa_mult.ppt eng_spa_mult.rtf"),
        RequestCase("emails about sponsorship", "email-replace-mime-encodings-error-5.eml"),
        RequestCase("Welche Dateien handeln von Enten?", "wiki_duck.html xlsx_05_table_with_title.xlsx", "word_sample.docx docx_lists.docx"),
        RequestCase("find the linzensoep recipe", "2400dpi.pdf"),
        RequestCase("which documents are about the school board", "cupertino_usd_4-6-16.pdf", "eu-014.pdf"),
        RequestCase("pdfs on corrosion", "embedded-images-tables.pdf"),
        RequestCase("Unterlagen über Datenschutz"),
        RequestCase("documents about volcanoes"),
        RequestCase("show me everything about server electricity use", "spanning_cells.pdf"),
        RequestCase("my emails about the AWS conference", "email-replace-mime-encodings-error-3.eml"),
    ),
    "date": (
        RequestCase("documents from 2013", _OF_2013),
        RequestCase("Documents from Q2 2024", "example_01.html example_02.html eng_spa_mult.ppt eng_spa_mult.rtf test_mskanji.csv"),
        RequestCase("everything from last week", _LAST_WEEK),
        RequestCase("pdfs from march 2024", "line-char-render-example.pdf"),
        RequestCase("presentations from November 2012", _OF_2012),
        RequestCase(
            "emails since 2023",
            "email-replace-mime-encodings-error-2.eml email-with-image.eml fake-encrypted.msg test_outlook_msg.msg mime-multi-to-cc-bcc.eml "
            "email-inline-content-disposition.eml",
        ),
        RequestCase("what files do i have from before 2010", "ExcelTables.xlsx spanning_cells.pdf footnotes.docx"),
        RequestCase("spreadsheets changed in 2017", "issues.xlsx column_width.xlsx"),
        RequestCase("the oldest pdf", "spanning_cells.pdf"),
        RequestCase("Dokumente aus dem Jahr 2017", "nics-background-checks-2015-11-rotated.pdf column_width.xlsx poster.pdf"),
        RequestCase("mails from october 2022", "email-replace-mime-encodings-error-3.eml"),
        RequestCase("files between 2018 and 2020", "embedded-images-tables.pdf sct-first-page-hdrftr.docx normal_4pages.pdf"),
        RequestCase("E-Mails von gestern"),
        RequestCase("pdf files dated april 2013", _ICDAR),
        RequestCase("Dateien von letzter Woche", _LAST_WEEK),
        RequestCase("files modified in June 2026", _CHANGED_JUNE_2026),
    ),
    "mention": (
        RequestCase("which documents mention Berlin?", "email-replace-mime-encodings-error-5.eml empty_shared_string_value.xlsx"),
        RequestCase(
            'Which files contain the phrase "lorem ipsum"?',
            f"{_LOREM} fake.doc odf_presentation_02.odp text_document_01.odt",
            "semicolon-delimited.csv",
        ),
        RequestCase("documents that mention Docling", "docx_grouped_images.docx docx_lists.docx kvp_data_example.html ocr_test_rotated_180.pdf"),
        RequestCase(
            "list every PDF that contains the word insurance",
            "MEDRPT-2024-PAT-3847_medical_report_scan.pdf normal_4pages.pdf sydney_disclosure_contract.pdf",
        ),
        RequestCase("which file names Steve Canny", "comments-rich-para.docx"),
        RequestCase('find "human beings are born free"', "eng_spa.xlsx eng_spa_mult.ppt eng_spa_mult.rtf"),
        RequestCase("emails mentioning google", "email-no-utf8-2014-03-17.111517.eml email-replace-mime-encodings-error-4.eml"),
        RequestCase("Welche Dokumente erwähnen James Bond?", "teams_chat.docx"),
        RequestCase("in which documents does the word firearms occur?", "nics-background-checks-2015-11-rotated.pdf us-029.pdf"),
        RequestCase("where is wikipedia mentioned", "wiki_duck.html"),
        RequestCase("any file with the word 'equation'", "table_with_equations.docx us-040.pdf"),
        RequestCase('Welche PDFs enthalten "Lorem ipsum"?', _LOREM),
        RequestCase("documents containing zeppelin"),
        RequestCase("which spreadsheets mention Alice", "empty_shared_string_value.xlsx"),
        RequestCase("show me files where San Diego is named", "frx_2012_disclosure.pdf"),
        RequestCase("does any document mention Karlshavn"),
    ),
}

# Written after the first had been mended, in other words.
FRESH_REQUESTS: dict[Group, tuple[RequestCase, ...]] = {
    "kind": (
        RequestCase("gimme every powerpoint", "*.pptx *.ppt", "*.odp"),
        RequestCase("are there any invoices from 2019"),
        RequestCase("Hast du irgendwelche Tabellen?", _TABLES),
        RequestCase("show images", "image001.jpg google.png"),
    ),
    "name": (
        RequestCase("I'm looking for the file word_sample.docx", "word_sample.docx"),
        RequestCase("is there a document titled Wild Duck Observations", "xlsx_05_table_with_title.xlsx"),
        RequestCase("pull up the cupertino agenda", "cupertino_usd_4-6-16.pdf"),
        RequestCase("Öffne die Präsentation AutoGen", "test.pptx"),
    ),
    "topic": (
        RequestCase("got anything on firearms?", "nics-background-checks-2015-11-rotated.pdf us-029.pdf"),
        RequestCase("reports dealing with students", "eu-021.pdf", "eu-014.pdf us-012.pdf"),
        RequestCase("Dokumente zum Thema mercury", "us-039.pdf us-040.pdf"),
        RequestCase("the email regarding intellectual property", "email-replace-mime-encodings-error-4.eml"),
    ),
    "date": (
        RequestCase("what came in last week?", _LAST_WEEK),
        RequestCase("which pdfs were created in 2017", "nics-background-checks-2015-11-rotated.pdf poster.pdf"),
        RequestCase("documents older than 2010", "ExcelTables.xlsx spanning_cells.pdf footnotes.docx"),
        RequestCase(
            "Welche E-Mails sind aus 2022?",
            "email-replace-mime-encodings-error-3.eml email-replace-mime-encodings-error-4.eml email-replace-mime-encodings-error-5.eml "
            "fake-email-b64.eml",
        ),
    ),
    "mention": (
        RequestCase("every document with the phrase 'quantum computer'"),
        RequestCase(
            "files that have the word hyperlink in them",
            "par-rendered-page-breaks.docx comments-rich-para.docx unit_test_formatting.docx with_japanese.pptx",
        ),
        RequestCase("Dokumente mit dem Wort Docling", "docx_grouped_images.docx docx_lists.docx kvp_data_example.html ocr_test_rotated_180.pdf"),
        RequestCase("which emails talk about a password", "email-no-utf8-2014-03-17.111517.eml"),
    ),
}

# Written after the fresh ones had been mended, too.
LATER_REQUESTS: dict[Group, tuple[RequestCase, ...]] = {
    "kind": (
        RequestCase("I want to see every Excel sheet we own", "*.xlsx *.xls"),
        RequestCase("which of my files are slides?", _SLIDES),
        RequestCase("Bitte alle PDF-Dateien auflisten", "*.pdf"),
        RequestCase("emails or web pages", "*.eml *.msg *.html"),
    ),
    "name": (
        RequestCase("ExcelTables.xlsx", "ExcelTables.xlsx"),
        RequestCase("can you pull the doc titled 'Grouped images' for me", "docx_grouped_images.docx"),
        RequestCase("where did i put the movie theater booking?", "movie-theater-booking-2024.pdf"),
        RequestCase("Suche die Datei campaign_donors.pdf", "campaign_donors.pdf"),
    ),
    "topic": (
        RequestCase("what documents discuss corrosion?", "embedded-images-tables.pdf"),
        RequestCase("any spreadsheets related to switchboards?", "xlsx_07_gap_tolerance_.xlsx"),
        RequestCase("Gibt es etwas über Corrosion?", "embedded-images-tables.pdf"),
        RequestCase("show me whatever we have about dinosaurs"),
    ),
    "date": (
        RequestCase("stuff from 2016", "cupertino_usd_4-6-16.pdf superscript.pdf background_lines_1.pdf issues.xlsx 2400dpi.pdf npe_issue_206.pdf"),
        RequestCase("the oldest spreadsheet", "ExcelTables.xlsx"),
        RequestCase("word documents written in 2023", "par-rendered-page-breaks.docx par-hlink-frags.docx blk-inner-content.docx"),
        RequestCase("PDFs vom Dezember 2018", "embedded-images-tables.pdf"),
    ),
    "mention": (
        RequestCase("list anything that talks about James Bond", "teams_chat.docx"),
        RequestCase("which pdfs have the word hexagon", "npe_issue_206.pdf"),
        RequestCase('"Natural gas" - which file says that?', "chevron-page.pdf"),
        RequestCase("Zeig mir Dateien, die das Wort Boston enthalten", "image001.jpg"),
    ),
}
