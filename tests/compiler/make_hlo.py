#!/usr/bin/env python3
"""Writes tests/compiler/hlo/NAME.pb: the programs of tests/programs as HloModuleProto, the way jaxlib converts them.

    ./dev python tests/compiler/make_hlo.py [--only REGEX]

And a few programs of its own (NAME_own.pb with NAME_own.mlir beside it) for what those do not use.
"""

import argparse
import os
import pathlib
import re

os.environ["JAX_PLATFORMS"] = "cpu"

from jax._src.lib import _jax

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "programs"


def to_hlo(text):
    computation = _jax.mlir.mlir_module_to_xla_computation(text, use_tuple_args=False, return_tuple=False)
    return computation.as_serialized_hlo_module_proto()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    only = re.compile(parser.parse_args().only)
    folder = HERE / "hlo"
    folder.mkdir(exist_ok=True)
    for path in sorted(PROGRAMS.glob("*.mlir")) + sorted(folder.glob("*_own.mlir")):
        if only.search(path.stem):
            (folder / f"{path.stem}.pb").write_bytes(to_hlo(path.read_text()))


if __name__ == "__main__":
    main()
