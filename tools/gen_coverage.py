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

# What is taken, checked and perhaps remembered, and changes nothing that the host could see: (what, where, why). The words in
# front of the first blank are names that the file must have.
KEPT = [
    ("AsyncHostToDeviceTransferManager_AddMetadata", "pjrt/objects/transfer.c", "checked and dropped; nothing shows what a transfer was for"),
    ("Client_DmaMap", "pjrt/objects/client.c", "the range is remembered, and overlapping ones are refused; transfers read and write a host's memory as it is"),
    ("Client_DmaUnmap", "pjrt/objects/client.c", "forgets the range"),
    ("Device_CreateAsyncTrackingEvent", "pjrt/objects/device.c", "a span in a trace, when one is being recorded, and nothing else"),
    ("register_batch_partitionable (CustomPartitioner)", "pjrt/ext/ext_custom_partitioner.c", "remembered; such calls come with a sharding rule that says the same"),
    ("incarnation_ids, task_ids of execute options", "pjrt/calls/execute.c", "must be there when they are counted; nobody asks whether these processes are the same"),
    ("use_spmd_partitioning, use_shardy_partitioner of compile options", "pjrt/proto/options.c", "read; a program over several partitions is cut whatever these say"),
    ("propagate_to_outputs, propagate_to_parameters of compile options", "pjrt/proto/options.c", "part of the fingerprint; what the program says nothing of is chosen whatever they say"),
    ("tupled_arguments of compile options", "pjrt/proto/options.c", "read; parameters are never a tuple here"),
    ("device_memory_size of compile options", "pjrt/proto/options.c", "read; what a program may take is decided when it runs"),
    ("optimization_level, exec_time_optimization_effort of compile options", "pjrt/proto/options.c", "read; there is one level"),
    ("overrides: environment options of a compile", "pjrt/proto/overrides.c", "names and types are checked; those of XLA's passes and back ends mean nothing here"),
    ("read_create_option: options of Client_Create that are not known", "pjrt/objects/client.c", "ignored: they are for other plugins"),
]


def kept(root):
    """The rows of KEPT, after a look whether the names are where it says."""
    for what, file, _ in KEPT:
        names = what.split(" ")[0].rstrip(":,")
        if not re.search(rf"\b(?:mr_pjrt_)?{names}\b", (root / file).read_text()):
            raise SystemExit(f"{file} has no {names}")
    return KEPT


def refusals(root):
    """(message, file) of each UNIMPLEMENTED answer of pjrt/ and of the HLO reader."""
    found = set()
    for file in [*(root / "pjrt").rglob("*.c"), *(root / "compiler/reader").glob("hlo*.c")]:
        text, name = file.read_text(), str(file.relative_to(root))
        matches = list(REFUSAL.finditer(text))
        if len(matches) != len(re.findall(r"\bMR_UNIMPLEMENTED\b", text)):
            raise SystemExit(f"{name}: an UNIMPLEMENTED answer whose message cannot be read")
        for match in matches:
            message = "".join(PIECE.findall(match[1])).replace("\\", "")
            found.add((PLACEHOLDER.sub("..", message), name))
    return sorted(found)


def page(root):
    slots = [(int(i), name, int(since)) for i, name, since in SLOT.findall((root / "pjrt/abi/api.def").read_text())]
    if not slots or [s[0] for s in slots] != list(range(len(slots))):
        raise SystemExit("pjrt/abi/api.def: slots are not numbered 0, 1, 2, ...")
    extensions = sorted(
        (match, file.name) for file in (root / "pjrt/ext").glob("ext_*.c") for match in EXTENSION.findall(file.read_text())
    )
    lines = [
        "# PJRT coverage",
        "",
        "Made by `tools/gen_coverage.py` from `pjrt/abi/api.def` and the sources; a test compares it.",
        "",
        f"All {len(slots)} functions are there: each does what the header says or refuses what it cannot do, both listed below, and",
        "what is taken without effect.",
        "",
        "| extension | file |",
        "| --- | --- |",
        *[f"| {name} | pjrt/ext/{file} |" for name, file in extensions],
        "",
        "Absent, because they mean something only on a vendor's chip or in another compiler:",
        "",
        "| extension | what it is for |",
        "| --- | --- |",
        *[f"| {name} | {reason} |" for name, reason in ABSENT],
        "",
        "## What is refused",
        "",
        "Every UNIMPLEMENTED answer in the functions and extensions, and in the reader of HLO. What the compiler does not have",
        "is in `docs/ops.md`.",
        "",
        "| UNIMPLEMENTED: | file |",
        "| --- | --- |",
        *[f"| {message} | {file} |" for message, file in refusals(root)],
        "",
        "## What is taken without effect",
        "",
        "| what | file | what happens |",
        "| --- | --- | --- |",
        *[f"| {what} | {file} | {why} |" for what, file, why in kept(root)],
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
