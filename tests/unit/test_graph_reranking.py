"""The reranker by the knowledge graph: distances by one walk, episodes by age and rarity, what is absent, and what is refused at the start."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agents.strategy.agent import STRATEGIES
from core.errors import ConfigurationError, Unavailable
from core.graph import EntityEpisode, EntityMatch, WalkLimits, WeighedEpisode
from core.search import Candidate, Retrieval, RetrievalRequest
from graph.graph_view import GraphView
from graph.shared_graph import SharedGraph
from retrieval.graph_reranking import STAGE, GraphReranker
from settings import load_settings
from settings_graph import GraphRerankerSettings
from tests.support.graphs import MemoryGraphStore, make_paragraphs

NOW = datetime.fromisoformat("2026-05-04T12:00:00+00:00")
CHAIN = {  # each firm and the next are named in one sentence
    "one": "Orla Fenwick works at Castor Shipping Ltd.",
    "two": "Castor Shipping Ltd works with Dorian Freight Ltd.",
    "three": "Dorian Freight Ltd works with Elling Timber Ltd.",
    "four": "Elling Timber Ltd works with Falstaff Mills Ltd.",
    "far": "Gudrun Oberlin works at Harrow Bakery Ltd.",
    "nothing": "It rained the whole day and nobody came.",
}
ASKED = RetrievalRequest(text="What does Orla Fenwick do?", strategy=STRATEGIES["hybrid"], user_id="ann")
WALK = WalkLimits(max_distance=3, hub_share=0.1)


class History:
    """core.ports.EpisodeHistory of given episodes; keeps who was asked for."""

    def __init__(self, *found: EntityEpisode) -> None:
        self.found, self.asked = found, list[tuple[str, str, datetime]]()

    async def episodes(self, library: str, user_id: str, since: datetime) -> list[EntityEpisode]:
        self.asked.append((library, user_id, since))
        return [each for each in self.found if each.at >= since]


class BrokenGraph(GraphView):
    async def match(self, tenant: str, names: Sequence[str], text: str, limit: int = 8) -> list[EntityMatch]:
        raise Unavailable("The knowledge graph is still being loaded.")


def store_of(texts: dict[str, str], tenant: str = "default") -> MemoryGraphStore:
    store = MemoryGraphStore()
    for name, text in texts.items():
        store.put_document(name, make_paragraphs(text), tenant=tenant)
    return store


def found(count: int = len(CHAIN)) -> Retrieval:
    """Chunk n is of the n-th document; the scores fall by a tenth."""
    names = list(CHAIN)
    return Retrieval(candidates=[Candidate(chunk_id=place + 1, document_id=names[place], score=0.9 - place / 10) for place in range(count)])


def reranker(history: History | None = None, graph: GraphView | None = None, **changes: Any) -> GraphReranker:
    view = graph or GraphView(store_of(CHAIN))
    return GraphReranker(view, history or History(), GraphRerankerSettings(enabled=True, **changes), lambda: NOW)


async def entity_ids(view: GraphView, *names: str) -> list[str]:
    return [(await view.match("default", [name], "", 1))[0].entity.id for name in names]


async def test_distances_are_of_the_nearest_entity_and_end_where_the_walk_does() -> None:
    view = GraphView(store_of(CHAIN))
    (orla,) = await entity_ids(view, "Orla Fenwick")
    for far, chunks in ((3, {1: 0, 2: 1, 3: 2, 4: 3}), (2, {1: 0, 2: 1, 3: 2}), (1, {1: 0, 2: 1})):
        walked = await view.chunk_distances("default", [orla], range(1, 99), WalkLimits(far, 0.1))
        assert (walked.chunks, walked.is_cut) == (chunks, False)
    assert (await view.chunk_distances("default", [], [1, 2], WALK)).chunks == {}
    assert (await view.chunk_distances("default", ["nobody"], [1, 2], WALK)).chunks == {}
    assert (await view.chunk_distances("other", [orla], [1, 2], WALK)).chunks == {}


async def test_nothing_is_reached_through_a_hub() -> None:
    people = [f"Mara {first}{second}lison".title() for first in "abcd" for second in "eiou"]
    texts = {f"d{place:02}": f"{name} works at Trevanion Docks Ltd." for place, name in enumerate(people)}
    view = GraphView(store_of(texts))
    (mara,) = await entity_ids(view, people[0])
    through = await view.chunk_distances("default", [mara], range(1, 17), WalkLimits(3, 1.0))
    assert set(through.chunks.values()) == {0, 1}  # the firm itself, which all name, is near
    others = store_of({**texts, "own": f"{people[1]} met Peter Quillon."})
    for share, met in ((1.0, {17: 2}), (0.1, {})):
        view = GraphView(others)
        assert (await view.chunk_distances("default", [mara], [17], WalkLimits(3, share))).chunks == met


def firm_of_many() -> MemoryGraphStore:
    """Fourteen papers name the firm; the thirteenth and the last also name somebody whom few do."""
    papers = {f"d{place:02}": "Trevanion Docks Ltd opened at eight." for place in range(12)}
    return store_of({**papers, "met": "Peter Quillon visited Trevanion Docks Ltd.", "last": "Trevanion Docks Ltd thanked Quinn Adair."})


async def test_a_name_that_most_documents_have_brings_no_passage_nearer() -> None:
    view = GraphView(firm_of_many())
    firm, peter = await entity_ids(view, "Trevanion Docks Ltd", "Peter Quillon")
    assert (await view.chunk_distances("default", [firm], range(1, 15), WALK)).chunks == {}
    assert (await view.chunk_distances("default", [firm, peter], range(1, 15), WALK)).chunks[13] == 0
    asked = ASKED.model_copy(update={"text": "When did Trevanion Docks Ltd open?"})
    moved = await reranker(graph=view).rerank(asked, found(4))
    assert [each.chunk_id for each in moved.candidates] == [1, 2, 3, 4]
    assert moved.reports[-1].note.endswith("Nothing that they mention is near Trevanion Docks Ltd; the order stays.")


async def test_episodes_that_name_what_most_documents_have_count_nothing() -> None:
    view = GraphView(firm_of_many())
    named = [WeighedEpisode(EntityEpisode(NOW, "What did Trevanion Docks Ltd and Peter Quillon do?"), 1.0)]
    scores = (await view.chunk_episodes("default", range(1, 15), named, 1, 0.1)).scores
    assert {number: (each.mentions, each.score) for number, each in scores.items()} == {13: (1, 1.0)}
    everybody = await view.chunk_episodes("default", range(1, 15), named, 1, 1.0)
    assert (len(everybody.scores), everybody.silent) == (14, set())


async def test_a_passage_near_what_is_asked_moves_up_and_says_how_near() -> None:
    moved = await reranker(type="distance").rerank(ASKED, found())
    contexts = {each.chunk_id: each.graph_context for each in moved.candidates}
    assert [context.min_distance for number in range(1, 7) if (context := contexts[number])] == [0, 1, 2, 3, None, None]
    third = contexts[3]
    assert third is not None
    assert (third.distance_score, third.episode_score, third.original_score) == (0.3333, None, 0.6)
    assert third.combined_score == pytest.approx((0.4 * 0.6 + 0.3 / 3) / 0.7, abs=1e-5)  # the episodes' weight is shared
    assert third.graph_score == 0.3333
    assert [each.score for each in moved.candidates] == sorted((each.score for each in moved.candidates), reverse=True)
    assert moved.candidates[0].stages[STAGE].rank == 1
    assert moved.reports[-1].parameters["weights"] == pytest.approx({"original": 4 / 7, "distance": 3 / 7})
    assert moved.reports[-1].note.endswith("The question names Orla Fenwick.")


async def test_an_episode_counts_once_by_its_age_and_not_outside_the_window() -> None:
    asked = "Who runs Dorian Freight?\nDorian Freight is run by Orla. Dorian Freight Ltd is old."
    history = History(
        EntityEpisode(NOW, asked, ("three",)),  # named, cited and opened: one episode
        EntityEpisode(NOW - timedelta(days=30), asked),
        EntityEpisode(NOW - timedelta(days=31), asked),
        EntityEpisode(NOW + timedelta(days=5), document_ids=("far",)),  # dated ahead: no more than one of today
        EntityEpisode(NOW, "What is a timber? Is Elling far from Falstaff? Dorian lifts freight."),
    )
    moved = await reranker(history, type="episode", max_mentions=2).rerank(ASKED, found())
    contexts = {each.chunk_id: each.graph_context for each in moved.candidates}
    mentions = [context.episode_mentions for number in range(1, 7) if (context := contexts[number])]
    assert mentions == [0, 2, 2, 1, 1, 0]  # the fourth names Elling Timber, as the opened one does
    fifth, sixth = contexts[5], contexts[6]
    assert fifth is not None
    assert sixth is not None
    assert (fifth.episode_score, fifth.min_distance, fifth.distance_score) == (0.5, None, None)
    others = [context.episode_score or 0.0 for number in range(1, 6) if (context := contexts[number])]
    assert sixth.episode_score == pytest.approx(sum(others) / 5, abs=1e-4)  # it names nothing that could be named
    assert history.asked == [("default", "ann", NOW - timedelta(days=30))]


async def test_a_passage_is_silent_that_names_nothing_or_only_what_most_have() -> None:
    assert (await GraphView(store_of(CHAIN)).chunk_episodes("default", range(1, 7), [], 1, 0.1)).silent == {6}
    assert (await GraphView(firm_of_many()).chunk_episodes("default", range(1, 15), [], 1, 0.1)).silent == set(range(1, 13))
    moved = await reranker(History(EntityEpisode(NOW, "Harrow Bakery Ltd")), type="episode", max_mentions=1).rerank(ASKED, found())
    scores = {each.chunk_id: each.graph_context.episode_score for each in moved.candidates if each.graph_context}
    assert scores[6] == pytest.approx((scores[5] or 0.0) / 5, abs=1e-4)
    assert scores[1] == 0.0  # a name that could have been named, and was not


async def test_the_mean_is_by_rarity_and_long_passages_do_not_win() -> None:
    view = GraphView(
        store_of({"short": "Pavel Sorrel called.", "long": "Pavel Sorrel, Quinn Adair and Rosa Tamsin met.", "all": "Quinn Adair left."})
    )
    named = [WeighedEpisode(EntityEpisode(NOW, "Where is Pavel Sorrel?"), 1.0)]
    scores = (await view.chunk_episodes("default", [1, 2, 3], named, 1, 0.1)).scores
    assert (sorted(scores), scores[1].score) == ([1, 2], 1.0)
    assert 0 < scores[2].score < 0.5
    assert (await view.chunk_episodes("other", [1, 2, 3], named, 1, 0.1)).scores == {}


async def test_a_hybrid_has_both_and_an_absent_signal_gives_its_weight_away() -> None:
    history = History(EntityEpisode(NOW, "Where does Gudrun Oberlin live?"))
    both = await reranker(history).rerank(ASKED, found())
    assert both.reports[-1].parameters["weights"] == pytest.approx({"original": 0.4, "episode": 0.3, "distance": 0.3})
    alone = await reranker().rerank(ASKED, found())
    assert alone.reports[-1].parameters["weights"] == pytest.approx({"original": 4 / 7, "distance": 3 / 7})
    for each in [*both.candidates, *alone.candidates]:
        assert each.graph_context is not None
        assert 0 <= each.graph_context.graph_score <= 1


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("hybrid", "How was the weather?", "names nothing"),
        ("distance", "How was the weather?", "names nothing"),
        ("distance", "Where is Harrow Bakery?", "near Harrow Bakery"),
        ("episode", "What does Orla Fenwick do?", "says nothing"),
    ],
)
async def test_what_says_nothing_leaves_order_and_scores(kind: str, text: str, said: str) -> None:
    before = found(4)
    after = await reranker(type=kind).rerank(ASKED.model_copy(update={"text": text}), before)
    assert after.candidates == before.candidates
    assert said in after.reports[-1].note
    assert not after.degraded


async def test_episodes_alone_need_no_name_in_the_question() -> None:
    history = History(EntityEpisode(NOW, document_ids=("four",)))
    moved = await reranker(history, type="episode", max_mentions=1).rerank(ASKED.model_copy(update={"text": "How was the weather?"}), found())
    assert moved.candidates[0].document_id == "four"


async def test_equal_scores_keep_their_order_and_stages_can_be_left_out() -> None:
    level = found().model_copy(update={"candidates": [each.model_copy(update={"score": 0.5}) for each in found().candidates]})
    moved = await reranker(type="distance").rerank(ASKED, level)
    assert [each.chunk_id for each in moved.candidates] == [1, 2, 3, 4, 5, 6]
    assert await reranker().rerank(ASKED.model_copy(update={"without": [STAGE]}), level) == level
    assert await reranker().rerank(ASKED, Retrieval()) == Retrieval()


async def test_a_graph_that_cannot_be_read_leaves_the_order_and_says_so() -> None:
    before = found()
    after = await reranker(graph=BrokenGraph(store_of(CHAIN))).rerank(ASKED, before)
    assert after.candidates == before.candidates
    assert [each.part for each in after.degraded] == [STAGE]
    assert "still being loaded" in after.reports[-1].note


async def test_another_tenant_s_graph_counts_nothing_and_a_person_s_own_library_reads_the_tenant_s() -> None:
    view = SharedGraph(GraphView(store_of(CHAIN)))
    stage = GraphReranker(view, History(), GraphRerankerSettings(), lambda: NOW)
    other = await stage.rerank(ASKED.model_copy(update={"tenant": "other"}), found())
    assert other.candidates == found().candidates
    own = await stage.rerank(ASKED.model_copy(update={"tenant": "default:ann"}), found())
    assert own.candidates[0].graph_context is not None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"original_weight": 0.5}, "sum to 1.1"),
        ({"type": "walk"}, "type"),
        ({"max_distance": 0}, "max_distance"),
        ({"episode_weight": float("nan")}, "episode_weight"),
        ({"episode_window_days": float("inf")}, "episode_window_days"),
        ({"type": "episode", "episode_weight": 0.0, "distance_weight": 0.6}, "no weight is left"),
    ],
)
def test_what_cannot_be_is_refused_at_the_start(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigurationError, match=said) as refused:
        load_settings(environ={"VANTAGE_HOME": str(tmp_path)}, overrides={"graph_reranker": changes}, folder=tmp_path)
    assert "graph_reranker" in str(refused.value)
