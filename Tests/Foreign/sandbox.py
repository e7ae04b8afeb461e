"""The sandbox of a Test server, told to misbehave over HTTP (Environments/Sandbox/README.md)."""

import json
import urllib.request


class Sandbox:
    def __init__(self, origin: str):
        self.origin = origin

    def fault(self, path: str, fault: str, **details) -> None:
        """From now on requests for `path` meet `fault`."""
        self._send("POST", "faults", json.dumps({"path": path, "fault": fault} | details).encode())

    def recover(self) -> None:
        self._send("DELETE", "faults")

    def requests(self) -> dict[str, int]:
        """How often each path was asked for."""
        return json.loads(self._send("GET", "requests"))

    def _send(self, method: str, name: str, body: bytes | None = None) -> bytes:
        request = urllib.request.Request(f"{self.origin}/_sandbox/{name}", body, method=method)
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.read()
