"""`vantage ask` and `vantage search`: the cited answer, or the best documents, on the terminal."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from commands.client import connect
from commands.exits import DONE, NOTHING_FOUND


async def ask(config: Path | None, body: dict[str, Any], *, as_json: bool, results_only: bool) -> int:
    """POST /search and print. Exit code 3 where the library does not answer."""
    async with connect(config) as client:
        response = await client.post("/search", body)
    if as_json:
        sys.stdout.write(json.dumps(response, ensure_ascii=False) + "\n")
    elif results_only:
        _print_results(response)
    else:
        _print_answer(response)
    return DONE if response["status"] == "success" else NOTHING_FOUND


def _place(item: dict[str, Any]) -> str:
    page = f", page {item['page']}" if item["page"] else ""
    section = f" · {item['section'][-1]}" if item["section"] else ""
    return f"{item['filename']}{page}{section}"


def _print_answer(response: dict[str, Any]) -> None:
    out = sys.stdout
    out.write(response["answer"] + "\n")
    if response["citations"]:
        out.write("\n")
    for item in response["citations"]:
        out.write(f"[{item['number']}] {_place(item)}\n    “{' '.join(item['quote'].split())}”\n")
    by = "quoted from your documents, no model used" if response["generated_by"] == "extractive" else response["generated_by"]
    out.write(
        f"\n{response['confidence_reason']} ({response['confidence']:.2f}) · {by} · {response['total_time']:.2f} s · trace {response['trace_id']}\n"
    )
    for item in response["degraded"]:
        out.write(f"degraded: {item['part']}: {item['reason']}\n")


def _print_results(response: dict[str, Any]) -> None:
    for number, item in enumerate(response["results"], 1):
        sys.stdout.write(f"{number}. {item['filename']}  {item['score']:.2f}  {item['why']}\n   {item['file_path']}\n")
        if item["passages"]:
            sys.stdout.write(f"   {' '.join(item['passages'][0]['content'].split())[:240]}\n")
    if not response["results"]:
        sys.stdout.write(response["response_message"] + "\n")
