"""Aristotle as a node over fake ports: what he writes, cites and says, and what he does where there is nothing to compare."""

from __future__ import annotations

import pytest

from core.errors import ModelUnavailable
from core.ports import DocumentContent
from core.prompts import load_prompt
from core.search import Filters
from tests.support.agent_tasks import check_quotes, offers, run_task
from tests.support.models import ScriptedModel
from tests.support.ports import FakeLibrary, make_document


async def test_a_comparison_has_a_cited_cell_for_each_side() -> None:
    library = offers()
    done, run = await run_task("Alder vs Birch: warranty, training", library)
    comparison = done.writes["comparison"]
    assert [side.document_id for side in comparison.sides] == ["alder", "birch"]
    assert [row.attribute for row in comparison.rows] == ["Warranty", "Training"]
    assert [[cell.found for cell in row.cells] for row in comparison.rows] == [[True, True], [False, True]]
    assert [row.differs for row in comparison.rows] == [True, None]
    check_quotes(done.writes, library)
    cited = {citation.number: citation for citation in done.writes["answer"].citations}
    for row in comparison.rows:
        for side, cell in zip(comparison.sides, row.cells, strict=True):
            assert all(cited[number].document_id == side.document_id for number in cell.citations)
    assert "Alder says nothing of “Training”." in comparison.note
    assert "".join(run.streamed) == done.writes["answer"].text
    assert {result.id for result in done.writes["results"]} == {"alder", "birch"}
    assert [passage.document_id for passage in done.writes["passages"]]


async def test_sides_that_nobody_knows_are_searched_like_any_question() -> None:
    done, _ = await run_task("zebras vs giraffes", offers())
    assert "comparison" not in done.writes
    assert "answered as written" in done.details
    assert not done.writes["answer"].found


async def test_a_word_that_names_no_side_is_not_compared_out_of_another_document() -> None:
    ducks = make_document("ducks", "/library/ducks.txt", "Duck", [("Sexes", "A male duck is called a drake, and its mate is called a hen.")])
    dragons = make_document(
        "dragons", "/library/dragons.txt", "Dragons", [("Growth", "Female dragons differ: they take longer to grow up than others.")]
    )
    done, _ = await run_task("How do male ducks differ from females?", FakeLibrary([ducks, dragons]))
    assert "comparison" not in done.writes
    assert done.writes["answer"].citations[0].document_id == "ducks"


async def test_what_is_given_is_compared_whatever_its_name() -> None:
    done, _ = await run_task("compare them: warranty", offers(), Filters(document_ids=["birch", "alder"]))
    assert [side.document_id for side in done.writes["comparison"].sides] == ["birch", "alder"]


async def test_other_tenants_have_no_sides() -> None:
    library = offers()
    library.tenant = "somebody else"
    done, _ = await run_task("Alder vs Birch: warranty", library)
    assert "comparison" not in done.writes


TOLD = "Birch: the trucks have a warranty of 24 months or 3,000 operating hours [2]. Alder: a warranty of 36 months or 5,000 operating hours [1]."


async def test_a_comparison_is_told_from_its_cells_and_the_table_stays_quoted() -> None:
    library, model = offers(), ScriptedModel(TOLD)
    done, run = await run_task("Alder vs Birch: warranty, training", library, model=model)
    answer, comparison = done.writes["answer"], done.writes["comparison"]
    assert answer.generated_by == "scripted"
    assert [sentence.support for sentence in answer.sentences] == ["supported", "supported"]
    check_quotes(done.writes, library)
    assert "".join(run.streamed) == answer.text
    cited = {citation.number: citation for citation in answer.citations}
    assert [each.document_id for each in answer.citations[:2]] == ["birch", "alder"]  # the numbers follow the words
    assert len({(each.document_id, each.start, each.end) for each in answer.citations}) == len(answer.citations) == 3
    quoted, _ = await run_task("Alder vs Birch: warranty, training", library)
    for row, plain in zip(comparison.rows, quoted.writes["comparison"].rows, strict=True):
        for side, cell, other in zip(comparison.sides, row.cells, plain.cells, strict=True):
            assert (cell.text, cell.found) == (other.text, other.found)
            assert [cited[number].document_id for number in cell.citations] == [side.document_id] * len(other.citations)
    assert "Alder says nothing of “Training”." in answer.notes
    assert done.prompts == {"analysis": load_prompt("analysis").sha}
    assert done.details.endswith("Told by scripted.")
    assert "- Warranty (they differ): Alder: passage 1; Birch: passage 2\n- Training: Alder: nothing found; Birch: passage 3" in (
        model.calls[0][-1].content
    )


async def test_figures_under_the_wrong_name_are_left_out() -> None:
    swapped = "Alder: a warranty of 24 months or 3,000 operating hours [1]. Birch: a warranty of 24 months or 3,000 operating hours [2]."
    done, _ = await run_task("Alder vs Birch: warranty", offers(), model=ScriptedModel(swapped))
    assert [sentence.text for sentence in done.writes["answer"].sentences] == ["Birch: a warranty of 24 months or 3,000 operating hours."]


