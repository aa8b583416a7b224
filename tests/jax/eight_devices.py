"""What a host sees of programs over eight devices. Run by test_eight_devices.py, in a process that has so many."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, shard_map
from jax.experimental import serialize_executable
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

DEVICES = jax.devices("millrace")
MESH = Mesh(np.array(DEVICES).reshape(4, 2), ("x", "y"))
A = np.arange(64, dtype=np.float32).reshape(8, 8)


def put(value, *spec):
    return jax.device_put(value, NamedSharding(MESH, P(*spec)))


def test_psum_is_one_all_reduce():
    f = jax.jit(shard_map(lambda a: lax.psum(a, "x"), mesh=MESH, in_specs=P("x", "y"), out_specs=P(None, "y")))
    x = put(A, "x", "y")
    np.testing.assert_array_equal(f(x), A.reshape(4, 2, 8).sum(0))
    assert f.lower(x).compile().as_text().count("all-reduce(") == 1


@pytest.mark.parametrize("left,right,spec,collective", [
    (("x", None), (None, "y"), P("x", "y"), None),
    ((None, "x"), ("x", None), P(), "all-reduce"),
])
def test_products(left, right, spec, collective):
    a, b = put(A, *left), put(A, *right)
    compiled = jax.jit(lambda a, b: a @ b).lower(a, b).compile()
    product = compiled(a, b)
    np.testing.assert_array_equal(product, A @ A)
    assert product.sharding.spec == spec
    text = compiled.as_text()
    assert collective in text if collective else "all-" not in text


def test_figures_are_of_one_device():
    compiled = jax.jit(lambda x: x + 1).lower(put(A, "x", "y")).compile()
    assert compiled.memory_analysis().argument_size_in_bytes == 32
    assert compiled.cost_analysis()["flops"] == 8
    assert compiled.input_shardings[0][0].spec == compiled.output_shardings.spec == P("x", "y")


def test_devices_in_any_order():
    mesh = Mesh(np.array(DEVICES[::-1]), ("i",))
    y = jax.jit(shard_map(lambda: lax.axis_index("i")[None], mesh=mesh, in_specs=(), out_specs=P("i")))()
    assert [(shard.device.id, int(shard.data[0])) for shard in y.addressable_shards] == [(7 - i, i) for i in range(8)]


def test_some_of_the_devices():
    x = jax.device_put(A, NamedSharding(Mesh(np.array(DEVICES[2:4]), ("i",)), P("i")))
    y = jax.jit(lambda x: x * 2)(x)
    np.testing.assert_array_equal(y, A * 2)
    assert y.devices() == set(DEVICES[2:4])


def test_donation_is_of_each_device():
    x = put(A, "x", "y")
    np.testing.assert_array_equal(jax.jit(lambda x: x * 2, donate_argnums=0)(x), A * 2)
    assert x.is_deleted()
    x = put(A[:, :2], "x")
    jax.jit(lambda x: x @ x.T, donate_argnums=0)(x)  # no result of a device's is as large as what it would give
    assert not x.is_deleted()


def test_pmap_counts():
    y = jax.pmap(lambda a: a + lax.axis_index("i") + lax.psum(a, "i"), axis_name="i")(np.arange(8.0))
    np.testing.assert_array_equal(y, 28 + 2 * np.arange(8))


def test_callbacks_run_once_or_on_each_device():
    seen = []

    def host(x):
        seen.append(np.asarray(x).shape)
        return np.asarray(x) * 2

    def call(x):
        return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    np.testing.assert_array_equal(jax.jit(call)(put(A, "x", "y")), A * 2)
    assert seen == [(8, 8)]
    f = jax.jit(shard_map(call, mesh=MESH, in_specs=P("x", "y"), out_specs=P("x", "y")))
    np.testing.assert_array_equal(f(put(A, "x", "y")), A * 2)
    assert seen[1:] == [(2, 4)] * 8


def test_a_callback_that_raises_fails_the_call_and_no_other():
    def host(x):
        raise ValueError("not this one")

    def body(x):
        return lax.psum(jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x), "x")

    f = jax.jit(shard_map(body, mesh=MESH, in_specs=P("x", "y"), out_specs=P(None, "y")))
    with pytest.raises(Exception, match="not this one"):
        jax.block_until_ready(f(put(A, "x", "y")))
    np.testing.assert_array_equal(jax.jit(lambda x: x + 1)(put(A, "x", "y")), A + 1)


def test_inspected_shardings():
    seen = []

    def f(x):
        y = x * 2
        jax.debug.inspect_array_sharding(y, callback=seen.append)
        return y

    jax.jit(f)(put(A, "x", "y"))
    assert [sharding.spec for sharding in seen] == [P("x", "y")]


def test_custom_partitioning():
    @custom_partitioning
    def f(x):
        return jnp.sin(x) + x.sum()

    def partition(mesh, arg_shapes, result_shape):
        sharding = NamedSharding(mesh, P("x", None))
        return mesh, lambda x: jnp.sin(x) + lax.psum(x.sum(), "x"), sharding, (sharding,)

    f.def_partition(partition=partition, sharding_rule="i j -> i j", infer_sharding_from_operands=None)
    y = jax.jit(f)(put(A, "x", None))
    np.testing.assert_allclose(y, np.sin(A) + A.sum(), rtol=1e-6)
    assert y.sharding.is_equivalent_to(NamedSharding(MESH, P("x")), 2)


def test_serialized_and_loaded_again():
    x = put(A, "x", "y")
    compiled = jax.jit(lambda x: x @ x.T).lower(x).compile()
    again = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled))
    y = again(x)
    np.testing.assert_array_equal(y, A @ A.T)
    assert y.sharding == compiled(x).sharding


def test_batches_of_linear_algebra_stay_where_they_are():
    x = put(np.stack([np.eye(4, dtype=np.float32) * i * i for i in range(1, 9)]), "x")
    compiled = jax.jit(jnp.linalg.cholesky).lower(x).compile()
    assert "all-" not in compiled.as_text()
    np.testing.assert_allclose(compiled(x)[2], np.eye(4) * 3, rtol=1e-6)


def test_moves_without_a_program():
    y = jax.device_put(put(A, "x", "y"), NamedSharding(MESH, P("y", "x")))
    np.testing.assert_array_equal(y, A)
    np.testing.assert_array_equal(y.addressable_shards[1].data, A[4:, :2])
