"""An upstream of a test's own, for what the sandbox does not say, and to see what it is sent."""

import http.server
import threading
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message


@dataclass
class Asked:
    method: str
    path: str
    fields: Message
    body: bytes


class Upstream(http.server.ThreadingHTTPServer):
    """Answers 200 with what `answer` makes of a path, and remembers what it was asked for."""

    daemon_threads = True

    def __init__(self, answer: Callable[[str], bytes]):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.asked: list[Asked] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/api/"

    @property
    def paths(self) -> list[str]:
        return sorted(asked.path for asked in self.asked)

    def __exit__(self, *_) -> None:
        self.shutdown()
        super().__exit__()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        # The server looks from time to time whether the base is there.
        if self.path != "/api/":
            self.server.asked.append(Asked(self.command, self.path, self.headers, body))
        answer = self.server.answer(self.path)
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PUT = answer

    def log_message(self, *_) -> None:
        pass
