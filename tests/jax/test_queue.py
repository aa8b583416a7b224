"""What a host queues is bounded: a loop that is fed new arrays and waits for nothing has as many of them in use as calls may be queued.

Counted are the host's own arrays, which live as long as a queued call has them. Each loop runs in a process of its own, whose limits are
its environment's. Nobody is held up for what only he can do.
"""

import os
import pathlib
import subprocess
import sys

import pytest

LIMIT = 6

BEFORE = """
import gc, threading, weakref
import numpy as np
import jax, jax.numpy as jnp

LIMIT, STEPS, SIDE = {limit}, 60, 384
alive, most = set(), 0

def batch(rows=SIDE):
    global most
    block = np.empty(rows * SIDE * 4 + 64, np.uint8)
    at = -block.ctypes.data % 64  # where an array may be used in place
    array = block[at:at + rows * SIDE * 4].view(np.float32).reshape(rows, SIDE)
    array[:] = 1.0 / SIDE
    alive.add(id(block))
    weakref.finalize(block, alive.discard, id(block))
    most = max(most, len(alive))
    return array

@jax.jit
def step(w, x):
    for _ in range(4):
        w = jnp.tanh(w @ w + x[:SIDE])
    return w
"""


def run(script, limit=LIMIT, **environment):
    done = subprocess.run(
        [sys.executable, "-c", BEFORE.format(limit=limit) + script],
        env=os.environ | {"JAX_PLATFORMS": "millrace", "MILLRACE_QUEUE_CALLS": str(limit)} | environment,
        cwd=pathlib.Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


# One array is the next call's, one its Python frame's, one what the call that is over has not let go of yet, with the host's garbage.
ROOM = LIMIT + 4


def test_a_loop_that_is_fed():
    most = run(
        """
w = jnp.full((SIDE, SIDE), 1.0 / SIDE)
for _ in range(STEPS):
    w = step(w, batch())
w.block_until_ready()
print(most)
"""
    )
    assert int(most) <= ROOM


def test_a_loop_over_eight_devices_that_is_fed():
    most = run(
        """
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(np.array(jax.devices()), "d")
cut = NamedSharding(mesh, P("d"))
wide = jax.jit(jax.vmap(step), out_shardings=cut)
w = jax.device_put(np.full((8, SIDE, SIDE), 1.0 / SIDE, np.float32), cut)
for _ in range(STEPS):
    w = wide(w, jax.device_put(batch(8 * SIDE).reshape(8, SIDE, SIDE), cut))
w.block_until_ready()
print(most)
""",
        MILLRACE_NUM_DEVICES="8",
    )
    assert int(most) <= ROOM


def test_bytes_that_are_queued():
    most = run(
        """
w = jnp.full((SIDE, SIDE), 1.0 / SIDE)
for _ in range(STEPS):
    w = step(w, batch(8 * SIDE))  # 4.5 MiB
w.block_until_ready()
print(most)
""",
        limit=0,
        MILLRACE_QUEUE_MB="20",
    )
    assert int(most) <= 10


def test_a_callback_that_waits_for_what_comes_after_the_call():
    """The host queues more than the limit before it lets the first callback go on. That is one of a program over two devices:
    over one its call would not return before, as on XLA:CPU."""
    out = run(
        """
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
gate = threading.Event()
mesh = Mesh(np.array(jax.devices()), "d")

def wait(x):
    gate.wait()
    return x

def part(x):
    return jax.pure_callback(wait, jax.ShapeDtypeStruct((SIDE, SIDE), np.float32), step(x, x))

held = jax.jit(jax.shard_map(part, mesh=mesh, in_specs=P("d"), out_specs=P("d")))
x = jax.device_put(np.full((2 * SIDE, SIDE), 1.0 / SIDE, np.float32), NamedSharding(mesh, P("d")))
results = [held(x) for _ in range(2)]
w = results[0].addressable_shards[0].data
for _ in range(2 * LIMIT):
    w = step(w, batch())
gate.set()
assert np.isfinite(np.asarray(w)).all()
print("over")
""",
        MILLRACE_NUM_DEVICES="2",
    )
    assert out.split() == ["over"]


def test_a_callback_that_queues_too_much():
    """What calls from inside a callback is never held up: the engine's thread may be what that would wait for."""
    out = run(
        """
def many(x):
    w = jnp.asarray(x)
    for _ in range(3 * LIMIT):
        w = step(w, batch())
    return np.zeros((), np.float32)

outer = jax.jit(lambda x: jax.pure_callback(many, jax.ShapeDtypeStruct((), np.float32), step(x, x)))
x = jnp.full((SIDE, SIDE), 1.0 / SIDE)
for y in [outer(x) for _ in range(4)]:
    y.block_until_ready()
print("over")
"""
    )
    assert out.split() == ["over"]


def test_callbacks_run_while_the_host_is_held_up():
    """The thread that waits has let go of the interpreter's lock."""
    out = run(
        """
seen = []
noted = jax.jit(lambda x: jax.pure_callback(lambda v: (seen.append(1), v)[1], jax.ShapeDtypeStruct((SIDE, SIDE), np.float32), step(x, x)))
w = jnp.full((SIDE, SIDE), 1.0 / SIDE)
for _ in range(STEPS):
    w = step(noted(w), batch())
w.block_until_ready()
print(len(seen))
"""
    )
    assert int(out) == 60


@pytest.mark.parametrize("name", ["MILLRACE_QUEUE_CALLS", "MILLRACE_QUEUE_MB"])
def test_limits_that_are_none(name):
    done = subprocess.run(
        [sys.executable, "-c", "import jax; jax.devices()"],
        env=os.environ | {"JAX_PLATFORMS": "millrace", name: "-3"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode != 0
    assert name in done.stderr
