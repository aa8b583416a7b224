"""Random programs over several devices: what XLA:CPU says of their parameters' and results' shardings, held against what we say.

Our own answers come from test_shard_boundary. Programs that differ are left in the folder, XLA:CPU's answers in their first lines.

    python tests/random/shardings.py build/release --seed 0 --count 500 --folder /tmp/programs
"""

import argparse
import os
import pathlib
import subprocess
import sys

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import re

import jax
import numpy as np
from jax._src import compiler
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jax._src.lib.mlir import ir
from jax._src.sharding_impls import parse_flatten_op_sharding
from jax.sharding import Mesh


def dims_of(sharding, mesh, rank):
    """[{"x"}, {}] of what XLA says, ? when it is none of axes."""
    try:
        spec = parse_flatten_op_sharding(sharding, mesh)[0]
    except Exception:
        return "?"
    dims = []
    for i in range(rank):
        axes = spec[i] if i < len(spec) else None
        axes = () if axes is None else (axes,) if isinstance(axes, str) else axes
        dims.append("{" + ", ".join(f'"{a}"' for a in axes) + "}")
    return "[" + ", ".join(dims) + "]"


def attributes_of(operation, name, count):
    """The attributes of arguments or results, and whether each says a sharding."""
    has = operation.attributes[name] if name in operation.attributes else [ir.DictAttr.get({})] * count
    return ir.ArrayAttr.get(list(has)), ["sdy.sharding" not in each for each in has]


def answer(client, text):
    """The lines that XLA:CPU's shardings are, one for each parameter and result."""
    axes = re.findall(r'"(\w)"=(\d)', re.search(r"sdy.mesh @mesh = <\[(.*?)\]>", text)[1])
    shape = [int(size) for _, size in axes]
    count = int(np.prod(shape))
    devices = client.local_devices()[:count]
    mesh = Mesh(np.array(devices).reshape(shape), [name for name, _ in axes])
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        entry = [f for f in module.body.operations if f.OPERATION_NAME == "func.func" and f.name.value == "main"][0]
        ranks = [ir.RankedTensorType(a.type).rank for a in entry.arguments]
        out_ranks = [ir.RankedTensorType(a).rank for a in entry.type.results]
        entry.attributes["arg_attrs"], free = attributes_of(entry, "arg_attrs", len(ranks))
        entry.attributes["res_attrs"], out_free = attributes_of(entry, "res_attrs", len(out_ranks))
        options = compiler.get_compile_options(num_replicas=1, num_partitions=count,
                                               device_assignment=np.arange(count).reshape(1, count))
        build = options.executable_build_options
        build.use_spmd_partitioning = build.use_shardy_partitioner = True
        build.allow_spmd_sharding_propagation_to_parameters = free or [True]
        build.allow_spmd_sharding_propagation_to_output = out_free or [True]
        executable = client.compile_and_load(module, xla_client.DeviceList(tuple(devices)), options)
    taken, given = executable.get_parameter_shardings(), executable.get_output_shardings()
    lines = [f"// parameter {dims_of(s, mesh, r)}" for s, r in zip(taken or [], ranks)]
    return lines + [f"// result {dims_of(s, mesh, r)}" for s, r in zip(given or [], out_ranks)], count


def work(folder, first, log):
    """Answers for the programs of a folder from a seed on, telling which one it is at: XLA:CPU ends the process on some."""
    jax.config.update("jax_enable_x64", True)
    client = jax.devices("cpu")[0].client
    for path in sorted(folder.glob("*.plain"), key=lambda p: int(p.stem)):
        if int(path.stem) < first:
            continue
        print(f"at {path.stem}", file=log, flush=True)
        text = path.read_text()
        try:
            lines, count = answer(client, text)
        except Exception as error:
            print(f"refused {path.stem}: {' '.join(str(error).splitlines()[:3])[:250]}", file=log, flush=True)
            continue
        text = text.replace("module {", f"module attributes {{mhlo.num_partitions = {count} : i32}} {{", 1)
        path.with_suffix(".mlir").write_text("\n".join(lines) + "\n" + text)


def ask(folder, seed):
    """Asks about all programs, each time that the process ended in a new one. How often it did, and what was refused."""
    died, refused = 0, []
    while seed is not None:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(write, "w") as log:
                work(folder, seed, log)
            os._exit(0)
        os.close(write)
        lines = os.fdopen(read).read().splitlines()
        ended = os.waitpid(child, 0)[1]
        refused += [line for line in lines if line.startswith("refused")]
        at = [int(line.split()[1]) for line in lines if line.startswith("at ")]
        died += ended != 0
        seed = at[-1] + 1 if ended and at else None
    return died, refused


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([arguments.build / "tests/random_programs", "--shard", "--write", folder, "--seed", str(arguments.seed),
                    "--count", str(arguments.count)], check=True, stdout=subprocess.DEVNULL)
    for path in folder.glob("*.mlir"):
        path.rename(path.with_suffix(".plain"))
    died, refused = ask(folder, arguments.seed)
    programs = sorted(folder.glob("*.mlir"))
    command = [arguments.build / "tests/test_shard_boundary", *programs]
    ours = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    differ = set(re.findall(r"(\S+\.mlir): differs", ours))
    for path in programs:
        if str(path) not in differ:
            path.unlink()
    for path in folder.glob("*.plain"):
        path.unlink()
    print(ours, *refused, sep="\n")
    print(f"{len(programs)} programs: {len(differ)} differ ({100 - 100 * len(differ) / max(1, len(programs)):.1f}% are equal); "
          f"XLA:CPU refuses {len(refused)} others and ends its process on {died}")


if __name__ == "__main__":
    main()
