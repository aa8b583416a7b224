"""The plugin's shared library: where it is, and whether this process can load it."""

import ctypes
import os
import pathlib
import struct

NAME = "libpjrt_millrace.so"
# e_machine of the ELF headers, for what people run Python on.
MACHINES = {3: "x86 (32 bits)", 40: "arm (32 bits)", 62: "x86_64", 183: "aarch64", 243: "riscv64"}


def path():
    """The library's file, or a FileNotFoundError that says where it was looked for."""
    named = os.environ.get("MILLRACE_LIBRARY")
    if named:
        candidates = [pathlib.Path(named)]
    else:
        here = pathlib.Path(__file__).resolve().parent
        # In a checkout this file is python/jax_plugins/millrace/library.py.
        candidates = [here / NAME, here.parents[2] / "build" / "release" / "lib" / NAME]
    for candidate in candidates:
        if candidate.is_file():
            return str(candidate)
    looked = ", ".join(str(candidate) for candidate in candidates)
    way_out = "MILLRACE_LIBRARY names no file" if named else "build it (./dev build) or set MILLRACE_LIBRARY"
    raise FileNotFoundError(f"{NAME} is not at {looked}; {way_out}")


def machine(file):
    """The kind of processor that an ELF file is for, as uname spells it; None when it is no ELF file."""
    with open(file, "rb") as stream:
        head = stream.read(20)
    if len(head) < 20 or head[:4] != b"\x7fELF":
        return None
    order = "<" if head[5] == 1 else ">"
    number = struct.unpack(order + "H", head[18:20])[0]
    return MACHINES.get(number, f"machine {number}")


def check(file):
    """Loads the library, or an ImportError that says why this process cannot."""
    library_machine, ours = machine(file), os.uname().machine
    if library_machine is None:
        raise ImportError(f"{file} is no shared library")
    if library_machine != ours:
        raise ImportError(f"{file} is for {library_machine} processors and this one is {ours}; build millrace here")
    try:
        ctypes.CDLL(file)
    except OSError as error:
        from . import diagnosis

        raise ImportError(diagnosis.why_not_loaded(file, error)) from None
