"""A hostile user, over TCP: the server's memory stays bounded, it goes on, and a client beside the attack is answered.

Tests/README.md lists what was tried. Each test leaves no connection behind."""

import random
import resource
import socket
import time

import pytest
import raw
from attackers import Crowd, Witness, allow_many_descriptors, call, memory_bytes, processor_seconds, push, route
from portico.v1.control_pb2 import Environment
from raw import Raw
from server import Server
from television.v1.television_pb2 import PosterRequest

ENVIRONMENT = "portico.v1.Control/GetEnvironment"
PEOPLE = "starwars.v1.Characters/ListPeople"
POSTER = "television.v1.Television/Poster"
LARGE = PosterRequest(width=780, poster_path="/planet-earth-wide.jpg").SerializeToString()
REQUEST_STREAM, REQUEST_N, CANCEL = 0x06, 0x08, 0x09
MOST_CREDITS = (2**31 - 1).to_bytes(4, "big")
MIB = 1 << 20
UNFINISHED_BYTES = 32 * MIB
IDLE_CONNECTIONS = 2000


@pytest.fixture(scope="module")
def server():
    allow_many_descriptors()
    settings = {
        "log.level": "warning", "limits.setupTimeout": "2s", "limits.requestTimeout": "2s",
        "limits.frameTimeout": "2s", "limits.unfinishedBytes": f"{UNFINISHED_BYTES // MIB}MiB"}
    with Server("development", settings) as running:
        yield running


@pytest.fixture(autouse=True)
def nothing_is_left_behind(server):
    yield
    wait_until(lambda: server.status()["connections"] == 0, "connections are left behind")
    with Raw(server.address) as connection:
        connection.send(raw.setup() + call(1, ENVIRONMENT))
        assert Environment.FromString(connection.next().body).name


def wait_until(holds, complaint: str) -> None:
    deadline = time.monotonic() + raw.PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, complaint
        time.sleep(0.02)


def is_closed(connection: socket.socket) -> bool:
    """Reads what has come, without waiting."""
    connection.setblocking(False)
    try:
        while connection.recv(1 << 16):
            pass
        return True
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def what_came(connection: socket.socket) -> bytes:
    """Without waiting."""
    connection.setblocking(False)
    try:
        return connection.recv(1 << 16)
    except (BlockingIOError, ConnectionError):
        return b""


def test_readers_that_never_read_cost_no_more_than_their_queues(server):
    before = memory_bytes(server)
    requests = b"".join(call(2 * number + 1, POSTER, LARGE) for number in range(60))
    with Witness(server, PEOPLE), Crowd(server, 10) as crowd:
        for _ in range(10):
            crowd.send(requests)
            time.sleep(0.05)
        assert memory_bytes(server) - before < 120 * MIB


def test_senders_of_a_byte_at_a_time_are_ended_and_slow_nobody(server):
    with Witness(server, PEOPLE), Crowd(server, 100, first=b"") as crowd:
        frames = raw.setup() + call(1, ENVIRONMENT)
        for byte in frames[:40]:
            crowd.send(bytes([byte]))
            time.sleep(0.06)
        wait_until(lambda: all(map(is_closed, crowd.sockets)), "who sends no SETUP in time is kept")


def test_credits_without_end_bring_no_more_than_there_is(server):
    metadata = route(PEOPLE)
    observe = [
        raw.request(2 * number + 1, REQUEST_STREAM, metadata, b"", before=MOST_CREDITS) for number in range(200)]
    more = b"".join(raw.frame(2 * number + 1, REQUEST_N, 0, MOST_CREDITS) for number in range(200)) * 20
    before = memory_bytes(server)
    with Witness(server, PEOPLE), Crowd(server, 10, raw.setup() + b"".join(observe)) as crowd:
        for _ in range(5):
            crowd.send(more)
            time.sleep(0.1)
        assert memory_bytes(server) - before < 60 * MIB


def test_thousands_of_idle_connections_cost_little(server):
    before = memory_bytes(server)
    with Witness(server, PEOPLE), Crowd(server, IDLE_CONNECTIONS):
        wait_until(lambda: server.status()["connections"] > IDLE_CONNECTIONS, "not everybody was let in")
        assert memory_bytes(server) - before < IDLE_CONNECTIONS * 8192


OVERSIZE = {
    "frame length": b"\xff\xff\xff",
    "metadata length": raw.frame(1, raw.REQUEST_RESPONSE, raw.METADATA, b"\xff\xff\xff"),
    "metadata": raw.request(1, raw.REQUEST_RESPONSE, bytes(500_000), b""),
    "message": raw.frame(1, raw.REQUEST_RESPONSE, 0, bytes(1_000_000)),
    "route": raw.request(1, raw.REQUEST_RESPONSE, route("a" * 255), b""),
    "token": raw.request(1, raw.REQUEST_RESPONSE, b"\xfc\x00\x3f\xff\x81" + bytes(0x3ffe), b""),
    "stream id": raw.frame(0xFFFFFFFF, raw.REQUEST_RESPONSE, 0, b""),
    "second SETUP": raw.frame(0, raw.SETUP, 0, bytes(900_000)),
}


@pytest.mark.parametrize("attack", OVERSIZE.values(), ids=OVERSIZE.keys())
def test_what_is_too_large_is_refused_or_ignored(server, attack):
    with Witness(server, PEOPLE), Crowd(server, 20, raw.setup() + attack * 3):
        time.sleep(0.2)


