"""Programs over eight devices, in a process that has them: values as one device's, shardings as XLA:CPU's partitioner's."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent


@pytest.mark.sampled
def test_programs_of_all_families():
    families = len(re.findall(r"^@family$", (HERE / "sharded_programs.py").read_text(), re.M))
    environment = {**os.environ, "MILLRACE_NUM_DEVICES": "8"}
    command = [sys.executable, HERE / "sharded_programs.py", "--seeds", f"0:{2 * families}"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    tally = {what: int(count) for count, what in re.findall(r"(\d+) ([\w :]+)", run.stdout.splitlines()[-1])}
    assert tally["right"] == 2 * families
    assert tally["other shardings"] <= 0.03 * tally["shardings"], run.stdout


def test_each_device_prints_what_it_has():
    program = """
import jax, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(np.array(jax.devices()[:4]), "x")
x = jax.device_put(np.arange(8), NamedSharding(mesh, P("x")))
jax.jit(lambda x: jax.debug.print("has {}", x, partitioned=True))(x)
jax.effects_barrier()
"""
    environment = {**os.environ, "MILLRACE_NUM_DEVICES": "8", "JAX_PLATFORMS": "millrace"}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120)
    assert sorted(run.stdout.split("\n")[:-1]) == ["has [0 1]", "has [2 3]", "has [4 5]", "has [6 7]"], run.stderr


def test_a_partitioned_callback_gets_what_propagation_says():
    program = """
import jax, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(np.array(jax.devices()[:2]), "x")
x, y = (jax.device_put(np.arange(4).reshape(2, 2) + n, NamedSharding(mesh, P("x"))) for n in (0, 6))
jax.jit(jax.vmap(lambda x, y: jax.debug.print("has {} {}", x, y, partitioned=True), (0, 1)))(x, y)
jax.effects_barrier()
"""
    environment = {**os.environ, "MILLRACE_NUM_DEVICES": "8", "JAX_PLATFORMS": "millrace"}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120)
    # A row of x is what no device has alone; of a column of y each has its element.
    wanted = ["has [0 1] [6]", "has [0 1] [8]", "has [2 3] [7]", "has [2 3] [9]"]
    assert sorted(run.stdout.split("\n")[:-1]) == wanted, run.stderr


def test_a_gather_from_a_cut_table_keeps_bits():
    program = """
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(np.array(jax.devices()), "x")
bits = np.arange(64 * 4, dtype=np.uint32).reshape(64, 4)                    # subnormal numbers
bits[1::2] |= 0x80000000                                                    # -0 among them
bits[5] = 0x7fc00123                                                        # a NaN that says something
x = jax.device_put(bits.view(np.float32), NamedSharding(mesh, P("x")))
i = np.random.default_rng(0).permutation(64)
got = np.asarray(jax.jit(lambda x, i: x[i], out_shardings=NamedSharding(mesh, P()))(x, i))
pairs = jax.device_put(bits.view(np.complex64), NamedSharding(mesh, P("x")))
both = np.asarray(jax.jit(lambda x, i: x[i], out_shardings=NamedSharding(mesh, P()))(pairs, i))
print(np.array_equal(got.view(np.uint32), bits[i]) and np.array_equal(both.view(np.uint32), bits[i]))
"""
    environment = {**os.environ, "MILLRACE_NUM_DEVICES": "8", "JAX_PLATFORMS": "millrace"}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120)
    assert run.stdout == "True\n", run.stdout + run.stderr


def test_rows_are_exchanged_raggedly():
    program = """
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import Mesh, PartitionSpec as P
random = np.random.default_rng(0)

def wanted(rows, output, begin, sizes, to, group):
    got = output.copy()
    for k in group:
        for at, j in enumerate(group):
            mine = group.index(k)
            n = sizes[j][mine]
            got[k][to[j][mine]:to[j][mine] + n] = rows[j][begin[j][mine]:begin[j][mine] + n]
    return got

for shape, axis in (((4,), "x"), ((2, 4), "y"), ((8,), "x")):
    count = int(np.prod(shape))
    mesh = Mesh(np.array(jax.devices()[:count]).reshape(shape), ("x", "y")[:len(shape)])
    members = shape[-1]
    groups = np.arange(count).reshape(-1, members).tolist()
    rows = random.standard_normal((count, 12, 3)).astype(np.float32)
    output = random.standard_normal((count, 3 * members + 2, 3)).astype(np.float32)
    sizes, begin = (random.integers(0, 4, (count, members)).astype(np.int32) for _ in range(2))
    to, received = np.zeros_like(sizes), np.zeros_like(sizes)
    for group in groups:                                # one behind the other, in the order of the senders
        received[group] = sizes[group].T
        to[group] = (np.cumsum(sizes[group], 0) - sizes[group])
    every = P(tuple(mesh.axis_names))
    exchange = lambda *a: lax.ragged_all_to_all(*(v[0] for v in a), axis_name=axis)[None]
    run = jax.jit(jax.shard_map(exchange, mesh=mesh, in_specs=(every,) * 6, out_specs=every, check_vma=False))
    got = np.asarray(run(rows, output, begin, sizes, to, received))
    want = output.copy()
    for group in groups:
        want[group] = wanted(rows, output, begin, sizes, to, group)[group]
    print(np.array_equal(got, want))
"""
    environment = {**os.environ, "MILLRACE_NUM_DEVICES": "8", "JAX_PLATFORMS": "millrace"}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120)
    assert run.stdout == "True\n" * 3, run.stdout + run.stderr
