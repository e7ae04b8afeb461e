"""SERVICES.md §5 and §3: what a client is told when an upstream is not well. Each test has a Test server of its own."""

import model
import pytest
from client import CallFailed, Client
from directory.v1.directory_pb2 import ListEmployeesRequest, ListEmployeesResponse, PhotoRequest
from pictures import is_picture, is_placeholder
from portico.v1.context_pb2 import CallContext, ResponseContext
from portico.v1.control_pb2 import Environment, GetEnvironmentRequest
from portico.v1.image_pb2 import Image
from server import Server
from staff.v1.staff_pb2 import Employee, GetEmployeeRequest, ListEmployeesRequest as ListStaffRequest
from staff.v1.staff_pb2 import ListEmployeesResponse as ListStaffResponse
from starwars.v1.characters_pb2 import EyeColorGroups, GroupByEyeColorRequest
from television.v1.television_pb2 import DAY, TrendingRequest, TrendingResponse
from test_directory import employee

LIST = "directory.v1.Directory/ListEmployees"
PHOTO = "directory.v1.Directory/Photo"
ENVIRONMENT = "portico.v1.Control/GetEnvironment"
GET_STAFF = "staff.v1.Staff/GetEmployee"
LIST_STAFF = "staff.v1.Staff/ListEmployees"
GROUP = "starwars.v1.Characters/GroupByEyeColor"
TRENDING = "television.v1.Television/Trending"

DIRECTORY = "directory/employees.json"
ASKED = CallContext(want_response_context=True)
# Every answer is fetched, and an answer past its freshness may stand in for one that cannot be.
NEVER_FRESH = {"cache.fresh": "0ms", "cache.stale": "10m"}
# No second attempt: the fault under test is the answer.
ONE_ATTEMPT = {f"upstreams.{name}.retry.attempts": "1" for name in ("starwars", "staff", "directory", "tv")}


def list_directory(client: Client, context: CallContext = ASKED):
    return client.call(LIST, ListEmployeesRequest(), ListEmployeesResponse, context=context)


def test_the_environment_is_test(troubled):
    with Client(troubled.address) as client:
        assert client.ask(ENVIRONMENT, GetEnvironmentRequest(), Environment).name.lower() == "test"


# Failures, with no earlier answer to fall back on

@pytest.mark.parametrize("status, expected", [
    (400, "FAILED_PRECONDITION"), (401, "PERMISSION_DENIED"), (403, "PERMISSION_DENIED"), (404, "NOT_FOUND"),
    (409, "FAILED_PRECONDITION"), (429, "RESOURCE_EXHAUSTED"), (500, "UNAVAILABLE"), (502, "UNAVAILABLE"),
    (503, "UNAVAILABLE"), (504, "UNAVAILABLE")])
def test_each_http_status_has_its_code(status, expected):
    with Server("test", ONE_ATTEMPT) as server, Client(server.address) as client:
        server.sandbox.fault(DIRECTORY, "fail", status=status)
        with pytest.raises(CallFailed) as failure:
            list_directory(client)
        assert failure.value.status == expected
        assert "directory" in failure.value.message


def test_a_connection_that_breaks_is_unavailable(troubled):
    troubled.sandbox.fault(DIRECTORY, "reset")
    with Client(troubled.address) as client, pytest.raises(CallFailed, match="UNAVAILABLE: .*directory"):
        list_directory(client)


@pytest.mark.parametrize("fault", ["slow", "hang"])
def test_an_upstream_that_is_too_slow_for_the_caller_exceeds_its_deadline(troubled, fault):
    details = {"delayMs": 60_000} if fault == "slow" else {}
    troubled.sandbox.fault(DIRECTORY, fault, **details)
    with Client(troubled.address) as client:
        with pytest.raises(CallFailed, match="DEADLINE_EXCEEDED: "):
            list_directory(client, CallContext(timeout_ms=300))
        assert client.ask(ENVIRONMENT, GetEnvironmentRequest(), Environment).name


def test_an_answer_in_time_is_an_answer(troubled):
    troubled.sandbox.fault(DIRECTORY, "slow", delayMs=50)
    with Client(troubled.address) as client:
        assert list_directory(client, CallContext(timeout_ms=15_000)).message.employees


