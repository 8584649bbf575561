"""Formulas of MathML and of Office as text."""

from __future__ import annotations

import pytest
from lxml import etree

from ingestion.readers.base.formulas import mathml_text, omml_text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msup><mi>y</mi><mn>2</mn></msup>", "x^2 + y^2"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a + b)/c"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>", "∑_(i = 1)^n i"),
        ("<mi>sin</mi><mi>x</mi>", "sin x"),
        ("<semantics><mi>x</mi><annotation>frac</annotation></semantics>", "x"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot><msqrt><mi>y</mi></msqrt>", "3√(x)√(y)"),
        ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable>", "1, 0; 0, 1"),
        ("<mfrac><mi>a</mi></mfrac>", "a"),
    ],
)
def test_mathml(markup: str, text: str) -> None:
    assert mathml_text(etree.fromstring(f'<math xmlns="http://www.w3.org/1998/Math/MathML">{markup}</math>')) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup><m:r><m:t>+1</m:t></m:r>", "x^2 + 1"),
        ("<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>c</m:t></m:r></m:den></m:f>", "(a + b)/c"),
        ("<m:d><m:dPr><m:begChr m:val='['/></m:dPr><m:e><m:r><m:t>x</m:t></m:r></m:e></m:d>", "[x)"),
        (
            "<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub><m:r><m:t>i=1</m:t></m:r></m:sub><m:sup><m:r><m:t>n</m:t></m:r></m:sup>"
            "<m:e><m:r><m:t>i</m:t></m:r></m:e></m:nary>",
            "∑_(i = 1)^n i",
        ),
        (
            "<m:sSup><m:e><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup>"
            "</m:sSup>",
            "(a/b)^2",
        ),
        ("<m:rad><m:deg/><m:e><m:r><m:t>2</m:t></m:r></m:e></m:rad>", "√(2)"),
    ],
)
def test_omml(markup: str, text: str) -> None:
    root = etree.fromstring(f'<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">{markup}</m:oMath>')
    assert omml_text(root) == text


def test_formulas_nested_without_end_end() -> None:
    markup = "<mrow>" * 200 + "<mi>x</mi>" + "</mrow>" * 200
    assert mathml_text(etree.fromstring(f"<math>{markup}</math>")) == ""
