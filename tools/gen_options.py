#!/usr/bin/env python3
"""Writes docs/options.md from pjrt/proto/options.def, pjrt/proto/debug_options.def and pjrt/objects/create_options.def.

Usage: gen_options.py [--check] [source root]. First the tables are compared with what they are about: options.proto has
the same fields under the same numbers, extensions.proto those of profiles that are honoured, pjrt/abi/abi_types.h the same members in the same order, and the code reads what is
honoured and no field of a message that means nothing. With --check nothing is written; a page that differs prints the first
difference and exits with 1.
"""
import pathlib
import re
import sys
import textwrap

TEXT = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
FIELD = re.compile(rf"^FIELD\((\w+), (\d+), (\w+), (\w+),\s*{TEXT}\)$", re.M)
GROUP = re.compile(rf"^GROUP\((\w+), (\w+),\s*{TEXT}\)$", re.M)
OPTION = re.compile(r"^OPTION\((\d+), (\w+), (\w+), (\w+), (\w+)\)$", re.M)
CREATE = re.compile(rf"^CREATE_OPTION\((\w+), (\w+),\s*{TEXT}\)$", re.M)
PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"')
FATES = {"HONOURED": "honoured", "REFUSED": "refused", "NOTHING": "nothing here"}
OVERRIDE_READERS = ["pjrt/objects/compile.c", "pjrt/objects/dump.c"]
# Where the fields of each are read; the protos' by protobuf-c's names, where the count of a list has n_ before it.
READERS = {
    "CompileOptionsProto": ["pjrt/proto/options.c"],
    "ExecutableBuildOptionsProto": ["pjrt/proto/options.c"],
    "PJRT_ExecuteOptions": ["pjrt/calls/execute.c", "pjrt/calls/launch.c"],
    "PJRT_LoadOptions": ["pjrt/objects/serialize.c"],
    "ProfileOptions": ["pjrt/proto/extensions.c"],
}
# Of these messages the proto declares what is honoured; tools/xla_fields.py compares all fields with jaxlib's.
DECLARED = {"ProfileOptions": "pjrt/proto/extensions.proto"}

HEAD = """# Options

Made by `tools/gen_options.py` from `pjrt/proto/options.def`, `pjrt/proto/debug_options.def` and
`pjrt/objects/create_options.def`; tests compare it, the tables with the headers, with the code and with jaxlib's own
messages, and what each option does with what is said of it (`tests/pjrt_walk/test_options.c`, `tests/jax/test_options.py`).

Every option that a host can give is here, with one of three fates. *Honoured*: it does what it says. *Refused*: UNIMPLEMENTED,
with its name and its value, when it is set to something; in XLA's messages zero, empty and absent are the same.
*Nothing here*: any value will do, for the reason given.

Not here are fields with numbers that `pjrt/proto/options.proto` does not have, which hosts newer than jaxlib 0.10.2 may send.
They are passed over: XLA reads its messages in that way, so that a new field alone does not keep a host from
compiling.
"""


def text_of(pieces):
    return "".join(PIECE.findall(pieces)).replace("\\", "")


def proto_fields(text, message):
    body = re.search(rf"^message {message} \{{\n(.*?)^\}}", text, re.M | re.S).group(1)
    return sorted((int(number), name) for name, number in re.findall(r"^\s*(?:repeated )?\w+ (\w+) = (\d+);", body, re.M))


def header_members(text, struct):
    body = re.search(rf"^typedef struct {struct} \{{\n(.*?)^\}}", text, re.M | re.S).group(1)
    return list(enumerate(re.findall(r"(\w+);", body)))


def check_read(root, rows):
    for message, _, name, fate, _ in rows:
        code = "".join((root / file).read_text() for file in READERS[message])
        read = re.search(rf"(?:->|HAS\(\w+, )(?:n_)?{name}\b", code) is not None
        # What a struct's member must be like may be looked at although it means nothing; what is refused of a message goes
        # by the table.
        is_struct = message.startswith("PJRT_")
        wanted = fate == "HONOURED" or (fate == "REFUSED" and is_struct)
        if read != wanted and not (read and is_struct):
            verb = "reads" if read else "does not read"
            raise SystemExit(f"options.def: {message}.{name} is {fate}, and {READERS[message][0]} {verb} it")


def check_debug(root, groups, options):
    declared = proto_fields((root / "pjrt/proto/options.proto").read_text(), "DebugOptions")
    wanted = [(int(number), name) for number, name, _, _, group in options if groups[group][0] == "HONOURED"]
    if declared != wanted:
        raise SystemExit(f"options.proto: DebugOptions has {declared}, wanted what is honoured: {wanted}")
    code = "".join((root / file).read_text() for file in OVERRIDE_READERS)
    for _, name in wanted:
        if f'"{name}"' not in code:
            raise SystemExit(f"{' and '.join(OVERRIDE_READERS)} do not ask for the override {name}")


