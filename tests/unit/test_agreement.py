"""Whether sources agree, and what is said where they do not."""

from __future__ import annotations

from agents.agreement import agreement, figures, in_words
from core.answers import Answer, Citation


def answer(*quotes: tuple[str, str]) -> Answer:
    citations = [
        Citation(number=number, document_id=document, generation=1, filename=f"{document}.pdf", page=None, start=0, end=len(quote), quote=quote)
        for number, (document, quote) in enumerate(quotes, 1)
    ]
    return Answer(text="…", citations=citations)


def test_the_same_figure_in_two_documents() -> None:
    found = agreement("How much is the repair?", answer(("a", "The repair of the joint costs £7,900."), ("b", "Repair of the joint: £7900.")))
    assert (found.value, found.agreeing, found.conflicts) == (1.0, 1, [])


def test_a_conflict_is_said_with_the_newer_source() -> None:
    made = answer(("report", "The repair of the joint costs £7,900."), ("mail", "The repair of the joint costs £8,200."))
    found = agreement("How much is the repair of the joint?", made)
    assert found.value == 0.0
    said = in_words(found, made, {"report": "2026-09-16", "mail": "2026-10-01"})
    assert said == "Two sources disagree: 7900 (report.pdf) and 8200 (mail.pdf). The newer of the two is mail.pdf."
    assert in_words(found, made, {}).endswith("8200 (mail.pdf).")


def test_other_matters_are_not_compared() -> None:
    unlike = answer(("a", "The deposit for the warehouse is £80,000."), ("b", "Seal kits for shafts are sold at £45."))
    assert agreement("What is the deposit?", unlike).value == 0.5
    assert agreement("?", answer(("a", "The deposit is £80."), ("a", "The deposit is £90."))).value == 0.5
    assert agreement("", answer()).value == 0.5
    assert in_words(agreement("", answer()), answer(), {}) == ""


def test_figures_are_told_apart_by_kind() -> None:
    assert figures("10 km/h on 3 May 2026 for £1,200.50, 06:00 to 20:00") == {
        "sum": {"1200.50"}, "date": {"3 May 2026"}, "time": {"06:00 to 20:00"}, "measure km/h": {"10"},
    }  # fmt: skip
