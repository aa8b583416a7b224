"""Results that are not there before the test says so, of calls that have returned."""

import threading

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

SECONDS = 60


def gated(gate, dtype=np.float32):
    """Sixteen ones on two devices that come when the gate is open: programs over several devices, whose callbacks are known to
    take their time, do not hold up their call."""
    sleeper = threading.Event()  # that nobody sets
    mesh = Mesh(jax.devices("millrace")[:2], "i")

    def wait(v):
        sleeper.wait(0.005)
        assert v[0] == 0 or gate.wait(SECONDS)
        return np.asarray(v)

    part = jax.ShapeDtypeStruct((8,), dtype)
    held = jax.jit(
        jax.shard_map(
            lambda v: jax.pure_callback(wait, part, v),
            mesh=mesh,
            in_specs=PartitionSpec("i"),
            out_specs=PartitionSpec("i"),
        )
    )
    split = NamedSharding(mesh, PartitionSpec("i"))
    jax.block_until_ready(held(jax.device_put(np.zeros(16, dtype), split)))
    return held(jax.block_until_ready(jax.device_put(np.ones(16, dtype), split)))
