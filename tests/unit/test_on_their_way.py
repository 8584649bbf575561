"""What a run may have on its way, counted in the bytes that documents came in."""

from __future__ import annotations

from dataclasses import replace

import anyio

from core.documents import DocumentProfile, ExtractedDocument, Metadata, PageUnit
from ingestion.indexing.concurrency import ByteBudget
from ingestion.indexing.embed_stage import weight_of
from ingestion.workers.result_codec import pack_result, unpack_result
from ingestion.workers.worker_protocol import HEADER, Extraction, FrameKind, MemberRead

_TEXT = "The quay is let.\n"
_PROFILE = DocumentProfile("Quay", "", "", (), (), "en", "report")
_EXTRACTION = Extraction(ExtractedDocument(_TEXT, (), (), (), (), PageUnit.NONE, Metadata(), "txt"), _PROFILE, "0" * 64, len(_TEXT))


async def _entered(budget: ByteBudget, weight: int) -> bool:
    with anyio.move_on_after(0.05):
        await budget.reserve(weight)
        return True
    return False


async def test_no_second_large_document_is_on_its_way_but_small_ones_are() -> None:
    budget = ByteBudget(1_000)
    assert await _entered(budget, 1_000_000)
    assert not await _entered(budget, 1_000_000)
    assert await _entered(budget, 200)
    assert not await _entered(budget, 200)
    await budget.release(1_000_000)
    assert await _entered(budget, 700)


async def test_all_that_is_given_back_is_free_again() -> None:
    budget = ByteBudget(1_000)
    for weight in (1, 749, 750, 5_000_000):
        assert await _entered(budget, weight)
        await budget.release(weight)
    assert await _entered(budget, 750)
    assert await _entered(budget, 250)


def test_a_document_weighs_what_it_came_in() -> None:
    head, body = pack_result(_EXTRACTION)
    assert HEADER.unpack(head) == (FrameKind.REPLY, len(body))
    reply = unpack_result(FrameKind.REPLY, body)
    assert isinstance(reply, Extraction)
    assert weight_of(reply) == len(body) > len(_TEXT)
    assert replace(reply, weight=0) == _EXTRACTION


def test_a_member_weighs_too() -> None:
    _, body = pack_result(MemberRead("a.txt", "", _EXTRACTION))
    read = unpack_result(FrameKind.MEMBER, body)
    assert isinstance(read, MemberRead)
    assert isinstance(read.outcome, Extraction)
    assert weight_of(read.outcome) == len(body)


def test_the_text_weighs_at_least() -> None:
    assert weight_of(_EXTRACTION) == len(_TEXT)
