"""A hostile user who observes, writes and asks for screens: what is kept for him is bounded, and ends with him.

Each server is a Test one with a second of freshness, whose sandbox counts what it is asked for."""

import json
import time

import pytest
import raw
from attackers import Crowd, Witness, allow_many_descriptors, call, memory_bytes, route
from client import CallFailed, Client
from directory.v1.directory_pb2 import CreateEmployeeRequest, Employee, EmployeeType, ListEmployeesRequest, ListEmployeesResponse
from home.v1.home_pb2 import ScreenRequest, ScreenResponse
from portico.v1.context_pb2 import CallContext
from raw import Raw
from server import Server
from starwars.v1.characters_pb2 import GetPersonRequest, ListPeopleRequest, PeoplePage, SearchPeopleRequest
from television.v1.television_pb2 import DAY
from upstream import Upstream

PERSON = "starwars.v1.Characters/GetPerson"
PEOPLE = "starwars.v1.Characters/ListPeople"
WITH_HOMEWORLDS = "starwars.v1.Characters/ListPeopleWithHomeworlds"
LIST = "directory.v1.Directory/ListEmployees"
CREATE = "directory.v1.Directory/CreateEmployee"
SEARCH = "starwars.v1.Characters/SearchPeople"
SCREEN = "home.v1.Home/Screen"
REQUEST_STREAM = 0x06
MIB = 1 << 20
NEWCOMER = Employee(full_name="Nadia Haddad", email_address="nadia@parcel.example", team="Night shift",
                    employee_type=EmployeeType.PART_TIME)


@pytest.fixture
def server():
    allow_many_descriptors()
    with Server("test", {"log.level": "error"}) as server:
        yield server
        wait_until(lambda: server.status()["connections"] == 0, "connections are left behind")


def wait_until(holds, complaint: str) -> None:
    deadline = time.monotonic() + raw.PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, complaint
        time.sleep(0.02)


def observe(stream: int, name: str, data: bytes = b"", credit: int = 2**31 - 1) -> bytes:
    return raw.request(stream, REQUEST_STREAM, route(name), data, before=credit.to_bytes(4, "big"))


def with_context(stream: int, name: str, context: CallContext, data: bytes) -> bytes:
    item = context.SerializeToString()
    return raw.request(
        stream, raw.REQUEST_RESPONSE, route(name) + b"\x89" + len(item).to_bytes(3, "big") + item, data)


@pytest.mark.parametrize("end", [Crowd.close, Crowd.reset], ids=["close", "reset"])
def test_thousands_of_observers_that_leave_at_once_leave_no_refresh_behind(server, end):
    requests = [GetPersonRequest(id=number % 16 + 1).SerializeToString() for number in range(200)]
    crowd_of_observers = raw.setup() + b"".join(
        observe(2 * number + 1, PERSON, data) for number, data in enumerate(requests))

    def asked() -> int:
        return sum(count for path, count in server.sandbox.requests().items() if "/people/" in path)

    before = memory_bytes(server)
    with Witness(server, LIST):
        for _ in range(2):
            count = asked()
            crowd = Crowd(server, 30, crowd_of_observers)
            # More than once for each of the sixteen, whoever observes them.
            wait_until(lambda: asked() > count + 20, "nothing is refreshed")
            end(crowd)
            wait_until(lambda: server.status()["connections"] <= 1, "connections are left behind")
        assert memory_bytes(server) - before < 80 * MIB
    time.sleep(0.5)
    count = asked()
    time.sleep(2.5)
    assert asked() == count


def test_observers_without_credit_hold_one_answer_each(server):
    before = memory_bytes(server)
    observers = raw.setup() + b"".join(observe(2 * number + 1, LIST, credit=1) for number in range(100))
    with Witness(server, PEOPLE), Crowd(server, 10, observers), Client(server.address) as client:
        for number in range(40):
            employee = Employee()
            employee.CopyFrom(NEWCOMER)
            employee.team = f"Team {number}"
            client.ask(CREATE, CreateEmployeeRequest(employee=employee), Employee)
        assert memory_bytes(server) - before < 60 * MIB


def test_long_observed_requests_have_one_messages_room_on_each_connection(server):
    data = SearchPeopleRequest(name="x" * 900_000).SerializeToString()
    before = memory_bytes(server)
    with Witness(server, PEOPLE), Raw(server.address) as connection:
        connection.send(raw.setup())
        refused = 0
        for number in range(60):
            connection.send(observe(2 * number + 1, SEARCH, data))
            refused += connection.next().kind == raw.ERROR
        # 16 MiB are room for eighteen of them.
        assert refused == 60 - 18
        assert memory_bytes(server) - before < 100 * MIB


