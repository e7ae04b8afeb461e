"""The PyPI `rsocket` client, spoken to from plain, synchronous tests.

Everything on the wire is the library's work; this file says which metadata a Portico call carries and turns
the library's failures into one exception.
"""

import asyncio
import queue
import threading
import zlib
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import timedelta

from google.protobuf.message import Message
from portico.v1.context_pb2 import CallContext, Hello, ResponseContext
from reactivestreams.subscriber import DefaultSubscriber
from rsocket.error_codes import ErrorCode
from rsocket.exceptions import RSocketProtocolError
from rsocket.extensions.composite_metadata import CompositeMetadata
from rsocket.extensions.helpers import authenticate_bearer, composite, metadata_item, route as routing
from rsocket.extensions.mimetypes import WellKnownMimeTypes
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.request_handler import BaseRequestHandler
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

PROTOBUF = WellKnownMimeTypes.APPLICATION_PROTOBUF
COMPOSITE = WellKnownMimeTypes.MESSAGE_RSOCKET_COMPOSITE_METADATA

# A limit for broken servers only: no test waits for it.
PATIENCE_SECONDS = 20


class CallFailed(Exception):
    """An ERROR frame on the call's stream: its code and its text, `STATUS: message`."""

    def __init__(self, code: ErrorCode, text: str):
        super().__init__(f"{code.name} {text}")
        self.code = code
        self.text = text
        self.status, _, self.message = text.partition(": ")


@dataclass
class Answer:
    """What a call gave."""

    message: Message
    # None unless the call asked for it.
    context: ResponseContext | None
    # The data as it came, before inflating.
    data: bytes


class Connection(BaseRequestHandler):
    """What the server says about the connection itself: errors on stream 0, and its end."""

    def __init__(self):
        self.errors: list[tuple[ErrorCode, str]] = []
        self.pushed: list[bytes] = []
        self.closed = threading.Event()

    async def on_error(self, error_code, payload):
        self.errors.append((error_code, payload.data.decode()))

    async def on_metadata_push(self, payload):
        self.pushed.append(bytes(payload.metadata))

    async def on_close(self, rsocket, exception=None):
        self.closed.set()


class Client:
    """One connection. Its event loop runs in a thread of its own."""

    def __init__(self, address: tuple[str, int], *, token: str | None = None, hello: Hello | None = None,
                 fragment_bytes: int | None = None):
        self.connection = Connection()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._rsocket = self._wait(self._connect(address, token, hello, fragment_bytes))

    async def _connect(self, address, token, hello, fragment_bytes) -> RSocketClient:
        transport = TransportTCP(*await asyncio.open_connection(*address), read_buffer_size=1 << 16)
        setup = Payload(hello.SerializeToString() if hello else None,
                        composite(authenticate_bearer(token)) if token else None)
        client = RSocketClient(
            single_transport_provider(transport), handler_factory=lambda: self.connection,
            data_encoding=PROTOBUF, metadata_encoding=COMPOSITE, setup_payload=setup,
            keep_alive_period=timedelta(seconds=1), fragment_size_bytes=fragment_bytes)
        return await client.connect()

    def call(self, route: str, request: Message | bytes, answer: type[Message], *,
             context: CallContext | None = None, token: str | None = None) -> Answer:
        """Request/response."""
        return read(self.start(route, request, context=context, token=token).result(PATIENCE_SECONDS), answer)

    def ask(self, route: str, request: Message, answer: type[Message]) -> Message:
        """Request/response, for those who want the message and nothing else."""
        return self.call(route, request, answer).message

    def start(self, route: str, request: Message | bytes, *, context: CallContext | None = None,
              token: str | None = None) -> Future:
        """Request/response, not waited for; cancelling the future sends CANCEL."""
        return self._run(self._respond(payload(route, request, context, token)))

    async def _respond(self, request: Payload) -> Payload:
        try:
            return await self._rsocket.request_response(request)
        except Exception as error:
            raise call_failed(error) from error

    def observe(self, route: str, request: Message, answer: type[Message], *, credit: int = 2**31 - 1,
                context: CallContext | None = None) -> "Observer":
        """Request/stream: each answer as it comes."""
        observer = Observer(self._loop, answer)

        async def subscribe():
            stream = self._rsocket.request_stream(payload(route, request, context))
            stream.initial_request_n(credit).subscribe(observer)

        self._wait(subscribe())
        return observer

    def fire(self, route: str, request: Message) -> None:
        """Fire-and-forget; returns once it is sent."""
        async def send():
            await self._rsocket.fire_and_forget(payload(route, request))

        self._wait(send())

    def close(self) -> None:
        self._wait(self._rsocket.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, coroutine) -> Future:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def _wait(self, coroutine):
        return self._run(coroutine).result(PATIENCE_SECONDS)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_) -> None:
        self.close()


class Observer(DefaultSubscriber):
    """What an observed method is heard to say."""

    def __init__(self, loop: asyncio.AbstractEventLoop, answer: type[Message]):
        super().__init__()
        self._loop = loop
        self._answer = answer
        self._heard: queue.Queue[Answer | Exception] = queue.Queue()

    def on_next(self, value, is_complete=False):
        self._heard.put(read(value, self._answer))

    def on_error(self, exception):
        self._heard.put(call_failed(exception))

    def next(self, seconds: float = PATIENCE_SECONDS) -> Answer:
        """The next answer, or the stream's error, raised; `queue.Empty` when none comes."""
        heard = self._heard.get(timeout=seconds)
        if isinstance(heard, Exception):
            raise heard
        return heard

    def hears_nothing(self) -> bool:
        return self._heard.empty()

    def grant(self, credit: int) -> None:
        self._loop.call_soon_threadsafe(self.subscription.request, credit)

    def cancel(self) -> None:
        self._loop.call_soon_threadsafe(self.subscription.cancel)


def payload(route: str, request: Message | bytes, context: CallContext | None = None,
            token: str | None = None) -> Payload:
    """A request: the message, and the composite metadata that says what to do with it."""
    items = [routing(route)]
    if token is not None:
        items.append(authenticate_bearer(token))
    if context is not None:
        items.append(metadata_item(context.SerializeToString(), PROTOBUF.value.name))
    data = request if isinstance(request, bytes) else request.SerializeToString()
    return Payload(data, composite(*items))


def read(response: Payload, answer: type[Message]) -> Answer:
    """An answer with its response context, inflated if the context says that it is deflated."""
    data = bytes(response.data or b"")
    context = response_context(response)
    deflated = context is not None and context.encoding == "deflate"
    return Answer(answer.FromString(zlib.decompress(data) if deflated else data), context, data)


def response_context(response: Payload) -> ResponseContext | None:
    if not response.metadata:
        return None
    items = CompositeMetadata().parse(bytes(response.metadata)).find_by_mimetype(PROTOBUF)
    return ResponseContext.FromString(bytes(items[0].content)) if items else None


def call_failed(error: Exception) -> Exception:
    """The library raises RuntimeError for APPLICATION_ERROR and its own type for the other codes."""
    if isinstance(error, RSocketProtocolError):
        return CallFailed(error.error_code, error.data)
    if isinstance(error, RuntimeError):
        return CallFailed(ErrorCode.APPLICATION_ERROR, str(error))
    return error
