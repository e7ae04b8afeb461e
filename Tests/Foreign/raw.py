"""A bare socket: for what no well-behaved client library would send, and to see each frame as it comes."""

import socket
import struct
from dataclasses import dataclass

SETUP, LEASE, KEEPALIVE, REQUEST_RESPONSE, REQUEST_CHANNEL = 0x01, 0x02, 0x03, 0x04, 0x07
PAYLOAD, ERROR = 0x0A, 0x0B
METADATA, FOLLOWS, RESPOND, RESUME, COMPLETE, LEASED, NEXT = 0x100, 0x80, 0x80, 0x80, 0x40, 0x40, 0x20
INVALID_SETUP, REJECTED_SETUP = 0x001, 0x003

PATIENCE_SECONDS = 20


@dataclass
class Frame:
    stream: int
    kind: int
    flags: int
    body: bytes
    # Without the length prefix.
    size: int

    @property
    def error(self) -> tuple[int, str]:
        return struct.unpack(">I", self.body[:4])[0], self.body[4:].decode()


def frame(stream: int, kind: int, flags: int, body: bytes) -> bytes:
    """With its length prefix."""
    content = struct.pack(">IH", stream, kind << 10 | flags) + body
    return struct.pack(">I", len(content))[1:] + content


def setup(flags: int = 0, token: bytes = b"") -> bytes:
    """Keepalive every 20 s, given up after 90 s."""
    def named(mime: bytes) -> bytes:
        return bytes([len(mime)]) + mime

    resume = struct.pack(">H", len(token)) + token if flags & RESUME else b""
    body = struct.pack(">HHII", 1, 0, 20_000, 90_000) + resume
    mime_types = named(b"message/x.rsocket.composite-metadata.v0") + named(b"application/vnd.google.protobuf")
    return frame(0, SETUP, flags, body + mime_types)


def request(stream: int, kind: int, metadata: bytes, data: bytes, before: bytes = b"") -> bytes:
    """`before`: what a kind of request has in front of its metadata, such as the first credit."""
    length = struct.pack(">I", len(metadata))[1:]
    return frame(stream, kind, METADATA, before + length + metadata + data)


class Raw:
    def __init__(self, address: tuple[str, int]):
        self._socket = socket.create_connection(address, PATIENCE_SECONDS)
        self._stream = self._socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def finish(self) -> None:
        """No more is sent; what comes can still be read."""
        self._socket.shutdown(socket.SHUT_WR)

    def next(self) -> Frame | None:
        """None: the server closed the connection."""
        try:
            prefix = self._stream.read(3)
            if len(prefix) < 3:
                return None
            content = self._stream.read(int.from_bytes(prefix, "big"))
        except ConnectionResetError:
            return None
        stream, kind_and_flags = struct.unpack(">IH", content[:6])
        return Frame(stream, kind_and_flags >> 10, kind_and_flags & 0x3FF, content[6:], len(content))

    def rest(self) -> list[Frame]:
        """Every frame until the server closes."""
        return list(iter(self.next, None))

    def close(self) -> None:
        self._stream.close()
        self._socket.close()

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_) -> None:
        self.close()
