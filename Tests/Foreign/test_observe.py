"""Observing: REQUEST_STREAM, as two unrelated libraries speak it."""

import signal
import time

import pytest
from client import PATIENCE_SECONDS, CallFailed, Client
from directory.v1.directory_pb2 import (
    CreateEmployeeRequest, Employee, EmployeeType, GroupByTeamRequest, GroupByTeamResponse, ListEmployeesRequest,
    ListEmployeesResponse, PhotoRequest)
from home.v1.home_pb2 import ScreenRequest, ScreenResponse
from portico.v1.context_pb2 import CallContext, Hello, ResponseContext
from portico.v1.image_pb2 import Image
from second import SecondClient
from server import Server
from television.v1.television_pb2 import DAY

LIST = "directory.v1.Directory/ListEmployees"
GROUP = "directory.v1.Directory/GroupByTeam"
CREATE = "directory.v1.Directory/CreateEmployee"
FILE = "directory/employees.json"
SCREEN = "home.v1.Home/Screen"
SHOWS = "tv/trending/tv/day"
CONTEXT = CallContext(want_response_context=True)


def write(client, team: str) -> Employee:
    employee = Employee(full_name="Nadia Haddad", email_address="nadia@parcel.example", team=team,
                        employee_type=EmployeeType.PART_TIME)
    return client.ask(CREATE, CreateEmployeeRequest(employee=employee), Employee)


def teams(answer) -> list[str]:
    return [team.name for team in answer.message.teams]


@pytest.fixture
def server():
    with Server("development") as server:
        yield server


def test_observers_are_told_within_300_ms_of_a_write(server):
    with Client(server.address) as client, Client(server.address) as other:
        observers = [each.observe(GROUP, GroupByTeamRequest(), GroupByTeamResponse) for each in (client, other)]
        for observer in observers:
            assert "Night shift" not in teams(observer.next())
        write(client, "Night shift")
        began = time.monotonic()
        for observer in observers:
            assert "Night shift" in teams(observer.next())
        assert time.monotonic() - began < 0.3


def test_without_credit_the_newest_waits(server):
    with Client(server.address) as client:
        observer = client.observe(LIST, ListEmployeesRequest(), ListEmployeesResponse, credit=1)
        count = len(observer.next().message.employees)
        told = client.observe(LIST, ListEmployeesRequest(), ListEmployeesResponse)
        told.next()
        for number in range(3):
            write(client, f"Team {number}")
            assert len(told.next().message.employees) == count + number + 1
        assert observer.hears_nothing()
        observer.grant(1)
        assert len(observer.next().message.employees) == count + 3
        assert observer.hears_nothing()


def test_any_number_of_observers_cost_one_call_for_each_refresh(troubled):
    with Client(troubled.address) as client:
        observers = [client.observe(LIST, ListEmployeesRequest(), ListEmployeesResponse) for _ in range(50)]
        for observer in observers:
            observer.next()
        # Fresh for a second: the sandbox is asked again and again, and the answer does not change.
        until(lambda: troubled.sandbox.requests()[FILE] >= 4)
        assert all(observer.hears_nothing() for observer in observers)
        for observer in observers:
            observer.cancel()
        # Nobody is left: what is asked for now is asked for by calls alone.
        client.ask(LIST, ListEmployeesRequest(), ListEmployeesResponse)
        count = troubled.sandbox.requests()[FILE]
        time.sleep(2.5)
        assert troubled.sandbox.requests()[FILE] <= count + 1


def test_an_upstream_that_fails_makes_the_answer_stale_and_comes_back(troubled):
    with Client(troubled.address) as client:
        observer = client.observe(LIST, ListEmployeesRequest(), ListEmployeesResponse, context=CONTEXT)
        plain = client.observe(LIST, ListEmployeesRequest(), ListEmployeesResponse)
        first = observer.next()
        plain.next()
        troubled.sandbox.fault(FILE, "fail", status=503)
        stale = observer.next()
        assert stale.context.source == ResponseContext.STALE and stale.context.age_ms >= 1000
        assert stale.message == first.message and stale.context.resume_cursor == first.context.resume_cursor
        troubled.sandbox.recover()
        back = observer.next()
        assert back.context.source != ResponseContext.STALE and back.message == first.message
        assert plain.hears_nothing()


