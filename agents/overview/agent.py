"""The themes of a library as an answer: of each its name and a sentence that a document says, with how much of the library they cover."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from agents.overview.deadlines import describe_deadlines
from agents.overview.risks import describe_risks
from core.answers import Answer, AnswerSentence, Citation
from core.cited_answers import CitationNumbers, cited_text
from core.communities import Community, CommunityCitation, CommunityPage
from core.documents import BlockKind
from core.errors import VantageError
from core.ports import Communities, KnowledgeGraph, Library, MentionFinder
from core.query_routes import Aspect

MOST_THEMES = 8
NO_RISKS = "No sentence of your documents speaks of a risk, a hazard, a defect, damage or a delay in these words or ones like them."
NO_DEADLINES = "No sentence or table of your documents states a deadline in these words or ones like them."
_READ = 40  # themes that are looked at
_LEAST_DOCUMENTS = 2  # of a theme that is told before those of a single document


@dataclass(frozen=True, slots=True)
class OverviewPorts:
    """The ports that overviews are made from; without one the library is told by kinds of documents."""

    communities: Communities | None = None
    mentions: MentionFinder | None = None
    graph: KnowledgeGraph | None = None


async def answer_with_overview(aspect: Aspect, tenant: str, library: Library, ports: OverviewPorts, by_kinds: str) -> Answer:
    """Return the risks or deadlines that documents state where these are asked for, else the themes with `by_kinds` behind them, else that alone."""
    if aspect == "risks" and ports.mentions is not None:
        return await describe_risks(tenant, library, ports.mentions) or Answer(text=NO_RISKS, generated_by="none", found=False)
    if aspect == "deadlines" and ports.mentions is not None:
        told = await describe_deadlines(tenant, library, ports.mentions, datetime.now(UTC).date())
        return told or Answer(text=NO_DEADLINES, generated_by="none", found=False)
    try:
        themes = await describe_themes(tenant, ports.communities, by_kinds)
    except VantageError as error:
        return Answer(text=by_kinds, generated_by="none", notes=[f"The themes of the library cannot be told now: {error}"])
    return themes or Answer(text=by_kinds, generated_by="none")


async def describe_themes(tenant: str, communities: Communities | None, rest: str = "") -> Answer | None:
    """Return the themes as an answer, with `rest` behind them; None where the library has none. Raises VantageError where they cannot be told."""
    if communities is None:
        return None
    await communities.ensure_current(tenant)
    page = await communities.list_communities(tenant, themes=True, limit=_READ)
    shown = _choose(page.communities)
    return _build_answer(page, shown, rest) if shown else None


def _choose(themes: list[Community]) -> list[Community]:
    """Return the themes that a document's sentence speaks for, those of several documents first; then one for each document that none of them cites.
    Those of a table's rows only where there are no others.
    """
    cited = [each for each in themes if each.citations]
    told = [each for each in cited if any(map(_is_whole_sentence, each.citations))] or cited
    chosen = [each for each in told if each.documents >= _LEAST_DOCUMENTS]
    seen: set[str] = set().union(*map(_cited_documents, chosen))
    for each in told:
        if each not in chosen and not seen & _cited_documents(each):
            chosen.append(each)
            seen |= _cited_documents(each)
    return chosen[:MOST_THEMES]


def _cited_documents(theme: Community) -> set[str]:
    return {said.document_id for said in theme.citations}


def _build_answer(page: CommunityPage, shown: list[Community], rest: str) -> Answer:
    numbers = CitationNumbers()
    sentences = [AnswerSentence(text=_coverage(page, len(shown)), citations=[], support="supported")]
    for each in shown:
        said = _best_sentence(each.citations)
        number = numbers.assign(_citation(said))
        sentences.append(
            AnswerSentence(text=_line(each, said), citations=[number], support="quoted", paragraph=1, kind=BlockKind.LIST_ITEM),
        )
    text = cited_text(sentences) + (f"\n\n{rest}" if rest else "")
    notes = ["The documents changed since the themes were found; they are being found anew."] if page.stale else []
    return Answer(text=text, sentences=sentences, citations=numbers.ordered_citations(), notes=notes)


def _coverage(page: CommunityPage, shown: int) -> str:
    """Return how many themes there are and how much of the library they cover."""
    themes = f"{page.total:,} {'theme' if page.total == 1 else 'themes'}"
    covered = f"which {'covers' if page.total == 1 else 'cover'} {page.covered_documents:,} of {page.documents:,} documents"
    told = "" if shown == page.total else f"; {'one is' if shown == 1 else f'{shown} are'} told here"
    return f"Your documents have {themes}, {covered}{told}:"


def _line(theme: Community, said: CommunityCitation) -> str:
    # No keyword: it may come from a document that is not cited, and would stay in the conversation when that one is deleted.
    documents = f"{theme.documents:,} {'document' if theme.documents == 1 else 'documents'}"
    return f"- {theme.name}, {documents}: “{' '.join(said.text.split())}”"


def _best_sentence(citations: list[CommunityCitation]) -> CommunityCitation:
    """Return the first whole sentence, else the first one."""
    return next((each for each in citations if _is_whole_sentence(each)), citations[0])


def _is_whole_sentence(said: CommunityCitation) -> bool:
    return said.text.rstrip("\"'”’»)").endswith((".", "!"))


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
