"""The themes of a library as an answer: of each its name and a sentence that a document says, with how much of the library they cover."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from agents.overview.deadlines import describe_deadlines
from agents.overview.risks import describe_risks
from agents.overview.theme_choice import ThemeChoice, ToldTheme, choose_themes
from core.answers import Answer, AnswerSentence, Citation
from core.cited_answers import CitationNumbers, cited_text
from core.communities import CommunityCitation, CommunityPage, FolderThemes, ThemeSurvey
from core.documents import BlockKind
from core.errors import VantageError
from core.ports import Communities, KnowledgeGraph, Library, MentionFinder
from core.query_routes import Aspect
from core.search import EVERYTHING, Degradation, Filters

WHOLE, PART = "your documents", "the documents within your limits"
NO_RISKS = f"No sentence of {WHOLE} speaks of a risk, a hazard, a defect, damage or a delay in these words or ones like them."
NO_DEADLINES = f"No sentence or table of {WHOLE} states a deadline in these words or ones like them."
_READ = 40  # themes that are looked at


@dataclass(frozen=True, slots=True)
class OverviewQuestion:
    """What of a library is asked for, "" for no overview: of all its documents, or of those that `filters` let through."""

    aspect: Aspect
    tenant: str
    filters: Filters = EVERYTHING


@dataclass(frozen=True, slots=True)
class OverviewPorts:
    """The ports that overviews are made from; without one the library is told by kinds of documents."""

    communities: Communities | None = None
    mentions: MentionFinder | None = None
    graph: KnowledgeGraph | None = None


async def answer_with_overview(asked: OverviewQuestion, library: Library, ports: OverviewPorts, by_kinds: str) -> Answer:
    """Return the risks or deadlines that documents state where these are asked for, else the themes with `by_kinds` behind them, else that alone."""
    whose = WHOLE if asked.filters.is_empty() else PART
    if asked.aspect == "risks" and ports.mentions is not None:
        told = await describe_risks(asked.tenant, library, ports.mentions, asked.filters)
        return told or Answer(text=NO_RISKS.replace(WHOLE, whose), generated_by="none", found=False)
    if asked.aspect == "deadlines" and ports.mentions is not None:
        told = await describe_deadlines(asked.tenant, library, ports.mentions, datetime.now(UTC).date(), asked.filters)
        return told or Answer(text=NO_DEADLINES.replace(WHOLE, whose), generated_by="none", found=False)
    try:
        themes = await describe_themes(asked.tenant, ports.communities, by_kinds, asked.filters)
    except VantageError as error:
        reason = f"The themes of {'the library' if whose == WHOLE else PART} cannot be told now: {error}"
        return Answer(text=by_kinds, generated_by="none", notes=[reason], degraded=[Degradation(part="communities", reason=reason)])
    return themes or Answer(text=by_kinds, generated_by="none")


async def describe_themes(tenant: str, communities: Communities | None, rest: str = "", filters: Filters = EVERYTHING) -> Answer | None:
    """Return the themes as an answer, with `rest` behind them; None where there are none. Raises VantageError where they cannot be told."""
    if communities is None:
        return None
    await communities.ensure_current(tenant)
    survey = await communities.survey_themes(tenant, limit=_READ, filters=filters)
    choice = choose_themes(survey)
    return _build_answer(survey, choice, rest, WHOLE if filters.is_empty() else PART) if choice.told else None


def _build_answer(survey: ThemeSurvey, choice: ThemeChoice, rest: str, whose: str) -> Answer:
    numbers = CitationNumbers()
    coverage = f"{whose[:1].upper()}{whose[1:]} have {_coverage(survey.page, choice)}"
    sentences = [AnswerSentence(text=coverage, citations=[], support="supported")]
    for each in choice.told:
        number = numbers.assign(_citation(each.said))
        line = _line(each, survey.held.get(each.theme.id, {}))
        sentences.append(AnswerSentence(text=line, citations=[number], support="quoted", paragraph=1, kind=BlockKind.LIST_ITEM))
    remarks = [remark for folder in survey.folders if (remark := _remark(folder, choice))]
    sentences += [AnswerSentence(text=remark, citations=[], support="supported", paragraph=2) for remark in remarks]
    text = cited_text(sentences) + (f"\n\n{rest}" if rest else "")
    notes = ["The documents changed since the themes were found; they are being found anew."] if survey.page.stale else []
    notes += [survey.note] if survey.note else []
    return Answer(text=text, sentences=sentences, citations=numbers.ordered_citations(), notes=notes)


def _coverage(page: CommunityPage, choice: ThemeChoice) -> str:
    """Return how many themes there are and how many of the documents they cover."""
    themes = f"{page.total:,} {'theme' if page.total == 1 else 'themes'}"
    covered = f"which {'covers' if page.total == 1 else 'cover'} {page.covered_documents:,} of {page.documents:,} documents"
    smaller = sum(each.theme.parent_id is not None for each in choice.told)  # no themes by themselves, told for the sake of their folder
    shown = len(choice.told) - smaller
    told = "" if shown == page.total else f"; {'one is' if shown == 1 else f'{shown} are'} told here"
    more = f"{', and' if told else '; told with'} {smaller} smaller {'subject' if smaller == 1 else 'subjects'}" if smaller else ""
    return f"{themes}, {covered}{told}{more}:"


def _line(told: ToldTheme, held: Mapping[str, int]) -> str:
    # No keyword: it may come from a document that is not cited, and would stay in the conversation when that one is deleted.
    theme = told.theme
    where = _place(held.get(told.folder, 0), theme.documents, told.folder) if told.folder else ""
    return f"- {theme.name}, {_count_documents(theme.documents)}{where}: “{' '.join(told.said.text.split())}”"


def _place(held: int, documents: int, folder: str) -> str:
    """Return in words that `held` of a theme's documents lie in the folder that its sentence is of."""
    if held == documents:
        return f" in {folder}"
    return f", {'most' if 2 * held > documents else f'{held:,}'} in {folder}"


def _remark(folder: FolderThemes, choice: ThemeChoice) -> str:
    """Return what is not told of a folder, "" where a theme that is told stands for it."""
    told = choice.count(folder.name)
    if told and folder.name not in choice.without_large:
        return ""
    documents = _count_documents(folder.documents)
    if not told:
        return f"No sentence told here is of {folder.name} ({documents}){'' if folder.themes else ': no theme lies mostly in it'}."
    subjects = "one of its subjects is" if told == 1 else f"{told} of its subjects are"
    return f"No theme is large in {folder.name} ({documents}): {subjects} told here."


def _count_documents(number: int) -> str:
    return f"{number:,} {'document' if number == 1 else 'documents'}"


def _citation(said: CommunityCitation) -> Citation:
    return Citation(
        number=0,
        document_id=said.document_id,
        generation=said.generation,
        filename=said.filename,
        page=said.page,
        start=said.start,
        end=said.end,
        quote=said.text,
        passage_start=said.start,
        passage_end=said.end,
    )
