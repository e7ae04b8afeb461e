"""Records completed by what other records say: people with the names of their home planets."""

import model
import pytest
from client import CallFailed, Client
from portico.v1.context_pb2 import CallContext, ResponseContext
from second import SecondClient
from server import Server
from starwars.v1.characters_pb2 import (
    GetPersonRequest, GetPlanetRequest, GroupByHomeworldRequest, HomeworldGroups, ListPeopleRequest, PeoplePage, Person,
    Planet)
from test_characters import person

LIST = "starwars.v1.Characters/ListPeople"
PLANET = "starwars.v1.Characters/GetPlanet"
LIST_WITH = "starwars.v1.Characters/ListPeopleWithHomeworlds"
GET_WITH = "starwars.v1.Characters/GetPersonWithHomeworld"
GROUP = "starwars.v1.Characters/GroupByHomeworld"

ASKED = CallContext(want_response_context=True)
ONE_ATTEMPT = {"upstreams.starwars.retry.attempts": "1"}


def people(origin: str) -> list[Person]:
    names = model.planets()
    return [person(record | {"homeworld_name": names[int(record["homeworld"].split("/")[-2])]})
            for record in model.people(origin)]


@pytest.fixture
def patient():
    """A Test server whose answers stay fresh for as long as a test takes."""
    with Server("test", {"cache.fresh": "10m"}) as server:
        yield server


@pytest.mark.parametrize("page", range(1, 10))
def test_each_page_has_its_people_with_their_homeworlds(client, origin, page):
    answer = client.ask(LIST_WITH, ListPeopleRequest(page=page), PeoplePage)
    assert list(answer.people) == model.pages(people(origin), model.PEOPLE_PER_PAGE)[page - 1]
    plain = client.ask(LIST, ListPeopleRequest(page=page), PeoplePage)
    assert (answer.count, answer.next, answer.previous) == (plain.count, plain.next, plain.previous)
    assert not any(each.homeworld_name for each in plain.people)


def test_one_person_has_a_homeworld_too(client, origin):
    assert client.ask(GET_WITH, GetPersonRequest(id=1), Person) == people(origin)[0]
    with pytest.raises(CallFailed, match="NOT_FOUND: "):
        client.ask(GET_WITH, GetPersonRequest(id=17), Person)


def test_people_are_grouped_by_what_was_joined(client, origin):
    groups = client.ask(GROUP, GroupByHomeworldRequest(), HomeworldGroups).planets
    expected = model.group(sorted(people(origin), key=lambda each: each.name), lambda each: each.homeworld_name)
    assert {group.name: list(group.people) for group in groups} == dict(expected)
    counts = [group.count for group in groups]
    assert counts == sorted(counts, reverse=True) and sum(counts) == 82
    chosen = client.ask(GROUP, GroupByHomeworldRequest(homeworld_name="Tatooine"), HomeworldGroups).planets
    assert [group.name for group in chosen] == ["Tatooine"]


def test_a_second_library_gets_the_same(development, origin):
    with SecondClient(development.address) as second:
        answer = second.call(LIST_WITH, ListPeopleRequest(page=1), PeoplePage)
        assert list(answer.people) == people(origin)[:10]


def test_each_planet_is_asked_for_once_and_shared(patient):
    with Client(patient.address) as client:
        client.ask(GROUP, GroupByHomeworldRequest(), HomeworldGroups)
        client.ask(LIST_WITH, ListPeopleRequest(), PeoplePage)
        client.ask(PLANET, GetPlanetRequest(id=1), Planet)
    asked = {path: count for path, count in patient.sandbox.requests().items() if "/planets/" in path}
    assert set(asked.values()) == {1} and len(asked) == len(model.planets())


def test_planets_that_are_down_are_absent_and_counted():
    with Server("test", ONE_ATTEMPT) as server, Client(server.address) as client:
        server.sandbox.fault("starwars/planets/1*", "fail", status=503)
        answer = client.call(LIST_WITH, ListPeopleRequest(), PeoplePage, context=ASKED)
        named = [each.homeworld_name for each in answer.message.people]
        assert answer.context.missing_joins == named.count("") > 0 and any(named)
        assert answer.context.skipped_items == 0
        # The list itself does not care.
        assert len(client.ask(LIST, ListPeopleRequest(), PeoplePage).people) == 10
        server.sandbox.recover()
        answer = client.call(LIST_WITH, ListPeopleRequest(), PeoplePage, context=ASKED)
        assert answer.context.missing_joins == 0 and all(each.homeworld_name for each in answer.message.people)


def test_a_joined_answer_is_kept(patient):
    with Client(patient.address) as client:
        sources = [client.call(LIST_WITH, ListPeopleRequest(), PeoplePage, context=ASKED).context.source
                   for _ in range(2)]
    assert sources == [ResponseContext.MISS, ResponseContext.HIT]
