"""A stretch of LaTeX as plain text: commands that only dress their argument are taken off, signs and formulas are written out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

_MAX_DEPTH = 40
_TOKEN = re.compile(r"\\([a-zA-Z@]+)\*?[ \t]*|\\(.)|([{}$^_~&])|(``|''|---|--)|([^\\{}$^_~&`'-]+)|(.)", re.S)
_COMMENT = re.compile(r"(?<!\\)%.*")
# "$$…$$", "\\(…\\)", "\\[…\\]", and "$…$" around what only a formula holds.
_IN_PROSE = re.compile(
    r"\$\$([^$]{1,2000})\$\$|\\\((.{1,1000}?)\\\)|\\\[(.{1,2000}?)\\\]|(?<![\\$\w])\$(?=[^\s$]{0,299}[^\s$])((?:[^$\n]{0,300}[\\^_=][^$\n]{0,300})|[A-Za-z])(?<!\s)\$(?![\w$])",
    re.S,
)
_GREEK = (
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ "
    "tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω"
)
_SIGNS = (
    "sum ∑ prod ∏ int ∫ oint ∮ infty ∞ partial ∂ nabla ∇ forall ∀ exists ∃ emptyset ∅ ell ℓ hbar ℏ Re ℜ Im ℑ aleph ℵ prime ′ ldots … dots … cdots … "
    "vdots ⋮ ddots ⋱ langle ⟨ rangle ⟩ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ degree ° euro € pounds £ copyright © S § P ¶ dag † ddag ‡ ss ß ae æ oe œ "
    "AE Æ OE Œ o ø O Ø l ł L Ł aa å AA Å i ı j ȷ textbackslash \\ textasciitilde ~ textbar | textless < textgreater > textendash – textemdash — "
    "textdegree ° LaTeX LaTeX TeX TeX textbullet • bullet • star ⋆ perp ⊥ angle ∠ triangle △ neg ¬ top ⊤ bot ⊥ mid | vert | Vert ‖ mathbb  "
    "checkmark ✓"
)
_OPERATORS = (
    "times × cdot · div ÷ pm ± mp ∓ le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ equiv ≡ sim ∼ simeq ≃ cong ≅ propto ∝ ll ≪ gg ≫ to → rightarrow → "
    "leftarrow ← Rightarrow ⇒ Leftarrow ⇐ leftrightarrow ↔ Leftrightarrow ⇔ iff ⇔ implies ⇒ mapsto ↦ in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ "
    "supseteq ⊇ cup ∪ cap ∩ setminus ∖ wedge ∧ land ∧ vee ∨ lor ∨ oplus ⊕ otimes ⊗ circ ∘ ast ∗ models ⊨ vdash ⊢ parallel ∥"
)


def _parse_symbol_table(text: str) -> dict[str, str]:
    words = text.split(" ")
    return dict(zip(words[::2], words[1::2], strict=False))


_SYMBOLS = {**_parse_symbol_table(_GREEK), **_parse_symbol_table(_SIGNS)}
_SPACED = {name: f" {sign} " for name, sign in _parse_symbol_table(_OPERATORS).items()}
_ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307"}
_ACCENT_WORDS = {"c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a", "d": "\u0323", "b": "\u0331"}
_MATH_ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7", "check": "\u030c"}
# Commands that say nothing to a reader, by how many arguments they take.
_COMMANDS_WITHOUT_TEXT = {
    **dict.fromkeys(
        "label vspace hspace pagestyle thispagestyle usepackage documentclass includegraphics input include bibliographystyle".split(), 1
    ),
    **dict.fromkeys(
        "bibliography vskip hskip newtheorem index pagenumbering graphicspath color cline hypersetup geometry title author date".split(), 1
    ),
    **dict.fromkeys("newcommand renewcommand providecommand setlength addtolength setcounter addtocounter definecolor newenvironment".split(), 2),
    **dict.fromkeys("rule fontsize addcontentsline".split(), 2),
}
_FIRST_ARGUMENT_SKIPPED = frozenset({"textcolor", "colorbox", "href", "raisebox", "parbox", "makebox", "resizebox", "scalebox", "foreignlanguage"})
_REFERENCES = frozenset({"cite", "citep", "citet", "parencite", "textcite", "autocite", "footcite", "nocite", "citealp"})
_POINTERS = frozenset({"ref", "eqref", "pageref", "autoref", "cref", "Cref", "nameref"})
_WORDS = frozenset(
    "sin cos tan log ln exp max min sup inf lim det dim arg deg gcd sinh cosh tanh Pr ker arcsin arccos arctan limsup liminf sec csc cot".split()
)
_ESCAPED_SIGNS = {
    "%": "%",
    "&": "&",
    "#": "#",
    "_": "_",
    "$": "$",
    "{": "{",
    "}": "}",
    " ": " ",
    ",": " ",
    ";": " ",
    ":": " ",
    "\n": " ",
    "!": "",
    "-": "",
}
_QUOTES = {"``": "“", "''": "”", "---": "—", "--": "–"}
_SIMPLE = re.compile(r"^(?:[\w.′∞∂∇]+|[^\s\w]|[(\[|][^()\[\]|]*[)\]|])$")


def strip_comments(text: str) -> str:
    """Return LaTeX without its comments; a line that is only a comment goes whole."""
    return _COMMENT.sub("", re.sub(r"(?m)^[ \t]*%.*\n?", "", text))


def read_argument(text: str, at: int) -> tuple[str, int]:
    """Return the content of the braces that open at `at` (blanks before it are passed over), and the offset behind them; ("", at) without any."""
    begin = at
    while begin < len(text) and text[begin] in " \t\n":
        begin += 1
    if begin >= len(text) or text[begin] != "{":
        return "", at
    depth = 0
    for match in re.compile(r"\\.|[{}]", re.S).finditer(text, begin):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                return text[begin + 1 : match.start()], match.end()
    return text[begin + 1 :], len(text)


def latex_to_text(text: str) -> str:
    """Return the text that a stretch of LaTeX prints."""
    return _LatexReader(text, 0).read()


def formula_to_text(text: str) -> str:
    """Return the text of a formula that is given without its dollars."""
    return " ".join(_LatexReader(text, 0, math=True).read().split())


def write_out_formulas(text: str) -> str:
    """Return prose with its formulas of TeX written out; amounts of dollars stay as they are."""
    if "\\" not in text and text.count("$") < 2:
        return text
    return _IN_PROSE.sub(lambda match: formula_to_text(next(group for group in match.groups() if group is not None)), text)


def _parenthesize(text: str) -> str:
    text = text.strip()
    return text if not text or _SIMPLE.match(text) else f"({text})"


class _LatexReader:
    """Reads one stretch; arguments are read by readings of their own, down to a bound."""

    def __init__(self, text: str, depth: int, *, math: bool = False) -> None:
        self._text, self._depth, self._math = text, depth, math
        self._at = 0
        self._parts: list[str] = []

    def read(self) -> str:
        while self._at < len(self._text):
            match = _TOKEN.match(self._text, self._at)
            if match is None:
                break
            self._at = match.end()
            word, sign, special, quote, words, other = match.groups()
            if word is not None:
                self._parts.append(self._read_command(word))
            elif sign is not None:
                self._parts.append(self._read_sign(sign))
            elif special is not None:
                self._read_special(special)
            else:
                self._parts.append(self._format_text(_QUOTES[quote] if quote and not self._math else quote or words or other))
        return "".join(self._parts)

    def _format_text(self, text: str) -> str:
        """Format plain text; in a formula blanks mean nothing, and operators stand between blanks."""
        if not self._math:
            return text
        return re.sub(r"([=+<>-])", r" \1 ", re.sub(r"\s+", "", text))

    def _read_special(self, sign: str) -> None:
        if sign == "$":
            self._math = not self._math
        elif sign in "^_" and self._math:
            content = self._inner_text(self._read_argument())
            self._parts.append(f"{sign}{_parenthesize(content)}" if content.strip() else "")
        elif sign not in "{}":
            self._parts.append({"~": " ", "&": " "}.get(sign, sign))

    def _read_argument(self) -> str:
        """Return the next argument: in braces, or one sign or command."""
        content, end = read_argument(self._text, self._at)
        if end != self._at:
            self._at = end
            return content
        match = re.compile(r"\s*(\\[a-zA-Z]+|\\?.)", re.S).match(self._text, self._at)
        if match is None:
            return ""
        self._at = match.end()
        return match[1]

    def _inner_text(self, text: str, *, math: bool | None = None) -> str:
        if self._depth >= _MAX_DEPTH:
            return ""
        return _LatexReader(text, self._depth + 1, math=self._math if math is None else math).read()

    def _read_sign(self, sign: str) -> str:
        if sign in _ACCENTS and not self._math:
            return _apply_accent(self._inner_text(self._read_argument()), _ACCENTS[sign])
        if sign in "()":
            self._math = sign == "("
            return ""
        if sign == "\\":
            self._skip_options()
            return "\n" if not self._math else "; "
        return _ESCAPED_SIGNS.get(sign, "")

    def _read_command(self, word: str) -> str:
        if word in _SPACED:
            return _SPACED[word]
        if word in _SYMBOLS:
            return _SYMBOLS[word]
        if word in _WORDS:
            return f"{word} "
        if word in _COMMANDS:
            return _COMMANDS[word](self)
        if word in _COMMANDS_WITHOUT_TEXT:
            return self._skip_arguments(_COMMANDS_WITHOUT_TEXT[word])
        if word in _MATH_ACCENTS or (word in _ACCENT_WORDS and len(word) == 1):
            return _apply_accent(self._inner_text(self._read_argument()), _MATH_ACCENTS.get(word) or _ACCENT_WORDS[word])
        if word in _FIRST_ARGUMENT_SKIPPED:
            self._read_argument()
        self._skip_options()
        return ""  # what stands in braces behind it follows as text

    def _skip_arguments(self, arguments: int) -> str:
        self._skip_options()
        for _ in range(arguments):
            if read_argument(self._text, self._at)[1] == self._at:
                break
            self._read_argument()
            self._skip_options()
        return ""

    def _skip_options(self) -> None:
        if match := re.compile(r"\[[^\]\n]{0,200}\]").match(self._text, self._at):
            self._at = match.end()

    # -- commands with a meaning -----------------------------------------------------------------------------------------------------

    def read_fraction(self) -> str:
        above, below = self._inner_text(self._read_argument()), self._inner_text(self._read_argument())
        return f"{_parenthesize(above)}/{_parenthesize(below)}"

    def read_root(self) -> str:
        match = re.compile(r"\[([^\]]{0,40})\]").match(self._text, self._at)
        if match:
            self._at = match.end()
        return f"{match[1] if match else ''}√({self._inner_text(self._read_argument()).strip()})"

    def read_words(self) -> str:
        """Read text within a formula."""
        return self._inner_text(self._read_argument(), math=False)

    def read_reference(self) -> str:
        self._skip_options()
        self._skip_options()
        return f"[{self._read_argument()}]"

    def read_pointer(self) -> str:
        return self._read_argument().rpartition(":")[2]

    def skip_delimiter(self) -> str:
        if self._text[self._at : self._at + 1] == ".":
            self._at += 1
        return ""

    def read_verbatim(self) -> str:
        """Read what stands between two of the same sign, as it is written."""
        sign = self._text[self._at : self._at + 1]
        if sign == "{":
            return self._read_argument()
        end = self._text.find(sign, self._at + 1) if sign else -1
        begin, self._at = self._at + 1, end + 1 if end >= 0 else self._at
        return self._text[begin:end] if end >= 0 else ""

    def skip_environment(self) -> str:
        """Read the begin or the end of a matrix or the like within a formula."""
        self._read_argument()
        return ""


def _apply_accent(text: str, mark: str) -> str:
    base = {"ı": "i", "ȷ": "j"}.get(text[:1], text[:1])
    return unicodedata.normalize("NFC", base + mark) + text[1:] if text else ""


_COMMANDS: dict[str, Callable[[_LatexReader], str]] = {
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), _LatexReader.read_fraction),
    "binom": lambda reading: f"binom({reading._inner_text(reading._read_argument())}, {reading._inner_text(reading._read_argument())})",
    "sqrt": _LatexReader.read_root,
    **dict.fromkeys(("text", "mathrm", "textrm", "operatorname", "mbox", "mathit", "texttt", "textit", "textbf", "emph"), _LatexReader.read_words),
    **dict.fromkeys(_REFERENCES, _LatexReader.read_reference),
    **dict.fromkeys(_POINTERS, _LatexReader.read_pointer),
    **dict.fromkeys(("left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr"), _LatexReader.skip_delimiter),
    **dict.fromkeys(("verb", "lstinline"), _LatexReader.read_verbatim),
    **dict.fromkeys(("begin", "end"), _LatexReader.skip_environment),
    **dict.fromkeys(("quad", "qquad", "hfill", "enspace", "thinspace"), lambda _: " "),
    **dict.fromkeys(("newline", "linebreak", "tabularnewline"), lambda _: "\n"),
}
