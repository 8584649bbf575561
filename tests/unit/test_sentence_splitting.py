"""Where sentences end and where an abbreviation only looks like it."""

from __future__ import annotations

import pytest

from core.language.sentences import split_sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "In Harrow v. Pell the court sent the case back.",
        "Agnes Thorne (b. 1836, d. 1901) kept the light for forty years.",
        "The chapel was built c. 1450 by a guild (fl. 1430) of rope makers.",
        "She ruled the valley (r. 1066 to 1087) with two councillors.",
        "The pumps were sold to Dunmore Inc. and to Ferris Ltd. of Leith.",
        "See Nos. 3 and 4 of the list, and Op. 94 for the flute.",
        "Nach § 5 Abs. 2 und Art. 7 zahlt der Mieter die Kosten.",
        "Am 8. Februar wurde im 19. Jahrhundert v. Chr. nichts vermerkt, z. B. kein Brand.",
        "The letter came from Rev. Ansel Dray, Hon. Sec. of the club.",
        "The report by E.B. Lowe of the U.S. Army names J. R. Finch.",
        'He asked "Who holds the key?" before he left.',
        "The band Wham! is told apart from Bang! by its name.",
        "They walked . . . and found . . . nothing at all.",
        "Der Umsatz stieg auf 12 Mio. EUR, der Gewinn auf 2 Mrd. Yen.",
        "The bus leaves at 7 a.m. EST from the yard.",
        "세계보건기구는 2020. 3. 11. 대유행을 선언하였다.",
        "The plan of 2020. 3.11. holds on.",
    ],
)
def test_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The answer is no. He left at noon.", 2),
        ("It was made by Dunmore Inc. The firm grew fast.", 2),
        ("They rely on vitamin C. It helps nobody.", 2),
        ("He moved to the U.S. In 1990 he came back.", 2),
        ("The war lasted from 1914 to 1918. Twenty three men returned.", 2),
        ("We counted 14. Nobody counted more.", 2),
        ("The shop opens at 8 a.m. Visitors wait outside.", 2),
        ("Die Antwort ist 5. Das stimmt.", 2),
        ("Stop! It is late. Why wait? We go.", 4),
        ("He brought nails, rope etc. Everybody thanked him.", 2),
        ("Well... That was all.", 2),
    ],
)
def test_a_sentence_still_ends(text: str, parts: int) -> None:
    assert len(split(text)) == parts


@pytest.mark.parametrize("text", ["", " \n ", "...", ". . .", "Mr.", "v.", "§", "\u00a0"])
def test_odd_texts_lose_nothing(text: str) -> None:
    assert "".join("".join(part.split()) for part in split(text)) == "".join(text.split())


def test_a_space_that_does_not_break_is_a_space() -> None:
    assert split("Published as Op.\u00a046 and Op.\u00a072 in Graz.") == ["Published as Op.\u00a046 and Op.\u00a072 in Graz."]
