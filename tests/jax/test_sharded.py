"""Programs over eight devices, in a process that has them: values as one device's, shardings as XLA:CPU's partitioner's."""

import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


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
