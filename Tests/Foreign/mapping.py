"""A schema of every field type, and random messages of it from a seed: for comparing Portico's JSON with Google's."""

import math
import random
import struct
import subprocess
import sys
from pathlib import Path

SCALARS = ["double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64",
           "sfixed32", "sfixed64", "bool", "string", "bytes", "Color", "All"]
KEYS = [name for name in SCALARS if name not in ("double", "float", "bytes", "Color", "All")]


def schema() -> str:
    """`mapping.v1.All`: each type alone, optional, in a list, and as a map's key or value; a oneof; names to convert."""
    fields = []
    for index, name in enumerate(SCALARS):
        field = name.lower()
        fields += [f"{name} {field}_one = {1 + index};", f"optional {name} {field}_optional = {101 + index};",
                   f"repeated {name} {field}_list = {201 + index};"]
    for index, key in enumerate(KEYS):
        value = SCALARS[(index * 3 + 1) % len(SCALARS)]
        fields.append(f"map<{key}, {value}> {key}_map = {301 + index};")
    fields.append("map<string, All> message_map = 401;")
    fields.append("oneof pick { string pick_text = 501; int32 pick_number = 502; All pick_all = 503; }")
    fields.append('string renamed = 601 [json_name = "an other"];')
    colors = "enum Color { option allow_alias = true; COLOR_UNSPECIFIED = 0; RED = 1; ROUGE = 1; NOT_GIVEN = 2; MINUS = -1; }"
    return 'syntax = "proto3";\npackage mapping.v1;\n' + colors + "\nmessage All {\n  " + "\n  ".join(fields) + "\n}\n"


def message_class(folder: Path):
    """Generates the Python message from `folder/mapping.proto`."""
    (folder / "mapping.proto").write_text(schema())
    subprocess.run(["protoc", f"--proto_path={folder}", f"--python_out={folder}", "mapping.proto"], check=True)
    sys.path.insert(0, str(folder))
    import mapping_pb2

    return mapping_pb2.All


class RandomMessages:
    """Edge values and any others, nested three deep."""

    def __init__(self, message_class, seed: int):
        self.message_class = message_class
        self.random = random.Random(seed)

    def next(self):
        message = self.message_class()
        self.fill(message, 0)
        return message

    def fill(self, message, depth: int):
        for _ in range(self.random.randint(0, 20 if depth == 0 else 5)):
            field = self.random.choice(message.DESCRIPTOR.fields)
            if field.message_type is not None and field.message_type.GetOptions().map_entry:
                self.fill_map(getattr(message, field.name), field, depth)
            elif field.label == field.LABEL_REPEATED:
                for _ in range(self.random.randint(0, 3)):
                    if field.type != field.TYPE_MESSAGE:
                        getattr(message, field.name).append(self.value(field))
                    elif depth < 3:
                        self.fill(getattr(message, field.name).add(), depth + 1)
            elif field.type != field.TYPE_MESSAGE:
                setattr(message, field.name, self.value(field))
            elif depth < 3:
                getattr(message, field.name).SetInParent()
                self.fill(getattr(message, field.name), depth + 1)

    def fill_map(self, entries, field, depth: int):
        key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
        for _ in range(self.random.randint(0, 3)):
            if value.type != value.TYPE_MESSAGE:
                entries[self.value(key)] = self.value(value)
            elif depth < 3:
                self.fill(entries[self.value(key)], depth + 1)

    def value(self, field):
        kind = field.cpp_type
        if kind == field.CPPTYPE_DOUBLE:
            return self.double()
        if kind == field.CPPTYPE_FLOAT:
            return struct.unpack("f", struct.pack("I", self.random.getrandbits(32)))[0]
        if kind == field.CPPTYPE_BOOL:
            return self.random.random() < 0.5
        if kind == field.CPPTYPE_ENUM:
            return self.random.choice([0, 1, 2, -1, 7])
        if kind == field.CPPTYPE_STRING:
            if field.type == field.TYPE_BYTES:
                return self.random.randbytes(self.random.choice([0, 1, 2, 3, 20]))
            letters = ["a", "Z", '"', "\\", "/", "\n", "\0", "\x7f", "é", "€", "😀", "\u2028"]
            return "".join(self.random.choices(letters, k=self.random.choice([0, 1, 3, 8, 9, 60, 130])))
        bits = 64 if kind in (field.CPPTYPE_INT64, field.CPPTYPE_UINT64) else 32
        is_signed = kind in (field.CPPTYPE_INT32, field.CPPTYPE_INT64)
        return self.integer(*((-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)))

    def integer(self, low: int, high: int) -> int:
        near = self.random.randint(max(low, -100), min(high, 100))
        return self.random.choice([low, high, 0, near, self.random.randint(low, high)])

    def double(self) -> float:
        edges = [0.0, -0.0, math.inf, -math.inf, math.nan, 0.1, 1e22, 1e23, 5e-324, 1.5]
        any_bits = struct.unpack("d", struct.pack("Q", self.random.getrandbits(64)))[0]
        return self.random.choice([self.random.choice(edges), self.random.randint(-(10**6), 10**6) / 1000, any_bits])
