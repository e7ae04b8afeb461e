"""What no client library sends: the connection ends, the server goes on."""

import random

import pytest
import raw
from client import Client, payload
from portico.v1.control_pb2 import Environment, GetEnvironmentRequest
from portico.v1.image_pb2 import Image
from raw import Raw
from television.v1.television_pb2 import PosterRequest

ENVIRONMENT = "portico.v1.Control/GetEnvironment"
POSTER = "television.v1.Television/Poster"
FRAGMENT_BYTES = 64 << 10

GARBAGE = {
    "HTTP": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "TLS": bytes.fromhex("16030100a5010000a10303") + bytes(160),
    "zeros": bytes(4096),
    "ones": b"\xff" * 4096,
    "noise": random.Random(7).randbytes(4096),
    "an empty frame": b"\x00\x00\x00",
    "a frame shorter than its header": b"\x00\x00\x03\x00\x00\x00",
    "a SETUP cut short": raw.frame(0, raw.SETUP, 0, raw.setup()[9:30]),
    "a request before SETUP": raw.request(1, raw.REQUEST_RESPONSE, b"", b""),
    "SETUP on a stream": raw.frame(1, raw.SETUP, 0, raw.setup()[9:]),
    "half a frame": raw.setup()[:10],
    "nothing": b"",
}


@pytest.fixture(autouse=True)
def the_server_goes_on(development):
    yield
    with Client(development.address) as client:
        assert client.ask(ENVIRONMENT, GetEnvironmentRequest(), Environment).name


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_instead_of_setup_ends_the_connection(development, garbage):
    with Raw(development.address) as connection:
        connection.send(garbage)
        connection.finish()
        frames = connection.rest()
    assert all(frame.stream == 0 and frame.kind == raw.ERROR for frame in frames)
    assert all(frame.error[0] == raw.INVALID_SETUP for frame in frames)


@pytest.mark.parametrize("name", ["a request before SETUP", "SETUP on a stream"])
def test_a_first_frame_that_is_no_setup_is_told_so(development, name):
    with Raw(development.address) as connection:
        connection.send(GARBAGE[name])
        assert [frame.error[0] for frame in connection.rest()] == [raw.INVALID_SETUP]


@pytest.mark.parametrize("flags", [raw.RESUME, raw.LEASED], ids=["resume", "lease"])
def test_resume_and_lease_are_rejected(development, flags):
    with Raw(development.address) as connection:
        connection.send(raw.setup(flags, token=b"token"))
        assert [frame.error[0] for frame in connection.rest()] == [raw.REJECTED_SETUP]


def test_a_frame_longer_than_the_limit_ends_the_connection(development):
    with Raw(development.address) as connection:
        connection.send(raw.setup() + b"\xff\xff\xff")
        frames = connection.rest()
    assert all(frame.stream == 0 and frame.kind == raw.ERROR for frame in frames)


def test_a_keepalive_is_answered_with_its_data(development):
    with Raw(development.address) as connection:
        connection.send(raw.setup() + raw.frame(0, raw.KEEPALIVE, raw.RESPOND, bytes(8) + b"are you there?"))
        answer = connection.next()
    assert (answer.stream, answer.kind, answer.flags) == (0, raw.KEEPALIVE, 0)
    assert answer.body[8:] == b"are you there?"


def test_a_channel_is_rejected_and_the_connection_lives(development):
    metadata = payload(ENVIRONMENT, b"").metadata
    with Raw(development.address) as connection:
        connection.send(raw.setup() + raw.request(1, raw.REQUEST_CHANNEL, metadata, b"", before=b"\x00\x00\x00\x01"))
        refused = connection.next()
        connection.send(raw.request(3, raw.REQUEST_RESPONSE, metadata, b""))
        answered = connection.next()
    assert (refused.stream, refused.kind, refused.error[0]) == (1, raw.ERROR, 0x202)
    assert (answered.stream, answered.kind) == (3, raw.PAYLOAD)