def tables(root):
    proto, header = (root / "pjrt/proto/options.proto").read_text(), (root / "pjrt/abi/abi_types.h").read_text()
    rows = [(of, int(number), name, fate, text_of(why))
            for of, number, name, fate, why in FIELD.findall((root / "pjrt/proto/options.def").read_text())]
    for message in READERS:
        ours = [(number, name) for of, number, name, fate, _ in rows
                if of == message and (message not in DECLARED or fate == "HONOURED")]
        text = (root / DECLARED[message]).read_text() if message in DECLARED else proto
        theirs = header_members(header, message) if message.startswith("PJRT_") else proto_fields(text, message)
        if ours != theirs:
            raise SystemExit(f"options.def: {message}: {sorted(set(ours) ^ set(theirs)) or 'another order'}")
    check_read(root, rows)
    debug = (root / "pjrt/proto/debug_options.def").read_text()
    groups = {name: (fate, text_of(why)) for name, fate, why in GROUP.findall(debug)}
    options = OPTION.findall(debug)
    check_debug(root, groups, options)
    text = (root / "pjrt/objects/create_options.def").read_text()
    created = [(name, kind, text_of(why)) for name, kind, why in CREATE.findall(text)]
    client = (root / "pjrt/objects/client.c").read_text()
    for name, _, _ in created:
        if f'"{name}"' not in client:
            raise SystemExit(f"pjrt/objects/client.c does not read the create option {name}")
    return rows, groups, options, created


def field_table(rows, message):
    return ["| field | | |", "| --- | --- | --- |",
            *[f"| `{name}` | {FATES[fate]} | {why} |" for of, _, name, fate, why in rows if of == message], ""]


def debug_lists(groups, options):
    lines = []
    for group, (fate, why) in groups.items():
        names = ", ".join(f"`{name}`" for _, name, _, _, of in sorted(options, key=lambda row: row[1]) if of == group)
        for text, indent in ((f"- *{FATES[fate].capitalize()}*: {why}.", ""), (names, "  ")):
            lines += textwrap.wrap(text, 120, initial_indent=indent, subsequent_indent="  ", break_on_hyphens=False)
    return lines + [""]


def page(root):
    rows, groups, options, created = tables(root)
    return "\n".join([
        HEAD,
        "## Compile options", "",
        "A serialized `CompileOptionsProto`, for `PJRT_Client_Compile`, `PJRT_Compile` and the phases. Given to",
        "`PJRT_Executable_DeserializeAndLoad` or `PJRT_Client_Load` they take the place of those that the executable was compiled",
        "with.", "",
        *field_table(rows, "CompileOptionsProto"),
        "### executable_build_options", "",
        *field_table(rows, "ExecutableBuildOptionsProto"),
        "### debug_options, env_option_overrides", "",
        f"All {len(options)} of XLA's. An override is looked at as XLA does it: one that is not here is `No such compile option`, and",
        "a value that the option cannot have `is not a valid .. value`, also for those that mean nothing. JAX's",
        "`compiler_options` are overrides; what `XLA_FLAGS` say comes in `debug_options`, whose values are not checked.", "",
        *debug_lists(groups, options),
        "## Execute options", "", *field_table(rows, "PJRT_ExecuteOptions"),
        "## Load options", "", *field_table(rows, "PJRT_LoadOptions"),
        "## Profile options", "",
        "A serialized `ProfileOptions`, for the profiler that the extension `Profiler` makes.", "",
        *field_table(rows, "ProfileOptions"),
        "## Create options", "",
        "All are honoured. Another name is INVALID_ARGUMENT, and so is a value of another type or out of range. Numbers may be",
        "given as text, as JAX's `jax_pjrt_client_create_options` does it. `PJRT_TopologyDescription_Create` takes them too; of a",
        "topology without a client those count that say which devices there are, of which processes, and what the platform is called.", "",
        "| option | type | what it does, and otherwise |", "| --- | --- | --- |",
        *[f"| `{name}` | {kind.lower()} | {why} |" for name, kind, why in created], ""])


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    root = pathlib.Path(arguments[0] if arguments else ".").resolve()
    target, wanted = root / "docs/options.md", page(root)
    if "--check" not in sys.argv:
        target.write_text(wanted)
        return 0
    got = target.read_text() if target.exists() else ""
    for number, (a, b) in enumerate(zip(got.splitlines() + ["(end)"], wanted.splitlines() + ["(end)"]), 1):
        if a != b:
            print(f"{target}:{number}: '{a}', wanted '{b}'; run tools/gen_options.py")
            return 1
    return 0 if got == wanted else 1


if __name__ == "__main__":
    sys.exit(main())
