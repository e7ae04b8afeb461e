"""Starts and stops `portico serve` as an operator would: flags in, one ready line out, SIGTERM at the end."""

import http.client
import json
import os
import queue
import re
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

from messages import ROOT
from sandbox import Sandbox

BINARY = Path(os.environ.get("PORTICO", ROOT / ".build" / "debug" / "portico"))
READY = re.compile(r"portico: (\w+) ready on (\S+):(\d+)")

# Limits for a broken server only: reading its output ends as soon as the line is there.
START_SECONDS = 30
STOP_SECONDS = 20


class Server:
    """A running server with ports and caches of its own; `settings` become `--set` arguments, `options` are as they are."""

    def __init__(self, environment: str, settings: dict[str, str] | None = None, options: list[str] = []):
        self._folder = tempfile.TemporaryDirectory(prefix="portico-")
        self.operator = f"{self._folder.name}/operator"
        chosen = {
            "operator.address": f"unix:{self.operator}",
            "sandbox.address": "127.0.0.1:0",
            "cache.directory": f"{self._folder.name}/answers",
            "images.directory": f"{self._folder.name}/images",
        } | (settings or {})
        arguments = [str(BINARY), "serve", "--env", environment, "--listen", "127.0.0.1:0"]
        for key, value in chosen.items():
            arguments += ["--set", f"{key}={value}"]
        arguments += options
        self.process = subprocess.Popen(
            arguments, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.output = Lines(self.process.stdout)
        self.log = Lines(self.process.stderr)
        self.environment, host, port = self._ready_line().groups()
        self.address = (host, int(port))
        self.sandbox = Sandbox(f"http://{self.status()['sandbox']}")

    def _ready_line(self) -> re.Match:
        for line in self.output.until_end(START_SECONDS):
            if match := READY.search(line):
                return match
        raise RuntimeError(f"the server did not become ready:\n{self.log.so_far()}")

    def status(self) -> dict:
        """What the server tells its operator."""
        connection = OperatorConnection(self.operator)
        connection.request("GET", "/")
        with connection.getresponse() as response:
            return json.load(response)

    def metric(self, name: str) -> float:
        """The sum of its samples, at the operator's address."""
        connection = OperatorConnection(self.operator)
        connection.request("GET", "/metrics")
        with connection.getresponse() as response:
            lines = response.read().decode().splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.split("{")[0].split(" ")[0] == name)

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        try:
            self.process.terminate()
            return self.process.wait(STOP_SECONDS)
        finally:
            self.process.kill()
            self.process.wait()
            self._folder.cleanup()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_) -> None:
        self.stop()


class OperatorConnection(http.client.HTTPConnection):
    """HTTP over a Unix domain socket: a path that is known beforehand, unlike a port."""

    def __init__(self, path: str):
        super().__init__("localhost")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self._path)


class Lines:
    """The lines of a pipe, read by a thread so that the writer never waits."""

    def __init__(self, pipe):
        self._seen: list[str] = []
        self._queue: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, args=(pipe,), daemon=True).start()

    def _read(self, pipe) -> None:
        for line in pipe:
            self._seen.append(line)
            self._queue.put(line)
        self._queue.put(None)

    def until_end(self, seconds: float):
        """Each line as it comes; `queue.Empty` when none comes for so long."""
        while (line := self._queue.get(timeout=seconds)) is not None:
            yield line

    def so_far(self) -> str:
        return "".join(self._seen)