def test_a_cancelled_call_leaves_the_others_alone(troubled):
    troubled.sandbox.fault(DIRECTORY, "hang")
    with Client(troubled.address) as client:
        call = client.start(LIST, ListEmployeesRequest())
        assert client.ask(ENVIRONMENT, GetEnvironmentRequest(), Environment).name
        assert call.cancel()
        troubled.sandbox.recover()
        assert list_directory(client).message.employees
        assert client.connection.errors == []


def test_a_failure_is_tried_again_before_it_is_told(troubled):
    troubled.sandbox.fault(DIRECTORY, "fail", status=503, times=1)
    with Client(troubled.address) as client:
        assert list_directory(client).message.employees
    assert troubled.sandbox.requests()[DIRECTORY] == 2


def test_a_refusal_is_not_tried_again(troubled):
    troubled.sandbox.fault(DIRECTORY, "fail", status=403)
    with Client(troubled.address) as client, pytest.raises(CallFailed):
        list_directory(client)
    assert troubled.sandbox.requests()[DIRECTORY] == 1


# Bodies that are not what they should be

def test_a_truncated_body_is_an_error_with_upstream_and_offset(troubled):
    troubled.sandbox.fault(DIRECTORY, "truncate")
    with Client(troubled.address) as client, pytest.raises(CallFailed, match=r"INTERNAL: .*directory.* byte \d+"):
        list_directory(client)


@pytest.mark.parametrize("fault, expected", [
    ("tooShort", "INTERNAL"), ("notHTTP", "INTERNAL"), ("brokenGzip", "INTERNAL"), ("redirect", "UNAVAILABLE"),
    ("redirectLoop", "UNAVAILABLE")])
def test_what_is_wrong_on_the_wire_is_an_error_that_names_the_upstream(fault, expected):
    with Server("test", ONE_ATTEMPT) as server, Client(server.address) as client:
        server.sandbox.fault(DIRECTORY, fault)
        with pytest.raises(CallFailed, match=f"{expected}: .*directory"):
            list_directory(client)
        server.sandbox.recover()
        assert list_directory(client).message.employees


def test_an_endless_body_ends_with_the_callers_patience(troubled):
    troubled.sandbox.fault(DIRECTORY, "endless")
    with Client(troubled.address) as client, pytest.raises(CallFailed, match="DEADLINE_EXCEEDED: "):
        list_directory(client, CallContext(timeout_ms=300))


def test_a_trickled_answer_is_whole(troubled):
    troubled.sandbox.fault(DIRECTORY, "trickle", bytes=1000, everyMs=1)
    with Client(troubled.address) as client:
        assert list_directory(client, CallContext(timeout_ms=15_000)).message.employees


def test_a_body_that_is_not_json_is_an_error_with_upstream_and_offset(troubled):
    troubled.sandbox.fault(DIRECTORY, "notJSON")
    with Client(troubled.address) as client, pytest.raises(CallFailed, match="INTERNAL: .*directory.* byte 0"):
        list_directory(client)


def test_a_half_read_page_is_never_part_of_a_group(troubled):
    troubled.sandbox.fault("starwars/people", "notJSON")
    with Client(troubled.address) as client, pytest.raises(CallFailed, match="INTERNAL: .*starwars"):
        client.ask(GROUP, GroupByEyeColorRequest(), EyeColorGroups)


def test_an_item_without_a_required_field_is_left_out_and_counted(troubled):
    everybody = [employee(record) for record in model.directory(troubled.sandbox.origin)]
    troubled.sandbox.fault(DIRECTORY, "malformed", key="team")
    with Client(troubled.address) as client:
        answer = list_directory(client)
    assert list(answer.message.employees) == everybody[1:]
    assert answer.context.skipped_items == 1


def test_each_kind_of_malformed_item_is_left_out_and_counted():
    with Server("test", {"upstreams.directory.baseURL": "sandbox:directory/malformed/"}) as server:
        records = model.directory(server.sandbox.origin, "employees_malformed.json")
        good = [record for record in records
                if "team" in record and isinstance(record["full_name"], str) and record["email_address"]]
        with Client(server.address) as client:
            answer = list_directory(client)
    assert list(answer.message.employees) == [employee(record) for record in good]
    assert answer.context.skipped_items == len(records) - len(good) == 3


