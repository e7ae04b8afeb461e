"""home.v1.Home: several services in one answer, whole and in part."""

import shutil

import model
import pytest
from client import CallFailed, Client
from directory.v1.directory_pb2 import GroupByTeamRequest, GroupByTeamResponse, Team
from google.protobuf.message import Message
from home.v1.home_pb2 import ScreenRequest, ScreenResponse
from messages import SCHEMAS
from portico.v1.context_pb2 import CallContext, ResponseContext
from portico.v1.source_status_pb2 import SourceStatus
from second import SecondClient
from server import Server
from starwars.v1.characters_pb2 import EyeColorGroups, EyeColorSegment, GroupByEyeColorRequest
from television.v1.television_pb2 import DAY, WEEK, TrendingRequest, TrendingResponse
from test_characters import person
from test_directory import employee
from test_television import show

SCREEN = "home.v1.Home/Screen"
EYE_COLORS = "starwars.v1.Characters/GroupByEyeColor"
TEAMS = "directory.v1.Directory/GroupByTeam"
TRENDING = "television.v1.Television/Trending"

PATHS = {"characters": "starwars/people*", "teams": "directory/employees.json", "shows": "tv/trending*"}
ASKED = CallContext(want_response_context=True)
# No second attempt: a failed part is told of at once.
ONE_ATTEMPT = {f"upstreams.{name}.retry.attempts": "1" for name in ("starwars", "directory", "tv")}


def expected(origin: str, window: str = "day") -> ScreenResponse:
    people = [person(record) for record in model.people(origin)]
    employees = [employee(record) for record in model.directory(origin)]
    shows = [show(record) for record in model.shows(window)]
    return ScreenResponse(
        characters=EyeColorGroups(segments=[
            EyeColorSegment(eye_color=color, count=len(members), label=f"{color} ({len(members)})", people=members)
            for color, members in model.group(people, lambda each: each.eye_color)]),
        teams=GroupByTeamResponse(teams=[
            Team(name=name, count=len(members), employees=members)
            for name, members in model.group(employees, lambda each: each.team)]),
        shows=TrendingResponse(
            page=1, total_results=len(shows), total_pages=len(model.pages(shows, model.SHOWS_PER_PAGE)),
            shows=shows[:model.SHOWS_PER_PAGE]),
        sources=[SourceStatus(name=name, ok=True) for name in PATHS])


def screen(client: Client, context: CallContext = ASKED):
    return client.call(SCREEN, ScreenRequest(time_window=DAY), ScreenResponse, context=context)


def status(answer: ScreenResponse, name: str) -> SourceStatus:
    return next(each for each in answer.sources if each.name == name)


def ageless(answer: ScreenResponse) -> ScreenResponse:
    """Without what a part tells when it comes from a server that has run longer than the part is fresh."""
    for each in answer.sources:
        each.ClearField("stale")
        each.ClearField("age_ms")
    return answer


@pytest.fixture
def hasty():
    with Server("test", ONE_ATTEMPT) as server:
        yield server


@pytest.mark.parametrize("window, name", [(DAY, "day"), (WEEK, "week")])
def test_all_parts_come_in_one_answer(client, origin, window, name):
    request = ScreenRequest(time_window=window)
    assert ageless(client.ask(SCREEN, request, ScreenResponse)) == expected(origin, name)


def test_each_part_is_what_its_method_answers(client):
    def ask(route: str, request: Message, answer: type[Message]) -> Message:
        return client.ask(route, request, answer)

    answer = screen(client).message
    assert answer.characters == ask(EYE_COLORS, GroupByEyeColorRequest(), EyeColorGroups)
    assert answer.teams == ask(TEAMS, GroupByTeamRequest(), GroupByTeamResponse)
    assert answer.shows == ask(TRENDING, TrendingRequest(time_window=DAY), TrendingResponse)


def test_a_second_library_gets_the_same(development, client, origin):
    with SecondClient(development.address) as second:
        answer = second.call(SCREEN, ScreenRequest(time_window=DAY), ScreenResponse)
        assert ageless(answer) == expected(origin)


