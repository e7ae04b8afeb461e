"""Portico and Google's protobuf read each other's JSON: thousands of random messages, every field type, both ways."""

import json
import subprocess

import pytest
from google.protobuf import json_format
from google.protobuf.internal.decoder import _DecodeVarint32
from google.protobuf.internal.encoder import _VarintBytes
from mapping import RandomMessages, message_class
from server import BINARY

COUNT = 3000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mapping")


@pytest.fixture(scope="module")
def messages(folder):
    random_messages = RandomMessages(message_class(folder), seed=4711)
    return [random_messages.next() for _ in range(COUNT)]


def convert(folder, source: str, target: str, data: bytes) -> bytes:
    command = [BINARY, "convert", "--message", "mapping.v1.All", "--from", source, "--to", target, "--schemas", str(folder)]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def delimited(messages) -> bytes:
    encoded = [message.SerializeToString() for message in messages]
    return b"".join(_VarintBytes(len(message)) + message for message in encoded)


def parsed(message_class, data: bytes) -> list:
    messages, offset = [], 0
    while offset < len(data):
        length, offset = _DecodeVarint32(data, offset)
        messages.append(message_class.FromString(data[offset : offset + length]))
        offset += length
    return messages


def comparable(message):
    """What a message says: NaN equals NaN, and the order of a map's entries is nobody's business."""
    return json.dumps(json_format.MessageToDict(message), sort_keys=True)


def assert_same(found: list, expected: list):
    assert len(found) == len(expected)
    for index, (one, other) in enumerate(zip(found, expected)):
        assert comparable(one) == comparable(other), f"message {index}"


def test_google_reads_what_portico_writes(folder, messages):
    lines = convert(folder, "delimited", "ndjson", delimited(messages)).decode().split("\n")
    assert_same([json_format.Parse(line, type(messages[0])()) for line in lines if line], messages)


@pytest.mark.parametrize("options", [
    {},
    {"preserving_proto_field_name": True, "use_integers_for_enums": True, "including_default_value_fields": True},
])
@pytest.mark.parametrize("ensure_ascii", [False, True])
def test_portico_reads_what_google_writes(folder, messages, options, ensure_ascii):
    lines = [
        json.dumps(json_format.MessageToDict(message, **options), ensure_ascii=ensure_ascii) for message in messages
    ]
    records = convert(folder, "ndjson", "delimited", "\n".join(lines).encode())
    assert_same(parsed(type(messages[0]), records), messages)
