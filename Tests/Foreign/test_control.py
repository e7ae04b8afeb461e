"""SERVICES.md §5: portico.v1.Control."""

import shutil
import subprocess

import pytest
from client import Client
from google.protobuf import descriptor_pb2
from messages import ROOT, SCHEMAS
from portico.v1.context_pb2 import CallContext, Hello
from portico.v1.control_pb2 import (
    Environment, Flags, GetEnvironmentRequest, GetFlagsRequest, GetSchemaRequest, ListMethodsRequest, MethodList,
    SchemaFiles)
from server import Server

ENVIRONMENT = "portico.v1.Control/GetEnvironment"
FLAGS = "portico.v1.Control/GetFlags"
METHODS = "portico.v1.Control/ListMethods"
SCHEMA = "portico.v1.Control/GetSchema"


@pytest.fixture(scope="module")
def schema(tmp_path_factory) -> list[descriptor_pb2.FileDescriptorProto]:
    """The schemas as protoc reads them."""
    output = tmp_path_factory.mktemp("schema") / "files"
    files = sorted(str(path) for path in SCHEMAS.rglob("*.proto"))
    subprocess.run(["protoc", f"--proto_path={SCHEMAS}", f"--descriptor_set_out={output}", *files], check=True)
    return list(descriptor_pb2.FileDescriptorSet.FromString(output.read_bytes()).file)


def test_the_environment_has_a_name_and_a_version(client):
    environment = client.ask(ENVIRONMENT, GetEnvironmentRequest(), Environment)
    assert environment.name.lower() == "development"
    assert environment.version


def test_each_flag_comes_with_its_value_and_the_reason_for_it(client):
    flags = client.ask(FLAGS, GetFlagsRequest(), Flags).flags
    assert flags
    for flag in flags:
        assert flag.WhichOneof("value") and flag.variant and flag.reason


def test_flags_are_chosen_by_name(client):
    everything = client.ask(FLAGS, GetFlagsRequest(), Flags).flags
    for flag in everything:
        assert list(client.ask(FLAGS, GetFlagsRequest(names=[flag.name]), Flags).flags) == [flag]


def test_a_flag_that_nobody_defined_has_no_value(client):
    flags = client.ask(FLAGS, GetFlagsRequest(names=["no-such-flag"]), Flags).flags
    assert [(flag.name, flag.WhichOneof("value"), flag.reason) for flag in flags] == [("no-such-flag", None, "ERROR")]


def test_a_call_may_speak_of_another_locale_than_its_client(tmp_path):
    environments = shutil.copytree(ROOT / "Environments", tmp_path / "Environments")
    path = environments / "Development.json"
    text = path.read_text()
    by_platform = '{ "in": [{ "var": "platform" }, ["android", "ios"]] }'
    assert by_platform in text
    path.write_text(text.replace(by_platform, '{ "starts_with": [{ "var": "locale" }, "de"] }'))
    request = GetFlagsRequest(names=["poster-width"])
    with Server("development", options=["--environments", str(environments)]) as server:
        with Client(server.address, hello=Hello(client_id="l", locale="de-CH")) as client:
            variants = [
                client.call(FLAGS, request, Flags, context=context).message.flags[0].variant
                for context in (CallContext(), CallContext(locale="fr-CH"), CallContext(locale="de-AT"))]
    assert variants == ["small", "large", "small"]


def test_every_method_of_every_service_is_listed(client, schema):
    expected = {
        (f"{file.package}.{service.name}/{method.name}", method.input_type[1:], method.output_type[1:])
        for file in schema for service in file.service for method in service.method}
    methods = client.ask(METHODS, ListMethodsRequest(), MethodList).methods
    assert {(method.route, method.input, method.output) for method in methods} == expected
    assert all(method.documentation for method in methods)


def test_the_schema_is_the_one_that_protoc_reads(client, schema):
    answer = client.ask(SCHEMA, GetSchemaRequest(), SchemaFiles)
    files = descriptor_pb2.FileDescriptorSet.FromString(answer.file_descriptor_set).file
    served = {file.name: file for file in files}
    for expected in schema:
        file = served[expected.name]
        file.ClearField("source_code_info")
        assert file == expected


def test_dependencies_come_first(client):
    answer = client.ask(SCHEMA, GetSchemaRequest(), SchemaFiles)
    seen = set()
    for file in descriptor_pb2.FileDescriptorSet.FromString(answer.file_descriptor_set).file:
        assert seen.issuperset(file.dependency)
        seen.add(file.name)
