"""XML, YAML and TOML as text under its names."""

from __future__ import annotations

import contextlib

import pytest

from core.documents import ExtractedDocument
from core.errors import Empty, ExtractionError
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.registry import extract


def _read(text: str, name: str) -> ExtractedDocument:
    return extract(Source(text.encode(), name))


def _blocks(document: ExtractedDocument) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


def test_records_of_xml_are_a_table() -> None:
    markup = '<orders xmlns="urn:x"><order id="1"><item>Rope</item><price>9.5</price></order>'
    markup += '<order id="2"><item>Oar</item><price>20</price></order></orders>'
    document = _read(f"<?xml version='1.0'?><!-- c -->{markup}", "a.xml")
    assert document.tables[0].rows == (("id", "item", "price"), ("1", "Rope", "9.5"), ("2", "Oar", "20"))
    assert [section.path for section in document.sections] == [("order",)]


def test_values_and_attributes_of_xml_stand_under_their_names() -> None:
    document = _read('<server port="80"><name>web</name><limits><memory unit="MB">512</memory></limits></server>', "a.xml")
    assert document.text == "port: 80\nname: web\n\nlimits\n\nlimits.memory.unit: MB\nlimits.memory.text: 512"


def test_prose_in_xml_has_headings_lists_code_and_formulas() -> None:
    document = _read(
        "<article><title>Lakes</title><section><title>Depth</title><para>It is <emphasis>deep</emphasis>.</para>"
        "<itemizedlist><listitem><para>one</para>"
        "</listitem></itemizedlist><programlisting>x = 1</programlisting>"
        "<para>So <math><msup><mi>x</mi><mn>2</mn></msup></math>.</para></section></article>",
        "a.dbk",
    )
    assert _blocks(document) == [
        ("heading", "Lakes"),
        ("heading", "Depth"),
        ("paragraph", "It is deep."),
        ("list_item", "• one"),
        ("code", "x = 1"),
        ("paragraph", "So x^2."),
    ]
    assert document.sections[-1].path == ("Lakes", "Depth")
    assert document.metadata.title == "Lakes"


def test_broken_xml_is_read_as_far_as_it_goes_with_a_warning() -> None:
    document = _read("<a><b>one</b><b>two</a>", "a.xml")
    assert "one" in document.text
    assert "not well formed" in document.warnings[0]
    assert "no valid XML" in _read("no <xml at all & more words", "a.xml").warnings[0]


def test_entities_of_xml_are_neither_expanded_nor_fetched() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha"}">' for n in range(9))
    document = _read(f'<!DOCTYPE a [{entities}<!ENTITY x SYSTEM "file:///etc/passwd">]><a><b>seen</b><c>&e8;&x;</c></a>', "a.xml")
    assert document.text.startswith("b: seen")
    assert len(document.text) < 200


def test_yaml_shows_values_under_their_keys_and_keeps_comments() -> None:
    document = _read(
        "# How the ferry runs\nferry:\n  # winter only\n  departs: 2024-05-01\n  stops: [Horn, Bay]\n---\n- {a: 1, b: x}\n- {a: 2, b: y}\n", "a.yml"
    )
    assert _blocks(document) == [
        ("paragraph", "How the ferry runs"),
        ("heading", "ferry"),
        ("paragraph", "ferry.departs: 2024-05-01\nferry.stops: Horn, Bay"),
        ("table", "a | b\n1 | x\n2 | y"),
        ("note", "winter only"),
    ]


def test_toml_is_read_like_it() -> None:
    assert _read('name = "x"\n[build]\ntool = "make"\n', "a.toml").text == "name: x\n\nbuild\n\nbuild.tool: make"


@pytest.mark.parametrize(
    ("text", "name"), [("port: {{ .Values.port }}\n", "a.yaml"), ("a = \n", "a.toml"), ("a: !!python/object:os.system x\n", "a.yaml")]
)
def test_what_is_no_valid_file_is_read_as_code(text: str, name: str) -> None:
    assert _blocks(_read(text, name)) == [("code", text.strip())]


def test_aliases_that_multiply_are_not_followed() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    document = _read(bomb, "a.yaml")
    assert document.parser == "code"
    assert len(document.text) < 2_000


def test_nothing_in_it_is_empty() -> None:
    for text, name in (("---\n", "a.yaml"), ("\n\n", "a.toml"), ("<a><b/></a>", "a.xml")):
        with pytest.raises(Empty):
            _read(text, name)


@pytest.mark.parametrize("depth", [50, 500, 20_000])
def test_nesting_without_end_ends(depth: int) -> None:
    with contextlib.suppress(ExtractionError):
        _read("<a>" * depth + "deep" + "</a>" * depth, "a.xml")
    with contextlib.suppress(ExtractionError):
        extract(Source(("[" * depth + "]" * depth).encode(), "a.yaml", ExtractionLimits()))
