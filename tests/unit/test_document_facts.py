"""What a document says of itself and of others: authors, dates, languages of sections, references."""

from __future__ import annotations

from datetime import date

import pytest

from core.documents import ExtractedDocument, ReferenceKind
from core.references import name_keys, reference_key
from ingestion.enrichment.authorship import authors_of, find_document_date
from ingestion.enrichment.document_references import find_references
from ingestion.enrichment.profile import profile_document
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract


def made(*paragraphs: str, parser: str = "text") -> ExtractedDocument:
    builder = DocumentBuilder(parser)
    for text in paragraphs:
        if text.startswith("# "):
            builder.heading(text[2:])
        else:
            builder.paragraph(text)
    return builder.build()


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("Quarterly report\nBy Mara Ellison and Tobias Renn\nThe quarter was calm.", ("Mara Ellison", "Tobias Renn")),
        ("Author: Dr. Ines van Okafor\nDate: 3 May 2024", ("Dr. Ines van Okafor",)),
        ("Prepared by: J. R. Holt", ()),  # initials alone are no name that is sure
        ("By the end of May all was done.", ()),
        ("Verfasser: Lena Groß, Jan Peter Müller", ("Lena Groß", "Jan Peter Müller")),
    ],
)
def test_authors_of_a_byline(text: str, authors: tuple[str, ...]) -> None:
    assert authors_of(made(text)) == authors


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Invoice\nInvoice date: 2024-03-05\nDue date: 2024-04-04", date(2024, 3, 5)),
        ("Rotterdam, 3 May 2024\n\nDear Mara,", date(2024, 5, 3)),
        ("Protokoll\nSitzung vom 07.11.2023", date(2023, 11, 7)),
        ("Datum: 1. März 2022", date(2022, 3, 1)),
        ("This agreement is dated March 9, 2021 and made between", date(2021, 3, 9)),
        ("Date: 03/04/2024", None),  # reads two ways
        ("Date: 31/04/2024", None),  # no such day
        ("Date: 25/04/2024", date(2024, 4, 25)),
        ("In the year after 3 May 2024 nothing happened.", None),
        ("3 May 2024\n\ntext\n\n4 May 2024", None),  # two days, each alone on its line
        ("Minutes of the works council of the ferry yard, 3 March 2026\nPresent: all", date(2026, 3, 3)),
        ("TILBURY ROPES\nQuotation 88/104     9 July 2025\nTo: all", date(2025, 7, 9)),
        ("Report for the year ended 31 December 2024\nIt went well.", None),
        ("Offer valid until 30 June 2026\nTwo pumps", None),
        ("Agreement\nThis amendment is made on 5 June 2024 between A and B.", date(2024, 6, 5)),
        ("Amendment\nIt is made on 5 June 2024 and takes effect on 1 August 2024.", date(2024, 8, 1)),
        ("Satzung\nDiese Satzung tritt am 1. April 2025 in Kraft.", date(2025, 4, 1)),
        ("Contacts\nPage last edited on 12 May 2025.", date(2025, 5, 12)),
        ("Date: Mon, 8 Sep 2025 10:26:00 +0100\nSubject: Keys", date(2025, 9, 8)),
        ("PROTOCOL\nDate of handover: 7 April 2020, 14:00", date(2020, 4, 7)),
        ("Name: Jo\nDate of birth: 7 April 1980", None),
        ("Hausordnung\nStand: Mai 2024", date(2024, 5, 1)),
        ("Preisliste\n(gültig ab Januar 2026)", date(2026, 1, 1)),
    ],
)
def test_the_day_that_a_document_gives_as_its_own(text: str, day: date | None) -> None:
    assert find_document_date(made(text)) == day


def test_a_section_in_another_language_is_named() -> None:
    english = "The harbour authority keeps the quay open at all times and answers every request within a week of its arrival. " * 3
    german = "Die Hafenbehörde hält den Kai jederzeit offen und beantwortet jede Anfrage innerhalb einer Woche nach ihrem Eingang. " * 3
    found = profile_document(made("# Rules", english, "# More rules", english, "# Regeln", german), "rules.txt")
    assert (found.language, found.section_languages) == ("en", ("", "", "de"))
    assert profile_document(made("# Rules", english, "# More", english), "rules.txt").section_languages == ()


def test_names_are_compared_without_articles_versions_and_accents() -> None:
    assert reference_key("The Travel Policy, Version 2") == reference_key("travel-policy v2") == "travel policy 2"
    assert name_keys("Travel_Policy.pdf", "Travel Policy – 2024") == ("travel policy pdf", "travel policy", "travel policy")
    assert reference_key("Über Zürich") == "uber zurich"
    assert reference_key("the") == "the"
    assert reference_key("") == ""


