"""Formulas as text on one line that can be read and found: "x^2 + y^2", "(a + b)/c", "√(x)", "∑_(i=1)^n i"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_MAX_DEPTH = 40
_ATOM = re.compile(r"^(?:[\w.,′'∞]+|[^\s\w]|[(\[{|][^()\[\]{}|]*[)\]}|])$")
_SPACED = frozenset("= + - − ± ∓ < > ≤ ≥ ≠ ≈ ≡ ∼ ∝ ⊂ ⊆ ⊃ ∈ ∉ ∪ ∩ × · ⋅ ÷ → ⇒ ⇔ ↔ ∧ ∨ :=".split())
_INVISIBLE = re.compile("[\u2061-\u2064\u200b]")
_SPACES = re.compile(r"\s+")


def mathml_text(element: Any) -> str:
    """Write out the text of a MathML element (`math` or any part of it)."""
    return _tidy(_mathml(element, 0))


def omml_text(element: Any) -> str:
    """Write out the text of a formula of Office (`m:oMath`, `m:oMathPara` or any part of them)."""
    return _tidy(_omml(element, 0))


def _tidy(text: str) -> str:
    text = _SPACES.sub(" ", _INVISIBLE.sub("", text)).strip()
    return text.replace("( ", "(").replace(" )", ")")


def _bracketed(text: str) -> str:
    """Return a formula in brackets, unless it is one sign, one word or in brackets already."""
    text = text.strip()
    return text if not text or _ATOM.match(text) else f"({text})"


def _script(base: str, below: str, above: str) -> str:
    base = base.strip()
    base = _bracketed(base) if " " in base or "/" in base else base
    return base + (f"_{_bracketed(below)}" if below.strip() else "") + (f"^{_bracketed(above)}" if above.strip() else "")


def _fraction(above: str, below: str) -> str:
    return f"{_bracketed(above)}/{_bracketed(below)}"


def _root(content: str, degree: str = "") -> str:
    return f"{'√' if degree.strip() in ('', '2') else degree.strip() + '√'}({content.strip()})"


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""


# -- MathML ------------------------------------------------------------------------------------------------------------------------------


def _mathml(element: Any, depth: int) -> str:
    name = _name(element)
    if not name or depth > _MAX_DEPTH or name in ("annotation", "annotation-xml"):
        return ""
    if name in ("mi", "mn", "mtext", "ms", "mo"):
        text = " ".join("".join(element.itertext()).split())
        return f" {text} " if name == "mo" and text in _SPACED else text + (" " if text == "," else "")
    if name == "mspace":
        return " "
    parts = [_mathml(child, depth + 1) for child in element if _name(child)]
    if name in _MATHML and len(parts) >= _MATHML[name][0]:
        return _MATHML[name][1](parts)
    return _MATHML_ROWS.get(name, "").join(parts) if name in _MATHML_ROWS else _join_row(parts)


def _join_row(parts: list[str]) -> str:
    """Join the parts of a row: a name of several letters ("sin") stands apart from what follows it."""
    written = ""
    for part in parts:
        apart = written[-2:].isalpha() and len(written) > 1 and part[:1].isalnum()
        written += f" {part}" if apart else part
    return written


_MATHML: dict[str, tuple[int, Callable[[list[str]], str]]] = {
    "msup": (2, lambda parts: _script(parts[0], "", parts[1])),
    "msub": (2, lambda parts: _script(parts[0], parts[1], "")),
    "msubsup": (3, lambda parts: _script(parts[0], parts[1], parts[2])),
    "munder": (2, lambda parts: _script(parts[0], parts[1], "") + " "),
    "mover": (2, lambda parts: _script(parts[0], "", parts[1])),
    "munderover": (3, lambda parts: _script(parts[0], parts[1], parts[2]) + " "),
    "mfrac": (2, lambda parts: _fraction(parts[0], parts[1])),
    "msqrt": (1, lambda parts: _root(_join_row(parts))),
    "mroot": (2, lambda parts: _root(parts[0], parts[1])),
    "mfenced": (1, lambda parts: f"({', '.join(part.strip() for part in parts)})"),
    "semantics": (1, lambda parts: parts[0]),
}
_MATHML_ROWS = {"mtable": "; ", "mtr": ", ", "mlabeledtr": ", "}


# -- OMML --------------------------------------------------------------------------------------------------------------------------------


def _omml(element: Any, depth: int) -> str:
    name = _name(element)
    if not name or depth > _MAX_DEPTH or name.endswith("Pr") or name in ("del", "moveFrom", "delText", "instrText"):
        return ""
    if name == "t":
        return _operators(element.text or "")
    if name in _OMML:
        return _OMML[name](element, depth + 1)
    return "".join(_omml(child, depth + 1) for child in element)


def _operators(text: str) -> str:
    return re.sub(r"\s*([=+−±<>≤≥≠≈≡×⋅·÷→⇒]|(?<=\S)-(?=\s*\S))\s*", r" \1 ", text) if len(text) > 1 else (f" {text} " if text in _SPACED else text)


def _argument(element: Any, name: str, depth: int) -> str:
    found = next((child for child in element if _name(child) == name), None)
    return _omml(found, depth).strip() if found is not None else ""


def _property(element: Any, name: str, default: str) -> str:
    """Return the value of a property; what is there without a value is meant to be nothing."""
    for properties in element:
        if _name(properties).endswith("Pr"):
            for child in properties:
                if _name(child) == name:
                    return str(next((value for key, value in child.attrib.items() if str(key).endswith("val")), ""))
    return default


def _delimiters(element: Any, depth: int) -> str:
    inner = ", ".join(_omml(child, depth).strip() for child in element if _name(child) == "e")
    return _property(element, "begChr", "(") + inner + _property(element, "endChr", ")")


def _big_operator(element: Any, depth: int) -> str:
    sign = _property(element, "chr", "∫")
    return f"{_script(sign, _argument(element, 'sub', depth), _argument(element, 'sup', depth))} {_argument(element, 'e', depth)}"


def _rows(element: Any, depth: int) -> str:
    rows = [child for child in element if _name(child) in ("mr", "e")]
    return "; ".join(", ".join(_omml(cell, depth).strip() for cell in row) if _name(row) == "mr" else _omml(row, depth).strip() for row in rows)


_OMML: dict[str, Callable[[Any, int], str]] = {
    "f": lambda e, d: _fraction(_argument(e, "num", d), _argument(e, "den", d)),
    "sSup": lambda e, d: _script(_argument(e, "e", d), "", _argument(e, "sup", d)),
    "sSub": lambda e, d: _script(_argument(e, "e", d), _argument(e, "sub", d), ""),
    "sSubSup": lambda e, d: _script(_argument(e, "e", d), _argument(e, "sub", d), _argument(e, "sup", d)),
    "sPre": lambda e, d: _script("", _argument(e, "sub", d), _argument(e, "sup", d)) + _argument(e, "e", d),
    "rad": lambda e, d: _root(_argument(e, "e", d), _argument(e, "deg", d)),
    "d": _delimiters,
    "nary": _big_operator,
    "func": lambda e, d: f"{_argument(e, 'fName', d)} {_argument(e, 'e', d)}",
    "limLow": lambda e, d: _script(_argument(e, "e", d), _argument(e, "lim", d), ""),
    "limUpp": lambda e, d: _script(_argument(e, "e", d), "", _argument(e, "lim", d)),
    "m": _rows,
    "eqArr": _rows,
}
