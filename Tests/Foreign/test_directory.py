"""SERVICES.md §3: directory.v1.Directory."""

import model
import pytest
from directory.v1.directory_pb2 import (
    Employee, EmployeeType, GroupByTeamRequest, GroupByTeamResponse, ListEmployeesRequest, ListEmployeesResponse,
    PhotoRequest, Team)
from pictures import is_picture, is_placeholder
from portico.v1.image_pb2 import Image

LIST = "directory.v1.Directory/ListEmployees"
GROUP = "directory.v1.Directory/GroupByTeam"
PHOTO = "directory.v1.Directory/Photo"


def employee(record: dict) -> Employee:
    """Null is absent."""
    given = {name: value for name, value in record.items() if value is not None}
    return Employee(**given | {"employee_type": EmployeeType.Value(record["employee_type"])})


@pytest.fixture(scope="session")
def employees(origin) -> list[Employee]:
    return [employee(record) for record in model.directory(origin)]


def test_everybody_is_listed_in_upstream_order(client, employees):
    assert list(client.ask(LIST, ListEmployeesRequest(), ListEmployeesResponse).employees) == employees


def test_what_upstream_leaves_out_or_sets_to_null_is_absent(client, employees):
    answer = client.ask(LIST, ListEmployeesRequest(), ListEmployeesResponse)
    for field in ("phone_number", "biography", "photo_url_small", "photo_url_large"):
        present = [each.HasField(field) for each in answer.employees]
        assert present == [each.HasField(field) for each in employees]
        assert False in present


def test_teams_are_sorted_by_name_and_keep_upstream_order_inside(client, employees):
    expected = [Team(name=name, count=len(members), employees=members)
                for name, members in model.group(employees, lambda each: each.team)]
    assert list(client.ask(GROUP, GroupByTeamRequest(), GroupByTeamResponse).teams) == expected


def test_each_photo_comes_small_and_large(client, employees, origin):
    urls = [url for each in employees for url in (each.photo_url_small, each.photo_url_large) if url]
    for url in urls:
        photo = client.ask(PHOTO, PhotoRequest(url=url), Image)
        assert is_picture(photo, model.image(url.removeprefix(f"{origin}/")), "image/jpeg")


def test_a_photo_that_is_not_there_is_the_placeholder(client, origin):
    photo = client.ask(PHOTO, PhotoRequest(url=f"{origin}/directory-photos/nobody/small.jpg"), Image)
    assert is_placeholder(photo)


@pytest.mark.parametrize("url", [
    "{origin}/staff-images/1.png",
    "{origin}/directory-photos/../staff-images/1.png",
    "{origin}/directory-photos/%2e%2e/staff-images/1.png",
    "{origin}/directory-photos-and-more/a.jpg",
    "http://user@127.0.0.1/directory-photos/a.jpg",
    "http://127.0.0.1:1/directory-photos/a.jpg",
    "https://s3.amazonaws.com/other-bucket/a.jpg",
    "file:///etc/passwd",
    "//127.0.0.1/directory-photos/a.jpg",
    "not a url",
])
def test_what_is_not_under_the_base_is_the_placeholder(client, origin, url):
    assert is_placeholder(client.ask(PHOTO, PhotoRequest(url=url.format(origin=origin)), Image))
