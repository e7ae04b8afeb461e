"""The profile of the wire (Schemas/README.md), as the library speaks it."""

import pytest
from client import PATIENCE_SECONDS, CallFailed, Client, read
from portico.v1.context_pb2 import CallContext, Hello, ResponseContext
from portico.v1.control_pb2 import Environment, GetEnvironmentRequest
from rsocket.error_codes import ErrorCode
from server import Server
from starwars.v1.characters_pb2 import (
    EyeColorGroups, GetPersonRequest, GroupByEyeColorRequest, ListPeopleRequest, PeoplePage, Person,
    SearchPeopleRequest, SearchPeopleResponse)

ENVIRONMENT = "portico.v1.Control/GetEnvironment"
LIST = "starwars.v1.Characters/ListPeople"
GET = "starwars.v1.Characters/GetPerson"
GROUP = "starwars.v1.Characters/GroupByEyeColor"
SEARCH = "starwars.v1.Characters/SearchPeople"


# Requests that cannot be served

@pytest.mark.parametrize("route", [
    "starwars.v1.Characters/NoSuchMethod", "nobody.v1.Nothing/Get", "starwars.v1.Characters", "", "/", "ä/ö"])
def test_a_route_that_leads_nowhere_is_unimplemented(client, route):
    with pytest.raises(CallFailed) as failure:
        client.ask(route, GetEnvironmentRequest(), Environment)
    assert failure.value.status == "UNIMPLEMENTED"


