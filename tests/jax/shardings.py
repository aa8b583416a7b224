"""What JAX asks of a partitioner besides programs: its own partitioners, looking at shardings, groups, GSPMD's form of programs.

Prints a line for each that is right; run by test_shardings.py. usage: python shardings.py [gspmd]
"""

import os
import sys

os.environ["JAX_PLATFORMS"] = "millrace"
os.environ["MILLRACE_NUM_DEVICES"] = "8"

import jax

if "gspmd" in sys.argv:
    jax.config.update("jax_use_shardy_partitioner", False)

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental.custom_partitioning import custom_partitioning
from jax.experimental.shard_alike import shard_alike
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)


def named(*spec):
    return NamedSharding(MESH, P(*spec))


def put(value, *spec):
    return jax.device_put(np.asarray(value, np.float32), named(*spec))


ROWS = np.arange(64.0, dtype=np.float32).reshape(8, 8)


def inspected():
    seen = []
    jax.jit(lambda a: (jax.debug.inspect_array_sharding(a * 2, callback=seen.append), a + 1)[1])(put(ROWS, "x", "y"))
    assert [s.spec for s in seen] == [P("x", "y")], seen


def partitioned():
    @custom_partitioning
    def softly(a):
        return a - a.sum(0, keepdims=True)

    def partition(mesh, arguments, result):
        axis = arguments[0].sharding.spec[0]
        assert arguments[0].shape == (8, 8) and axis == "x"
        return mesh, lambda a: a - lax.psum(a.sum(0, keepdims=True), axis), arguments[0].sharding, (arguments[0].sharding,)

    softly.def_partition(partition=partition, sharding_rule="i j -> i j")
    got = jax.jit(softly)(put(ROWS, "x", None))
    assert got.sharding.is_equivalent_to(named("x"), 2), got.sharding
    np.testing.assert_array_equal(got, ROWS - ROWS.sum(0, keepdims=True))


def alike():
    a, b = jax.jit(lambda a, b: shard_alike(a * 2, b * 3))(put(ROWS, "x", "y"), ROWS)
    assert a.sharding == b.sharding == named("x", "y")
    np.testing.assert_array_equal(b, ROWS * 3)


def constrained():
    got = jax.jit(lambda a: lax.with_sharding_constraint(a * 2, named(None, "x")) + 1)(ROWS)
    assert got.sharding.is_equivalent_to(named(None, "x"), 2), got.sharding
    np.testing.assert_array_equal(got, ROWS * 2 + 1)
    got = jax.jit(lambda a: a @ a.T, out_shardings=named("y", "x"))(put(ROWS, "x"))
    assert got.sharding == named("y", "x")
    np.testing.assert_array_equal(got, ROWS @ ROWS.T)


def manual():
    body = jax.shard_map(lambda a, b: (lax.psum(a, "x"), a @ b), mesh=MESH, in_specs=(P("x", None), P()), out_specs=(P(), P("x", None)), check_vma=False)
    total, product = jax.jit(body)(put(ROWS, "x"), ROWS)
    np.testing.assert_array_equal(total, ROWS.reshape(4, 2, 8).sum(0))
    np.testing.assert_array_equal(product, ROWS @ ROWS)
    assert product.sharding.is_equivalent_to(named("x"), 2), product.sharding


def partly_manual():
    body = jax.shard_map(lambda a: jnp.tanh(a) + lax.axis_index("x"), mesh=MESH, in_specs=P("x"), out_specs=P("x"), axis_names={"x"}, check_vma=False)
    got = jax.jit(body)(put(ROWS, "x", "y"))
    np.testing.assert_allclose(got, np.tanh(ROWS) + np.arange(8)[:, None] // 2, rtol=1e-6)


CASES = [constrained, manual, partly_manual]
for case in CASES if "gspmd" in sys.argv else [inspected, partitioned, alike, *CASES]:
    case()
    print("right:", case.__name__, flush=True)
