"""Google's protobuf: json_format into messages, which live in C (upb), then encoded, as Portico's answer is."""

import sys
from pathlib import Path

from google.protobuf import json_format
from google.protobuf.internal import api_implementation

import corpora_pb2
from measure import print_decoding

if api_implementation.Type() != "upb":
    sys.exit(f"protobuf runs on {api_implementation.Type()}, not on upb")

corpus, path = sys.argv[1:]
document = Path(path).read_bytes()
message = {"directory": corpora_pb2.EmployeePage, "tmdb": corpora_pb2.ShowPage}.get(
    corpus, corpora_pb2.PeoplePage
)


def decode():
    page = json_format.Parse(document, message())
    page.SerializeToString()
    return page


def titles(page):
    if corpus == "directory":
        return [employee.full_name for employee in page.employees]
    return [item.name for item in page.results]


print_decoding(decode, titles)
