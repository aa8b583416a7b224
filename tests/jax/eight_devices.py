"""What a host sees of programs over eight devices. Run by test_eight_devices.py, in a process that has so many."""

import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, shard_map
from jax.experimental import serialize_executable
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "shard"))
import seen  # noqa: E402  (tests/shard/seen.py)

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


@pytest.mark.parametrize("manual", ["x", "y", "z"])
def test_moves_within_a_manual_computation(manual):
    """What devices along the manual axis have is their own, however it moves along the others."""
    mesh = Mesh(np.array(DEVICES).reshape(2, 2, 2), ("x", "y", "z"))
    others = [a for a in mesh.axis_names if a != manual]
    cuts = [None, *others, tuple(others), tuple(others[::-1])]
    specs = [P(a, b) for a in cuts for b in cuts if not set(a or ()) & set(b or ())]
    as_cut = lax.with_sharding_constraint

    def move(x):
        moved = [as_cut(as_cut(x, before) * 2, after) for before in specs for after in specs]
        return jnp.stack([as_cut(m, P()) for m in moved])

    x = np.arange(2 * 4 * 8, dtype=np.float32).reshape(8, 8)
    y = jax.jit(shard_map(move, mesh=mesh, in_specs=P(manual), out_specs=P(None, manual), axis_names={manual}))(x)
    assert y.shape == (len(specs) ** 2, 8, 8)
    np.testing.assert_array_equal(y, np.broadcast_to(x * 2, y.shape))


def test_moves_without_a_program():
    y = jax.device_put(put(A, "x", "y"), NamedSharding(MESH, P("y", "x")))
    np.testing.assert_array_equal(y, A)
    np.testing.assert_array_equal(y.addressable_shards[1].data, A[4:, :2])


def sliding(window, stride, padding, op=lax.max, init=-np.inf, **more):
    return lambda x: lax.reduce_window(x, init, op, (1, window, window, 1), (1, stride, stride, 1), padding, **more)


def convolution(stride, padding, **more):
    kernel = np.cos(np.arange(3 * 3 * 3 * 4, dtype=np.float32)).reshape(3, 3, 3, 4)
    return lambda x: lax.conv_general_dilated(
        x, kernel, (stride, stride), padding, dimension_numbers=("NHWC", "HWIO", "NHWC"), **more)


def gradient(f):
    return jax.grad(lambda x: (f(x) ** 2).sum())


@pytest.mark.parametrize("name,f", [
    ("max pool", gradient(sliding(2, 2, "VALID"))),
    ("max pool, windows overlap", gradient(sliding(3, 2, "VALID"))),
    ("max pool, gaps between windows", gradient(sliding(1, 2, "VALID"))),
    ("max pool, windows reach far", gradient(sliding(5, 2, "VALID"))),
    ("convolution", gradient(convolution(1, "SAME"))),
    ("convolution, by two", gradient(convolution(2, "SAME"))),
    ("convolution, by two, valid", gradient(convolution(2, "VALID"))),
    ("transposed", convolution(1, ((1, 2), (1, 2)), lhs_dilation=(2, 2))),
    ("transposed, from between", convolution(1, ((2, 1), (1, 2)), lhs_dilation=(2, 2))),
    ("transposed, cropped", convolution(1, ((-1, 4), (1, 2)), lhs_dilation=(2, 2))),
    ("dilated", convolution(1, "SAME", rhs_dilation=(2, 2))),
    ("sums of what is drawn apart", sliding(3, 1, ((0, 0), (1, 2), (1, 2), (0, 0)), lax.add, 0.0, base_dilation=(1, 2, 2, 1))),
    ("sums, dilated", sliding(3, 1, "SAME", lax.add, 0.0, window_dilation=(1, 2, 2, 1))),
])
def test_windows_take_borders_only(name, f):
    x = np.sin(np.arange(2 * 32 * 16 * 3, dtype=np.float32)).reshape(2, 32, 16, 3)
    sharding = NamedSharding(MESH, P(None, "x"))
    compiled = jax.jit(f, out_shardings=sharding).lower(jax.device_put(x, sharding)).compile()
    np.testing.assert_allclose(compiled(jax.device_put(x, sharding)), jax.jit(f)(x), rtol=1e-5, atol=1e-5)
    assert "all-gather" not in compiled.as_text() and "all-to-all" not in compiled.as_text()


@pytest.mark.parametrize("spec", [("x",), (None, "x"), ("y", "x"), (None, ("x", "y"))])
@pytest.mark.parametrize("k", [1, 7, 200])
def test_the_best_of_parts(spec, k):
    x = np.round(np.random.default_rng(k).standard_normal((4, 512)), 1).astype(np.float32)  # many are equal
    x[0, 100] = x[1, 300] = np.nan
    values, places = jax.jit(lambda x: lax.top_k(x, k))(put(x, *spec))
    wanted = jax.jit(lambda x: lax.top_k(x, k))(x)
    np.testing.assert_array_equal(values, wanted[0])
    np.testing.assert_array_equal(places, wanted[1])


