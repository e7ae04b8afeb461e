"""SERVICES.md §4: television.v1.Television."""

import model
import pytest
from client import CallFailed
from pictures import is_picture, is_placeholder
from portico.v1.image_pb2 import Image
from television.v1.television_pb2 import DAY, WEEK, PosterRequest, Show, TrendingRequest, TrendingResponse

TRENDING = "television.v1.Television/Trending"
POSTER = "television.v1.Television/Poster"
WINDOWS = {DAY: "day", WEEK: "week"}


def show(record: dict) -> Show:
    return Show(**{name: value for name, value in record.items() if value is not None})


@pytest.fixture(scope="session", params=WINDOWS, ids=WINDOWS.values())
def window(request) -> int:
    return request.param


@pytest.fixture(scope="session")
def shows(window) -> list[Show]:
    return [show(record) for record in model.shows(WINDOWS[window])]


@pytest.mark.parametrize("page", [1, 2, 3])
def test_each_page_has_its_shows(client, window, shows, page):
    answer = client.ask(TRENDING, TrendingRequest(time_window=window, page=page), TrendingResponse)
    assert answer == TrendingResponse(
        page=page, total_pages=3, total_results=45, shows=model.pages(shows, model.SHOWS_PER_PAGE)[page - 1])


def test_no_page_given_is_the_first_page(client, window, shows):
    answer = client.ask(TRENDING, TrendingRequest(time_window=window), TrendingResponse)
    assert (answer.page, list(answer.shows)) == (1, shows[:20])


@pytest.mark.parametrize("page", [4, 5, 1000])
def test_past_the_last_page_is_out_of_range(client, window, page):
    client.ask(TRENDING, TrendingRequest(time_window=window), TrendingResponse)
    with pytest.raises(CallFailed, match="OUT_OF_RANGE: "):
        client.ask(TRENDING, TrendingRequest(time_window=window, page=page), TrendingResponse)


@pytest.mark.parametrize("width", [92, 154, 185, 342, 500])
def test_a_poster_comes_in_each_width(client, width):
    poster = client.ask(POSTER, PosterRequest(width=width, poster_path="/dark.jpg"), Image)
    assert is_picture(poster, model.image("tv-images/dark.jpg"), "image/jpeg")


def test_each_show_with_a_poster_path_has_its_poster(client, shows):
    for path in [each.poster_path for each in shows if each.HasField("poster_path")]:
        poster = client.ask(POSTER, PosterRequest(width=185, poster_path=path), Image)
        assert is_picture(poster, model.image(f"tv-images{path}"), "image/jpeg")


@pytest.mark.parametrize("path", ["/not-an-image.png", "/truncated.png", "/nobody-drew-this.jpg"])
def test_what_is_not_a_whole_picture_is_the_placeholder(client, path):
    assert is_placeholder(client.ask(POSTER, PosterRequest(width=185, poster_path=path), Image))
