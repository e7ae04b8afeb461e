"""One Development server for all tests that only read, one Test server for those that make upstreams fail."""

import messages

# Before any test module imports a generated message.
GENERATED = messages.generate()

import pytest
from client import Client
from server import Server


@pytest.fixture(scope="session")
def development():
    with Server("development") as server:
        yield server


@pytest.fixture(scope="session")
def origin(development) -> str:
    """Where the sandbox's upstreams are, as they write it into their own answers."""
    return development.sandbox.origin


@pytest.fixture
def client(development):
    with Client(development.address) as client:
        yield client


@pytest.fixture
def troubled():
    """A Test server of the test's own: what it makes the sandbox do, and what is cached, ends with it."""
    with Server("test") as server:
        yield server
