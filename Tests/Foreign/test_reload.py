"""A running server takes changed files at SIGHUP: connections and calls in flight live on, a bad file changes nothing."""

import shutil
import signal
import subprocess
import time

import pytest
from client import Client
from messages import ROOT
from portico.v1.control_pb2 import Flags, GetFlagsRequest
from server import BINARY, Server

FLAGS = "portico.v1.Control/GetFlags"
# For a broken server only: waiting ends as soon as the reload shows.
RELOAD_SECONDS = 30


@pytest.fixture
def environments(tmp_path):
    """A copy of the environment files that a test may change."""
    return shutil.copytree(ROOT / "Environments", tmp_path / "Environments")


@pytest.fixture
def server(environments):
    with Server("development", options=["--environments", str(environments)]) as running:
        yield running


def edit(environments, old: str, new: str) -> None:
    """Replaces the file by renaming a new one over it, as editors do."""
    path = environments / "Development.json"
    text = path.read_text()
    assert old in text
    changed = path.with_suffix(".new")
    changed.write_text(text.replace(old, new))
    changed.rename(path)


def reload(server, has_happened) -> dict:
    """Sends SIGHUP and asks the operator's address until it shows."""
    server.process.send_signal(signal.SIGHUP)
    deadline = time.monotonic() + RELOAD_SECONDS
    while time.monotonic() < deadline:
        status = server.status()
        if has_happened(status):
            return status
    raise AssertionError(f"no reload within {RELOAD_SECONDS} s: {status}")


def is_on(client, name: str) -> bool:
    flag, = client.ask(FLAGS, GetFlagsRequest(names=[name]), Flags).flags
    return flag.bool_value


def test_a_changed_flag_reaches_a_client_that_is_connected(environments, server):
    with Client(server.address) as client:
        assert is_on(client, "show-posters")
        edit(environments, '"defaultVariant": "on"', '"defaultVariant": "off"')
        reload(server, lambda status: status["generation"] == 2)
        assert not is_on(client, "show-posters")


def test_the_command_reloads_by_a_unix_domain_socket(environments, server):
    edit(environments, '"fresh": "10s"', '"fresh": "11s"')
    command = [BINARY, "reload", "--to", f"unix:{server.operator}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=RELOAD_SECONDS)
    assert (done.returncode, done.stdout) == (0, "portico: generation 2 runs\n  cache.fresh: 10s → 11s\n")


def test_a_bad_file_changes_nothing_and_is_shown(environments, server):
    with Client(server.address) as client:
        edit(environments, '"fresh": "10s"', '"fresch": "10s"')
        status = reload(server, lambda status: status["failedReload"])
        assert "did you mean" in str(status["failedReload"])
        assert status["generation"] == 1
        assert is_on(client, "show-posters")
        edit(environments, '"fresch": "10s"', '"fresh": "11s"')
        assert reload(server, lambda status: status["generation"] == 2)["failedReload"] is None
