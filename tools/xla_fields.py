#!/usr/bin/env python3
"""Compares pjrt/proto/options.def and pjrt/proto/debug_options.def with the messages that a jaxlib was built with.

Usage: xla_fields.py [--write] LIBRARY [source root]. LIBRARY is jaxlib's libjax_common.so, which has the descriptors of its
messages inside. Prints each field that one side has and the other has not, or has otherwise, and exits with 1 when there is
one. With --write the rows of debug_options.def are written anew; a name keeps its group, and a new one gets the group TODO,
which does not compile.
"""
import mmap
import pathlib
import re
import sys

# Of google.protobuf.FieldDescriptorProto.Type, by number; what is not here is not used.
KINDS = {2: "FLOAT", 3: "INT64", 4: "UINT64", 5: "INT32", 8: "BOOL", 9: "STRING", 11: "MESSAGE", 12: "BYTES", 13: "UINT32",
         14: "ENUM"}
REPEATED = 3
FILES = ("xla/pjrt/proto/compile_options.proto", "xla/xla.proto", "tsl/profiler/protobuf/profiler_options.proto")
MESSAGES = ("CompileOptionsProto", "ExecutableBuildOptionsProto", "ProfileOptions")
FIELD = re.compile(r'^FIELD\((\w+), (\d+), (\w+), (\w+),\s*"', re.M)
OPTION = re.compile(r"^OPTION\((\d+), (\w+), (\w+), (\w+), (\w+)\)$", re.M)
VALUE = re.compile(r"^VALUE\((\w+), (\w+), (\d+)\)$", re.M)


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data, start=0, end=None):
    """(number, value) of each field of a message, until something that is none: numbers, or bytes."""
    at, end = start, len(data) if end is None else end
    while at < end:
        tag, after = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, after)
        elif tag & 7 == 2:
            size, after = varint(data, after)
            value, at = data[after : after + size], after + size
        else:
            return
        yield tag >> 3, value


def first(message, number, fallback=b""):
    return next((value for n, value in fields(message) if n == number), fallback)


def file_messages(library, name):
    """The bytes of the messages that a file describes, by name. Its descriptor begins with its name."""
    head = b"\x0a" + bytes([len(name)]) + name.encode() + b"\x12"
    start = library.find(head)
    if start < 0:
        raise SystemExit(f"the library does not describe {name}")
    found, last = {}, 0
    for number, value in fields(library, start, len(library)):
        if number < last or number > 12 or isinstance(value, int):
            break  # the fields of the descriptor are in order
        last = number
        if number == 4:
            found[first(value, 1).decode()] = value
    return found


def described(message):
    """(number, name, kind, name of its type) of each field. A list's kind has an S behind it."""
    rows = []
    for number, field in fields(message):
        if number == 2:
            kind = KINDS[first(field, 5, 0)] + ("S" if first(field, 4, 0) == REPEATED else "")
            rows.append((first(field, 3, 0), first(field, 1).decode(), kind, first(field, 6).decode().split(".")[-1]))
    return sorted(rows)


def enumerators(message):
    """(name of the enum, name, number) of each value of the enums that a message has inside."""
    return [(first(enum, 1).decode(), first(value, 1).decode(), first(value, 2, 0))
            for number, enum in fields(message) if number == 4 for n, value in fields(enum) if n == 2]


def debug_rows(message):
    """What debug_options.def has to say, groups apart: the options, and the values of the enums that they use."""
    options = [(number, name, kind, of if kind.startswith("ENUM") else "none")
               for number, name, kind, of in described(message)]
    used = {of for _, _, _, of in options}
    return options, sorted(row for row in enumerators(message) if row[0] in used)


def write(path, options, values):
    text = path.read_text()
    groups = {name: group for _, name, _, _, group in OPTION.findall(text)}
    head = text[: text.index("\nOPTION(")] if "\nOPTION(" in text else text.rstrip("\n")
    lines = [f"OPTION({number}, {name}, {kind}, {of}, {groups.get(name, 'TODO')})" for number, name, kind, of in options]
    lines += [f"VALUE({enum}, {name}, {number})" for enum, name, number in values]
    path.write_text("\n".join([head, *lines, "#undef GROUP", "#undef OPTION", "#undef VALUE", ""]))


def differences(what, ours, theirs):
    for row in sorted(set(theirs) - set(ours)):
        yield f"{what}: not here: {' '.join(map(str, row))}"
    for row in sorted(set(ours) - set(theirs)):
        yield f"{what}: not in the library: {' '.join(map(str, row))}"


def compare(root, messages):
    fields_text, debug_text = ((root / "pjrt/proto" / name).read_text() for name in ("options.def", "debug_options.def"))
    for message in MESSAGES:
        ours = [(int(number), name) for of, number, name, _ in FIELD.findall(fields_text) if of == message]
        yield from differences(message, ours, [(number, name) for number, name, _, _ in described(messages[message])])
    options, values = debug_rows(messages["DebugOptions"])
    ours = [(int(number), name, kind, of) for number, name, kind, of, _ in OPTION.findall(debug_text)]
    yield from differences("DebugOptions", ours, options)
    ours = [(enum, name, int(number)) for enum, name, number in VALUE.findall(debug_text)]
    yield from differences("values of DebugOptions", ours, values)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    if not arguments:
        raise SystemExit(__doc__)
    root = pathlib.Path(arguments[1] if len(arguments) > 1 else ".").resolve()
    with open(arguments[0], "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as library:
        messages = {name: value for file in FILES for name, value in file_messages(library, file).items()}
    if "--write" in sys.argv:
        write(root / "pjrt/proto/debug_options.def", *debug_rows(messages["DebugOptions"]))
    found = list(compare(root, messages))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
