"""`vantage ask` and `vantage search`: the cited answer, or the best documents, on the terminal."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio.to_thread

from commands.client import Client, OpenOptions, connect
from commands.exit_codes import DONE, NOTHING_FOUND
from commands.terminal_text import escape_line, escape_text

Prompt = Callable[[str], str]
ASK_OPTIONS = OpenOptions(warm=True, routers=("search", "library"))  # the library takes the files that are attached


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """Options of a question and its output. `attach` are files that the question is asked of; `skip` never lets itself be asked back; `prompt` reads
    a line from a person, None where nobody is there.
    """

    as_json: bool = False
    results_only: bool = False
    attached_files: tuple[Path, ...] = ()
    skip_questions: bool = False
    prompt: Prompt | None = None


def make_output_options(*, as_json: bool, results_only: bool, attach: Sequence[str], skip: bool) -> OutputOptions:
    """Return the options, with a prompt only where a person sits at a terminal."""
    prompt = input if sys.stdin.isatty() and sys.stdout.isatty() and not as_json and not skip else None
    return OutputOptions(as_json, results_only, tuple(Path(each) for each in attach), skip, prompt)


async def ask(config: Path | None, body: dict[str, Any], manner: OutputOptions) -> int:
    """Send POST /search and print the response. Exit code 3 where the library does not answer.

    When it is asked back, a person at a terminal chooses, `skip` searches the question as written, and a script gets the choices.
    """
    async with connect(config, ASK_OPTIONS) as client:
        if manner.attached_files:
            body = {**body, "attached_documents": await _upload_files(client, manner.attached_files)}
        response = await client.post("/search", body)
        if response["clarification_of"] and (manner.skip_questions or manner.prompt):
            response = await _answer_clarifications(client, response, manner.prompt)
    if body.get("offset") and response["answer_kind"] != "documents":
        sys.stderr.write("Only a list of documents has pages; these are the best for the query. --top-k shows more of them.\n")
    return _print_response(response, as_json=manner.as_json, results_only=manner.results_only)


async def _upload_files(client: Client, files: Sequence[Path]) -> list[str]:
    """Upload the files and return their names in the library, once they are read or refused."""
    sent = await client.upload(files)
    while (await client.get(f"/jobs/{sent['job']['id']}"))["state"] in {"queued", "running"}:  # noqa: ASYNC110 # the job is another process's
        await asyncio.sleep(0.1)
    return [str(each) for each in sent["files"]]


async def answer_run(config: Path | None, run_id: str, given: dict[str, Any], *, as_json: bool) -> int:
    """Send POST /runs/{id}/answer to a run of the running server that asked back, and print."""
    async with connect(config) as client:
        response = await client.post(f"/runs/{run_id}/answer", given)
    return _print_response(response, as_json=as_json, results_only=False)


async def _answer_clarifications(client: Client, response: dict[str, Any], prompt: Prompt | None) -> dict[str, Any]:
    given: dict[str, Any] = {"skip": True}
    if prompt is not None:
        sys.stdout.write(_choices(response))
        said = (await anyio.to_thread.run_sync(prompt, "Number, words, or Enter to search as written: ")).strip()
        choices = response["clarification_questions"] or []
        if said.isdigit() and 1 <= int(said) <= len(choices):
            given = {"choice": int(said) - 1}
        elif said:
            given = {"text": said}
    answered: dict[str, Any] = await client.post(f"/runs/{response['clarification_of']}/answer", given)
    return answered


def _choices(response: dict[str, Any]) -> str:
    lines = [f"  {number}. {question}" for number, question in enumerate(response["clarification_questions"] or [], 1)]
    return "\n".join([response["answer"], *lines]) + "\n"


def _print_response(response: dict[str, Any], *, as_json: bool, results_only: bool) -> int:
    if response["clarification_of"] and not as_json:
        sys.stdout.write(_choices(response))
        sys.stdout.write(f"Answer with: vantage answer {response['clarification_of']} --choice N | --text WORDS | --skip\n")
        return NOTHING_FOUND
    if as_json:
        sys.stdout.write(json.dumps(response, ensure_ascii=False) + "\n")
    elif results_only:
        _print_results(response)
    else:
        _print_answer(response)
    return DONE if response["status"] == "success" else NOTHING_FOUND


def _format_place(item: dict[str, Any]) -> str:
    page = f", page {item['page']}" if item["page"] else ""
    section = f" · {item['section'][-1]}" if item["section"] else ""
    return escape_line(f"{item['filename']}{page}{section}")


def _print_answer(response: dict[str, Any]) -> None:
    out = sys.stdout
    out.write(escape_text(response["answer"]) + "\n")
    if response["citations"]:
        out.write("\n")
    for item in response["citations"]:
        out.write(f"[{item['number']}] {_format_place(item)}\n    “{escape_line(' '.join(item['quote'].split()))}”\n")
    for file in (response["insights"] or {}).get("files", []):
        _print_file(file)
    notes = [f"“{item['written']}” was read as {item['meant']}." for item in response["spelling"]] + response["answer_notes"]
    out.writelines(f"{'' if place else chr(10)}note: {escape_line(note)}\n" for place, note in enumerate(notes))
    done = "computed from a table of" if response.get("calculations") else "quoted from"
    by = f"{done} your documents, no model used" if response["generated_by"] == "extractive" else response["generated_by"]
    out.write(
        f"\n{response['confidence_reason']} ({response['confidence']:.2f}) · {by} · {response['total_time']:.2f} s · trace {response['trace_id']}\n"
    )
    for item in response["degraded"]:
        out.write(f"degraded: {item['part']}: {item['reason']}\n")


_CARD = (("executive_summary", "Summary"), ("key_points", "Key points"), ("action_items", "Actions"), ("questions_raised", "Open questions"))


def _print_file(file: dict[str, Any]) -> None:
    """Print the card of an attached file."""
    out = sys.stdout
    out.write(f"\n{escape_line(file['filename'])}" + (f": {file['reason']}\n" if file["state"] == "failed" else "\n"))
    for name, title in _CARD:
        lines = [" ".join(item["text"].split()) for item in (file["insights"] or {}).get(name, [])]
        if lines:
            out.write(f"  {title}\n" + "".join(f"    - {escape_line(line)}\n" for line in lines))


def _print_results(response: dict[str, Any]) -> None:
    first = response["listing"]["offset"] if response.get("listing") else 0
    for number, item in enumerate(response["results"], first + 1):
        name, path = escape_line(item["filename"]), escape_line(item["file_path"])
        sys.stdout.write(f"{number}. {name}  {item['score']:.2f}  {item['why']}\n   {path}\n")
        if item["passages"]:
            sys.stdout.write(f"   {escape_line(' '.join(item['passages'][0]['content'].split())[:240])}\n")
    listing = response.get("listing")
    if listing is not None:
        _print_page_note(response, listing)
    elif not response["results"]:
        sys.stdout.write(response["response_message"] + "\n")


def _print_page_note(response: dict[str, Any], listing: dict[str, Any]) -> None:
    """Print which part of a list was printed, and that it goes on."""
    first, shown, total = listing["offset"] + 1, len(response["results"]), listing["total"]
    if not shown:
        sys.stdout.write(response["answer"] + "\n")
        return
    part = f"{first} to {first + shown - 1}" if shown > 1 else f"{first}"
    sys.stdout.write(f"{part} of {total:,} documents{'; --page shows the others' if shown < total else ''}.\n")
