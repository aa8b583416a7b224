#!/usr/bin/env python3
"""Writes docs/pjrt-coverage.md from pjrt/abi/api.def, the extension files and what their functions refuse.

Usage: gen_coverage.py [--check] [source root]. With --check nothing is written; a page that differs from what would be
written prints the first difference and exits with 1.
"""
import pathlib
import re
import sys

SLOT = re.compile(r"^(?:VOID_)?SLOT\((\d+), (\w+), (\d+)\)$", re.M)
EXTENSION = re.compile(r"\.type = PJRT_Extension_Type_(\w+)")
EXTENSION_TYPE = re.compile(r"^  PJRT_Extension_Type_(\w+) = ", re.M)
# Where an UNIMPLEMENTED answer is made, up to the end of its message, which may be in several pieces and name macros.
REFUSAL = re.compile(r'MR_UNIMPLEMENTED\b[^";]*?((?:"(?:[^"\\]|\\.)*"\s*|[A-Z_]+\s+(?="))+)')
PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"')
PLACEHOLDER = re.compile(r"'?%[-.*0-9]*(?:ll|z|h)?[a-zA-Z]'?")

# Extensions of the ABI that are not in the chain, and why.
ABSENT = [
    ("Gpu_Custom_Call", "registers handlers of CUDA and ROCm; FFI does the same here"),
    ("Triton", "compiles Triton kernels for GPUs"),
    ("Example", "shows how extensions are written; no host asks for it"),
    ("TpuTopology", "the shape of TPU slices"),
    ("TpuExecutable", "TPU programs and their cores"),
    ("Megascale", "transfers between TPU slices"),
    ("Collectives", "communicators of GPUs"),
    ("MultiSlice", "configurations of TPU slices"),
    ("XlaTransform", "passes over XLA's own HLO, which is not what the compiler works on"),
]

# What is taken, checked and perhaps remembered, and changes nothing that the host could see: the function says so itself.
WITHOUT_EFFECT = re.compile(r"^// Without effect: (.*(?:\n// .*)*)\n(?:static )?PJRT_Error \*\s*(?:mr_pjrt_)?(\w+)\(", re.M)

# Members of arguments, and of structs that a host fills in, that no code reads, and why.
UNREAD = {
    "PJRT_Compile_Args.client": "a client that a compiler may measure on; none is needed",
    "PJRT_FFI_Register_Handler_Args.traits": "whether a GPU may record the handler; a handler says itself what it is",
    "PJRT_Client_Create_Args.kv_try_get_callback": "processes wait for each other's entries, by kv_get_callback",
    "PJRT_Client_Create_Args.kv_try_get_user_arg": "the same",
    "PJRT_NamedValue.float_value": "no option is of this type: INVALID_ARGUMENT",
    "PJRT_NamedValue.bool_value": "the same",
    "PJRT_ProcessInfo.incarnation_id": "which life of its task a process is; one that is connected again is the same to transfers",
    "PJRT_FFI_Type_Info.serialize": "objects of handlers are not serialized: a program that is loaded makes them again",
    "PJRT_FFI_Type_Info.deserialize": "the same",
    "JAX_CustomCallPartitioner_Callbacks.version": "the struct has had one form",
    "JAX_CustomCallPartitioner_Callbacks.private_data": "the host's own",
    "JAX_CustomCallPartitioner_Callbacks.dtor": "a partitioner stays as long as the process",
    "JAX_CustomCallPartitioner_Callbacks.infer_sharding": "GSPMD asks it; what is propagated here goes by the call's sharding rule",
    "JAX_CustomCallPartitioner_Callbacks.propagate_user_sharding": "the same",
    "JAX_CustomCallPartitioner_Callbacks.can_side_effecting_have_replicated_sharding": "the same",
}
STRUCT = re.compile(r"^typedef struct (PJRT_\w+_Args(?:_\w+)?) \{[^\n]*\n(.*?)^\}", re.M | re.S)
MEMBER = re.compile(r"^  [^/\n]*?(\w+);(?! *// (?:out|in/out))|^  [^/\n]*?\(\*(\w+)\)\(", re.M)
ANY_STRUCT = re.compile(r"^(?:typedef )?struct (\w+) \{[^\n]*\n(.*?)^\}", re.M | re.S)
# Structs that the plugin fills in, the arguments of a host's functions among them; and those that docs/options.md is about.
OURS = re.compile(r"\w+(?:_Extension|_Extension_Base|_FunctionTable|_Api)|PJRT_Error|PJRT_Memory|PJRT_ExecutableMetadata"
                  r"|PJRT_KeyValue\w+_Args|PJRT_Callback_PrefatalArgs|JAX_CustomCallPartitioner_(?:\w+_Args|version_and_error)")
