"""Misspelt words in the library's own words: what is corrected, what is left, and what people type for short."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.query_classifier.shorthand import expand_shorthand
from core.language.stop_words import SEARCH_STOP_WORDS
from core.ports import apply_corrections
from retrieval.library_speller import LibrarySpeller
from retrieval.vocabulary_words import whole_words

TEXTS = {
    1: "The Tenant pays a deposit to the Landlord. The deposit is returned.",
    2: "The landlord gives notice of nine months; the warranty ends with the lease.",
    3: "Deposits of other boats. The harbour master has a tent, the newest of all.",
}
KNOWN = frozenset({"caution", "rent", "salary", "surgeon", "depose", "warrant", "notify", "harbor"})


class Words:
    """An index whose terms are the words in lower case, and a library of three passages."""

    def terms(self, text: str) -> list[str]:
        return re.findall(r"\w+", text.lower())

    async def idf(self, tenant: str, text: str) -> dict[str, float]:
        return {term: 1.0 if any(term in self.terms(each) for each in TEXTS.values()) else 5.0 for term in self.terms(text)}

    async def chunks_with_similar_term(self, tenant: str, term: str, distance: int, limit: int) -> list[int]:
        return list(TEXTS) if tenant == "default" else []

    async def chunks(self, tenant: str, ids: list[int]) -> dict[int, Any]:
        return {each: SimpleNamespace(prefix="", text=TEXTS[each]) for each in ids}


async def read(text: str, tenant: str = "default") -> str:
    words = Words()
    return apply_corrections(text, await LibrarySpeller(words, cast(Any, words), KNOWN).corrections(tenant, text))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("what is the depozit", "what is the deposit"),
        ("Who is the Landlrd?", "Who is the Landlord?"),
        ("notise of the warenty", "notice of the warranty"),
        ("depoist and lnadlord", "deposit and landlord"),
        ("waht is teh depsoit", "what is the deposit"),
        ("who won the tent adn why", "who won the tent and why"),
    ],
)
async def test_a_word_that_nobody_has_is_the_nearest_one_of_the_library(text: str, meant: str) -> None:
    assert await read(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "what is the deposit",  # it is there
        "who is the surgeon",  # a word of the language, though the library has none
        "who deposes the king, and who deposed him",  # regular forms of one: not the library's "deposit"
        "who warranted it",
        "which harbour has the fewest",  # not the library's "newest"
        "who harboured them",  # British, of a word that the language has
        'what is the "depozit"',  # in quotation marks
        "open depozit.txt of q-20417x",
        "Wie hoch ist die Kaution?",  # no English: the German word is near "caution"
        "DEPOZIT",
        "zzzzqqq wwwwjjj",  # near to nothing
        "depozit landlrd notise warenty",  # too many: no language at all
        "Who is Ms Wartenty?",  # two letters off: another name
        "lanr",  # two edits from "lease": too far for a short word
        "",
    ],
)
async def test_what_is_left_as_it_is(text: str) -> None:
    assert await read(text) == text


async def test_another_tenants_words_are_not_known() -> None:
    assert await read("what is the depozit", tenant="other") == "what is the depozit"


@given(st.text(max_size=60))
async def test_no_text_is_too_odd(text: str) -> None:
    assert isinstance(await read(text), str)
    assert isinstance(expand_shorthand(text), str)


def test_whole_words_of_vocabularies() -> None:
    assert whole_words({"Ġtent": 1, "Ġof": 2, "lord": 3, "Ġ12345": 4}) == {"tent"}
    assert whole_words({"tent": 1, "##lord": 2, "[PAD]": 3, "of": 4}) == {"tent"}


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("whats the rent", "what is the rent"),
        ("Whos the landlord?", "Who is the landlord?"),
        ("wat is the deposit pls", "what is the deposit please"),
        ("gimme the docs", "give me the documents"),
        ("cant we leave", "can't we leave"),
        ("im looking for u", "I am looking for you"),
        ("Wen betrifft das?", "Wen betrifft das?"),
        ("Was steht im Vertrag?", "Was steht im Vertrag?"),
        ("section R of U-boats", "section R of U-boats"),
        ("when'd we sign the lease", "when did we sign the lease"),
        ("how big's the yard", "how big is the yard"),
        ("what do i hafta wear", "what do i have to wear"),
        ("crane repair over 5k", "crane repair over 5,000"),
        ("a £30k order", "a £30,000 order"),
        ("10k run", "10k run"),
        ("air freight aug 2026", "air freight August 2026"),
        ("the mar 2026 and sept. 3, 2025", "the March 2026 and September 3, 2025"),
        ("a decade of the dec", "a decade of the dec"),
        ("how much 4 a spare", "how much for a spare"),
        ("how much 2 fix the joint", "how much to fix the joint"),
        ("version 2 of the policy and clause 4 the same", "version 2 of the policy and clause 4 the same"),
        ("whos the h&s mgr", "who is the health and safety manager"),
        ("max temp in chamber 2", "maximum temperature in chamber 2"),
        ("Max and the temp staff", "Max and the temp staff"),
        ("tel no of Pallas", "telephone number of Pallas"),
        ("which offer did we go with", "which offer did we choose"),
        ("whos covering for Tobias", "who stands in for Tobias"),
        ("How much do we pay for the lease per year?", "what is the rent of the lease per year?"),
        ("How much do we pay for the lease of the truck?", "How much do we pay for the lease of the truck?"),
        ("how many buoys did we get for pier 2", "how many buoys did we receive for pier 2"),
        ("how did we get to pier 2", "how did we get to pier 2"),
        ("how much did we get paid", "how much did we get paid"),
        ("how much do they want 4 the boat", "how much do they charge for the boat"),
        ("what firm is Ada Holm with?", "what firm does Ada Holm work for?"),
        ("whens the season over", "when does the season end"),
        ("when is the ferry over the bar", "when is the ferry over the bar"),
        ("docs.txt and x@docs", "docs.txt and x@docs"),
        ("après combien de temps la porte ferme-t-elle", "après combien de temps la porte ferme-t-elle"),
        ("oven temps for bread", "oven temperatures for bread"),
    ],
)
def test_what_is_typed_for_short_is_written_out(text: str, full: str) -> None:
    assert expand_shorthand(text) == full


async def test_a_word_that_the_index_leaves_out_is_left_as_it_is() -> None:
    class ShorterWords(Words):
        def terms(self, text: str) -> list[str]:
            return [term for term in super().terms(text) if term not in SEARCH_STOP_WORDS | {"s"}]

    words = ShorterWords()
    text = "What of the tenant, whom's lease names a depozit?"
    found = await LibrarySpeller(words, cast(Any, words), KNOWN).corrections("default", text)
    assert apply_corrections(text, found) == "What of the tenant, whom's lease names a deposit?"
