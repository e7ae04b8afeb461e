"""The PyPI `rsockets2` client: another library, by other people, with other habits (it sends no SETUP metadata, cannot
fragment what it sends, and reads only the last byte of a metadata length). What it lacks is built from its own frames.
"""

import queue

import rx.operators as op
from google.protobuf.message import Message
from rsockets2 import RSocketClient, RSocketConfig, TcpTransport
from rsockets2.executor import request_response_executor, request_stream_executor
from rsockets2.frames import CancelFrame, ErrorFrame, Payload, RequestNFrame, RequestResponse, RequestStream

PATIENCE_SECONDS = 20
FOLLOWS = 0x80


def composite(route: str, token: str | None = None) -> bytes:
    """Routing, and perhaps a bearer token, by their well-known ids."""
    def item(kind: int, content: bytes) -> bytes:
        return bytes([0x80 | kind]) + len(content).to_bytes(3, "big") + content

    name = route.encode()
    metadata = item(0x7E, bytes([len(name)]) + name)
    return metadata + item(0x7C, b"\x81" + token.encode()) if token is not None else metadata


class First(RequestResponse):
    """A request that goes on in PAYLOAD frames."""

    def to_bytes(self) -> bytearray:
        data = super().to_bytes()
        data[5] |= FOLLOWS
        return data


class SecondClient:
    def __init__(self, address: tuple[str, int]):
        config = RSocketConfig()
        config.meta_data_mime_type = b"message/x.rsocket.composite-metadata.v0"
        config.data_mime_type = b"application/vnd.google.protobuf"
        self._client = RSocketClient(config, TcpTransport(*address))
        self.errors: queue.Queue[tuple[int, int, str]] = queue.Queue()
        self._client._connection.recv_observable_filter_type(ErrorFrame).subscribe(
            on_next=lambda frame: self.errors.put((frame.stream_id, frame.error_code, frame.error_data)),
            on_error=lambda _: None)
        self._client.open()

    @property
    def connection(self):
        return self._client._connection

    def call(self, route: str, request: Message, answer: type[Message], token: str | None = None) -> Message:
        data = self._client.request_response(composite(route, token), request.SerializeToString())
        return answer.FromString(bytes(data.pipe(op.timeout(PATIENCE_SECONDS)).run()))

    def call_in_fragments(self, route: str, request: Message, answer: type[Message], size: int) -> Message:
        """All metadata first, then the data, in pieces of `size` bytes."""
        metadata, data = composite(route), request.SerializeToString()
        pieces = [(metadata[at:at + size], b"") for at in range(0, len(metadata), size)]
        pieces += [(b"", data[at:at + size]) for at in range(0, len(data), size)]
        first = First()
        first.stream_id = self.connection.get_new_stream_id()
        first.meta_data, first.request_data = pieces[0]
        response = request_response_executor(self.connection, first)
        answers: queue.Queue[bytes] = queue.Queue()
        response.subscribe(on_next=answers.put)
        for index, (part, rest) in enumerate(pieces[1:], 2):
            fragment = Payload()
            fragment.stream_id = first.stream_id
            fragment.meta_data, fragment.payload = part, rest
            fragment.next_present = True
            fragment.follows = index < len(pieces)
            self.connection.queue_frame(fragment)
            # The library sends frames of one priority in any order unless each has left before the next comes.
            while not self.connection._send_queue.empty():
                pass
        return answer.FromString(bytes(answers.get(timeout=PATIENCE_SECONDS)))

    def stream(self, route: str, request: Message, credit: int) -> tuple[int, queue.Queue]:
        """The stream's id, and its PAYLOAD frames as they come."""
        frame = RequestStream()
        frame.stream_id = self.connection.get_new_stream_id()
        frame.initial_request = credit
        frame.meta_data, frame.request_data = composite(route), request.SerializeToString()
        items: queue.Queue[Payload] = queue.Queue()
        request_stream_executor(self.connection, frame, map_to_payload=False).subscribe(on_next=items.put)
        return frame.stream_id, items

    def grant(self, stream: int, credit: int) -> None:
        frame = RequestNFrame()
        frame.stream_id, frame.n = stream, credit
        self.connection.queue_frame(frame)

    def cancel(self, stream: int) -> None:
        frame = CancelFrame()
        frame.stream_id = stream
        self.connection.queue_frame(frame)

    def close(self) -> None:
        self._client.close()

    def __enter__(self) -> "SecondClient":
        return self

    def __exit__(self, *_) -> None:
        self.close()
