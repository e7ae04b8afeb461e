"""SERVICES.md §2: staff.v1.Staff."""

import model
import pytest
from client import CallFailed
from pictures import is_placeholder, is_picture
from portico.v1.image_pb2 import Image
from staff.v1.staff_pb2 import (
    Employee, GetEmployeeRequest, ListEmployeesRequest, ListEmployeesResponse, ProfileImageRequest)

LIST = "staff.v1.Staff/ListEmployees"
GET = "staff.v1.Staff/GetEmployee"
PICTURE = "staff.v1.Staff/ProfileImage"


def employee(record: dict) -> Employee:
    """Upstream writes some of the numbers as texts."""
    numbers = {name: int(record[name]) for name in ("id", "employee_salary", "employee_age")}
    return Employee(**record | numbers)


@pytest.fixture(scope="session")
def employees(origin) -> list[Employee]:
    return [employee(record) for record in model.staff(origin)]


def test_everybody_is_listed_whether_their_numbers_came_as_texts_or_as_numbers(client, employees):
    answer = client.ask(LIST, ListEmployeesRequest(), ListEmployeesResponse)
    assert list(answer.employees) == employees


def test_each_employee_is_found_by_number(client, employees):
    assert [client.ask(GET, GetEmployeeRequest(id=each.id), Employee) for each in employees] == employees


def test_nobody_by_that_number_is_not_found(client):
    with pytest.raises(CallFailed, match="NOT_FOUND: "):
        client.ask(GET, GetEmployeeRequest(id=4711), Employee)


def test_each_employee_has_a_picture_or_the_placeholder(client, employees):
    for each in employees:
        picture = client.ask(PICTURE, ProfileImageRequest(id=each.id), Image)
        if each.profile_image:
            assert is_picture(picture, model.image(f"staff-images/{each.id}.png"), "image/png")
        else:
            assert is_placeholder(picture)
