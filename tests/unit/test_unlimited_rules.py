"""Yes or no by a rule without a limit: what is "never" so, or "everywhere", holds with whomever or wherever a question adds at its end."""

from __future__ import annotations

import pytest

from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

RULES = (
    "The key code of a boat is never shared. Life jackets are worn everywhere. Nobody smokes in the workshop. Helmets are never worn in the office."
)


@pytest.mark.parametrize(
    ("question", "text", "verdict"),
    [
        ("May I share the key code of a boat with a friend?", RULES, "No"),
        ("Can the key code of a boat be shared?", RULES, "No"),
        ("Is the key code of a boat shared with guests?", RULES, "No"),
        ("Must life jackets be worn in the canteen?", RULES, "Yes"),
        ("Are life jackets worn on the jetty?", RULES, "Yes"),
        ("Are helmets worn in the workshop?", RULES, ""),  # the rule is of another place
        ("Does anybody smoke at the gate?", RULES, ""),
        ("Is the key code of a boat shared with Ada Holm?", RULES, ""),  # a name that the rule does not have
        ("Are life jackets worn for diving?", RULES, ""),  # "everywhere" tells where, not for what
        ("Are life jackets worn in the canteen?", "Life jackets are worn. They are kept in the boat house.", ""),
        ("May I share the key code of a boat with a friend?", "The key code of a boat is not shared.", ""),
        ("Wird der Code geteilt?", "Der Code wird niemals geteilt.", "Nein"),
    ],
)
async def test_a_rule_without_a_limit_decides(question: str, text: str, verdict: str) -> None:
    lead = lead_text(await compose_answer(question, [evidence(text, title="House rules")]))
    assert (lead if lead in {"Yes", "No", "Ja", "Nein"} else "") == verdict