def test_a_flood_of_writes_with_one_key_is_one_write(server):
    with Client(server.address) as client:
        before = len(client.ask(LIST, ListEmployeesRequest(), ListEmployeesResponse).employees)
    context = CallContext(idempotency_key="k" * 255)
    data = CreateEmployeeRequest(employee=NEWCOMER).SerializeToString()
    flood = b"".join(with_context(2 * number + 1, CREATE, context, data) for number in range(200))
    with Witness(server, PEOPLE):
        for _ in range(10):
            with Raw(server.address) as connection:
                connection.send(raw.setup() + flood)
                assert {connection.next().kind for _ in range(200)} == {raw.PAYLOAD}
    with Client(server.address) as client:
        assert len(client.ask(LIST, ListEmployeesRequest(), ListEmployeesResponse).employees) == before + 1
    assert server.sandbox.requests()["directory/employees"] == 1


def test_writes_that_break_a_rule_never_reach_the_upstream(server):
    data = CreateEmployeeRequest(employee=Employee(full_name="n" * 2000)).SerializeToString()
    flood = b"".join(call(2 * number + 1, CREATE, data) for number in range(250))
    with Witness(server, PEOPLE):
        for _ in range(10):
            with Raw(server.address) as connection:
                connection.send(raw.setup() + flood)
                refused = [connection.next() for _ in range(250)]
                assert all("full_name has 2000 characters" in frame.error[1] for frame in refused)
    assert "directory/employees" not in server.sandbox.requests()


@pytest.mark.parametrize("length, status", [
    (256, "INVALID_ARGUMENT"), (10_000, "INVALID_ARGUMENT"), (100_000, "RESOURCE_EXHAUSTED")])
def test_an_enormous_idempotency_key_is_refused(server, length, status):
    with Client(server.address) as client:
        with pytest.raises(CallFailed, match=f"{status}: "):
            context = CallContext(idempotency_key="k" * length)
            client.call(CREATE, CreateEmployeeRequest(employee=NEWCOMER), Employee, context=context)
    assert "directory/employees" not in server.sandbox.requests()


def test_screens_that_nobody_has_time_for_leave_a_whole_one_possible(server):
    data = ScreenRequest(time_window=DAY).SerializeToString()
    hurried = [with_context(2 * number + 1, SCREEN, CallContext(timeout_ms=1), data) for number in range(200)]
    server.sandbox.fault("*", "slow", delayMs=300)
    with Witness(server, "portico.v1.Control/GetEnvironment"), Raw(server.address) as connection:
        connection.send(raw.setup() + b"".join(hurried))
        for frame in [connection.next() for _ in hurried]:
            assert "DEADLINE_EXCEEDED: " in frame.error[1]
    server.sandbox.recover()
    with Client(server.address) as client:
        answer = client.ask(SCREEN, ScreenRequest(time_window=DAY), ScreenResponse)
        assert [each.ok for each in answer.sources] == [True] * 3


def people_from(homeworlds: list[str]) -> Upstream:
    """Lists people with these homeworlds, and calls every planet `P`."""
    people = [{"name": "p", "gender": "n/a", "homeworld": each, "url": "u"} for each in homeworlds]
    answer = json.dumps({"count": len(people), "next": None, "results": people}).encode()
    return Upstream(lambda path: answer if "people" in path else b'{"name": "P"}')


def test_keys_that_lead_elsewhere_are_asked_for_here_or_not_at_all():
    """A key gives a number for `planets/{id}/` below the upstream's base, and nothing else of it is used."""
    good = ["https://swapi.dev/api/planets/1/", "https://elsewhere.example/planets/2/", "file:///planets/2/"]
    bad = ["https://swapi.dev/api/planets/../", "planets/../../1/", "planets/1/../", "planets/1", "planets//",
           "planets/%31/", "planets/9999999999999/", "planets/-/", "planets/1?x=/", "planets/1#/", "\r\nHost: x",
           "planets/" + "9" * 1_000_000 + "/", "x" * 1_000_000, "http://[::1]:1/planets/1"]
    with people_from(good + bad) as upstream:
        settings = {"upstreams.starwars.baseURL": upstream.base, "cache.fresh": "10m"}
        with Server("test", settings) as server, Client(server.address) as client:
            for _ in range(2):
                answer = client.call(
                    WITH_HOMEWORLDS, ListPeopleRequest(), PeoplePage, context=CallContext(want_response_context=True))
                assert [each.homeworld_name for each in answer.message.people] == ["P"] * len(good) + [""] * len(bad)
                assert answer.context.missing_joins == len(bad)
        # Once each: the answer is kept, whatever it lacks.
        assert upstream.paths == ["/api/people/?page=1", "/api/planets/1/", "/api/planets/2/"]


def test_one_key_many_times_is_asked_for_once():
    with people_from(["planets/1/"] * 100_000) as upstream:
        with Server("test", {"upstreams.starwars.baseURL": upstream.base, "cache.fresh": "10m"}) as server:
            with Witness(server, LIST), Client(server.address) as client:
                people = client.ask(WITH_HOMEWORLDS, ListPeopleRequest(), PeoplePage).people
        assert len(people) == 100_000 and all(each.homeworld_name == "P" for each in people)
        assert upstream.paths == ["/api/people/?page=1", "/api/planets/1/"]
