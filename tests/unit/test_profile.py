"""The statistical profile: title, summary, keywords, language and type."""

from __future__ import annotations

import pytest

from core.documents import BlockKind, DocumentProfile, Metadata, PageUnit
from ingestion.enrichment.profile import profile_document
from ingestion.readers.base.document_builder import DocumentBuilder

LEASE = """This lease agreement is made between Halden Properties and the tenant, Maria Olsen, for the workshop at Quay Street.
The tenant pays a monthly rent of 900 euros to the landlord in advance. The landlord keeps the roof and the walls of the workshop in repair.
Either party may terminate this lease agreement by giving three months notice in writing. The governing law is the law of Norway.
The weather in spring is often mild. Termination of the lease agreement does not release the tenant from rent that is already due."""
GERMAN = """Der Mietvertrag wird zwischen der Halden Immobilien und der Mieterin geschlossen. Die Mieterin zahlt die Miete monatlich im Voraus.
Die Kündigungsfrist beträgt drei Monate. Der Vermieter hält das Dach der Werkstatt instand. Die Kündigung des Mietvertrags bedarf der Schriftform."""
SPANISH = """El contrato de arrendamiento se celebra entre la propietaria y el inquilino. El inquilino paga la renta mensual por adelantado.
El plazo de preaviso es de tres meses. La propietaria mantiene el techo del taller en buen estado durante todo el contrato."""
FRENCH = """Le contrat de location est conclu entre la propriétaire et le locataire. Le locataire paie le loyer chaque mois à l'avance.
Le délai de préavis est de trois mois. La propriétaire entretient le toit de l'atelier pendant toute la durée du contrat."""


def made(text: str, filename: str = "file.txt", *, headings: tuple[str, ...] = (), parser: str = "text", **settings: object) -> DocumentProfile:
    builder = DocumentBuilder(parser, page_unit=settings.get("unit", PageUnit.NONE))  # type: ignore[arg-type]  # one of its members
    builder.metadata = Metadata(title=str(settings.get("title", "")))
    for heading in headings:
        builder.heading(heading)
    builder.paragraph(text)
    return profile_document(builder.build(), filename)


def test_a_summary_is_sentences_of_the_text_in_their_order() -> None:
    result = made(LEASE)
    text = " ".join(LEASE.split())
    places = [text.index(sentence.strip()) for sentence in result.summary.split(". ") if sentence.strip()]
    assert places == sorted(places)
    assert "weather" not in result.summary
    assert len(result.summary) < len(result.detailed_summary) <= len(text)
    assert result.generated_by == "statistics"


def test_keywords_are_what_the_text_is_about() -> None:
    keywords = made(LEASE).keywords
    assert 5 <= len(keywords) <= 10
    joined = " ".join(keywords).lower()
    assert "lease agreement" in joined
    assert "tenant" in joined
    assert not {"the", "and", "this", "between"} & set(joined.split())


@pytest.mark.parametrize(
    ("text", "language", "word"), [(LEASE, "en", "lease"), (GERMAN, "de", "miet"), (SPANISH, "es", "inquilino"), (FRENCH, "fr", "locataire")]
)
def test_languages(text: str, language: str, word: str) -> None:
    result = made(text)
    assert result.language == language
    assert word in " ".join(result.keywords).lower()


def test_too_little_text_has_no_language() -> None:
    assert made("42 km").language == ""


def test_the_title_is_the_files_own_if_it_is_about_the_text() -> None:
    assert made(LEASE, title="Halden lease agreement").title == "Halden lease agreement"


@pytest.mark.parametrize(
    "title", ["untitled", "Microsoft Word - Document1", "template_final_v3.docx", "Annual dinner menu", "PowerPoint-Präsentation"]
)
def test_a_title_that_says_nothing_gives_way_to_the_first_heading(title: str) -> None:
    assert made(LEASE, title=title, headings=("Workshop lease",)).title == "Workshop lease"


def with_text_in_front(first: str, following: str = LEASE) -> str:
    builder = DocumentBuilder("text", page_unit=PageUnit.NONE)
    builder.paragraph(first)
    builder.paragraph(following)
    return profile_document(builder.build(), "184.txt").title


