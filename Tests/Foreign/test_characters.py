"""SERVICES.md §1: starwars.v1.Characters."""

import model
import pytest
from client import CallFailed
from starwars.v1.characters_pb2 import (
    EyeColorGroups, EyeColorSegment, Gender, GetPersonRequest, GroupByEyeColorRequest, ListPeopleRequest, PeoplePage,
    Person, SearchPeopleRequest, SearchPeopleResponse)

LIST = "starwars.v1.Characters/ListPeople"
GET = "starwars.v1.Characters/GetPerson"
GROUP = "starwars.v1.Characters/GroupByEyeColor"
SEARCH = "starwars.v1.Characters/SearchPeople"

GENDERS = {"male": Gender.MALE, "female": Gender.FEMALE, "n/a": Gender.NOT_APPLICABLE,
           "hermaphrodite": Gender.HERMAPHRODITE, "none": Gender.NONE}


def person(record: dict) -> Person:
    return Person(**record | {"gender": GENDERS[record["gender"]]})


@pytest.fixture(scope="session")
def people(origin) -> list[Person]:
    return [person(record) for record in model.people(origin)]


@pytest.mark.parametrize("page", range(1, 10))
def test_each_of_the_nine_pages_has_its_people_and_its_neighbours(client, people, origin, page):
    answer = client.ask(LIST, ListPeopleRequest(page=page), PeoplePage)
    assert answer.count == 82
    assert list(answer.people) == model.pages(people, model.PEOPLE_PER_PAGE)[page - 1]
    assert answer.next == (f"{origin}/starwars/people/?page={page + 1}" if page < 9 else "")
    assert answer.previous == (f"{origin}/starwars/people/?page={page - 1}" if page > 1 else "")
    assert answer.HasField("next") == (page < 9)
    assert answer.HasField("previous") == (page > 1)


def test_no_page_given_is_the_first_page(client, people):
    assert list(client.ask(LIST, ListPeopleRequest(), PeoplePage).people) == people[:10]


def test_each_person_is_found_by_number(client, people):
    numbers = [number for number in range(1, 84) if number != 17]
    assert [client.ask(GET, GetPersonRequest(id=number), Person) for number in numbers] == people


@pytest.mark.parametrize("number", [17, 84, 100000])
def test_nobody_by_that_number_is_not_found(client, number):
    with pytest.raises(CallFailed, match="NOT_FOUND: ") as failure:
        client.ask(GET, GetPersonRequest(id=number), Person)
    assert "starwars" in failure.value.message


def test_everybody_by_eye_colour(client, people):
    expected = [
        EyeColorSegment(eye_color=color, count=len(members), label=f"{color} ({len(members)})", people=members)
        for color, members in model.group(people, lambda person: person.eye_color)]
    answer = client.ask(GROUP, GroupByEyeColorRequest(), EyeColorGroups)
    assert list(answer.segments) == expected
    assert sum(segment.count for segment in answer.segments) == 82
    assert "brown (20)" in [segment.label for segment in answer.segments]


@pytest.mark.parametrize("color, count", [("brown", 20), ("green, yellow", 1), ("red, blue", 1), ("unknown", 2)])
def test_choosing_one_colour_gives_only_its_segment(client, color, count):
    segments = client.ask(GROUP, GroupByEyeColorRequest(eye_color=color), EyeColorGroups).segments
    assert [(segment.eye_color, segment.count, segment.label) for segment in segments] == [
        (color, count, f"{color} ({count})")]
    assert {person.eye_color for person in segments[0].people} == {color}


@pytest.mark.parametrize("color", ["green", "Brown", "violet"])
def test_a_colour_that_nobody_has_gives_no_segment(client, color):
    assert not client.ask(GROUP, GroupByEyeColorRequest(eye_color=color), EyeColorGroups).segments


@pytest.mark.parametrize("text", ["Sky", "an", "padmé", "zzz"])
def test_people_are_found_by_a_part_of_their_name(client, people, text):
    found = sorted((person for person in people if text.lower() in person.name.lower()), key=lambda person: person.name)
    answer = client.ask(SEARCH, SearchPeopleRequest(name=text, page_size=100), SearchPeopleResponse)
    assert answer.count == len(found)
    assert list(answer.people) == found


def test_a_search_is_answered_page_by_page(client, people):
    women = sorted((person for person in people if person.gender == Gender.FEMALE), key=lambda person: person.name)
    for number, page in enumerate(model.pages(women, 5), start=1):
        request = SearchPeopleRequest(gender=Gender.FEMALE, page=number, page_size=5)
        answer = client.ask(SEARCH, request, SearchPeopleResponse)
        assert (answer.count, list(answer.people)) == (len(women), page)
