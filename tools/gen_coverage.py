#!/usr/bin/env python3
"""Writes docs/pjrt-coverage.md from pjrt/api.def, the extension files and what their functions refuse.

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
    slots = [(int(i), name, int(since)) for i, name, since in SLOT.findall((root / "pjrt/api.def").read_text())]
    if not slots or [s[0] for s in slots] != list(range(len(slots))):
        raise SystemExit("pjrt/api.def: slots are not numbered 0, 1, 2, ...")
    extensions = sorted(
        (match, file.name) for file in (root / "pjrt").glob("ext_*.c") for match in EXTENSION.findall(file.read_text())
    )
    lines = [
        "# PJRT coverage",
        "",
        "Made by `tools/gen_coverage.py` from `pjrt/api.def` and the sources; a test compares it.",
        "",
        f"All {len(slots)} functions are implemented.",
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
        "## What is refused",
        "",
        "Every UNIMPLEMENTED answer in the functions and extensions, and in the reader of HLO. What the compiler does not have",
        "is in `docs/ops.md`; a program over several replicas or partitions is one of those.",
        "",
        "| UNIMPLEMENTED: | file |",
        "| --- | --- |",
        *[f"| {message} | {file} |" for message, file in refusals(root)],
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
