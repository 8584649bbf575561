"""Questions for a reason or a means: what leads says why or how, and a sentence that does stands beside one that does not."""

from __future__ import annotations

from core.documents import BlockKind
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

TABLE = "No. | Defect | Estimate\n3 | Joint of the beam corroded, two bolts loose | 7,900"
REMARK = "\n\nThe valley of the roof should be sealed first; otherwise the bolts of the joint will corrode as the old ones did."
REPORT = evidence(TABLE + REMARK, document="report", title="Report", blocks=[(BlockKind.TABLE, 0, len(TABLE))])


async def test_a_cell_is_no_reason_and_the_sentence_with_one_comes_first() -> None:
    answer = await compose_answer("Why is the joint of the beam corroded?", [REPORT], {"two bolts loose": 4.0})
    assert lead_text(answer) == ""
    assert answer.sentences[0].text.startswith("The valley of the roof")
    assert any("Joint of the beam" in sentence.text for sentence in answer.sentences)


async def test_a_part_of_a_sentence_without_a_reason_does_not_lead() -> None:
    text = evidence("Ada Holm, who wrote the first policy, retired in August.")
    assert lead_text(await compose_answer("Why did Ada Holm leave?", [text], {"the first policy": 3.0})) == ""
    told = evidence("Ada Holm left because of the first policy.")
    assert lead_text(await compose_answer("Why did Ada Holm leave?", [told], {"the first policy": 5.0})) == "the first policy"


async def test_a_sentence_that_names_no_means_does_not_lead() -> None:
    text = evidence("The agent may receive every notice for the landlord.\n\nA notice is delivered by hand.")
    words = {"The agent may receive every notice for the landlord": 6.0, "delivered by hand": 1.0}
    answer = await compose_answer("How does the landlord want to receive a notice?", [text], words)
    assert lead_text(answer) != "The agent may receive every notice for the landlord"
    assert "by hand" in answer.text


async def test_a_headline_is_no_answer() -> None:
    table = "U.S. Exports | 0.5\nU.S. Imports | 0.2"
    text = f"Imports, Exports and Net Supply of Conventional Pesticides, 1994 Estimates.\n\n{table}"
    report = evidence(text, title="Pesticides", blocks=[(BlockKind.TABLE, text.index(table), len(text))])
    words = {"Net Supply of Conventional Pesticides, 1994 Estimates": 5.0}
    assert lead_text(await compose_answer("Pesticides exported in 1994?", [report], words)) == ""
