"""What the attack tests need: crowds of bare sockets, a well-behaved client that watches, and the server's memory."""

import os
import resource
import socket
import statistics
import threading
import time

import raw
from server import BINARY

PAGE_BYTES = resource.getpagesize()
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def allow_many_descriptors() -> None:
    """As many as the system gives this process: crowds are in here too."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def route(name: str) -> bytes:
    """Composite metadata with a route alone."""
    tag = bytes([len(name)]) + name.encode()
    return b"\xfe" + len(tag).to_bytes(3, "big") + tag


def call(stream: int, name: str, data: bytes = b"", follows: bool = False) -> bytes:
    metadata = route(name)
    flags = raw.METADATA | (raw.FOLLOWS if follows else 0)
    return raw.frame(stream, raw.REQUEST_RESPONSE, flags, len(metadata).to_bytes(3, "big") + metadata + data)


def memory_bytes(server) -> int:
    """Resident, of the server's process."""
    with open(f"/proc/{server.process.pid}/statm") as file:
        return int(file.read().split()[1]) * PAGE_BYTES


def processor_seconds(server) -> float:
    with open(f"/proc/{server.process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND


class Crowd:
    """So many connections, closed together."""

    def __init__(self, server, count: int, first: bytes = raw.setup()):
        self.sockets = [socket.create_connection(server.address, raw.PATIENCE_SECONDS) for _ in range(count)]
        self.send(first)

    def send(self, data: bytes) -> None:
        """To each as much as it takes without waiting; one that the server has closed takes nothing."""
        for connection in self.sockets:
            push(connection, data)

    def reset(self) -> None:
        """Ends them with RST in place of FIN."""
        for connection in self.sockets:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.close()

    def close(self) -> None:
        for connection in self.sockets:
            connection.close()
        self.sockets = []

    def __enter__(self) -> "Crowd":
        return self

    def __exit__(self, *_) -> None:
        self.close()


def push(connection: socket.socket, data: bytes) -> int:
    """As many bytes as go without waiting."""
    connection.setblocking(False)
    sent = 0
    try:
        while sent < len(data):
            sent += connection.send(data[sent:])
    except (BlockingIOError, ConnectionError):
        pass
    finally:
        connection.settimeout(raw.PATIENCE_SECONDS)
    return sent


class Witness:
    """A client that asks one thing after another while somebody else attacks: each answer must come, and soon."""

    # Generous, for machines that do much else and for debug builds, which read a flood fifty times slower; a server that
    # waits for an attacker answers not at all.
    MIDDLE_SECONDS, SLOWEST_SECONDS = (0.1, 2) if "release" in str(BINARY) else (2, 10)

    def __init__(self, server, method: str):
        self._server = server
        self._frame = call(1, method)
        self._times: list[float] = []
        self._failure: Exception | None = None
        self._has_begun = threading.Event()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        try:
            with raw.Raw(self._server.address) as connection:
                connection.send(raw.setup())
                stream = 1
                while True:
                    start = time.monotonic()
                    connection.send(self._frame[:3] + stream.to_bytes(4, "big") + self._frame[7:])
                    answer = connection.next()
                    assert answer is not None and (answer.stream, answer.kind) == (stream, raw.PAYLOAD), answer
                    self._times.append(time.monotonic() - start)
                    stream += 2
                    self._has_begun.set()
                    if self._is_over.wait(0.005):
                        break
        except Exception as failure:
            self._failure = failure

    def __enter__(self) -> "Witness":
        """It has had an answer before the attack begins: some are over in a millisecond."""
        self._thread.start()
        while self._thread.is_alive() and not self._has_begun.wait(0.01):
            pass
        return self

    def __exit__(self, kind, *_) -> None:
        self._is_over.set()
        self._thread.join(raw.PATIENCE_SECONDS)
        if kind is not None:
            return
        if self._failure:
            raise self._failure
        assert self._times, "the witness got no answer at all"
        assert statistics.median(self._times) < self.MIDDLE_SECONDS
        assert max(self._times) < self.SLOWEST_SECONDS
