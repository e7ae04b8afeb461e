"""Writes: directory.v1.Directory/CreateEmployee and UpdateEmployee, on a sandbox that keeps what it is sent."""

import json
import uuid

import pytest
from client import CallFailed, Client
from directory.v1.directory_pb2 import (
    CreateEmployeeRequest, Employee, EmployeeType, GroupByTeamRequest, GroupByTeamResponse, ListEmployeesRequest,
    ListEmployeesResponse, UpdateEmployeeRequest)
from portico.v1.context_pb2 import CallContext
from second import SecondClient
from server import Server
from upstream import Upstream

LIST = "directory.v1.Directory/ListEmployees"
GROUP = "directory.v1.Directory/GroupByTeam"
CREATE = "directory.v1.Directory/CreateEmployee"
UPDATE = "directory.v1.Directory/UpdateEmployee"


@pytest.fixture
def server():
    with Server("development") as server:
        yield server


@pytest.fixture
def writer(server):
    with Client(server.address) as client:
        yield client


def newcomer(**changes) -> Employee:
    fields = {"full_name": "Nadia Haddad", "email_address": "nadia@parcel.example", "team": "Night shift",
              "employee_type": EmployeeType.PART_TIME}
    return Employee(**fields | changes)


def employees(client) -> list[Employee]:
    return list(client.ask(LIST, ListEmployeesRequest(), ListEmployeesResponse).employees)


def test_who_is_created_is_in_the_list_and_in_its_team(writer):
    before = employees(writer)
    teams = writer.ask(GROUP, GroupByTeamRequest(), GroupByTeamResponse).teams
    assert "Night shift" not in [team.name for team in teams]
    created = writer.ask(CREATE, CreateEmployeeRequest(employee=newcomer(phone_number="5550100299")), Employee)
    assert uuid.UUID(created.uuid) and created.phone_number == "5550100299" and not created.HasField("biography")
    assert employees(writer) == before + [created]
    teams = writer.ask(GROUP, GroupByTeamRequest(), GroupByTeamResponse).teams
    assert [created] in [list(team.employees) for team in teams]


def test_who_is_updated_keeps_the_place_and_has_the_new_fields(writer):
    before = employees(writer)
    changed = Employee()
    changed.CopyFrom(before[2])
    changed.full_name, changed.employee_type = "Another Name", EmployeeType.CONTRACTOR
    changed.ClearField("biography")
    assert writer.ask(UPDATE, UpdateEmployeeRequest(employee=changed), Employee) == changed
    assert employees(writer) == before[:2] + [changed] + before[3:]


def test_nobody_to_update_is_not_found(writer):
    employee = newcomer(uuid=str(uuid.uuid4()))
    with pytest.raises(CallFailed, match="NOT_FOUND: "):
        writer.ask(UPDATE, UpdateEmployeeRequest(employee=employee), Employee)


@pytest.mark.parametrize("employee, named", [
    (Employee(), ["full_name is needed", "email_address is needed", "team is needed", "employee_type is needed"]),
    (newcomer(email_address="nadia"), ["email_address is not an e-mail address"]),
    (newcomer(phone_number="+1 555"), ["phone_number does not match [0-9]{3,15}"]),
    (newcomer(full_name="n" * 201, team="t" * 101), ["full_name has 201 characters", "team has 101 characters"]),
    (newcomer(uuid="../../etc/passwd"), ["uuid does not match"]),
    (newcomer(employee_type=9), ["employee_type is none of FULL_TIME, PART_TIME, CONTRACTOR"]),
])
def test_every_bad_field_is_named_and_nothing_is_written(writer, server, employee, named):
    before = employees(writer)
    with pytest.raises(CallFailed) as failure:
        writer.ask(CREATE, CreateEmployeeRequest(employee=employee), Employee)
    assert failure.value.status == "INVALID_ARGUMENT"
    assert failure.value.message.count("employee.") == len(named)
    for part in named:
        assert part in failure.value.message
    assert employees(writer) == before


def test_the_same_key_writes_once(writer):
    context = CallContext(idempotency_key=str(uuid.uuid4()))
    request = CreateEmployeeRequest(employee=newcomer())
    before = len(employees(writer))
    futures = [writer.start(CREATE, request, context=context) for _ in range(5)]
    answers = {bytes(future.result(20).data) for future in futures}
    assert len(answers) == 1 and len(employees(writer)) == before + 1
    with pytest.raises(CallFailed, match="INVALID_ARGUMENT: the idempotency key was used for another request"):
        writer.call(CREATE, CreateEmployeeRequest(employee=newcomer(team="Other")), Employee, context=context)
    assert writer.call(CREATE, request, Employee).message.uuid
    assert len(employees(writer)) == before + 2


