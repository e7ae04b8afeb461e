"""msgspec, typed: JSON into structs of known fields."""

import sys
from pathlib import Path

import msgspec

from measure import print_decoding


class Person(msgspec.Struct):
    name: str
    height: str
    mass: str
    hair_color: str
    skin_color: str
    eye_color: str
    birth_year: str
    gender: str
    homeworld: str
    films: list[str]
    species: list[str]
    vehicles: list[str]
    starships: list[str]
    created: str
    edited: str
    url: str


class PeoplePage(msgspec.Struct):
    count: int
    results: list[Person]
    next: str | None = None
    previous: str | None = None


class Employee(msgspec.Struct):
    uuid: str
    full_name: str
    email_address: str
    team: str
    employee_type: str
    phone_number: str | None = None
    biography: str | None = None
    photo_url_small: str | None = None
    photo_url_large: str | None = None


class EmployeePage(msgspec.Struct):
    employees: list[Employee]


class Show(msgspec.Struct):
    adult: bool
    id: int
    name: str
    original_language: str
    original_name: str
    overview: str
    media_type: str
    genre_ids: list[int]
    popularity: float
    first_air_date: str
    vote_average: float
    vote_count: int
    origin_country: list[str]
    backdrop_path: str | None = None
    poster_path: str | None = None


class ShowPage(msgspec.Struct):
    page: int
    results: list[Show]
    total_pages: int
    total_results: int


corpus, path = sys.argv[1:]
document = Path(path).read_bytes()
page = {"directory": EmployeePage, "tmdb": ShowPage}.get(corpus, PeoplePage)
decoder = msgspec.json.Decoder(page)


def titles(page):
    if corpus == "directory":
        return [employee.full_name for employee in page.employees]
    return [item.name for item in page.results]


print_decoding(lambda: decoder.decode(document), titles)