OPTIONS = {"PJRT_ExecuteOptions", "PJRT_LoadOptions"}
FUNCTION = re.compile(r"^[A-Za-z_][\w *]*\([^;{}]*\) \{\n.*?^\}|^MR_PJRT_[A-Z_]+\(.*?\)$(?=\n[^ ])", re.M | re.S)
HEADS = {"struct_size", "extension_start", "PJRT_ARGS_HEAD", "priv"}


def without_effect(root):
    """(function, file, what happens) of each function that says of itself that it has no effect."""
    return sorted((name, str(file.relative_to(root)), match.replace("\n// ", " ").rstrip("."))
                  for file in (root / "pjrt").rglob("*.c") for match, name in WITHOUT_EFFECT.findall(file.read_text()))


def members(body):
    return [value or function for value, function in MEMBER.findall(body) if (value or function) not in HEADS]


def unread_arguments(files, header):
    """Members that are in no function that takes the arguments, nor in one for all."""
    functions = [text for file in files for text in FUNCTION.findall(file)]
    heads = [set(re.findall(r"\w+", text[: text.find("{\n")])) for text in functions]  # of a macro: all of it
    for struct, body in STRUCT.findall(header.read_text()):
        if OURS.fullmatch(struct):
            continue
        slot = re.sub(r"^PJRT_|_Args.*$", "", struct)
        mine = [text for text, head in zip(functions, heads)
                if struct in head or (slot in head and text.startswith("MR_"))]
        # The arguments of extensions are also read by helpers that are given something in them.
        mine += [file for file in files if struct in file] if header.name.startswith("abi_ext") or not mine else []
        mine = mine or [file for file in files if re.search(rf"\b{slot}\b", file)]
        for member in members(body):
            if not any(re.search(rf"\b{member}\b", text) for text in mine):
                yield f"{struct}.{member}"


def unread_structs(files, header):
    """Members of other structs that a host fills in, that no file reads which names the struct, or, when none does, any."""
    text = header.read_text()
    arguments = {struct for struct, _ in STRUCT.findall(text)}
    for struct, body in ANY_STRUCT.findall(text):
        if struct in arguments or struct in OPTIONS or OURS.fullmatch(struct):
            continue
        mine = [file for file in files if re.search(rf"\b{struct}\b", file)] or files
        for member in members(body):
            if not any(re.search(rf"(?:\.|->){member}\b", file) for file in mine):
                yield f"{struct}.{member}"


def unread(root):
    """(member, reason): what hosts give that no code reads."""
    files = [file.read_text() for file in (root / "pjrt").rglob("*.c")]
    paths = sorted((root / "pjrt/abi").glob("abi_*.h"))
    found = {name for path in paths for name in [*unread_arguments(files, path), *unread_structs(files, path)]}
    if found != set(UNREAD):
        raise SystemExit(f"gen_coverage.py: UNREAD: too many: {sorted(set(UNREAD) - found)}; "
                         f"not there: {sorted(found - set(UNREAD))}")
    return list(UNREAD.items())