def test_strict_decoding_fails_the_call_instead():
    settings = {"upstreams.directory.baseURL": "sandbox:directory/malformed/", "decode.mode": "strict"}
    with Server("test", settings) as server, Client(server.address) as client:
        with pytest.raises(CallFailed, match="INTERNAL: .*directory.*team"):
            list_directory(client)


@pytest.mark.parametrize("settings, fault", [
    ({"upstreams.directory.baseURL": "sandbox:directory/empty/"}, None), ({}, "empty")])
def test_an_empty_list_is_an_empty_answer(settings, fault):
    with Server("test", settings) as server, Client(server.address) as client:
        if fault:
            server.sandbox.fault(DIRECTORY, fault)
        answer = list_directory(client)
    assert list(answer.message.employees) == []
    assert answer.context.skipped_items == 0


# Earlier answers

@pytest.mark.parametrize("fault", ["fail", "reset", "notJSON", "truncate"])
def test_the_last_good_answer_stands_in_for_one_that_cannot_be_had(fault):
    with Server("test", NEVER_FRESH | ONE_ATTEMPT) as server, Client(server.address) as client:
        good = list_directory(client)
        server.sandbox.fault(DIRECTORY, fault)
        stale = list_directory(client)
    assert (good.context.source, stale.context.source) == (ResponseContext.MISS, ResponseContext.STALE)
    assert stale.message == good.message


def test_a_fresh_answer_does_not_ask_upstream_again():
    with Server("test", {"cache.fresh": "1h"}) as server, Client(server.address) as client:
        for _ in range(5):
            list_directory(client)
        assert server.sandbox.requests()[DIRECTORY] == 1


def test_past_the_known_last_page_upstream_is_not_asked(troubled):
    with Client(troubled.address) as client:
        client.ask(TRENDING, TrendingRequest(time_window=DAY), TrendingResponse)
        before = troubled.sandbox.requests()
        with pytest.raises(CallFailed, match="OUT_OF_RANGE: "):
            client.ask(TRENDING, TrendingRequest(time_window=DAY, page=4), TrendingResponse)
    # The second page may have been fetched ahead; the fourth asks nothing.
    assert troubled.sandbox.requests()["tv/trending/tv/day"] <= before["tv/trending/tv/day"] + 1


# Envelopes

REFUSING = ONE_ATTEMPT | {"upstreams.staff.baseURL": "sandbox:staff/refusing/"}


@pytest.mark.parametrize("number, text", [
    (1, "first"), (2, "second"), (3, "third"), (4, "Please check your internet connection and try again."),
    (5, "Five is no number here."), (6, "Please check your internet connection and try again.")])
def test_a_refusal_says_what_upstream_says(number, text):
    with Server("test", REFUSING) as server, Client(server.address) as client:
        with pytest.raises(CallFailed) as failure:
            client.ask(GET_STAFF, GetEmployeeRequest(id=number), Employee)
    assert text in failure.value.message


def test_a_status_other_than_success_fails_the_call_even_with_http_200():
    with Server("test", REFUSING) as server, Client(server.address) as client:
        with pytest.raises(CallFailed, match="FAILED_PRECONDITION: .*The staff is being counted."):
            client.ask(LIST_STAFF, ListStaffRequest(), ListStaffResponse)


# Images

def test_a_picture_is_kept_when_its_upstream_goes():
    name = "directory-photos/bjorn/small.jpg"
    with Server("test", {"images.fresh": "1h"}) as server, Client(server.address) as client:
        request = PhotoRequest(url=f"{server.sandbox.origin}/{name}")
        assert is_picture(client.ask(PHOTO, request, Image), model.image(name), "image/jpeg")
        server.sandbox.fault("directory-photos/*", "fail")
        assert is_picture(client.ask(PHOTO, request, Image), model.image(name), "image/jpeg")
        assert server.sandbox.requests()[name] == 1


@pytest.mark.parametrize("fault", ["fail", "truncate", "notJSON", "reset"])
def test_a_picture_that_cannot_be_had_is_the_placeholder(troubled, fault):
    troubled.sandbox.fault("directory-photos/*", fault)
    url = f"{troubled.sandbox.origin}/directory-photos/bjorn/small.jpg"
    with Client(troubled.address) as client:
        assert is_placeholder(client.ask(PHOTO, PhotoRequest(url=url), Image))