def test_a_setup_that_is_too_large_is_not_kept(server):
    with Witness(server, PEOPLE), Crowd(server, 20, b"\x0f\xff\xff" + raw.setup()[3:] + bytes(100_000)) as crowd:
        wait_until(lambda: all(map(is_closed, crowd.sockets)), "a SETUP of a mebibyte is waited for")


def test_fragments_that_never_end_are_held_to_one_budget(server):
    """Each of 60 connections sends 4 MiB: all together have 32 MiB, and two seconds."""
    before = memory_bytes(server)
    first = call(1, PEOPLE, bytes(60_000), follows=True)
    fragment = raw.frame(1, raw.PAYLOAD, raw.FOLLOWS, bytes(200_000))
    with Witness(server, PEOPLE), Crowd(server, 60, raw.setup() + first) as crowd:
        highest = 0
        for _ in range(20):
            crowd.send(fragment)
            highest = max(highest, memory_bytes(server) - before)
        assert highest < 3 * UNFINISHED_BYTES
        # What is underway may still be read. A connection that its own time ends is told something else.
        wait_until(
            lambda: any(b"too many unfinished requests" in what_came(each) for each in crowd.sockets),
            "nobody was ended for the budget")
        assert server.metric("portico_unfinished_bytes") <= UNFINISHED_BYTES
        wait_until(lambda: server.metric("portico_unfinished_bytes") == 0, "unfinished requests are kept for ever")


def test_thousands_of_begun_requests_are_given_up(server):
    begun = b"".join(call(2 * number + 1, PEOPLE, b"x", follows=True) for number in range(250))
    with Witness(server, PEOPLE), Crowd(server, 40, raw.setup() + begun):
        wait_until(lambda: server.metric("portico_unfinished_bytes") > 40 * 250, "nothing was begun")
        wait_until(lambda: server.metric("portico_unfinished_bytes") == 0, "unfinished requests are kept for ever")


def test_a_flood_of_unknown_routes_slows_nobody(server):
    names = [f"starwars.v1.Characters/ListPeopl{number:04}" for number in range(2000)]
    flood = b"".join(call(2 * number + 1, name) for number, name in enumerate(names))
    with Witness(server, PEOPLE), Raw(server.address) as connection:
        connection.send(raw.setup())
        for _ in range(5):
            connection.send(flood)
            refused = [connection.next() for _ in names]
            assert all(frame.kind == raw.ERROR and "there is no method" in frame.error[1] for frame in refused)


def test_floods_of_requests_that_are_cancelled_at_once_leave_nothing(server):
    pairs = b"".join(
        call(2 * number + 1, PEOPLE, b"\x08" + bytes([number % 100])) + raw.frame(2 * number + 1, CANCEL, 0, b"")
        for number in range(2000))
    before = memory_bytes(server)
    with Witness(server, PEOPLE), Crowd(server, 5) as crowd:
        for _ in range(10):
            crowd.send(pairs)
            time.sleep(0.05)
        assert memory_bytes(server) - before < 60 * MIB


@pytest.mark.parametrize("stream", [0, 1])
def test_floods_of_keepalives_are_not_queued_for_a_client_that_does_not_read(server, stream):
    flood = raw.frame(stream, raw.KEEPALIVE, raw.RESPOND, bytes(8) + bytes(10_000)) * 300
    before = memory_bytes(server)
    with Witness(server, PEOPLE), Crowd(server, 10) as crowd:
        for _ in range(10):
            crowd.send(flood)
            time.sleep(0.02)
        assert memory_bytes(server) - before < 60 * MIB


def test_garbage_ends_its_connection_only(server):
    dice = random.Random(11)
    with Witness(server, PEOPLE):
        for first in (b"", raw.setup()):
            for _ in range(100):
                with Crowd(server, 1, first + dice.randbytes(dice.randrange(1, 3000))):
                    pass


def test_half_closed_connections_end(server):
    with Witness(server, PEOPLE), Crowd(server, 200, raw.setup() + call(1, PEOPLE)) as crowd:
        for connection in crowd.sockets:
            connection.shutdown(socket.SHUT_WR)
        wait_until(lambda: all(map(is_closed, crowd.sockets)), "half-closed connections are kept")


@pytest.mark.parametrize("end", [Crowd.close, Crowd.reset], ids=["close", "reset"])
def test_storms_of_connections_that_end_at_once_leave_nothing(server, end):
    before = memory_bytes(server)
    with Witness(server, PEOPLE):
        for _ in range(20):
            end(Crowd(server, 100, raw.setup() + call(1, PEOPLE)))
    assert memory_bytes(server) - before < 40 * MIB


def test_without_descriptors_the_server_waits_without_spinning_and_goes_on(server):
    with Server("development", {"log.level": "error"}) as poor:
        with Raw(poor.address) as known:
            known.send(raw.setup() + call(1, PEOPLE))
            assert known.next().kind == raw.PAYLOAD
            resource.prlimit(poor.process.pid, resource.RLIMIT_NOFILE, (80, 80))
            with Crowd(poor, 200):
                busy = processor_seconds(poor)
                time.sleep(1)
                assert processor_seconds(poor) - busy < 0.3
                known.send(call(3, PEOPLE))
                assert known.next().stream == 3
        with Raw(poor.address) as later:
            later.send(raw.setup() + call(1, ENVIRONMENT))
            assert later.next().stream == 1