def test_parts_share_the_answers_of_their_methods():
    with Server("test", {"cache.fresh": "10m"}) as server, Client(server.address) as client:
        client.ask(TEAMS, GroupByTeamRequest(), GroupByTeamResponse)
        assert screen(client).context.source == ResponseContext.MISS
        assert screen(client).context.source == ResponseContext.HIT
        assert server.sandbox.requests()["directory/employees.json"] == 1


@pytest.mark.parametrize("down", PATHS)
def test_a_part_that_is_down_is_absent_and_says_why(hasty, down):
    hasty.sandbox.fault(PATHS[down], "fail", status=503)
    with Client(hasty.address) as client:
        answer = screen(client).message
        assert {name: answer.HasField(name) for name in PATHS} == {name: name != down for name in PATHS}
        failed = status(answer, down)
        assert (failed.ok, failed.code) == (False, "UNAVAILABLE") and failed.message
        assert [each.name for each in answer.sources if each.ok] == [name for name in PATHS if name != down]
        hasty.sandbox.recover()
        assert screen(client).message == expected(hasty.sandbox.origin)


def test_a_request_that_one_part_cannot_take_leaves_the_others(client):
    answer = client.ask(SCREEN, ScreenRequest(), ScreenResponse)
    assert status(answer, "shows").code == "INVALID_ARGUMENT"
    assert answer.HasField("characters") and answer.HasField("teams") and not answer.HasField("shows")


def test_with_everything_down_the_call_fails_with_all_reasons(hasty):
    for path in PATHS.values():
        hasty.sandbox.fault(path, "fail", status=503)
    with Client(hasty.address) as client, pytest.raises(CallFailed, match="UNAVAILABLE: ") as failure:
        screen(client)
    assert all(f"{name}: " in failure.value.message for name in PATHS)


def test_a_required_part_that_is_down_is_named(tmp_path):
    shutil.copytree(SCHEMAS, tmp_path / "schemas")
    file = tmp_path / "schemas" / "home" / "v1" / "home.proto"
    file.write_text(file.read_text().replace('GroupByTeam"', 'GroupByTeam" required: true'))
    options = ["--schemas", str(tmp_path / "schemas")]
    with Server("test", ONE_ATTEMPT, options) as server, Client(server.address) as client:
        server.sandbox.fault(PATHS["shows"], "fail", status=503)
        assert screen(client).message.HasField("teams")
        server.sandbox.recover()
    with Server("test", ONE_ATTEMPT, options) as server, Client(server.address) as client:
        server.sandbox.fault(PATHS["teams"], "fail", status=503)
        with pytest.raises(CallFailed, match='UNAVAILABLE: .*part "teams"'):
            screen(client)


def test_a_part_that_is_too_slow_is_left_out_in_time(hasty):
    hasty.sandbox.fault(PATHS["teams"], "hang")
    with Client(hasty.address) as client:
        client.ask(EYE_COLORS, GroupByEyeColorRequest(), EyeColorGroups)
        client.ask(TRENDING, TrendingRequest(time_window=DAY), TrendingResponse)
        answer = screen(client, CallContext(timeout_ms=2000)).message
        assert status(answer, "teams").code == "DEADLINE_EXCEEDED"
        assert answer.HasField("characters") and answer.HasField("shows")


def test_a_stale_part_tells_its_age_and_makes_the_whole_stale():
    method = f"cache.methods.{TEAMS}"
    settings = ONE_ATTEMPT | {"cache.fresh": "10m", f"{method}.fresh": "0ms", f"{method}.stale": "10m"}
    with Server("test", settings) as server, Client(server.address) as client:
        screen(client)
        server.sandbox.fault(PATHS["teams"], "fail", status=503)
        answer = screen(client)
        assert answer.context.source == ResponseContext.STALE
        assert status(answer.message, "teams").ok and status(answer.message, "teams").stale
        assert not status(answer.message, "shows").stale and status(answer.message, "shows").age_ms == 0


def test_a_part_that_a_flag_switches_off_says_so():
    settings = {"flags.group-by-team.defaultVariant": "off", f"methods.{TEAMS}.enabledBy": "group-by-team"}
    with Server("test", settings) as server, Client(server.address) as client:
        for _ in range(2):
            answer = screen(client).message
            assert status(answer, "teams").code == "UNIMPLEMENTED" and not answer.HasField("teams")
            assert answer.HasField("characters")
