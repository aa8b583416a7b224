"""Random programs through XLA:CPU, judged by the same evaluator: what it allows must hold for XLA's answers too, or the
evaluator is wrong (or XLA is). Prints each difference and a count.

    MILLRACE_CACHE_DIR= python tests/random/xla.py build/release/tests/random_programs --seed 0 --count 500
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import jax
import ml_dtypes
import numpy as np
from jax.extend import backend
from jax._src import compiler
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jax._src.lib.mlir import ir

CELL = np.dtype({"names": ["v", "e", "exact"], "formats": [np.longdouble, "f8", "?"], "offsets": [0, 16, 24], "itemsize": 32})

DTYPES = {"i1": np.bool_, "i2": ml_dtypes.int2, "i4": ml_dtypes.int4, "ui2": ml_dtypes.uint2, "ui4": ml_dtypes.uint4,
          "f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
          "complex<f32>": np.complex64, "complex<f64>": np.complex128}
DTYPES |= {f"i{n}": np.dtype(f"int{n}") for n in (8, 16, 32, 64)} | {f"ui{n}": np.dtype(f"uint{n}") for n in (8, 16, 32, 64)}
DTYPES |= {"f" + name[5:].replace("_", "").upper(): getattr(ml_dtypes, name)
           for name in dir(ml_dtypes) if name.startswith("float")}


def split_seeds(output):
    """The programs that --print wrote, by seed."""
    programs = {}
    for part in output.split("// seed ")[1:]:
        seed, text = part.split("\n", 1)
        programs[int(seed)] = text
    return programs


def check_cells(wanted, got):
    """The index of the first part that is not allowed, or None."""
    if np.iscomplexobj(got):
        got = got.reshape(-1).view(got.real.dtype)
    got = got.reshape(-1)
    if got.dtype.itemsize <= 2 and got.dtype.kind not in "biu":
        got = got.astype(np.float32)
    got = got.astype(np.longdouble)
    v, e = wanted["v"], wanted["e"]
    with np.errstate(all="ignore"):
        fine = np.isinf(e) | (np.isnan(v) & np.isnan(got)) | (got == v) | (np.isfinite(got) & (abs(got - v) <= e))
        zero = (e == 0) & wanted["exact"] & (v == 0) & np.isfinite(v)
    fine &= ~zero | (np.signbit(got) == np.signbit(v))
    return None if fine.all() else int(np.argmin(fine))


def compile_program(client, text):
    """The program, and the element types and shapes of its arguments."""
    with mlir.make_ir_context():
        module = ir.Module.parse(text.split("\nseed ")[0])
        entry = [f for f in module.body.operations if f.name.value == "main"][0]
        entry.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get({}) for _ in entry.arguments])
        types = [DTYPES[str(ir.RankedTensorType(a.type).element_type)] for a in entry.arguments]
        shapes = [ir.RankedTensorType(a.type).shape for a in entry.arguments]
        options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
        devices = xla_client.DeviceList(tuple(client.local_devices()[:1]))
        return client.compile_and_load(module, devices, options), types, shapes


def execute(client, executable, arrays):
    """The results on the client's first device."""
    arguments = [jax.device_put(array, client.local_devices()[0]) for array in arrays]
    return [shards[0] for shards in executable.execute_sharded(arguments).disassemble_into_single_device_arrays()]


def run_program(client, seed, text, folder):
    """Yields a line for each difference."""
    executable, types, shapes = compile_program(client, text)
    for path in sorted(folder.glob(f"{seed}.[0-9]")):
        data, at, arrays = path.read_bytes(), 0, []
        for dtype, shape in zip(types, shapes):
            size = int(np.prod(shape)) * np.dtype(dtype).itemsize
            arrays.append(np.frombuffer(data[at:at + size], dtype).reshape(shape))
            at += size
        for i, result in enumerate(execute(client, executable, arrays)):
            got = np.asarray(result)
            count = got.size * (2 if np.iscomplexobj(got) else 1)
            wanted = np.frombuffer(data[at:at + count * CELL.itemsize], CELL)
            at += count * CELL.itemsize
            bad = check_cells(wanted, got)
            if bad is not None:
                flat = got.reshape(-1)
                value = flat.view(flat.real.dtype)[bad] if np.iscomplexobj(flat) else flat[bad]
                yield f"seed {seed} inputs {path.suffix[1:]} result {i} {got.dtype}{got.shape} part {bad}: " \
                      f"XLA {value}, wanted {wanted['v'][bad]} within {wanted['e'][bad]}"
                break


def work(folder, first):
    """Checks the programs of a folder from a seed on, telling which one it is at: XLA:CPU ends the process on some."""
    client = jax.devices("cpu")[0].client
    for seed in sorted(int(path.stem) for path in folder.glob("*.mlir")):
        if seed < first:
            continue
        print(f"at {seed}", flush=True)
        try:
            lines = list(run_program(client, seed, (folder / f"{seed}.mlir").read_text(), folder))
        except Exception as error:
            print(f"refused {seed}: {str(error).splitlines()[0][:200]}", flush=True)
            continue
        for line in lines:
            print(line, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--work", type=pathlib.Path)
    arguments = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    if arguments.work:
        work(arguments.work, arguments.seed)
        return
    counts = dict.fromkeys(["at", "seed", "refused", "died"], 0)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command = [arguments.program, "--no-reduce", "--print", "--dump", name, "--seed", str(arguments.seed), "--count",
                   str(arguments.count)]
        for seed, text in split_seeds(subprocess.run(command, capture_output=True, text=True).stdout).items():
            (folder / f"{seed}.mlir").write_text(text)
        first = arguments.seed
        while first is not None:
            run = subprocess.run([sys.executable, __file__, "-", "--work", name, "--seed", str(first)],
                                 capture_output=True, text=True)
            at = None
            for line in run.stdout.splitlines():
                kind = line.split()[0]
                counts[kind] += 1
                at = int(line.split()[1]) if kind == "at" else at
                if kind != "at":
                    print(line)
            first = at + 1 if run.returncode and at is not None else None
            if first is not None:
                counts["died"] += 1
                print(f"died {at}", flush=True)
    print(f"{counts['at']} programs: {counts['seed']} differ on XLA:CPU, {counts['refused']} are refused there, "
          f"{counts['died']} end its process")


if __name__ == "__main__":
    main()