@pytest.mark.parametrize("data", [
    b"\xff", b"\x08", b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\x0a\x05ab", b"\x0b", b"\x00\x01"])
def test_a_request_that_is_no_protobuf_is_an_invalid_argument(client, data):
    with pytest.raises(CallFailed) as failure:
        client.call(LIST, data, PeoplePage)
    assert failure.value.status == "INVALID_ARGUMENT"


def test_fields_that_the_schema_does_not_know_are_ignored(client):
    request = ListPeopleRequest(page=2).SerializeToString() + b"\xf8\x7f\x01"
    assert client.call(LIST, request, PeoplePage).message.people[0].name == "Anakin Skywalker"


def test_after_failed_calls_the_connection_still_serves(client):
    for route in ("nobody.v1.Nothing/Get", LIST):
        with pytest.raises(CallFailed):
            client.call(route, b"\xff", PeoplePage)
    assert client.ask(ENVIRONMENT, GetEnvironmentRequest(), Environment).name


# Tokens

@pytest.fixture(scope="module")
def guarded():
    with Server("development", {"auth.tokens": '["good-token", "other-token"]'}) as server:
        yield server


@pytest.mark.parametrize("token", ["good-token", "other-token"])
def test_a_token_in_setup_opens_every_call_of_the_connection(guarded, token):
    with Client(guarded.address, token=token) as client:
        for _ in range(2):
            assert client.ask(ENVIRONMENT, GetEnvironmentRequest(), Environment).name


def test_a_token_in_the_call_opens_that_call(guarded):
    with Client(guarded.address) as client:
        assert client.call(ENVIRONMENT, GetEnvironmentRequest(), Environment, token="good-token").message.name
        with pytest.raises(CallFailed, match="UNAUTHENTICATED: "):
            client.ask(ENVIRONMENT, GetEnvironmentRequest(), Environment)


def test_the_token_of_the_call_overrides_the_one_of_the_connection(guarded):
    with Client(guarded.address, token="good-token") as client:
        with pytest.raises(CallFailed, match="UNAUTHENTICATED: "):
            client.call(ENVIRONMENT, GetEnvironmentRequest(), Environment, token="bad-token")


@pytest.mark.parametrize("token", ["bad-token", "good-toke", "good-token ", ""])
def test_a_wrong_token_is_unauthenticated_and_not_repeated(guarded, token):
    with Client(guarded.address) as client:
        with pytest.raises(CallFailed, match="UNAUTHENTICATED: ") as failure:
            client.call(ENVIRONMENT, GetEnvironmentRequest(), Environment, token=token)
    assert "good-token" not in failure.value.text
    assert token == "" or token not in failure.value.text


def test_no_token_at_all_is_unauthenticated(guarded):
    with Client(guarded.address) as client:
        with pytest.raises(CallFailed, match="UNAUTHENTICATED: "):
            client.ask(LIST, ListPeopleRequest(), PeoplePage)


# The other ways to call

@pytest.mark.parametrize("credit", [1, 2, 2**31 - 1])
def test_a_stream_starts_with_the_current_answer(client, credit):
    observer = client.observe(LIST, ListPeopleRequest(page=3), PeoplePage, credit=credit)
    assert observer.next().message == client.ask(LIST, ListPeopleRequest(page=3), PeoplePage)
    assert observer.hears_nothing()
    observer.cancel()


def test_a_stream_fails_as_a_call_does(client):
    with pytest.raises(CallFailed, match="NOT_FOUND: "):
        client.observe(GET, GetPersonRequest(id=17), Person).next()


def test_fire_and_forget_warms_the_cache():
    with Server("development") as server, Client(server.address) as client:
        client.fire(LIST, ListPeopleRequest(page=7))
        context = CallContext(want_response_context=True)
        # Behind the first on the same connection: it finds the answer, or waits for the same fetch.
        client.call(LIST, ListPeopleRequest(page=7), PeoplePage, context=context)
        again = client.call(LIST, ListPeopleRequest(page=7), PeoplePage, context=context)
        assert again.context.source == ResponseContext.HIT


def test_fire_and_forget_of_what_cannot_be_served_is_silent(client):
    client.fire("nobody.v1.Nothing/Get", GetEnvironmentRequest())
    client.fire(GET, GetPersonRequest(id=17))
    assert client.ask(ENVIRONMENT, GetEnvironmentRequest(), Environment).name
    assert client.connection.errors == []


def test_many_calls_share_a_connection(client):
    numbers = [number for number in range(1, 84) if number != 17]
    calls = [client.start(GET, GetPersonRequest(id=number)) for number in numbers]
    people = [read(call.result(PATIENCE_SECONDS), Person).message for call in calls]
    assert [person.url.split("/")[-2] for person in people] == [str(number) for number in numbers]


# Fragments

def test_requests_in_fragments_of_64_bytes_are_put_together(development):
    hello = Hello(client_id="foreign", app_version="1.2.3", platform="python", locale="de-CH")
    with Client(development.address, hello=hello, fragment_bytes=64) as client:
        name = "nobody has such a name " * 40
        context = CallContext(trace_parent="00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                              locale="de-CH", want_response_context=True)
        answer = client.call(SEARCH, SearchPeopleRequest(name=name), SearchPeopleResponse, context=context)
        assert answer.message.count == 0
        assert answer.context is not None
        assert client.ask(SEARCH, SearchPeopleRequest(name="Yoda"), SearchPeopleResponse).count == 1


# What an answer says about itself

def test_no_response_context_unless_asked_for(client):
    assert client.call(LIST, ListPeopleRequest(), PeoplePage).context is None
    assert client.call(LIST, ListPeopleRequest(), PeoplePage, context=CallContext(timeout_ms=5000)).context is None


def test_the_response_context_tells_a_fetched_answer_from_a_kept_one():
    asked = CallContext(want_response_context=True)
    with Server("development") as server, Client(server.address) as client:
        first = client.call(LIST, ListPeopleRequest(page=4), PeoplePage, context=asked)
        again = client.call(LIST, ListPeopleRequest(page=4), PeoplePage, context=asked)
    assert (first.context.source, again.context.source) == (ResponseContext.MISS, ResponseContext.HIT)
    assert first.message == again.message
    assert (first.context.skipped_items, first.context.encoding) == (0, "")


def test_a_large_answer_is_deflated_for_those_who_ask(client):
    plain = client.call(GROUP, GroupByEyeColorRequest(), EyeColorGroups)
    context = CallContext(accept_encoding=["br", "deflate"], want_response_context=True)
    packed = client.call(GROUP, GroupByEyeColorRequest(), EyeColorGroups, context=context)
    assert packed.context.encoding == "deflate"
    assert len(packed.data) < len(plain.data) / 2
    assert packed.message == plain.message


@pytest.mark.parametrize("request_, encodings", [
    (GetPersonRequest(id=1), ["deflate"]), (GetPersonRequest(id=1), []), (GetPersonRequest(id=2), ["br"])])
def test_a_small_answer_or_another_encoding_stays_plain(client, request_, encodings):
    context = CallContext(accept_encoding=encodings, want_response_context=True)
    answer = client.call(GET, request_, Person, context=context)
    assert answer.context.encoding == ""
    assert answer.message.name


# Errors on the stream itself

def test_errors_have_the_codes_of_the_profile(client):
    with pytest.raises(CallFailed) as failure:
        client.ask(GET, GetPersonRequest(id=17), Person)
    assert failure.value.code == ErrorCode.APPLICATION_ERROR
