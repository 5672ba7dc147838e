"""A judge behind HTTP that takes its time, and remembers which requests it has answered to the end.

It speaks the OpenAI chat completions format on a loopback port, and thinks with the rules of ``cruxbench/keyword``.
"""

import asyncio
import hashlib
import json
import select
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, cast

from inspect_ai.model import GenerateConfig, ModelOutput, messages_from_openai
from inspect_ai.tool import ToolChoice, ToolFunction, ToolInfo

from cruxbench_inspect.keyword_model import KeywordModel

_POLL = 0.02  # seconds


class Answered(NamedTuple):
    """A request whose answer was sent.

    Attributes:
        digest: SHA-256 (hex) of the request's content.
        at: When the last byte was handed over, on the monotonic clock, seconds.
    """

    digest: str
    at: float


class SlowJudge:
    """The server, as a context manager.

    Attributes:
        answered: What was answered, in order.
    """

    def __init__(self, delay: float, at_once: int = 2) -> None:
        """Answer at most ``at_once`` requests at the same time, each after ``delay`` seconds."""
        self.answered: list[Answered] = []
        self.delay = delay
        self._slots = threading.Semaphore(at_once)
        self._busy = 0
        self._idle = threading.Condition()
        self._server = _Server(("127.0.0.1", 0), self._handler())

    @property
    def url(self) -> str:
        """The base address for a client."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> "SlowJudge":
        threading.Thread(target=self._server.serve_forever, args=[_POLL], daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def wait_until_idle(self) -> None:
        """Wait until no request is being worked on, so that ``answered`` does not grow any more."""
        with self._idle:
            self._idle.wait_for(lambda: not self._busy)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        judge = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                judge._answer(self)

            def log_message(self, format: str, *args: Any) -> None:
                """Print nothing."""

        return Handler

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        content = handler.rfile.read(int(handler.headers["Content-Length"]))
        self._count(1)
        try:
            with self._slots:
                if _hung_up(handler.connection):
                    handler.close_connection = True
                    return
                request = json.loads(content)
                answer = json.dumps(_completion(request)).encode()
                time.sleep(self.delay)
                handler.send_response(200)
                handler.send_header("Content-Type", "application/json")
                handler.send_header("Content-Length", str(len(answer)))
                handler.end_headers()
                handler.wfile.write(answer)
                digest = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
                self.answered.append(Answered(digest, time.monotonic()))
        except ConnectionError:  # The client was killed: this request was not answered.
            handler.close_connection = True
        finally:
            self._count(-1)

    def _count(self, change: int) -> None:
        with self._idle:
            self._busy += change
            self._idle.notify_all()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing of clients that were killed while their connection was open."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _hung_up(connection: socket.socket) -> bool:
    readable, _, _ = select.select([connection], [], [], 0)
    return bool(readable) and not connection.recv(1, socket.MSG_PEEK)


def _completion(request: dict[str, Any]) -> dict[str, Any]:
    output = asyncio.run(_thought(request))
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.function, "arguments": json.dumps(call.arguments)},
        }
        for call in output.message.tool_calls or ()
    ]
    read, written = (output.usage.input_tokens, output.usage.output_tokens) if output.usage else (0, 0)
    return {
        "id": "completion",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": output.completion}
                | ({"tool_calls": calls} if calls else {}),
                "finish_reason": "tool_calls" if calls else "stop",
            }
        ],
        "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
    }


async def _thought(request: dict[str, Any]) -> ModelOutput:
    messages = await messages_from_openai(request["messages"])
    tools = [
        ToolInfo(name=tool["function"]["name"], description=tool["function"].get("description", ""))
        for tool in request.get("tools", ())
    ]
    choice = request.get("tool_choice", "auto")
    wanted: ToolChoice = (
        ToolFunction(choice["function"]["name"]) if isinstance(choice, dict) else cast(ToolChoice, choice)
    )
    return await KeywordModel("keyword").generate(messages, tools, wanted, GenerateConfig())