def test_what_concerns_no_stream_is_ignored(development):
    stray = [raw.frame(99, 0x09, 0, b""), raw.frame(99, 0x08, 0, b"\x00\x00\x00\x01"),
             raw.frame(99, raw.PAYLOAD, raw.NEXT, b"stray"), raw.frame(99, raw.ERROR, 0, b"\x00\x00\x02\x01stray")]
    with Raw(development.address) as connection:
        connection.send(raw.setup() + b"".join(stray))
        connection.send(raw.request(1, raw.REQUEST_RESPONSE, payload(ENVIRONMENT, b"").metadata, b""))
        assert connection.next().stream == 1


def test_frames_may_arrive_byte_by_byte(development):
    with Raw(development.address) as connection:
        request = raw.request(1, raw.REQUEST_RESPONSE, payload(ENVIRONMENT, b"").metadata, b"")
        for byte in raw.setup() + request:
            connection.send(bytes([byte]))
        assert connection.next().stream == 1


def test_a_large_answer_comes_in_fragments(development):
    request = PosterRequest(width=780, poster_path="/planet-earth-wide.jpg").SerializeToString()
    with Raw(development.address) as connection:
        connection.send(raw.setup())
        connection.send(raw.request(1, raw.REQUEST_RESPONSE, payload(POSTER, b"").metadata, request))
        frames = [connection.next()]
        while frames[-1].flags & raw.FOLLOWS:
            frames.append(connection.next())
    assert len(frames) > 2
    assert all(frame.size <= FRAGMENT_BYTES + 64 and frame.kind == raw.PAYLOAD for frame in frames)
    assert frames[-1].flags & (raw.NEXT | raw.COMPLETE) == raw.NEXT | raw.COMPLETE
    image = Image.FromString(b"".join(frame.body for frame in frames))
    assert (image.content_type, image.placeholder) == ("image/jpeg", False)


def test_large_answers_do_not_hold_up_a_small_one(development):
    poster, environment = payload(POSTER, b"").metadata, payload(ENVIRONMENT, b"").metadata
    large = PosterRequest(width=780, poster_path="/planet-earth-wide.jpg").SerializeToString()
    with Raw(development.address) as connection:
        connection.send(raw.setup())
        # Once alone, so that it is kept and all that follow are answered from memory.
        connection.send(raw.request(1, raw.REQUEST_RESPONSE, poster, large))
        while connection.next().flags & raw.FOLLOWS:
            pass
        requests = [raw.request(stream, raw.REQUEST_RESPONSE, poster, large) for stream in (3, 5, 7, 9)]
        connection.send(b"".join(requests) + raw.request(11, raw.REQUEST_RESPONSE, environment, b""))
        ended = []
        while len(ended) < 5:
            frame = connection.next()
            if not frame.flags & raw.FOLLOWS:
                ended.append(frame.stream)
    assert ended.index(11) < 4


def test_a_client_that_vanishes_in_mid_request_is_forgotten(development):
    for length in (1, 9, 40):
        with Raw(development.address) as connection:
            connection.send(raw.setup() + raw.request(1, raw.REQUEST_RESPONSE, b"x" * 100, b"")[:length])


def test_a_token_that_is_no_text_is_no_crash(development):
    with Raw(development.address) as connection:
        bearer = b"\xfc\x00\x00\x03\x81\xff\xfe"
        connection.send(raw.setup())
        connection.send(raw.request(1, raw.REQUEST_RESPONSE, bearer + payload(ENVIRONMENT, b"").metadata, b""))
        assert connection.next().stream == 1


@pytest.mark.parametrize("metadata", [
    b"\xfe\xff\xff\xff", b"\x7fshort", b"\xfe\x00\x00\x05\xffabcd", b"\xfe\x00\x00\x02\x05a", b"\xfe"])
def test_broken_metadata_fails_its_call_only(development, metadata):
    with Raw(development.address) as connection:
        connection.send(raw.setup() + raw.request(1, raw.REQUEST_RESPONSE, metadata, b""))
        refused = connection.next()
        connection.send(raw.request(3, raw.REQUEST_RESPONSE, payload(ENVIRONMENT, b"").metadata, b""))
        answered = connection.next()
    assert (refused.stream, refused.kind) == (1, raw.ERROR)
    assert (answered.stream, answered.kind) == (3, raw.PAYLOAD)
