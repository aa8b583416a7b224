"""One client with devices of two kinds: a CPU device and two of OpenCL's (PoCL), where there is a runtime for them."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

PROGRAM = """
import json, pickle
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import serialize_executable
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding

said = {}
devices = jax.devices()
said["kinds"] = [" ".join(d.device_kind.split()[:2]) for d in devices]
x = np.arange(4096, dtype=np.float32).reshape(64, 64) / 512

f = jax.jit(lambda a: jax.lax.fori_loop(0, 3, lambda i, b: jnp.tanh(b @ a) + i, a).sum(0))
answers = [f(jax.device_put(x, d)) for d in devices]
said["where"] = [a.device.id for a in answers]
said["apart"] = max(float(np.abs(np.asarray(a) - np.asarray(answers[0])).max()) for a in answers)

# From each to each, and through memory of the host's.
moved = True
for start in devices:
    for end in devices:
        y = jax.device_put(jax.device_put(x, start) * 2, end)
        moved &= y.device == end and bool((np.asarray(y) == 2 * x).all())
    pinned = jax.device_put(jax.device_put(x, start), SingleDeviceSharding(start, memory_kind="pinned_host"))
    back = jax.device_put(pinned, SingleDeviceSharding(start, memory_kind="device"))
    moved &= pinned.sharding.memory_kind == "pinned_host" and bool((np.asarray(back) == x).all())
said["moved"] = bool(moved)

# Rows over the two of one kind; a mesh of both kinds is no place for one program.
def over(some):
    y = jax.device_put(x, NamedSharding(Mesh(np.array(some), ("rows",)), PartitionSpec("rows")))
    return np.asarray(jax.jit(lambda a: (a @ a.T).sum(0) + a.mean())(y))
wanted = (x @ x.T).sum(0) + x.mean()
said["sharded"] = float(np.abs(over(devices[1:]) - wanted).max() / wanted.max())
try:
    over(devices[:2])
except Exception as error:
    said["refused"] = str(error)

# Kept for the kind that it was compiled for.
compiled = jax.jit(lambda a: jnp.sin(a) + 1).lower(jax.device_put(x, devices[1])).compile()
again = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled),
                                                  execution_devices=[devices[1]])
said["kept"] = float(np.abs(np.asarray(again(jax.device_put(x, devices[1]))) - (np.sin(x) + 1)).max())

# A training step whose arguments are donated, many times.
@jax.jit
def loss(w, a):
    return ((jnp.tanh(a @ w) - a) ** 2).mean()
step = jax.jit(lambda w, a: w - 0.1 * jax.grad(loss)(w, a), donate_argnums=0)
ends = []
for d in devices[:2]:
    w, a = jax.device_put((np.eye(64, dtype=np.float32), x / 8), d)
    for _ in range(20):
        w = step(w, a)
    ends.append(float(loss(w, a)))
said["losses"] = ends
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    cache = tmp_path_factory.mktemp("pocl")
    environment = dict(os.environ, JAX_PLATFORMS="millrace", MILLRACE_DEVICES="cpu,opencl:cpu,opencl:cpu",
                       POCL_DEVICES="pthread pthread", POCL_CACHE_DIR=str(cache))
    environment.pop("MILLRACE_NUM_DEVICES", None)
    result = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, cwd=ROOT, capture_output=True, text=True,
                            timeout=300)
    if "no OpenCL device" in result.stderr:
        pytest.skip("there is no OpenCL runtime")
    assert result.returncode == 0, result.stderr[-3000:]
    return json.loads(result.stdout.splitlines()[-1])


def test_each_kind_has_its_name(said):
    assert said["kinds"] == ["millrace", "millrace opencl", "millrace opencl"]


def test_programs_run_where_their_arguments_are(said):
    assert said["where"] == [0, 1, 2]
    assert said["apart"] < 1e-4


def test_arrays_go_from_each_device_to_each(said):
    assert said["moved"]


def test_a_program_is_cut_over_devices_of_one_kind(said):
    assert said["sharded"] < 1e-5
    assert "device 0 of kind cpu and device 1 of kind opencl" in said["refused"]


def test_a_serialized_program_runs_on_the_kind_it_is_for(said):
    assert said["kept"] < 1e-6


def test_training_comes_to_the_same(said):
    cpu, opencl = said["losses"]
    assert abs(cpu - opencl) <= 1e-6 * cpu
