"""The rules that find an answer without a reader, in the order in which they are tried: the first that finds one decides."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial

from answers.finders.advised_actions import advised_action
from answers.finders.approvals import approver
from answers.finders.asked_sections import asked_section
from answers.finders.attendance import attendance, was_there
from answers.finders.authors import document_writer
from answers.finders.bracketed_labels import value_over_label
from answers.finders.bylines import byline
from answers.finders.changed_values import changed_value
from answers.finders.compared_factors import compared_factor
from answers.finders.contact_details import address_to_ask, contact_details, stated_address
from answers.finders.decisions import decision
from answers.finders.document_days import document_day
from answers.finders.doers import doer_in_passage, labelled_doer, role_holder, stated_doer
from answers.finders.end_days import end_day, term_length
from answers.finders.enumerations import enumerated_members, respective_value
from answers.finders.event_days import event_day
from answers.finders.form_fields import form_field
from answers.finders.key_paths import value_at_path
from answers.finders.labelled_values import labelled_value
from answers.finders.last_events import last_event
from answers.finders.mail_headers import mail_header
from answers.finders.named_cells import named_cell
from answers.finders.numbered_rows import numbered_row
from answers.finders.office_holders import office_holder, responsible_holder, signing_holder
from answers.finders.office_limits import find_office_limit
from answers.finders.profiles import profile
from answers.finders.remainders import remainder
from answers.finders.row_relations import related_by_row
from answers.finders.rule_answer import RuleAnswer
from answers.finders.split_amounts import listed_amount, payers_share
from answers.finders.verdicts import verdict_of
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.verdicts.stated_verdict import stated_verdict
from core.answers import Evidence

_FIRST_FINDERS = (
    value_at_path,
    mail_header,
    asked_section,
    decision,
    was_there,
    verdict_of,
)
_LATER_FINDERS = (
    document_day,
    event_day,
    end_day,
    term_length,
    approver,
    find_office_limit,
    remainder,
    payers_share,
    listed_amount,
    related_by_row,
    profile,
    contact_details,
    stated_address,
    address_to_ask,
    office_holder,
    responsible_holder,
    signing_holder,
    numbered_row,
    named_cell,
    attendance,
    value_over_label,
    labelled_value,
    form_field,
    respective_value,
    compared_factor,
    document_writer,
    byline,
    labelled_doer,
    role_holder,
    doer_in_passage,
    stated_doer,
    changed_value,
    advised_action,
    enumerated_members,
)


def find_rule_answer(question: Question, units: Sequence[ScoredUnit], today: date, evidence: Sequence[Evidence] = ()) -> RuleAnswer | None:
    """Return what needs no reader: the last day of an event up to `today`, a value under its key path, a line of a mail's head, the part that
    is about something, a choice, whether somebody was at a meeting, a verdict, the day of a document, of an event or on which something ends, who may
    decide over an amount, how many are left, what one of several pays or costs, whom a row sets beside a name, how somebody is reached, who holds an
    office, a row by its number, a cell by its row and column, the value over or under the very label that is asked for, who wrote a document, who
    does it, what something was changed to, what is to be done in a case."""
    finders = (partial(last_event, today=today), *_FIRST_FINDERS, partial(stated_verdict, evidence=evidence), *_LATER_FINDERS)
    return next((found for finder in finders if (found := finder(question, units)) is not None), None)
