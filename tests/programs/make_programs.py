#!/usr/bin/env python3
"""Writes the whole-program tests of this folder: StableHLO from JAX, inputs, and what XLA:CPU answers.

    ./dev python tests/programs/make_programs.py [--only REGEX]

For each program of programs.py there is
  NAME.mlirbc    the portable artifact, as jaxlib hands it to a plugin
  NAME.mlir      the module as text, before jaxlib's own passes
  NAME.npz       in0, in1, ..., out0, out1, ...; types NumPy lacks as raw bits, one element to a byte where narrower
and manifest.json says names, tags, types and tolerances. Programs are lowered for a platform JAX has no rules for, so they
show the platform-independent rules; the one that says so is lowered for the CPU, where JAX calls LAPACK.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import jax
import numpy as np
from jax._src import compiler
from jax._src.interpreters import mlir
from jax._src.lib import _jax, xla_client

import programs

HERE = pathlib.Path(__file__).resolve().parent
ARTIFACT_VERSION = "1.17.0"
PLATFORM = "millrace"

SPELLING = {
    "bool": "i1", "bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64",
    "complex64": "complex<f32>", "complex128": "complex<f64>",
    "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2", "float8_e4m3b11fnuz": "f8E4M3B11FNUZ",
    **{f"int{bits}": f"i{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{f"uint{bits}": f"ui{bits}" for bits in (2, 4, 8, 16, 32, 64)},
}


def raw_bits(array):
    """The array in a type NumPy can store."""
    name = array.dtype.name
    if name == "bfloat16":
        return array.view(np.uint16)
    if name.startswith("float8"):
        return array.view(np.uint8)
    if name in ("int4", "int2"):
        return array.astype(np.int8)
    if name in ("uint4", "uint2"):
        return array.astype(np.uint8)
    return array


def type_of(array):
    return {"dtype": SPELLING[array.dtype.name], "shape": list(array.shape)}


def run_on_cpu(text, arguments):
    device = jax.devices("cpu")[0]
    options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
    executable = device.client.compile_and_load(text.encode(), xla_client.DeviceList((device,)), options)
    placed = [jax.device_put(argument, device) for argument in arguments]
    results = executable.execute_sharded(placed).disassemble_into_single_device_arrays()
    return [np.asarray(result[0]) for result in results]


def make(program, folder):
    with jax.enable_x64(True) if program.x64 else contextlib.nullcontext():
        function, arguments = program.build()
        arguments = [np.asarray(argument) for argument in arguments]
        specs = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in arguments]
        jitted = jax.jit(function, keep_unused=True, donate_argnums=program.donate)
        lowered = jitted.trace(*specs).lower(lowering_platforms=(program.platform,))
        text = lowered.as_text()
        outputs = run_on_cpu(text, arguments)
        artifact = _jax.mlir.serialize_portable_artifact(lowered.compiler_ir("stablehlo"), ARTIFACT_VERSION, True)
    (folder / f"{program.name}.mlir").write_text(text)
    (folder / f"{program.name}.mlirbc").write_bytes(artifact)
    arrays = {f"in{i}": raw_bits(a) for i, a in enumerate(arguments)}
    arrays.update({f"out{i}": raw_bits(a) for i, a in enumerate(outputs)})
    np.savez_compressed(folder / f"{program.name}.npz", **arrays)
    return {
        "name": program.name, "tags": program.tags, "ulp": program.ulp,
        "of_largest": program.of_largest, "absolute": program.absolute,
        "inputs": [type_of(a) for a in arguments], "outputs": [type_of(a) for a in outputs],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only programs whose name matches")
    parser.add_argument("--out", type=pathlib.Path, default=HERE)
    arguments = parser.parse_args()
    # JAX drops donation for platforms it does not know, and puts file names into the artifact.
    mlir._platforms_with_donation.append(PLATFORM)
    jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
    arguments.out.mkdir(parents=True, exist_ok=True)
    manifest = arguments.out / "manifest.json"
    known = {entry["name"]: entry for entry in json.loads(manifest.read_text())} if manifest.exists() else {}
    for program in programs.ALL:
        if re.search(arguments.only, program.name):
            known[program.name] = make(program, arguments.out)
            print(program.name, flush=True)
    entries = [json.dumps(known[p.name]) for p in programs.ALL if p.name in known]
    manifest.write_text("[\n" + ",\n".join(entries) + "\n]\n")


if __name__ == "__main__":
    main()
