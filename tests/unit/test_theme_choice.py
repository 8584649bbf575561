"""The choice of themes: as they are listed where the library lies in one folder, else with something of each folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.overview.agent import describe_themes
from agents.overview.theme_choice import MOST_THEMES, choose_themes
from core.communities import Community, CommunityCitation, CommunityPage, FolderThemes, ThemeSurvey
from tests.unit.test_overview_answer import FakeCommunities

Held = Mapping[str, int]


@dataclass(frozen=True)
class Made:
    """A theme with how many of its documents lie in each folder; it has a sentence of each folder in `says`."""

    name: str
    held: Held
    says: Sequence[str]
    is_part: bool = False

    @property
    def community(self) -> Community:
        cited = [
            CommunityCitation(document_id=f"{folder}/{self.name}", generation=1, filename=f"{self.name}.txt", page=None, start=0, end=9, text=text)
            for folder in self.says
            for text in [f"Here {self.name} is told by {folder}."]
        ]
        return Community(
            id=self.name, name=self.name, level=0, entity_ids=["a"], entity_count=1, members=[], summary="", keywords=[],
            parent_id="other" if self.is_part else None, child_ids=[], citations=cited, documents=sum(self.held.values()), generated_by="rules",
            stale=False,
        )  # fmt: skip


def make_survey(sizes: Held, themes: Sequence[Made], own: Mapping[str, Sequence[Made]] | None = None) -> ThemeSurvey:
    """The survey of a library whose folders hold so many documents; `own` are what may be told of a folder alone."""
    inside = {folder: list((own or {}).get(folder, ())) for folder in sizes}
    made = [*themes, *(each for found in inside.values() for each in found)]
    page = CommunityPage(
        communities=[each.community for each in themes], total=len(themes), levels=1, stale=False, refreshed_at=None, smaller_groups=0,
        smaller_group_entities=0, covered_documents=sum(sizes.values()), documents=sum(sizes.values()),
    )  # fmt: skip
    return ThemeSurvey(
        page,
        tuple(FolderThemes(folder, count, tuple(each.community for each in inside[folder])) for folder, count in sizes.items()),
        {each.name: dict(each.held) for each in made},
        {f"{folder}/{each.name}": folder for each in made for folder in each.says if folder in sizes},
    )


def told(survey: ThemeSurvey) -> list[tuple[str, str]]:
    return [(each.theme.name, each.folder) for each in choose_themes(survey).told]


LAW = [Made(f"law{number}", {"law": 40 - number}, ["law"]) for number in range(10)]
MED = Made("fever", {"med": 12}, ["med"])


async def answer_of(survey: ThemeSurvey) -> str:
    communities = FakeCommunities([])
    communities.survey = survey
    answer = await describe_themes("default", communities)
    assert answer is not None
    assert len(answer.citations) == len([each for each in answer.sentences if each.citations]) <= MOST_THEMES
    return answer.text


async def test_a_library_in_one_folder_is_told_as_its_themes_are_listed() -> None:
    survey = make_survey({}, LAW)
    assert told(survey) == [(f"law{number}", "") for number in range(8)]
    assert "in law" not in await answer_of(survey)


async def test_a_folder_that_none_of_the_first_speaks_of_takes_the_last_place() -> None:
    survey = make_survey({"law": 90, "med": 20}, [*LAW, MED], {"law": LAW[:3], "med": [MED]})
    assert told(survey) == [*((f"law{number}", "law") for number in range(7)), ("fever", "med")]
    text = await answer_of(survey)
    assert text.startswith("Your documents have 11 themes, which cover 110 of 110 documents; 8 are told here:")
    assert "- law0, 40 documents in law: “Here law0 is told by law.” [1]" in text
    assert text.endswith("- fever, 12 documents in med: “Here fever is told by med.” [8]")


def test_every_folder_is_spoken_of_where_there_are_as_many_as_lines() -> None:
    sizes = {f"f{number}": 30 for number in range(8)}
    own = {folder: [Made(f"of {folder}", {folder: 20}, [folder])] for folder in sizes}
    first = [Made(f"big{number}", {"f0": 25}, ["f0"]) for number in range(9)]
    assert sorted(folder for _, folder in told(make_survey(sizes, first, own))) == sorted(sizes)
    assert told(make_survey(sizes, first, own))[0] == ("big0", "f0")


def test_a_theme_of_several_folders_says_a_sentence_of_the_one_that_no_other_speaks_of() -> None:
    years = {"2024": 30, "2025": 30}
    shared = [Made(name, {"2024": 9, "2025": 9}, ["2024", "2025"]) for name in ("rent", "repairs")]
    assert told(make_survey(years, shared)) == [("rent", "2025"), ("repairs", "2024")]


def test_a_theme_that_is_hardly_of_a_folder_does_not_speak_of_it() -> None:
    mixed = [Made("rent", {"law": 50, "med": 2}, ["law", "med"]), Made("notice", {"law": 40}, ["law"])]
    assert told(make_survey({"law": 80, "med": 20}, mixed)) == [("rent", "law"), ("notice", "law")]


async def test_of_a_folder_without_a_large_theme_small_subjects_are_told_and_that_is_said() -> None:
    small = [Made(name, {"wiki": 2}, ["wiki"], is_part=name != "Normans") for name in ("Normans", "Rhine", "Kenya", "Tesla")]
    survey = make_survey({"law": 90, "med": 30, "wiki": 40}, [*LAW, MED], {"med": [MED], "wiki": small})
    assert told(survey) == [*((f"law{number}", "law") for number in range(5)), ("fever", "med"), ("Normans", "wiki"), ("Rhine", "wiki")]
    text = await answer_of(survey)
    assert "; 7 are told here, and 1 smaller subject:" in text.splitlines()[0]
    assert text.endswith("\n\nNo theme is large in wiki (40 documents): 2 of its subjects are told here.")


async def test_a_folder_of_which_nothing_can_be_told_is_named() -> None:
    survey = make_survey({"law": 90, "scans": 40}, LAW)
    assert (await answer_of(survey)).endswith("\n\nNo sentence told here is of scans (40 documents): no theme lies mostly in it.")


async def test_a_theme_that_lies_in_several_folders_says_how_much_of_it_is_told() -> None:
    survey = make_survey({"law": 90, "med": 40}, [Made("rent", {"law": 60, "med": 9}, ["law"]), Made("fever", {"law": 20, "med": 15}, ["med"])])
    text = await answer_of(survey)
    assert "- rent, 69 documents, most in law: “" in text
    assert "- fever, 35 documents, 15 in med: “" in text


def test_no_theme_is_told_twice_nor_two_of_one_name() -> None:
    fever = Made("Fever", {"med": 12}, ["med"])
    twice = [Made("fever", {"law": 30}, ["law"]), *LAW]
    found = told(make_survey({"law": 90, "med": 20}, twice, {"med": [fever, Made("cough", {"med": 9}, ["med"])]}))
    assert [name for name, folder in found if folder == "med"] == ["cough"]