def test_a_cursor_goes_on_at_another_server(server):
    """Two servers before one upstream, as behind a load balancer."""
    with Client(server.address) as client:
        last = client.observe(GROUP, GroupByTeamRequest(), GroupByTeamResponse, context=CONTEXT).next()
    same = {"upstreams.directory.baseURL": f"{server.sandbox.origin}/directory/"}
    with Server("development", same) as other, Client(other.address) as client:
        context = CallContext(want_response_context=True, resume_cursor=last.context.resume_cursor)
        resumed = client.observe(GROUP, GroupByTeamRequest(), GroupByTeamResponse, context=context)
        fresh = client.observe(GROUP, GroupByTeamRequest(), GroupByTeamResponse, context=CONTEXT)
        assert fresh.next().context.resume_cursor == last.context.resume_cursor
        assert resumed.hears_nothing()
        write(client, "Night shift")
        assert "Night shift" in teams(resumed.next()) and "Night shift" in teams(fresh.next())


def test_a_screen_is_told_what_changes_in_one_of_its_parts(server):
    with Client(server.address) as client, Client(server.address) as other:
        observers = [each.observe(SCREEN, ScreenRequest(time_window=DAY), ScreenResponse) for each in (client, other)]
        before = [observer.next().message for observer in observers]
        write(client, "Night shift")
        began = time.monotonic()
        after = [observer.next().message for observer in observers]
        assert time.monotonic() - began < 0.3
        for old, new in zip(before, after):
            assert "Night shift" in [team.name for team in new.teams.teams]
            assert (new.characters, new.shows) == (old.characters, old.shows)
            assert [(each.name, each.ok) for each in new.sources] == [(each.name, True) for each in old.sources]


def test_a_stale_part_of_a_screen_is_told_once_and_again_when_it_is_back():
    with Server("test", {"upstreams.directory.retry.attempts": "1"}) as server, Client(server.address) as client:
        observer = client.observe(SCREEN, ScreenRequest(time_window=DAY), ScreenResponse, context=CONTEXT)
        whole = observer.next()
        server.sandbox.fault(FILE, "fail", status=503)
        stale = observer.next()
        assert stale.context.source == ResponseContext.STALE
        assert [each.name for each in stale.message.sources if each.stale] == ["teams"]
        assert stale.message.teams == whole.message.teams
        # Its age grows, and the other parts are fetched again and again: nothing of it is news.
        count = server.sandbox.requests()[SHOWS]
        until(lambda: server.sandbox.requests()[SHOWS] >= count + 4)
        assert observer.hears_nothing()
        server.sandbox.recover()
        back = observer.next()
        assert not any(each.stale for each in back.message.sources) and back.message.teams == whole.message.teams


def test_when_the_server_goes_observers_are_sent_away():
    with Server("development") as server:
        with Client(server.address, hello=Hello(client_id="o", accepts_goaway=True)) as client:
            observer = client.observe(LIST, ListEmployeesRequest(), ListEmployeesResponse)
            observer.next()
            server.process.send_signal(signal.SIGTERM)
            with pytest.raises(CallFailed, match="UNAVAILABLE: the server is going away"):
                observer.next()
            assert client.connection.closed.wait(PATIENCE_SECONDS) and client.connection.pushed
            assert server.process.wait(PATIENCE_SECONDS) == 0


def test_images_are_not_observed(client, origin):
    with pytest.raises(CallFailed, match="UNIMPLEMENTED: .*etag"):
        client.observe("directory.v1.Directory/Photo", PhotoRequest(url=origin), Image).next()


def test_the_second_client_observes_under_its_credits(server):
    with SecondClient(server.address) as second, Client(server.address) as client:
        stream, items = second.stream(LIST, ListEmployeesRequest(), credit=1)

        def count() -> int:
            data = b""
            while True:
                frame = items.get(timeout=PATIENCE_SECONDS)
                data += bytes(frame.payload)
                if not frame.follows:
                    return len(ListEmployeesResponse.FromString(data).employees)

        before = count()
        write(client, "A")
        write(client, "B")
        assert items.empty()
        second.grant(stream, 1)
        assert count() == before + 2
        second.cancel(stream)
        write(client, "C")
        assert second.call(LIST, ListEmployeesRequest(), ListEmployeesResponse).employees[-1].team == "C"
        assert items.empty() and second.errors.empty()


def until(holds) -> None:
    """For a state that comes about by itself; the limit is for broken servers only."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)