def refusals(root):
    """(message, file) of each UNIMPLEMENTED answer of pjrt/, devices/ and collective/, and of the HLO reader."""
    found = set()
    files = [file for folder in ("pjrt", "devices", "collective") for file in (root / folder).rglob("*.c")]
    for file in [*files, *(root / "compiler/reader").glob("hlo*.c")]:
        text, name = file.read_text(), str(file.relative_to(root))
        matches = list(REFUSAL.finditer(text))
        if len(matches) != len(re.findall(r"\bMR_UNIMPLEMENTED\b", text)):
            raise SystemExit(f"{name}: an UNIMPLEMENTED answer whose message cannot be read")
        for match in matches:
            message = "".join(PIECE.findall(match[1])).replace("\\", "")
            found.add((PLACEHOLDER.sub("..", message), name))
    return sorted(found)


def check_extensions(root, extensions):
    types = set(EXTENSION_TYPE.findall((root / "pjrt/abi/abi_types.h").read_text())) - {"Unknown"}
    listed = {name for name, _ in extensions} | {name for name, _ in ABSENT}
    if types != listed:
        raise SystemExit(f"gen_coverage.py: extensions that are in the header or on a list alone: {sorted(types ^ listed)}")


def page(root):
    slots = [(int(i), name, int(since)) for i, name, since in SLOT.findall((root / "pjrt/abi/api.def").read_text())]
    if not slots or [s[0] for s in slots] != list(range(len(slots))):
        raise SystemExit("pjrt/abi/api.def: slots are not numbered 0, 1, 2, ...")
    extensions = sorted(
        (match, file.name) for file in (root / "pjrt/ext").glob("ext_*.c") for match in EXTENSION.findall(file.read_text())
    )
    check_extensions(root, extensions)
    lines = [
        "# PJRT coverage",
        "",
        "Made by `tools/gen_coverage.py` from `pjrt/abi/api.def` and the sources; a test compares it.",
        "",
        f"All {len(slots)} functions are there: each does what the header says or refuses what it cannot do, both listed below, and",
        "what is taken without effect. What `Executable_DeserializeAndLoad` is given must be trusted like code: `docs/clients.md`.",
        "",
        "| extension | file |",
        "| --- | --- |",
        *[f"| {name} | pjrt/ext/{file} |" for name, file in extensions],
        "",
        "Absent, because they mean something only on a vendor's chip, in another compiler or to who writes one:",
        "",
        "| extension | what it is for |",
        "| --- | --- |",
        *[f"| {name} | {reason} |" for name, reason in ABSENT],
        "",
        "## What is refused",
        "",
        "Every UNIMPLEMENTED answer in the functions and extensions, in devices and collectives, and in the reader of HLO. Else a",
        "program is refused when it is compiled: the ops that the compiler does not have are in `docs/ops.md`.",
        "",
        "| UNIMPLEMENTED: | file |",
        "| --- | --- |",
        *[f"| {message} | {file} |" for message, file in refusals(root)],
        "",
        "## What is taken without effect",
        "",
        "Of the options that come with a call, `docs/options.md` says what becomes of each.",
        "",
        "| function | file | what happens |",
        "| --- | --- | --- |",
        *[f"| {name} | {file} | {why} |" for name, file, why in without_effect(root)],
        "",
        "Members of arguments, and of structs that hosts fill in, that are not read:",
        "",
        "| member | why |",
        "| --- | --- |",
        *[f"| {member} | {why} |" for member, why in unread(root)],
        "",
        "## Functions",
        "",
        "| slot | function | since 0. |",
        "| --- | --- | --- |",
        *[f"| {i} | {name} | {since} |" for i, name, since in slots],
        "",
    ]
    return "\n".join(lines)


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    roots = [a for a in arguments if a != "--check"]
    root = pathlib.Path(roots[0] if roots else ".").resolve()
    target = root / "docs/pjrt-coverage.md"
    wanted = page(root)
    if not check:
        target.write_text(wanted)
        return 0
    got = target.read_text() if target.exists() else ""
    if got == wanted:
        return 0
    for number, (a, b) in enumerate(zip(got.splitlines() + ["(end)"], wanted.splitlines() + ["(end)"]), 1):
        if a != b:
            print(f"{target}:{number}: '{a}', wanted '{b}'; run tools/gen_coverage.py")
            break
    return 1


if __name__ == "__main__":
    sys.exit(main())
