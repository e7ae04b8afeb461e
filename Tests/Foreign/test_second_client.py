"""The wire as a second, unrelated library speaks it."""

import pytest
from portico.v1.control_pb2 import Environment, GetEnvironmentRequest
from rsockets2.frames import ErrorCodes
from second import PATIENCE_SECONDS, SecondClient
from server import Server
from starwars.v1.characters_pb2 import (
    EyeColorGroups, GetPersonRequest, GroupByEyeColorRequest, ListPeopleRequest, PeoplePage, Person,
    SearchPeopleRequest, SearchPeopleResponse)

ENVIRONMENT = "portico.v1.Control/GetEnvironment"
LIST = "starwars.v1.Characters/ListPeople"
GET = "starwars.v1.Characters/GetPerson"
GROUP = "starwars.v1.Characters/GroupByEyeColor"
SEARCH = "starwars.v1.Characters/SearchPeople"


@pytest.fixture
def second(development):
    with SecondClient(development.address) as client:
        yield client


def test_calls_are_answered(second):
    assert second.call(ENVIRONMENT, GetEnvironmentRequest(), Environment).name == "development"
    for number in (1, 2, 3):
        assert second.call(GET, GetPersonRequest(id=number), Person).name


def test_a_request_in_fragments_of_64_bytes_is_put_together(second):
    request = SearchPeopleRequest(name="nobody has such a name " * 40)
    assert second.call_in_fragments(SEARCH, request, SearchPeopleResponse, size=64).count == 0
    assert second.call_in_fragments(SEARCH, SearchPeopleRequest(name="Yoda"), SearchPeopleResponse, 16).count == 1


def test_a_large_answer_arrives_whole(second):
    _, items = second.stream(GROUP, GroupByEyeColorRequest(), credit=1)
    data = b""
    while True:
        frame = items.get(timeout=PATIENCE_SECONDS)
        data += bytes(frame.payload)
        if not frame.follows:
            break
    assert any(segment.label == "brown (20)" for segment in EyeColorGroups.FromString(data).segments)


def test_credits_come_one_by_one(second):
    stream, items = second.stream(LIST, ListPeopleRequest(page=2), credit=1)
    assert PeoplePage.FromString(bytes(items.get(timeout=PATIENCE_SECONDS).payload)).people
    second.grant(stream, 1)
    second.grant(stream, 2**31 - 1)
    assert second.call(ENVIRONMENT, GetEnvironmentRequest(), Environment).name


def test_a_stream_cancelled_in_the_middle_leaves_the_connection_serving(second):
    for page in range(1, 10):
        stream, items = second.stream(LIST, ListPeopleRequest(page=page), credit=1)
        if page % 2:
            items.get(timeout=PATIENCE_SECONDS)
        second.cancel(stream)
    assert second.call(ENVIRONMENT, GetEnvironmentRequest(), Environment).name
    assert second.errors.empty()


@pytest.mark.parametrize("route", ["nobody.v1.Nothing/Get", "starwars.v1.Characters/NoSuchMethod", ""])
def test_a_wrong_route_is_unimplemented(second, route):
    with pytest.raises(Exception, match="UNIMPLEMENTED: "):
        second.call(route, GetEnvironmentRequest(), Environment)
    assert second.errors.get(timeout=PATIENCE_SECONDS)[1] == ErrorCodes.APPLICATION_ERROR
    assert second.call(ENVIRONMENT, GetEnvironmentRequest(), Environment).name


@pytest.mark.parametrize("token", ["bad-token", "good-toke", ""])
def test_a_wrong_token_is_unauthenticated_and_a_right_one_is_let_in(token):
    with Server("development", {"auth.tokens": '["good-token"]'}) as server:
        with SecondClient(server.address) as client:
            with pytest.raises(Exception, match="UNAUTHENTICATED: "):
                client.call(ENVIRONMENT, GetEnvironmentRequest(), Environment, token=token)
            assert client.call(ENVIRONMENT, GetEnvironmentRequest(), Environment, token="good-token").name
