"""Dumps in XLA's own form of programs over four devices. Run by test_hlo_dumps.py, in a process that has so many of both kinds.

The program as it came is cut by XLA, which makes of it what we do. As the passes leave it, it is what each device runs, which XLA
reads but takes from nobody."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, shard_map
from jax._src.lib import xla_client
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from test_hlo_dumps import assert_close, dump, on_xla, text_of

MESH, THERE = (Mesh(np.array(jax.devices(kind)).reshape(2, 2), ("x", "y")) for kind in ("millrace", "cpu"))
A = np.linspace(0.1, 1.0, 64, dtype=np.float32).reshape(8, 8)
B = np.cos(A)


def by_shardings(a, b):
    c = lax.with_sharding_constraint(jnp.tanh(a @ b), NamedSharding(MESH, P("x", "y")))
    return c, (a * b).sum(0), jnp.roll(a, 1, 0)


def by_hand(a, b):
    def part(a, b):
        around = lax.ppermute(b, "x", [(0, 1), (1, 0)]) * lax.axis_index("x")
        return (lax.psum(a @ b, "y"), lax.all_to_all(around, "y", 1, 0, tiled=True),
                lax.psum_scatter(b, "x", scatter_dimension=1, tiled=True), lax.all_gather(b, "x", axis=1))

    return shard_map(part, mesh=MESH, in_specs=HAND[0], out_specs=HAND[1], check_vma=False)(a, b)


HAND = (P(None, "y"), P("y", None)), (P(), P(("x", "y")), P("y", "x"), P("y"))
FUNCTIONS = {"shardings": (by_shardings, (P("x", "y"), P("y", None)), (P("x", "y"), P("x"), P(None, "y"))),
             "hand": (by_hand, *HAND)}


def partitioned():
    options = xla_client.CompileOptions()
    options.num_partitions = 4
    build = options.executable_build_options
    build.num_partitions = 4
    build.use_spmd_partitioning = build.use_shardy_partitioner = True
    build.device_assignment = xla_client.DeviceAssignment.create(np.arange(4).reshape(1, 4))
    return options


@pytest.mark.parametrize("name", FUNCTIONS)
def test_xla_computes_the_same(name, tmp_path):
    function, given, taken = FUNCTIONS[name]
    given, taken = (tuple(NamedSharding(MESH, spec) for spec in specs) for specs in (given, taken))
    arguments = [jax.device_put(a, sharding) for a, sharding in zip((A, B), given)]
    results, modules = dump(function, arguments, tmp_path, in_shardings=given, out_shardings=taken)
    there = [jax.device_put(a, NamedSharding(THERE, s.spec)) for a, s in zip((A, B), given)]
    for found, wanted in zip(on_xla(modules[0], there, partitioned()), results, strict=True):
        for part, shard in zip(found, wanted.addressable_shards, strict=True):
            assert_close(np.asarray(part), np.asarray(shard.data))


def test_what_each_device_runs(tmp_path):
    given = tuple(NamedSharding(MESH, spec) for spec in HAND[0])
    _, modules = dump(by_hand, (A, B), tmp_path, in_shardings=given)
    text = text_of(modules[1])
    assert "(f32[8,4]{1,0}, f32[4,8]{1,0})->(f32[8,8]{1,0}, f32[8,4]{1,0}, f32[4,4]{1,0}, f32[4,2,8]{2,1,0})" in text
    groups = {opcode: re.search(rf" {opcode}\(.*?((?:replica_groups|source_target_pairs)={{.*?}}}})", text)[1]
              for opcode in ("all-reduce", "all-to-all", "reduce-scatter", "all-gather", "collective-permute")}
    beside, above = "replica_groups={{0,1},{2,3}}", "replica_groups={{0,2},{1,3}}"
    assert groups == {"all-reduce": beside, "all-to-all": beside, "reduce-scatter": above, "all-gather": above,
                      "collective-permute": "source_target_pairs={{0,2},{2,0},{1,3},{3,1}}"}