def kinds(text: ExtractedDocument, title: str = "Travel Policy 3") -> list[tuple[ReferenceKind, str, str]]:
    return [(each.kind, text.text[each.start : each.end], each.keys[0]) for each in find_references(text, title)]


def test_references_in_sentences() -> None:
    text = made(
        "This policy supersedes version 2. It replaces the Expense Guidelines of 2021 as well.",
        "For rates see Annex B. The form is in claim-form.xlsx, and see “Code of Conduct” for gifts.",
        "Nothing replaces a good night's sleep, see you soon.",
    )
    assert kinds(text) == [
        (ReferenceKind.SUPERSEDES, "version 2", "travel policy 2"),
        (ReferenceKind.SUPERSEDES, "Expense Guidelines of 2021", "expense guidelines 2021"),
        (ReferenceKind.REFERS_TO, "Annex B", "annex b"),
        (ReferenceKind.NAMES_FILE, "claim-form.xlsx", "claim form xlsx"),
        (ReferenceKind.REFERS_TO, "“Code of Conduct”", "code conduct"),
    ]
    quoted = made("It is all in “Claim form 2024.xlsx”, not in my mail to mara@example.pdf or www.example.org/a.pdf.")
    assert [each[1] for each in kinds(quoted)] == ["Claim form 2024.xlsx"]


@pytest.mark.parametrize(
    ("text", "name", "keys"),
    [
        (
            "It changes the lease of Mill 3 offices, Harrow Bridge, dated 4 May 2020.",
            "lease of Mill 3 offices, Harrow Bridge",
            {"mill 3 offices lease"},
        ),
        ("Amendment No. 4 to the Contract for Tug Services of 2 May 2021 follows.", "Contract for Tug Services", {"tug services contract"}),
        ("Nachtrag Nr. 1 zum Mietvertrag über das Lager Nord vom 3. Mai 2021", "Mietvertrag über das Lager Nord", {"mietvertrag uber lager nord"}),
        ("This letter amends “House rules of the marina”.", "House rules of the marina", {"house rules marina"}),
    ],
)
def test_what_a_document_amends(text: str, name: str, keys: set[str]) -> None:
    document = made(text)
    (found,) = [each for each in find_references(document, "Letter") if each.kind is ReferenceKind.AMENDS]
    assert found.target == name
    assert keys <= set(found.keys)


def test_what_merely_changes_amends_no_document() -> None:
    assert kinds(made("The weather changes the mood. Amendment No. 1 of 9 June 2022 stays in force. He changes the rules of thumb.")) == []


def test_a_part_of_the_document_itself_is_no_reference_to_another() -> None:
    assert kinds(made("# Rates", "For rates see Annex B.", "# Annex B: rates", "Ten euros.")) == []


def test_the_entries_of_a_bibliography() -> None:
    text = made(
        "# Study", "We build on [1].", "# References", "[1] A. Author. Harbours and their quays. Journal of Ports, 2020.", "# Thanks", "To all."
    )
    (found,) = find_references(text, "Study")
    assert (found.kind, found.keys[0]) == (ReferenceKind.CITES, "harbours and their quays")


def test_links_keep_their_place_and_their_target() -> None:
    page = (
        b"<p>See <a href='../rules/Travel%20Policy.pdf#page=2'>the policy</a>, <a href='#top'>top</a> or <a href='https://example.org/'>home</a>.</p>"
    )
    document = extract(Source(page, "page.html"))
    assert [(document.text[link.start : link.end], link.target) for link in document.links] == [
        ("the policy", "../rules/Travel%20Policy.pdf#page=2"),
        ("home", "https://example.org/"),
    ]
    assert [(each.kind, each.keys) for each in find_references(document, "")] == [(ReferenceKind.LINKS_TO, ("travel policy pdf",))]
    note = extract(Source(b"See [the policy](rules/policy.md) and\n\n| a | b |\n|---|---|\n| [x](y.pdf) | 2 |\n", "note.md"))
    assert [link.target for link in note.links] == ["rules/policy.md", "y.pdf"]


def test_hostile_text_ends_soon_and_gives_a_bounded_number() -> None:
    document = made("see Annex B " * 20_000, "supersedes " + "A " * 50_000, "a " * 50_000 + ".pdf", "By " + "Aa " * 5_000)
    assert len(find_references(document, "x" * 5_000)) <= 1_000
    assert authors_of(document) == ()
    assert find_document_date(document) is None
