"""The long regular expressions, each with a text in which it finds what its name says. White space in them is none: a pattern that has lost its
`re.VERBOSE`, or a blank that should have been written `[ ]`, finds nothing here."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest

from core.lazy_patterns import LazyPattern

# Where it stands, a text, and what it finds there.
FOUND = [
    ("agents.clarification.stated_attributes._ATTRIBUTE_QUESTION", "And what's the delivery time now?", "And what's the delivery time now?"),
    ("agents.planner.wanted_names._ORGANISATION", "Trevanion Logistics sold it", "Logistics"),
    ("agents.document_insights.action_items.DUE_DATE", "Send it no later than Friday, 3 May 2024.", "no later than Friday, 3 May 2024"),
    ("agents.document_insights.action_items.DUE_DATE", "Pay within thirty days.", "within thirty days"),
    ("agents.document_insights.action_items._ON_DATE", "Wir treffen uns am 3. März 2024.", "am 3. März 2024"),
    ("agents.document_insights.action_items._ACTION_HEADING", "Nächste Schritte", "Nächste Schritte"),
    ("agents.document_insights.action_items._REQUEST", "Could you please send it", "Could you please send"),
    ("agents.document_insights.action_items._DUTY", "The fence is to be painted", "is to be painted"),
    ("agents.document_insights.action_items._NO_DUTY", "It shall be deemed accepted", "shall be deemed"),
    ("agents.document_insights.action_items._IMPERATIVE", "Make sure it is closed", "Make sure"),
    ("agents.text.document_lines._DEPENDENT_OPENING", "As a result we left", "As a result"),
    ("agents.attached.insight_requests._REQUEST_PATTERNS[0][1]", "What needs to be done?", "What needs to be done"),
    ("agents.query_classifier.followups._IMPERSONAL", "Is it allowed to park here?", "Is it allowed"),
    ("agents.query_classifier.followups._DEMONSTRATIVE", "What is the cause of that?", "that?"),
    ("agents.query_classifier.followups._BARE_QUESTION", "And until when?", "And until when?"),
    ("agents.query_classifier.followups._FURTHER", "Please show me the next five documents", "Please show me the next five documents"),
    ("agents.query_classifier.followups._RANKED_RESULT", "Open document #2", "document #2"),
    ("agents.text.query_filters._FOLDER", 'from the "Tax" folder', 'from the "Tax" folder'),
    ("agents.table_qa.operations._COUNT", "Wie viele Kunden gibt es?", "Wie viele"),
    ("agents.table_qa.operations._LOOKUP", "Quel est le prix?", "Quel est"),
    ("agents.table_qa.operations._OF_TWO", "Which is deeper, A or B?", "deeper"),
    ("agents.table_qa.operations._LIST", "Please show me all the offers", "Please show me all the"),
    ("agents.table_qa.table_question._BETWEEN", "offers between 2 Tsd. EUR and 3,5 Tsd. EUR", "between 2 Tsd. EUR and 3,5 Tsd."),
    ("agents.table_qa.table_question._ENTITY", "Which of the crews has won?", "Which of the crews has"),
    ("agents.table_qa.table_question._ENTITY_OF", "name of the customer with the highest", "name of the customer with the highest"),
    ("agents.table_qa.result_wording._REST_ROW", "Grand total", "Grand total"),
    ("agents.table_qa.time_parser._TIME", "in the second quarter of 2024", "second quarter of 2024"),
    ("agents.table_qa.time_parser._TIME", "bis 3. März 2024", "3. März 2024"),
    ("answers.finders.split_amounts._QUESTION_PATTERN", "How much does the landlord pay?", "How much does the landlord pay"),
    ("answers.finders.named_cells._COMPUTES", "the average of all", "average"),
    ("answers.finders.verdicts._DEGREE", "Is it higher?", "higher"),
    ("answers.questions.answer_kinds.TIME", "Since 15 May 2026, 3 p.m.", "15 May 2026"),
    ("answers.questions.answer_kinds.TIME", "am 3. Jahrhundert vor", "3. Jahrhundert"),
    ("answers.questions.answer_kinds.NUMBER", "It has 12 per cent", "12 per cent"),
    ("answers.questions.answer_kinds._AFTER", "It ends thirty days after delivery", "thirty days after"),
    ("core.claim_words.CLAUSE_CHANGE", "Clause 7.2 is hereby replaced", "Clause 7.2 is hereby replaced"),
    ("core.claim_words.RENEWAL", "It is no longer so", "no longer"),
    ("core.claims._VERB", "Die Miete beträgt 9 Euro", "beträgt"),
    ("core.claims._BEHIND", "the rent until May", "until"),
    ("core.claims._CHANGING", "was lowered", "lower"),
    ("core.claims._FIRST_OLD", "from 3 March 2024 to ", "from 3 March 2024 to "),
    ("core.claims._OLD_BEHIND", " instead of 1,200", " instead of 1,200"),
    ("core.language.dates.DATES", "on 2024-05-03", "2024-05-03"),
    ("core.language.dates.DATES", "el 3 de mayo de 2024", "3 de mayo de 2024"),
    ("core.language.dates.DATES", "on May 3rd, 2024", "May 3rd, 2024"),
    ("core.language.dates.DATES", "am 3.5.2024", "3.5.2024"),
    ("core.language.dates.DAYS_OR_YEARS", "in May 1866", "May 1866"),
    ("core.language.figures._TIME", "um 14:30 Uhr", "14:30 Uhr"),
    ("core.language.figures._DAY", "on 7 August", "7 August"),
    ("core.language.figures._COUNT", "bis zu 40 Personen", "bis zu 40"),
    ("core.language.numbers._SCALED", "-3,5 Mio.", "-3,5 Mio."),
    ("core.time_bounds._SINCE", "with effect from 1 May 2024", "with effect from 1 May 2024"),
    ("core.time_bounds._UNTIL", "bis zum 31.12.2024", "bis zum 31.12.2024"),
    ("core.claim_comparison._OF_A_TIME", "Jahresabschluss", "Jahresabschluss"),
    ("graph.case_rules._ROLE_BEFORE", "the managing director ", "director "),
    ("graph.pattern_entities._LABELLED", "Purchase order no. 260931", "Purchase order no. 260931"),
    ("graph.pattern_entities._DEFINED[1]", 'Holt Ltd (hereinafter the "Landlord")', '(hereinafter the "Landlord")'),
    ("ingestion.tables.cell_dates._DAY_FIRST", "3 de mayo de 2024 14:30", "3 de mayo de 2024 14:30"),
    ("ingestion.tables.cell_dates._ISO", "2024-05-03T14:30:00Z", "2024-05-03T14:30:00Z"),
    ("ingestion.tables.cell_figures._FIGURE", "EUR 1.234,5 Mio.", "EUR 1.234,5 Mio."),
    ("ingestion.enrichment.authorship._LABELS[1]", "Der Vertrag tritt am ", "tritt am "),
    ("ingestion.enrichment.authorship._NAMES_ITSELF", "Minutes of the works council, 3 March", "Minutes of the works council, 3 March"),
    ("ingestion.enrichment.authorship._MONTH_ALONE", "Stand: März 2024", "Stand: März 2024"),
    ("ingestion.enrichment.authorship._BYLINE", "Prepared by Ada Holm", "Prepared by Ada Holm"),
    ("ingestion.enrichment.profile._EMPTY_TITLES", "Microsoft Word", "Microsoft Word"),
    ("memory.statements._ASCRIBED", "the landlord is the ", "is the "),
]


def pattern_at(place: str) -> Any:
    """The pattern at "module.NAME", or inside a tuple, "module.NAME[0][1]"."""
    path, *indexes = re.split(r"[\[\]]+", place.rstrip("]"))
    module, _, name = path.rpartition(".")
    found = getattr(import_module(module), name)
    for index in indexes:
        found = found[int(index)]
    return found


@pytest.mark.parametrize(("place", "text", "words"), FOUND)
def test_a_long_pattern_finds_what_it_is_for(place: str, text: str, words: str) -> None:
    pattern = pattern_at(place)
    match = pattern.search(text)
    assert match is not None
    assert match.group() == words
    flags = pattern._flags if isinstance(pattern, LazyPattern) else pattern.flags
    assert flags & re.VERBOSE
