#!/usr/bin/env python3
"""Checks that includes go one way only: a folder includes itself and the folders below it. A test.

Inside compiler/, pjrt/ and serve/ the same holds of their folders, the rooms; what lies beside the rooms is the front, which may include
them all, but for the headers that outsiders include, which include none. And the lists of layers and rooms in
docs/architecture.md are these, and those of the tree. A folder of devices/ is one kind of device, which nobody includes but
devices/registry.c; devices/host/ is what they share. What is about one kind of processor is in core/processor/, and in the
kernels of ops/library/ that are written for instruction sets. No two source files of compiler/ have one name, and no prefix of
functions (mr_<word>_) is that of two modules.

Usage: check_layers.py [source root]. Prints each wrong include and exits with 1 when there is one.
"""
import pathlib
import re
import sys

LAYERS = ["core", "futures", "graph", "scheduler", "devices", "collective", "ops", "compiler", "pjrt"]
# Beside the stack rather than in it: what each may include.
ALLOWED = {name: set(LAYERS[: i + 1]) for i, name in enumerate(LAYERS)}
ALLOWED["millrace"] = set(LAYERS[: LAYERS.index("compiler") + 1]) | {"millrace"}
ALLOWED["serve"] = {"serve", "millrace"}
ALLOWED["tools"] = {"tools", "millrace"}
# Programs that are linked with the engine's libraries rather than with one that is shipped.
ALLOWED["tools/interpreter"] = set(LAYERS[: LAYERS.index("compiler") + 1]) | {"tools", "tools/interpreter", "millrace"}
ALLOWED["tools/simulate"] = set(LAYERS[: LAYERS.index("compiler") + 1]) | {"tools", "tools/simulate", "millrace"}
# ops.def is data; an element function is a text that OpenCL also takes, so it sees nothing but its neighbours.
ALLOWED["ops/element"] = {"ops/element"}
FREE = {"core/status.def", "core/dtype.def", "ops/ops.def"}
# Each room includes itself and those before it. Rooms of one list in a list do not know one another.
ROOMS = {
    "compiler": [["ir", "proto"], ["reader", "passes", "choose", "loops"], "shard", ["lower", "codegen", "writer"], "fuse", "plan",
                 ["weave", "show", "run"]],
    "pjrt": ["abi", "layout", "proto", "cross_host", "ffi", "objects", "calls", "ext"],
    "serve": ["base", ["json", "net"], ["metrics", "config", "triton"], ["http", "h2", "batch"], "repository", "service", ["page", "grpc"],
              "rest", "app"],
}
PROCESSOR = re.compile(r"__x86_64__|__aarch64__|__asm__|<(?:\w*intrin|cpuid)\.h>|\bR_X86_64|llvm\.x86")
PROCESSOR_FOLDERS = ("core/processor/", "ops/library/")
FUNCTION = re.compile(r"(?m)^(?!static)[A-Za-z_][\w *]*?\bmr_([a-z0-9]+)_?\w*\([^;]*?\)\s*\{")
# A word of several: pjrt is one module of several rooms, ops is the table of what the IR's ops are, and an executable is made in one room,
# shown by another and loaded by a third.
SHARED = {"pjrt": ["pjrt"], "op": ["ops"], "executable": ["compiler/plan", "compiler/show", "compiler/run"]}
FACES = {"compiler/compiler.h", "pjrt/abi.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
SOURCES = (".c", ".h", ".def", ".inc")


def flat(rooms):
    return [name for entry in rooms for name in (entry if isinstance(entry, list) else [entry])]


def folder_of(path):
    for inner in ("ops/element", "tools/interpreter", "tools/simulate"):
        if path.startswith(inner + "/"):
            return inner
    return path.split("/", 1)[0]


def room_of(path):
    """The room of a file of compiler/ or pjrt/; None for what lies beside the rooms."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else None


def rooms_below(rooms, room):
    """Those that a room may include."""
    below = set()
    for entry in rooms:
        if room in (entry if isinstance(entry, list) else [entry]):
            return below | {room}
        below |= set(entry) if isinstance(entry, list) else {entry}
    return None


def wrong_room(folder, name, included):
    if included in FACES or folder_of(included) != folder or name.split("/")[-1] == "CMakeLists.txt":
        return False
    target, owner = room_of(included), room_of(name)
    if name in FACES:
        return not (folder == "pjrt" and target == "abi")
    if owner is None:
        return False
    allowed = rooms_below(ROOMS[folder], owner)
    return allowed is None or target is None or target not in allowed


def wrong_kind(name, included):
    """Of devices/: what is of one kind is its own, the registry's, and tests'; what the kinds share (devices/host/) is theirs."""
    if folder_of(included) != "devices" or included.count("/") < 2:
        return False
    if folder_of(name) != "devices":
        return True
    inner, kind = name.split("/")[1], included.split("/")[1]
    return kind != inner and kind != "host" and name != "devices/registry.c"


def wrong_includes(root):
    for folder in sorted({name.split("/")[0] for name in ALLOWED}):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SOURCES:
                continue
            name = file.relative_to(root).as_posix()
            owner = folder_of(name)
            for included in INCLUDE.findall(file.read_text(errors="replace")):
                if included in FREE or "/" not in included:
                    continue
                target = folder_of(included)
                if owner != "ops/element" and target == "ops/element":
                    target = "ops"
                if target in ALLOWED and target not in ALLOWED[owner]:
                    yield f"{name} includes {included}"
                elif folder in ROOMS and wrong_room(folder, name, included):
                    yield f"{name} includes {included}"
                elif wrong_kind(name, included):
                    yield f"{name} includes {included}, of one kind of device"
            if file.suffix == ".def" and INCLUDE.search(file.read_text(errors="replace")):
                yield f"{name} includes something: a .def is data"


def wrong_processors(root):
    """What is about one kind of processor, elsewhere."""
    for folder in [*LAYERS, "millrace"]:
        for file in sorted((root / folder).rglob("*")):
            name = file.relative_to(root).as_posix()
            if file.suffix in (".c", ".h") and not name.startswith(PROCESSOR_FOLDERS) and PROCESSOR.search(file.read_text()):
                yield f"{name} is about one kind of processor: core/processor/ has what is"


def wrong_names(root):
    """Source files of compiler/ with one name, and prefixes that two modules have: folders, and rooms of compiler/."""
    seen, owners = {}, {}
    for folder in [*LAYERS, "millrace"]:
        for file in sorted((root / folder).rglob("*.c")):
            name = file.relative_to(root).as_posix()
            if folder == "compiler" and seen.setdefault(file.name, name) != name:
                yield f"{name} is called as {seen[file.name]} is"
            module = "/".join(name.split("/")[:2]) if folder == "compiler" and room_of(name) else folder
            for word in FUNCTION.findall(file.read_text(errors="replace")):
                if module not in SHARED.get(word, []) and owners.setdefault(word, module) != module:
                    yield f"{name} has functions mr_{word}_, as {owners[word]} has"


def wrong_rooms(root):
    """A folder of compiler/ or pjrt/ that is no room, or a room that is no folder."""
    for folder, rooms in ROOMS.items():
        there = {path.name for path in (root / folder).iterdir() if path.is_dir()}
        for name in sorted(there ^ set(flat(rooms))):
            yield f"{folder}/{name} is {'no room' if name in there else 'no folder'}"


def drawn(rooms):
    return " <- ".join(", ".join(entry) if isinstance(entry, list) else entry for entry in rooms)


def wrong_page(root):
    """The lists of docs/architecture.md."""
    page = (root / "docs/architecture.md").read_text()
    wanted = [" <- ".join(LAYERS[:-1] + ["pjrt, millrace", "serve, tools, python"])]
    wanted += [f"{folder}/: {drawn(rooms)}" for folder, rooms in ROOMS.items()]
    for line in wanted:
        if f"    {line}\n" not in page:
            yield f"docs/architecture.md has no line '{line}'"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    wrong = [*wrong_includes(root), *wrong_processors(root), *wrong_names(root), *wrong_rooms(root), *wrong_page(root)]
    print("\n".join(wrong + [f"{len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
