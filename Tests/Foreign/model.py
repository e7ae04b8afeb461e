"""What the answers must be, computed from the sandbox's data in plain Python, without a look at the server's code."""

import json

from messages import ROOT

SANDBOX = ROOT / "Environments" / "Sandbox"
PEOPLE_PER_PAGE = 10
SHOWS_PER_PAGE = 20


def load(name: str, origin: str):
    """A file of the sandbox, its `{{origin}}` filled in."""
    return json.loads((SANDBOX / name).read_text().replace("{{origin}}", origin))


def pages(items: list, size: int) -> list[list]:
    return [items[start:start + size] for start in range(0, len(items), size)]


def group(records: list, key) -> list[tuple]:
    """Records by the value of `key(record)`: groups in the order of their keys, members in the order of the list."""
    return [(value, [record for record in records if key(record) == value])
            for value in sorted({key(record) for record in records})]


def image(name: str) -> bytes:
    return (SANDBOX / name).read_bytes()