@pytest.mark.parametrize("reply", [ModelUnavailable("The model scripted is down."), "", "Whales knit socks on Mars [7]."])
async def test_a_model_that_fails_leaves_the_table(reply: str | Exception) -> None:
    library = offers()
    quoted, _ = await run_task("Alder vs Birch: warranty, training", library)
    done, run = await run_task("Alder vs Birch: warranty, training", library, model=ScriptedModel(reply))
    assert done.writes["answer"] == quoted.writes["answer"]
    assert done.writes["comparison"] == quoted.writes["comparison"]
    assert "".join(run.streamed) == quoted.writes["answer"].text
    assert done.degraded[0].reason.endswith("The table stands as it is, in the documents' own words.")


def delays() -> FakeLibrary:
    first = make_document(
        "pier", "/library/Pier crane log.txt", "Pier crane log",
        [("Delays", "The crane delays of March were caused by a worn cable that nobody had ordered in time."),
         ("Food", "The canteen serves soup on Mondays and fish on Fridays to everybody who works there.")],
    )  # fmt: skip
    second = make_document(
        "yard",
        "/library/Yard crane log.txt",
        "Yard crane log",
        [("Cranes", "Crane delays in the yard fell after the second driver had been trained in June.")],
    )
    return FakeLibrary([first, second])


async def test_an_analysis_without_figures_tells_the_findings_of_each_document() -> None:
    library = delays()
    done, run = await run_task("Analyse the crane logs", library)
    answer = done.writes["answer"]
    check_quotes(done.writes, library)
    assert {citation.document_id for citation in answer.citations} == {"pier", "yard"}
    assert len({sentence.paragraph for sentence in answer.sentences}) == 2
    assert done.details.startswith("Key findings of ")
    assert "".join(run.streamed) == answer.text


async def test_a_document_that_is_named_is_analysed_alone() -> None:
    done, _ = await run_task("Analyse the yard log", delays())
    assert done.details.startswith("Key findings of Yard crane log.txt: ")
    assert {citation.document_id for citation in done.writes["answer"].citations} == {"yard"}


async def test_findings_are_written_where_a_model_answers() -> None:
    model = ScriptedModel("Crane delays in the yard fell after the second driver had been trained in June [1].")
    done, _ = await run_task("Analyse the yard log", delays(), model=model)
    assert (done.writes["answer"].generated_by, done.degraded) == ("scripted", ())
    assert "Length: at most 150 words." in model.calls[0][-1].content


async def test_what_documents_speak_of_in_passing_is_searched() -> None:
    done, _ = await run_task("Analyse the canteen soup", delays())
    assert "answered as written" in done.details


async def test_an_analysis_of_what_nobody_knows_is_not_found() -> None:
    done, _ = await run_task("Analyse the zebra migrations", delays())
    assert not done.writes["answer"].found


async def test_what_nobody_named_is_compared_where_two_sides_have_it_and_once() -> None:
    payments = [
        ("Half of the price is payable in May. Delivery takes nine weeks from June.", "Anchors are extra and cost 40 each here."),
        ("Half of the price is payable in July. Delivery takes six weeks from June.", "The name of the yard stands on the bow."),
    ]
    documents = [
        make_document(name, f"/library/{name} offer.txt", f"{name.title()} offer", [("Terms", first), (name.title(), other)])
        for name, (first, other) in zip(("alder", "birch"), payments, strict=True)
    ]
    quotes = [(each[0].model_copy(update={"doc_type": "quote"}), *each[1:]) for each in documents]
    done, _ = await run_task("Compare the two quotes", FakeLibrary(quotes))
    rows = done.writes["comparison"].rows
    assert "Delivery" in [row.attribute for row in rows]
    assert all(sum(cell.found for cell in row.cells) == 2 for row in rows)
    assert not any("Anchors" in cell.text for row in rows for cell in row.cells)
    assert done.writes["comparison"].is_mostly_filled


async def test_a_table_that_lacks_most_of_its_cells_is_not_filled() -> None:
    done, _ = await run_task("Alder vs Birch: warranty, training, colour, weight", offers())
    assert not done.writes["comparison"].is_mostly_filled


class LibraryThatLoses(FakeLibrary):
    """Loses a document once its text was read for the comparison, which is the second time: the passages come first."""

    def __init__(self, library: FakeLibrary, lost: str) -> None:
        super().__init__([(library.by_id[each], library.texts[each]) for each in library.by_id])
        self._lost, self._reads = lost, 0

    async def content(self, tenant: str, document_id: str) -> DocumentContent:
        found = await super().content(tenant, document_id)
        self._reads += document_id == self._lost
        if self._reads == 2:
            self.by_id.pop(self._lost, None)
        return found


async def test_a_side_that_is_removed_while_it_is_compared_is_left_out_and_that_is_said() -> None:
    cedar = make_document("cedar", "/library/offers/Cedar offer.md", "Offer of Cedar Works", [("Warranty", "A warranty of 12 months or 900 hours.")])
    three = FakeLibrary([*((each, offers().texts[each.id]) for each in offers().by_id.values()), cedar])
    done, _ = await run_task("Compare Alder, Birch and Cedar: warranty", LibraryThatLoses(three, "birch"))
    comparison, answer = done.writes["comparison"], done.writes["answer"]
    assert [side.name for side in comparison.sides] == ["Alder", "Birch", "Cedar"]
    assert [cell.found for cell in comparison.rows[0].cells] == [True, False, True]
    assert "birch" not in {citation.document_id for citation in answer.citations}
    assert any("was removed while the question was answered" in note for note in answer.notes)
