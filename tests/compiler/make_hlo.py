#!/usr/bin/env python3
"""Writes the programs of tests/programs in two other forms, the way jaxlib converts them:

    tests/compiler/hlo/NAME.pb      HloModuleProto
    tests/compiler/mhlo/NAME.mlir   text in the mhlo dialect

and HloModuleProto of the programs that only HLO can say, tests/compiler/hlo_only/NAME.hlo.

    ./dev python tests/compiler/make_hlo.py [--only REGEX]
"""

import argparse
import os
import pathlib
import re

os.environ["JAX_PLATFORMS"] = "cpu"

from jax._src.interpreters import mlir
from jax._src.lib import _jax
from jax._src.lib.mlir import ir, passmanager
from jaxlib import _hlo
from jaxlib.mlir._mlir_libs import _mlirHlo

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "programs"


def to_hlo(text):
    computation = _jax.mlir.mlir_module_to_xla_computation(text, use_tuple_args=False, return_tuple=False)
    return computation.as_serialized_hlo_module_proto()


PASSES = "builtin.module(func.func(chlo-legalize-to-high-level-mhlo,chlo-legalize-to-hlo),stablehlo-legalize-to-hlo)"


def to_mhlo(text, context):
    with context:
        module = ir.Module.parse(text)
        passmanager.PassManager.parse(PASSES).run(module.operation)
        return str(module)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    only = re.compile(parser.parse_args().only)
    _mlirHlo.register_mhlo_passes()
    context = mlir.make_ir_context()
    _mlirHlo.register_mhlo_dialect(context)
    for folder in ("hlo", "mhlo"):
        (HERE / folder).mkdir(exist_ok=True)
    for path in sorted(PROGRAMS.glob("*.mlir")):
        if only.search(path.stem):
            text = path.read_text()
            (HERE / "hlo" / f"{path.stem}.pb").write_bytes(to_hlo(text))
            (HERE / "mhlo" / path.name).write_text(to_mhlo(text, context))
    for path in sorted((HERE / "hlo_only").glob("*.hlo")):
        if only.search(path.stem):
            module = _hlo.hlo_module_from_text(path.read_text())
            path.with_suffix(".pb").write_bytes(module.as_serialized_hlo_module_proto())


if __name__ == "__main__":
    main()
