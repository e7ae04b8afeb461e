"""What the answers must be, computed from the sandbox's data in plain Python, without a look at the server's code."""

import json

from messages import ROOT

SANDBOX = ROOT / "Environments" / "Sandbox"
PEOPLE_PER_PAGE = 10
SHOWS_PER_PAGE = 20


def people(origin: str) -> list[dict]:
    """The people as swapi writes them: other resources by URL instead of by number."""
    def url(kind: str, number: int) -> str:
        return f"{origin}/starwars/{kind}/{number}/"

    def written(record: dict) -> dict:
        number = record.pop("id")
        lists = {kind: [url(kind, each) for each in record[kind]]
                 for kind in ("films", "species", "vehicles", "starships")}
        stamp = "2026-05-04T00:00:00Z"
        return record | lists | {"homeworld": url("planets", record["homeworld"]), "url": url("people", number),
                                 "created": stamp, "edited": stamp}

    return [written(record) for record in load("starwars/people.json")]


def planets() -> dict[int, str]:
    """Names by number."""
    return {record["id"]: record["name"] for record in load("starwars/planets.json")}


def staff(origin: str) -> list[dict]:
    return load("staff/employees.json", origin)


def directory(origin: str, name: str = "employees.json") -> list[dict]:
    return load(f"directory/{name}", origin)


def shows(window: str) -> list[dict]:
    """Those of one window, without the sandbox's own mark."""
    return [{name: value for name, value in record.items() if name != "window"}
            for record in load("tv/shows.json") if window in record["window"]]


def image(name: str) -> bytes:
    return (SANDBOX / name).read_bytes()


def load(name: str, origin: str = ""):
    """A data file of the sandbox, its `{{origin}}` filled in."""
    return json.loads((SANDBOX / name).read_text().replace("{{origin}}", origin))


def pages(items: list, size: int) -> list[list]:
    return [items[start:start + size] for start in range(0, len(items), size)]


def group(records: list, key) -> list[tuple]:
    """Records by the value of `key(record)`: groups in the order of their keys, members in the order of the list."""
    return [(value, [record for record in records if key(record) == value])
            for value in sorted({key(record) for record in records})]
