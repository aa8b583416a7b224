#!/usr/bin/env python3
"""Writes docs/pjrt-coverage.md from pjrt/api.def and the extension files.

Usage: gen_coverage.py [--check] [source root]. With --check nothing is written; a page that differs from what would be
written prints the first difference and exits with 1.
"""
import pathlib
import re
import sys

SLOT = re.compile(r"^(VOID_)?SLOT\((\d+), (\w+), (\d+), (IMPLEMENTED|TODO)\)$", re.M)
EXTENSION = re.compile(r"\.type = PJRT_Extension_Type_(\w+)")

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


def page(root):
    slots = [(int(i), name, int(since), state) for _, i, name, since, state in SLOT.findall((root / "pjrt/api.def").read_text())]
    if [s[0] for s in slots] != list(range(len(slots))):
        raise SystemExit("pjrt/api.def: slots are not numbered 0, 1, 2, ...")
    done = sum(state == "IMPLEMENTED" for _, _, _, state in slots)
    extensions = sorted(
        (match, file.name) for file in (root / "pjrt").glob("ext_*.c") for match in EXTENSION.findall(file.read_text())
    )
    lines = [
        "# PJRT coverage",
        "",
        "Made by `tools/gen_coverage.py` from `pjrt/api.def`; a test compares it. A slot that is not implemented answers",
        "UNIMPLEMENTED and names itself.",
        "",
        f"{done} of {len(slots)} functions are implemented.",
        "",
        "| extension | file |",
        "| --- | --- |",
        *[f"| {name} | pjrt/{file} |" for name, file in extensions],
        "",
        "Absent, because they mean something only on a vendor's chip or in another compiler:",
        "",
        "| extension | what it is for |",
        "| --- | --- |",
        *[f"| {name} | {reason} |" for name, reason in ABSENT],
        "",
        "| slot | function | since 0. | state |",
        "| --- | --- | --- | --- |",
        *[f"| {i} | {name} | {since} | {'yes' if state == 'IMPLEMENTED' else 'no'} |" for i, name, since, state in slots],
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
