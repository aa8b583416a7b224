"""Two JAX processes on this machine that form one run by jax.distributed.initialize."""

import json
import os
import pathlib
import socket
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = os.environ.get("MILLRACE_LIBRARY", str(ROOT / "build" / "release" / "lib" / "libpjrt_millrace.so"))

MEMBER = """
import json, sys
import jax, jax.numpy as jnp, numpy as np
from jax._src import distributed
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding

me, port = int(sys.argv[1]), sys.argv[2]
jax.distributed.initialize(f"localhost:{port}", num_processes=2, process_id=me)
devices = jax.devices()
said = {"process": [jax.process_index(), jax.process_count()], "ids": [d.id for d in devices],
        "processes": [d.process_index for d in devices], "slices": [d.slice_index for d in devices],
        "local": [[d.id, d.local_hardware_id] for d in jax.local_devices()]}

x = jnp.arange(4.0)
said["jit"] = [float(jax.jit(lambda x: (x * 2).sum())(x)), next(iter(x.devices())).id]

whole = NamedSharding(Mesh(np.array(devices), ("x",)), PartitionSpec("x"))
parts = jax.make_array_from_process_local_data(whole, np.full((1, 3), me, np.float32))
said["parts"] = [list(parts.shape), np.asarray(parts.addressable_shards[0].data).tolist()]

# From the first process's device to the second's.
first, second = map(SingleDeviceSharding, devices)
if me == 0:
    y = jax.device_put(jnp.arange(5.0) + 7, first)
else:
    y = jax.make_array_from_single_device_arrays((5,), first, [], dtype=jnp.float32)
moved = jax.device_put(y, second)
said["moved"] = [np.asarray(s.data).tolist() for s in moved.addressable_shards]

try:
    multihost_utils.sync_global_devices("all")
except Exception as error:
    said["sync"] = str(error)
distributed.global_state.client.wait_at_barrier("end", 60000)
print(json.dumps(said), flush=True)
"""


@pytest.fixture(scope="module")
def members(tmp_path_factory):
    """What the two processes said."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "JAX_PLATFORMS": "millrace", "MILLRACE_LIBRARY": LIBRARY}
    environment.pop("MILLRACE_NUM_DEVICES", None)
    running = [
        subprocess.Popen([sys.executable, "-c", MEMBER, str(me), str(port)], env=environment, text=True,
                         cwd=tmp_path_factory.mktemp("member"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for me in range(2)
    ]
    said = []
    try:
        for process in running:
            out, errors = process.communicate(timeout=120)
            assert process.returncode == 0, errors[-3000:]
            said.append(json.loads(out.splitlines()[-1]))
    finally:
        for process in running:
            process.kill()
    return said


@pytest.mark.parametrize("me", [0, 1])
def test_all_devices_are_known(members, me):
    said = members[me]
    assert said["process"] == [me, 2]
    assert (said["ids"], said["processes"], said["slices"]) == ([0, 1], [0, 1], [0, 0])
    assert said["local"] == [[me, 0]]


@pytest.mark.parametrize("me", [0, 1])
def test_local_programs_run(members, me):
    assert members[me]["jit"] == [12, me]


@pytest.mark.parametrize("me", [0, 1])
def test_arrays_over_both_processes(members, me):
    assert members[me]["parts"] == [[2, 3], [[me, me, me]]]


def test_device_put_between_processes(members):
    assert members[0]["moved"] == []
    assert members[1]["moved"] == [[7, 8, 9, 10, 11]]


@pytest.mark.parametrize("me", [0, 1])
def test_programs_over_both_processes_are_refused_by_name(members, me):
    assert "UNIMPLEMENTED: a program over 2 devices, of which 1 are other processes'" in members[me]["sync"]
