"""LaTeX: what a reader of the page sees, and formulas as text."""

from __future__ import annotations

import pytest

from core.documents import ExtractedDocument
from core.errors import Empty
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract
from ingestion.readers.text.latex_text import latex_to_text


def _read(text: str) -> ExtractedDocument:
    return extract(Source(text.encode(), "a.tex"))


def _blocks(text: str) -> list[tuple[str, str]]:
    document = _read(text)
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("$x^2 + y^{2}$", "x^2 + y^2"),
        (r"$\frac{a+b}{c}$", "(a + b)/c"),
        (r"$\sum_{i=1}^n \alpha_i \leq \sqrt{2}$", "∑_(i = 1)^nα_i ≤ √(2)"),
        (r"$\sqrt[3]{x}\,\sin x$", "3√(x) sin x"),
        (r"\emph{very} \textbf{bold}~text", "very bold text"),
        (r"Caf\'e, \"{o}, \c{c}a, stra\ss e", "Café, ö, ça, straße"),
        (r"``quoted'' pages 3--4", "“quoted” pages 3–4"),
        (r"50\% of \$5 \& more", "50% of $5 & more"),
        (r"see \cite[p.~3]{knuth84} and \ref{sec:lake}", "see [knuth84] and lake"),
        (r"\textcolor{red}{warm} \unknown{kept}", "warm kept"),
        (r"$\text{for all } n \in \mathbb{N}$", "for all n ∈ N"),
        (r"\href{http://x}{the page}", "the page"),
        (
            r"lines \verb=$Id= and \verb*|\cmd{a_b}| stay, \lstinline{x$y} too; a $b^2$ follows",
            r"lines $Id and \cmd{a_b} stay, x$y too; a b^2 follows",
        ),
        (r"a \verb|that never ends", "a |that never ends"),
    ],
)
def test_stretches(source: str, text: str) -> None:
    assert " ".join(latex_to_text(source).split()) == text


def test_a_document_with_its_structure() -> None:
    blocks = _blocks(
        r"""\documentclass{article} % a comment
\title{On Lakes\thanks{Somebody}} \author{Ann Lee \and Bo Ek}
\begin{document}\maketitle
\begin{abstract} Short. \end{abstract}
\section{Depth}\label{sec:depth}
It is deep\footnote{Very.} and
% not seen
wide.

\begin{itemize}[noitemsep] \item one \item two \begin{enumerate} \item inner \end{enumerate} \end{itemize}
\begin{equation}\label{eq:a} x^2 = y \end{equation}
\begin{lstlisting}[language=C]
int x;
\end{lstlisting}
\begin{quote} Said once. \end{quote}
\end{document} ignored"""
    )
    assert blocks == [
        ("heading", "On Lakes"),
        ("heading", "Abstract"),
        ("paragraph", "Short."),
        ("heading", "Depth"),
        ("paragraph", "It is deep and wide."),
        ("note", "Note: Very."),
        ("list_item", "• one"),
        ("list_item", "• two"),
        ("list_item", "1. inner"),
        ("paragraph", "x^2 = y"),
        ("code", "int x;"),
        ("quote", "Said once."),
    ]


def test_metadata_come_from_the_preamble() -> None:
    about = _read(r"\title{On Lakes} \author{Ann Lee \and Bo Ek} \begin{document} x \end{document}").metadata
    assert (about.title, about.authors) == ("On Lakes", ("Ann Lee", "Bo Ek"))


def test_tables_with_spans_and_captions() -> None:
    document = _read(
        r"""\begin{table}[htb]\caption{Costs by area}\begin{tabular}{l|rr}\toprule Area & \multicolumn{2}{c}{Costs} \\ \midrule
\multirow{2}{*}{North} & 1 & 2 \\ & 3 & 50\% \\ \bottomrule\end{tabular}\end{table}"""
    )
    (table,) = document.tables
    assert table.rows == (("Area", "Costs", ""), ("North", "1", "2"), ("North", "3", "50%"))
    assert table.spans == ((0, 1, 1, 2), (1, 0, 2, 1))
    assert document.text.startswith("Costs by area")


@pytest.mark.parametrize(
    "text", [r"\begin{itemize}" * 5000 + "x", "{" * 50_000 + "x", r"\frac{" * 5000 + "x", r"\footnote{" * 3000 + "x", "$" * 9999 + "x"]
)
def test_what_never_closes_ends(text: str) -> None:
    document = _read("words before\n\n" + text)
    assert document.text.startswith("words before")


def test_only_commands_are_empty() -> None:
    with pytest.raises(Empty):
        _read(r"\documentclass{article}\begin{document}\maketitle\end{document}")