def test_a_write_is_json_by_the_upstreams_names_with_what_is_set_and_its_key():
    whole = {"uuid": "0" * 8 + "-0000-0000-0000-" + "0" * 12, "full_name": "Nadia Haddad", "team": "Night shift",
             "email_address": "nadia@parcel.example", "employee_type": "PART_TIME"}
    with Upstream(lambda path: json.dumps(whole).encode()) as upstream:
        with Server("development", {"upstreams.directory.baseURL": upstream.base}) as server:
            with Client(server.address) as client:
                context = CallContext(idempotency_key="a-key")
                client.call(CREATE, CreateEmployeeRequest(employee=newcomer()), Employee, context=context)
                client.ask(UPDATE, UpdateEmployeeRequest(employee=newcomer(uuid=whole["uuid"])), Employee)
    created, updated = upstream.asked
    assert (created.method, created.path) == ("POST", "/api/employees")
    assert (updated.method, updated.path) == ("PUT", f"/api/employees/{whole['uuid']}")
    assert json.loads(created.body) == {name: value for name, value in whole.items() if name != "uuid"}
    assert json.loads(updated.body) == whole
    assert created.fields["Content-Type"] == updated.fields["Content-Type"] == "application/json"
    assert created.fields["Idempotency-Key"] == "a-key" and updated.fields["Idempotency-Key"] is None


def test_a_trace_goes_on_to_the_upstream_of_reads_and_writes():
    trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    whole = {"uuid": "0" * 8 + "-0000-0000-0000-" + "0" * 12, "full_name": "Nadia Haddad", "team": "Night shift",
             "email_address": "nadia@parcel.example", "employee_type": "PART_TIME"}
    answers = {"/api/employees": whole, "/api/employees.json": {"employees": [whole]}, "/api/": {}}
    with Upstream(lambda path: json.dumps(answers[path]).encode()) as upstream:
        with Server("development", {"upstreams.directory.baseURL": upstream.base}) as server:
            with Client(server.address) as client:
                for parent in (trace, "not-a-trace", ""):
                    context = CallContext(trace_parent=parent)
                    client.call(CREATE, CreateEmployeeRequest(employee=newcomer()), Employee, context=context)
                    client.call(LIST, ListEmployeesRequest(), ListEmployeesResponse, context=context)
    told = {asked.fields["traceparent"] for asked in upstream.asked if asked.method == "GET"}
    assert trace in told
    assert [asked.fields["traceparent"] for asked in upstream.asked if asked.method == "POST"] == [trace, None, None]


def test_a_write_that_fails_is_made_once_without_a_key_and_again_with_one(troubled):
    request = CreateEmployeeRequest(employee=newcomer())
    with Client(troubled.address) as client:
        troubled.sandbox.fault("directory/employees", "fail", status=503, times=2)
        with pytest.raises(CallFailed, match="UNAVAILABLE: "):
            client.ask(CREATE, request, Employee)
        assert troubled.sandbox.requests()["directory/employees"] == 1
        context = CallContext(idempotency_key="k")
        assert client.call(CREATE, request, Employee, context=context).message.uuid
        assert troubled.sandbox.requests()["directory/employees"] == 3


def test_a_token_for_reading_does_not_write():
    tokens = '[{"token": "reader", "roles": ["read"]}, "everything"]'
    with Server("development", {"auth.tokens": tokens}) as server, Client(server.address, token="reader") as client:
        request = CreateEmployeeRequest(employee=newcomer())
        before = employees(client)
        with pytest.raises(CallFailed, match="PERMISSION_DENIED: "):
            client.ask(CREATE, request, Employee)
        assert employees(client) == before
        assert client.call(CREATE, request, Employee, token="everything").message.uuid


def test_a_write_is_neither_observed_nor_fired(writer):
    before = employees(writer)
    request = CreateEmployeeRequest(employee=newcomer())
    with pytest.raises(CallFailed, match="UNIMPLEMENTED: .*request/response only"):
        writer.observe(CREATE, request, Employee).next()
    writer.fire(CREATE, request)
    assert employees(writer) == before


def test_the_second_client_writes(server):
    with SecondClient(server.address) as second:
        created = second.call(CREATE, CreateEmployeeRequest(employee=newcomer()), Employee)
        assert created in second.call(LIST, ListEmployeesRequest(), ListEmployeesResponse).employees