@pytest.mark.parametrize("f,spec", [
    (jnp.fft.fft, ("x", None)),
    (lambda x: jnp.linalg.cholesky(x[:, :4, None] * x[:, None, :4] + 9 * np.eye(4, dtype=np.float32)), ("x",)),
    (lambda x: lax.linalg.triangular_solve(x[:, :, None] * x[:, None, :] + 9 * np.eye(8, dtype=np.float32), x[:, :, None],
                                           left_side=True, lower=True), ("x", None)),
    (lambda x: jnp.sort(x, axis=0), (None, "x")),
    (lambda x: lax.dynamic_update_slice(x, np.ones((2, 3), np.float32), (1, 2)), (None, "x")),
    (lambda x: lax.erf_inv(lax.bessel_i1e(x)) + lax.lgamma(x + 1) + lax.digamma(x + 1), ("x", "y")),
])
def test_done_on_parts(f, spec):
    x = np.linspace(0.1, 2, 64, dtype=np.float32).reshape(8, 8)
    compiled = jax.jit(f).lower(put(x, *spec)).compile()
    np.testing.assert_allclose(compiled(put(x, *spec)), jax.jit(f)(x), rtol=1e-5, atol=1e-5)
    assert "all-gather" not in compiled.as_text()


ONE = Mesh(np.array(DEVICES[:1]).reshape(1, 1), ("x", "y"))


def tables():
    """Each row with the same function on one device. What is summed over devices in it is another function there."""
    rows = zip(seen.rows(MESH), seen.rows(ONE))
    return [pytest.param(*row[1:], one[1], id=row[0]) for row, one in rows if row[0] != "local_psum_in_shard_map"]


def values_of(random, shape, dtype, below):
    if np.dtype(dtype).kind in "iu":
        return random.integers(0, below or 1 << 32, shape, dtype)
    x = (random.standard_normal(shape) * 3).astype(dtype)
    return x if len(shape) != 3 else x @ np.swapaxes(x, 1, 2) if shape[1] == shape[2] else x


@pytest.mark.parametrize("f,arguments,out,on_one", tables())
def test_rows_of_tables(f, arguments, out, on_one):
    random = np.random.default_rng(0)
    whole = [values_of(random, shape, dtype, below) for shape, dtype, _, below in arguments]
    parts = [a if spec is None else put(a, *spec) for a, (_, _, spec, _) in zip(whole, arguments)]
    found = jax.jit(f, **({} if out is None else {"out_shardings": NamedSharding(MESH, out)}))(*parts)
    wanted = jax.jit(on_one)(*(jax.device_put(a, DEVICES[0]) for a in whole))
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-3), found, wanted)


@pytest.mark.parametrize("mode", ["clip", "fill", "promise_in_bounds"])
@pytest.mark.parametrize("spec", [P(None, "x"), P("y", "x"), P(None, ("y", "x")), P(None, None, "x")])
@pytest.mark.parametrize("scatter", [lax.scatter, lax.scatter_add, lax.scatter_max])
def test_windows_of_one_place(scatter, spec, mode):
    """A window of one row along what is cut lies in one part or in none, and beside what it changes all stays as it is."""
    if mode == "promise_in_bounds":
        places = [[0, 0], [7, 0], [23, 0], [8, 0]]
    else:
        places = [[0, 0], [7, 0], [23, 0], [24, 0], [-1, 0], [2**31 - 1, 0], [3, 1]]
    numbers = lax.ScatterDimensionNumbers((1, 2, 3), (), (1, 2))
    x, places = np.arange(2 * 24 * 4, dtype=np.float32).reshape(2, 24, 4), np.array(places, np.int32)
    updates = np.arange(len(places) * 2 * 4, dtype=np.float32).reshape(-1, 2, 1, 4) * 10 - 20
    f = lambda x, places, updates: scatter(x, places, updates, numbers, mode=mode)
    got = jax.jit(f, out_shardings=NamedSharding(MESH, spec))(put(x, *spec), places, updates)
    np.testing.assert_array_equal(got, jax.jit(f)(x, places, updates))


def test_calls_that_do_each_of_a_batch_alike_are_cut_along_it():
    """jax.ffi.register_ffi_target_as_batch_partitionable: no device needs another one's part of the batch."""
    from jax._src import core, dispatch
    from jax._src.interpreters import mlir
    from jax._src.lib import lapack

    lapack._lapack.initialize()
    jax.ffi.register_ffi_target_as_batch_partitionable("lapack_sgeqrf_ffi")
    factors = core.Primitive("factors")
    factors.multiple_results = True
    dispatch.simple_impl(factors)
    factors.def_abstract_eval(lambda x: (x, core.ShapedArray(x.shape[:-1], x.dtype)))

    def lower(context, x):
        batch = mlir.ir_attribute({"num_batch_dims": str(context.avals_in[0].ndim - 2)})
        return jax.ffi.ffi_lowering("lapack_sgeqrf_ffi", extra_attributes={"mhlo.frontend_attributes": batch})(context, x)

    mlir.register_lowering(factors, lower)
    x = np.random.default_rng(0).normal(size=(8, 4, 4, 6)).astype(np.float32)
    wanted = factors.bind(x)
    for spec in [("x",), (("x", "y"),), ("x", "y")]:
        f = jax.jit(factors.bind, out_shardings=NamedSharding(MESH, P(*spec)))
        compiled = f.lower(put(x, *spec)).compile()
        for one, whole in zip(compiled(put(x, *spec)), wanted):
            np.testing.assert_allclose(one, whole, rtol=1e-6, atol=1e-6)
        text = compiled.as_text()
        assert not any(name in text for name in ["all-gather", "all-to-all", "collective-permute", "all-reduce"]), text
    # Along the matrices themselves it is not cut.
    inside = jax.jit(factors.bind, out_shardings=NamedSharding(MESH, P("x"))).lower(put(x, "x", None, "y")).compile()
    for one, whole in zip(inside(put(x, "x", None, "y")), wanted):
        np.testing.assert_allclose(one, whole, rtol=1e-6, atol=1e-6)