@pytest.mark.parametrize(
    ("first", "title"),
    [
        ("The roof of the workshop", "The roof of the workshop"),
        ("on the wear of wire ropes that run\nover small sheaves .", "on the wear of wire ropes that run over small sheaves"),  # broken into lines
        ("Wear of wire ropes in cranes of small harbours: a study of nine quays in winter and in summer.",
         "Wear of wire ropes in cranes of small harbours: a study of nine quays in winter and in summer"),
        ("Acme Ltd.", "184"),
        ("Harbour Office\nQuay 7\nBristol", "Harbour Office"),
        ("Dear Ms Holm,", "184"),
        ("The roof leaks. It was mended.", "184"),
        ("rope " * 29 + "rope", ("rope " * 30).strip()),
        ("sheaves " * 30, ("sheaves " * 18).strip()),  # to the end of a word
    ],
)  # fmt: skip
def test_what_stands_alone_in_front_of_a_text_is_its_title(first: str, title: str) -> None:
    assert with_text_in_front(first) == title


def test_no_line_of_a_broken_sentence_is_a_title() -> None:
    assert made("The workshop at the quay was built in 1850 and\nhas been extended twice since then by the\nharbour board.").title == "file"
    assert with_text_in_front("A note that says more than\nwhat follows it", "It is short.") == "184"


@pytest.mark.parametrize(
    "first",
    [
        "where Y denotes the boats that answered; N all of them",
        "(As at end-March)",
        "Source: Marl harbour office, 1997",
        "Appendix 5 Page 8 of 11",
        "This page intentionally left blank",
        "Made with a trial version of a writer",
        "Contents",
    ],
)
def test_what_stands_at_the_top_of_a_page_and_is_no_title(first: str) -> None:
    assert made(LEASE, headings=(first,)).title == "file"
    assert made(LEASE, headings=(first, "Workshop lease")).title == "Workshop lease"


def test_a_note_in_front_of_a_text_is_no_title() -> None:
    assert with_text_in_front("(As at end-March)") == "184"


def test_without_a_title_the_name_is_made_readable() -> None:
    assert made(LEASE, "quay_street-lease 2024.pdf").title == "quay street lease 2024"


@pytest.mark.parametrize(
    ("text", "filename", "expected"),
    [
        (LEASE, "halden lease.docx", "contract"),
        ("Invoice number 17. Bill to: Vale Ltd. Amount due: 900 EUR. VAT included. Payment terms: 30 days.", "invoice-17.pdf", "invoice"),
        ("Dear Ms Olsen,\nthank you for your visit.\nYours faithfully,\nAnn Lee", "to olsen.txt", "letter"),
        ("Attendees: Ann, Bob. Agenda: the roof. Action items: ask the landlord. Next meeting in May.", "minutes 2024-05.md", "minutes"),
        ("Milk, eggs and bread for Saturday.", "shopping.txt", "note"),
    ],
)
def test_types_by_rules(text: str, filename: str, expected: str) -> None:
    assert made(text, filename).doc_type == expected


@pytest.mark.parametrize(
    ("unit", "parser", "expected"),
    [
        (PageUnit.SHEET, "xlsx", "spreadsheet"),
        (PageUnit.SLIDE, "pptx", "presentation"),
        (PageUnit.NONE, "email", "email"),
        (PageUnit.NONE, "code", "code"),
        (PageUnit.NONE, "csv", "data"),
    ],
)
def test_types_by_format(unit: PageUnit, parser: str, expected: str) -> None:
    assert made("some words in it", unit=unit, parser=parser).doc_type == expected


def test_a_table_is_summed_up_by_its_columns() -> None:
    builder = DocumentBuilder("csv")
    builder.table([["Item", "Cost"], ["Rent", "900"], ["Heat", "80"]])
    assert profile_document(builder.build(), "costs.csv").summary == "Item, Cost (2 rows)"


def test_furniture_is_no_content() -> None:
    builder = DocumentBuilder("pdf")
    for _ in range(20):
        builder.block(BlockKind.FURNITURE, "Confidential draft")
    builder.paragraph(LEASE)
    assert "draft" not in " ".join(profile_document(builder.build(), "a.pdf").keywords).lower()


def test_the_names_of_languages_in_a_menu_do_not_tell_the_language_of_a_page() -> None:
    builder = DocumentBuilder("html")
    for name in (
        "Afrikaans",
        "Bosanski",
        "Hrvatski",
        "Srpski / српски",
        "Srpskohrvatski",
        "Македонски",
        "Български",
        "Slovenščina",
        "Русский",
        "Українська",
    ) * 12:
        builder.list_item(name)
    builder.paragraph("The river rises in the hills above the town and reaches the sea at the old harbour after a course of forty miles.")
    builder.paragraph("Two mills stand on its banks, of which the lower one was built in the eighteenth century and still grinds barley.")
    assert profile_document(builder.build(), "river.html").language == "en"
