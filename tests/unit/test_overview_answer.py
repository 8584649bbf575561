"""Overviews: the themes of a library with a cited sentence of each, and how much of it they cover."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from agents.general_answer.agent import NOTHING_WITHIN_LIMITS, answer_about_system
from agents.overview.agent import NO_DEADLINES, NO_RISKS, OverviewPorts, OverviewQuestion, describe_themes
from agents.overview.deadlines import describe_deadlines
from agents.overview.risks import describe_risks
from agents.query_routing.overview_questions import overview_aspect
from core.answers import Answer
from core.communities import Community, CommunityCitation, CommunityPage, CommunityQuery, RefreshResult, SummaryCosts, ThemeSurvey
from core.errors import NotFound, Unavailable
from core.ports import JobRecord, Mention, Mentions
from core.query_routes import Aspect
from core.search import EVERYTHING, Degradation, Filters
from tests.support.ports import FakeLibrary, make_document, sample_library


def theme(name: str, documents: int, *texts: str) -> Community:
    cited = [
        CommunityCitation(document_id=f"{name}{place}", generation=1, filename=f"{name}.txt", page=None, start=0, end=len(text), text=text)
        for place, text in enumerate(texts)
    ]
    return Community(
        id=name, name=name, level=0, entity_ids=["a"], entity_count=1, members=[], summary=" ".join(texts), keywords=["rent", "notice"],
        parent_id=None, child_ids=[], citations=cited, documents=documents, generated_by="rules", stale=False,
    )  # fmt: skip


class FakeCommunities:
    """core.ports.Communities over a list of themes."""

    def __init__(self, themes: list[Community], *, stale: bool = False, fails: bool = False) -> None:
        self.themes, self.stale, self.fails, self.ensured = themes, stale, fails, 0
        self.survey: ThemeSurvey | None = None

    async def ensure_current(self, tenant: str) -> None:
        self.ensured += 1
        if self.fails:
            raise Unavailable("The knowledge graph is still being loaded.")

    async def list_communities(self, tenant: str, **query: Any) -> CommunityPage:
        return CommunityPage(
            communities=self.themes, total=len(self.themes), levels=1, stale=self.stale, refreshed_at=None, smaller_groups=0,
            smaller_group_entities=0, covered_documents=4, documents=5,
        )  # fmt: skip

    async def survey_themes(self, tenant: str, *, limit: int, filters: Filters = EVERYTHING) -> ThemeSurvey:
        self.asked_of = filters
        return self.survey or ThemeSurvey(await self.list_communities(tenant))

    async def find_communities(self, tenant: str, query: CommunityQuery) -> list[Community]:
        return self.themes[: query.limit]

    async def estimate_costs(self, tenant: str) -> SummaryCosts:
        raise NotImplementedError

    async def get(self, tenant: str, community_id: str) -> Community:
        raise NotFound(community_id)

    async def refresh(self, tenant: str) -> RefreshResult:
        raise NotImplementedError

    async def queue_refresh(self, tenant: str) -> JobRecord:
        raise NotImplementedError


async def test_each_theme_has_a_sentence_that_is_cited_and_the_coverage_is_told() -> None:
    themes = [theme("Lease", 3, "Rent | 900", "The rent is\n900 pounds."), theme("Cranes", 2, "Crane C2 has a crack."), theme("Alone", 1, "Nobody.")]
    answer = await describe_themes("default", FakeCommunities(themes, stale=True), "By kinds.")
    assert answer is not None
    assert answer.text.splitlines()[0] == "Your documents have 3 themes, which cover 4 of 5 documents:"
    assert "- Lease, 3 documents: “The rent is 900 pounds.” [1]" in answer.text
    assert answer.text.index("- Cranes") < answer.text.index("- Alone, 1 document:")
    assert answer.text.endswith("\n\nBy kinds.")
    assert [(each.number, each.document_id, each.quote) for each in answer.citations] == [
        (1, "Lease1", "The rent is\n900 pounds."),
        (2, "Cranes0", "Crane C2 has a crack."),
        (3, "Alone0", "Nobody."),
    ]
    assert [each.citations for each in answer.sentences] == [[], [1], [2], [3]]
    assert "found anew" in answer.notes[0]


async def test_themes_of_one_document_count_where_there_are_no_others() -> None:
    answer = await describe_themes("default", FakeCommunities([theme("Alone", 1, "Nobody.")]))
    assert answer is not None
    assert answer.text.startswith("Your documents have 1 theme, which covers 4 of 5 documents:\n\n- Alone, 1 document:")


async def test_without_themes_the_library_is_told_by_kinds() -> None:
    library = sample_library()
    by_kinds = await answer_about_system(
        "What are the main themes?", tenant="default", library=library, model_name=None, overview=OverviewQuestion("themes", "default")
    )
    for communities in (FakeCommunities([]), FakeCommunities([theme("Silent", 3)])):
        given = await answer_about_system(
            "What are the main themes?",
            tenant="default",
            library=library,
            model_name=None,
            ports=OverviewPorts(communities),
            overview=OverviewQuestion("themes", "default"),
        )
        assert given == by_kinds
        assert communities.ensured == 1


async def test_themes_that_cannot_be_asked_for_are_said_to_be_missing() -> None:
    ports = OverviewPorts(FakeCommunities([theme("Lost", 3, "Said.")], fails=True))
    given = await answer_about_system(
        "What are the main themes?",
        tenant="default",
        library=sample_library(),
        model_name=None,
        ports=ports,
        overview=OverviewQuestion("themes", "default"),
    )
    reason = "The themes of the library cannot be told now: The knowledge graph is still being loaded."
    assert given.answer.notes == [reason]
    assert given.answer.degraded == [Degradation(part="communities", reason=reason)]


LEGAL = Filters(path_prefix="/library/legal")


async def ask_within(filters: Filters, communities: FakeCommunities) -> Answer:
    asked, ports = OverviewQuestion("themes", "default", filters), OverviewPorts(communities)
    given = await answer_about_system(
        "What are the main themes?", tenant="default", library=sample_library(), model_name=None, ports=ports, overview=asked
    )
    return given.answer


async def test_themes_of_a_part_are_asked_for_with_its_limits_and_told_as_those_of_a_part() -> None:
    communities = FakeCommunities([theme("Lease", 3, "The rent is 900 pounds.")])
    answer = await ask_within(LEGAL, communities)
    assert communities.asked_of == LEGAL
    first, *_, kinds, document = (line for line in answer.text.splitlines() if line)
    assert first == "The documents within your limits have 1 theme, which covers 4 of 5 documents:"
    assert (kinds, document) == ("1 document of 1 kind:", "- 1 text: Halden lease")
    assert (await ask_within(EVERYTHING, communities)).text.startswith("Your documents have 1 theme,")
    assert communities.asked_of == EVERYTHING


async def test_where_nothing_is_within_the_limits_that_is_said() -> None:
    communities = FakeCommunities([theme("Lease", 3, "The rent is 900 pounds.")])
    answer = await ask_within(Filters(path_prefix="/nowhere"), communities)
    assert (answer.text, answer.found, answer.citations) == (NOTHING_WITHIN_LIMITS, False, [])
    assert communities.ensured == 0


async def test_themes_of_a_part_that_cannot_be_asked_for_leave_its_kinds() -> None:
    answer = await ask_within(LEGAL, FakeCommunities([], fails=True))
    assert answer.text == "1 document of 1 kind:\n- 1 text: Halden lease"
    assert "documents within your limits cannot be told now" in answer.degraded[0].reason


async def test_rows_of_tables_are_no_themes_where_there_are_others() -> None:
    answer = await describe_themes("default", FakeCommunities([theme("Rows", 2, "S26 | Lomar | 12"), theme("Lease", 2, "The rent is 900 pounds.")]))
    assert answer is not None
    assert "Rows" not in answer.text


async def test_questions_about_the_library_in_numbers_ask_for_no_themes() -> None:
    communities = FakeCommunities([theme("Lease", 3, "The rent is 900 pounds.")])
    await answer_about_system(
        "How many PDFs are indexed?", tenant="default", library=sample_library(), model_name=None, ports=OverviewPorts(communities)
    )
    assert communities.ensured == 0


class WordFinder:
    """core.ports.MentionFinder over the documents of a fake library."""

    def __init__(self, library: FakeLibrary) -> None:
        self.library = library

    async def find_mentions(self, tenant: str, words: str, filters: Filters, *, together: bool) -> Mentions:
        page, _, _ = await self.library.list_documents(tenant, filters=filters, limit=50)
        texts = await self.library.contents(tenant, [each.id for each in page])
        found = {each: Mention(each, 1, 0, 1) for each, content in texts.items() if words in content.text.lower()}
        return Mentions(found, is_complete=True)


CRACK = "A crack in the runway may let the crane fall down on people."
FROST = "The greatest risk of the plan is that the harbour freezes in January."
SOUP = "On Mondays the kitchen serves soup with bread and butter to all."


def risky_library() -> FakeLibrary:
    texts = {"crane": f"The report is long. {CRACK}", "plan": FROST, "menu": SOUP}
    return FakeLibrary([make_document(name, f"/docs/{name}.txt", name.title(), [("A", text)]) for name, text in texts.items()])


async def test_risks_are_told_by_a_sentence_of_each_document_the_plainest_first() -> None:
    library = risky_library()
    answer = await describe_risks("default", library, WordFinder(library))
    assert answer is not None
    assert answer.text.startswith("2 of 3 documents speak of risks")
    assert [each.quote for each in answer.citations] == [FROST, CRACK]
    contents = await library.contents("default", ["crane", "plan"])
    assert all(contents[each.document_id].text[each.start : each.end] == each.quote for each in answer.citations)


async def test_risks_and_deadlines_are_those_of_the_documents_within_the_limits() -> None:
    library, limits = risky_library(), Filters(document_ids=["plan", "menu"])
    answer = await describe_risks("default", library, WordFinder(library), limits)
    assert answer is not None
    assert answer.text.startswith("1 of 2 documents speak of risks")
    assert [each.document_id for each in answer.citations] == ["plan"]
    texts = {"minutes": MINUTES, "permit": PERMIT}
    library = FakeLibrary([make_document(name, f"/docs/{name}.txt", name.title(), [("A", text)]) for name, text in texts.items()])
    found = await describe_deadlines("default", library, WordFinder(library), date(2026, 4, 1), Filters(document_ids=["permit"]))
    assert found is not None
    assert found.text.startswith("1 deadline in 1 of 1 documents:")
    assert {each.document_id for each in found.citations} == {"permit"}


@pytest.mark.parametrize("aspect", ["risks", "deadlines"])
async def test_what_no_document_within_the_limits_states_is_not_denied_of_the_others(aspect: Aspect) -> None:
    library = FakeLibrary([make_document(name, f"/docs/{name}.txt", name, [("A", text)]) for name, text in (("menu", SOUP), ("plan", FROST))])
    asked, ports = OverviewQuestion(aspect, "default", Filters(document_ids=["menu"])), OverviewPorts(None, WordFinder(library))
    given = await answer_about_system("Which?", tenant="default", library=library, model_name=None, ports=ports, overview=asked)
    assert not given.answer.found
    assert " of the documents within your limits s" in given.answer.text


async def test_where_no_document_speaks_of_a_risk_that_is_said() -> None:
    library = FakeLibrary([make_document("menu", "/docs/menu.txt", "Menu", [("A", "On Mondays the kitchen serves soup with bread to all.")])])
    ports = OverviewPorts(None, WordFinder(library))
    given = await answer_about_system(
        "What are the main risks?", tenant="default", library=library, model_name=None, ports=ports, overview=OverviewQuestion("risks", "default")
    )
    assert (given.answer.text, given.answer.found) == (NO_RISKS, False)


@pytest.mark.parametrize(
    "question", ["What are the main risks?", "What are the biggest risks in our documents?", "Was sind die wichtigsten Risiken?"]
)
def test_risks_of_the_library_are_asked_for(question: str) -> None:
    assert overview_aspect(question) == "risks"


MINUTES = "Berit will order the ropes by 3 May 2026. Otto must paint the boat house by 1 March 2026. The soup was good."
PERMIT = "The permit for the slipway expires on 30 June 2026. It was signed on 2 January 2024."


async def test_deadlines_are_told_in_the_order_of_their_days_with_who_and_where() -> None:
    texts = {"minutes": MINUTES, "permit": PERMIT, "menu": f"{SOUP} It was due to Ada that there was bread on 4 May 2026 within reason."}
    library = FakeLibrary([make_document(name, f"/docs/{name}.txt", name.title(), [("A", text)]) for name, text in texts.items()])
    answer = await describe_deadlines("default", library, WordFinder(library), date(2026, 4, 1))
    assert answer is not None
    assert [sentence.text for sentence in answer.sentences[1:]] == [
        "- 1 March 2026: “Otto must paint the boat house by 1 March 2026.” (Otto), minutes.txt",
        "- 3 May 2026: “Berit will order the ropes by 3 May 2026.” (Berit), minutes.txt",
        "- 30 June 2026: “The permit for the slipway expires on 30 June 2026.”, permit.txt",
    ]
    contents = await library.contents("default", list(texts))
    assert all(contents[each.document_id].text[each.start : each.end] == each.quote for each in answer.citations)


async def test_of_many_deadlines_those_to_come_are_told() -> None:
    days = [f"The part {number} must be paid by {number + 1} March 2026." for number in range(5)]
    later = [f"The tax {number} is due by {number + 1} October 2026." for number in range(12)]
    texts = {f"d{number}": f"{early} {late}" for number, (early, late) in enumerate(zip([*days, *[""] * 7], later, strict=True))}
    library = FakeLibrary([make_document(name, f"/docs/{name}.txt", name, [("A", text)]) for name, text in texts.items()])
    answer = await describe_deadlines("default", library, WordFinder(library), date(2026, 6, 1))
    assert answer is not None
    assert answer.text.startswith("17 deadlines in 12 of 12 documents; 14 are told here, those to come first:")
    assert answer.text.count("October") == 12 * 2  # in front and in the sentence
    assert "The part 4" in answer.text
    assert "The part 0" not in answer.text


async def test_all_deadlines_of_a_document_are_counted_and_the_nearest_told() -> None:
    long = " ".join(f"The part {number} is due by {number + 1} May 2026." for number in range(20))
    texts = {"long": long, "short": "The permit expires on 9 August 2026. The tax is due by 3 March 2026."}
    library = FakeLibrary([make_document(name, f"/docs/{name}.txt", name, [("A", text)]) for name, text in texts.items()])
    answer = await describe_deadlines("default", library, WordFinder(library), date(2026, 4, 1))
    assert answer is not None
    assert answer.text.startswith("22 deadlines in 2 of 2 documents; 14 are told here, those to come first:")
    assert [line.split(":")[0] for line in answer.text.splitlines()[2:]] == [f"- {number + 1} May 2026" for number in range(14)]
    assert "not looked at" not in answer.notes[0]


async def test_where_no_document_states_a_deadline_that_is_said() -> None:
    library = FakeLibrary([make_document("menu", "/docs/menu.txt", "Menu", [("A", SOUP)])])
    ports = OverviewPorts(None, WordFinder(library))
    given = await answer_about_system(
        "List all deadlines", tenant="default", library=library, model_name=None, ports=ports, overview=OverviewQuestion("deadlines", "default")
    )
    assert (given.answer.text, given.answer.found) == (NO_DEADLINES, False)


@pytest.mark.parametrize(
    "question",
    [
        "List all deadlines",
        "Which deadlines are coming up?",
        "What deadlines do we have?",
        "Welche Fristen gibt es?",
        "Are there any deadlines in my files?",
    ],
)
def test_deadlines_of_the_library_are_asked_for(question: str) -> None:
    assert overview_aspect(question) == "deadlines"


@pytest.mark.parametrize(
    "question", ["What is the deadline for the audit?", "Which deadlines does the lease name?", "List all deadlines of Ada Holm"]
)
def test_deadlines_of_one_thing_are_searched(question: str) -> None:
    assert overview_aspect(question) == ""


@pytest.mark.parametrize("question", ["What are the risks of the crane?", "What are the main risks named in the audit?", "Which risk is insured?"])
def test_risks_of_one_thing_are_searched(question: str) -> None:
    assert overview_aspect(question) == ""
